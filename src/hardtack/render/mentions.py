"""Usages of symbols in, Markdown or JSON values out.

Usages are grouped by the symbol that they refer to, then by file, in the order in which they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

from hardtack.nouns.descriptors import SymbolDescriptor
from hardtack.nouns.relations import RelationKind
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.render.descriptors import from_lines
from hardtack.render.markdown import code
from hardtack.render.style import inert_line

_UNCALLED: dict[RelationKind, str] = {kind: f"{kind.value}, " for kind in RelationKind if kind is not RelationKind.CALLS}
_UNCALLED[RelationKind.REFERENCES] = "not called but named, "
_Usage = TypeVar("_Usage", Usage, CallingSymbol)


def mention_to_json(mention: Usage) -> dict[str, Any]:
    """One usage, without unknown values."""
    values = {
        "path": mention.path,
        "line": mention.line,
        "column": mention.column,
        "relation": mention.relation.value,
        "certainty": mention.certainty.value,
        "in": mention.within,
        "kind": mention.kind,
        "code": mention.code,
        "target": mention.target,
        "depth": mention.depth,
        "through": list(mention.through),
    }
    return {key: value for key, value in values.items() if value}


def caller_to_json(caller: CallingSymbol) -> dict[str, Any]:
    """One caller and its calls; values that all calls share are given once."""
    values = {
        "path": caller.path,
        "in": caller.within,
        "kind": caller.kind,
        "certainty": caller.certainty.value,
        "target": caller.target,
        "calls": [
            {
                key: value
                for key, value in mention_to_json(call).items()
                if key in ("line", "column", "relation", "certainty", "code")
            }
            for call in caller.calls
        ],
    }
    return {key: value for key, value in values.items() if value}


def render_mentions(
    title: str, name: str, symbols: Sequence[SymbolDescriptor], mentions: Sequence[Usage], *, symbol_count: int | None = None
) -> str:
    """References or implementations as Markdown; ``symbol_count`` is the number of symbols of that name, if not all are given."""
    return _rendered(title, name, symbols, len(symbols) if symbol_count is None else symbol_count, mentions, _mention)


def render_callers(name: str, symbols: Sequence[SymbolDescriptor], callers: Sequence[CallingSymbol]) -> str:
    """Callers as Markdown."""
    return _rendered("Callers", name, symbols, len(symbols), callers, _caller)


def _rendered(
    title: str,
    name: str,
    symbols: Sequence[SymbolDescriptor],
    symbol_count: int,
    usages: Sequence[_Usage],
    lines_of: Callable[[_Usage], Iterator[str]],
) -> str:
    places = {_place(symbol): symbol for symbol in symbols}
    lines = [f"# {title}: {code(name)}"]
    if symbol_count > 1:
        first = f"; the first {len(symbols)}" if len(symbols) < symbol_count else ""
        lines += ["", f"{symbol_count} symbols have this name{first}:", ""]
        lines += [f"- {_what(place, places)}" for place in places]
    by_target: Callable[[_Usage], str] = attrgetter("target")
    by_path: Callable[[_Usage], str] = attrgetter("path")
    for target, of_target in groupby(usages, key=by_target):
        entries = list(of_target)
        lines += ["", f"## {_what(target, places)} ({len(entries)})"]
        for path, of_path in groupby(entries, key=by_path):
            lines += ["", f"### {code(path)}", ""]
            lines += [line for entry in of_path for line in lines_of(entry)]
    return "\n".join(lines) + "\n"


def _what(target: str, places: dict[str, SymbolDescriptor]) -> str:
    if symbol := places.get(target):
        shown = f"{symbol.metadata.get('kind', symbol.kind)} {code(symbol.signature or symbol.name)} {code(target)}"
        return shown + from_lines(symbol)
    if target:
        return code(target)
    return "One of them, or none: not told which" if places else "Outside the bundle"


def _mention(mention: Usage) -> Iterator[str]:
    parts = [mention.relation.value, mention.certainty.value]
    if mention.within:
        parts.append(f"{mention.kind if mention.depth else 'in'} {code(mention.within)}")
    if mention.through:
        parts.append(f"through {', '.join(map(code, mention.through))}")
    shown = f": {code(mention.code.strip())}" if mention.code.strip() else ""
    yield f"- {mention.line}: {', '.join(parts)}{shown}"


def _caller(caller: CallingSymbol) -> Iterator[str]:
    who = f"{caller.kind} {code(caller.within)}" if caller.within else "the top of the file"
    lines: dict[tuple[RelationKind, str], dict[int, None]] = {}
    for call in caller.calls:
        lines.setdefault((call.relation, call.certainty.value), {})[call.line] = None
    parts = [
        f"{_UNCALLED.get(relation, '')}{certainty}, at {', '.join(map(str, of_certainty))}"
        for (relation, certainty), of_certainty in lines.items()
    ]
    yield f"- {who}, {'; '.join(parts)}"
    for call in caller.calls:
        if call.code.strip():
            yield f"    - {call.line}: {code(call.code.strip())}"


def _place(symbol: SymbolDescriptor) -> str:
    location = symbol.location
    return f"{location.file_path}:{location.start_line}-{location.end_line}" if location else inert_line(symbol.name)
