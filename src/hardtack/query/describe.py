"""A symbol in, its typed account out, put together from what is stored of it and of what it holds."""

from __future__ import annotations

from collections.abc import Sequence

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import SymbolName, SymbolRecord
from hardtack.descriptors import (
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
from hardtack.model import Detail, Kind
from hardtack.query.symbols import FUNCTIONS, TYPES

_FIELDS = frozenset({Kind.FIELD, Kind.PROPERTY, Kind.ENUM_MEMBER, Kind.CONSTANT, Kind.VARIABLE})
_STATIC = frozenset({"staticmethod", "classmethod"})
# Kinds the seed's SymbolDescriptor has no word for (CONTRACTS 0.10); metadata.kind keeps ours.
_SEED_KINDS = {Kind.STRUCT: "class", Kind.TYPE: "class", Kind.CONSTRUCTOR: "method", Kind.VARIABLE: "constant"}


def describe(bundle: Bundle, ordinal: int) -> Descriptor:
    """The account of a symbol that fits what it is."""
    kind = bundle.symbol_name(ordinal).kind
    if kind in TYPES:
        return describe_class(bundle, ordinal)
    if kind in FUNCTIONS:
        return describe_function(bundle, ordinal)
    return describe_symbol(bundle, ordinal)


def describe_class(bundle: Bundle, ordinal: int) -> ClassDescriptor:
    """The account of a type: its own, its fields and methods, and what it rests on."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    members = _members(bundle, ordinal)
    return ClassDescriptor(
        language=bundle.file(symbol.file).language,
        kind=symbol.kind.value,
        name=symbol.name,
        namespace=symbol.package if "\\" in symbol.package or "." in symbol.package else "",
        package=symbol.package,
        full_name=_full_name(symbol),
        signature=symbol.signature,
        description=symbol.doc,
        location=_location(bundle, symbol),
        fields=tuple(_field(bundle, member) for member in members if bundle.symbol_name(member).kind in _FIELDS),
        methods=tuple(
            describe_function(bundle, member, with_code=False) for member in members if bundle.symbol_name(member).kind in FUNCTIONS
        ),
        relations=tuple(
            RelationDescriptor(name=base.name, relation_kind=base.relation, related_symbol=base.name) for base in detail.supertypes
        ),
        metadata=_metadata(detail),
    )


def describe_function(bundle: Bundle, ordinal: int, *, with_code: bool = True) -> FunctionDescriptor:
    """The account of a function, method or constructor; its code only if asked for and stored."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    file = bundle.file(symbol.file)
    code = ""
    if with_code and bundle.has_text:
        code = bundle.text_of(file, symbol.span.start, symbol.span.end).decode("utf-8", "replace")
    return FunctionDescriptor(
        language=file.language,
        kind=symbol.kind.value,
        name=symbol.name,
        namespace=symbol.package,
        receiver=detail.receiver or (symbol.qualified_name.rpartition(".")[0] if symbol.kind is not Kind.FUNCTION else ""),
        signature=symbol.signature,
        description=symbol.doc,
        location=_location(bundle, symbol),
        parameters=tuple(
            ParamDescriptor(name=each.name, type=each.type, default=each.default, description=each.description)
            for each in detail.parameters
        ),
        returns=tuple(
            ReturnDescriptor(type=each.type, description=each.description, source_hint=each.source_hint) for each in detail.returns
        ),
        visibility=detail.visibility,
        is_static="static" in detail.modifiers or any(name.lstrip("@") in _STATIC for name in detail.decorators),
        is_abstract="abstract" in detail.modifiers or any("abstractmethod" in name for name in detail.decorators),
        is_final="final" in detail.modifiers or any(name.lstrip("@") in ("final", "typing.final") for name in detail.decorators),
        code=code,
        metadata=_metadata(detail),
    )


def describe_symbol(bundle: Bundle, ordinal: int) -> SymbolDescriptor:
    """Any symbol in short; ``metadata.kind`` keeps our kind where the seed's list has no such word (CONTRACTS 0.10)."""
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    kind = _SEED_KINDS.get(symbol.kind, symbol.kind.value)
    metadata = _metadata(detail)
    return SymbolDescriptor(
        language=bundle.file(symbol.file).language,
        kind=kind,
        name=symbol.name,
        package=symbol.package,
        signature=symbol.signature,
        description=symbol.doc.split("\n", 1)[0],
        location=_location(bundle, symbol),
        metadata=metadata if kind == symbol.kind.value else {**metadata, "kind": symbol.kind.value},
    )


def _members(bundle: Bundle, ordinal: int) -> list[int]:
    """Symbols directly inside a type, in source order, then methods that are declared on it elsewhere.

    Go declares methods by receiver, Rust in ``impl`` blocks, C++ defines them outside: their qualified names say so. They are
    looked for in the files of the type's language in its folder.
    """
    symbol = bundle.symbol(ordinal)
    home = bundle.file(symbol.file)
    inside = [
        number for number in range(ordinal + 1, home.first_symbol + home.symbol_count) if bundle.symbol(number).parent == ordinal
    ]
    names = {bundle.symbol_name(number).name for number in inside}
    folder = home.path.rpartition("/")[0]
    elsewhere = [
        number
        for file in bundle.files
        if file.language == home.language and file.path.rpartition("/")[0] == folder
        for number in range(file.first_symbol, file.first_symbol + file.symbol_count)
        if _is_method_of(symbol, bundle.symbol_name(number)) and bundle.symbol_name(number).name not in names
    ]
    return [*inside, *elsewhere]


def _is_method_of(owner: SymbolRecord, named: SymbolName) -> bool:
    return named.kind in FUNCTIONS and named.qualified_name == f"{owner.qualified_name}.{named.name}"


def _field(bundle: Bundle, ordinal: int) -> FieldDescriptor:
    symbol, detail = bundle.symbol(ordinal), bundle.detail(ordinal)
    return FieldDescriptor(name=symbol.name, type=detail.type, visibility=detail.visibility, tag=detail.tag, description=symbol.doc)


def _full_name(symbol: SymbolRecord) -> str:
    separator = "\\" if "\\" in symbol.package else "."
    own = symbol.qualified_name.replace(".", separator)
    return f"{symbol.package}{separator}{own}" if symbol.package else own


def _location(bundle: Bundle, symbol: SymbolRecord) -> SymbolLocation:
    path, span = bundle.file(symbol.file).path, symbol.span
    return SymbolLocation(
        file_path=path,
        uri=f"hardtack://{bundle.name}/{path}#L{span.start_line}-L{span.end_line}",
        start_line=span.start_line,
        end_line=span.end_line,
    )


def _metadata(detail: Detail) -> dict[str, object]:
    kept: dict[str, Sequence[str]] = {
        "modifiers": detail.modifiers,
        "decorators": detail.decorators,
        "type_parameters": detail.type_parameters,
    }
    return {key: list(value) for key, value in kept.items() if value}
