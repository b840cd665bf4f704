"""The text of a type in, a value of the type out, with the arguments of the types around it: what ``T`` is in ``Shelf<Jar>``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from hardtack.build.relations.generics import alternatives_of, arguments_of, name_and_bound, with_arguments
from hardtack.build.relations.scopes import UseSite
from hardtack.build.relations.words import SELF_TYPE, words_of
from hardtack.nouns.model import CALLABLES, TYPES, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hardtack.build.relations.declarations import Declaration
    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.targets import Target
    from hardtack.build.relations.types import Types

_MAX_DEPTH: Final = 20
"""Maximum number of enclosing symbols whose type parameters are searched."""

_MAX_ALIASES: Final = 5
"""Aliases of aliases that are followed."""

_KEYWORDS: Final = frozenset({"mut", "dyn", "impl", "const", "struct", "readonly", "std", "ref", "out", "in", "scoped"})
"""Words before a type that are no types around it."""
_NOTHING: Final = frozenset({"None", "null", "undefined", "nil"})


class Value(NamedTuple):
    """What a chain stands for."""

    owner: int | Target | None
    """Its type, or the module or package that it is; None if it is unknown, -1 for a type outside the bundle, or ``BEYOND``."""
    written: str = ""
    """Its type as written, without the wrappers around it; empty if it is not."""
    at: UseSite = UseSite(-1, -1)
    """Where the type is written, or its arguments."""
    is_wrapped: bool = False
    """Whether its text had a wrapper around it, as ``Option<Tank>``."""


UNKNOWN: Final = Value(None)
BEYOND: Final = -2
"""What a member of a type outside the bundle gives: it may be anything, as what a map holds."""
OF_TRAITS: Final = Value(-1, "impl")
"""A value of a type parameter whose bounds are not known, in a language where only traits give it members."""


def is_type(owner: int | Target | None) -> TypeGuard[int]:
    """Whether the owner of a value is a type of the bundle."""
    return isinstance(owner, int) and owner >= 0


class TypeTexts:
    """Makes values of the texts of types."""

    def __init__(self, names: SymbolNames, types: Types, has_traits: Callable[[int], bool]) -> None:
        self._names = names
        self._types = types
        self._has_traits = has_traits
        self._known = cache(self._find_typed)

    def typed(self, at: UseSite, written: str, depth: int = _MAX_ALIASES) -> Value:
        """A value of a type that a text names; of a type parameter what it is bound to."""
        return self._known(UseSite(at.file, at.scope), written, depth)

    def _find_typed(self, at: UseSite, written: str, depth: int) -> Value:
        if len(alternatives := alternatives_of(written)) > 1 and depth:
            return self._united([self.typed(at, each, depth - 1) for each in alternatives if each not in _NOTHING])
        if SELF_TYPE.match(written) and (owner := self._types.enclosing(at.scope)) >= 0:
            return Value(owner)
        words = words_of(written)
        is_bare = all(self._types.type_named(at, word)[0] < 0 for word in words[:-1])
        bound = self._bound_of(at.scope, words[-1]) if words and is_bare else None
        if bound is None:
            target = self._types.resolved_type(at, written)
            if not is_type(target):
                return Value(target, written, at)
            return self._aliased(self._unwrapped(target, at, written, written, at), depth)
        found = [each for each in map(str.strip, bound.replace("&", "+").split("+")) if self._types.type_named(at, each)[0] >= 0]
        if len(found) != 1:
            return OF_TRAITS if self._has_traits(at.file) else UNKNOWN
        return Value(self._types.resolved_type(at, found[0]), found[0], at)

    def _united(self, values: Sequence[Value]) -> Value:
        """A value of one of several types: of the only one that the bundle has, as a member that others lack tells."""
        known = {value.owner: value for value in values}
        if len(known) == 1:
            return values[0]
        inside = [value for owner, value in known.items() if is_type(owner)]
        return inside[0] if len(inside) == 1 and None not in known else UNKNOWN

    def _aliased(self, value: Value, depth: int) -> Value:
        """The value, or one of the type that its type is only another name of."""
        target = value.owner
        if not is_type(target):
            return value
        symbol = self._names.symbols[target]
        meant = symbol.detail.type if symbol.kind is Kind.TYPE and symbol.detail is not None else ""
        if not meant or not depth or self._names.within(target) or symbol.detail is None:
            return value
        names = [name for name, _ in map(name_and_bound, symbol.detail.type_parameters) if name]
        arguments = self.arguments(value) if names else ()
        if names and len(arguments) == len(names):
            return self.typed(value.at, with_arguments(meant, dict(zip(names, arguments, strict=True))), depth - 1)
        return self.typed(UseSite(symbol.file, target), meant, depth - 1)

    def _bound_of(self, scope: int, word: str) -> str | None:
        """The upper bound of a type parameter of that name that a symbol or one around it has; None for no such parameter."""
        for _ in range(_MAX_DEPTH):
            if scope < 0:
                break
            symbol = self._names.symbols[scope]
            for parameter in symbol.detail.type_parameters if symbol.detail is not None else ():
                if parameter.startswith(word) or word in parameter:
                    name, bound = name_and_bound(parameter)
                    if name == word:
                        return bound
            scope = symbol.parent
        return None

    def substituted(self, ordinal: int, written: str, value: Value) -> Value:
        """A value of a type that a member's declaration names, with the arguments of the value's own type in it."""
        symbol = self._names.symbols[ordinal]
        at = UseSite(symbol.file, ordinal if symbol.kind in CALLABLES | TYPES else symbol.parent)
        bound = self._bindings_of(symbol, value) if is_type(value.owner) and value.written else {}
        words = words_of(written)
        if bound and words and words[-1] in bound and all(self._types.type_named(at, word)[0] < 0 for word in words[:-1]):
            return self.typed(value.at, bound[words[-1]])
        if not bound or (replaced := with_arguments(written, bound)) == written:
            return self.typed(at, written)
        target = self._types.resolved_type(at, written)
        return self._unwrapped(target, at, written, replaced, value.at) if is_type(target) else Value(target, replaced, value.at)

    def _bindings_of(self, member: Declaration, value: Value) -> Mapping[str, str]:
        """Type parameter -> argument, in a member of a value's type; nothing where they are not the type's own in order."""
        if not is_type(value.owner):
            return {}
        owner = self._names.symbols[value.owner]
        parameters = owner.detail.type_parameters if owner.detail is not None else ()
        names = [name for name, _ in map(name_and_bound, parameters) if name]
        around = self._names.symbols[member.parent] if member.parent >= 0 else None
        if around is not None and around.kind is Kind.BLOCK:
            own = around.detail.type_parameters if around.detail is not None else ()
            if [name for name, _ in map(name_and_bound, own) if name] != names:
                return {}
        arguments = self.arguments(value) if names else ()
        return dict(zip(names, arguments, strict=True)) if len(names) == len(arguments) else {}

    def arguments(self, value: Value) -> tuple[str, ...]:
        """The arguments of a value's type, without the wrappers around it."""
        written = value.written
        for word in words_of(written)[:-1] if value.owner == -1 else ():
            written = written if word in _KEYWORDS else next(iter(arguments_of(written)), written)
        return arguments_of(written)

    def _unwrapped(self, target: int, at: UseSite, written: str, replaced: str, place: UseSite) -> Value:
        """A value of a type that stands in wrappers; ``replaced`` is its text with arguments that are to be read at ``place``."""
        is_wrapped = False
        for word in words_of(written)[:-1]:
            if self._types.type_named(at, word)[0] >= 0:
                break
            if word in _KEYWORDS:
                continue
            is_wrapped = True
            replaced = next(iter(arguments_of(replaced)), replaced)
        return Value(target, replaced, place, is_wrapped)
