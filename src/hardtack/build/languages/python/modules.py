"""The possible paths of a Python module."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_SUFFIXES = (".py", "/__init__.py", ".pyi", "/__init__.pyi")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first. A relative module counts its dots from the importing file's folder (Language Reference 7.11).

    An absolute one is searched from the folder of each project above the importer, then from the package folders of those projects,
    then from the importing file's folder and the ones above it, since a script's own folder is on the path.
    """
    folder = importer.rpartition("/")[0]
    dots = len(module) - len(module.lstrip("."))
    name = module[dots:].replace(".", "/")
    if dots:
        parts = folder.split("/") if folder else []
        if dots - 1 > len(parts):
            return
        start = "/".join(parts[: len(parts) - (dots - 1)])
        whole = "/".join(part for part in (start, name) if part)
        yield from (whole + suffix if name else f"{whole}{suffix}".lstrip("/") for suffix in _SUFFIXES)
        return
    roots = [prefix_folder for project in projects if project.ecosystem == "pypi" for _, prefix_folder in project.prefixes]
    roots += [f"{project.directory}/" if project.directory else "" for project in projects if project.ecosystem == "pypi"]
    roots += ["", "src/", "lib/", "python/"]
    while folder:
        roots.append(f"{folder}/")
        folder = folder.rpartition("/")[0]
    for root in dict.fromkeys(roots):
        yield from (f"{root}{name}{suffix}" for suffix in _SUFFIXES)
