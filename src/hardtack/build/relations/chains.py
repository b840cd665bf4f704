"""A chain of names and calls in, the type, module or package of its value out: ``self.tanks[0].lid()`` is a ``Lid``.

With the type goes its text, so that what a type is made of is known too: a tank that is taken out of ``Vec<Tank>``, or what a
method of ``Shelf<Jar>`` gives that says it gives a ``T``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from hardtack.build.frameworks.laravel.abilities import POLICY
from hardtack.build.outline.expressions import chain_of
from hardtack.build.relations.contents import Contents
from hardtack.build.relations.generics import element_of
from hardtack.build.relations.paths import outer_module
from hardtack.build.relations.policies import policy_of
from hardtack.build.relations.results import Results
from hardtack.build.relations.scopes import UseSite
from hardtack.build.relations.targets import Target
from hardtack.build.relations.typed import UNKNOWN, TypeTexts, Value, is_type
from hardtack.build.relations.words import (
    INLINE_TYPE,
    OUTER_MODULE,
    PARENT,
    PART,
    called,
)
from hardtack.nouns.model import CALLABLES, NAMESPACES, TYPES, VALUES, Kind
from hardtack.nouns.relations import EACH, ITEM, NOT_CALLED, OWN_MODULE, UNCOUNTED, Binding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.memo import Memo
    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.types import Meaning, Types

_MAX_DEPTH: Final = 20


class Lookup(Protocol):
    """What a chain asks the resolver."""

    def bare(self, place: UseSite, name: str, arguments: int = ..., /) -> Meaning | None: ...  # noqa: D102
    def member(self, owner: int, name: str, arguments: int, /) -> Sequence[int]: ...  # noqa: D102
    def in_module(self, file: int, owner: Target, name: str, /) -> Meaning | None: ...  # noqa: D102
    def overloads(self, owner: int, name: str, arguments: int, /) -> Sequence[int]: ...  # noqa: D102
    def has_shorthands(self, ordinal: int, /) -> bool: ...  # noqa: D102


class Chains:
    """Follows chains."""

    def __init__(self, names: SymbolNames, imports: Imports, types: Types, lookup: Lookup, memo: Memo) -> None:
        self._names = names
        self._imports = imports
        self._types = types
        self._lookup = lookup
        self._texts = TypeTexts(names, types, imports.has_paths)
        self._results = Results(names, types, self._texts)
        self._contents = Contents(names, types, self._texts, self._results)
        self.pointed = self._contents.pointed
        self.typed = self._texts.typed
        self._memo = memo
        self._bindings: Sequence[tuple[Any, ...]] = ()
        """:class:`relations.Binding` values; plain rows, since few of them are needed."""
        self._namesakes: Mapping[tuple[int, str], Sequence[int]] = {}
        """(symbol, name) -> indexes of the bindings of a variable, in order."""
        self._first_symbol = 0
        self._known: dict[tuple[UseSite, str], Value] = {}
        """The values of the chains of that file."""

    def clear(self) -> None:
        """Drop everything. The caches of bound methods refer back to these objects, and the cycle collector is off in a build."""
        for each in (self._texts, self._results, self._contents, self):
            vars(each).clear()

    def bind(self, bindings: Sequence[tuple[Any, ...]], first_symbol: int) -> None:
        """Set the bindings of the file whose chains are followed next, and its first symbol."""
        self._bindings, self._first_symbol = bindings, first_symbol
        self._namesakes = {}
        self._known.clear()

    def is_unsteady(self, place: UseSite, depth: int = _MAX_DEPTH) -> bool:
        """Whether the variable before a name, or one that it is set to, is also set to a value of another known type.

        The last one before the name may be set in a branch, and a function or loop around both may set a later one first.
        """
        if place.bound < 0 or "assigned_variables" not in self._names.languages[place.file].scoping:
            return False
        binding = Binding(*self._bindings[place.bound])
        if binding.is_type:
            return False
        if not self._namesakes:
            self._namesakes = _by_variable(self._bindings)
        same = self._namesakes[binding.symbol, binding.name]
        values = {self._local(place._replace(bound=each), binding.name, depth).owner for each in same} if len(same) > 1 else set()
        return len(values - {None}) > 1 or (depth > 0 and self.is_unsteady(place._replace(bound=binding.bound), depth - 1))

    def value_of(self, place: UseSite, qualifier: str) -> Value:
        """The value of the chain before a name in the file whose bindings are set."""
        if (known := self._known.get((place, qualifier))) is None:
            parts = PART.findall(qualifier)
            if qualifier.startswith(OWN_MODULE) and self._imports.has_paths(place.file):
                parts[0] = OWN_MODULE
            known = self._known[place, qualifier] = self.value(place, parts) if parts else UNKNOWN
        return known

    def value(self, place: UseSite, parts: Sequence[str], depth: int = _MAX_DEPTH) -> Value:
        """The value of a chain.

        Args:
            place: where the chain is written.
            parts: its names; one that is called ends in ``()``.
            depth: maximum number of variables that are set to each other.
        """
        taken, (first, _) = 1, called(parts[0])
        if first == "$crate":  # in a macro of Rust
            return self.value(place, ["crate", *parts[1:]], depth)
        if first in (OUTER_MODULE, OWN_MODULE) and self._imports.has_paths(place.file):
            module, taken = outer_module(self._names, self._imports, place, parts)
            value = Value(module)
        elif self._is_self(place, first):
            value = Value(self._self(place, first))
        elif place.bound != -1 or self._parameter(place, first)[1]:
            value = self._local(place, first, depth)
            if first != parts[0] and isinstance(value.owner, int) and value.owner >= 0:
                value = self._results.of_value(value)
        else:
            value, taken = self.first(place, parts)
        for part in parts[taken:]:
            value = self._next(place, value, part)
            if value.owner is None:
                break
        return value

    def _is_self(self, place: UseSite, word: str) -> bool:
        """Whether a word is the object or type around, or its supertype."""
        language = self._names.languages[place.file]
        if word not in language.receivers or place.bound == -1:
            return word in language.receivers
        if "self_parameter" not in language.scoping or word in PARENT:
            return False
        return place.bound < 0 or self._local(place, word, _MAX_DEPTH).owner is None

    def _self(self, place: UseSite, first: str) -> int | None:
        owner = self._types.enclosing(place.scope)
        if first in PARENT and owner >= 0:
            return next((base.target for base in self._types.supertypes(owner) if base.target >= 0), -1)
        return owner if owner >= 0 or first in PARENT else None

    # -- the first name ------------------------------------------------------------------------------------------------------

    def first(self, place: UseSite, parts: Sequence[str]) -> tuple[Value, int]:
        """(value of the first name of a chain, number of parts that make up that name)."""
        first, _ = called(parts[0])
        outer: Target | None = None
        for entry, target in self._imports.seen(place.file, place.scope, first):
            if not entry.name and entry.module.startswith(f"{entry.alias}."):  # import a.b.c is reached as a.b.c, and a as well
                module_parts = PART.findall(entry.module)
                if list(parts[: len(module_parts)]) == module_parts:
                    return Value(target), len(module_parts)
                files, certainty = self._imports.module(place.file, first)
                outer = outer or Target(files=files, module=first, certainty=certainty)
                continue
            return (self._value_of(target.symbols[0], parts[0]) if target.symbols else Value(target)), 1
        if outer is not None:
            return Value(outer), 1
        meaning = self._lookup.bare(place, first, UNCOUNTED if first != parts[0] else NOT_CALLED)
        if meaning is None or meaning.target < 0:
            named = self._imports.unnamed(place.file, place.scope, first) if meaning is None else None
            return Value(named or self._file_called(place.file, first)), 1
        return self._value_of(meaning.target, parts[0]), 1

    def _file_called(self, file: int, name: str) -> Target | None:
        """The file that is a module of that name, in a language that needs no import for it; None for none."""
        if not name[:1].isupper() or "file_names" not in self._names.languages[file].scoping:
            return None
        files, certainty = self._imports.module(file, name)
        return Target(files=files, module=name, certainty=certainty) if files else None

    def _value_of(self, ordinal: int, part: str) -> Value:
        behind = self._imports.behind(ordinal)
        if behind is not None:
            return self._value_of(behind.symbols[0], part) if behind.symbols else Value(behind)
        arguments = called(part)[1]
        return self._held(ordinal, UNKNOWN) if arguments == NOT_CALLED else self._results.of(ordinal, UNKNOWN, arguments)

    # -- the names after it --------------------------------------------------------------------------------------------------

    def _next(self, place: UseSite, value: Value, part: str) -> Value:
        """The value of a member of a value."""
        owner = value.owner
        if part == POLICY:
            return Value(policy_of(self._names, owner) if isinstance(owner, int) else None)
        if isinstance(owner, Target):
            return self._step(place.file, owner, part)
        if owner is None:
            return value
        if owner < 0:
            return self._contents.of_outside(place.file, value, part)
        if self._names.symbols[owner].kind in NAMESPACES:
            return self._step(place.file, Target(symbols=(owner,), module=part), part)
        if part in (ITEM, EACH):
            return self._contents.item(place.file, value, part)
        return self._of_type(place.file, value, part)

    def _of_type(self, file: int, value: Value, part: str) -> Value:
        name, arguments = called(part)
        for each in (value, *self.pointed(value)):
            if not is_type(each.owner):
                break
            if found := self._lookup.member(each.owner, name, arguments):
                if part == name:
                    return self._held(self._field_of(found), each)
                overloads = self._lookup.overloads(each.owner, name, arguments) if arguments >= 0 else ()
                return self._results.of(found[0], each, arguments) if self._results.give_one(overloads) else UNKNOWN
        owner = value.owner
        if not is_type(owner):
            return UNKNOWN
        if name.isdigit():
            detail = self._names.symbols[owner].detail
            written = element_of(detail.type, int(name)) if detail is not None else ""
            return self._texts.substituted(owner, written, value) if written else UNKNOWN
        if name == "new" or self._contents.is_kept(file, value, name):
            return value
        at, written = self._types.text_of_attribute(owner, name)
        return self._texts.typed(at, written) if written else UNKNOWN

    def _field_of(self, found: Sequence[int]) -> int:
        """Of members of one name the one that is no function, if there is any."""
        return (self._names.without(found, CALLABLES) or found)[0]

    def _step(self, file: int, owner: Target, part: str) -> Value:
        if owner.is_external:
            return Value(owner)
        name = called(part)[0]
        if owner.package:
            found = self._names.full(file, f"{owner.package}.{name}")
            return self._value_of(found[0], part) if found else Value(Target(package=f"{owner.package}.{part}"))
        inside = self._imports.inside(owner, name)
        is_function = bool(inside.symbols) and self._names.symbols[inside.symbols[0]].kind in CALLABLES
        if name == part and is_function and owner.origin >= 0 and self._imports.has_paths(file):
            inside = self._imports.below(owner.origin, owner.module, name)  # what is a part of a path is no function
        if inside.symbols:
            return self._value_of(inside.symbols[0], part)
        return Value(inside if owner.module else None)

    # -- types ---------------------------------------------------------------------------------------------------------------

    def _local(self, place: UseSite, name: str, depth: int) -> Value:
        """The value of a local variable: of a type outside the bundle if it is declared so."""
        if place.bound >= 0 and depth:
            binding = Binding(*self._bindings[place.bound])
            scope = binding.symbol + self._first_symbol if binding.symbol >= 0 else -1
            return self._bound(UseSite(place.file, scope, binding.bound), binding, depth)
        scope, written = self._parameter(place, name)
        return self._texts.typed(UseSite(place.file, scope), written) if written else UNKNOWN

    def _parameter(self, place: UseSite, name: str) -> tuple[int, str]:
        """(its function, declared type) of a parameter of that name; the type is empty for none."""
        scope = place.scope
        for _ in range(_MAX_DEPTH):
            if scope < 0:
                break
            symbol = self._names.symbols[scope]
            for parameter in symbol.detail.parameters if symbol.detail is not None else ():
                if parameter.name.lstrip("*&.$ ") == name.lstrip("$"):
                    return scope, parameter.type
            scope = symbol.parent
        return -1, ""

    def _bound(self, place: UseSite, binding: Binding, depth: int) -> Value:
        if binding.is_type:
            return self._texts.typed(place, binding.value)
        if not binding.value:
            return self._held(place.scope, UNKNOWN)
        parts = PART.findall(binding.value)
        if not parts:
            return UNKNOWN
        if not binding.result:
            value = self.value(place, parts, depth - 1)
            return value if isinstance(value.owner, int) else UNKNOWN
        if not parts[-1].endswith(")"):
            value = self.value(place, parts, depth - 1)
            written = element_of(value.written, binding.result - 1)
            return self._texts.typed(value.at, written) if written else UNKNOWN
        value = self.value(place, parts[:-1], depth - 1) if len(parts) > 1 else UNKNOWN
        found = self._called(place, value.owner, called(parts[-1])[0], is_bare=len(parts) == 1)
        return self._results.of(found, value, called(parts[-1])[1], binding.result) if found >= 0 else UNKNOWN

    def _called(self, place: UseSite, owner: int | Target | None, name: str, *, is_bare: bool) -> int:
        """The symbol of that name in a type or module, or that the name means by itself; -1 for none."""
        if is_bare or isinstance(owner, Target):
            module = owner if isinstance(owner, Target) else None
            meaning = self._lookup.in_module(place.file, module, name) if module is not None else self._lookup.bare(place, name)
            return meaning.target if meaning is not None else -1
        found = self._lookup.member(owner, name, UNCOUNTED) if is_type(owner) else ()
        return found[0] if found else -1

    def _held(self, ordinal: int, value: Value) -> Value:
        """The value of a symbol that is not called: itself if it has members, else a value of its declared type."""
        symbol = self._names.symbols[ordinal]
        if symbol.kind in TYPES | NAMESPACES:
            return Value(ordinal)
        if symbol.kind is Kind.ENUM_MEMBER:
            return Value(symbol.parent if symbol.parent >= 0 else None)
        if symbol.kind in VALUES:
            if symbol.detail is not None and symbol.detail.type:
                if INLINE_TYPE.match(symbol.detail.type) and self._names.within(ordinal):
                    return Value(ordinal)  # its members are declared in its own type
                return self._texts.substituted(ordinal, symbol.detail.type, value)
            return self._initial(ordinal)
        return UNKNOWN

    def _initial(self, ordinal: int) -> Value:
        """The value in a variable's declaration; the variable itself if the value is an object literal."""
        symbol = self._names.symbols[ordinal]
        written = symbol.detail.value if symbol.detail is not None else ""
        chain = chain_of(written)
        if not chain:
            has_members = bool(self._names.within(ordinal)) or self._lookup.has_shorthands(ordinal)
            return Value(ordinal) if written.startswith("{") and has_members else UNKNOWN
        value: Value | None = self._memo.answer((self._chained, UseSite(symbol.file, symbol.parent), chain))
        return value if value is not None and isinstance(value.owner, int) else UNKNOWN

    def _chained(self, place: UseSite, chain: str) -> Value:
        return self.value(place, PART.findall(chain))


def _by_variable(bindings: Sequence[tuple[Any, ...]]) -> Mapping[tuple[int, str], Sequence[int]]:
    """(symbol, name) -> indexes of the bindings of a variable."""
    found: dict[tuple[int, str], list[int]] = {}
    for index, (symbol, name, *_) in enumerate(bindings):
        found.setdefault((symbol, name), []).append(index)
    return found
