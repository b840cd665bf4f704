"""A symbol's detail in, its row of ``descriptors.msgpack`` out, and back."""

from __future__ import annotations

from sys import intern
from typing import Any, Final

from hardtack.bundle.format import layout
from hardtack.nouns.details import Attribute, Detail, Note, Parameter, Return, Supertype

NO_DETAIL: Final = Detail()
"""The detail of a symbol that has no row."""

MOST_TEXT: Final = 4 << 10
"""Bytes of the longest text of a detail, in UTF-8: builders write 200 characters at most."""

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
    """The ordinal and the detail that :func:`detail_row` was given. ``row`` must be one for which :func:`is_detail` holds.

    Names and types are interned: a build holds the details of all symbols, in which the same few come again and again.
    """
    symbol, visibility, modifiers, decorators, type_, type_source, value, tag, receiver, generics, *lists = row
    parameters, returns, supertypes, attributes, notes = lists
    detail = Detail(
        visibility=intern(visibility),
        modifiers=tuple(map(intern, modifiers)),
        decorators=tuple(map(intern, decorators)),
        type=type_,
        type_source=intern(type_source),
        value=value,
        tag=tag,
        receiver=receiver,
        type_parameters=generics,
        parameters=tuple(
            Parameter(name=intern(name), type=intern(kind), default=default, description=doc, source_hint=intern(hint))
            for name, kind, default, doc, hint in parameters
        ),
        returns=tuple(Return(type=intern(kind), description=doc, source_hint=intern(hint)) for kind, doc, hint in returns),
        supertypes=tuple(Supertype(relation=relation, name=name) for relation, name in supertypes),
        attributes=tuple(
            Attribute(name=name, type=kind, value=set_to, visibility=seen, description=doc, source_hint=hint)
            for name, kind, set_to, seen, doc, hint in attributes
        ),
        notes=tuple(Note(tag=tag, text=text) for tag, text in notes),
    )
    return symbol, detail


def is_detail(row: tuple[Any, ...]) -> bool:
    """Whether a row of ``descriptors.msgpack`` holds texts, each short, in tuples of as many as they should be.

    What is a word of a list, as a relation or where a type is from, must be an identifier; a visibility one printable line.
    """
    _, visibility, modifiers, decorators, *single, type_parameters, parameters, returns, supertypes, attributes, notes = row
    widths = ((parameters, 5), (returns, 3), (supertypes, 2), (attributes, 6), (notes, 2))
    if not (
        _is_texts((visibility, *single))
        and all(_is_texts(texts) for texts in (modifiers, decorators, type_parameters))
        and all(_is_texts_of(entries, width) for entries, width in widths)
    ):
        return False
    type_source = single[1]
    words = (
        *(each[4] for each in parameters),
        *(each[2] for each in returns),
        *(each[0] for each in supertypes),
        *(each[5] for each in attributes),
        *(each[0] for each in notes),
        type_source,
    )
    visibilities = (visibility, *(each[3] for each in attributes))
    return all(not word or layout.is_identifier(word) for word in words) and all(map(layout.is_label, visibilities))


def _is_texts(texts: object) -> bool:
    return isinstance(texts, tuple) and all(isinstance(text, str) and _is_short(text) for text in texts)


def _is_short(text: str) -> bool:
    return len(text) <= MOST_TEXT // 4 or len(text.encode()) <= MOST_TEXT


def _is_texts_of(entries: object, width: int) -> bool:
    return isinstance(entries, tuple) and all(_is_texts(entry) and len(entry) == width for entry in entries)
