"""Which arrays the arithmetic of a search is done with: numpy's, or, where loading numpy would take longer than the search, lists.

What ranks, and what it reads of a bundle, says ``from hardtack.arrays import np`` and writes numpy. A process has one sort of
arrays: whoever asks first settles it, and numpy is what everybody gets who has not said otherwise by then.
"""

from __future__ import annotations

import sys

from hardtack.hints import TYPE_CHECKING, Any, Final

__all__ = ["are_lists", "np", "use_lists"]

if TYPE_CHECKING:
    import numpy as np


_FEW_CHUNKS: Final = 50_000
"""Of a bundle: up to here lists take less time for a search than numpy takes to load (benchmarks/RESULTS.md)."""


def use_lists(*, chunks: int) -> None:
    """Let this process do with lists, if it has no arrays yet and only searches one bundle of so many chunks, by keyword."""
    if chunks <= _FEW_CHUNKS and sys.byteorder == "little" and "np" not in globals() and "numpy" not in sys.modules:
        from hardtack.arrays import lists

        globals()["np"] = lists


def are_lists() -> bool:
    """Whether this process does with lists: what is done to all of a bundle at once then takes longer than it saves."""
    return "np" in globals() and np.__name__ != "numpy"


def __getattr__(name: str) -> Any:
    if name != "np":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import numpy

    globals()["np"] = numpy
    return numpy
