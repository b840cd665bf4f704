"""The possible paths of a file that Ruby requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_ROOTS = ("lib/", "", "app/", "test/", "spec/")
"""What the load path holds in a gem and its tests; below the root, or below a folder above the importing file."""


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: from the importing file's folder if it is relative, else from the load path (Kernel#require)."""
    del projects  # gems declare their load path in Ruby
    folder = importer.rpartition("/")[0]
    filename = module if module.endswith(".rb") else f"{module}.rb"
    if filename.startswith(("./", "../")):
        parts = folder.split("/") if folder else []
        for part in filename.split("/"):
            if part == ".." and not parts:
                return
            if part == "..":
                parts.pop()
            elif part != ".":
                parts.append(part)
        yield "/".join(parts)
        return
    above = [folder]
    while folder:
        folder = folder.rpartition("/")[0]
        above.append(folder)
    for base in above:
        yield from (f"{base}/{root}{filename}".lstrip("/") for root in _ROOTS)
