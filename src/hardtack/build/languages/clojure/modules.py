"""The possible paths of a Clojure namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.build.languages.places import folders_above

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.nouns.projects import Project

_FOLDERS = ("", "src/", "test/", "src/clj/", "src/cljs/", "src/cljc/", "src/main/clojure/")


def paths_of(module: str, importer: str, projects: Sequence[Project]) -> Iterator[str]:
    """Paths, best first: dots are folders and hyphens underscores (Clojure reference, "Namespaces")."""
    del projects  # no deps.edn or project.clj is read
    name = module.replace(".", "/").replace("-", "_")
    for folder in folders_above(importer):
        yield from (f"{folder}{inner}{name}{suffix}" for inner in _FOLDERS for suffix in (".clj", ".cljc", ".cljs"))
