"""``Cargo.toml``: the package, the version of Rust, and the folder of its crate; members of a workspace have their own file."""

from __future__ import annotations

from hardtack.build.projects.declared import DeclaredProject, text_at
from hardtack.build.projects.notations import parse_toml


def declared_in(_: str, text: str) -> DeclaredProject:
    """The project of a ``Cargo.toml``; fields that it inherits from its workspace (``version.workspace = true``) stay empty."""
    document = parse_toml(text)
    name = text_at(document, "package", "name")
    crate = text_at(document, "lib", "name") or name.replace("-", "_")
    root = text_at(document, "lib", "path") or "src/lib.rs"
    return DeclaredProject(
        ecosystem="cargo",
        name=name,
        version=text_at(document, "package", "version"),
        language_version=text_at(document, "package", "rust-version"),
        prefixes=[(crate, root.rpartition("/")[0])] if crate else [],
    )
