"""Declarations of all files in, those that declare one symbol joined: its declaration in a header or stub, and its definition.

Two mechanisms. In a language with headers (``headers`` in ``language.toml``) a symbol is declared in one file and defined in
another that includes it, so two declarations of one qualified name are one symbol if one file includes the other, directly or
not; members of one type need no more than its name. What nobody else declares is joined by its name alone, as a linker does it. A
stub (``.pyi``, ``.d.ts``, ``.mli``) declares what the source beside it defines.

A definition outside its type, as ``void Tank::fill() {}``, gets its type as its owner (:meth:`SymbolNames.owner`): the one of that
name whose header its file includes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.nouns.declaring_files import HEADERS, SOURCES_OF_STUBS, STUBS
from hardtack.nouns.model import FUNCTIONS, NAMESPACES, TYPES, VALUES, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hardtack.build.relations.declarations import Declaration
    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import SymbolNames

_MOST_ALIKE: Final = 2_000
"""Symbols of one name that are compared."""
_TYPE_LIKE: Final = TYPES | {Kind.BLOCK}
_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_NOT_OF_TYPE: Final = re.compile(r"\b(?:const|volatile|struct|class|enum|union|typename|register|\w+\s*::)|\s+")
"""What one place may write of a parameter's type and the other not."""


class _Key(NamedTuple):
    """What is equal for two declarations that may be one symbol."""

    family: str
    kinds: str
    """``function``, ``value`` or ``type``."""
    owner: int
    """The type that has it, -1 for none."""
    name: str
    """Qualified, without an owner."""
    parameters: int


def join_declarations(names: SymbolNames, imports: Imports) -> None:
    """Have one symbol stand for all that declare it, and find the types of definitions outside of them."""
    _Joining(names, imports).run()


class _Joining:
    """The files of languages with headers and those with stubs, and which symbols are the same."""

    def __init__(self, names: SymbolNames, imports: Imports) -> None:
        self._names = names
        self._imports = imports
        self._first: dict[int, int] = {}
        """A symbol -> one nearer to the one that stands for it."""
        self._scopes: dict[tuple[int, str], int] = {}
        """(file, scope) -> its type or namespace."""

    def run(self) -> None:
        """Join what is the same: stubs, types, then what types have and what they have not."""
        for stub, source in self._stubs():
            self._join_stub(stub, source)
        files = [number for number, language in enumerate(self._names.languages) if "headers" in language.scoping]
        symbols = [each for file in files for each in self._symbols_of(file)]
        self._join_included(self._alike(symbols, _TYPE_LIKE, "type"))
        self._finish()
        for each in symbols:
            self._set_owner(each)
        several = (each for file in self._of_several_packages() for each in self._symbols_of(file))
        self._names.tell_apart(each for each in (*symbols, *several) if self._names.symbols[each].kind in TYPES)
        self._join_members(symbols)
        self._finish()

    def _symbols_of(self, file: int) -> range:
        entry = self._names.files[file]
        return range(entry.first_symbol, entry.first_symbol + entry.symbol_count)

    def _of_several_packages(self) -> Iterator[int]:
        """The files whose symbols are not all of one package."""
        for number, file in enumerate(self._names.files):
            if file.package and any(self._names.symbols[each].package != file.package for each in self._symbols_of(number)):
                yield number

    # -- stubs ---------------------------------------------------------------------------------------------------------------

    def _stubs(self) -> Iterator[tuple[int, int]]:
        """(stub, source) for each stub beside its source."""
        by_path = {file.path: number for number, file in enumerate(self._names.files)}
        for path, stub in by_path.items():
            ending = next((ending for ending in STUBS if path.endswith(ending)), "")
            for other in SOURCES_OF_STUBS.get(ending, ()):
                if (source := by_path.get(path.removesuffix(ending) + other)) is not None:
                    yield stub, source
                    break

    def _join_stub(self, stub: int, source: int) -> None:
        defined: dict[str, int] = {}
        for each in self._symbols_of(source):
            defined.setdefault(self._names.symbols[each].qualified_name, each)
        for each in self._symbols_of(stub):
            if (definition := defined.get(self._names.symbols[each].qualified_name)) is not None:
                self._join(definition, each)

    # -- headers -------------------------------------------------------------------------------------------------------------

    def _alike(self, symbols: Iterable[int], kinds: Iterable[Kind], what: str) -> list[list[int]]:
        """The symbols of some kinds that are qualified alike, if they are in more than one file."""
        found: dict[_Key, list[int]] = defaultdict(list)
        for each in symbols:
            symbol = self._names.symbols[each]
            if symbol.kind in kinds and not self._is_local(symbol):
                found[_Key(self._names.family(symbol.file), what, -1, symbol.qualified_name, 0)].append(each)
        return [some for some in found.values() if self._are_in_files(some)]

    def _are_in_files(self, ordinals: Sequence[int]) -> bool:
        symbols = self._names.symbols
        return 1 < len(ordinals) <= _MOST_ALIKE and any(symbols[each].file != symbols[ordinals[0]].file for each in ordinals)

    def _is_local(self, symbol: Declaration) -> bool:
        """Whether it is declared inside a function, a variable or the like."""
        return symbol.parent >= 0 and self._names.symbols[symbol.parent].kind not in _TYPE_LIKE | NAMESPACES

    def _join_included(self, groups: Iterable[Sequence[int]]) -> None:
        """Join those symbols of each group whose file includes the other's."""
        for group in groups:
            in_file: dict[int, int] = {}
            for each in group:
                in_file.setdefault(self._names.symbols[each].file, each)
            for file, each in in_file.items():
                for other in self._imports.included(file).intersection(in_file):
                    self._join(each, in_file[other])

    def _set_owner(self, ordinal: int) -> None:
        """Find the type or namespace of a definition outside of it, and that of Objective-C's ``@implementation``."""
        symbol = self._names.symbols[ordinal]
        scope = symbol.qualified_name
        if symbol.kind is not Kind.BLOCK:
            scope = scope[: -len(symbol.name)].rstrip(".")
            parent = self._names.symbols[symbol.parent] if symbol.parent >= 0 else None
            if not scope or (parent is not None and (parent.kind not in NAMESPACES or parent.qualified_name == scope)):
                return
        owner = self._scopes.get((symbol.file, scope))
        if owner is None:
            owner = self._scopes[symbol.file, scope] = self._type_of_scope(symbol.file, scope)
        if owner >= 0:
            self._names.set_owner(ordinal, owner)

    def _type_of_scope(self, file: int, scope: str) -> int:
        """The type or namespace of that qualified name: that of an included file first; -1 for none, or for several elsewhere."""
        symbols, included = self._names.symbols, self._imports.included(file)
        found = [each for each in self._names.full(file, scope) if symbols[each].kind in TYPES | NAMESPACES]
        if not found:  # using namespace, or a macro that opens one
            named = self._names.named(file, scope.rpartition(".")[2])
            found = [each for each in named if symbols[each].kind in TYPES and symbols[each].qualified_name.endswith(f".{scope}")]
        found.sort(key=lambda each: (symbols[each].kind is Kind.TYPE, each))
        seen = next((each for each in found if symbols[each].file in included), -1)
        if seen >= 0 or not found:
            return seen
        is_one = symbols[found[0]].kind in NAMESPACES or len({self._names.first[each] for each in found}) == 1
        return found[0] if is_one else -1

    def _join_members(self, symbols: Iterable[int]) -> None:
        alike: dict[_Key, list[int]] = defaultdict(list)
        for each in symbols:
            if (key := self._key_of(each)) is not None:
                alike[key].append(each)
        for key, some in alike.items():
            if not self._are_in_files(some):
                continue
            for group in self._of_same_parameters(some) if key.parameters >= 0 else (some,):
                if key.owner >= 0:
                    for each in group[1:]:
                        self._join(group[0], each)
                else:
                    self._join_included([group])
                    self._join_linked(group)

    def _key_of(self, ordinal: int) -> _Key | None:
        """What tells which other declarations may be this symbol; None for one that is no other's."""
        symbol = self._names.symbols[ordinal]
        kinds = "function" if symbol.kind in FUNCTIONS else "value" if symbol.kind in VALUES else ""
        if not kinds or self._is_local(symbol):
            return None
        owner = self._names.holder(ordinal)
        if owner < 0 and symbol.detail is not None and "static" in symbol.detail.modifiers:
            return None  # of this file alone
        has_overloads = kinds == "function" and "overloads" in self._names.languages[symbol.file].scoping
        parameters = len(symbol.detail.parameters) if symbol.detail is not None else 0
        name = symbol.name if owner >= 0 else symbol.qualified_name
        return _Key(self._names.family(symbol.file), kinds, owner, name, parameters if has_overloads else -1)

    def _of_same_parameters(self, ordinals: Sequence[int]) -> Iterable[Sequence[int]]:
        """Functions of as many parameters each, by their types if that is needed to tell them apart."""
        names, files = self._names, set[int]()
        is_member = names.holder(ordinals[0]) >= 0
        for each in ordinals:
            if is_member and names.symbols[each].file in files:
                break
            files.add(names.symbols[each].file)
        else:
            if is_member:
                return (ordinals,)
        found: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for each in ordinals:
            found[self._parameters_of(each)].append(each)
        return found.values()

    def _parameters_of(self, ordinal: int) -> tuple[str, ...]:
        detail = self._names.symbols[ordinal].detail
        return tuple(_bare_type(each.type) for each in detail.parameters) if detail is not None else ()

    def _join_linked(self, ordinals: Sequence[int]) -> None:
        """Join what only declares a name with its definition, if there is one in all files."""
        groups: dict[int, bool] = {}
        for each in ordinals:
            first = self._root(each)
            groups[first] = groups.get(first, True) and self._only_declares(each)
        defining = [first for first, is_declared in groups.items() if not is_declared]
        if len(defining) == 1:
            for first in groups:
                self._join(defining[0], first)

    def _only_declares(self, ordinal: int) -> bool:
        symbol = self._names.symbols[ordinal]
        modifiers = symbol.detail.modifiers if symbol.detail is not None else ()
        if "extern" in modifiers and not (symbol.detail is not None and symbol.detail.value):
            return True
        is_in_header = self._names.files[symbol.file].path.endswith(HEADERS) and "inline" not in modifiers
        return symbol.kind in FUNCTIONS and (is_in_header or self._names.is_bodiless(ordinal))

    # -- one for all ---------------------------------------------------------------------------------------------------------

    def _join(self, one: int, other: int) -> None:
        first, second = self._root(one), self._root(other)
        if first != second:
            first, second = sorted((first, second), key=self._rank)
            self._first[second] = first

    def _root(self, ordinal: int) -> int:
        ordinal = self._names.first[ordinal]
        while (nearer := self._first.get(ordinal)) is not None:
            if (next_ := self._first.get(nearer)) is not None:
                self._first[ordinal] = next_
            ordinal = nearer
        return ordinal

    def _rank(self, ordinal: int) -> tuple[bool, bool, bool, bool, int]:
        """The order in which symbols stand for others: where a type declares it, a type itself, a source, a definition."""
        symbol = self._names.symbols[ordinal]
        in_type = symbol.parent >= 0 and self._names.symbols[symbol.parent].kind in TYPES
        is_stub = self._names.files[symbol.file].path.endswith(STUBS)
        return not in_type, symbol.kind in (Kind.TYPE, Kind.BLOCK), is_stub, self._names.is_bodiless(ordinal), ordinal

    def _finish(self) -> None:
        self._names.represent({each: self._root(each) for each in self._first})


def _bare_type(written: str) -> str:
    """A parameter's type without what a declaration and its definition may write differently."""
    previous = ""
    while previous != written:
        previous, written = written, _ARGUMENTS.sub("", written)
    return _NOT_OF_TYPE.sub("", written)
