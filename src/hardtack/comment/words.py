"""Text from outside this program in, Markdown and Mermaid in which it means nothing out: no link, mention, tag or picture."""

from __future__ import annotations

import re
from typing import Final

from hardtack.render.style import inert, inert_line

LONGEST: Final = 400
"""The most characters that are shown of a text from outside this program."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9 ]")
_QUOTED: Final = re.compile(r"`([^`]+)`")
_WORDS: Final = re.compile(r"[A-Za-z ,]*")
_LIKE_A_COMMIT: Final = re.compile(r"\b[A-Fa-f]{7,}\b")
"""Letters alone that GitHub takes for a commit's id if there is such a commit."""
_LABEL: Final = re.compile(r"[A-Za-z0-9 _/.-]")
_LABEL_LONGEST: Final = 60


def code(text: str, most: int = LONGEST) -> str:
    """``text`` as code, with each character that is not a letter, digit or space as a numeric HTML entity.

    GitHub makes neither mentions nor references of what is code, and Markdown takes an entity for no markup.
    """
    shown = inert(shortened(text, most)).replace("\n", " ").replace("\t", " ")
    return "<code>" + "".join(each if _PLAIN.match(each) else f"&#{ord(each)};" for each in shown) + "</code>"


def sentence(text: str) -> str:
    """One of our sentences, whose names stand between backticks: these as code, and so all that is no plain word of it."""
    shown = inert_line(shortened(text, LONGEST))
    return "".join(
        code(part) if place % 2 or not _is_plain(part) else part for place, part in enumerate(_QUOTED.split(shown)) if part
    )


def label(text: str) -> str:
    """``text`` for a label of a Mermaid diagram, between double quotes: all but plain characters as Mermaid's entities."""
    shown = inert_line(text)
    shown = shown if len(shown) <= _LABEL_LONGEST else "..." + shown[3 - _LABEL_LONGEST :]  # the end of a path tells most
    return "".join(each if _LABEL.match(each) else f"#{ord(each)};" for each in shown) or " "


def shortened(text: str, most: int) -> str:
    """The first ``most`` characters of a text, three of them dots if there are more."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _is_plain(text: str) -> bool:
    """Whether nothing on GitHub is made of these words: letters, spaces and commas, and nothing that may name a commit."""
    return bool(_WORDS.fullmatch(text)) and not _LIKE_A_COMMIT.search(text)
