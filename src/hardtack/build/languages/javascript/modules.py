"""The possible paths of a module of JavaScript, TypeScript and the languages that embed them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_EXTENSIONS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte")
_INDEXES = ("/index.ts", "/index.tsx", "/index.d.ts", "/index.js", "/index.jsx", "/index.mjs", "/index.cjs", "/index.vue")
_ENTRIES = ("src/index", "index", "src/main", "lib/index", "src/mod", "mod", "main")
"""Where the code of a package begins, when it is imported by its name alone; the published entry is mostly a product of these."""
_COMPILED = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""TypeScript names its files as they will be called once they are compiled."""


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first.

    A relative module starts at the importing file's folder (Node.js, "ECMAScript Modules", "Import Specifiers"). Others begin with
    the name of a package of the same workspace or with a prefix that a ``tsconfig.json`` maps: the nearest and longest goes first.
    """
    module = module.partition("?")[0].partition("#")[0] or module
    folder = importer.rpartition("/")[0]
    if module.startswith("."):
        path = joined(folder, module)
        if path is not None:
            yield from _files_at(path)
        return
    if module.startswith("/"):
        yield from _files_at(module[1:])
        return
    for prefix, target in _prefixes(folder, projects):
        rest = module.removeprefix(prefix)
        if prefix and rest == module:
            continue
        if prefix.endswith("/") or not prefix:
            yield from _files_at(f"{target}{rest}")
        elif not rest:
            yield from (path for entry in _ENTRIES for path in _entries_at(f"{target}{entry}"))
            yield from _files_at(target.rstrip("/"))
        elif rest.startswith("/"):
            yield from _files_at(f"{target}{rest[1:]}")
            yield from _files_at(f"{target}src{rest}")


def _prefixes(folder: str, projects: Sequence[Project]) -> list[tuple[str, str]]:
    """(prefix, its folder) of packages, and of settings that apply in ``folder``: the nearest, then the longest first."""
    found: list[tuple[int, int, str, str]] = []
    for project in projects:
        if project.ecosystem != "npm":
            continue
        is_around = not project.directory or f"{folder}/".startswith(f"{project.directory}/")
        for prefix, target in project.prefixes:
            is_package = prefix == project.name and bool(prefix)
            if is_package or is_around:
                nearness = len(project.directory) + 1 if is_around else 0
                found.append((-nearness, -len(prefix), prefix, target))
    return [(prefix, target) for _, _, prefix, target in sorted(found)]


def _files_at(path: str) -> Iterator[str]:
    """The files that a path may name without its extension, or with another one than the source's."""
    stem, dot, extension = path.rpartition(".")
    if dot and "/" not in extension:
        yield path
        yield from (stem + source for source in _COMPILED.get(f".{extension}", ()))
    yield from (path + each for each in _EXTENSIONS)
    yield from ((path + each).lstrip("/") for each in _INDEXES)


def _entries_at(path: str) -> Iterator[str]:
    yield from (path + each for each in _EXTENSIONS)
