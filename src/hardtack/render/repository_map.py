"""A map of a repository in, Markdown within a budget out: fewer symbols and ties of each part where there is less room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardtack.nouns.exploration import ExploredSymbol
from hardtack.nouns.repository_map import Part, RepositoryMap
from hardtack.render.markdown import code, path_in_prose, prose

TOKEN: Final = 4
_TOKENS_OF_PART: Final = 60
_LEAST_PARTS: Final = 4
_LANGUAGES: Final = 6
_FORMS: Final = ((8, 6, 20), (6, 4, 12), (5, 3, 8), (4, 2, 6), (3, 2, 5), (2, 1, 4), (1, 1, 3), (1, 0, 2), (0, 0, 1))
"""Symbols and ties of each part, and entry points, from the fullest form to the shortest."""


def parts_in(max_tokens: int) -> int:
    """How many parts to ask for, so that they fit a budget with some symbols each."""
    return max(_LEAST_PARTS, max_tokens // _TOKENS_OF_PART)


def render_map(found: RepositoryMap, max_tokens: int) -> str:
    """The map in the fullest form that fits; of more parts than fit in the shortest, the last are counted."""
    room = TOKEN * max_tokens
    text = ""
    for form in _FORMS:
        text = "\n".join(_lines(found, *form)) + "\n"
        if len(text) <= room:
            return text
    lines = text.rstrip("\n").split("\n")
    while len(lines) > 1 and sum(map(len, lines)) + len(lines) > room - 60:
        lines.pop()
    return (
        "\n".join([*lines, f"... {text.count(chr(10)) - len(lines)} more lines; ask for a directory, or for more tokens."]) + "\n"
    )


def _lines(found: RepositoryMap, symbols: int, uses: int, entries: int) -> Iterator[str]:
    languages = ", ".join(f"{prose(name)} {lines:,}" for name, lines in found.languages[:_LANGUAGES])
    languages += _more(len(found.languages), _LANGUAGES)
    yield f"{code(found.path)}: {prose(found.purpose)} {found.files:,} files; lines of source: {languages or 'none'}".replace(
        ":  ", ": "
    )
    if found.projects:
        listed = "; ".join(map(prose, found.projects[:entries]))
        yield f"Projects: {listed}{_more(len(found.projects), entries)}"
    if found.entries:
        listed = "; ".join(
            f"{each.kind} {code(each.name)} {path_in_prose(each.path)}:{each.line}" for each in found.entries[:entries]
        )
        yield f"Entry points: {listed}{_more(found.entry_count, min(entries, len(found.entries)))}"
    yield ""
    for part in found.parts:
        yield from _part(part, symbols, uses)
    if found.aside:
        yield ""
        most = max(entries, 3)
        listed = "; ".join(f"{count:,} {role}, most in {path_in_prose(place)}" for role, count, place in found.aside[:most])
        yield f"Aside: {listed}{_more(len(found.aside), most)}"


def _part(part: Part, symbols: int, uses: int) -> Iterator[str]:
    size = f"{part.files} files, {part.lines:,} lines" if part.path.endswith("/") else f"{part.lines:,} lines"
    yield f"- {code(part.path)} {size}{f': {prose(part.purpose)}' if part.purpose else ''}"
    told = ", ".join(_symbol(each, count, part) for each, count in part.symbols[:symbols])
    if told:
        yield f"  {told}{_more(part.symbol_count, min(symbols, len(part.symbols)))}"
    if uses and part.uses:
        used = ", ".join(f"{path_in_prose(path or '.')} ({count})" for path, count in part.uses[:uses])
        yield f"  uses {used}{_more(part.use_count, min(uses, len(part.uses)))}"


def _more(count: int, shown: int) -> str:
    return f"; {count - shown} more" if count > shown else ""


def _symbol(symbol: ExploredSymbol, count: int, part: Part) -> str:
    file = f"{path_in_prose(symbol.path.rpartition('/')[2])}:" if part.files > 1 else ""
    return f"{code(symbol.name)} {file}{symbol.line}{f' ({count})' if count else ''}"
