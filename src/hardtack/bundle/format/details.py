"""A symbol's detail in, its row of ``descriptors.msgpack`` out, and back."""

from __future__ import annotations

from typing import Any, Final

from hardtack.nouns.details import Attribute, Detail, Note, Parameter, Return, Supertype

NO_DETAIL: Final = Detail()
"""The detail of a symbol that has no row."""

MOST_FACTS: Final = 100
"""The most parameters, decorators, ... of one symbol that are stored; a reader takes no longer arrays."""


def detail_row(symbol: int, detail: Detail) -> tuple[Any, ...]:
    """A detail in :data:`DETAIL_FIELDS` order."""
    modifiers, decorators, generics = (
        texts[:MOST_FACTS] for texts in (detail.modifiers, detail.decorators, detail.type_parameters)
    )
    return (
        *(symbol, detail.visibility, modifiers, decorators, detail.type, detail.type_source, detail.value, detail.tag),
        *(detail.receiver, generics),
        tuple((each.name, each.type, each.default, each.description, each.source_hint) for each in detail.parameters[:MOST_FACTS]),
        tuple((each.type, each.description, each.source_hint) for each in detail.returns[:MOST_FACTS]),
        tuple((each.relation, each.name) for each in detail.supertypes[:MOST_FACTS]),
        tuple(
            (each.name, each.type, each.value, each.visibility, each.description, each.source_hint)
            for each in detail.attributes[:MOST_FACTS]
        ),
        tuple((each.tag, each.text) for each in detail.notes[:MOST_FACTS]),
    )


def detail_of(row: tuple[Any, ...]) -> tuple[int, Detail]:
    """The ordinal and the detail that :func:`detail_row` was given. ``row`` must be one for which :func:`is_detail` holds."""
    symbol, visibility, modifiers, decorators, type_, type_source, value, tag, receiver, generics, *lists = row
    parameters, returns, supertypes, attributes, notes = lists
    detail = Detail(
        visibility=visibility,
        modifiers=modifiers,
        decorators=decorators,
        type=type_,
        type_source=type_source,
        value=value,
        tag=tag,
        receiver=receiver,
        type_parameters=generics,
        parameters=tuple(
            Parameter(name=name, type=kind, default=default, description=doc, source_hint=hint)
            for name, kind, default, doc, hint in parameters
        ),
        returns=tuple(Return(type=kind, description=doc, source_hint=hint) for kind, doc, hint in returns),
        supertypes=tuple(Supertype(relation=relation, name=name) for relation, name in supertypes),
        attributes=tuple(
            Attribute(name=name, type=kind, value=set_to, visibility=seen, description=doc, source_hint=hint)
            for name, kind, set_to, seen, doc, hint in attributes
        ),
        notes=tuple(Note(tag=tag, text=text) for tag, text in notes),
    )
    return symbol, detail


def is_detail(row: tuple[Any, ...]) -> bool:
    """Whether the lists of a row of ``descriptors.msgpack`` hold texts, and tuples of as many texts as they should."""
    _, _, modifiers, decorators, *_, type_parameters, parameters, returns, supertypes, attributes, notes = row
    widths = ((parameters, 5), (returns, 3), (supertypes, 2), (attributes, 6), (notes, 2))
    return all(_is_texts(texts) for texts in (modifiers, decorators, type_parameters)) and all(
        _is_texts_of(entries, width) for entries, width in widths
    )


def _is_texts(texts: object) -> bool:
    return isinstance(texts, tuple) and all(isinstance(text, str) for text in texts)


def _is_texts_of(entries: object, width: int) -> bool:
    return isinstance(entries, tuple) and all(_is_texts(entry) and len(entry) == width for entry in entries)
