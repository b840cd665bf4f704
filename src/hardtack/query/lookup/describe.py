"""A symbol in, its descriptor out, made from the stored records of it and of its members.

Whether a function is static, abstract or final follows the rules of its language, written as a modifier or not: a Rust function
without ``self`` is static, a function without a body in an interface, protocol or trait is abstract in every language (Go's too), a
Kotlin function that is not ``open`` is final. A function that reads or sets a property is an ``accessor`` or a ``mutator``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from hardtack.bundle.format.records import SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.descriptors import (
    ClassDescriptor,
    Descriptor,
    FieldDescriptor,
    FunctionDescriptor,
    RelationDescriptor,
    ReturnDescriptor,
    SymbolDescriptor,
    SymbolLocation,
)
from hardtack.nouns.details import Attribute, Detail
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Certainty, Relation
from hardtack.query.files.line_starts import start_of_line
from hardtack.query.lookup.disambiguate import SymbolGroup
from hardtack.query.lookup.frameworks import with_class_facts, with_function_facts, with_symbol_facts
from hardtack.query.lookup.members import MemberFinder
from hardtack.query.lookup.metadata import (
    class_metadata,
    description_of,
    metadata_of,
    property_access,
    role_of,
    type_info,
    visibility_of,
)
from hardtack.query.lookup.parsed import parse_note
from hardtack.query.lookup.references import HERITAGE, imported_name, left_out_note, relations_to
from hardtack.query.lookup.symbols import place_of

_FIELDS = frozenset({Kind.FIELD, Kind.PROPERTY, Kind.ENUM_MEMBER, Kind.CONSTANT, Kind.VARIABLE})
# ``SymbolDescriptor.kind`` has fewer kinds than a bundle; ``metadata.kind`` keeps the bundle's.
_DESCRIPTOR_KINDS = {Kind.STRUCT: "class", Kind.TYPE: "class", Kind.CONSTRUCTOR: "method", Kind.VARIABLE: "constant"}
MOST_CODE: Final = 64 << 10
"""Bytes of a definition's code that its descriptor has; 2,000 lines are less."""
_MAX_NAMESAKES: Final = 5
_MAX_SUBTYPES: Final = 10
_MAX_TYPE_LINES: Final = 60
"""Lines of the longest type whose text is shown beside its descriptor."""


def describe(bundle: Bundle, ordinal: int, finder: MemberFinder | None = None, *, with_code: bool = True) -> Descriptor:
    """The descriptor of a symbol: of a type, a function, or any other symbol. Several descriptions share a ``finder``."""
    kind = bundle.symbol_name(ordinal).kind
    if kind in TYPES:
        return describe_class(bundle, ordinal, finder or MemberFinder(bundle))
    if kind in FUNCTIONS:
        return describe_function(bundle, ordinal, with_code=with_code)
    return describe_symbol(bundle, ordinal)


def describe_group(
    bundle: Bundle,
    group: SymbolGroup,
    namesakes: Sequence[SymbolGroup] = (),
    finder: MemberFinder | None = None,
    *,
    with_code: bool = True,
) -> Descriptor:
    """The descriptor of a group's definition, with the group's other symbols and its namesakes in ``metadata``.

    ``note``: its file did not parse whole; ``overloads``, for a type ``variants``: further definitions; ``declarations``: places
    that only declare it; ``namesakes``: five less likely symbols of the same name at most.
    """
    descriptor = describe(bundle, group.symbol, finder, with_code=with_code)
    parts = descriptor.metadata.get("parts", ())
    others = [_overload(bundle, each) for each in group.others if place_of(bundle, each) not in parts]
    more = {
        "note": parse_note(bundle, [descriptor.location.file_path] if descriptor.location else []),
        "variants" if isinstance(descriptor, ClassDescriptor) else "overloads": others,
        "declarations": [place_of(bundle, each) for each in group.declarations],
        "namesakes": [
            f"{bundle.symbol_name(each.symbol).qualified_name} {place_of(bundle, each.symbol)}"
            for each in namesakes[:_MAX_NAMESAKES]
        ],
    }
    return replace(descriptor, metadata={**descriptor.metadata, **{key: value for key, value in more.items() if value}})


def text_of_type(bundle: Bundle, descriptor: ClassDescriptor) -> str:
    """The source text of a type; empty for a long type, for one that holds the code of its methods, and without stored text."""
    place = descriptor.location
    file = bundle.file_at(place.file_path) if place else None
    if place is None or file is None or not bundle.has_text or place.end_line - place.start_line >= _MAX_TYPE_LINES:
        return ""
    holds_code = any(
        not method.is_abstract
        and method.location is not None
        and method.location.file_path == place.file_path
        and place.start_line <= method.location.start_line <= place.end_line
        for method in descriptor.methods
    )
    if holds_code:
        return ""
    text = bundle.text_of(file)
    start = start_of_line(text, place.start_line)
    end = start_of_line(text, place.end_line - place.start_line + 2, start)
    return _shown(text[start : min(end, start + MOST_CODE + 1)].removesuffix(b"\n"))


def _shown(code: bytes) -> str:
    """Code as text, cut at :data:`MOST_CODE` bytes with a mark that says so."""
    cut = f"\n[cut here: more than {MOST_CODE} bytes]" if len(code) > MOST_CODE else ""
    return code[:MOST_CODE].decode("utf-8", "ignore" if cut else "replace") + cut


def _overload(bundle: Bundle, ordinal: int) -> dict[str, Any]:
    symbol = bundle.symbol(ordinal)
    return {
        "signature": symbol.signature,
        "file_path": bundle.file(symbol.file).path,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
    }


def describe_class(bundle: Bundle, ordinal: int, finder: MemberFinder) -> ClassDescriptor:
    """The descriptor of a type, with its fields and methods wherever they are written, and its relations."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    language = bundle.file(symbol.file).language
    parts, members = finder.of(ordinal)
    functions = [member for member in members if bundle.symbol_name(member).kind in FUNCTIONS]
    fields = _fields(bundle, members, [each for number in (ordinal, *parts) for each in bundle.detail(number).attributes])
    methods = tuple(describe_function(bundle, member, with_code=False) for member in functions)
    relations = tuple(_relations(bundle, (ordinal, *parts)))
    metadata = class_metadata(detail, symbol.kind, language, [relation.name for relation in relations])
    if parts:
        metadata["parts"] = [place_of(bundle, part) for part in parts]
    metadata |= _subtypes(bundle, (ordinal, *parts))
    if properties := _properties(bundle, functions):
        metadata["properties"] = properties
    if language == "go":
        metadata["type_info"] = type_info(symbol.kind, detail, fields, methods)
    descriptor = ClassDescriptor(
        language=language,
        kind=symbol.kind.value,
        name=symbol.name,
        namespace=symbol.package if "\\" in symbol.package or "." in symbol.package else "",
        package=symbol.package,
        full_name=_full_name(symbol),
        signature=symbol.signature,
        description=description_of(symbol.doc, language),
        location=_location(bundle, symbol),
        fields=fields,
        methods=methods,
        relations=relations,
        tags=tuple(tag.value for tag in bundle.tags_of(ordinal)),
        metadata=metadata,
    )
    return with_class_facts(descriptor, bundle.related.facts_of(ordinal))


def describe_function(bundle: Bundle, ordinal: int, *, with_code: bool = True) -> FunctionDescriptor:
    """The descriptor of a function, method or constructor; its code only if it is wanted and stored."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    file = bundle.file(symbol.file)
    code = ""
    if with_code and bundle.has_text:
        code = _shown(bundle.text_of(file, symbol.start, min(symbol.end, symbol.start + MOST_CODE + 1)))
    descriptor = FunctionDescriptor(
        language=file.language,
        kind=role_of(detail) or symbol.kind.value,
        name=symbol.name,
        namespace=symbol.package,
        receiver=detail.receiver or (symbol.qualified_name.rpartition(".")[0] if symbol.kind is not Kind.FUNCTION else ""),
        signature=symbol.signature,
        description=description_of(symbol.doc, file.language),
        location=_location(bundle, symbol),
        parameters=detail.parameters,
        returns=tuple(
            ReturnDescriptor(type=each.type, description=each.description, source_hint=each.source_hint) for each in detail.returns
        ),
        visibility=visibility_of(detail, file.language),
        is_static="static" in detail.modifiers,
        is_abstract="abstract" in detail.modifiers,
        is_final="final" in detail.modifiers,
        code=code,
        tags=tuple(tag.value for tag in bundle.tags_of(ordinal)),
        metadata=_function_metadata(detail, file.language),
    )
    return with_function_facts(descriptor, bundle.related.facts_of(ordinal))


def descriptor_kind(kind: Kind) -> str:
    """The ``kind`` that a :class:`SymbolDescriptor` has for a kind of the bundle."""
    return _DESCRIPTOR_KINDS.get(kind, kind.value)


def describe_symbol(bundle: Bundle, ordinal: int) -> SymbolDescriptor:
    """The short descriptor of any symbol. ``metadata.kind`` is the bundle's kind where ``kind`` has no such value."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    language = bundle.file(symbol.file).language
    kind = descriptor_kind(symbol.kind)
    metadata = metadata_of(detail, language)
    metadata |= {key: value for key, value in (("type", detail.type), ("value", detail.value)) if value}
    if visibility := visibility_of(detail, language):
        metadata["visibility"] = visibility
    if kind != symbol.kind.value:
        metadata["kind"] = symbol.kind.value
    descriptor = SymbolDescriptor(
        language=language,
        kind=kind,
        name=symbol.name,
        package=symbol.package,
        signature=symbol.signature,
        description=description_of(symbol.doc, language).split("\n", 1)[0],
        location=_location(bundle, symbol),
        tags=tuple(tag.value for tag in bundle.tags_of(ordinal)),
        metadata=metadata,
    )
    return with_symbol_facts(descriptor, bundle.related.facts_of(ordinal))


def _function_metadata(detail: Detail, language: str) -> dict[str, Any]:
    metadata = metadata_of(detail, language)
    if any(decorator.lstrip("@") == "classmethod" for decorator in detail.decorators):
        metadata["is_classmethod"] = True
    return metadata


def _fields(bundle: Bundle, members: Sequence[int], attributes: Iterable[Attribute]) -> tuple[FieldDescriptor, ...]:
    """A type's fields: its members, properties written as functions, and attributes that only code or documentation declares."""
    documented = {attribute.name: attribute for attribute in attributes}
    fields: dict[str, FieldDescriptor] = {}
    for member in members:
        named = bundle.symbol_name(member)
        if named.kind in _FIELDS:
            field = _field(bundle, member, documented.pop(named.name, None))
        elif named.kind in FUNCTIONS and role_of(bundle.detail(member)) == "accessor":
            field = _property(bundle, member)
        else:
            continue
        fields.setdefault(field.name, field)
    for attribute in documented.values():
        fields.setdefault(
            attribute.name,
            FieldDescriptor(
                name=attribute.name,
                type=attribute.type,
                visibility=attribute.visibility,
                default=attribute.value,
                description=attribute.description,
                source_hint=attribute.source_hint,
            ),
        )
    return tuple(fields.values())


def _field(bundle: Bundle, ordinal: int, documented: Attribute | None) -> FieldDescriptor:
    """A field's descriptor; its type and description come from the documentation of its class where it has none of its own."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    language = bundle.file(symbol.file).language
    typed = documented if documented is not None and documented.type and not detail.type else None
    return FieldDescriptor(
        name=symbol.name,
        type=typed.type if typed else detail.type,
        visibility=visibility_of(detail, language),
        default=detail.value,
        tag=detail.tag or " ".join(detail.decorators),
        description=description_of(symbol.doc, language) or (documented.description if documented else ""),
        source_hint=typed.source_hint if typed else detail.type_source,
    )


def _property(bundle: Bundle, ordinal: int) -> FieldDescriptor:
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    result = detail.returns[0] if detail.returns else None
    return FieldDescriptor(
        name=symbol.name,
        type=result.type if result else "",
        visibility=visibility_of(detail, bundle.file(symbol.file).language),
        description=symbol.doc,
        source_hint=result.source_hint if result and result.source_hint != "type_hint" else "",
    )


def _properties(bundle: Bundle, functions: Iterable[int]) -> dict[str, dict[str, bool]]:
    """Name -> whether it has a getter, setter and deleter, of each property that is written as functions."""
    details = [(bundle.symbol_name(number).name, bundle.detail(number)) for number in functions]
    return {name: property_access(name, details) for name, detail in details if role_of(detail) == "accessor"}


def _relations(bundle: Bundle, ordinals: Sequence[int]) -> Iterator[RelationDescriptor]:
    """The supertypes of a type and its parts: each name as written, and the full name of its symbol where that is resolved."""
    known: dict[tuple[str, str], Relation] = {}
    for ordinal in ordinals:
        for relation in bundle.related.relations_from(ordinal):
            if relation.kind in HERITAGE:
                known.setdefault((relation.kind.value, relation.name), relation)
    resolved = {name for _, name in known}
    stated = [(base.relation, base.name) for ordinal in ordinals for base in bundle.detail(ordinal).supertypes]
    # A resolved relation wins over the stated one: only resolving shows whether a base in C# is an interface.
    for kind, name in dict.fromkeys((*(pair for pair in stated if pair in known or pair[1] not in resolved), *known)):
        found = known.get((kind, name))
        is_certain = found is None or found.target < 0 or found.certainty is Certainty.EXACT
        yield RelationDescriptor(
            name=name,
            relation_kind=kind,
            related_symbol=_full_name(bundle.symbol(found.target))
            if found and found.target >= 0
            else imported_name(bundle, bundle.symbol(ordinals[0]).file, name),
            description="" if is_certain or found is None else found.certainty.value,
        )


def _subtypes(bundle: Bundle, ordinals: Sequence[int]) -> dict[str, Any]:
    """``subtypes``: what inherits from, implements, embeds or uses a type or a part of it directly.

    ``more_subtypes``: how many are not listed; ``subtypes_note``: says that the build has left some out.
    """
    relations = [
        each for ordinal in ordinals for each in relations_to(bundle, ordinal) if each.kind in HERITAGE and each.source >= 0
    ]
    found = list({relation.source: relation for relation in reversed(relations)}.values())[::-1]
    listed = [
        {
            "name": bundle.symbol_name(each.source).qualified_name,
            "relation": each.kind.value,
            "place": place_of(bundle, each.source),
            **({} if each.certainty is Certainty.EXACT else {"certainty": each.certainty.value}),
        }
        for each in found[:_MAX_SUBTYPES]
    ]
    facts = {"subtypes": listed, "more_subtypes": len(found) - len(listed), "subtypes_note": left_out_note(bundle, ordinals)}
    return {key: value for key, value in facts.items() if value}


def _full_name(symbol: SymbolRecord) -> str:
    separator = "\\" if "\\" in symbol.package else "."
    own = symbol.qualified_name.replace(".", separator)
    return f"{symbol.package}{separator}{own}" if symbol.package else own


def _location(bundle: Bundle, symbol: SymbolRecord) -> SymbolLocation:
    """A symbol's place, without a ``uri``: only the caller knows the name of the index."""
    return SymbolLocation(file_path=bundle.file(symbol.file).path, start_line=symbol.start_line, end_line=symbol.end_line)
