"""A chunk in, what an encoder sees of it out.

The code alone says little about what it belongs to. An encoder that reads (a transformer, a service) gets one text:
:func:`synopsis_of`. One that adds up words would let a long body drown the few words that say what it is for; it gets each part of
the chunk by itself, and their vectors are mixed in fixed shares: :func:`vectors_of`. ``training/README.md`` says what
that is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hardtack.encoders.unit import mixed_rows
from hardtack.nouns.outline import Symbol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.encoders import Encoder

SHARES: Final[Mapping[str, int]] = MappingProxyType({"folders": 7, "stem": 6, "names": 6, "scope": 4, "code": 10})
"""How much each part's vector counts for, whatever the part's length. Documentation and signatures stand in the code."""


def synopsis_of(*, path: str, symbols: Sequence[Symbol], enclosing: Symbol | None, code: str) -> str:
    """The one text that stands for a chunk: the file's path, the names of what encloses it and of what it defines, its code.

    Args:
        path: of the file.
        symbols: those that start in the chunk.
        enclosing: the innermost symbol that holds the whole chunk.
        code: the chunk's text.
    """
    names = [enclosing.qualified_name] if enclosing else []
    names += [symbol.qualified_name for symbol in symbols]
    return "\n".join((path, " ".join(dict.fromkeys(names)), code))


def parts_of(*, path: str, symbols: Sequence[Symbol], enclosing: Symbol | None, code: str) -> tuple[str, ...]:
    """The texts that together stand for a chunk, in the order of :data:`SHARES`; arguments as for :func:`synopsis_of`."""
    folders, _, base = path.rpartition("/")
    stem = base.rpartition(".")[0] or base
    scopes = [enclosing.qualified_name] if enclosing else []
    scopes += [symbol.qualified_name.rpartition(".")[0] for symbol in symbols]
    return folders, stem, _once(symbol.name for symbol in symbols), _once(scopes), code


def _once(names: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(names))


def vectors_of(chunks: Sequence[tuple[str, ...]], encoder: Encoder) -> NDArray[np.float32]:
    """The vectors of chunks given by their parts, shape (chunks, dimension), by an encoder that adds up words.

    The same bits on every machine if the encoder's are: the mixing is exact.
    """
    places = {text: place for place, text in enumerate(dict.fromkeys(chain.from_iterable(chunks)))}
    vectors = encoder.encode(list(places))
    columns = [[places[text] for text in column] for column in zip(*chunks, strict=True)]
    return mixed_rows([vectors[column] for column in columns], list(SHARES.values()))
