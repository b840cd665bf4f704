"""``Cargo.toml``: the package, the version of Rust, and where its crates begin; members of a workspace have their own file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.projects.declared import DeclaredProject, table_at, text_at
from hardtack.notations import parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOTS = ("lib.rs", "main.rs", "mod.rs")
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
_PROGRAMS = ("bin", "example", "test", "bench")


def declared_in(_: str, text: str) -> DeclaredProject:
    """The project of a ``Cargo.toml``; fields that it inherits from its workspace (``version.workspace = true``) stay empty."""
    document = parse_toml(text)
    name = text_at(document, "package", "name")
    crate = text_at(document, "lib", "name") or name.replace("-", "_")
    lib = text_at(document, "lib", "path") or "src/lib.rs"
    return DeclaredProject(
        ecosystem="cargo",
        name=name,
        version=text_at(document, "package", "version"),
        language_version=text_at(document, "package", "rust-version"),
        prefixes=[(crate, _root_of(lib)), *(("", _root_of(path)) for path in _programs(document)), *_renamed(document)]
        if crate
        else [],
    )


def _renamed(document: object) -> Iterator[tuple[str, str]]:
    """(name, folder of the modules) of the crates in folders that are imported by other names than their own."""
    for kind in _DEPENDENCIES:
        for name in table_at(document, kind):
            folder = text_at(document, kind, name, "path")
            if folder and text_at(document, kind, name, "package"):
                yield name.replace("-", "_"), f"{folder}/src"


def _programs(document: object) -> Iterator[str]:
    """The paths that targets state which nobody imports; each is the root of a crate of its own."""
    for kind in _PROGRAMS:
        targets = table_at(document).get(kind)
        for target in targets if isinstance(targets, list) else ():
            if path := text_at(target, "path"):
                yield path


def _root_of(path: str) -> str:
    """The folder of a crate's modules; the path itself if the file's name does not say that it is the root."""
    folder, _, filename = path.rpartition("/")
    return folder if filename in _ROOTS else path
