"""A chunk in, the texts that an encoder gets for it out.

A transformer or a service gets one text with the chunk's context: :func:`synopsis_of`. The static encoder adds up the vectors of
words, so a long body would outweigh the few words of the path and the names; it encodes each part of the chunk separately, and the
vectors are mixed in fixed shares: :func:`vectors_of`. ``training/README.md`` has the measurements.
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
"""The weight of each part's vector, independent of the part's length. Documentation and signatures are in the code."""


def synopsis_of(*, path: str, symbols: Sequence[Symbol], enclosing: Symbol | None, code: str) -> str:
    """The text that is encoded for a chunk: the file's path, the names of the enclosing and the defined symbols, the code.

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
    """The texts that are encoded for a chunk, in the order of :data:`SHARES`; arguments as for :func:`synopsis_of`."""
    folders, _, base = path.rpartition("/")
    stem = base.rpartition(".")[0] or base
    scopes = [enclosing.qualified_name] if enclosing else []
    scopes += [symbol.qualified_name.rpartition(".")[0] for symbol in symbols]
    return folders, stem, _once(symbol.name for symbol in symbols), _once(scopes), code


def _once(names: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(names))


def vectors_of(chunks: Sequence[tuple[str, ...]], encoder: Encoder) -> NDArray[np.float32]:
    """The vectors of chunks given by their parts, shape (chunks, dimension).

    The mixing is exact, so the bits are the same on every machine if the encoder's are.
    """
    places = {text: place for place, text in enumerate(dict.fromkeys(chain.from_iterable(chunks)))}
    vectors = encoder.encode(list(places))
    columns = [[places[text] for text in column] for column in zip(*chunks, strict=True)]
    return mixed_rows([vectors[column] for column in columns], list(SHARES.values()))
