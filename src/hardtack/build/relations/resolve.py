"""A name where it is used in, the symbol that it means out, and how sure that is.

Resolving goes by what the source says, never by likeness: enclosing scopes, the file, its imports, its package, the declared type
of what stands before the dot. Only where nothing is said (a value of unknown type) do names alone decide, and the answer says so.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hardtack.build.expressions import chain_of
from hardtack.build.relations.imports import Target
from hardtack.build.relations.names import CALLABLES, SCOPES, TYPES, VALUES, VARIABLES, dotted
from hardtack.build.relations.scopes import Place, Scopes
from hardtack.build.relations.words import MAKERS, PARENT, PART, SAME, SELF, SELF_TYPE, split, words_of
from hardtack.model import Kind
from hardtack.relations import Certainty

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import Names
    from hardtack.relations import Binding

_MOST_QUESTIONS = 30
"""How many names may wait for each other's meaning."""
_MOST_SUPERTYPES = 100
_DEEPEST = 20
_MOST_NAMESAKES = 1000
"""Members of one name among which the nearest is looked for."""


class Meaning(NamedTuple):
    """What a name was found to mean."""

    target: int
    """Ordinal of the symbol; -1 when it is one of several."""
    certainty: Certainty


class Resolver:
    """Finds what names mean. Remembers what it found, for the same names come again and again."""

    def __init__(self, names: Names, imports: Imports) -> None:
        self._names = names
        self._imports = imports
        self.members = cache(self._members)
        self._scopes = Scopes(names, imports, self.members)
        self.supertypes = cache(self._supertypes)
        self.ancestors = cache(self._ancestors)
        self.member_named = cache(self._member_named)
        self._known: dict[tuple[Place, str, str, bool], Meaning | None] = {}
        self._asked: set[tuple[Place, str, str, bool]] = set()
        """Being answered now: a name whose meaning depends on itself has none."""
        self._bindings: list[Binding] = []

    def bind(self, file: int, bindings: Iterable[Binding]) -> None:
        """Take what the variables of one file are; those of the file before are forgotten."""
        base = self._names.files[file].first_symbol
        self._bindings = [each._replace(symbol=each.symbol + base) for each in bindings]

    # -- names ---------------------------------------------------------------------------------------------------------------

    def meaning(self, place: Place, qualifier: str, name: str, *, is_call: bool = False) -> Meaning | None:
        """What ``name`` means after ``qualifier`` (see :class:`relations.Use`); None when it is none of the bundle's symbols."""
        question = (place, qualifier, name, is_call)
        if question not in self._known:
            if question in self._asked or len(self._asked) > _MOST_QUESTIONS:
                return None
            self._asked.add(question)
            meaning = self._meaning(place, qualifier, name, is_call=is_call)
            self._asked.remove(question)
            self._known[question] = meaning
        return self._known[question]

    def _meaning(self, place: Place, qualifier: str, name: str, *, is_call: bool) -> Meaning | None:
        if not self._names.named(place.file, name):
            # Called by another name than its own: import { a as b }
            return self._bare(place, name) if not qualifier and name in self._imports.named(place.file) else None
        if not qualifier:
            return self._bare(place, name)
        if qualifier == "()":
            return self._of_something(place, name, is_call=is_call)
        return self._qualified(place, qualifier, name, is_call=is_call)

    def _bare(self, place: Place, name: str) -> Meaning | None:
        found, certainty = self._scopes.found(place, name)
        return self._settled(found, certainty) if found else None

    def _settled(self, found: Sequence[int], certainty: Certainty = Certainty.EXACT) -> Meaning:
        one = self._names.one_of(found)
        return Meaning(one, certainty if one >= 0 else Certainty.POSSIBLE)

    # -- chains --------------------------------------------------------------------------------------------------------------

    def _qualified(self, place: Place, qualifier: str, name: str, *, is_call: bool) -> Meaning | None:
        parts = PART.findall(qualifier)
        if parts:
            thing = self._follow(place, parts)
            if isinstance(thing, Target):
                return self._in_module(place.file, thing, name)
            if thing is not None:
                if found := self.members(thing, name) if thing >= 0 else ():
                    return self._settled(found)
                if thing < 0 or not self.ancestors(thing)[1]:
                    return None
        if place.bound == -1 and (found := self._by_full_name(place.file, qualifier, name)):
            return self._settled(found)
        return self._of_something(place, name, is_call=is_call)

    def _follow(self, place: Place, parts: Sequence[str], depth: int = _DEEPEST) -> int | Target | None:
        """The type, module or package that a chain leads to; None when that cannot be told, -1 for a type from outside.

        Args:
            place: where the chain is written.
            parts: its names; one that is called ends in ``()``.
            depth: how many variables may be set to each other.
        """
        thing: int | Target | None
        taken, first = 1, parts[0].removesuffix("()")
        if first in SELF | PARENT:
            thing = self._enclosing_type(place.scope)
            if first in PARENT and thing >= 0:
                thing = next((target for _, target, _ in self.supertypes(thing) if target >= 0), -1)
            elif thing < 0:
                thing = None
        elif place.bound != -1 or self._parameter(place, first)[1]:
            thing = self._type_of_local(place, first, depth)
        else:
            thing, taken = self._first(place, parts)
        for part in parts[taken:]:
            if isinstance(thing, Target):
                thing = self._step(place.file, thing, part)
            elif thing is None or thing < 0:
                break
            else:
                name = part.removesuffix("()")
                found = self.members(thing, name)
                if found:
                    thing = self._what_it_gives(found[0], thing) if name != part else self._what_it_holds(found[0])
                else:
                    thing = thing if name in SAME else self._type_of_attribute(thing, name)
        return thing

    def _first(self, place: Place, parts: Sequence[str]) -> tuple[int | Target | None, int]:
        """What the first name of a chain is, and how many of its parts that takes."""
        first = parts[0].removesuffix("()")
        is_call = first != parts[0]
        for entry, target in self._imports.named(place.file).get(first, ()):
            spelt = PART.findall(entry.module)
            if not entry.name and len(spelt) > 1 and spelt[0] == entry.alias:  # import a.b.c is reached as a.b.c
                if list(parts[: len(spelt)]) == spelt:
                    return target, len(spelt)
                continue
            return (self._reached(target.symbols[0], is_call=is_call) if target.symbols else target), 1
        meaning = self._bare(place, first)
        if meaning is None or meaning.target < 0:
            return None, 1
        return self._reached(meaning.target, is_call=is_call), 1

    def _reached(self, ordinal: int, *, is_call: bool) -> int | None:
        return self._what_it_gives(ordinal, -1) if is_call else self._what_it_holds(ordinal)

    def _what_it_gives(self, ordinal: int, owner: int, result: int = 0) -> int | None:
        """The type of what calling a symbol gives; None when that is not declared.

        Args:
            ordinal: what is called.
            owner: the type it is a member of, -1 for none: what it returns when it says ``Self``.
            result: which of several results.
        """
        symbol = self._names.symbols[ordinal]
        if symbol.kind in TYPES:
            return ordinal
        if symbol.kind is Kind.CONSTRUCTOR:
            return symbol.parent if symbol.parent >= 0 else None
        returns = symbol.detail.returns if symbol.detail is not None else ()
        if not returns:
            return owner if owner >= 0 and symbol.name in MAKERS else None
        written = returns[result if result < len(returns) else 0].type
        if owner >= 0 and SELF_TYPE.match(written):
            return owner
        return self.type_named(Place(symbol.file, symbol.parent), written)[0]

    def _step(self, file: int, thing: Target, part: str) -> int | Target | None:
        if thing.is_external:
            return thing
        if thing.package:
            name = part.removesuffix("()")
            found = self._names.full(file, f"{thing.package}.{name}")
            return self._reached(found[0], is_call=name != part) if found else Target(package=f"{thing.package}.{part}")
        name = part.removesuffix("()")
        if found := self._imports.exported(thing.files, name):
            return self._reached(found[0], is_call=name != part)
        return self._imports.below(file, thing.module, part) if thing.module else None

    def _in_module(self, file: int, thing: Target, name: str) -> Meaning | None:
        found: Sequence[int] = ()
        if thing.package:
            found = self._names.full(file, f"{thing.package}.{name}")
        if not found and thing.files:
            found = self._imports.exported(thing.files, name)
        return self._settled(found, thing.certainty) if found else None

    def _by_full_name(self, file: int, qualifier: str, name: str) -> Sequence[int]:
        """The symbols whose package and name are written out, from the root or from the file's own package."""
        full = dotted(f"{qualifier}.{name}")
        own = dotted(self._names.files[file].package)
        return self._names.full(file, full) or (self._names.full(file, f"{own}.{full}") if own else ())

    def _of_something(self, place: Place, name: str, *, is_call: bool) -> Meaning | None:
        """What ``name`` may mean after a value of unknown type: a member of that name."""
        near = self._in_same_function(place.scope, self._names.members_named(self._names.family(place.file), name))
        one = near if near >= 0 else self.member_named(self._names.family(place.file), name, is_call)
        if one is None or one < 0:
            return None if one is None else Meaning(-1, Certainty.POSSIBLE)
        holder = self._names.symbols[one].file
        is_near = holder == place.file or holder in self._imports.files_of(place.file)
        is_home = self._names.home(holder) == self._names.home(place.file) != ""
        return Meaning(one, Certainty.LIKELY if is_near or is_home else Certainty.POSSIBLE)

    def _in_same_function(self, scope: int, members: Sequence[int]) -> int:
        """The one that the innermost function around a place which declares any declares: part of what it makes itself."""
        if scope < 0 or len(members) > _MOST_NAMESAKES:
            return -1
        parents = {self._names.symbols[each].parent for each in members} - {-1}
        for _ in range(_DEEPEST):
            if scope < 0 or scope in parents:
                break
            scope = self._names.symbols[scope].parent
        if scope not in parents or self._names.symbols[scope].kind not in CALLABLES:
            return -1
        return self._names.one_of([each for each in members if self._names.symbols[each].parent == scope])

    def _member_named(self, family: str, name: str, is_call: bool) -> int | None:
        """The member of that name that any type of the family has; -1 for several, None for none."""
        members = self._names.members_named(family, name)
        if is_call:
            members = [ordinal for ordinal in members if self._names.symbols[ordinal].kind in CALLABLES | TYPES] or members
        return self._names.one_of(members) if members else None

    def module_called(self, file: int, alias: str) -> str:
        """The module that a file imports under a name, as it is written; the name itself where it imports none."""
        entries = self._imports.named(file).get(alias, ())
        return entries[0][0].module if entries else alias

    # -- types ---------------------------------------------------------------------------------------------------------------

    def _members(self, ordinal: int, name: str) -> Sequence[int]:
        """The members of that name that a type has, its own or else those of the nearest type that it rests on."""
        found = [each for each in self._names.within(ordinal).get(name, ()) if not self._is_local(each)]
        if direct := [each for each in found if not self._is_inside_member(each)]:
            return direct
        holders = (self._names.within(ancestor).get(name, ()) for ancestor in self.ancestors(ordinal)[0])
        return next((inherited for inherited in holders if inherited), found)

    def _is_local(self, ordinal: int) -> bool:
        """Whether a symbol is a variable of a function that is no symbol itself: one written inside an object's literal."""
        symbol = self._names.symbols[ordinal]
        return symbol.kind in VARIABLES and symbol.parent >= 0 and self._names.symbols[symbol.parent].kind in VALUES

    def _is_inside_member(self, ordinal: int) -> bool:
        """Whether a symbol is named after a type but stands inside one of its members, as what a constructor declares."""
        parent = self._names.symbols[ordinal].parent
        return parent >= 0 and self._names.symbols[parent].kind in CALLABLES

    def _ancestors(self, ordinal: int) -> tuple[Sequence[int], bool]:
        """The types of the bundle that a type rests on, the nearest first; and whether any of them rests on one from outside."""
        found: dict[int, None] = {ordinal: None}
        is_open = False
        waiting = [ordinal]
        for each in waiting:
            for _, target, _ in self.supertypes(each):
                is_open |= target < 0
                if target >= 0 and target not in found and len(found) <= _MOST_SUPERTYPES:
                    found[target] = None
                    waiting.append(target)
        return tuple(found)[1:], is_open

    def _supertypes(self, ordinal: int) -> Sequence[tuple[str, int, Certainty]]:
        """(relation as declared, ordinal or -1, certainty) of what a type is declared to rest on, wherever that is said."""
        found: list[tuple[str, int, Certainty]] = []
        for each in self._declarations(ordinal):
            detail = self._names.symbols[each].detail
            for base in detail.supertypes if detail is not None else ():
                place = Place(self._names.symbols[each].file, self._names.symbols[each].parent)
                target, certainty = self.type_named(place, base.name)
                found.append((base.relation, target, certainty))
        return found[:_MOST_SUPERTYPES]

    def _declarations(self, ordinal: int) -> Sequence[int]:
        """All places that declare the same type: parts of a class, ``impl`` blocks, a class that is opened again."""
        symbol = self._names.symbols[ordinal]
        owner = symbol.parent
        if owner >= 0 and self._names.symbols[owner].kind not in SCOPES:
            return self._names.within(owner).get(symbol.name, (ordinal,))
        same = self._names.at_home(symbol.file).get(symbol.name, ())
        return same if ordinal in same else (ordinal,)

    def type_named(self, place: Place, written: str) -> tuple[int, Certainty]:
        """The type that a text of the source means, its ordinal or -1, and how sure that is."""
        for word in words_of(written):
            qualifier, name = split(word)
            scope = place.scope
            for _ in range(_DEEPEST):  # a member may have the name of a type: such a one is further out
                meaning = self.meaning(Place(place.file, scope), qualifier, name)
                if meaning is None or meaning.target < 0:
                    break
                if self._names.symbols[meaning.target].kind in TYPES:
                    return meaning.target, meaning.certainty
                if scope < 0:
                    break
                scope = self._names.symbols[scope].parent
        return -1, Certainty.POSSIBLE

    def _type_of_local(self, place: Place, name: str, depth: int) -> int | None:
        """The type of a variable of a function; -1 when it is declared and not known here, None when nothing is said."""
        if place.bound >= 0 and depth:
            binding = self._bindings[place.bound]
            return self._type_of_binding(Place(place.file, binding.symbol, binding.bound), binding, depth)
        scope, written = self._parameter(place, name)
        return self.type_named(Place(place.file, scope), written)[0] if written else None

    def _parameter(self, place: Place, name: str) -> tuple[int, str]:
        """The declared type of a parameter or receiver of that name, and the scope in which it is written; empty for none."""
        scope = place.scope
        for _ in range(_DEEPEST):
            if scope < 0:
                break
            symbol = self._names.symbols[scope]
            if symbol.receiver == name and symbol.detail is not None:
                return -1, symbol.detail.receiver
            for parameter in symbol.detail.parameters if symbol.detail is not None else ():
                if parameter.name.lstrip("*&.$ ") == name.lstrip("$"):
                    return symbol.parent, parameter.type
            scope = symbol.parent
        return -1, ""

    def _type_of_binding(self, place: Place, binding: Binding, depth: int) -> int | None:
        if binding.is_type:
            return self.type_named(place, binding.value)[0]
        parts = PART.findall(binding.value)
        if not parts:
            return None
        if binding.result and len(parts) == 1:
            meaning = self._bare(place, parts[0].removesuffix("()"))
            return self._what_it_gives(meaning.target, -1, binding.result) if meaning is not None and meaning.target >= 0 else None
        if binding.result:
            owner = self._follow(place, parts[:-1], depth - 1)
            found = self._called(place.file, owner, parts[-1].removesuffix("()"))
            return self._what_it_gives(found, -1, binding.result) if found >= 0 else None
        thing = self._follow(place, parts, depth - 1)
        return thing if isinstance(thing, int) else None

    def _called(self, file: int, owner: int | Target | None, name: str) -> int:
        """The symbol of that name in a type or module; -1 for none."""
        if isinstance(owner, Target):
            meaning = self._in_module(file, owner, name)
            return meaning.target if meaning is not None else -1
        found = self.members(owner, name) if owner is not None and owner >= 0 else ()
        return found[0] if found else -1

    def _type_of_attribute(self, ordinal: int, name: str) -> int | None:
        """The type of what instances have though no definition says so: ``self.name``."""
        for owner in (ordinal, *self.ancestors(ordinal)[0]):
            for each in self._declarations(owner):
                symbol = self._names.symbols[each]
                for attribute in symbol.detail.attributes if symbol.detail is not None else ():
                    if attribute.name == name and attribute.type:
                        return self.type_named(Place(symbol.file, each), attribute.type)[0]
        return None

    def _what_it_holds(self, ordinal: int) -> int | None:
        """Where to look for members after the name of a symbol: in it, or in its declared type; None when that is not known."""
        symbol = self._names.symbols[ordinal]
        if symbol.kind in TYPES | SCOPES:
            return ordinal
        if symbol.kind is Kind.ENUM_MEMBER:
            return symbol.parent if symbol.parent >= 0 else None
        if symbol.kind in VALUES:
            if symbol.detail is not None and symbol.detail.type:
                return self.type_named(Place(symbol.file, symbol.parent), symbol.detail.type)[0]
            value = symbol.detail.value if symbol.detail is not None else ""
            if chain := chain_of(value):
                thing = self._follow(Place(symbol.file, symbol.parent), PART.findall(chain))
                return thing if isinstance(thing, int) else None
            return ordinal if value.startswith("{") and self._names.within(ordinal) else None
        return None

    def _enclosing_type(self, scope: int) -> int:
        """The type around a symbol, by where it stands or by what it is declared on; -1 for none."""
        for _ in range(_DEEPEST):
            if scope < 0 or self._names.symbols[scope].kind in TYPES:
                return scope
            parent = self._names.symbols[scope].parent
            scope = parent if parent >= 0 else self._names.owner(scope)
        return -1
