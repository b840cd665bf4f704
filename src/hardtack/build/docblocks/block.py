"""The declarations in one comment, in any style, and the limits of their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hardtack.nouns.details import Attribute, Note, Parameter, Return

LONGEST: Final = 200
"""Maximum characters of a type, default, value or description."""
LONGEST_ENTRY: Final = 2_000
"""Characters of one tag or entry that are read; a comment may be a megabyte."""
MAX_NOTES: Final = 50
FROM_COMMENT: Final = "phpdoc"
OPENING: Final = "<([{"
CLOSING: Final = ">)]}"


@dataclass(slots=True)
class Docblock:
    """The declarations in one comment."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    """By bare name, in the comment's order."""
    returns: list[Return] = field(default_factory=list)
    type: str = ""
    attributes: dict[str, Attribute] = field(default_factory=dict)
    """By name."""
    notes: list[Note] = field(default_factory=list)

    def note(self, tag: str, text: str) -> None:
        """Add a note, unless there is an equal one."""
        note = Note(tag=tag, text=one_line(text))
        if note not in self.notes and len(self.notes) < MAX_NOTES:
            self.notes.append(note)

    def attribute(self, name: str, type_: str, words: str) -> None:
        """Add an attribute, or complete an earlier one of the same name."""
        known = self.attributes.get(name, Attribute(name=name))
        stated = known.type or one_line(type_)
        self.attributes[name] = Attribute(
            name=name,
            type=stated,
            description=known.description or one_line(words),
            source_hint=FROM_COMMENT if stated else "",
        )


def one_line(text: str) -> str:
    """The text on one line, cut to :data:`LONGEST` characters."""
    words = " ".join(text.split())
    return words if len(words) <= LONGEST else words[: LONGEST - 3] + "..."


def bare(name: str) -> str:
    """A parameter's name without its label and its marks: optional, variadic, by reference, keyword, variable."""
    last = name if name.startswith(("{", "[")) else name.rpartition(" ")[2]
    return last.lstrip("&.$*").rstrip("?:")


def sections_at(mark: re.Pattern[str], doc: str) -> Iterator[tuple[re.Match[str], str]]:
    """(mark, text from it to the next one) for each mark."""
    found = list(mark.finditer(doc))
    for match, end in zip(found, [*(following.start() for following in found[1:]), len(doc)], strict=False):
        yield match, doc[match.end() : min(end, match.end() + LONGEST_ENTRY)].strip()
