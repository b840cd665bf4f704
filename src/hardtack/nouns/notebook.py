"""Texts of a bundle in; a short ``repr`` of a value, and its HTML for a notebook, out.

What a bundle says may be hostile: every text is escaped, and characters that nobody sees or that reorder a line are shown by their
numbers. The HTML is plain elements without attributes, so a notebook's own style applies, light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

_MOST: Final = 50
"""Rows or blocks that are shown of one list; how many more there are is said."""
_LONGEST: Final = 80
"""Characters of a text in a ``repr``."""


def seen(text: str) -> str:
    """A text of characters that can be seen, line feeds and tabs; any other is shown by its number in hexadecimal."""
    if text.isprintable() and not any("\U000e0000" <= each <= "\U000e0fff" for each in text):
        return text
    return "".join(each if _is_seen(each) else f"\\u{{{ord(each):x}}}" for each in text.replace("\r\n", "\n"))


def _is_seen(character: str) -> bool:
    if "\U000e0000" <= character <= "\U000e0fff":  # Python takes selectors for printable
        return False
    return character.isprintable() or character in "\n\t\u00a0\u3000"


def brief(kind: str, *parts: object) -> str:
    """A ``repr`` on one line: ``<Hit jar.py:1-3 function open_jar>``; empty parts are left out, long ones are cut."""
    words = (seen(" ".join(str(part).split())) for part in parts)
    return f"<{' '.join([kind, *(word if len(word) <= _LONGEST else f'{word[: _LONGEST - 1]}…' for word in words if word)])}>"


def element(tag: str, text: str) -> str:
    """One element with a text in it; nothing without a text."""
    from html import escape  # only where a notebook asks

    return f"<{tag}>{escape(seen(text))}</{tag}>" if text else ""


def folded(summary: str, code: str, *, is_open: bool) -> str:
    """Code below a line that folds it away; ``summary`` is HTML."""
    if not code:
        return f"<p>{summary}</p>"
    return f"<details{' open' if is_open else ''}><summary>{summary}</summary>{element('pre', code)}</details>"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts, at most :data:`_MOST` rows of it; nothing without rows."""
    cells = ["".join(f"<td>{element('code', cell)}</td>" for cell in row) for row in rows]
    if not cells:
        return ""
    head = "".join(element("th", heading) for heading in headings)
    body = "".join(f"<tr>{row}</tr>" for row in cells[:_MOST])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{_more(len(cells))}"


def blocks(parts: Sequence[str]) -> str:
    """Pieces of HTML one below the other, at most :data:`_MOST` of them."""
    return f"{''.join(parts[:_MOST])}{_more(len(parts))}"


def _more(count: int) -> str:
    return element("p", f"{count - _MOST} more are not shown here.") if count > _MOST else ""
