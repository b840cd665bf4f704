"""A typed account and what frameworks say of its symbol in, the account with that in its fields out. Pure.

What the seed's descriptors have a field for goes there; the rest goes to ``metadata``, under its own key where nothing better is
known, so that no fact is lost on a reader that does not know it (FORMAT.md 4.11 lists the keys).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardtack.nouns.descriptors import ClassDescriptor, FunctionDescriptor, RelationDescriptor, ReturnDescriptor, SymbolDescriptor
from hardtack.nouns.model import Tag
from hardtack.nouns.relations import Fact

_FUNCTION_KINDS = frozenset({"scope", "accessor", "mutator"})
"""What the seed calls a function beyond what it is in its language."""

_COLUMNS = ("fillable", "hidden", "visible", "appends")
_RELATION = ("name", "relation_kind", "related_symbol", "foreign_key", "local_key")
_ROUTE = ("method", "uri", "controller", "action", "name", "middleware")
_FLAGS = frozenset({"timestamps", "incrementing", "soft_deletes"})
_LISTS = frozenset({"guarded", "dates", "touches", "with", "routes"})
_BOOLEANS: Mapping[str, bool] = {"true": True, "false": False}


def with_class_facts(descriptor: ClassDescriptor, facts: Sequence[Fact]) -> ClassDescriptor:
    """A type's account with its table, columns, casts, relations, scopes and attributes.

    Scopes and attributes go by the names they are used by; ``metadata`` says which methods they are.
    """
    is_model = Tag.LARAVEL_MODEL.value in descriptor.tags
    if not facts and not is_model:
        return descriptor
    of: dict[str, list[tuple[str, ...]]] = {}
    for fact in facts:
        of.setdefault(fact.key, []).append(fact.values)
    table, *stated = _first(of.pop("table", []), 1)
    columns = {key: tuple(value for values in of.pop(key, []) for value in values) for key in _COLUMNS}
    relations = tuple(_relation(values) for values in of.pop("relation", []))
    casts = {values[0]: values[1] for values in of.pop("cast", []) if len(values) > 1}
    scopes = {_at(values, 0): _at(values, 1) for values in of.pop("scope", [])}
    attributes = _attributes(of.pop("attribute", []))
    metadata = {**descriptor.metadata, **_metadata(of)}
    metadata |= {key: value for key, value in (("scope_methods", scopes), ("attribute_methods", attributes)) if value}
    if "inferred" in stated:
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
    """A function's account with what a framework makes of it: a scope, an accessor, a mutator; what a relation gives."""
    if not facts:
        return descriptor
    kinds = [fact.values[0] for fact in facts if fact.key == "kind" and fact.values]
    returns = [
        ReturnDescriptor(type=_at(fact.values, 0), description=_at(fact.values, 1), source_hint=_at(fact.values, 2))
        for fact in facts
        if fact.key == "returns"
    ]
    rest: dict[str, list[tuple[str, ...]]] = {}
    for fact in facts:
        if fact.key not in ("kind", "returns"):
            rest.setdefault(fact.key, []).append(fact.values)
    metadata = {**descriptor.metadata, **_metadata(rest)}
    if other := [kind for kind in kinds if kind not in _FUNCTION_KINDS]:
        metadata["role"] = other[0]
    known = [kind for kind in kinds if kind in _FUNCTION_KINDS]
    return replace(
        descriptor, kind=known[0] if known else descriptor.kind, returns=(*descriptor.returns, *returns), metadata=metadata
    )


def with_symbol_facts(descriptor: SymbolDescriptor, facts: Sequence[Fact]) -> SymbolDescriptor:
    """Any symbol's account; of a route its method, uri, controller, action, name and middleware."""
    if not facts:
        return descriptor
    metadata = dict(descriptor.metadata)
    rest: dict[str, list[tuple[str, ...]]] = {}
    for fact in facts:
        if fact.key == "route":
            route = {key: value for key, value in zip(_ROUTE, fact.values, strict=False) if value}
            metadata |= {key: value.split("\n") if key == "middleware" else value for key, value in route.items()}
            metadata |= _pairs(fact.values[len(_ROUTE) :])
        else:
            rest.setdefault(fact.key, []).append(fact.values)
    return replace(descriptor, metadata=metadata | _metadata(rest))


def _relation(values: Sequence[str]) -> RelationDescriptor:
    """``(method, kind, related symbol, foreign key, local key, pivot table, key=value ...)`` as a relation."""
    fields = {name: _at(values, place) for place, name in enumerate(_RELATION)}
    pivot = [f"pivot_table={_at(values, len(_RELATION))}"] if _at(values, len(_RELATION)) else []
    return RelationDescriptor(**fields, description="; ".join([*pivot, *values[len(_RELATION) + 1 :]]))


def _attributes(said: Iterable[Sequence[str]]) -> dict[str, dict[str, str]]:
    """``(attribute, method, accessor | mutator | both)`` as attribute -> role -> method."""
    attributes: dict[str, dict[str, str]] = {}
    for values in said:
        role = _at(values, 2)
        roles = ("accessor", "mutator") if role == "both" else ("mutator" if role == "mutator" else "accessor",)
        attributes.setdefault(_at(values, 0), {}).update(dict.fromkeys(roles, _at(values, 1)))
    return attributes


def _metadata(of: Mapping[str, Iterable[tuple[str, ...]]]) -> dict[str, Any]:
    """Facts without a field of their own: one value as it is, several as a list, what is said more than once as a list of those."""
    metadata: dict[str, Any] = {}
    for key, said in of.items():
        if key == "controller":
            metadata |= {"laravel_type": "controller"} | _controller([value for values in said for value in values])
        elif key in _LISTS:
            metadata[key] = [value for values in said for value in values]
        else:
            shown = [values[0] if len(values) == 1 else list(values) for values in said]
            metadata[key] = shown[0] if len(shown) == 1 else shown
        if key in _FLAGS:
            metadata[key] = _BOOLEANS.get(metadata[key], metadata[key])
    return metadata


def _controller(values: Sequence[str]) -> dict[str, Any]:
    """What ``is_api=..., is_resource=..., action ...`` says."""
    return {**_pairs(values), "actions": [value for value in values if "=" not in value]}


def _pairs(values: Iterable[str]) -> dict[str, Any]:
    split = (value.partition("=") for value in values)
    return {key: _BOOLEANS.get(value, value) for key, sign, value in split if sign}


def _at(values: Sequence[str], place: int) -> str:
    return values[place] if place < len(values) else ""


def _first(said: Sequence[tuple[str, ...]], least: int) -> tuple[str, ...]:
    """The first of what is said, with at least so many values."""
    values = said[0] if said else ()
    return (*values, *[""] * (least - len(values)))
