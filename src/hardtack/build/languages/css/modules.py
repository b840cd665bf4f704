"""The possible paths of an imported style sheet: CSS and SCSS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: from the importer's folder and the ones above it; partials begin with an underscore (Sass, "@use")."""
    del projects  # load paths are the compiler's options
    if ":" in module:
        return  # of the compiler's own library, or from the network
    for folder in folders_above(importer):
        path = joined(folder, module)
        if path is None:
            continue
        head, slash, name = path.rpartition("/")
        if name.endswith((".css", ".scss")):
            yield path
        yield from (f"{head}{slash}_{name}.scss", f"{path}.scss", f"{path}.css", f"{path}/_index.scss", f"{path}/index.scss")
