"""An open bundle in, the words and symbols that tell it from other bundles out: what a catalogue lists of it.

The words are the parts of the names of its symbols and files, those of the most symbols and files first. Comments are not read: a
bundle keeps their words as hashes only. The symbols are those that other files refer to most; where there are fewer, the others in
the order of their files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardtack.bundle.indexes.names import Family
from hardtack.nouns.catalogue import Telling

if TYPE_CHECKING:
    from hardtack.bundle.reader import Bundle

MOST_WORDS: Final = 1024
MOST_SYMBOLS: Final = 512
_LONGEST: Final = 64
"""Characters of a word or a symbol; longer ones are seldom asked for."""
_SHORTEST: Final = 2
_FILE: Final = 4
"""How many symbols the name of one file counts as."""


def telling_of(bundle: Bundle) -> Telling:
    """The most telling words and symbols of ``bundle``; at most :data:`MOST_WORDS` and :data:`MOST_SYMBOLS`.

    Raises:
        FormatError: a member breaks the format.
    """
    return Telling(_words_of(bundle), _symbols_of(bundle))


def _words_of(bundle: Bundle) -> tuple[str, ...]:
    import numpy as np

    names = bundle.names
    rows = np.arange(len(names.words), dtype=np.int64)
    _, lengths = names.postings_of((Family.STEM, Family.FOLDER, Family.PART), rows)
    counts = lengths[2] + _FILE * (lengths[0] + lengths[1])
    order = np.argsort(-counts, kind="stable")  # equal counts in the order of the vocabulary
    found: list[str] = []
    for row in order[: 2 * MOST_WORDS].tolist():
        word = names.words[row]
        if counts[row] and _SHORTEST <= len(word) <= _LONGEST and word.isprintable() and not any(map(str.isspace, word)):
            found.append(word)
    return tuple(found[:MOST_WORDS])


def _symbols_of(bundle: Bundle) -> tuple[str, ...]:
    import numpy as np

    references = np.asarray(bundle.columns.of_symbols("references"))
    found: dict[str, None] = {}
    for ordinal in np.argsort(-references.astype(np.int64), kind="stable")[: 4 * MOST_SYMBOLS].tolist():
        name = bundle.symbol_name(ordinal).name
        if len(found) == MOST_SYMBOLS:
            break
        if _SHORTEST <= len(name) <= _LONGEST and name.isprintable() and not any(map(str.isspace, name)):
            found[name] = None
    return tuple(found)
