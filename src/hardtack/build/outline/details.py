"""Matches of ``details.scm`` and a file's symbols in, one :class:`Detail` a symbol out: types, parameters, modifiers and so on.

:mod:`hardtack.build.outline.statements` reads the facts of each match.

Visibility is the stated one, else it follows the rule in ``language.toml``: ``capital`` (Go: exported if the name begins with a
capital), ``underscore`` (Python: private if it begins with one, except dunder names), or the default of members, as ``public`` in
PHP. Symbols that are not members have a default only after a slash: ``private/internal`` in C#. ``#name`` is private. Symbols local
to a function have no visibility, except a property that a parameter declares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hardtack.build.docblocks import with_documented, with_documented_parameters
from hardtack.build.outline.attributes import attributes_of, merged
from hardtack.build.outline.statements import FileStatements, ModifierSection, Statements, docs_style_of, in_order, statements_of
from hardtack.nouns.details import Attribute, Detail
from hardtack.nouns.model import FUNCTIONS, NAMESPACES, Kind
from hardtack.nouns.outline import Symbol

if TYPE_CHECKING:
    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Match

_VISIBILITIES: Final = frozenset({"public", "protected", "private", "internal", "fileprivate", "pub", "package"})
_EXPORT: Final = "export"
_FROM_COMMENT: Final = "phpdoc"
_MEMBERS: Final = frozenset({Kind.METHOD, Kind.CONSTRUCTOR, Kind.FIELD, Kind.PROPERTY, Kind.CONSTANT})
_WITH_BODY: Final = FUNCTIONS | {Kind.CLASS}
"""Kinds whose value is their body, which is left out."""
_TOP: Final = frozenset(
    {*_MEMBERS, Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.TYPE, Kind.FUNCTION, Kind.VARIABLE}
)
"""Kinds that other files may use if they are no members."""
_NO_DETAIL: Final = Detail()


def details_of(matches: Sequence[Match], text: bytes, language: Language, symbols: Sequence[Symbol]) -> dict[int, Detail]:
    """The details of ``symbols``, by index; a symbol without any is left out.

    Args:
        matches: of the language's details query in the file's tree.
        text: the file's text.
        language: its language.
        symbols: its symbols.
    """
    stated = statements_of(matches, text, language, symbols) if language.has_details else FileStatements()
    in_sections = _in_sections(symbols, stated.sections) if stated.sections else {}
    style = docs_style_of(language) if language.has_details else ""
    details: dict[int, Detail] = {}
    for index, symbol in enumerate(symbols):
        facts = stated.of(index)
        words = facts.words()
        if index in in_sections:
            words += in_sections[index].split()
        if symbol.parent < 0 and symbol.name in stated.exported:
            words.append(_EXPORT)
        detail = _detail(symbol, facts, *_visibility(symbol, symbols, words, language, facts.single.get("visibility", "")))
        if style:
            detail = _with_documentation(detail, symbol, symbols, style)
        if detail != _NO_DETAIL:
            details[index] = detail
    if stated.assigned:
        for index, attributes in attributes_of(symbols, stated.assigned, details).items():
            known = details.get(index, _NO_DETAIL)
            if all_attributes := merged(attributes, known.attributes):
                details[index] = replace(known, attributes=all_attributes)
    for index, detail in details.items():
        if detail.attributes:
            attributes = tuple(_with_visibility(each, language.visibility) for each in detail.attributes)
            details[index] = replace(detail, attributes=attributes)
    return details


def _with_documentation(detail: Detail, symbol: Symbol, symbols: Sequence[Symbol], style: str) -> Detail:
    """The detail with the facts of its symbol's documentation; a class's may describe its constructor's parameters."""
    if symbol.kind is Kind.CONSTRUCTOR and symbol.parent >= 0 and (doc := symbols[symbol.parent].doc):
        detail = with_documented_parameters(detail, doc, style)
    if symbol.doc:
        detail = with_documented(detail, symbol.doc, style)
    if symbol.kind in FUNCTIONS:
        return replace(detail, attributes=()) if detail.attributes else detail
    if detail.returns and detail.returns[0].source_hint == _FROM_COMMENT and symbol.kind in _MEMBERS:
        # The documented result of a field or property is its type.
        is_untyped = not detail.type
        detail = replace(
            detail,
            type=detail.returns[0].type if is_untyped else detail.type,
            type_source=_FROM_COMMENT if is_untyped else detail.type_source,
            returns=(),
        )
    return detail


def _with_visibility(attribute: Attribute, rule: str) -> Attribute:
    return attribute if attribute.visibility else replace(attribute, visibility=_by_name(attribute.name, rule))


def _in_sections(symbols: Sequence[Symbol], sections: Sequence[ModifierSection]) -> dict[int, str]:
    """Index of a symbol -> the modifier of the section that directly holds it; nothing for a symbol outside all sections."""
    found: dict[int, str] = {}
    opened: list[ModifierSection] = []
    waiting = sorted(sections, reverse=True)
    for index in sorted(range(len(symbols)), key=lambda index: symbols[index].selection.start):
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


def _detail(symbol: Symbol, facts: Statements, visibility: str, modifiers: Sequence[str]) -> Detail:
    single = facts.single
    is_inferred = "type" not in single and "inferred" in single and symbol.kind not in _WITH_BODY
    return Detail(
        visibility=visibility,
        modifiers=tuple(dict.fromkeys(modifiers)),
        decorators=in_order(facts.decorators),
        type=single["inferred"] if is_inferred else single.get("type", ""),
        type_source="inferred" if is_inferred else "",
        value="" if symbol.kind in _WITH_BODY else single.get("value", ""),
        tag=_unquoted(single.get("tag", "")),
        receiver=single.get("receiver", ""),
        type_parameters=in_order(facts.type_parameters),
        parameters=in_order(facts.parameters),
        returns=in_order(facts.returns),
        supertypes=in_order(facts.supertypes),
    )


def _unquoted(tag: str) -> str:
    """A tag without its quotes; double quotes inside double quotes are unescaped."""
    if len(tag) >= 2 and tag[0] == tag[-1] == '"':
        return tag[1:-1].replace('\\"', '"')
    return tag.strip("`")


def _visibility(
    symbol: Symbol, symbols: Sequence[Symbol], words: Sequence[str], language: Language, stated: str
) -> tuple[str, list[str]]:
    """(the symbol's visibility, the remaining modifiers of ``words``).

    Two words that make one visibility, as ``protected internal``, stay together. The visibility of a setter, as ``private(set)``,
    is a modifier.
    """
    seen = [word for word in words if word.partition("(")[0] in _VISIBILITIES and not word.endswith("(set)")]
    rest = [word for word in words if word not in seen and word != _EXPORT]
    if stated or seen:
        is_pair = "protected" in seen and ("internal" in seen or "private" in seen)
        return stated or (" ".join(dict.fromkeys(seen)) if is_pair else seen[0]), rest
    if _EXPORT in words:
        return "exported", rest
    rule = language.visibility
    parent = symbols[symbol.parent].kind if symbol.parent >= 0 else None
    is_promoted = symbol.kind is Kind.PROPERTY and parent is Kind.CONSTRUCTOR
    if not rule or symbol.kind in NAMESPACES or (parent in FUNCTIONS and not is_promoted):
        return "", rest
    if rule in ("capital", "underscore"):
        return _by_name(symbol.name, rule), rest
    of_members, _, of_others = rule.partition("/")
    if symbol.kind not in _MEMBERS or parent is None or parent in NAMESPACES:
        return (of_others if symbol.kind in _TOP else ""), rest
    return _by_name(symbol.name, of_members), rest


def _by_name(name: str, rule: str) -> str:
    """The visibility of a member that declares none, by the language's rule."""
    if rule == "capital":
        return "exported" if name[:1].isupper() else "private"
    if rule == "underscore":
        is_dunder = name.startswith("__") and name.endswith("__")
        return "private" if name.startswith("_") and not is_dunder else "public"
    return "private" if name.startswith("#") else rule.partition("/")[0]
