"""A type in, its supertypes and members out; and the text of a type in, the type itself out.

The members of a type are those that it declares, wherever they are declared, and those of its supertypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardtack.build.outline.expressions import chain_of
from hardtack.build.relations.scopes import UseSite
from hardtack.build.relations.words import DYNAMIC, FIXTURE_TEST, parts_of, split, words_of
from hardtack.nouns.model import CALLABLES, NAMESPACES, TYPES, VALUES, VARIABLES, Kind
from hardtack.nouns.relations import Certainty, RelationKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hardtack.build.relations.declarations import Declaration
    from hardtack.build.relations.names import SymbolNames

_MAX_ALIASES: Final = 5
"""Aliases of aliases that are followed."""
_MAX_SUPERTYPES: Final = 100
_MAX_DEPTH: Final = 20
"""Maximum number of enclosing scopes that are searched."""
_MIXED_IN: Final = TYPES | {Kind.MODULE}
"""Kinds whose members a type may take over."""


class Meaning(NamedTuple):
    """The meaning of a name."""

    target: int
    """Ordinal of the symbol; -1 if it is one of several."""
    certainty: Certainty
    overloads: Sequence[int] = ()
    """Functions that take so many arguments, of which it surely is one; nothing if it is decided."""


class Meanings(Protocol):
    """Gives the meaning of a name after a qualifier; None if it is no symbol of the bundle."""

    def __call__(self, place: UseSite, qualifier: str, name: str, /) -> Meaning | None: ...  # noqa: D102


class ResolvedSupertype(NamedTuple):
    """A type that another declares to inherit from."""

    relation: str
    """As declared."""
    target: int
    """Ordinal, or -1 for a type outside the bundle."""
    certainty: Certainty


class Types:
    """The supertypes and members of types, stored once they were found."""

    def __init__(self, names: SymbolNames, meaning: Meanings, is_unread: Callable[[int, str], bool]) -> None:
        """``is_unread`` says whether a file imports a name from a module of the project that is not in the bundle."""
        self._names = names
        self._is_unread = is_unread
        self._meaning = meaning
        self.members = cache(self._members)
        self.supertypes = cache(self._supertypes)
        self.ancestors = cache(self._ancestors)
        self.extended = cache(self._find_extended)

    def _members(self, ordinal: int, name: str) -> Sequence[int]:
        """The members of that name of a type: its own, or else those of the nearest supertype that has any."""
        direct, found = self._names.once(self._own_of, self._names.within(ordinal).get(name, ()))
        if direct:
            return direct
        return next(iter(self.handed_down(ordinal, name)), found)

    def handed_down(self, ordinal: int, name: str) -> Sequence[Sequence[int]]:
        """The members of that name of each supertype that has any: the nearest first, those that are only promised last."""
        found = [inherited for each in self.ancestors(ordinal)[0] if (inherited := self._inherited(each, name))]
        return sorted(found, key=self._are_promised) if len(found) > 1 else found

    def _are_promised(self, members: Sequence[int]) -> bool:
        symbol = self._names.symbols[members[0]]
        is_in_interface = symbol.parent >= 0 and self._names.symbols[symbol.parent].kind is Kind.INTERFACE
        return is_in_interface or (symbol.detail is not None and "abstract" in symbol.detail.modifiers)

    def _inherited(self, ancestor: int, name: str) -> Sequence[int]:
        found = self._names.within(ancestor).get(name, ())
        if not found:
            return found
        symbol = self._names.symbols[ancestor]
        scoping = self._names.languages[symbol.file].scoping
        is_kept = "own_private" in scoping and symbol.kind is not Kind.TRAIT
        return self._names.once(self._not_private, found) if is_kept else found

    def _not_private(self, members: Sequence[int]) -> Sequence[int]:
        details = ((each, self._names.symbols[each].detail) for each in members)
        return [each for each, detail in details if detail is None or detail.visibility != "private"]

    def _own_of(self, named: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        """(the members among the symbols that a type qualifies, these and those inside members)."""
        found = [each for each in named if not self._is_local(each)]
        return [each for each in found if not self._is_inside_member(each)], found

    def _is_local(self, ordinal: int) -> bool:
        """Whether a symbol is a local variable of a function in an object literal, which is no symbol itself."""
        symbol = self._names.symbols[ordinal]
        return symbol.kind in VARIABLES and symbol.parent >= 0 and self._names.symbols[symbol.parent].kind in VALUES

    def _is_inside_member(self, ordinal: int) -> bool:
        """Whether a symbol is qualified by a type but declared inside a member of it, as properties in a constructor."""
        parent = self._names.symbols[ordinal].parent
        return parent >= 0 and self._names.symbols[parent].kind in CALLABLES

    def _ancestors(self, ordinal: int) -> tuple[Sequence[int], bool]:
        """(all supertypes in the bundle, nearest first; whether any supertype is outside the bundle)."""
        found: dict[int, None] = {ordinal: None}
        is_open = False
        waiting = [ordinal]
        for each in waiting:
            for supertype in self.supertypes(each):
                target = supertype.target
                is_open |= target < 0
                if target >= 0 and target not in found and len(found) <= _MAX_SUPERTYPES:
                    found[target] = None
                    waiting.append(target)
        return tuple(found)[1:], is_open

    def _supertypes(self, ordinal: int) -> Sequence[ResolvedSupertype]:
        """The direct supertypes of a type, from all its declarations."""
        return self._names.once(self._stated_supertypes, self._declarations(ordinal))

    def _stated_supertypes(self, declarations: Sequence[int]) -> Sequence[ResolvedSupertype]:
        found: list[ResolvedSupertype] = []
        for each in declarations:
            detail = self._names.symbols[each].detail
            for base in detail.supertypes if detail is not None else ():
                place = UseSite(self._names.symbols[each].file, self._names.symbols[each].parent)
                found.append(ResolvedSupertype(base.relation, *self.supertype_named(place, base.relation, base.name)))
            alias = detail.value or detail.type if detail is not None and self._names.symbols[each].kind is Kind.TYPE else ""
            if alias:
                place = UseSite(self._names.symbols[each].file, self._names.symbols[each].parent)
                found += (ResolvedSupertype("inherits", *self.type_named(place, part)) for part in parts_of(alias))
        found.sort(key=lambda each: each.relation != "uses")  # the members of a trait go before inherited ones
        return found[:_MAX_SUPERTYPES]

    def _declarations(self, ordinal: int) -> Sequence[int]:
        """All declarations of the same type: parts of a class, ``impl`` blocks, a class that is opened again."""
        symbol = self._names.symbols[ordinal]
        owner = symbol.parent
        if owner >= 0 and self._names.symbols[owner].kind not in NAMESPACES:
            return self._names.within(owner).get(symbol.name, (ordinal,))
        if self._names.is_namesake(ordinal):
            return self._names.joined(ordinal)
        same = self._names.at_home(symbol.file).get(symbol.name, ())
        return same if ordinal in self._names.once(frozenset, same) else (ordinal,)

    def type_named(self, place: UseSite, written: str) -> tuple[int, Certainty]:
        """(ordinal or -1, certainty) of the type that a text of the source names."""
        target, certainty, _ = self._type_of_text(place, written)
        return target, certainty

    def supertype_named(self, place: UseSite, relation: str, written: str) -> tuple[int, Certainty]:
        """As :meth:`type_named`, of what a type states that it inherits from, or uses; it may use a module as a mixin."""
        target, certainty, _ = self._type_of_text(place, written, kinds=_MIXED_IN if relation == RelationKind.USES else TYPES)
        return target, certainty

    def resolved_type(self, place: UseSite, written: str) -> int | None:
        """The type that a text names; -1 for one outside the bundle, None if the name is in the bundle but may be no type."""
        target, _, is_here = self._type_of_text(place, written)
        return None if target < 0 and (is_here or DYNAMIC.issuperset(words_of(written))) else target

    def _type_of_text(
        self, place: UseSite, written: str, depth: int = _MAX_ALIASES, kinds: frozenset[Kind] = TYPES
    ) -> tuple[int, Certainty, bool]:
        """As :meth:`type_named`, and whether the bundle has the name, as a type or not."""
        is_here = False
        for qualifier, name in map(split, words_of(written)):
            scope = place.scope
            for _ in range(_MAX_DEPTH):  # a member may have the same name as a type in an outer scope: search on outwards
                meaning = self._meaning(UseSite(place.file, scope), qualifier, name)
                if meaning is None or meaning.target < 0:
                    is_here |= meaning is not None or self._is_unread(place.file, name)  # one of several, or of what is not read
                    break
                symbol, is_here = self._names.symbols[meaning.target], True
                if symbol.kind in kinds:
                    return meaning.target, meaning.certainty, True
                if symbol.kind in VARIABLES and symbol.detail is not None and symbol.detail.value and depth:
                    target, certainty, _ = self._type_of_text(UseSite(symbol.file, symbol.parent), symbol.detail.value, depth - 1)
                    if target >= 0 and not chain_of(symbol.detail.value).endswith(")"):
                        return target, certainty, True
                if scope < 0:
                    break
                scope = self._names.symbols[scope].parent
        return -1, Certainty.POSSIBLE, is_here

    def has_attribute(self, ordinal: int, name: str) -> bool:
        """Whether instances of a type have an attribute of that name, which is no symbol."""
        return any(name in self._names.once(self._attributes_of, declared) for declared in self._lineage(ordinal))

    def text_of_attribute(self, ordinal: int, name: str) -> tuple[UseSite, str]:
        """(place, type as written) of an attribute that code sets, as ``self.name = ...``; the type is empty if it is unknown."""
        for declared in self._lineage(ordinal):
            each, written = self._names.once(self._attributes_of, declared).get(name, (-1, ""))
            if written:
                return UseSite(self._names.symbols[each].file, each), written
        return UseSite(-1, -1), ""

    def _lineage(self, ordinal: int) -> Iterator[Sequence[int]]:
        """The declarations of a type, then those of each of its supertypes."""
        return map(self._declarations, (ordinal, *self.ancestors(ordinal)[0]))

    def _attributes_of(self, declarations: Sequence[int]) -> Mapping[str, tuple[int, str]]:
        """Name of an attribute -> (the declaration that first says its type, the type); the type is empty for none."""
        found: dict[str, tuple[int, str]] = {}
        for each in declarations:
            detail = self._names.symbols[each].detail
            for attribute in detail.attributes if detail is not None else ():
                if not found.get(attribute.name, (-1, ""))[1]:
                    found[attribute.name] = (each, attribute.type)
        return found

    def enclosing(self, scope: int) -> int:
        """The innermost type that encloses a symbol or on which it is declared; -1 for none."""
        for _ in range(_MAX_DEPTH):
            if scope < 0 or self._names.symbols[scope].kind in TYPES:
                return scope
            if self._names.symbols[scope].kind is Kind.BLOCK:
                return self.extended(scope)
            owner = self.extended(scope)
            scope = owner if owner >= 0 else self._names.symbols[scope].parent
        return -1

    def _fixture_of(self, test: Declaration) -> int:
        """The type of which a macro makes the test a member: ``TEST_F(TankTest, Fills) {}``; -1 for none."""
        place = UseSite(test.file, test.parent)
        given = test.detail.parameters if test.detail is not None and not test.detail.returns else ()
        return next((found for each in given if (found := self.type_named(place, each.type)[0]) >= 0), -1)

    def _find_extended(self, ordinal: int) -> int:
        """The type that a block adds to (``impl``, ``extension``), or on which a function outside is declared; -1 for none."""
        symbol = self._names.symbols[ordinal]
        if symbol.kind is Kind.FUNCTION and FIXTURE_TEST.fullmatch(symbol.name):
            return self._fixture_of(symbol)
        written = symbol.name if symbol.kind is Kind.BLOCK else symbol.qualified_name[: -len(symbol.name)].rstrip(".")
        if not written:
            return -1
        owner = self._names.owner(ordinal)
        if owner >= 0 or (symbol.parent >= 0 and symbol.kind is not Kind.BLOCK):
            return owner
        owner, _ = self.type_named(UseSite(symbol.file, symbol.parent), written)
        # In its own file the name may be that of the block alone.
        types = [each for each in self._names.named(symbol.file, written) if self._names.symbols[each].kind in TYPES]
        return owner if owner >= 0 or not types else self._names.one_of(types)
