"""One file's text and its language in, its syntax tree out - or nothing, when the deadline passed.

Runs in a worker process that may be killed at any moment, so all it keeps is one parser and one compiled query per grammar.
Parsing holds the GIL: threads gain nothing here. Which nodes matter is said by the language's tags query, not here.
"""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

from tree_sitter import Parser, Query
from tree_sitter_language_pack import get_language

from hardtack.build.languages.registry import tags_query

if TYPE_CHECKING:
    from tree_sitter import Tree

    from hardtack.build.languages.registry import Language

_BLOCK_BYTES = 32_768
"""How much text each call of the read function hands over."""
MAX_ERROR_LINES = 100
_MAX_ERROR_STEPS = 200_000
"""Nodes looked at for error lines; beyond that a file is noise, and counting it costs more than it tells."""


def parse(text: bytes, language: Language, deadline_s: float) -> Tree | None:
    """The tree of ``text``, errors and all, or None when ``deadline_s`` seconds did not suffice."""
    parser = _parser(language.grammar)
    end = time.monotonic() + deadline_s
    try:
        # Only parsing through a read function looks at the progress callback; parsing plain bytes ignores it.
        return parser.parse(lambda at, _: text[at : at + _BLOCK_BYTES], progress_callback=lambda *_: time.monotonic() > end)
    except ValueError:  # what the binding raises when the callback stops it
        parser.reset()
        return None


def error_lines(tree: Tree) -> tuple[int, ...]:
    """First lines, 1-based and ascending, of the tree's error and missing nodes; at most ``MAX_ERROR_LINES``."""
    lines: set[int] = set()
    cursor = tree.walk()
    for _ in range(_MAX_ERROR_STEPS):
        node = cursor.node
        assert node is not None
        if node.is_error or node.is_missing:
            lines.add(node.start_point.row + 1)
            if len(lines) == MAX_ERROR_LINES:
                break
        if node.has_error and not node.is_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return tuple(sorted(lines))
    return tuple(sorted(lines))


@cache
def query_of(language: Language) -> Query:
    """The language's compiled tags query; ask only where ``language.has_query``."""
    return Query(get_language(language.grammar), tags_query(language))  # type: ignore[arg-type]


@cache
def _parser(grammar: str) -> Parser:
    return Parser(get_language(grammar))  # type: ignore[arg-type]
