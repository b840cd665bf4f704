"""A descriptor and the framework facts of its symbol in, the descriptor with those facts out.

A fact goes to the field that the descriptor has for it, else to ``metadata`` under the fact's own key, so that none is lost.
FORMAT.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardtack.nouns.descriptors import ClassDescriptor, FunctionDescriptor, RelationDescriptor, ReturnDescriptor, SymbolDescriptor
from hardtack.nouns.model import Tag
from hardtack.nouns.relations import Fact

_FUNCTION_KINDS = frozenset({"scope", "accessor", "mutator"})
"""Framework kinds that become the ``kind`` of a function."""

_COLUMNS = ("fillable", "hidden", "visible", "appends")
_RELATION = ("name", "relation_kind", "related_symbol", "foreign_key", "local_key")
_ROUTE = ("method", "uri", "controller", "action", "name", "middleware")
_FLAGS = frozenset({"timestamps", "incrementing", "soft_deletes"})
_LISTS = frozenset({"guarded", "dates", "touches", "with", "routes"})
_BOOLEANS: Mapping[str, bool] = {"true": True, "false": False}


def with_class_facts(descriptor: ClassDescriptor, facts: Sequence[Fact]) -> ClassDescriptor:
    """A type's descriptor with its table, columns, casts, relations, scopes and attributes.

    Scopes and attributes have the names by which code uses them; ``metadata`` has their methods.
    """
    is_model = Tag.LARAVEL_MODEL.value in descriptor.tags
    if not facts and not is_model:
        return descriptor
    by_key = _by_key(facts)
    table, *remarks = by_key.pop("table", [()])[0] or ("",)
    columns = {key: tuple(value for values in by_key.pop(key, []) for value in values) for key in _COLUMNS}
    relations = tuple(_relation(values) for values in by_key.pop("relation", []))
    casts = {values[0]: values[1] for values in by_key.pop("cast", []) if len(values) > 1}
    scopes = {_at(values, 0): _at(values, 1) for values in by_key.pop("scope", [])}
    attributes = _attributes(by_key.pop("attribute", []))
    metadata = {**descriptor.metadata, **_metadata(by_key)}
    metadata |= {key: value for key, value in (("scope_methods", scopes), ("attribute_methods", attributes)) if value}
    if "inferred" in remarks:
        metadata["table_is_inferred"] = True
    if is_model:
        metadata["laravel_type"] = "model"
    return replace(
        descriptor,
        kind="model" if is_model else descriptor.kind,
        table=table,
        fillable=columns["fillable"],
        hidden=columns["hidden"],
        visible=columns["visible"],
        appends=columns["appends"],
        relations=(*descriptor.relations, *relations),
        casts=casts,
        scopes=tuple(scopes),
        attributes=tuple(attributes),
        metadata=metadata,
    )


def with_function_facts(descriptor: FunctionDescriptor, facts: Sequence[Fact]) -> FunctionDescriptor:
    """A function's descriptor with its role in a framework (scope, accessor, mutator) and what a relation method returns."""
    if not facts:
        return descriptor
    by_key = _by_key(facts)
    kinds = [values[0] for values in by_key.pop("kind", []) if values]
    returns = [
        ReturnDescriptor(type=_at(values, 0), description=_at(values, 1), source_hint=_at(values, 2))
        for values in by_key.pop("returns", [])
    ]
    metadata = {**descriptor.metadata, **_metadata(by_key)}
    if other := [kind for kind in kinds if kind not in _FUNCTION_KINDS]:
        metadata["role"] = other[0]
    known = [kind for kind in kinds if kind in _FUNCTION_KINDS]
    return replace(
        descriptor, kind=known[0] if known else descriptor.kind, returns=(*descriptor.returns, *returns), metadata=metadata
    )


def with_symbol_facts(descriptor: SymbolDescriptor, facts: Sequence[Fact]) -> SymbolDescriptor:
    """Any symbol's descriptor; for a route with its method, uri, controller, action, name and middleware in ``metadata``."""
    if not facts:
        return descriptor
    by_key = _by_key(facts)
    metadata = dict(descriptor.metadata)
    for values in by_key.pop("route", []):
        route = {key: value for key, value in zip(_ROUTE, values, strict=False) if value}
        metadata |= {key: value.split("\n") if key == "middleware" else value for key, value in route.items()}
        metadata |= _pairs(values[len(_ROUTE) :])
    return replace(descriptor, metadata=metadata | _metadata(by_key))


def _by_key(facts: Iterable[Fact]) -> dict[str, list[tuple[str, ...]]]:
    """Key -> the values of each fact that has it."""
    by_key: dict[str, list[tuple[str, ...]]] = {}
    for fact in facts:
        by_key.setdefault(fact.key, []).append(fact.values)
    return by_key


def _relation(values: Sequence[str]) -> RelationDescriptor:
    """``(method, kind, related symbol, foreign key, local key, pivot table, key=value ...)`` as a relation."""
    fields = {name: _at(values, place) for place, name in enumerate(_RELATION)}
    pivot = [f"pivot_table={_at(values, len(_RELATION))}"] if _at(values, len(_RELATION)) else []
    return RelationDescriptor(**fields, description="; ".join([*pivot, *values[len(_RELATION) + 1 :]]))


def _attributes(facts: Iterable[Sequence[str]]) -> dict[str, dict[str, str]]:
    """``(attribute, method, accessor | mutator | both)`` as attribute -> role -> method."""
    attributes: dict[str, dict[str, str]] = {}
    for values in facts:
        role = _at(values, 2)
        roles = ("accessor", "mutator") if role == "both" else ("mutator" if role == "mutator" else "accessor",)
        attributes.setdefault(_at(values, 0), {}).update(dict.fromkeys(roles, _at(values, 1)))
    return attributes


def _metadata(by_key: Mapping[str, Iterable[tuple[str, ...]]]) -> dict[str, Any]:
    """Facts without a field. A fact of one value is that value, of several a list; several facts of one key are a list of those."""
    metadata: dict[str, Any] = {}
    for key, facts in by_key.items():
        if key == "controller":
            metadata |= {"laravel_type": "controller"} | _controller([value for values in facts for value in values])
        elif key in _LISTS:
            metadata[key] = [value for values in facts for value in values]
        else:
            shown = [values[0] if len(values) == 1 else list(values) for values in facts]
            metadata[key] = shown[0] if len(shown) == 1 else shown
        if key in _FLAGS:
            metadata[key] = _BOOLEANS.get(metadata[key], metadata[key])
    return metadata


def _controller(values: Sequence[str]) -> dict[str, Any]:
    """``is_api=...``, ``is_resource=...`` and actions, as JSON values."""
    return {**_pairs(values), "actions": [value for value in values if "=" not in value]}


def _pairs(values: Iterable[str]) -> dict[str, Any]:
    split = (value.partition("=") for value in values)
    return {key: _BOOLEANS.get(value, value) for key, sign, value in split if sign}


def _at(values: Sequence[str], place: int) -> str:
    return values[place] if place < len(values) else ""
