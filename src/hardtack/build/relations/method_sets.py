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
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias

from hardtack.build.relations.scopes import UseSite
from hardtack.nouns.model import CALLABLES, Kind
from hardtack.nouns.relations import Certainty, Relation, RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.resolve import Resolver
    from hardtack.nouns.details import Detail

Methods: TypeAlias = Mapping[str, str]
"""Name -> parameters and results, as comparable text."""

_LANGUAGE = "go"
_MAX_DEPTH = 20
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


def implicit_implements(names: SymbolNames, resolver: Resolver) -> Iterator[Relation]:
    """One relation for each pair of a Go type and an interface, of the bundle or of the standard library, that it implements."""
    sets = _MethodSets(names, resolver)
    interfaces: dict[int, Methods] = {}
    concrete: dict[int, Methods] = {}
    holders: dict[str, set[int]] = {}
    for ordinal, symbol in enumerate(names.symbols):
        if names.files[symbol.file].language != _LANGUAGE or not names.is_top(ordinal):
            continue
        if symbol.kind is Kind.INTERFACE:
            methods = sets.of_interface(ordinal)
            if methods:
                interfaces[ordinal] = methods
        elif symbol.kind in (Kind.STRUCT, Kind.TYPE):
            methods = sets.of_type(ordinal)
            concrete[ordinal] = methods
            for name in methods:
                holders.setdefault(name, set()).add(ordinal)
    for interface, wanted in interfaces.items():
        for ordinal in _holding(wanted, concrete, holders):
            yield _implements(names, ordinal, names.symbols[interface].name, interface)
        for other, methods in interfaces.items():
            if other != interface and wanted.items() < methods.items():
                yield _implements(names, other, names.symbols[interface].name, interface)
    for name, wanted in _standard_interfaces().items() if concrete else ():
        for ordinal in _holding(wanted, concrete, holders):
            yield _implements(names, ordinal, name, -1)


def _holding(wanted: Methods, concrete: Mapping[int, Methods], holders: Mapping[str, set[int]]) -> list[int]:
    """The types that have all of the methods, by ordinal."""
    having = set.intersection(*(holders.get(name, set()) for name in wanted))
    return [ordinal for ordinal in sorted(having) if all(concrete[ordinal][name] == wanted[name] for name in wanted)]


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


class _MethodSets:
    """The method sets of Go types, each computed once."""

    def __init__(self, names: SymbolNames, resolver: Resolver) -> None:
        self._names = names
        self._resolver = resolver
        self._known: dict[int, Mapping[str, str]] = {}

    def of_interface(self, ordinal: int, depth: int = _MAX_DEPTH) -> Mapping[str, str]:
        """The methods of an interface and of those it embeds."""
        methods = dict(self._declared(ordinal))
        for each, target in self._embedded(ordinal) if depth else ():
            if target >= 0 and self._names.symbols[target].kind is Kind.INTERFACE:
                methods |= self.of_interface(target, depth - 1) if target != ordinal else {}
            else:
                methods |= _standard_interfaces().get(each, {each: ""})
        return methods

    def of_type(self, ordinal: int, depth: int = _MAX_DEPTH) -> Mapping[str, str]:
        """The methods of a type's pointer: its own, then promoted ones."""
        if ordinal in self._known:
            return self._known[ordinal]
        methods = dict(self._declared(ordinal))
        for each, target in self._embedded(ordinal) if depth else ():
            if target < 0:
                promoted = _standard_interfaces().get(each, {each: ""})
            elif self._names.symbols[target].kind is Kind.INTERFACE:
                promoted = self.of_interface(target)
            else:
                promoted = self.of_type(target, depth - 1) if target != ordinal else {}
            methods = {**promoted, **methods}
        self._known[ordinal] = methods
        return methods

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
