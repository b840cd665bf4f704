"""A syntax tree and its symbols in, what the syntax says of each of them out: types, parameters, supertypes, modifiers.

What to look for is said by the language's ``details.scm``. Each match there states one fact about one symbol: ``@of`` is the
symbol's name node, which is how the fact finds its symbol, and one other capture is the fact:

    @parameter         one parameter, with @name, @type and @default inside it
    @return            one returned type; @name inside it is what the result is called
    @type  @value      the declared type, or the value, of a field, property, variable or constant
    @values            a list of values, one for each of the names that share it; a list of one goes to all of them
    @as_before         the type and value are those of the name at the same place in the list of @values before (Go's iota)
    @base.<relation>   one type it inherits from, implements, embeds or uses
    @modifier          one keyword, or several in one node
    @decorator         one decorator, attribute or annotation
    @type_parameter    one generic parameter
    @receiver  @tag    Go's
    @section           without @of: a modifier of every symbol that follows directly in @within, up to the next section of it
    @export            without @of: every top-level symbol of this name is exported

A name node may begin with a quote or ``$`` that the symbol's name lacks. Nodes of one capture that touch are one text. A pattern's
settings say more: ``match.CAPTURE`` is an expression that the capture's text must fit, ``modifier`` a modifier that the match
states, and ``docs``, once per file, the style of documentation that :mod:`hardtack.build.docblocks` reads types from. Facts about
one symbol keep the order of the source, and stating one twice is stating it once. Visibility follows the language's rule in
``language.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from tree_sitter import QueryCursor

from hardtack.build.docblocks import one_line, with_documented
from hardtack.build.syntax import details_query_of
from hardtack.model import Detail, Kind, Parameter, Return, Supertype, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

    from hardtack.build.languages.registry import Language

_VISIBILITIES: Final = frozenset({"public", "protected", "private", "internal", "fileprivate", "pub"})
_EXPORT: Final = "export"
_MEMBERS: Final = frozenset({Kind.METHOD, Kind.CONSTRUCTOR, Kind.FIELD, Kind.PROPERTY, Kind.CONSTANT})
_NAMESPACES: Final = frozenset({Kind.PACKAGE, Kind.MODULE, Kind.NAMESPACE})
_CALLABLES: Final = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR})
_WITH_BODY: Final = _CALLABLES | {Kind.CLASS}
"""What a name bound to a function or a class is: its value is its body, and that is no value worth telling."""
_DEEPEST: Final = 500
"""How deep in the tree a match may begin: a pattern that fits at every level costs the square of the nesting."""
_SIGILS: Final = b"\"'`$"
_Fact = TypeVar("_Fact")

_SINGLE: Final = ("type", "value", "tag", "receiver")


class _Rule(NamedTuple):
    """What one pattern's settings ask for."""

    conditions: tuple[tuple[str, re.Pattern[bytes]], ...]
    modifier: str

    def holds(self, captures: Mapping[str, Sequence[Node]], text: bytes) -> bool:
        """Whether the first node of every capture that has a condition fits it."""
        return all(
            expression.fullmatch(text, captures[capture][0].start_byte, captures[capture][0].end_byte) is not None
            for capture, expression in self.conditions
        )


class _Section(NamedTuple):
    """A modifier that holds from ``start`` on for what lies directly in the node that ends at ``end``, up to the next section."""

    start: int
    end: int
    modifier: str


class _Facts:
    """What has been learned about one symbol so far; lists by where in the source each fact stands."""

    __slots__ = ("decorators", "modifiers", "parameters", "returns", "single", "supertypes", "type_parameters")

    def __init__(self) -> None:
        self.modifiers: dict[tuple[int, str], str] = {}
        self.decorators: dict[int, str] = {}
        self.type_parameters: dict[int, str] = {}
        self.parameters: dict[int, Parameter] = {}
        self.returns: dict[int, Return] = {}
        self.supertypes: dict[int, Supertype] = {}
        self.single: dict[str, str] = {}
        """``type``, ``value``, ``tag``, ``receiver``: the first that is stated."""


class _Row:
    """The names that share one list of values, or have none and take those of the row before."""

    __slots__ = ("names", "values")

    def __init__(self, values: Node | None) -> None:
        self.values = values
        self.names: dict[int, int | None] = {}
        """Start byte -> index of the symbol, None where the name is none."""


def details_of(tree: Tree, text: bytes, language: Language, symbols: Sequence[Symbol]) -> dict[int, Detail]:
    """The details of ``symbols``, by index; a symbol of which nothing is said is left out."""
    facts: dict[int, _Facts] = {}
    exported: set[str] = set()
    sections: list[_Section] = []
    if language.has_details:
        _gather(tree, text, language, symbols, facts, exported, sections)
    in_sections = _in_sections(symbols, sections)
    style = _docs_style_of(language) if language.has_details else ""
    nothing = Detail()
    details: dict[int, Detail] = {}
    for index, symbol in enumerate(symbols):
        known = facts.get(index) or _Facts()
        words = [word for _, modifier in sorted(known.modifiers.items()) for word in modifier.split()]
        words += in_sections.get(index, "").split()
        if symbol.parent < 0 and symbol.name in exported:
            words.append(_EXPORT)
        parent = symbols[symbol.parent].kind if symbol.parent >= 0 else None
        visibility, modifiers = _visibility(symbol, parent, words, language)
        detail = _detail(symbol, known, visibility, modifiers)
        if style and symbol.doc:
            detail = with_documented(detail, symbol.doc, style)
        if detail != nothing:
            details[index] = detail
    return details


@cache
def _rules_of(language: Language) -> tuple[_Rule, ...]:
    """What each pattern of the language's details query asks for, in the query's order."""
    query = details_query_of(language)
    settings = (query.pattern_settings(index) for index in range(query.pattern_count))
    return tuple(
        _Rule(
            conditions=tuple(
                (name.removeprefix("match."), re.compile((wanted or "").encode()))
                for name, wanted in sorted(entry.items())
                if name.startswith("match.")
            ),
            modifier=entry.get("modifier") or "",
        )
        for entry in settings
    )


@cache
def _docs_style_of(language: Language) -> str:
    """The style of documentation that a pattern of the language's details query names; empty for none."""
    query = details_query_of(language)
    styles = (query.pattern_settings(index).get("docs") for index in range(query.pattern_count))
    return next((style for style in styles if style), "")


def _gather(
    tree: Tree,
    text: bytes,
    language: Language,
    symbols: Sequence[Symbol],
    facts: dict[int, _Facts],
    exported: set[str],
    sections: list[_Section],
) -> None:
    """Every match, noted: facts about symbols in ``facts``, names that the file exports in ``exported``, and the ``sections``."""
    index_of_name = {symbol.selection.start: index for index, symbol in enumerate(symbols)}
    rules = _rules_of(language)
    rows: dict[int, _Row] = {}
    cursor = QueryCursor(details_query_of(language))
    cursor.set_max_start_depth(_DEEPEST)
    for number, captures in cursor.matches(tree.root_node):
        if not rules[number].holds(captures, text):
            continue
        if "export" in captures:
            exported.update(_words([node], text) for node in captures["export"])
        if (section := captures.get("section")) is not None:
            word = rules[number].modifier or _words(section, text)
            sections.append(_Section(section[0].start_byte, captures["within"][0].end_byte, word))
        if "of" not in captures:
            continue
        start = captures["of"][0].start_byte
        index = index_of_name.get(start)
        if index is None and text[start : start + 1] in _SIGILS:
            index = index_of_name.get(start + 1)
        if (row := captures.get("values") or captures.get("as_before")) is not None:
            values = row[0] if "values" in captures else None
            rows.setdefault(row[0].start_byte, _Row(values)).names[start] = index
        if index is not None:
            _note(facts.setdefault(index, _Facts()), captures, rules[number].modifier, text)
    _share_values(rows, facts, text)


def _in_sections(symbols: Sequence[Symbol], sections: Sequence[_Section]) -> dict[int, str]:
    """The modifier of the section that each symbol lies directly in, by the symbol's index; none for a symbol outside of all."""
    found: dict[int, str] = {}
    opened: list[_Section] = []
    waiting = sorted(sections, reverse=True)
    for index in sorted(range(len(symbols)) if sections else (), key=lambda index: symbols[index].selection.start):
        at, parent = symbols[index].selection.start, symbols[index].parent
        while waiting and waiting[-1].start < at:
            section = waiting.pop()
            while opened and (opened[-1].end <= section.start or opened[-1].end == section.end):
                opened.pop()
            opened.append(section)
        while opened and opened[-1].end <= at:
            opened.pop()
        if opened and parent >= 0 and opened[-1].start > symbols[parent].selection.start:
            found[index] = opened[-1].modifier
    return found


def _note(facts: _Facts, captures: Mapping[str, Sequence[Node]], modifier: str, text: bytes) -> None:
    """Add the fact of one match."""
    if modifier:
        facts.modifiers[min(nodes[0].start_byte for nodes in captures.values()), modifier] = modifier
    name = captures.get("name", ())
    for capture, nodes in captures.items():
        if capture == "parameter":
            type_, default = (_words(captures.get(part, ()), text) for part in ("type", "default"))
            place = (name or nodes)[0].start_byte
            facts.parameters[place] = Parameter(name=_words(name or nodes, text), type=type_, default=default)
            return
        for run in [nodes] if capture == "return" else _runs(nodes):
            place, words = run[0].start_byte, _words(run, text)
            if capture == "return":
                facts.returns[name[0].start_byte if name else place] = Return(type=words, description=_words(name, text))
            elif capture.startswith("base."):
                facts.supertypes[place] = Supertype(relation=capture.removeprefix("base."), name=words)
            elif capture == "modifier":
                facts.modifiers[place, words] = words
            elif capture == "decorator":
                facts.decorators[place] = words
            elif capture == "type_parameter":
                facts.type_parameters[place] = words
        if capture in _SINGLE:
            facts.single.setdefault(capture, _words(nodes, text))


def _runs(nodes: Sequence[Node]) -> list[list[Node]]:
    """The nodes, those that touch together."""
    runs: list[list[Node]] = []
    for node in nodes:
        if runs and runs[-1][-1].end_byte == node.start_byte:
            runs[-1].append(node)
        else:
            runs.append([node])
    return runs


def _share_values(rows: Mapping[int, _Row], facts: dict[int, _Facts], text: bytes) -> None:
    """Give the names of each row their values, and those of a row that has none the types and values of the row before."""
    before: list[dict[str, str]] = []
    for _, row in sorted(rows.items()):
        names = [index for _, index in sorted(row.names.items())]
        if row.values is not None:
            stated = [node for node in row.values.named_children if "comment" not in node.type]
            shared = stated if len(stated) == len(names) else [row.values] * len(names)
            before = []
            for index, node in zip(names, shared, strict=True):
                single = facts[index].single if index is not None and index in facts else {}
                single.setdefault("value", _words([node], text))
                before.append(single)
        else:
            for index, single in zip(names, before, strict=False):
                if index is not None:
                    facts.setdefault(index, _Facts()).single.update(single)


def _words(nodes: Sequence[Node], text: bytes) -> str:
    """The nodes' text, from the first to the last, on one line and cut to size."""
    return one_line(text[nodes[0].start_byte : nodes[-1].end_byte].decode("utf-8", "replace")) if nodes else ""


def _in_order(facts: Mapping[int, _Fact]) -> tuple[_Fact, ...]:
    """The facts in the order of the source."""
    return tuple(fact for _, fact in sorted(facts.items(), key=itemgetter(0)))


def _detail(symbol: Symbol, facts: _Facts, visibility: str, modifiers: Iterable[str]) -> Detail:
    single = facts.single
    return Detail(
        visibility=visibility,
        modifiers=tuple(dict.fromkeys(modifiers)),
        decorators=_in_order(facts.decorators),
        type=single.get("type", ""),
        value="" if symbol.kind in _WITH_BODY else single.get("value", ""),
        tag=_unquoted(single.get("tag", "")),
        receiver=single.get("receiver", ""),
        type_parameters=_in_order(facts.type_parameters),
        parameters=_in_order(facts.parameters),
        returns=_in_order(facts.returns),
        supertypes=_in_order(facts.supertypes),
    )


def _unquoted(tag: str) -> str:
    """A tag without its quotes; in double ones, quotes of its own are escaped."""
    if len(tag) >= 2 and tag[0] == tag[-1] == '"':
        return tag[1:-1].replace('\\"', '"')
    return tag.strip("`")


def _visibility(symbol: Symbol, parent: Kind | None, modifiers: Sequence[str], language: Language) -> tuple[str, list[str]]:
    """The symbol's visibility by the language's rule, and the modifiers that are left.

    Rules: ``capital`` (Go: exported when the name begins with a capital), ``underscore`` (Python: private when it begins with one,
    dunder names excepted), or the visibility of a member that declares none, as in ``public`` for PHP. ``#name`` is private.
    What is local to a function has none, except a property that a parameter declares.
    """
    stated = [word for word in modifiers if word.partition("(")[0] in _VISIBILITIES]
    rest = [word for word in modifiers if word not in stated and word != _EXPORT]
    if stated:
        return stated[0], rest
    if _EXPORT in modifiers:
        return "exported", rest
    rule = language.visibility
    is_promoted = symbol.kind is Kind.PROPERTY and parent is Kind.CONSTRUCTOR
    if not rule or symbol.kind in _NAMESPACES or (parent in _CALLABLES and not is_promoted):
        return "", rest
    if rule == "capital":
        return ("exported" if symbol.name[:1].isupper() else "private"), rest
    if rule == "underscore":
        is_dunder = symbol.name.startswith("__") and symbol.name.endswith("__")
        return ("private" if symbol.name.startswith("_") and not is_dunder else "public"), rest
    if symbol.kind not in _MEMBERS or parent is None or parent in _NAMESPACES:
        return "", rest
    return ("private" if symbol.name.startswith("#") else rule), rest
