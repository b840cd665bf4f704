"""Lines that were found or read, and what lies in a directory, in; text for people and JSON for programs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

from hardtack.render.style import Style, inert

Match = tuple[str, int, str]
"""The path of a file, the number of a line, and its text without the ending."""

Entry = tuple[str, str]
"""A path, and ``file`` or ``directory``."""

_PATH, _LINE, _WANTED, _DIRECTORY = "35", "32", "1;31", "34"


def render_matches(matches: Sequence[Match], wanted: str, style: Style) -> str:
    """``path:line:text`` a line, as ``grep -n`` prints it, text as it is stored; on a terminal in groups by file, and inert.

    Args:
        matches: those of a file together.
        wanted: set off wherever it stands in a line as it is.
        style: there is a terminal when it has columns.
    """
    if style.columns:
        blocks = (_block(path, list(group), wanted, style) for path, group in groupby(matches, key=lambda match: match[0]))
        return "\n".join(blocks)
    if not style.color:
        return "".join([f"{path}:{line}:{text}\n" for path, line, text in matches])
    return "".join(f"{style.paint(path, _PATH)}:{_numbered(line, text, wanted, style)}\n" for path, line, text in matches)


def render_paths(matches: Sequence[Match]) -> str:
    """The paths of the files that have matches, one a line."""
    return "".join(f"{path}\n" for path in dict.fromkeys(path for path, _, _ in matches))


def render_counts(matches: Sequence[Match]) -> str:
    """``path:count`` for each file that has matches."""
    return "".join(f"{path}:{count}\n" for path, count in Counter(path for path, _, _ in matches).items())


def render_entries(entries: Sequence[Entry], style: Style) -> str:
    """One path a line, those of directories with a slash at the end."""
    return "".join(f"{style.paint(f'{path}/', _DIRECTORY)}\n" if kind == "directory" else f"{path}\n" for path, kind in entries)


def matches_to_json(matches: Sequence[Match], documentation: Collection[str]) -> list[dict[str, Any]]:
    """An object a line, as seed 3 has it.

    Args:
        matches: lines.
        documentation: paths of the files in ``docs``; all others are in ``code``.
    """
    return [
        {"repo": "docs" if path in documentation else "code", "path": path, "line": line, "preview": text}
        for path, line, text in matches
    ]


def lines_to_json(lines: Sequence[str], first: int) -> list[dict[str, Any]]:
    """An object a line, numbered from ``first``."""
    return [{"line": line, "text": text} for line, text in enumerate(lines, start=first)]


def entries_to_json(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """An object for each entry of a directory."""
    return [{"path": path, "type": kind} for path, kind in entries]


def _block(path: str, matches: Sequence[Match], wanted: str, style: Style) -> str:
    lines = [_numbered(line, inert(text), inert(wanted), style) for _, line, text in matches]
    return "\n".join([style.paint(path, _PATH), *lines]) + "\n"


def _numbered(line: int, text: str, wanted: str, style: Style) -> str:
    return f"{style.paint(str(line), _LINE)}:{text.replace(wanted, style.paint(wanted, _WANTED))}"
