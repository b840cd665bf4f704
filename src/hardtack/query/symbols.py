"""A name in, the symbols that have it out; a symbol in, its typed account out. Exact, complete, and never guessing.

Names are matched in steps, and the first step that finds anything decides: the name as it is, then as the end of a qualified name,
then in any case. What is left ambiguous is listed, not chosen from; a name that is nowhere gets the nearest ones that are.
Every symbol's whole name is a term of the lexical index, so a look-up reads a few postings, not the symbol table.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardtack.bundle.lexical import Filter
from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import SymbolRecord
from hardtack.descriptors import (
    ClassDescriptor,
    FieldDescriptor,
    FunctionDescriptor,
    ParamDescriptor,
    RelationDescriptor,
    ReturnDescriptor,
    SymbolDescriptor,
    SymbolLocation,
)
from hardtack.model import Detail, Kind
from hardtack.query.retrieve import qualified
from hardtack.terms import parts_of, whole_name

TYPES = frozenset({Kind.CLASS, Kind.STRUCT, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM, Kind.TYPE})
FUNCTIONS = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR})
FIELDS = frozenset({Kind.FIELD, Kind.PROPERTY, Kind.ENUM_MEMBER, Kind.CONSTANT, Kind.VARIABLE})
_SUGGESTIONS = 5
_NEAR = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """What a name was found to mean."""

    found: tuple[int, ...]
    """Ordinals of the symbols, in path order; more than one is an ambiguity, and all of it."""
    suggestions: tuple[str, ...] = ()
    """Nearest qualified names, best first, when nothing was found."""


def look_up(bundle: Bundle, name: str, kinds: frozenset[Kind], *, package: str = "", owner: str = "") -> LookUp:
    """The symbols called ``name``.

    Args:
        bundle: where to look.
        name: a name, or a qualified name joined as any language joins it.
        kinds: of symbols that count.
        package: only symbols of this package or namespace, or of one that ends in it.
        owner: only members of a type of this name.
    """
    wanted = qualified(name.strip())
    last = wanted.rpartition(".")[2]
    candidates = [
        (ordinal, symbol)
        for ordinal, symbol in _with_term(bundle, whole_name(last), kinds)
        if _is_in(symbol.package, package) and _is_owned(symbol, owner)
    ]
    for matches in _STEPS:
        if found := tuple(ordinal for ordinal, symbol in candidates if matches(symbol, wanted)):
            return LookUp(found=found)
    return LookUp(found=(), suggestions=_nearest(bundle, last, kinds))


_STEPS: tuple[Callable[[SymbolRecord, str], bool], ...] = (
    lambda symbol, wanted: wanted in (symbol.name, symbol.qualified_name),
    lambda symbol, wanted: f"{symbol.package}.{symbol.qualified_name}".replace("\\", ".").replace("::", ".").endswith(f".{wanted}"),
    lambda symbol, wanted: wanted.lower() in (symbol.name.lower(), symbol.qualified_name.lower()),
)


def _with_term(bundle: Bundle, term: str, kinds: frozenset[Kind]) -> list[tuple[int, SymbolRecord]]:
    """Every symbol of the kinds whose name, or qualified name, has this folded form, in path order."""
    found = bundle.lexical.search({"symbol": [(term, 1.0)]}, max(bundle.manifest.counts.chunks, 1), Filter())
    symbols = []
    for chunk_ordinal, _ in sorted(found):
        chunk = bundle.chunk(chunk_ordinal)
        for ordinal in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count):
            named = bundle.symbol_name(ordinal)
            if named.kind in kinds and whole_name(named.name) == term:
                symbols.append((ordinal, bundle.symbol(ordinal)))
    return symbols


def _is_in(package: str, wanted: str) -> bool:
    if not wanted:
        return True
    have, want = qualified(package), qualified(wanted)
    return have == want or have.endswith(f".{want}") or have.startswith(f"{want}.")


def _is_owned(symbol: SymbolRecord, owner: str) -> bool:
    if not owner:
        return True
    scope = symbol.qualified_name.rpartition(".")[0]
    want = qualified(owner)
    return scope == want or scope.endswith(f".{want}")


def _nearest(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> tuple[str, ...]:
    """Qualified names near ``name``: those that share its parts, by likeness."""
    terms = [(part, 1.0) for part in dict.fromkeys([name.lower(), *parts_of(name)])]
    near: dict[str, float] = {}
    for chunk_ordinal, _ in bundle.lexical.search({"name": terms, "symbol": terms}, _NEAR, Filter()):
        chunk = bundle.chunk(chunk_ordinal)
        for ordinal in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count):
            named = bundle.symbol_name(ordinal)
            if named.kind in kinds:
                near[named.qualified_name] = difflib.SequenceMatcher(None, name.lower(), named.folded[0]).ratio()
    return tuple(sorted(near, key=lambda found: (-near[found], found))[:_SUGGESTIONS])


# -- typed accounts -------------------------------------------------------------------------------------------------------------


def describe(bundle: Bundle, ordinal: int) -> ClassDescriptor | FunctionDescriptor | SymbolDescriptor:
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
        namespace=symbol.package if _SEPARATED.intersection(symbol.package) else "",
        package=symbol.package,
        full_name=_full_name(symbol),
        signature=symbol.signature,
        description=symbol.doc,
        location=_location(bundle, symbol),
        fields=tuple(_field(bundle, member) for member in members if bundle.symbol_name(member).kind in FIELDS),
        methods=tuple(
            describe_function(bundle, member, with_code=False) for member in members if bundle.symbol_name(member).kind in FUNCTIONS
        ),
        relations=tuple(
            RelationDescriptor(name=base.name, relation_kind=base.relation, related_symbol=base.name) for base in detail.supertypes
        ),
        tags=_tags(symbol, detail),
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
        tags=_tags(symbol, detail),
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
        tags=_tags(symbol, detail),
        metadata=metadata if kind == symbol.kind.value else {**metadata, "kind": symbol.kind.value},
    )


_STATIC = frozenset({"staticmethod", "classmethod"})
_SEPARATED = frozenset("\\.")
_SEED_KINDS = {
    Kind.STRUCT: "class",
    Kind.TYPE: "class",
    Kind.CONSTRUCTOR: "method",
    Kind.VARIABLE: "constant",
}


def _members(bundle: Bundle, ordinal: int) -> list[int]:
    """Symbols directly inside a type, in source order."""
    file = bundle.file(bundle.symbol(ordinal).file)
    last = file.first_symbol + file.symbol_count
    return [number for number in range(ordinal + 1, last) if bundle.symbol(number).parent == ordinal]


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


def _tags(symbol: SymbolRecord, detail: Detail) -> tuple[str, ...]:
    return ()


def _metadata(detail: Detail) -> dict[str, object]:
    kept: dict[str, Sequence[str]] = {
        "modifiers": detail.modifiers,
        "decorators": detail.decorators,
        "type_parameters": detail.type_parameters,
    }
    return {key: list(value) for key, value in kept.items() if value}
