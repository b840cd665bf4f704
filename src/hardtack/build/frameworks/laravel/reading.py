"""One PHP file's tree and symbols in, its symbols with routes and its raw facts out: the worker's step."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks.laravel.models import class_facts
from hardtack.build.frameworks.laravel.page import PhpFile
from hardtack.build.frameworks.laravel.raw import RawKey
from hardtack.build.frameworks.laravel.relationships import relation_facts
from hardtack.build.frameworks.laravel.routes import routes_of
from hardtack.build.languages.prose import comment_words, joined_names, line_starts
from hardtack.nouns.model import Kind, Span
from hardtack.nouns.outline import Symbol
from hardtack.nouns.relations import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node, Tree

    from hardtack.build.frameworks.laravel.routes import Route

_MAX_SIGNATURE_CHARACTERS: Final = 200


def facts_of(tree: Tree, text: bytes, symbols: Sequence[Symbol]) -> tuple[tuple[Symbol, ...], tuple[Fact, ...]]:
    """The file's symbols with its routes among them, and their raw facts.

    Args:
        tree: of ``text``.
        text: the file's text.
        symbols: the symbols of the language's own query, in order.

    Returns:
        Symbols in the order of :class:`Symbol`, with adjusted parents; and raw facts for :func:`confirm`, whose ``symbol`` is an
        index into them.
    """
    php = PhpFile(tree, text, symbols)
    facts = [*class_facts(php), *relation_facts(php)]
    routes = routes_of(php)
    if not routes:
        return tuple(symbols), tuple(facts)
    lines = line_starts(text)
    made = [_symbol_of(route, comments, text, lines) for route, comments in routes]
    merged, places = _merged([*symbols, *made])
    facts = [fact._replace(symbol=places[fact.symbol]) for fact in facts]
    facts += [Fact(places[len(symbols) + index], RawKey.ROUTE, route.values()) for index, (route, _) in enumerate(routes)]
    facts.sort(key=lambda fact: fact.symbol)
    return merged, tuple(facts)


def _symbol_of(route: Route, comments: Sequence[Node], text: bytes, lines: Sequence[int]) -> Symbol:
    """A route as a symbol, without its parent."""
    start, end = route.statement.start_byte, route.statement.end_byte
    above = [text[comment.start_byte : comment.end_byte].decode("utf-8", "replace") for comment in reversed(comments)]
    doc = "\n".join(comment for comment in above if comment.startswith("/**"))
    name = f"{route.method} /{route.uri}"
    return Symbol(
        name=name,
        qualified_name=name,
        kind=Kind.ROUTE,
        span=_span(start, end, lines),
        extent=_span(comments[-1].start_byte if comments else start, end, lines),
        selection=_span(route.place.start_byte, route.place.end_byte, lines),
        signature=" ".join(text[start:end].decode("utf-8", "replace").split())[:_MAX_SIGNATURE_CHARACTERS].rstrip("; "),
        doc=comment_words(doc) if doc else "",
        package="",
    )


def _merged(symbols: Sequence[Symbol]) -> tuple[tuple[Symbol, ...], dict[int, int]]:
    """(symbols in order with parents and, for routes, qualified names and packages; old index -> new).

    A symbol of the language keeps its parent unless a route is between the two; routes of one statement never hold each other.
    """
    order = sorted(range(len(symbols)), key=lambda index: (symbols[index].extent.start, -symbols[index].extent.end))
    places = {old: new for new, old in enumerate(order)}
    merged: list[Symbol] = []
    opened: list[int] = []
    for old in order:
        symbol = symbols[old]
        while opened and not _holds(merged[opened[-1]].span, symbol.span):
            opened.pop()
        parent = opened[-1] if opened else -1
        if symbol.kind is Kind.ROUTE:
            outer = merged[parent] if parent >= 0 else None
            name = joined_names(outer.qualified_name, "", symbol.name) if outer is not None else symbol.name
            package = outer.package if outer is not None else ""
            symbol = replace(symbol, qualified_name=name, package=package, parent=parent)
        elif parent >= 0 and merged[parent].kind is Kind.ROUTE:
            symbol = replace(symbol, parent=parent)
        else:
            symbol = replace(symbol, parent=places[symbol.parent] if symbol.parent >= 0 else -1)
        opened.append(len(merged))
        merged.append(symbol)
    return tuple(merged), places


def _holds(outer: Span, inner: Span) -> bool:
    """Whether ``inner`` is inside ``outer``; two equal spans are neighbours."""
    return outer.start <= inner.start and inner.end <= outer.end and (outer.start, outer.end) != (inner.start, inner.end)


def _span(start: int, end: int, lines: Sequence[int]) -> Span:
    first = bisect_right(lines, start)
    return Span(start=start, end=end, start_line=first, end_line=max(first, bisect_right(lines, end - 1)))
