"""Go types in, the interfaces that they implement implicitly out.

A type implements an interface when its method set holds every method of it with the same parameters and results (Go specification,
"Method sets" and "Implementing an interface"). The method set of ``*T`` is used: methods declared on ``T`` and on ``*T``, and those
promoted from embedded fields. Types are compared as text after their names were resolved. The interfaces of the standard library
are included (``languages/go/interfaces.toml``). The methods of other interfaces outside the bundle are unknown: a type has them
only if it embeds the same interface.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from heapq import merge
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hardtack.build.relations.scopes import UseSite
from hardtack.nouns.model import CALLABLES, Kind
from hardtack.nouns.relations import Certainty, Fact, Relation, RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.resolve import Resolver
    from hardtack.nouns.details import Detail

Methods: TypeAlias = Mapping[str, str]
"""Name -> parameters and results, as comparable text."""

LEFT_OUT = "left_out"
"""The key of the facts that say which relations are not given."""
_LANGUAGE = "go"
_FEW = 16
"""Interfaces of the same methods, or types that have them, whose pairs are all stored."""
_FEWEST = 100
_FOR_EACH = 4
"""Interfaces of the bundle, that one type may implement, for each method that it declares, beyond ``_FEWEST``."""
_MAX_DEPTH = 20
"""Types embedded in each other that are followed."""
_MOST_EMBEDDED = 100
"""Types that one type embeds, directly or not, whose methods count."""
_MOST_METHODS = 1_000
"""Methods that a type takes over from one that it embeds."""
_NAME = re.compile(r"(?:(\w+)\.)?([A-Za-z_]\w*)")
_WORDS = frozenset({"chan", "func", "map", "struct", "interface"})
_BUILT_IN = {"any": "interface{}", "byte": "uint8", "rune": "int32"}
_BUILT_IN_WORD = re.compile(r"(?<![\w./])(?:any|byte|rune)(?![\w.])")
_ALIASES = {f"os.{name}": f"io/fs.{name}" for name in ("FileInfo", "FileMode", "DirEntry", "PathError")}


@cache
def _standard_interfaces() -> Mapping[str, Mapping[str, str]]:
    """Import path and name -> methods, for each interface of the standard library; ``error`` under its name alone."""
    data = tomllib.loads(files("hardtack.build.languages").joinpath("go", "interfaces.toml").read_text(encoding="utf-8"))
    return {
        name if package == "builtin" else f"{package}.{name}": {
            method: _BUILT_IN_WORD.sub(lambda match: _BUILT_IN[match[0]], signature) for method, signature in methods.items()
        }
        for package, interfaces in data.items()
        for name, methods in interfaces.items()
    }


class _Class(NamedTuple):
    """The interfaces that have the same methods."""

    methods: Methods
    members: list[int]
    """Ordinals; empty for one of the standard library."""
    name: str
    """As a relation has it."""


class Implied(NamedTuple):
    """What follows from the methods of Go types."""

    relations: Sequence[Relation]
    facts: Sequence[Fact]
    """``left_out``, of each interface and each type that some relations are not given of."""


def implicit_implements(names: SymbolNames, resolver: Resolver) -> Implied:
    """The relations of Go types and interfaces to the interfaces, of the bundle or of the standard library, that they implement.

    There are as many as the pairs, up to a bound that grows with the source and not with the product of types and interfaces:
    if many types implement many interfaces of the same methods, the types are related to the first of these alone, and it and
    each of the others to each other; and one type has at most ``_FEWEST`` interfaces of the bundle and ``_FOR_EACH`` for each
    method that it declares, the largest first. Some of those that are left out follow from the types and interfaces that are
    embedded; the facts say of which types and interfaces there may be more.
    """
    sets = _MethodSets(names, resolver)
    holders: dict[int, Methods] = {}
    classes: dict[frozenset[tuple[str, str]], _Class] = {}
    is_typed = False
    for ordinal, symbol in enumerate(names.symbols):
        if names.files[symbol.file].language != _LANGUAGE or not names.is_top(ordinal):
            continue
        if symbol.kind in (Kind.STRUCT, Kind.TYPE):
            is_typed = True
        elif symbol.kind is not Kind.INTERFACE:
            continue
        if methods := sets.of(ordinal):
            holders[ordinal] = methods
            if symbol.kind is Kind.INTERFACE and ordinal not in sets.incomplete:
                classes.setdefault(frozenset(methods.items()), _Class(methods, [], symbol.name)).members.append(ordinal)
    of_bundle = _Classes(names, list(classes.values()), holders)
    standard = [_Class(methods, [], name) for name, methods in _standard_interfaces().items()] if is_typed else []
    of_standard = _Classes(names, standard, holders)
    relations: list[Relation] = []
    for searched in (of_bundle, of_standard):
        found: dict[int, list[int]] = {}
        for ordinal in holders:
            most = _FEWEST + _FOR_EACH * sets.declared_by(ordinal) if searched is of_bundle else len(standard)
            for each in searched.implemented_by(ordinal, most):
                found.setdefault(each, []).append(ordinal)
        for number, having in found.items():
            relations += _relations_to(names, searched.classes[number], having)
    return Implied(relations, list(_left_out(names, sets, of_bundle)))


def _left_out(names: SymbolNames, sets: _MethodSets, searched: _Classes) -> Iterator[Fact]:
    """What is said of the types and interfaces of which some relations may be left out."""
    interfaces = {ordinal for ordinal in sets.incomplete if names.symbols[ordinal].kind is Kind.INTERFACE}
    types = sets.incomplete - interfaces
    if types:  # one with methods that are not known may implement any of them
        interfaces.update(ordinal for each in searched.classes for ordinal in each.members)
    interfaces.update(ordinal for number in searched.cut_classes() for ordinal in searched.classes[number].members)
    types |= searched.cut.keys()
    for ordinal in sorted(interfaces):
        yield Fact(ordinal, LEFT_OUT, ("types that may implement it",))
    for ordinal in sorted(types - interfaces):
        yield Fact(ordinal, LEFT_OUT, ("interfaces that it implements",))


def _relations_to(names: SymbolNames, interface: _Class, having: Sequence[int]) -> Iterator[Relation]:
    """The relations of all that has the methods of a class of interfaces."""
    members = interface.members
    is_shared = len(members) * len(having) > _FEW * (len(members) + len(having))
    for ordinal in having:
        for member in members[:1] if is_shared else members or (-1,):
            yield _implements(names, ordinal, names.symbols[member].name if member >= 0 else interface.name, member)
    for member in members[1:] if is_shared else ():
        yield _implements(names, member, names.symbols[members[0]].name, members[0])
        yield _implements(names, members[0], names.symbols[member].name, member)


class _Classes:
    """Classes of interfaces, each found by the one of its methods that the fewest have, so that few are compared in vain."""

    def __init__(self, names: SymbolNames, classes: Sequence[_Class], holders: Mapping[int, Methods]) -> None:
        self.classes = classes
        self.cut: dict[int, int] = {}
        """Ordinal of a type or interface that has more of them than were wanted -> number of the last that was taken."""
        self._names = names
        self._holders = holders
        wanted = Counter(pair for interface in classes for pair in interface.methods.items())
        self._relevant = {ordinal: [pair for pair in methods.items() if pair in wanted] for ordinal, methods in holders.items()}
        held = Counter(pair for pairs in self._relevant.values() for pair in pairs)
        self._by_rarest: dict[tuple[str, str], list[int]] = {}
        for number in sorted(range(len(classes)), key=self._place):
            rarest = min(classes[number].methods.items(), key=lambda pair: (held[pair], pair))
            self._by_rarest.setdefault(rarest, []).append(number)

    def _place(self, number: int) -> tuple[int, int]:
        """The larger come first."""
        return -len(self.classes[number].methods), number

    def implemented_by(self, ordinal: int, most: int) -> Sequence[int]:
        """Numbers of the other classes whose methods a type or interface has, the largest first."""
        own, is_interface = self._holders[ordinal], self._names.symbols[ordinal].kind is Kind.INTERFACE
        candidates = merge(*(self._by_rarest.get(pair, ()) for pair in self._relevant[ordinal]), key=self._place)
        fitting = (
            number
            for number in candidates
            if (methods := self.classes[number].methods).items() <= own.items()
            and not (is_interface and (len(methods) == len(own) or not self.classes[number].members))
        )
        found = list(islice(fitting, most + 1))
        if len(found) > most:
            self.cut[ordinal] = found[most - 1]
        return found[:most]

    def cut_classes(self) -> Iterator[int]:
        """Numbers of the classes that were not compared with some type, as it had as many as were wanted before."""
        first: dict[tuple[str, str], tuple[int, int]] = {}
        for ordinal, last in self.cut.items():
            place = self._place(last)
            for pair in self._relevant[ordinal]:
                first[pair] = min(place, first.get(pair, place))
        for pair, place in first.items():
            yield from (number for number in self._by_rarest.get(pair, ()) if self._place(number) > place)


def _implements(names: SymbolNames, source: int, name: str, target: int) -> Relation:
    symbol = names.symbols[source]
    return Relation(
        file=symbol.file,
        line=symbol.line,
        source=source,
        kind=RelationKind.IMPLEMENTS,
        name=name,
        target=target,
        target_file=names.symbols[target].file if target >= 0 else -1,
        certainty=Certainty.EXACT,
    )


def _with_promoted(methods: Methods, promoted: Methods) -> Methods:
    """Both; the first win. One that is all there is stays one object: thousands of types may embed one of as many methods."""
    if not methods or not promoted:
        return methods or promoted
    return {**dict(islice(promoted.items(), _MOST_METHODS)), **methods} if len(methods) < _MOST_METHODS else methods


def _is_more(methods: Methods, promoted: Methods) -> bool:
    """Whether :func:`_with_promoted` leaves methods out."""
    return bool(methods and promoted) and (len(promoted) > _MOST_METHODS or len(methods) >= _MOST_METHODS)


class _MethodSets:
    """The method sets of Go types, each computed once."""

    def __init__(self, names: SymbolNames, resolver: Resolver) -> None:
        self._names = names
        self._resolver = resolver
        self.incomplete: set[int] = set()
        """Ordinals of types and interfaces of which :meth:`of` did not give all methods, as they embed too many or too deep."""
        self._known: dict[int, Methods] = {}
        self._known_embedded: dict[int, Sequence[tuple[str, int]]] = {}

    def declared_by(self, ordinal: int) -> int:
        """How many methods the source of a type states itself."""
        return len(self._own(ordinal))

    def of(self, ordinal: int) -> Methods:
        """The methods of an interface and of those it embeds, or of a type's pointer: its own, then the nearest."""
        methods: Methods = self._own(ordinal)
        level, seen = [ordinal], {ordinal}
        for _ in range(_MAX_DEPTH):
            following: list[int] = []
            for holder in level:
                is_interface = self._names.symbols[holder].kind is Kind.INTERFACE
                for name, target in self._embedded_in(holder):
                    if target in seen:
                        continue
                    if len(seen) >= _MOST_EMBEDDED:
                        self.incomplete.add(ordinal)
                        break
                    if target < 0 or (is_interface and self._names.symbols[target].kind is not Kind.INTERFACE):
                        promoted = _standard_interfaces().get(name, {name: ""})
                    else:
                        seen.add(target)
                        following.append(target)
                        promoted = self._own(target)
                    if _is_more(methods, promoted):
                        self.incomplete.add(ordinal)
                    methods = _with_promoted(methods, promoted)
            level = following
        if any(self._embedded_in(holder) for holder in level):
            self.incomplete.add(ordinal)
        return methods

    def _own(self, ordinal: int) -> Methods:
        if (methods := self._known.get(ordinal)) is None:
            methods = self._known[ordinal] = dict(self._declared(ordinal))
        return methods

    def _embedded_in(self, ordinal: int) -> Sequence[tuple[str, int]]:
        if (embedded := self._known_embedded.get(ordinal)) is None:
            embedded = self._known_embedded[ordinal] = tuple(self._embedded(ordinal))
        return embedded

    def _embedded(self, ordinal: int) -> Iterator[tuple[str, int]]:
        """(full name, ordinal or -1) of each type that a type embeds."""
        symbol = self._names.symbols[ordinal]
        for base in symbol.detail.supertypes if symbol.detail is not None else ():
            written = base.name.lstrip("*")
            yield self._full_type(symbol.file, written), self._resolver.type_named(UseSite(symbol.file, -1), written)[0]

    def _declared(self, ordinal: int) -> Iterator[tuple[str, str]]:
        """The methods declared on a type itself; the signature of an unexported one includes its package."""
        home = self._names.home(self._names.symbols[ordinal].file)
        for name, ordinals in self._names.within(ordinal).items():
            symbol = self._names.symbols[ordinals[0]]
            if symbol.kind in CALLABLES:
                signature = self._signature(symbol.file, symbol.detail)
                yield name, signature if name[:1].isupper() else f"{home}:{signature}"

    def _signature(self, file: int, detail: Detail | None) -> str:
        """Parameters and results with the full name of every type."""
        if detail is None:
            return "()()"
        parameters = ",".join(self._full_type(file, each.type) for each in detail.parameters)
        results = ",".join(self._full_type(file, each.type) for each in detail.returns)
        return f"({parameters})({results})"

    def _full_type(self, file: int, written: str) -> str:
        """A type as text that is the same in every file of the bundle."""

        def full(match: re.Match[str]) -> str:
            package, name = match[1] or "", match[2]
            if not package and (name in _WORDS or name in _BUILT_IN):
                return _BUILT_IN.get(name, name)
            meaning = self._resolver.meaning(UseSite(file, -1), package, name)
            if meaning is not None and meaning.target >= 0:
                return f"#{meaning.target}"
            full_name = f"{self._resolver.module_called(file, package)}.{name}" if package else name
            return _ALIASES.get(full_name, full_name)

        return "".join(_NAME.sub(full, written).split())
