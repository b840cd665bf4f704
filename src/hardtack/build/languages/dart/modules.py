"""The possible paths of a Dart library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first. ``package:name/path`` is ``path`` in the ``lib`` of the package (Dart, "Package layout conventions").

    A package is in a folder of its name, beside the importer's or above it; the repository's own package may be in a folder of any
    name.
    """
    del projects  # no pubspec.yaml is read
    scheme, colon, rest = module.partition(":")
    if not colon:
        path = joined(importer.rpartition("/")[0], module)
        if path is not None:
            yield path
    elif scheme == "package":
        name, _, path = rest.partition("/")
        for folder in folders_above(importer):
            if folder.endswith(f"/{name}/") or folder == f"{name}/":
                yield f"{folder}lib/{path}"
            yield from (f"{folder}{inner}{name}/lib/{path}" for inner in ("", "packages/", "pkgs/"))
        yield f"lib/{path}"
