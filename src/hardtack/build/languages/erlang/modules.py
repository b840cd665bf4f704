"""The possible paths of an included file or an imported module of Erlang."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first. ``-include_lib`` begins with an application's name (Erlang Reference Manual, "File Inclusion")."""
    del projects  # no rebar.config is read
    if "." not in module:
        yield from (f"{folder}{inner}{module}.erl" for folder in folders_above(importer) for inner in ("", "src/"))
        return
    _, slash, inside = module.partition("/")
    for folder in folders_above(importer):
        for inner in ("", "include/", "src/", "apps/", "lib/"):
            path = joined(f"{folder}{inner}", module)
            if path is not None:
                yield path
        if slash:
            yield f"{folder}{inside}"
