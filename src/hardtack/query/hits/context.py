"""A chunk in, what stands around it out: seed 2's context, derived from what is stored and stored nowhere itself."""

from __future__ import annotations

from typing import NamedTuple

from hardtack.bundle.format.records import ChunkRecord
from hardtack.bundle.reader import Bundle

NEIGHBOURS = 2
"""How many following symbols are named."""
_LOOKED_AT = 32
"""Symbols looked at for them: the next ones with the same parent follow at once, or after what the last one holds."""
_IMPORTS_LIMIT = 4000
"""Bytes of import statements given at most, in whole lines."""


class Context(NamedTuple):
    """What a reader of one chunk should know besides it."""

    imports: str
    """The file's package and its import statements, as they are written; empty when there are none."""
    related: tuple[str, ...]
    """Signatures of the next symbols that have the same parent."""


def context_of(bundle: Bundle, chunk: ChunkRecord) -> Context:
    """The context of ``chunk``; without its imports where the bundle holds no text."""
    file = bundle.file(chunk.file)
    imports = [f"package {file.package}"] if file.package else []
    if file.imports and bundle.has_text:
        start, end = file.imports
        written = bundle.text_of(file, start, min(end, start + _IMPORTS_LIMIT)).decode("utf-8", "replace")
        imports.append(written if end - start <= _IMPORTS_LIMIT else written.rpartition("\n")[0])
    last = chunk.first_symbol + chunk.symbol_count
    if chunk.symbol_count:
        parent = bundle.symbol(chunk.first_symbol).parent
    else:
        parent = bundle.symbol(chunk.enclosing).parent if chunk.enclosing >= 0 else -1
    related: list[str] = []
    for ordinal in range(last, min(file.first_symbol + file.symbol_count, last + _LOOKED_AT)):
        symbol = bundle.symbol(ordinal)
        if symbol.parent == parent:
            related.append(symbol.signature)
        if len(related) == NEIGHBOURS:
            break
    return Context(imports="\n\n".join(imports), related=tuple(related))
