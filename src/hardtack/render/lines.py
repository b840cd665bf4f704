"""Matched lines, lines of a file, or entries of a directory in; text for people and JSON for programs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hardtack.render.markdown import code, fenced
from hardtack.render.style import Style, inert, inert_line

if TYPE_CHECKING:
    from hardtack.bundle.format.records import SkipRecord
    from hardtack.query.files.around import NearLine
    from hardtack.query.files.grep import LineMatch
    from hardtack.query.files.stored_files import Excerpt
    from hardtack.query.files.tree import PathEntry

_PATH, _LINE, _MATCHED, _DIRECTORY = "35", "32", "1;31", "34"
"""SGR codes of colours."""


def render_matches(matches: Sequence[LineMatch], query: str, style: Style) -> str:
    """``path:line:text`` for each line, as ``grep -n`` prints it, with the stored text.

    In colour it is escaped, and on a terminal also grouped by file.

    Args:
        matches: lines, those of a file together.
        query: is coloured wherever a line has it literally.
        style: a terminal is assumed when it has columns.
    """
    if style.columns:
        blocks = (_block(path, list(group), query, style) for path, group in groupby(matches, key=lambda match: match.path))
        return "\n".join(blocks)
    if not style.color:
        return "".join([f"{path}:{line}:{text}\n" for path, line, text in matches])
    return "".join(
        f"{style.paint(path, _PATH)}:{_numbered(line, inert(text), inert(query), style)}\n" for path, line, text in matches
    )


def render_groups(groups: Iterable[Sequence[NearLine]], query: str, style: Style) -> str:
    """The same of lines with those around them, which are ``path-line-text``; ``--`` stands between groups."""
    blocks = []
    path = ""
    for group in groups:
        lines = []
        if style.columns and group[0].path != path:
            path = group[0].path
            lines.append(style.paint(path, _PATH))
        for near in group:
            sign = ":" if near.is_match else "-"
            text = inert(near.text) if style.color or style.columns else near.text
            shown = text.replace(inert(query), style.paint(inert(query), _MATCHED)) if near.is_match and style.color else text
            where = "" if style.columns else f"{style.paint(near.path, _PATH)}{sign}"
            lines.append(f"{where}{style.paint(str(near.line), _LINE)}{sign}{shown}")
        blocks.append("".join(f"{line}\n" for line in lines))
    return "--\n".join(blocks)


def matches_to_markdown(groups: Iterable[Sequence[NearLine]]) -> str:
    """The lines of each file as a block of code, each behind its number."""
    blocks = []
    for path, of_path in groupby(groups, key=lambda group: group[0].path):
        lines = [[f"{near.line}{':' if near.is_match else '-'} {near.text}" for near in group] for group in of_path]
        blocks.append(f"{code(path)}\n{fenced(chr(10).join(chr(10).join(each) for each in lines), '')}\n")
    return chr(10).join(blocks)


def render_paths(matches: Sequence[LineMatch]) -> str:
    """The paths of the files that have matches, one a line."""
    return "".join(f"{path}\n" for path in dict.fromkeys(match.path for match in matches))


def render_counts(matches: Sequence[LineMatch]) -> str:
    """``path:count`` for each file that has matches."""
    return "".join(f"{path}:{count}\n" for path, count in Counter(match.path for match in matches).items())


def render_entries(entries: Sequence[PathEntry], style: Style) -> str:
    """One path on each line, those of directories with a slash at the end."""
    return "".join(f"{style.paint(f'{path}/', _DIRECTORY)}\n" if kind == "directory" else f"{path}\n" for path, kind in entries)


def entries_to_markdown(entries: Sequence[PathEntry]) -> str:
    """An item of a list for each entry."""
    return "".join(f"- {code(f'{path}/' if kind == 'directory' else path)}\n" for path, kind in entries)


def render_left_out(skips: Sequence[SkipRecord]) -> str:
    """``path: left out, reason (evidence)``, one line each."""
    return "".join(
        f"{inert_line(skip.path)}: left out, {skip.reason}{f' ({inert_line(skip.detail)})' if skip.detail else ''}\n"
        for skip in skips
    )


def matches_to_json(matches: Iterable[LineMatch | NearLine], documentation: Collection[str]) -> list[dict[str, Any]]:
    """An object for each line; one that is only near a match says so.

    Args:
        matches: lines.
        documentation: paths of the files in ``docs``; all others are in ``code``.
    """
    results = []
    for each in matches:
        part = "docs" if each.path in documentation else "code"
        near = {} if getattr(each, "is_match", True) else {"is_context": True}
        results.append({"repo": part, "path": each.path, "line": each.line, "preview": each.text, **near})
    return results


def lines_to_json(lines: Iterable[str], first: int) -> list[dict[str, Any]]:
    """An object for each line, numbered from ``first``."""
    return [{"line": line, "text": text} for line, text in enumerate(lines, start=first)]


def encoding_to_json(excerpt: Excerpt) -> dict[str, Any]:
    """What the file was decoded from; nothing if that was UTF-8."""
    if excerpt.encoding == "utf-8":
        return {}
    return {"encoding": excerpt.encoding, **({"encoding_basis": excerpt.encoding_basis} if excerpt.encoding_basis else {})}


def entries_to_json(entries: Sequence[PathEntry]) -> list[dict[str, Any]]:
    """An object for each entry of a directory."""
    return [{"path": entry.path, "type": entry.type} for entry in entries]


def _block(path: str, matches: Sequence[LineMatch], query: str, style: Style) -> str:
    lines = [_numbered(match.line, inert(match.text), inert(query), style) for match in matches]
    return "\n".join([style.paint(path, _PATH), *lines]) + "\n"


def _numbered(line: int, text: str, query: str, style: Style) -> str:
    return f"{style.paint(str(line), _LINE)}:{text.replace(query, style.paint(query, _MATCHED))}"
