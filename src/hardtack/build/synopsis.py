"""A chunk in, the text the encoder sees out.

The code alone says little about what it belongs to, so the file's path and the names of what the chunk defines, and of what
encloses it, come first. Documentation and signatures are part of the chunk's own text and are not repeated.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardtack.model import Symbol


def synopsis_of(*, path: str, symbols: Sequence[Symbol], enclosing: Symbol | None, code: str) -> str:
    """The text that stands for one chunk.

    Args:
        path: of the file.
        symbols: those that start in the chunk.
        enclosing: the innermost symbol that holds the whole chunk.
        code: the chunk's text.
    """
    names = [enclosing.qualified_name] if enclosing else []
    names += [symbol.qualified_name for symbol in symbols]
    return "\n".join((path, " ".join(dict.fromkeys(names)), code))
