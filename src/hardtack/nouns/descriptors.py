"""Typed descriptions of symbols, which tools return to agents instead of raw text. Field names are those of the JSON.

Empty fields are left out of the JSON, except language, kind and name, which are always there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from hardtack.nouns.details import Parameter
from hardtack.nouns.notebook import blocks, brief, element, folded, table


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolLocation:
    """Where a symbol is. Lines are 1-based and inclusive; the path is as in the bundle."""

    file_path: str
    uri: str = ""
    start_line: int = 0
    end_line: int = 0

    def __str__(self) -> str:
        return f"{self.file_path}:{self.start_line}-{self.end_line}" if self.start_line else self.file_path


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDescriptor:
    """A field, property or enum member of a type."""

    name: str
    type: str = ""
    visibility: str = ""
    default: str = ""
    """Its initial value in the declaration."""
    tag: str = ""
    """The tag of a field of a Go struct; in other languages its annotations, attributes or decorators, as they are written."""
    description: str = ""
    source_hint: str = ""
    """Source of the type: ``phpdoc`` or ``inferred``; empty if it is declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnDescriptor:
    """A return value of a function."""

    type: str
    description: str = ""
    source_hint: str = ""
    """``type_hint``, ``phpdoc``, ``inferred`` or ``unknown``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationDescriptor:
    """A relation of a type to another: ``inherits``, ``implements``, ``embeds``, ``uses``, ``hasMany``, ..."""

    name: str
    relation_kind: str
    related_symbol: str = ""
    foreign_key: str = ""
    local_key: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDescriptor:
    """A function, method or constructor."""

    language: str
    kind: str
    name: str
    namespace: str = ""
    receiver: str = ""
    signature: str = ""
    description: str = ""
    location: SymbolLocation | None = None
    parameters: tuple[Parameter, ...] = ()
    returns: tuple[ReturnDescriptor, ...] = ()
    visibility: str = ""
    is_static: bool = False
    is_abstract: bool = False
    is_final: bool = False
    code: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return brief("FunctionDescriptor", self.language, self.kind, _member_name(self), self.location or "")

    def _repr_html_(self) -> str:
        takes = table(("parameter", "type", "default", ""), [(p.name, p.type, p.default, p.description) for p in self.parameters])
        gives = table(("returns", ""), [(each.type, each.description) for each in self.returns])
        return _heading(self) + takes + gives + (folded("code", self.code, is_open=False) if self.code else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassDescriptor:
    """A class, struct, interface, trait, enum or type, with its members."""

    language: str
    kind: str
    name: str
    namespace: str = ""
    package: str = ""
    full_name: str = ""
    signature: str = ""
    description: str = ""
    location: SymbolLocation | None = None
    fields: tuple[FieldDescriptor, ...] = ()
    methods: tuple[FunctionDescriptor, ...] = ()
    relations: tuple[RelationDescriptor, ...] = ()
    table: str = ""
    fillable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    visible: tuple[str, ...] = ()
    appends: tuple[str, ...] = ()
    casts: Mapping[str, str] = field(default_factory=dict)
    scopes: tuple[str, ...] = ()
    """Names of query scopes as callers write them; ``metadata.scope_methods`` has their methods."""
    attributes: tuple[str, ...] = ()
    """Attributes that methods compute or set (Laravel accessors and mutators); ``metadata.attribute_methods`` has the methods."""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return brief("ClassDescriptor", self.language, self.kind, self.full_name or self.name, self.location or "")

    def _repr_html_(self) -> str:
        has = [(each.name, each.type, each.default, each.description) for each in self.fields]
        does = [(each.signature or each.name, _line(each), each.description) for each in self.methods]
        ties = [(each.relation_kind, each.related_symbol or each.name) for each in self.relations]
        members = table(("field", "type", "default", ""), has) + table(("method", "line", ""), does)
        return _heading(self) + members + table(("relation", "to"), ties)


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolDescriptor:
    """Any other symbol."""

    language: str
    kind: str
    name: str
    namespace: str = ""
    package: str = ""
    signature: str = ""
    description: str = ""
    location: SymbolLocation | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return brief("SymbolDescriptor", self.language, self.kind, self.name, self.location or "")

    def _repr_html_(self) -> str:
        return _heading(self)


Descriptor = ClassDescriptor | FunctionDescriptor | SymbolDescriptor

_ALWAYS = frozenset({"language", "kind", "name"})


def descriptor_to_json(value: Any) -> Any:
    """A descriptor as JSON values, in field order, without empty fields."""
    if is_dataclass(value):
        pairs = ((entry.name, getattr(value, entry.name)) for entry in fields(value))
        return {name: descriptor_to_json(item) for name, item in pairs if name in _ALWAYS or not _is_empty(item)}
    if isinstance(value, tuple | list):
        return [descriptor_to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {name: descriptor_to_json(item) for name, item in value.items()}
    return value


def _is_empty(value: object) -> bool:
    return value is None or value is False or value in ("", (), {}, 0)


def _member_name(function: FunctionDescriptor) -> str:
    return f"{function.receiver}.{function.name}" if function.receiver else function.name


def _line(descriptor: Descriptor) -> str:
    return str(descriptor.location.start_line) if descriptor.location else ""


def _heading(descriptor: Descriptor) -> str:
    """What each descriptor shows in a notebook: kind and name, place, signature, documentation."""
    name = _member_name(descriptor) if isinstance(descriptor, FunctionDescriptor) else descriptor.name
    place = element("code", str(descriptor.location or ""))
    title = f"<p>{element('span', f'{descriptor.language} {descriptor.kind}')} {element('b', name)} {place}</p>"
    return blocks([title, element("pre", descriptor.signature), element("p", descriptor.description)])
