"""Matches of a language's ``details.scm`` and a file's symbols in, the facts about each symbol out.

Each match states one fact about one symbol. The capture ``@of`` is the symbol's name node, by which the symbol is found; one other
capture is the fact:

    @parameter         one parameter, with @name, @type and @default inside it
    @return            one returned type; @name inside it is the name of the result
    @type  @value      the declared type, or the value, of a field, property, variable or constant
    @values            a list of values, one for each of the names that share it; a list of one is the value of all
    @as_before         the type and value are those of the name at the same index in the list of @values before (Go's iota)
    @base.<relation>   one type that it inherits from, implements, embeds or uses
    @modifier          one keyword, or several in one node
    @decorator         one decorator, attribute or annotation; without @of, of the definition that it stands directly before
    @type_parameter    one generic parameter
    @visibility        a visibility that is not written as a modifier
    @receiver  @tag    Go's
    @attribute         without @of: a name that the innermost enclosing type sets on its instances: self.NAME = ...; with @type, or
                       @from, a parameter that it is set to
    @inferred          the type of a field or an attribute that declares none
    @inferred.<type>   a value that has this type
    @section           without @of: a modifier of every symbol that follows directly in @within, up to its next section
    @export            without @of: every top-level symbol of this name is exported

A name node may begin with a quote or ``$`` that the symbol's name lacks. Adjacent nodes of one capture are one text. The pattern's
settings: ``match.CAPTURE`` is an expression that the capture's text must match; ``modifier`` is a modifier that the match states;
``unless`` is an expression, and if a stated modifier matches it, ``modifier`` is left out; ``docs``, once per file, is the style of
documentation that :mod:`hardtack.build.docblocks` reads. Facts about one symbol keep the order of the source, without repetitions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from hardtack.build.docblocks.block import one_line
from hardtack.build.outline.syntax import settings_of
from hardtack.nouns.details import Parameter, Return, Supertype

if TYPE_CHECKING:
    from tree_sitter import Node

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Match
    from hardtack.nouns.outline import Symbol

_REACH: Final = 2_000
"""Bytes of a text that are searched for comments; far more than is kept of it."""
_SIGILS: Final = b"\"'`$"
_SINGLE: Final = frozenset({"type", "value", "tag", "receiver", "visibility", "inferred"})
_Fact = TypeVar("_Fact")


class _PatternSettings(NamedTuple):
    """The settings of one pattern."""

    conditions: tuple[tuple[str, re.Pattern[bytes]], ...]
    modifier: str
    unless: re.Pattern[str] | None

    def holds(self, captures: Mapping[str, Sequence[Node]], text: bytes) -> bool:
        """Whether the first node of each capture with a condition matches it."""
        for capture, expression in self.conditions:
            node = captures[capture][0]
            if expression.fullmatch(text, node.start_byte, node.end_byte) is None:
                return False
        return True


class ModifierSection(NamedTuple):
    """A modifier of the symbols after ``start`` that are directly in the node that ends at ``end``, up to the next section."""

    start: int
    end: int
    modifier: str


class Assigned(NamedTuple):
    """A name that a type's own code sets on its instances."""

    place: int
    """First byte."""
    name: str
    type: str
    value: str
    inferred: str
    origin: str
    """The name that is its value, if the value is only a name."""
    modifier: str


class Statements:
    """The facts about one symbol; mappings are by the position of the fact in the source."""

    __slots__ = ("decorators", "implied", "modifiers", "parameters", "returns", "single", "supertypes", "type_parameters")

    def __init__(self) -> None:
        self.modifiers: dict[tuple[int, str], str] = {}
        self.implied: list[tuple[str, re.Pattern[str]]] = []
        """(modifier, expression): the modifier is left out if a stated one matches the expression."""
        self.decorators: dict[int, str] = {}
        self.type_parameters: dict[int, str] = {}
        self.parameters: dict[int, Parameter] = {}
        self.returns: dict[int, Return] = {}
        self.supertypes: dict[int, Supertype] = {}
        self.single: dict[str, str] = {}
        """The first ``type``, ``value``, ``tag``, ``receiver``, ``visibility`` and ``inferred`` that is stated."""

    def words(self) -> list[str]:
        """The modifiers, one word each, in the order of the source, then the implied ones."""
        words = [word for _, modifier in sorted(self.modifiers.items()) for word in _WORD.findall(modifier)]
        for modifier, unless in self.implied:
            if not any(map(unless.fullmatch, words)):
                words.append(modifier)
        return words


_WORD: Final = re.compile(r"(?:\([^)]*\)|[^\s(])+")
"""A modifier with its brackets: ``pub(in crate::x)``."""
_NOTHING: Final = Statements()


class FileStatements:
    """The facts of all matches of a file."""

    __slots__ = ("_by_symbol", "assigned", "exported", "sections")

    def __init__(self) -> None:
        self._by_symbol: dict[int, Statements] = {}
        self.exported: set[str] = set()
        """Names of top-level symbols that the file exports."""
        self.sections: list[ModifierSection] = []
        self.assigned: list[Assigned] = []

    def of(self, index: int) -> Statements:
        """The facts about one symbol, to be read only."""
        return self._by_symbol.get(index, _NOTHING)

    def about(self, index: int) -> Statements:
        """The facts about one symbol, which the caller may add to."""
        facts = self._by_symbol.get(index)
        if facts is None:
            facts = self._by_symbol[index] = Statements()
        return facts


class _ValueList:
    """The names that share one list of values, or have none and take those of the list before."""

    __slots__ = ("names", "values")

    def __init__(self, values: Node | None) -> None:
        self.values = values
        self.names: dict[int, int | None] = {}
        """First byte of the name -> index of the symbol, None if the name is no symbol."""


class _Before:
    """What stands directly before definitions, as its lines do: the beginning of their extents."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        self._rows = [
            (symbol.extent.start, symbol.span.start, index)
            for index, symbol in enumerate(symbols)
            if symbol.extent.start < symbol.span.start
        ]

    def add(self, stated: FileStatements, decorator: Sequence[Node], text: bytes) -> None:
        """Add a decorator to the facts about the definition that it stands before; nothing if there is none."""
        at = decorator[0].start_byte
        place = bisect_right(self._rows, at, key=itemgetter(0)) - 1
        if place >= 0 and at < self._rows[place][1]:
            stated.about(self._rows[place][2]).decorators[at] = _words(decorator, text)


@cache
def _rules_of(language: Language) -> tuple[_PatternSettings, ...]:
    """The settings of each pattern of the language's details query, in its order."""
    return tuple(
        _PatternSettings(
            conditions=tuple(
                (name.removeprefix("match."), re.compile((wanted or "").encode()))
                for name, wanted in sorted(entry.items())
                if name.startswith("match.")
            ),
            modifier=entry.get("modifier") or "",
            unless=re.compile(unless) if (unless := entry.get("unless")) else None,
        )
        for entry in settings_of(language, "details")
    )


@cache
def docs_style_of(language: Language) -> str:
    """The style of documentation that the language's details query names; empty for none."""
    styles = (entry.get("docs") for entry in settings_of(language, "details"))
    return next((style for style in styles if style), "")


def statements_of(matches: Sequence[Match], text: bytes, language: Language, symbols: Sequence[Symbol]) -> FileStatements:
    """The facts that the matches of the language's details query state."""
    stated = FileStatements()
    index_of_name = {symbol.selection.start: index for index, symbol in enumerate(symbols)}
    rules = _rules_of(language)
    rows: dict[int, _ValueList] = {}
    before = _Before(symbols)
    for number, captures in matches:
        rule = rules[number]
        if rule.conditions and not rule.holds(captures, text):
            continue
        of = captures.get("of")
        if of is None and "decorator" in captures:
            before.add(stated, captures["decorator"], text)
            continue
        if of is None:
            _add_file_fact(stated, captures, rule.modifier, text)
            continue
        start = of[0].start_byte
        index = index_of_name.get(start)
        if index is None and text[start : start + 1] in _SIGILS:
            index = index_of_name.get(start + 1)
        if (row := captures.get("values") or captures.get("as_before")) is not None:
            values = row[0] if "values" in captures else None
            rows.setdefault(row[0].start_byte, _ValueList(values)).names[start] = index
        if index is not None:
            _add_symbol_fact(stated.about(index), captures, rule, text)
    _share_values(rows, stated, text)
    return stated


def _add_file_fact(stated: FileStatements, captures: Mapping[str, Sequence[Node]], modifier: str, text: bytes) -> None:
    """Add the fact of a match without ``@of``: an export, a section, an attribute."""
    if (export := captures.get("export")) is not None:
        stated.exported.update(_words([node], text) for node in export)
    elif (section := captures.get("section")) is not None:
        word = modifier or _words(section, text)
        stated.sections.append(ModifierSection(section[0].start_byte, captures["within"][0].end_byte, word))
    elif (attribute := captures.get("attribute")) is not None:
        value, inferred = _value_and_type(captures, text)
        type_, origin = (_words(captures.get(part, ()), text) for part in ("type", "from"))
        for node in attribute:
            stated.assigned.append(
                Assigned(node.start_byte, _words([node], text), type_, value, inferred, origin, modifier),
            )


def _value_and_type(captures: Mapping[str, Sequence[Node]], text: bytes) -> tuple[str, str]:
    """A value and the type that is inferred from it."""
    shown = next((capture for capture in captures if capture.startswith("inferred.")), "")
    nodes = captures.get(shown or "value", ())
    return _words(nodes, text), shown.removeprefix("inferred.") or _words(captures.get("inferred", ()), text)


def _add_symbol_fact(facts: Statements, captures: Mapping[str, Sequence[Node]], rule: _PatternSettings, text: bytes) -> None:
    """Add the fact of a match with ``@of``."""
    modifier = rule.modifier
    if modifier and rule.unless is not None:
        facts.implied.append((modifier, rule.unless))
    elif modifier:
        facts.modifiers[min(nodes[0].start_byte for nodes in captures.values()), modifier] = modifier
    if (parameter := captures.get("parameter")) is not None:
        name = captures.get("name") or parameter
        type_, default = (_words(captures.get(part, ()), text) for part in ("type", "default"))
        facts.parameters[name[0].start_byte] = Parameter(name=_words(name, text), type=type_, default=default)
        return
    for capture, nodes in captures.items():
        if capture == "of":
            continue
        if capture in _SINGLE:
            facts.single.setdefault(capture, _words(nodes, text))
        elif capture == "return":
            name = captures.get("name", ())
            found = Return(type=_words(nodes, text), description=_words(name, text))
            facts.returns[(name or nodes)[0].start_byte] = found
        elif capture == "modifier":
            for run in _runs(nodes):
                words = _words(run, text)
                facts.modifiers[run[0].start_byte, words] = words
        elif capture == "decorator":
            facts.decorators.update((run[0].start_byte, _words(run, text)) for run in _runs(nodes))
        elif capture == "type_parameter":
            facts.type_parameters.update((run[0].start_byte, _words(run, text)) for run in _runs(nodes))
        elif capture.startswith("base."):
            relation = capture.removeprefix("base.")
            for run in _runs(nodes):
                facts.supertypes[run[0].start_byte] = Supertype(relation=relation, name=_words(run, text))
        elif capture.startswith("inferred."):
            facts.single.setdefault("inferred", capture.removeprefix("inferred."))


def _runs(nodes: Sequence[Node]) -> list[list[Node]]:
    """The nodes in groups of adjacent ones."""
    if len(nodes) == 1:
        return [list(nodes)]
    runs: list[list[Node]] = []
    for node in nodes:
        if runs and runs[-1][-1].end_byte == node.start_byte:
            runs[-1].append(node)
        else:
            runs.append([node])
    return runs


def _share_values(rows: Mapping[int, _ValueList], stated: FileStatements, text: bytes) -> None:
    """Give the names of each list their values, and those of a list without values the types and values of the list before."""
    before: list[dict[str, str]] = []
    for _, row in sorted(rows.items()):
        names = [index for _, index in sorted(row.names.items())]
        if row.values is not None:
            listed = [node for node in row.values.named_children if "comment" not in node.type]
            shared = listed if len(listed) == len(names) else [row.values] * len(names)
            before = []
            for index, node in zip(names, shared, strict=True):
                single = stated.about(index).single if index is not None else {}
                single.setdefault("value", _words([node], text))
                before.append(single)
        else:
            for index, single in zip(names, before, strict=False):
                if index is not None:
                    stated.about(index).single.update(single)


def _words(nodes: Sequence[Node], text: bytes) -> str:
    """The text from the first node to the last, without comments, on one line and cut to size."""
    if not nodes:
        return ""
    start, end = nodes[0].start_byte, nodes[-1].end_byte
    words = text[start:end]
    if b"\n" in words:
        for at, after in reversed([place for node in nodes for place in _comments_in(node, start + _REACH)]):
            words = words[: at - start] + b" " + words[after - start :]
    return one_line(words.decode("utf-8", "replace"))


def _comments_in(node: Node, limit: int) -> list[tuple[int, int]]:
    """(start, end) of the comments inside a node that begin before ``limit``, in order; a node on one line is not searched."""
    found: list[tuple[int, int]] = []
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if "comment" in inner.type:
            found.append((inner.start_byte, inner.end_byte))
        elif inner.start_byte < limit and inner.end_point.row > inner.start_point.row:
            waiting += reversed(inner.children)
    return found


def in_order(facts: Mapping[int, _Fact]) -> tuple[_Fact, ...]:
    """The facts in the order of the source."""
    if len(facts) < 2:
        return tuple(facts.values())
    return tuple(fact for _, fact in sorted(facts.items(), key=itemgetter(0)))
