"""A symbol in, its typed account out, put together from what is stored of it and of what it holds.

Whether a function is static, abstract or final is what its language makes of it, stated or not: a Rust function without ``self``
is static, what an interface, protocol or trait declares without a body is abstract in every language (Go's too), a Kotlin function
that is not ``open`` is final. A function that reads or sets a property is an ``accessor`` or a ``mutator``.
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
    ParamDescriptor,
    RelationDescriptor,
    ReturnDescriptor,
    SymbolDescriptor,
    SymbolLocation,
)
from hardtack.nouns.details import Attribute, Detail
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Certainty, Relation
from hardtack.query.lookup.disambiguate import SymbolGroup
from hardtack.query.lookup.frameworks import with_class_facts, with_function_facts, with_symbol_facts
from hardtack.query.lookup.members import members_of
from hardtack.query.lookup.metadata import class_metadata, description_of, is_settable, metadata_of, role_of, visibility_of
from hardtack.query.lookup.references import HERITAGE, imported_name
from hardtack.query.lookup.type_info import type_info

_FIELDS = frozenset({Kind.FIELD, Kind.PROPERTY, Kind.ENUM_MEMBER, Kind.CONSTANT, Kind.VARIABLE})
# Kinds the seed's SymbolDescriptor has no word for (CONTRACTS 0.10); metadata.kind keeps ours.
_SEED_KINDS = {Kind.STRUCT: "class", Kind.TYPE: "class", Kind.CONSTRUCTOR: "method", Kind.VARIABLE: "constant"}
_NAMESAKES: Final = 5
_MOST_LINES: Final = 60
"""Of a type whose text is shown beside its account."""


def describe(bundle: Bundle, ordinal: int) -> Descriptor:
    """The account of a symbol that fits what it is."""
    kind = bundle.symbol_name(ordinal).kind
    if kind in TYPES:
        return describe_class(bundle, ordinal)
    if kind in FUNCTIONS:
        return describe_function(bundle, ordinal)
    return describe_symbol(bundle, ordinal)


def describe_group(bundle: Bundle, thing: SymbolGroup, namesakes: Sequence[SymbolGroup] = ()) -> Descriptor:
    """The account of what is meant by a name, which says besides where else it is written and what else is called so.

    ``metadata.overloads``, of a type ``metadata.variants``: its further definitions; ``metadata.declarations``: places that only
    declare it; ``metadata.namesakes``: at most five others of its name that were taken for less likely.
    """
    account = describe(bundle, thing.symbol)
    parts = account.metadata.get("parts", ())
    others = [_in_short(bundle, each) for each in thing.others if _place(bundle, each) not in parts]
    said = {
        "variants" if isinstance(account, ClassDescriptor) else "overloads": others,
        "declarations": [_place(bundle, each) for each in thing.declarations],
        "namesakes": [
            f"{bundle.symbol_name(each.symbol).qualified_name} {_place(bundle, each.symbol)}" for each in namesakes[:_NAMESAKES]
        ],
    }
    return replace(account, metadata={**account.metadata, **{key: value for key, value in said.items() if value}})


def text_of_type(bundle: Bundle, account: ClassDescriptor) -> str:
    """The text of a type as it is written, where its account does not tell it better.

    Empty for one that is long, that holds its methods' code, or whose bundle has no text.
    """
    place = account.location
    file = bundle.file_at(place.file_path) if place else None
    if place is None or file is None or not bundle.has_text or place.end_line - place.start_line >= _MOST_LINES:
        return ""
    holds_code = any(
        not method.is_abstract
        and method.location is not None
        and method.location.file_path == place.file_path
        and place.start_line <= method.location.start_line <= place.end_line
        for method in account.methods
    )
    lines = bundle.text_of(file).split(b"\n")[place.start_line - 1 : place.end_line]
    return "" if holds_code else b"\n".join(lines).decode("utf-8", "replace")


def _in_short(bundle: Bundle, ordinal: int) -> dict[str, Any]:
    symbol = bundle.symbol(ordinal)
    return {
        "signature": symbol.signature,
        "file_path": bundle.file(symbol.file).path,
        "start_line": symbol.start_line,
        "end_line": symbol.end_line,
    }


def describe_class(bundle: Bundle, ordinal: int) -> ClassDescriptor:
    """The account of a type: its own, its fields and methods wherever they are written, and what it rests on."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    language = bundle.file(symbol.file).language
    parts, members = members_of(bundle, ordinal)
    functions = [member for member in members if bundle.symbol_name(member).kind in FUNCTIONS]
    fields = _fields(bundle, members, [each for number in (ordinal, *parts) for each in bundle.detail(number).attributes])
    methods = tuple(describe_function(bundle, member, with_code=False) for member in functions)
    relations = tuple(_relations(bundle, (ordinal, *parts)))
    metadata = class_metadata(detail, symbol.kind, language, [relation.name for relation in relations])
    if parts:
        metadata["parts"] = [_place(bundle, part) for part in parts]
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
    """The account of a function, method or constructor; its code only if asked for and stored."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    file = bundle.file(symbol.file)
    code = ""
    if with_code and bundle.has_text:
        code = bundle.text_of(file, symbol.span.start, symbol.span.end).decode("utf-8", "replace")
    descriptor = FunctionDescriptor(
        language=file.language,
        kind=role_of(detail) or symbol.kind.value,
        name=symbol.name,
        namespace=symbol.package,
        receiver=detail.receiver or (symbol.qualified_name.rpartition(".")[0] if symbol.kind is not Kind.FUNCTION else ""),
        signature=symbol.signature,
        description=description_of(symbol.doc, file.language),
        location=_location(bundle, symbol),
        parameters=tuple(
            ParamDescriptor(
                name=each.name, type=each.type, default=each.default, description=each.description, source_hint=each.source_hint
            )
            for each in detail.parameters
        ),
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
    """What the seed's ``SymbolDescriptor`` calls a kind."""
    return _SEED_KINDS.get(kind, kind.value)


def describe_symbol(bundle: Bundle, ordinal: int) -> SymbolDescriptor:
    """Any symbol in short; ``metadata.kind`` keeps our kind where the seed's list has no such word (CONTRACTS 0.10)."""
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
    """What instances have: fields and constants, properties that are written as functions, and what only code or words declare."""
    said = {attribute.name: attribute for attribute in attributes}
    fields: dict[str, FieldDescriptor] = {}
    for member in members:
        named = bundle.symbol_name(member)
        if named.kind in _FIELDS:
            field = _field(bundle, member, said.pop(named.name, None))
        elif named.kind in FUNCTIONS and role_of(bundle.detail(member)) == "accessor":
            field = _property(bundle, member)
        else:
            continue
        fields.setdefault(field.name, field)
    for attribute in said.values():
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


def _field(bundle: Bundle, ordinal: int, said: Attribute | None) -> FieldDescriptor:
    """A field's account; what its type's documentation says of it stands in for what it does not say itself."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    language = bundle.file(symbol.file).language
    is_typed_there = said is not None and said.type != "" and not detail.type
    return FieldDescriptor(
        name=symbol.name,
        type=said.type if said is not None and is_typed_there else detail.type,
        visibility=visibility_of(detail, language),
        default=detail.value,
        tag=detail.tag,
        description=description_of(symbol.doc, language) or (said.description if said is not None else ""),
        source_hint=said.source_hint if said is not None and is_typed_there else detail.type_source,
    )


def _property(bundle: Bundle, ordinal: int) -> FieldDescriptor:
    """A getter as the property it reads."""
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
    """How the properties that are written as functions can be used, by name."""
    details = [(bundle.symbol_name(number).name, bundle.detail(number)) for number in functions]
    return {name: is_settable(detail, name, details) for name, detail in details if role_of(detail) == "accessor"}


def _relations(bundle: Bundle, ordinals: Sequence[int]) -> Iterator[RelationDescriptor]:
    """What a type and its parts rest on: as it is written, and the full name of the symbol that is meant where that is known."""
    known: dict[tuple[str, str], Relation] = {}
    for ordinal in ordinals:
        for relation in bundle.related.relations_from(ordinal):
            if relation.kind in HERITAGE:
                known.setdefault((relation.kind.value, relation.name), relation)
    resolved = {name for _, name in known}
    stated = [(base.relation, base.name) for ordinal in ordinals for base in bundle.detail(ordinal).supertypes]
    # Resolving may show what syntax could not: that a C# base is an interface.
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


def _full_name(symbol: SymbolRecord) -> str:
    separator = "\\" if "\\" in symbol.package else "."
    own = symbol.qualified_name.replace(".", separator)
    return f"{symbol.package}{separator}{own}" if symbol.package else own


def _place(bundle: Bundle, ordinal: int) -> str:
    symbol = bundle.symbol(ordinal)
    return f"{bundle.file(symbol.file).path}:{symbol.span.start_line}-{symbol.span.end_line}"


def _location(bundle: Bundle, symbol: SymbolRecord) -> SymbolLocation:
    """Without its address, which who serves the bundle knows."""
    return SymbolLocation(file_path=bundle.file(symbol.file).path, start_line=symbol.start_line, end_line=symbol.end_line)
