"""A use of a name in, its target symbol and the certainty out.

Resolving uses what the source declares, never similarity: enclosing scopes, the file, its imports, its package, the declared type
of the expression before the dot. Names alone decide only for a member of a value of unknown type, and then the certainty says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hardtack.build.frameworks.laravel.abilities import POLICY
from hardtack.build.relations.alone import OnlySymbols
from hardtack.build.relations.calls import Calls
from hardtack.build.relations.chains import Chains
from hardtack.build.relations.declarations import dotted
from hardtack.build.relations.extensions import Extensions
from hardtack.build.relations.memo import Memo
from hardtack.build.relations.overloads import Overloads
from hardtack.build.relations.paths import may_be_type
from hardtack.build.relations.policies import in_policies
from hardtack.build.relations.scopes import Scopes, UseSite
from hardtack.build.relations.targets import Target
from hardtack.build.relations.typed import BEYOND, OF_TRAITS, Value, is_type
from hardtack.build.relations.types import Meaning, Types
from hardtack.build.relations.unknown import UnknownOwners
from hardtack.build.relations.words import OWN_PACKAGE, PART, PATH, ROOTS, shorthands_of
from hardtack.nouns.model import NAMESPACES, PARTS, VALUES
from hardtack.nouns.relations import NOT_CALLED, OF_POINTER, RECEIVER, SPELT, UNCALLED, Certainty

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import SymbolNames

_MOST: Final = 200
"""Maximum number of members with one name whose types are compared."""


class Resolver:
    """Finds the targets of names, and stores them, since the same names are used again and again."""

    def __init__(self, names: SymbolNames, imports: Imports) -> None:
        self._names = names
        self._imports = imports
        self._types = Types(names, self.meaning, imports.is_unread)
        self.members = self._types.members
        self._calls = Calls(names, self._types)
        self.is_called_by_name, self.overloads = self._calls.is_called_by_name, self._calls.overloads
        self.type_named, self.supertype_named = self._types.type_named, self._types.supertype_named
        self._scopes = Scopes(names, imports, self.members, self._types.extended)
        self._extensions = Extensions(names, self._types, self._calls)
        self._unknown = UnknownOwners(names, imports, self._calls)
        self._memo = Memo(lambda question: question[0](*question[1:]))
        """Questions are (method, arguments): those that are asked often and may depend on themselves."""
        self._chains = Chains(names, imports, self._types, self, self._memo)
        self._overloads = Overloads(names, self._types, self._chains)
        self._only = OnlySymbols(names, imports, self._types, self._calls, self._chains, self._is_outside)
        self.alone = self._only.meaning

    def clear(self) -> None:
        """Drop everything. The caches of bound methods refer back to these objects, and the cycle collector is off in a build."""
        self._chains.clear()
        for each in (
            self._types,
            self._calls,
            self._extensions,
            self._unknown,
            self._only,
            self._scopes,
            self._memo,
            self._overloads,
            self,
        ):
            vars(each).clear()

    def bind(self, file: int, bindings: Sequence[tuple[Any, ...]]) -> None:
        """Set the bindings of the file that is resolved next, :class:`relations.Binding` values."""
        self._chains.bind(bindings, self._names.files[file].first_symbol)

    def told_apart(self, meaning: Meaning, place: UseSite, given: str) -> Meaning:
        """The overload that the types of a call's arguments tell, of those that its meaning may be."""
        known = [each.rpartition(":") if each.startswith("=") else (each, "", "-1") for each in given.split(";")]
        return self._overloads.told(meaning, place, [each for each, _, _ in known], [int(bound) for _, _, bound in known])

    # -- names ---------------------------------------------------------------------------------------------------------------

    def meaning(self, place: UseSite, qualifier: str, name: str, arguments: int = NOT_CALLED) -> Meaning | None:
        """The meaning of ``name`` after ``qualifier`` (see :class:`relations.Use`); None if it is no symbol of the bundle."""
        meaning: Meaning | None = self._memo.answer((self._meaning, place, qualifier, name, arguments))
        return meaning

    def _meaning(self, place: UseSite, qualifier: str, name: str, arguments: int) -> Meaning | None:
        if not self._names.named(place.file, name) and not (qualifier and name in self._names.renamed(place.file)):
            # The local name of an import: import { a as b }
            return self.bare(place, name, arguments) if not qualifier and name in self._imports.named(place.file) else None
        if not qualifier:
            return self.bare(place, name, arguments)
        if qualifier == SPELT:
            return None  # whatever has the name, so the only symbol that does: see ``alone``
        if qualifier.endswith(RECEIVER):
            return self._of_receiver(place, qualifier.removesuffix(RECEIVER), name, arguments)
        if qualifier == "()":
            return self._unknown.member(place, name, arguments)
        meaning = self._qualified(place, qualifier.removesuffix(OF_POINTER), name, arguments)
        if meaning is not None and meaning.certainty is Certainty.EXACT:
            is_sure = not qualifier.endswith(OF_POINTER) and not self._chains.is_unsteady(place)
            return meaning if is_sure else meaning._replace(certainty=Certainty.LIKELY)
        return meaning

    def bare(self, place: UseSite, name: str, arguments: int = NOT_CALLED) -> Meaning | None:
        """The meaning of a name with nothing before it."""
        found, certainty = self._scopes.found(place, name, self._calls.unmeant(place.file, arguments))
        found = found if arguments in UNCALLED else self._names.without(found, NAMESPACES)
        behind = self._imports.behind(found[0]) if len(found) == 1 else None
        if behind is not None and (symbols := self._imports.value(behind)):
            return self._calls.meaning_of(symbols, arguments, behind.certainty)
        owner = self._owner_around(place.scope, name, found) if arguments >= 0 else -1
        if owner >= 0 and (members := self._calls.members(owner, name, arguments)):
            return self._calls.member(owner, name, members, arguments)
        return self._calls.meaning_of(found, arguments, certainty) if found else None

    def _owner_around(self, scope: int, name: str, found: Sequence[int]) -> int:
        """The nearest type around that has these members of a name; -1 if they are no members of one."""
        if not found or self._names.is_top(found[0]):
            return -1
        while (owner := self._types.enclosing(scope)) >= 0:
            if found[0] in self._types.members(owner, name):
                return owner
            scope = self._names.symbols[owner].parent
        return -1

    def _of_receiver(self, place: UseSite, receiver: str, name: str, arguments: int) -> Meaning | None:
        """The meaning of a bare name in a lambda that has a receiver: its member, or what the name means outside.

        If the receiver's type is unknown, a name that means a member outside is no more than possible, any other likely.
        """
        owner = self._chains.value(place, PART.findall(receiver)).owner
        known = owner if is_type(owner) else -1
        if known >= 0 and (found := self._calls.members(known, name, arguments)):
            return self._calls.member(known, name, found, arguments)
        meaning = self.bare(UseSite(place.file, place.scope), name, arguments)
        if meaning is None or meaning.target < 0 or (known >= 0 and not self._types.ancestors(known)[1]):
            return meaning
        is_member = self._names.symbols[meaning.target].kind in PARTS
        return Meaning(
            meaning.target, Certainty.POSSIBLE if is_member or meaning.certainty is Certainty.POSSIBLE else Certainty.LIKELY
        )

    # -- chains --------------------------------------------------------------------------------------------------------------

    def _qualified(self, place: UseSite, qualifier: str, name: str, arguments: int) -> Meaning | None:
        parts = PART.findall(qualifier)
        value = self._chains.value_of(place, qualifier)
        owner = value.owner
        if isinstance(owner, Target):
            return self.in_module(place.file, owner, name, arguments)
        if owner is None and parts and parts[-1] == POLICY:
            found = in_policies(self._names, place.file, name)
            return self._calls.meaning_of(found, arguments, Certainty.LIKELY) if found else None
        if owner is not None:
            if found := self._member_of(value, name, arguments):
                return self._calls.member(owner, name, found, arguments) if is_type(owner) else None
            if (extended := self._extensions.meaning(place.file, value, name, arguments)) is not None:
                return extended
            if owner < 0:
                return self._of_traits(place, value, name, arguments)
            if self._types.has_attribute(owner, name):
                return None
            if self._names.symbols[owner].kind in NAMESPACES:
                passed = self.in_module(place.file, Target(symbols=(owner,)), name, arguments)
                return passed or self._in_namespace(place, qualifier, name, arguments)
            if place.bound == -1 and (found := self._by_full_name(place.file, qualifier, name)):
                return self._calls.meaning_of(found, arguments)
            if not (self._types.ancestors(owner)[1] or "..." in self._shorthands(owner)):
                found = self._in_subtypes(place.file, owner, name)
                likely = self._calls.meaning_of(found, arguments, Certainty.LIKELY) if found else None
                return likely or self._of_traits(place, value, name, arguments)
        if place.bound == -1 and (found := self._by_full_name(place.file, qualifier, name)):
            return self._calls.meaning_of(found, arguments)
        meaning = self._unknown.member(place, name, arguments)
        if meaning is None or owner is not None or place.bound != -1 or not self._is_outside(place, qualifier, parts):
            return meaning
        return meaning._replace(certainty=Certainty.POSSIBLE) if meaning.target >= 0 else None  # the only one is never lost

    def _member_of(self, value: Value, name: str, arguments: int) -> Sequence[int]:
        """The members of that name of a value, or of what it points to."""
        if not is_type(value.owner):
            return ()
        found = self._declared(value.owner, name, arguments)
        if found:
            return found
        pointed = (self._declared(each.owner, name, arguments) for each in self._chains.pointed(value) if is_type(each.owner))
        return next((found for found in pointed if found), ())

    def _of_traits(self, place: UseSite, value: Value, name: str, arguments: int) -> Meaning | None:
        """The member of a trait, where one may be implemented for a type that does not say so: ``impl<T> Tank for T``."""
        found = self._unknown.of_traits(place.file, name, arguments) if self._imports.has_paths(place.file) else ()
        is_outside = value.owner in (-1, BEYOND) and value != OF_TRAITS
        return self._calls.meaning_of(found, arguments, Certainty.POSSIBLE if is_outside else Certainty.LIKELY) if found else None

    def _in_subtypes(self, file: int, owner: int, name: str) -> Sequence[int]:
        """The members of that name that only subtypes of a type declare, the first to do so: a test before told that it is one."""
        members = self._names.members_named(self._names.family(file), name)
        above = {each: self._types.ancestors(self._types.enclosing(each))[0] for each in members} if len(members) <= _MOST else {}
        found = [each for each in above if owner in above[each]]
        declaring = {self._types.enclosing(each) for each in found}
        return [each for each in found if declaring.isdisjoint(above[each])]

    def _is_outside(self, place: UseSite, qualifier: str, parts: Sequence[str]) -> bool:
        """Whether a chain is a type or a path that the bundle has not: ``Vec``, ``System.out``, ``std::thread``."""
        if not parts or qualifier.endswith(")"):
            return False
        first, last = parts[0], parts[-1]
        if PATH in qualifier and not any(part.endswith(")") for part in parts):
            known = self._names.is_known(place.file, first)
            return not known or (self._imports.has_paths(place.file) and self._chains.first(place, parts)[0].owner is None)
        types = (last, first) if "(" not in qualifier else (last,)
        return not all(may_be_type(self._names, place.file, each) for each in types)

    def in_module(self, file: int, owner: Target, name: str, arguments: int = NOT_CALLED) -> Meaning | None:
        """The meaning of a name in a module or package."""
        if owner.package and (found := self._names.full(file, f"{owner.package}.{name}")):
            return self._calls.meaning_of(found, arguments, owner.certainty)
        inside = self._imports.inside(owner, name)
        value = self._imports.value(owner) if owner.files and not inside.symbols else ()
        found = inside.symbols or (self.member(value[0], name, arguments) if value else ())
        return self._calls.meaning_of(found, arguments, owner.certainty if value else inside.certainty) if found else None

    def member(self, owner: int, name: str, arguments: int) -> Sequence[int]:
        """The members of that name of a symbol, else the extension methods of its type."""
        return self._declared(owner, name, arguments) or (
            self._extensions.of_type(owner, name, arguments) if is_type(owner) else ()
        )

    def _declared(self, owner: int, name: str, arguments: int) -> Sequence[int]:
        """The members of that name of a symbol; for an object literal that names it alone, what its file calls so."""
        found = self._calls.members(owner, name, arguments)
        symbol = self._names.symbols[owner]
        if found or name not in self._shorthands(owner):
            return found
        meaning = self.bare(UseSite(symbol.file, symbol.parent), name)
        return (meaning.target,) if meaning is not None and meaning.target >= 0 else ()

    def _shorthands(self, ordinal: int) -> Collection[str]:
        """The members of an object literal that are written as their names alone; ``...`` for those of another object."""
        symbol = self._names.symbols[ordinal]
        is_object = symbol.kind in VALUES and symbol.detail is not None and self._imports.has_default(symbol.file)
        return shorthands_of(symbol.detail.value) if is_object and symbol.detail is not None else ()

    def has_shorthands(self, ordinal: int) -> bool:
        """Whether a symbol is an object literal with members that are written as their names alone."""
        return bool(self._shorthands(ordinal))

    def _in_namespace(self, place: UseSite, qualifier: str, name: str, arguments: int) -> Meaning | None:
        """A symbol of the namespace in another file, or possibly a top-level symbol, if a macro opens the namespace."""
        if found := self._by_full_name(place.file, qualifier, name):
            return self._calls.meaning_of(found, arguments)
        found = self._names.at_home(place.file).get(name, ())
        return self._calls.meaning_of(found, arguments, Certainty.POSSIBLE) if found else None

    def _by_full_name(self, file: int, qualifier: str, name: str) -> Sequence[int]:
        """The symbols with that full name, from the root or from the file's own package."""
        full, own = dotted(f"{qualifier}.{name}"), dotted(self._names.files[file].package)
        first, _, rest = full.partition(".")
        imported = self._imports.named(file).get(first, ()) if not qualifier.startswith(ROOTS) else ()
        places = [f"{dotted(f'{each.entry.module}.{each.entry.name}')}.{rest}" for each in imported]
        places += [f"{own}.{rest}"] if first == OWN_PACKAGE else [full, f"{own}.{full}"] if own else [full]
        return next((found for each in places if (found := self._names.full(file, each))), ())

    def module_called(self, file: int, alias: str) -> str:
        """The module that a file imports under a name, as it is written; the name itself if there is none."""
        imported = self._imports.named(file).get(alias, ())
        return imported[0].entry.module if imported else alias
