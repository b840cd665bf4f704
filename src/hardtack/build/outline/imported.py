"""A syntax tree in, what the file imports out.

The language's ``imports.scm`` has one match for each thing imported, with ``@import`` around it and in it what follows. Of
several patterns that match the same thing the last that gives an alias decides, or the last.

    @module   the module, package or file, as it is written; quotes are taken off, and several nodes joined
    @name     what is taken from it; nodes of one name that touch are one text
    @until    what follows the module where no one node holds all of it: it is the text from @module to there
    @all      everything is
    @alias    what the file calls it, where it says so

and the pattern's settings: ``alias`` says what a module that states no alias is called: ``last`` its last part, ``first`` its first
(Python's ``import a.b``), else nothing; ``name`` what is taken where no capture says it (``default``); ``prefix`` what is put
before the module; ``match.<capture>`` is an expression that the capture's whole text must fit. A name without an alias is called
what it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.outline.syntax import settings_of
from hardtack.nouns.relations import Import

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Match

_MOST_CHARACTERS: Final = 200
"""Of a module or name; what is longer is cut."""
_LAST_PART: Final = re.compile(r"[\w$@-]+(?=\W*$)")
_FIRST_PART: Final = re.compile(r"[\w$@-]+")


def imports_of(matches: Sequence[Match], text: bytes, language: Language, lines: Sequence[int]) -> tuple[Import, ...]:
    """The imports of one file, in order of the source.

    Args:
        matches: of the language's imports query in the file's tree.
        text: the file's.
        language: one that has such a query.
        lines: where the text's lines start.
    """
    rules, joint = _import_rules_of(language), language.joints[-1]
    found: dict[int, tuple[bool, int, Import]] = {}
    for pattern, captures in matches:
        rule = rules[pattern]
        if not all(wanted.fullmatch(_words(captures[capture], text)) for capture, wanted in rule.conditions):
            continue
        nodes = captures.get("module", [])
        module = rule.prefix + _unquoted(joint.join(_words([node], text) for node in nodes))
        if "until" in captures:
            module = _joined(text[nodes[0].start_byte : captures["until"][0].start_byte]).rstrip(".:\\")
        name = "*" if "all" in captures else _words(captures.get("name", ()), text) or rule.name
        alias = _words(captures.get("alias", ()), text) or _alias_of(module, name, rule.alias)
        start = (captures["name"][0] if "name" in captures else nodes[-1]).start_byte
        if start not in found or found[start][:2] < ("alias" in captures, pattern):
            found[start] = "alias" in captures, pattern, Import(module, name, alias, start, bisect_right(lines, start))
    return tuple(each for _, (_, _, each) in sorted(found.items()))


class _ImportRule(NamedTuple):
    """What the settings of one pattern of ``imports.scm`` say."""

    alias: str
    name: str
    prefix: str
    conditions: tuple[tuple[str, re.Pattern[str]], ...]


@cache
def _import_rules_of(language: Language) -> tuple[_ImportRule, ...]:
    return tuple(
        _ImportRule(
            alias=each.get("alias") or "",
            prefix=each.get("prefix") or "",
            name=each.get("name") or "",
            conditions=tuple(
                (key.removeprefix("match."), re.compile(wanted or "")) for key, wanted in each.items() if key.startswith("match.")
            ),
        )
        for each in settings_of(language, "imports")
    )


def _alias_of(module: str, name: str, rule: str) -> str:
    """What a file calls an import that states no alias."""
    if name:
        return "" if name == "*" else (match[0] if (match := _LAST_PART.search(name)) else name)
    part = {"last": _LAST_PART, "first": _FIRST_PART}.get(rule)
    match = part.search(module) if part else None
    return match[0] if match else ""


def _words(nodes: Sequence[Node], text: bytes) -> str:
    if not nodes:
        return ""
    return _joined(text[nodes[0].start_byte : nodes[-1].end_byte])


def _joined(words: bytes) -> str:
    return b"".join(words.split()).decode("utf-8", "replace")[:_MOST_CHARACTERS]


def _unquoted(module: str) -> str:
    return module.strip("\"'`<>")
