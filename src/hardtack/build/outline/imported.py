"""A syntax tree in, the file's imports out.

The language's ``imports.scm`` matches each imported name once, with ``@import`` around it and these captures inside. If several
patterns match the same name, the last one with an alias counts, else the last one.

    @module   the module, package or file, as it is written; quotes are removed, and several nodes joined
    @name     the name that is imported from it; adjacent nodes are one text
    @until    the node after the module, if no single node holds the module: the module is the text from @module to there
    @each     a list of names before the module, each imported from it: matched one by one, each would wait for the module, which
              takes more than quadratic time. An entry's name is in its field ``name``, ``key`` or ``left``, its alias in
              ``alias`` or ``value``; else the entry is the name
    @tree     modules and names inside one another, as deep as they are written: Rust's ``a::{b::{self, c as d}, e::*}``
    @around   without @import: a module that is written inside the file; from there ``super`` is the file's own, ``self::super``
    @all      a wildcard: everything is imported
    @alias    the local name, if the file states one
    @place    the node at whose position the import is, if that is neither the name nor the module
    @key      a word that a setting alone looks at

and these settings of the pattern: ``alias``, the local name of a module without an alias: ``last`` for its last part, ``first`` for
its first (Python's ``import a.b``), ``=NAME`` for that name, else none; ``name``, the imported name if no capture gives it
(``default``); ``prefix``, text put before the module; ``match.<capture>``, an expression that the capture's whole text must match.
A name without an alias keeps its name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.outline.syntax import settings_of
from hardtack.nouns.relations import Import

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Match

_MAX_CHARACTERS: Final = 200
"""Maximum length of a module or name; longer ones are cut."""
_MAX_AROUND: Final = 1_000
"""Modules that are written inside a file and looked at."""
_LAST_PART: Final = re.compile(r"[\w$@-]+(?=\W*$)")
_FIRST_PART: Final = re.compile(r"[\w$@-]+")


def imports_of(matches: Sequence[Match], text: bytes, language: Language, lines: Sequence[int]) -> tuple[Import, ...]:
    """The imports of one file, in order of the source.

    Args:
        matches: of the language's imports query in the file's tree.
        text: the file's text.
        language: its language, which has such a query.
        lines: the starts of the text's lines.
    """
    rules, joint = _import_rules_of(language), language.joints[-1]
    found: dict[int, tuple[bool, int, Import]] = {}
    around: list[tuple[int, int]] = []
    for pattern, captures in _one_by_one(matches):
        rule = rules[pattern]
        if "around" in captures:
            around.append(captures["around"][0].byte_range)
            continue
        if "tree" in captures:
            for module, name, alias, start in _leaves(captures["tree"][0], text, language.joints[-1]):
                found[start] = False, pattern, Import(module, name, alias, start, bisect_right(lines, start))
            continue
        if not all(wanted.fullmatch(_words(captures[capture], text)) for capture, wanted in rule.conditions):
            continue
        nodes = captures.get("module", [])
        module = rule.prefix + _unquoted(joint.join(_words([node], text) for node in nodes))
        if "until" in captures:
            module = _joined(text[nodes[0].start_byte : captures["until"][0].start_byte]).rstrip(".:\\")
        name = "*" if "all" in captures else _words(captures.get("name", ()), text) or rule.name
        alias = _words(captures.get("alias", ()), text) or _alias_of(module, name, rule.alias)
        start = (captures.get("place") or captures.get("name") or nodes[-1:])[0].start_byte
        if start not in found or found[start][:2] < ("alias" in captures, pattern):
            found[start] = "alias" in captures, pattern, Import(module, name, alias, start, bisect_right(lines, start))
    return tuple(_from_within(each, around) for _, (_, _, each) in sorted(found.items()))


def _from_within(entry: Import, around: Sequence[tuple[int, int]]) -> Import:
    """The import as it is seen from the file, if a module inside the file states it relative to itself."""
    if not entry.module.startswith("super"):
        return entry
    depth = sum(start < entry.start < end for start, end in around[:_MAX_AROUND])
    return entry._replace(module="self::" * depth + entry.module)


def _leaves(tree: Node, text: bytes, joint: str) -> Iterator[tuple[str, str, str, int]]:
    """(module, name, alias, first byte) of every name in a tree of names."""
    waiting = [(tree, "")]
    while waiting:
        node, outer = waiting.pop()
        inner = node.child_by_field_name("list") or (node if node.type == "use_list" else None)
        path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
        if inner is not None:
            module = _below(outer, _words([path], text) if path is not None and path != inner else "", joint)
            waiting += [(each, module) for each in inner.named_children if not each.is_extra]
            continue
        is_all = node.type == "use_wildcard"
        leaf = next(iter(node.named_children), None) if is_all else path if alias is not None else node
        whole = _below(outer, _words([leaf], text) if leaf is not None else "", joint)
        module, _, name = whole.rpartition(joint) if not is_all else (whole, "", "*")
        if name == "self":  # the module itself
            module, name = module or name, ""
        elif not module:
            module, name = name, ""
        last = "" if is_all else name or module.rpartition(joint)[2]
        yield module, name, _words([alias], text) if alias is not None else last, (leaf or node).start_byte


def _below(outer: str, inner: str, joint: str) -> str:
    return f"{outer}{joint}{inner}"[:_MAX_CHARACTERS] if outer and inner else outer or inner


def _one_by_one(matches: Sequence[Match]) -> Iterator[Match]:
    """The matches, and instead of one with a list of names one for each name."""
    for pattern, captures in matches:
        if "each" not in captures:
            yield pattern, captures
            continue
        for entry in captures["each"][0].named_children:
            name, alias = _field(entry, "name", "key", "left"), _field(entry, "alias", "value")
            is_pattern = alias is not None and alias.child_count > 0 and entry.child_by_field_name("value") is not None
            if is_pattern or (name is None and (entry.child_count or entry.is_extra)):
                continue  # what is taken apart further, the rest, a comment
            yield pattern, {**captures, "name": [name or entry], **({"alias": [alias]} if alias is not None else {})}


def _field(node: Node, *fields: str) -> Node | None:
    return next((found for field in fields if (found := node.child_by_field_name(field)) is not None), None)


class _ImportRule(NamedTuple):
    """The settings of one pattern of ``imports.scm``."""

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
    """The local name of an import without an alias."""
    if rule.startswith("="):
        return rule[1:]
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
    return b"".join(words.split()).decode("utf-8", "replace")[:_MAX_CHARACTERS]


def _unquoted(module: str) -> str:
    return module.strip("\"'`<>")
