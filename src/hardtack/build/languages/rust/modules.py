"""The possible paths of a Rust module."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_ROOTS = ("lib.rs", "main.rs", "mod.rs")
"""Files that are the module of their folder, and not one inside it."""


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first (The Rust Reference, "Modules", "Module Source Filenames", and "Paths").

    A path that begins with ``crate`` starts at the root of the importing file's crate, ``self`` and ``super`` at its own module.
    Anything else is another crate of the same workspace, or a module inside the importing one. ``self::super`` is used by a module
    that is written inside the importing file, and names that file.
    """
    if module.startswith("self::super"):
        module = f"self{module.removeprefix('self::super')}"
    first, *rest = module.split("::")
    folder, _, filename = importer.rpartition("/")
    own = folder if filename in _ROOTS else f"{folder}/{filename.removesuffix('.rs')}".lstrip("/")
    if first == "crate":
        root = _crate_root(importer, projects)
        yield from _files_at(root, rest)
        if root != folder:
            yield from _files_at(folder, rest)  # a test, an example or a program is a crate of its own
    elif first == "super":
        while first == "super":
            own = own.rpartition("/")[0]
            first, *rest = rest or ["self"]
        yield from _files_at(own, rest if first == "self" else [first, *rest])
    elif first == "self":
        yield from _files_at(own, rest) if rest else (importer,)
    else:
        for project in projects:
            if project.ecosystem == "cargo":
                yield from (path for name, root in project.prefixes if name == first for path in _files_at(root.rstrip("/"), rest))
        yield from _files_at(own, [first, *rest])


def _crate_root(importer: str, projects: Sequence[Project]) -> str:
    """The folder of the importing file's crate: that of the nearest manifest above it, or its own up to ``src``."""
    roots = [
        (len(project.directory), root.rstrip("/"))
        for project in projects
        if project.ecosystem == "cargo" and (not project.directory or importer.startswith(f"{project.directory}/"))
        for _, root in project.prefixes
    ]
    if roots:
        return max(roots)[1]
    before, found, _ = importer.rpartition("src/")
    return f"{before}src" if found else importer.rpartition("/")[0]


def _files_at(folder: str, parts: Sequence[str]) -> Iterator[str]:
    """The possible files of the module ``parts`` below the one whose modules are in ``folder``."""
    whole = "/".join(part for part in (folder, *parts) if part)
    if parts:
        yield f"{whole}.rs"
        yield f"{whole}/mod.rs"
        return
    yield from (f"{whole}/{filename}".lstrip("/") for filename in _ROOTS)
    if whole:
        yield f"{whole}.rs"
