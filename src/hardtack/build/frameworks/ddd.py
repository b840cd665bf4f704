r"""A type's name, fields and supertypes in, its roles in domain-driven design out.

The rules hold for the types of any language. They compare whole words: ``UserID`` and ``user_id`` have two, ``valid`` has one.

1. The last words of a name decide its role: ``Repository`` and ``Repo``, ``Service``, ``Command`` and ``Cmd``, ``Query``,
   ``Handler``, ``ValueObject`` and ``VO``, ``Aggregate`` and ``AggregateRoot``, ``Entity``. Only the last ones: a
   ``PlaceOrderCommandHandler`` is a handler. ``Impl``, ``Interface``, ``Base`` and the like may follow.
2. A type without a role by its own name has the roles of the types it inherits from or implements: ``Course extends
AggregateRoot``,
   ``Money : ValueObject``. So has a type that is called an entity, if they are aggregates. An embedded type may make it an
   aggregate or an entity, not a service: Go delegates by embedding.
3. A type without a role that has its own identity is an entity: a field ``id``, ``uuid`` or ``guid``, or one of these after the
   type's own name (``orderId`` in ``Order``; in ``OrderPlaced`` it refers to another type). Enums and traits have no identity, nor
   have types with the name of a message, an action or a technical part: ``UserDto``, ``GetTask``, ``CardProps``.
4. Every aggregate is an entity.

A name that merely contains a business term such as ``Order`` or ``User`` has no role. Names are conventions, not proofs:
``fixtures/ddd/`` shows what is recognised and what is not, and how often.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from hardtack.nouns.details import Supertype
from hardtack.nouns.model import TYPES, Kind, Tag
from hardtack.nouns.outline import Outline
from hardtack.text import parts_of

_ROLES: Final[tuple[tuple[tuple[str, ...], Tag], ...]] = (
    (("aggregate", "root"), Tag.AGGREGATE),
    (("aggregate",), Tag.AGGREGATE),
    (("entity",), Tag.ENTITY),
    (("value", "object"), Tag.VALUE_OBJECT),
    (("vo",), Tag.VALUE_OBJECT),
    (("repository",), Tag.REPOSITORY),
    (("repo",), Tag.REPOSITORY),
    (("service",), Tag.SERVICE),
    (("command",), Tag.COMMAND),
    (("cmd",), Tag.COMMAND),
    (("query",), Tag.QUERY),
    (("handler",), Tag.HANDLER),
)
"""(last words of a name, role)."""

_PROPER_NAMES: Final = frozenset({("iterator", "aggregate"), ("unprocessable", "entity"), ("j", "query")})
"""Last words of names that look like a role and mean something else: PHP's interface, HTTP's status, the library."""

_SCHEMAS: Final = frozenset({"graphql", "proto", "sql"})
"""Languages whose types describe data: they have no identity, also with a column ``id``."""

_IMPLEMENTATION_WORDS: Final = frozenset({"impl", "implementation", "interface", "base"})
_IDENTITY: Final = frozenset({"id", "uuid", "guid"})
_ARGUMENTS: Final = re.compile(r"[<(\[]")
_NAME: Final = re.compile(r"\w+")
_WITH_IDENTITY: Final = TYPES - {Kind.ENUM, Kind.TRAIT}

_NO_ENTITY: Final = _IDENTITY | frozenset(
    {
        *("dto", "event", "message", "notification", "payload", "request", "response", "result", "input", "output", "body", "data"),
        *("dao", "snapshot", "row", "record", "info", "details", "summary", "args", "arguments", "params", "parameters", "props"),
        *("options", "config", "configuration", "settings", "state", "context", "error", "exception", "test", "tests"),
        *("mock", "mother", "fixture", "factory", "builder", "mapper", "view", "viewmodel", "component", "page", "controller"),
        *("endpoint", "client", "provider", "middleware", "listener", "subscriber", "validator", "criteria", "specification"),
        *("filter", "it", "spec"),
    }
)
"""Last words of types that hold the identifier of another type."""

_MODELS_OF_NO_ENTITY: Final = frozenset({"view", "read", "input", "request", "response"})
"""Words before a last ``model`` with the same meaning."""

_NO_ENTITY_PREFIXES: Final = frozenset(
    {
        *("test", "fake", "mock", "stub", "dummy"),
        *(
            "get",
            "find",
            "list",
            "search",
            "fetch",
            "create",
            "add",
            "make",
            "update",
            "change",
            "set",
            "delete",
            "remove",
            "cancel",
        ),
        *("send", "register", "submit", "approve", "reject", "assign", "mark"),
    }
)
"""First words of types that exist only in tests, and of actions."""


def tags_of(kind: Kind, name: str, fields: Iterable[str], supertypes: Iterable[Supertype]) -> tuple[Tag, ...]:
    """The roles of one symbol, in the order of :class:`Tag`; none if it is no type.

    Args:
        kind: of the symbol.
        name: its own name, not qualified.
        fields: names of its fields and properties.
        supertypes: its declared supertypes.
    """
    if kind not in TYPES:
        return ()
    words = _words(name)
    supertypes = tuple(supertypes)
    own, inherited = _role(words), set(_roles_of_supertypes(supertypes))
    roles = {own} if own else inherited
    if own is Tag.ENTITY:
        roles |= inherited & {Tag.AGGREGATE}
    if not roles and kind in _WITH_IDENTITY and _has_identity(words, fields):
        bases = (_words(_own_name(supertype.name)) for supertype in supertypes)
        if not any(map(_is_no_entity, (words, *bases))):
            roles.add(Tag.ENTITY)
    if Tag.AGGREGATE in roles:
        roles.add(Tag.ENTITY)
    return tuple(tag for tag in Tag if tag in roles)


def tags_in(outline: Outline, language: str) -> Mapping[int, tuple[Tag, ...]]:
    """Index of a symbol -> its roles, for the types of a file in ``language`` that have any."""
    fields: dict[int, list[str]] = {index: [] for index, symbol in enumerate(outline.symbols) if symbol.kind in TYPES}
    for symbol in outline.symbols if language not in _SCHEMAS else ():
        if symbol.kind in (Kind.FIELD, Kind.PROPERTY):
            owner = symbol.parent
            if owner >= 0 and outline.symbols[owner].kind is Kind.CONSTRUCTOR:
                owner = outline.symbols[owner].parent  # a constructor parameter that is also a property
            if owner in fields:
                fields[owner].append(symbol.name)
    found: dict[int, tuple[Tag, ...]] = {}
    for index, names in fields.items():
        symbol, detail = outline.symbols[index], outline.details.get(index)
        attributes = (attribute.name for attribute in detail.attributes) if detail else ()
        if tags := tags_of(symbol.kind, symbol.name, [*names, *attributes], detail.supertypes if detail else ()):
            found[index] = tags
    return found


def _words(name: str) -> tuple[str, ...]:
    """The words of a name without implementation words at its end; a name of only such words keeps the first."""
    words = parts_of(name)
    while len(words) > 1 and words[-1] in _IMPLEMENTATION_WORDS:
        words.pop()
    return tuple(words)


def _role(words: Sequence[str]) -> Tag | None:
    if tuple(words[-2:]) in _PROPER_NAMES:
        return None
    return next((tag for last, tag in _ROLES if tuple(words[-len(last) :]) == last), None)


def _roles_of_supertypes(supertypes: Iterable[Supertype]) -> Iterable[Tag]:
    for supertype in supertypes:
        role = _role(_words(_own_name(supertype.name)))
        is_kind_of = supertype.relation in ("inherits", "implements")
        if role and (is_kind_of or (supertype.relation == "embeds" and role in (Tag.AGGREGATE, Tag.ENTITY))):
            yield role


def _own_name(written: str) -> str:
    r"""The last name before any arguments: ``Repository`` of ``shop.Repository<Order>``, ``App\Repository``, ``*Repository[T]``."""
    head = _ARGUMENTS.split(written, maxsplit=1)[0]
    names: list[str] = _NAME.findall(head)
    return names[-1] if names else ""


def _has_identity(words: Sequence[str], fields: Iterable[str]) -> bool:
    """Whether one of the fields is the type's own identifier."""
    named: tuple[list[str], list[str]] = ([], list(words))
    return any(parts[-1] in _IDENTITY and parts[:-1] in named for parts in map(parts_of, fields) if parts)


def _is_no_entity(words: Sequence[str]) -> bool:
    if not words or words[0] in _NO_ENTITY_PREFIXES:
        return bool(words)
    if words[-1] == "model" and len(words) > 1:
        return words[-2] in _MODELS_OF_NO_ENTITY
    return words[-1] in _NO_ENTITY
