"""Hardtack: code search baked once in CI, carried anywhere.

    import hardtack

    with hardtack.open_bundle("path/to/checkout") as searcher:
        for hit in searcher.search("parse the manifest").hits:
            print(hit.path, hit.start_line, hit.qualified_name)

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # which type checkers know better

if TYPE_CHECKING:
    from hardtack.build.pipeline import BuildOptions, build_bundle
    from hardtack.build.report import BuildReport
    from hardtack.errors import HardtackError
    from hardtack.nouns.model import Answer, Hit, Mode, Query
    from hardtack.opening import open_bundle
    from hardtack.query.files.stored_files import StoredFiles
    from hardtack.query.lookup.lookups import LookUps
    from hardtack.query.searcher import Searcher
    from hardtack.render import render_answer

__all__ = [
    "Answer",
    "BuildOptions",
    "BuildReport",
    "HardtackError",
    "Hit",
    "LookUps",
    "Mode",
    "Query",
    "Searcher",
    "StoredFiles",
    "__version__",
    "build_bundle",
    "open_bundle",
    "render_answer",
]

_HOMES = {
    "Answer": "nouns.model",
    "BuildOptions": "build.pipeline",
    "BuildReport": "build.report",
    "HardtackError": "errors",
    "Hit": "nouns.model",
    "LookUps": "query.lookup.lookups",
    "Mode": "nouns.model",
    "Query": "nouns.model",
    "Searcher": "query.searcher",
    "StoredFiles": "query.files.stored_files",
    "build_bundle": "build.pipeline",
    "open_bundle": "opening",
    "render_answer": "render",
}


def __getattr__(name: str) -> object:
    """Load a public name from the module that defines it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    found: object = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return __all__
