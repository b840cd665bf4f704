"""The outlines of all files in, those that are amalgamations out: files that hold the definitions of other files of the tree.

A bundler's output, a single-header library or ``sqlite3.c`` says again what other files say, more of it in one place, so that it
matches every query better than they do. Paths do not tell them (``dist/`` holds sources elsewhere), so the content does:

- It defines four fifths of what each of three other files define, in about the same length. A header only declares what sources
  define, a facade only names it, and a mock has types of its own.
- It has most of these files' words, in comments and bodies alike. The same functions for another platform have other words.
- Each of these files accounts for symbols that no other file has. Implementations of one interface for several platforms account
  for the same ones, and one of them may define all that three others define.
- Together they account for two fifths of its own symbols; a transpiler adds helpers and rewrites classes.

Names are looked up in an inverted index. A name that more than :data:`_COMMON` files define tells nothing and is left aside, so the
work is at most that many steps a symbol, whatever a tree holds.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any, Final

from hardtack.bundle.format.records import KINDS, SYMBOL_FIELDS
from hardtack.nouns.model import CALLABLES, FUNCTIONS, TYPES, VARIABLES

_COMMON: Final = 16
"""Files that define a name, beyond which it tells nothing."""
_MAX_SYMBOLS: Final = 1 << 16
"""Symbols of one file that are looked at."""
_MIN_SYMBOLS: Final = 2
"""Of a file that another can hold."""
_MIN_FILES: Final = 3
"""That an amalgamation holds."""
_HELD_SHARE: Final = 0.8
"""Of a held file's symbols."""
_HELD_WORDS: Final = 0.85
"""Of a held file's words."""
_OWN_SHARE: Final = 0.6
"""Of a held file's symbols, which no other file has but those that may be amalgamations, and no smaller held file."""
_EXPLAINED_SHARE: Final = 0.4
"""Of an amalgamation's symbols, which held files have: a transpiler adds helpers and rewrites classes."""
_LENGTH_RATIO: Final = 2.5
"""Between two texts of one definition: bundlers rewrite syntax."""

_KIND, _NAME, _START, _END = map(SYMBOL_FIELDS.index, ("kind", "name", "start", "end"))
_DEFINING: Final = frozenset(number for number, kind in enumerate(KINDS) if kind in TYPES | CALLABLES | VARIABLES)
_TYPES: Final = frozenset(number for number, kind in enumerate(KINDS) if kind in TYPES)
_FUNCTIONS: Final = frozenset(number for number, kind in enumerate(KINDS) if kind in FUNCTIONS)
_RENAMED: Final = re.compile(r"\$[0-9]+$")
"""What a bundler adds to the second symbol of a name."""


class Amalgamations:
    """Takes the outlines of files in order, then tells the amalgamations among them."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._symbols: dict[int, dict[int, int]] = {}
        """File -> number of a name -> bytes of its longest definition."""
        self._words: dict[int, bytes] = {}

    def add(self, file: int, rows: Sequence[Sequence[Any]], words: bytes) -> None:
        """Take a file of code.

        Args:
            file: its ordinal.
            rows: its symbols, in :data:`records.SYMBOL_FIELDS` order, with local parents.
            words: hashes of its stems, as :func:`words.pack_stems` returns them.
        """
        symbols: dict[int, int] = {}
        for name, length in _definitions(rows):
            number = self._numbers.setdefault(name, len(self._numbers))
            symbols[number] = max(length, symbols.get(number, 0))
        if len(symbols) >= _MIN_SYMBOLS:
            self._symbols[file] = symbols
            self._words[file] = words

    def found(self) -> frozenset[int]:
        """The ordinals of the amalgamations; once, after the last file."""
        files_of = self._index()
        held: defaultdict[int, list[int]] = defaultdict(list)
        for file, symbols in self._symbols.items():
            for holder in self._holders(file, symbols, files_of):
                held[holder].append(file)
        holders = {holder: files for holder, files in held.items() if len(files) >= _MIN_FILES}
        return frozenset(holder for holder, files in holders.items() if self._is_made_of(holder, files, files_of, holders.keys()))

    def _index(self) -> dict[int, list[int]]:
        """Number of a name -> the files that define it, of names that more than one and not too many do."""
        counts = Counter(number for symbols in self._symbols.values() for number in symbols)
        index: dict[int, list[int]] = {number: [] for number, count in counts.items() if 1 < count <= _COMMON}
        for file, symbols in self._symbols.items():
            for number in symbols.keys() & index.keys():
                index[number].append(file)
        return index

    def _holders(self, file: int, symbols: dict[int, int], files_of: dict[int, list[int]]) -> Iterator[int]:
        """The larger files that define most of what ``file`` defines."""
        shared: Counter[int] = Counter()
        for number, length in symbols.items():
            for other in files_of.get(number, ()):
                if other != file and _is_alike(length, self._symbols[other][number]):
                    shared[other] += 1
        for other, count in shared.items():
            is_enough = count >= max(_MIN_SYMBOLS, _HELD_SHARE * len(symbols))
            if is_enough and len(self._symbols[other]) > len(symbols):
                yield other

    def _is_made_of(self, holder: int, files: Iterable[int], files_of: dict[int, list[int]], holders: Set[int]) -> bool:
        own, words = self._symbols[holder], frozenset(memoryview(self._words[holder]).cast("I"))
        explained: set[int] = set()
        count = 0
        for file in sorted(files, key=lambda file: (len(self._symbols[file]), file)):
            own_words = memoryview(self._words[file]).cast("I")
            if len(words.intersection(own_words)) < _HELD_WORDS * len(own_words):
                continue
            shared = self._symbols[file].keys() & own.keys()
            owned = sum(
                number in files_of and all(each == file or each in holders for each in files_of[number])
                for number in shared - explained
            )
            count += owned >= _OWN_SHARE * len(shared)
            explained |= shared
        return count >= _MIN_FILES and len(explained) >= _EXPLAINED_SHARE * len(own)


def _definitions(rows: Sequence[Sequence[Any]]) -> Iterator[tuple[str, int]]:
    """(name, bytes) of what a file defines outside of functions; of members with the name of their type before it."""
    for row in rows[:_MAX_SYMBOLS]:
        if row[_KIND] not in _DEFINING:
            continue
        outer = rows[row[-1]] if row[-1] >= 0 else None
        if outer is not None and outer[_KIND] in _FUNCTIONS:
            continue
        owner = f"{_RENAMED.sub('', outer[_NAME])}." if outer is not None and outer[_KIND] in _TYPES else ""
        yield owner + _RENAMED.sub("", row[_NAME]), row[_END] - row[_START]


def _is_alike(one: int, other: int) -> bool:
    """Whether two texts of that many bytes can be one definition."""
    return one <= _LENGTH_RATIO * other and other <= _LENGTH_RATIO * one
