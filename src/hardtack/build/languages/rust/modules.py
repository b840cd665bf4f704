"""The possible paths of a Rust module."""

from __future__ import annotations

from itertools import takewhile
from posixpath import normpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_ROOTS = ("lib.rs", "main.rs", "mod.rs")
"""Files that are the module of their folder, and not one inside it."""
_PROGRAMS = ("bin", "tests", "examples", "benches")
"""Folders in which each file is the root of a crate."""


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first (The Rust Reference, "Modules", "Module Source Filenames", and "Paths").

    A path that begins with ``crate`` starts at the root of the importing file's crate, ``self`` and ``super`` at its own module.
    Anything else is another crate of the same workspace, or a module inside the importing one. ``self::super`` is used by a module
    that is written inside the importing file, and names that file; by one inside that ``self::self::super::super`` does. What ends
    in ``.rs`` is a path (``#[path = "..."] mod name;``), from the folder of the importing file.
    """
    if module.endswith(".rs"):
        yield normpath(f"{importer.rpartition('/')[0]}/{module}").lstrip("/")
        return
    parts = module.removeprefix("::").split("::")
    inner = len(list(takewhile("self".__eq__, parts)))
    outward = len(list(takewhile("super".__eq__, parts[inner:])))
    if inner and outward:
        parts = [*(["super"] * (outward - inner) or ["self"]), *parts[inner + outward :]]
    first, *rest = parts
    folder, _, filename = importer.rpartition("/")
    root = _crate_root(importer, projects)
    is_root = filename in _ROOTS or importer == root
    own = folder if is_root else f"{folder}/{filename.removesuffix('.rs')}".lstrip("/")
    if first == "crate":
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
        if rest and own != folder and folder.rpartition("/")[2] in _PROGRAMS:
            yield from _files_at(folder, rest)
    else:
        for project in projects:
            if project.ecosystem == "cargo":
                yield from (path for name, root in project.prefixes if name == first for path in _files_at(root.rstrip("/"), rest))
        yield from _files_at(own, [first, *rest])


def _crate_root(importer: str, projects: Sequence[Project]) -> str:
    """The importing file's crate: of those of the nearest manifest above it the one around it, or its own folder up to ``src``.

    It is the folder of the crate's modules, or the path of its root if that is not called as one.
    """
    roots = [
        (len(project.directory), _is_around(root, importer) * len(root), name, root.rstrip("/"))
        for project in projects
        if project.ecosystem == "cargo" and (not project.directory or importer.startswith(f"{project.directory}/"))
        for name, root in project.prefixes
    ]
    if roots:
        return max(roots)[-1]
    before, found, _ = importer.rpartition("src/")
    return f"{before}src" if found else importer.rpartition("/")[0]


def _is_around(root: str, importer: str) -> bool:
    return importer.startswith(root[: root[:-1].rfind("/") + 1] if root.endswith(".rs/") else root)


def _files_at(folder: str, parts: Sequence[str]) -> Iterator[str]:
    """The possible files of the module ``parts`` below the one whose modules are in ``folder``, or below that file."""
    if folder.endswith(".rs"):
        if not parts:
            yield folder
            return
        folder = folder.rpartition("/")[0]
    whole = "/".join(part for part in (folder, *parts) if part)
    if parts:
        yield f"{whole}.rs"
        yield f"{whole}/mod.rs"
        return
    yield from (f"{whole}/{filename}".lstrip("/") for filename in _ROOTS)
    if whole:
        yield f"{whole}.rs"
