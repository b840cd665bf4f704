"""A use of a name in, its target symbol and the certainty out.

Resolving uses what the source declares, never similarity: enclosing scopes, the file, its imports, its package, the declared type
of the expression before the dot. Names alone decide only for a member of a value of unknown type, and then the certainty says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardtack.build.frameworks.laravel.abilities import POLICY
from hardtack.build.languages.registry import languages
from hardtack.build.outline.expressions import chain_of
from hardtack.build.relations.calls import Calls
from hardtack.build.relations.imports import Target
from hardtack.build.relations.memo import Memo
from hardtack.build.relations.names import dotted
from hardtack.build.relations.policies import in_policies, policy_of
from hardtack.build.relations.scopes import Scopes, UseSite
from hardtack.build.relations.types import Meaning, Types
from hardtack.build.relations.unknown import UnknownOwners
from hardtack.build.relations.words import CALLED, MAKERS, OWN_PACKAGE, PARENT, PART, ROOTS, SAME, SELF, SELF_TYPE, shorthands_of
from hardtack.nouns.model import NAMESPACES, PARTS, TYPES, VALUES, Kind
from hardtack.nouns.relations import NOT_CALLED, OF_POINTER, RECEIVER, UNCOUNTED, Binding, Certainty

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import SymbolNames
_MAX_DEPTH = 20


class Resolver:
    """Finds the targets of names, and stores them, since the same names are used again and again."""

    def __init__(self, names: SymbolNames, imports: Imports) -> None:
        self._names = names
        self._imports = imports
        self._types = Types(names, self.meaning)
        self.members = self._types.members
        self._calls = Calls(names, self._types)
        self.type_named = self._types.type_named
        self._scopes = Scopes(names, imports, self.members, self._types.extended)
        self._unknown = UnknownOwners(names, imports, self._calls)
        self._memo = Memo(lambda question: question[0](*question[1:]))
        """Questions are (method, arguments): those that are asked often and may depend on themselves."""
        self._bindings: Sequence[tuple[Any, ...]] = ()
        """:class:`relations.Binding` values; plain rows, since few of them are needed."""
        self._first_symbol = 0

    def clear(self) -> None:
        """Drop everything. The caches of bound methods refer back to these objects, and the cycle collector is off in a build."""
        for each in (self._types, self._calls, self._unknown, self._scopes, self._memo, self):
            vars(each).clear()

    def bind(self, file: int, bindings: Sequence[tuple[Any, ...]]) -> None:
        """Set the bindings of the file that is resolved next, :class:`relations.Binding` values."""
        self._bindings, self._first_symbol = bindings, self._names.files[file].first_symbol

    # -- names ---------------------------------------------------------------------------------------------------------------

    def meaning(self, place: UseSite, qualifier: str, name: str, arguments: int = NOT_CALLED) -> Meaning | None:
        """The meaning of ``name`` after ``qualifier`` (see :class:`relations.Use`); None if it is no symbol of the bundle."""
        meaning: Meaning | None = self._memo.answer((self._meaning, place, qualifier, name, arguments))
        return meaning

    def _meaning(self, place: UseSite, qualifier: str, name: str, arguments: int) -> Meaning | None:
        if not self._names.named(place.file, name) and not (qualifier and name in self._names.renamed(place.file)):
            # The local name of an import: import { a as b }
            return self._bare(place, name, arguments) if not qualifier and name in self._imports.named(place.file) else None
        if not qualifier:
            return self._bare(place, name, arguments)
        if qualifier.endswith(RECEIVER):
            return self._of_receiver(place, qualifier.removesuffix(RECEIVER), name, arguments)
        if qualifier == "()":
            return self._unknown.member(place, name, arguments)
        if qualifier.endswith(OF_POINTER):
            meaning = self._qualified(place, qualifier.removesuffix(OF_POINTER), name, arguments)
            is_exact = meaning is not None and meaning.certainty is Certainty.EXACT
            return meaning._replace(certainty=Certainty.LIKELY) if meaning is not None and is_exact else meaning
        return self._qualified(place, qualifier, name, arguments)

    def _bare(self, place: UseSite, name: str, arguments: int = NOT_CALLED) -> Meaning | None:
        found, certainty = self._scopes.found(place, name, self._calls.unmeant(place.file, arguments))
        behind = self._imports.behind(found[0]) if len(found) == 1 else None
        if behind is not None and (symbols := self._imports.value(behind)):
            return self._calls.meaning_of(symbols, arguments, behind.certainty)
        return self._calls.meaning_of(found, arguments, certainty) if found else None

    def _of_receiver(self, place: UseSite, receiver: str, name: str, arguments: int) -> Meaning | None:
        """The meaning of a bare name in a lambda that has a receiver: its member, or what the name means outside.

        If the receiver's type is unknown, a name that means a member outside is no more than possible, any other likely.
        """
        owner = self._follow(place, PART.findall(receiver))
        known = owner if isinstance(owner, int) and owner >= 0 else -1
        if known >= 0 and (found := self._calls.members(known, name, arguments)):
            return self._calls.meaning_of(found, arguments)
        meaning = self._bare(UseSite(place.file, place.scope), name, arguments)
        if meaning is None or meaning.target < 0 or (known >= 0 and not self._types.ancestors(known)[1]):
            return meaning
        is_member = self._names.symbols[meaning.target].kind in PARTS
        return Meaning(
            meaning.target, Certainty.POSSIBLE if is_member or meaning.certainty is Certainty.POSSIBLE else Certainty.LIKELY
        )

    # -- chains --------------------------------------------------------------------------------------------------------------

    def _qualified(self, place: UseSite, qualifier: str, name: str, arguments: int) -> Meaning | None:
        parts = PART.findall(qualifier)
        if parts:
            owner = self._follow(place, parts)
            if isinstance(owner, Target):
                return self._in_module(place.file, owner, name, arguments)
            if owner is None and parts[-1] == POLICY:
                found = in_policies(self._names, place.file, name)
                return self._calls.meaning_of(found, arguments, Certainty.LIKELY) if found else None
            if owner is not None:
                if found := self._member(owner, name, arguments) if owner >= 0 else ():
                    return self._calls.meaning_of(found, arguments)
                if owner >= 0 and self._types.has_attribute(owner, name):
                    return None
                if owner >= 0 and self._names.symbols[owner].kind in NAMESPACES:
                    passed = self._in_module(place.file, Target(symbols=(owner,)), name, arguments)
                    return passed or self._in_namespace(place, qualifier, name, arguments)
                if owner >= 0 and place.bound == -1 and (found := self._by_full_name(place.file, qualifier, name)):
                    return self._calls.meaning_of(found, arguments)
                if owner < 0 or not (self._types.ancestors(owner)[1] or "..." in self._shorthands(owner)):
                    return None
        if place.bound == -1 and (found := self._by_full_name(place.file, qualifier, name)):
            return self._calls.meaning_of(found, arguments)
        meaning = self._unknown.member(place, name, arguments)
        is_outside = meaning is not None and meaning.target < 0 and self._is_type_outside(place, parts)
        return None if is_outside else meaning

    def _is_type_outside(self, place: UseSite, parts: Sequence[str]) -> bool:
        """Whether a chain ends in a name that is written as a type is, and that nothing in the bundle has: ``Vec::new``."""
        last = parts[-1] if parts else ""
        is_type = last[:1].isupper() and not last.isupper() and not last.endswith("()") and place.bound == -1
        return is_type and not self._names.named(place.file, last)

    def _follow(self, place: UseSite, parts: Sequence[str], depth: int = _MAX_DEPTH) -> int | Target | None:
        """The type, module or package of a chain's value; None if it is unknown, -1 for a type outside the bundle.

        Args:
            place: where the chain is written.
            parts: its names; one that is called ends in ``()``.
            depth: maximum number of variables that are set to each other.
        """
        owner: int | Target | None
        taken, first = 1, parts[0].removesuffix("()")
        if first in SELF or (first in PARENT and place.bound == -1):  # many a variable is called parent or base
            owner = self._types.enclosing(place.scope)
            if first in PARENT and owner >= 0:
                owner = next((base.target for base in self._types.supertypes(owner) if base.target >= 0), -1)
            elif owner < 0:
                owner = None
        elif place.bound != -1 or self._parameter(place, first)[1]:
            owner = self._type_of_local(place, first, depth)
            if first != parts[0] and owner is not None and owner >= 0:
                owner = self._call_result_type(owner)
        else:
            owner, taken = self._first(place, parts)
        for part in parts[taken:]:
            if part == POLICY:
                owner = policy_of(self._names, owner) if isinstance(owner, int) else None
            elif isinstance(owner, Target):
                owner = self._step(place.file, owner, part)
            elif owner is not None and owner >= 0 and self._names.symbols[owner].kind in NAMESPACES:
                owner = self._step(place.file, Target(symbols=(owner,), module=part), part)
            elif owner is None or owner < 0:
                break
            else:
                name = part.removesuffix("()")
                found = self._member(owner, name, NOT_CALLED)
                if found:
                    owner = self._result_type(found[0], owner) if name != part else self._member_owner(found[0])
                else:
                    owner = owner if name in SAME or name == "new" else self._types.type_of_attribute(owner, name)
        return owner

    def _first(self, place: UseSite, parts: Sequence[str]) -> tuple[int | Target | None, int]:
        """(value of the first name of a chain, number of parts that make up that name)."""
        first = parts[0].removesuffix("()")
        is_call = first != parts[0]
        outer: Target | None = None
        for entry, target in self._imports.named(place.file).get(first, ()):
            module_parts = PART.findall(entry.module)
            if (
                not entry.name and len(module_parts) > 1 and module_parts[0] == entry.alias
            ):  # import a.b.c is reached as a.b.c, and a as well
                if list(parts[: len(module_parts)]) == module_parts:
                    return target, len(module_parts)
                files, certainty = self._imports.module(place.file, first)
                outer = outer or Target(files=files, module=first, certainty=certainty)
                continue
            return (self._value_of(target.symbols[0], is_call=is_call) if target.symbols else target), 1
        if outer is not None:
            return outer, 1
        meaning = self._bare(place, first, UNCOUNTED if is_call else NOT_CALLED)
        if meaning is None or meaning.target < 0:
            named = self._imports.unnamed(place.file, first) if meaning is None else None
            return named or self._file_called(place.file, first), 1
        return self._value_of(meaning.target, is_call=is_call), 1

    def _file_called(self, file: int, name: str) -> Target | None:
        """The file that is a module of that name, in a language that needs no import for it; None for none."""
        if not name[:1].isupper() or "file_names" not in languages()[self._names.files[file].language].scoping:
            return None
        files, certainty = self._imports.module(file, name)
        return Target(files=files, module=name, certainty=certainty) if files else None

    def _value_of(self, ordinal: int, *, is_call: bool) -> int | Target | None:
        behind = self._imports.behind(ordinal)
        if behind is not None:
            return self._value_of(behind.symbols[0], is_call=is_call) if behind.symbols else behind
        return self._result_type(ordinal, -1) if is_call else self._member_owner(ordinal)

    def _result_type(self, ordinal: int, owner: int, result: int = 0) -> int | None:
        """The type of the result of calling a symbol; None if it is not declared.

        Args:
            ordinal: the symbol that is called.
            owner: the type of which it is a member, -1 for none; it is the result if the declaration says ``Self``.
            result: index of the result, of several.
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
        return self._types.resolved_type(UseSite(symbol.file, symbol.parent), written)

    def _call_result_type(self, ordinal: int) -> int | None:
        """The type of the result of calling a value of a type; the type itself if it has no call member."""
        found = next((found for name in CALLED if (found := self.members(ordinal, name))), ())
        return self._result_type(found[0], ordinal) if found else ordinal

    def _step(self, file: int, owner: Target, part: str) -> int | Target | None:
        if owner.is_external:
            return owner
        if owner.package:
            name = part.removesuffix("()")
            found = self._names.full(file, f"{owner.package}.{name}")
            return self._value_of(found[0], is_call=name != part) if found else Target(package=f"{owner.package}.{part}")
        name = part.removesuffix("()")
        inside = self._imports.inside(owner, name)
        if inside.symbols:
            return self._value_of(inside.symbols[0], is_call=name != part)
        return inside if owner.module else None

    def _in_module(self, file: int, owner: Target, name: str, arguments: int = NOT_CALLED) -> Meaning | None:
        if owner.package and (found := self._names.full(file, f"{owner.package}.{name}")):
            return self._calls.meaning_of(found, arguments, owner.certainty)
        inside = self._imports.inside(owner, name)
        value = self._imports.value(owner) if owner.files and not inside.symbols else ()
        found = inside.symbols or (self._member(value[0], name, arguments) if value else ())
        return self._calls.meaning_of(found, arguments, owner.certainty if value else inside.certainty) if found else None

    def _member(self, owner: int, name: str, arguments: int) -> Sequence[int]:
        """The members of that name of a symbol; for an object literal that names it alone, what its file calls so."""
        found = self._calls.members(owner, name, arguments)
        symbol = self._names.symbols[owner]
        if found or name not in self._shorthands(owner):
            return found
        meaning = self._bare(UseSite(symbol.file, symbol.parent), name)
        return (meaning.target,) if meaning is not None and meaning.target >= 0 else ()

    def _shorthands(self, ordinal: int) -> Collection[str]:
        """The members of an object literal that are written as their names alone; ``...`` for those of another object."""
        symbol = self._names.symbols[ordinal]
        is_object = symbol.kind in VALUES and symbol.detail is not None and self._imports.has_default(symbol.file)
        return shorthands_of(symbol.detail.value) if is_object and symbol.detail is not None else ()

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

    # -- types ---------------------------------------------------------------------------------------------------------------

    def _type_of_local(self, place: UseSite, name: str, depth: int) -> int | None:
        """The type of a local variable; -1 if it is declared with a type outside the bundle, None if it is unknown."""
        if place.bound >= 0 and depth:
            binding = Binding(*self._bindings[place.bound])
            scope = binding.symbol + self._first_symbol if binding.symbol >= 0 else -1
            return self._type_of_binding(UseSite(place.file, scope, binding.bound), binding, depth)
        scope, written = self._parameter(place, name)
        return self._types.resolved_type(UseSite(place.file, scope), written) if written else None

    def _parameter(self, place: UseSite, name: str) -> tuple[int, str]:
        """(scope in which it is written, declared type) of a parameter of that name; the type is empty for none."""
        scope = place.scope
        for _ in range(_MAX_DEPTH):
            if scope < 0:
                break
            symbol = self._names.symbols[scope]
            for parameter in symbol.detail.parameters if symbol.detail is not None else ():
                if parameter.name.lstrip("*&.$ ") == name.lstrip("$"):
                    return symbol.parent, parameter.type
            scope = symbol.parent
        return -1, ""

    def _type_of_binding(self, place: UseSite, binding: Binding, depth: int) -> int | None:
        if binding.is_type:
            return self._types.resolved_type(place, binding.value)
        if not binding.value:
            return self._member_owner(place.scope)
        parts = PART.findall(binding.value)
        if not parts:
            return None
        if binding.result and len(parts) == 1:
            meaning = self._bare(place, parts[0].removesuffix("()"))
            return self._result_type(meaning.target, -1, binding.result) if meaning is not None and meaning.target >= 0 else None
        if binding.result:
            owner = self._follow(place, parts[:-1], depth - 1)
            found = self._called(place.file, owner, parts[-1].removesuffix("()"))
            return self._result_type(found, -1, binding.result) if found >= 0 else None
        owner = self._follow(place, parts, depth - 1)
        return owner if isinstance(owner, int) else None

    def _called(self, file: int, owner: int | Target | None, name: str) -> int:
        """The symbol of that name in a type or module; -1 for none."""
        if isinstance(owner, Target):
            meaning = self._in_module(file, owner, name)
            return meaning.target if meaning is not None else -1
        found = self.members(owner, name) if owner is not None and owner >= 0 else ()
        return found[0] if found else -1

    def _member_owner(self, ordinal: int) -> int | None:
        """The symbol that holds the members of a symbol: itself, or its declared type; None if that is unknown."""
        symbol = self._names.symbols[ordinal]
        if symbol.kind in TYPES | NAMESPACES:
            return ordinal
        if symbol.kind is Kind.ENUM_MEMBER:
            return symbol.parent if symbol.parent >= 0 else None
        if symbol.kind in VALUES:
            if symbol.detail is not None and symbol.detail.type:
                return self._types.resolved_type(UseSite(symbol.file, symbol.parent), symbol.detail.type)
            return self._type_of_value(ordinal)
        return None

    def _type_of_value(self, ordinal: int) -> int | None:
        """The type of the value in a variable's declaration; the variable itself if the value is an object literal."""
        symbol = self._names.symbols[ordinal]
        value = symbol.detail.value if symbol.detail is not None else ""
        chain = chain_of(value)
        if not chain:
            is_object = value.startswith("{") and (self._names.within(ordinal) or self._shorthands(ordinal))
            return ordinal if is_object else None
        owner = self._memo.answer((self._chained, UseSite(symbol.file, symbol.parent), chain))
        return owner if isinstance(owner, int) else None

    def _chained(self, place: UseSite, chain: str) -> int | Target | None:
        return self._follow(place, PART.findall(chain))
