r"""A type's name, fields and supertypes in, the roles of domain-driven design that they speak of out (seed 2's DDD flags).

The rules hold for the types of any language and look at whole words only: ``UserID`` and ``user_id`` have two, ``valid`` has one.

1. The last words of a name tell its role: ``Repository`` and ``Repo``, ``Service``, ``Command`` and ``Cmd``, ``Query``,
   ``Handler``, ``ValueObject`` and ``VO``, ``Aggregate`` and ``AggregateRoot``, ``Entity``. The last ones only: a
   ``PlaceOrderCommandHandler`` is a handler. Words that say how a type is made (``Impl``, ``Interface``, ``Base``) may follow.
2. A type whose own name tells none has the roles of the names it inherits from or implements: ``Course extends AggregateRoot``,
   ``Money : ValueObject``. So does one that is called an entity, when they say that it is an aggregate. What it embeds may make it
   an aggregate or an entity, not a service: embedding is how Go delegates.
3. A type without a role that has an identity of its own is an entity: a field ``id``, ``uuid`` or ``guid``, or one of these after
   the type's own name (``orderId`` in ``Order``; in ``OrderPlaced`` it refers to another). Enums and traits have no identity, and
   neither has what is called after a message, a deed or a part of the machinery: ``UserDto``, ``GetTask``, ``CardProps``.
4. Every aggregate is an entity.

The seed's text has the suffixes and the field. The project it describes calls everything an entity whose name *contains*
``Order``, ``User`` and the like, its repositories and commands too; that rule is left out: a word from one shop's domain says
nothing of a role. Names are conventions, not proofs: ``fixtures/ddd/`` says what is and what is not recognised, and how often.
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
"""Ends of names that are spelt like a role and mean something else: PHP's interface, HTTP's status, the library."""

_SCHEMAS: Final = frozenset({"graphql", "proto", "sql"})
"""Languages whose types are shapes of data: they have no identity, however many columns are called ``id``."""

_HOW_IT_IS_MADE: Final = frozenset({"impl", "implementation", "interface", "base"})
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
"""Last words of what carries an identifier without being what it identifies."""

_MODELS_OF_NO_ENTITY: Final = frozenset({"view", "read", "input", "request", "response"})
"""Words before a last ``model`` that say the same."""

_NO_THING: Final = frozenset(
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
"""First words of what exists in tests only, and of what is done to a thing."""


def tags_of(kind: Kind, name: str, fields: Iterable[str], supertypes: Iterable[Supertype]) -> tuple[Tag, ...]:
    """The roles of one symbol, in the order of :class:`Tag`; none when it is no type.

    Args:
        kind: what the symbol is.
        name: its own name, not qualified.
        fields: names of its fields and properties.
        supertypes: what it is declared to rest on.
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
    """The roles of the types of a file in ``language``, by index of the symbol; a symbol without a role is not there."""
    fields: dict[int, list[str]] = {index: [] for index, symbol in enumerate(outline.symbols) if symbol.kind in TYPES}
    for symbol in outline.symbols if language not in _SCHEMAS else ():
        if symbol.kind in (Kind.FIELD, Kind.PROPERTY):
            owner = symbol.parent
            if owner >= 0 and outline.symbols[owner].kind is Kind.CONSTRUCTOR:
                owner = outline.symbols[owner].parent  # a constructor's parameter that is a property as well
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
    """The words of a name, without those at its end that say how it is made; a name made only of such words keeps the first."""
    words = parts_of(name)
    while len(words) > 1 and words[-1] in _HOW_IT_IS_MADE:
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
    r"""The last name before any arguments: of ``shop.Repository<Order>``, ``App\Repository`` and ``*Repository[T]`` alike."""
    head = _ARGUMENTS.split(written, maxsplit=1)[0]
    names: list[str] = _NAME.findall(head)
    return names[-1] if names else ""


def _has_identity(words: Sequence[str], fields: Iterable[str]) -> bool:
    """Whether one of the fields is the identifier of the very thing that the words name."""
    named: tuple[list[str], list[str]] = ([], list(words))
    return any(parts[-1] in _IDENTITY and parts[:-1] in named for parts in map(parts_of, fields) if parts)


def _is_no_entity(words: Sequence[str]) -> bool:
    if not words or words[0] in _NO_THING:
        return bool(words)
    if words[-1] == "model" and len(words) > 1:
        return words[-2] in _MODELS_OF_NO_ENTITY
    return words[-1] in _NO_ENTITY
