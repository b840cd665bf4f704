"""A chunk in, what stands around it out: seed 2's context, derived from what is stored and stored nowhere itself."""

from __future__ import annotations

from dataclasses import dataclass

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord

NEIGHBOURS = 2
"""How many following symbols are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a reader of one chunk should know besides it."""

    before: str
    """The file's package and its import statements, as they are written; empty when there are none."""
    after: str
    """Signatures of the next symbols that have the same parent, one a line."""


def context_of(bundle: Bundle, chunk: ChunkRecord) -> Context:
    """The context of ``chunk``; without its imports where the bundle holds no text."""
    file = bundle.file(chunk.file)
    before = [f"package {file.package}"] if file.package else []
    if file.imports and bundle.has_text:
        before.append(bundle.text_of(file, *file.imports).decode("utf-8", "replace"))
    last = chunk.first_symbol + chunk.symbol_count
    if chunk.symbol_count:
        parent = bundle.symbol(chunk.first_symbol).parent
    else:
        parent = bundle.symbol(chunk.enclosing).parent if chunk.enclosing >= 0 else -1
    after: list[str] = []
    for ordinal in range(last, file.first_symbol + file.symbol_count):
        symbol = bundle.symbol(ordinal)
        if symbol.parent == parent:
            after.append(symbol.signature)
        if len(after) == NEIGHBOURS:
            break
    return Context(before="\n\n".join(before), after="\n".join(after))
