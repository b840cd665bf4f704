"""An issue in, the files that it mentions out: by frames of tracebacks, paths, modules, and names that they define.

Who writes an issue names places as their machine knows them, ``/usr/lib/python3/site-packages/sklearn/svm/base.py``; the end of
such a path is what the repository has, too. So paths are matched from the right, and a mention that fits several files is shared
among them. The weights of the features made here are learned (:mod:`hardtack.query.ranking.model`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.query.ranking.name_match import NameMatcher
from hardtack.query.ranking.shortlist import Shortlist
from hardtack.query.request.aspects import Reading, code_names_of
from hardtack.query.request.issue import MOST_FILES, Frame
from hardtack.text import whole_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MENTIONS: Final = (
    *("traced_nearest", "traced", "traced_anywhere", "named_file", "named_module"),
    *("defines_titled", "defines_named", "defines_coded"),
)
"""Features of a file that an issue mentions, in the order of the model file.

``traced_nearest`` is for the file of the frame nearest to the error, ``traced`` for files of frames, less the further away they
are, ``traced_anywhere`` for all of these alike; the last three are for definitions of names in the title, in all prose, in code.
"""

_MOST_FILES: Final = 20
"""Files that one sort of mention adds to those that may answer."""
_MOST_DEFINERS: Final = 20
"""A name that more files define says too little."""

_TITLED, _NAMED, _CODED = 1.0, 0.6, 0.3
"""What a name is worth by where an issue has it. Set by hand."""

_NAME_ALONE: Final = 0.5
"""What a mention is worth that shares only its base name with a file in a folder: ``base.py``."""
_COLLECTING: Final = frozenset({"__init__", "index", "mod", "lib", "main"})
"""Names of files that stand for their folder."""
_MODULE_SEPARATOR: Final = re.compile(r"\.|::|/|\\")


class Mentions:
    """Finds the files of one bundle that an issue mentions. Threads may share one."""

    def __init__(self, bundle: Bundle, names: NameMatcher) -> None:
        self._bundle = bundle
        self._names = names

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[tuple[int, list[str]]]]:
        """The base name of a file, and its stem or the folder that it stands for, to the files and their parts from the right.

        A part of a module is told from one of a path by its place: the stem is kept without its suffix.
        """
        found: dict[str, list[tuple[int, list[str]]]] = {}
        for ordinal, file in enumerate(self._bundle.files):
            *folders, name = file.path.split("/")
            found.setdefault(name, []).append((ordinal, [*folders, name][::-1]))
            stem = name.partition(".")[0]
            module = folders if stem in _COLLECTING else [*folders, stem]
            if module and module[-1] != name:
                found.setdefault(module[-1], []).append((ordinal, module[::-1]))
        return found

    def of(self, reading: Reading) -> dict[str, dict[int, float]]:
        """The files that frames, paths and modules of an issue mention, by feature, and how surely, 0 to 1."""
        issue = reading.issue
        assert issue is not None
        return {
            **self._traced(issue.frames),
            "named_file": _greatest(map(self._files_at, (*issue.files, *reading.analysis.path_hints[:MOST_FILES]))),
            "named_module": _greatest(map(self._files_of_module, (*reading.analysis.names, *code_names_of(issue)))),
        }

    def columns(self, reading: Reading, found: Mapping[str, Mapping[int, float]], files: Shortlist) -> dict[str, Floats]:
        """The features :data:`MENTIONS` of some files.

        Args:
            reading: of an issue.
            found: from :meth:`of`.
            files: (files,), those that may answer.
        """
        issue = reading.issue
        assert issue is not None
        columns = {name: np.array([of.get(file, 0.0) for file in files.files.tolist()]) for name, of in found.items()}
        columns["defines_titled"] = self._defining(reading.aspects[0].analysis.names, files)
        columns["defines_named"] = self._defining(reading.analysis.names, files)
        columns["defines_coded"] = self._defining(code_names_of(issue), files)
        return columns

    def symbols(self, reading: Reading) -> dict[int, float]:
        """The symbols that an issue mentions by name, and how much each is worth as a place to show, 0 to 1.

        A function of a frame counts in the frame's files alone, less the further from the error; of other names those in the title
        count most, then those in prose, then those in code.
        """
        issue = reading.issue
        assert issue is not None
        worth: dict[int, float] = {}
        names = ((reading.aspects[0].analysis.names, _TITLED), (reading.analysis.names, _NAMED), (code_names_of(issue), _CODED))
        for name, share in ((name, share) for names, share in names for name in _simple(names)):
            symbols = self._names.symbols_named(name).tolist()
            if len(symbols) <= _MOST_DEFINERS:
                worth |= {symbol: max(worth.get(symbol, 0.0), share / math.sqrt(len(symbols))) for symbol in symbols}
        distance = 0
        for frame in issue.frames:
            files = self._files_at(frame.path)
            symbols = (
                self._names.symbols_named(whole_name(frame.function)) if files and frame.function else np.empty(0, dtype=np.int64)
            )
            for symbol, file in zip(symbols.tolist(), self._names.files_of(symbols).tolist(), strict=True):
                if file in files:
                    worth[symbol] = max(worth.get(symbol, 0.0), files[file] / math.sqrt(1 + distance))
            distance += bool(files)
        return worth

    def _traced(self, frames: Iterable[Frame]) -> dict[str, dict[int, float]]:
        """The files of frames; only frames in the repository count towards the distance from the error."""
        nearest: dict[int, float] = {}
        near: dict[int, float] = {}
        anywhere: dict[int, float] = {}
        distance = 0
        for frame in frames:
            files = self._files_at(frame.path)
            for file, weight in files.items():
                near.setdefault(file, weight / math.sqrt(1 + distance))
                anywhere[file] = max(anywhere.get(file, 0.0), weight)
                if not distance:
                    nearest[file] = weight
            distance += bool(files)
        return {"traced_nearest": nearest, "traced": near, "traced_anywhere": anywhere}

    def _files_at(self, path: str) -> dict[int, float]:
        """The files whose paths end most like ``path``: 1 for one file with its folder, shared among several."""
        parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")][::-1]
        return self._alike(parts, least=1, weigh=lambda same, whole: 1.0 if same > 1 or same == whole else _NAME_ALONE)

    def _files_of_module(self, name: str) -> dict[int, float]:
        """The files of the longest part of a qualified name that is the end of a path: ``sklearn.utils.validation.check_array``."""
        parts = _MODULE_SEPARATOR.split(name)[::-1]
        for start in range(len(parts) - 1):
            if files := self._alike(parts[start:], least=2, weigh=lambda same, _: same / (same + 1)):
                return files
        return {}

    def _alike(self, parts: Sequence[str], *, least: int, weigh: Callable[[int, int], float]) -> dict[int, float]:
        """The files that share most parts from the right, at least ``least``.

        Args:
            parts: the last one first.
            least: fewer parts in common are no match.
            weigh: takes the number of parts in common and those of the file, gives what the mention is worth for one file.
        """
        if not parts:
            return {}
        alike = [(_same(parts, of_file), len(of_file), file) for file, of_file in self._by_name.get(parts[0], ())]
        most = max((same for same, _, _ in alike), default=0)
        best = [(file, whole) for same, whole, file in alike if same == most]
        return {file: weigh(most, whole) / len(best) for file, whole in best} if most >= least else {}

    def _defining(self, names: Iterable[str], files: Shortlist) -> Floats:
        """ln(1 + sum) over the names that a file defines of 1 / root of how many files define the name."""
        total = np.zeros(len(files))
        for name in _simple(names):
            definers, weights = self._names.definers(name)
            if 0 < len(definers) <= _MOST_DEFINERS:
                total += files.column(files.places(definers), weights) / math.sqrt(len(definers))
        return np.log1p(total)


def mentioned(found: Mapping[str, Mapping[int, float]]) -> list[int]:
    """The files that are mentioned most surely in each way."""
    return [file for of in found.values() for file in sorted(of, key=lambda file: (-of[file], file))[:_MOST_FILES]]


def _simple(names: Iterable[str]) -> Iterable[str]:
    """The last part of each qualified name, as the index of names has it, each once."""
    return dict.fromkeys(whole_name(each.rpartition(".")[2]) for each in names if each and " " not in each)


def _greatest(found: Iterable[Mapping[int, float]]) -> dict[int, float]:
    """Each file of several mentions to the greatest of its weights."""
    greatest: dict[int, float] = {}
    for of in found:
        for file, weight in of.items():
            greatest[file] = max(greatest.get(file, 0.0), weight)
    return greatest


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts are the same, from the beginning on."""
    for place, (mine, its) in enumerate(zip(one, other, strict=False)):
        if mine != its:
            return place
    return min(len(one), len(other))
