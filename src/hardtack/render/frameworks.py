"""The descriptor of a type in, Markdown lines on what a framework adds out: table, columns, casts, scopes and attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardtack.nouns.descriptors import ClassDescriptor, RelationDescriptor
from hardtack.render.markdown import code, prose

HERITAGE: Final = frozenset({"inherits", "implements", "embeds", "uses"})
"""Relations between types that are not of a framework."""


def framework_lines(descriptor: ClassDescriptor) -> Iterator[str]:
    """Blocks of lines, each after an empty one; none for a type without framework data."""
    if relations := [each for each in descriptor.relations if each.relation_kind not in HERITAGE]:
        yield from ("", "**Laravel Relations:**", "")
        yield from map(_laravel_relation, relations)
    if descriptor.table:
        inferred = " (inferred from the name)" if descriptor.metadata.get("table_is_inferred") else ""
        yield from ("", f"**Table:** {code(descriptor.table)}{inferred}")
    lists = {
        "Fillable": descriptor.fillable,
        "Guarded": descriptor.metadata.get("guarded", ()),
        "Hidden": descriptor.hidden,
        "Visible": descriptor.visible,
        "Appends": descriptor.appends,
    }
    for title, columns in lists.items():
        if columns:
            yield from ("", f"**{title}:** {', '.join(map(code, columns))}")
    if descriptor.casts:
        yield from ("", "**Casts:**", "")
        yield from (f"- {code(column)}: {code(cast)}" for column, cast in descriptor.casts.items())
    if descriptor.scopes:
        methods = descriptor.metadata.get("scope_methods", {})
        yield from ("", "**Scopes:**", "")
        yield from (f"- {code(name)}: {code(methods.get(name, name))}" for name in descriptor.scopes)
    if descriptor.attributes:
        roles = descriptor.metadata.get("attribute_methods", {})
        yield from ("", "**Attributes:**", "")
        for name in descriptor.attributes:
            yield f"- {code(name)}: {', '.join(f'{prose(role)} {code(method)}' for role, method in roles.get(name, {}).items())}"
    if actions := descriptor.metadata.get("actions"):
        yield from ("", f"**Actions:** {', '.join(map(code, actions))}")


_SUBTYPE_WORDS = {"inherits": "inherits from"}


def heritage_lines(descriptor: ClassDescriptor) -> Iterator[str]:
    """Blocks of lines after an empty one: the supertypes as they are written, with qualified names that differ; the subtypes."""
    if relations := [each for each in descriptor.relations if each.relation_kind in HERITAGE]:
        yield from ("", "**Relations:**", "")
        for relation in relations:
            related = f": {code(relation.related_symbol)}" if relation.related_symbol not in ("", relation.name) else ""
            description = f" ({prose(relation.description)})" if relation.description else ""
            yield f"- {relation.relation_kind} {code(relation.name)}{related}{description}"
    if subtypes := descriptor.metadata.get("subtypes"):
        yield from ("", "**Subtypes:**", "")
        for each in subtypes:
            words = _SUBTYPE_WORDS.get(each["relation"], prose(each["relation"]))
            certainty = f" ({prose(each['certainty'])})" if "certainty" in each else ""
            yield f"- {code(each['name'])} {words} it{certainty} {code(each['place'])}"
        if more := descriptor.metadata.get("more_subtypes"):
            yield f"- {more} more: ask for the implementations of {code(descriptor.name)}"
        if note := descriptor.metadata.get("subtypes_note"):
            yield f"- {prose(note)}"


def _laravel_relation(relation: RelationDescriptor) -> str:
    kind = relation.relation_kind[:1].upper() + relation.relation_kind[1:]
    type_ = f"{kind}<{relation.related_symbol}>" if relation.related_symbol else kind
    keys = {"foreignKey": relation.foreign_key, "localKey": relation.local_key}
    notes = [*(f"{key}={value}" for key, value in keys.items() if value), *([relation.description] if relation.description else [])]
    return f"- {code(relation.name)}: {code(type_)}" + (f" ({prose(', '.join(notes))})" if notes else "")
