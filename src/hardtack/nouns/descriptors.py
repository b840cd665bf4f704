"""The typed accounts of a symbol that agents get instead of raw text: seed 1's data model, field for field.

Values only. What is empty is left out of the JSON, except the fields a reader may rely on: language, kind and name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolLocation:
    """Where a symbol is. Lines are 1-based and inclusive; the path is the bundle's."""

    file_path: str
    uri: str = ""
    start_line: int = 0
    end_line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDescriptor:
    """A field, property or enum member of a type."""

    name: str
    type: str = ""
    visibility: str = ""
    default: str = ""
    """What it is set to where it is declared."""
    tag: str = ""
    description: str = ""
    source_hint: str = ""
    """Where the type is from: ``phpdoc`` or ``inferred``; empty when it is declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamDescriptor:
    """A parameter of a function."""

    name: str
    type: str = ""
    default: str = ""
    description: str = ""
    source_hint: str = ""
    """``phpdoc`` when a doc comment gave the type; empty when it is declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnDescriptor:
    """A value a function gives back."""

    type: str
    description: str = ""
    source_hint: str = ""
    """``type_hint``, ``phpdoc``, ``inferred`` or ``unknown``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationDescriptor:
    """What ties a type to another: ``inherits``, ``implements``, ``embeds``, ``uses``, ``hasMany``, ..."""

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
    parameters: tuple[ParamDescriptor, ...] = ()
    returns: tuple[ReturnDescriptor, ...] = ()
    visibility: str = ""
    is_static: bool = False
    is_abstract: bool = False
    is_final: bool = False
    code: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassDescriptor:
    """A class, struct, interface, trait, enum or type, with what it holds."""

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
    """Query scopes by the names they are called by; ``metadata.scope_methods`` has their methods."""
    attributes: tuple[str, ...] = ()
    """What reads or sets like a column and is a method; ``metadata.attribute_methods`` has which, by role."""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolDescriptor:
    """Any symbol, in short."""

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


Descriptor = ClassDescriptor | FunctionDescriptor | SymbolDescriptor

_ALWAYS = frozenset({"language", "kind", "name"})


def descriptor_to_json(value: Any) -> Any:
    """A descriptor as JSON values, in field order, fields that say nothing left out."""
    if is_dataclass(value):
        pairs = ((entry.name, getattr(value, entry.name)) for entry in fields(value))
        return {name: descriptor_to_json(item) for name, item in pairs if name in _ALWAYS or _says_something(item)}
    if isinstance(value, tuple | list):
        return [descriptor_to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {name: descriptor_to_json(item) for name, item in value.items()}
    return value


def _says_something(value: object) -> bool:
    return value is not None and value is not False and value != "" and value != () and value != {} and value != 0
