"""A Swift documentation comment in, the declarations in its list out: ``- Parameter x: words``, ``- Returns: words`` and so on."""

from __future__ import annotations

import re
from typing import Final

from hardtack.build.docblocks.block import FROM_COMMENT, Docblock, one_line, sections_at
from hardtack.nouns.details import Parameter, Return

_ITEM = re.compile(r"^[ \t]*[-*+][ \t]+(?:(parameter)[ \t]+)?(\w+):", re.MULTILINE | re.IGNORECASE)
_NOTES: Final = {"throws": "throws", "seealso": "see", "since": "since", "example": "example", "deprecated": "deprecated"}
_OTHERS: Final = frozenset(
    {
        *("attention", "author", "authors", "bug", "complexity", "copyright", "date", "important", "invariant", "note"),
        *("postcondition", "precondition", "remark", "requires", "tag", "tip", "todo", "version", "warning", "experiment"),
    }
)


def swift_comment(doc: str) -> Docblock:
    """The declarations in a comment; items below ``- Parameters:`` are parameters, up to the next item with a known name."""
    block = Docblock()
    is_listing = False
    for match, text in sections_at(_ITEM, doc):
        name = match[2].lower()
        words = text.partition("\n\n")[0]
        is_listed = is_listing and not match[1] and name not in _OTHERS and name not in _NOTES and name != "returns"
        if match[1] or is_listed:
            block.parameters.setdefault(match[2], Parameter(name=match[2], description=one_line(words)))
        elif name == "returns":
            block.returns.append(Return(type="", description=one_line(words), source_hint=FROM_COMMENT))
        elif name in _NOTES:
            block.note(_NOTES[name], words)
        is_listing = is_listed or name == "parameters"
    return block
