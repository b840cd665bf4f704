"""A package in, what it offers to others out, complete whatever its size; of a package that is not there, those that are near it.

A package is what a language declares, a namespace or a module in it; where none is declared (Python, JavaScript) it goes by the
path, so that ``click.core`` is ``src/click/core.py``. The end of a package's name is enough to name it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from hardtack.bundle.format.records import KINDS, FileRecord, SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import CALLABLES, NAMESPACES, TYPES, Content, Kind
from hardtack.nouns.relations import RelationKind
from hardtack.query.lookup.symbols import home_of, module_of, name_similarities, package_named
from hardtack.query.request.analysis import qualified

_OFFERED: Final = TYPES | CALLABLES | {Kind.CONSTANT, Kind.VARIABLE}
_HIDDEN: Final = frozenset({"private", "protected", "internal", "fileprivate", "package"})
_OF_FILES: Final = frozenset({"c", "cpp", "objc"})
"""Languages in which what is ``static`` is its file's own."""
_SPACES: Final = sum(1 << KINDS.index(kind) for kind in NAMESPACES)
_SUGGESTIONS: Final = 5

_Test = Callable[[str, str], bool]
"""Whether a package is the one that is wanted."""


def exports(bundle: Bundle, package: str, kinds: frozenset[Kind] | None = None) -> tuple[int, ...]:
    """Every symbol that a package offers to others, in path order: what stands at its top and is not hidden.

    A Python package offers besides what its ``__init__`` takes from its modules. A package that offers nothing itself, as a folder
    of modules, stands for all that are in it. What tests declare is offered to nobody, unless the package is all tests; examples
    in documentation are nobody's.

    Args:
        bundle: where to look.
        package: a package, namespace or module, joined as any language joins it, or the end of one.
        kinds: of symbols that count; None is every kind, and methods only where they are a module's own: those of types are found
            with their types.
    """
    wanted = package_named(package)
    if not wanted:
        return ()
    own = _exports(bundle, wanted, kinds, _is_it)
    if own or (kinds and _exports(bundle, wanted, None, _is_it)):
        return own
    return _exports(bundle, wanted, kinds, _is_in)


def _exports(bundle: Bundle, wanted: str, kinds: frozenset[Kind] | None, is_it: _Test) -> tuple[int, ...]:
    files = _files_of(bundle, wanted, is_it)
    if any(not bundle.file(file).is_test for file in files):
        files = [file for file in files if not bundle.file(file).is_test]
    offered = [ordinal for file in files for ordinal in _offered(bundle, bundle.file(file), wanted, kinds, is_it)]
    handed_on = [ordinal for file in files for ordinal in _handed_on(bundle, file, wanted, kinds)]
    return tuple(sorted({*offered, *handed_on}))


def similar_packages(bundle: Bundle, package: str) -> tuple[str, ...]:
    """The packages that may be meant by a name that is none's: those that have it as a part, then those that are called alike."""
    wanted = package_named(package)
    holders = (file for file in bundle.files if file.symbol_count and not file.is_test and file.content == Content.CODE.value)
    homes = {_home_of_file(file): file.package for file in holders}
    homes.pop("", None)
    holding = sorted(home for home in homes if f".{wanted.lower()}." in f".{home.lower()}.") if wanted else []
    last = {home: home.lower().rpartition(".")[2] for home in homes}
    alike = name_similarities(wanted.lower().rpartition(".")[2], set(last.values()))
    near = sorted((home for home in homes if last[home] in alike), key=lambda home: (-alike[last[home]], home))
    return tuple(homes[home] or home for home in dict.fromkeys((*holding, *near)))[:_SUGGESTIONS]


def _files_of(bundle: Bundle, wanted: str, is_it: _Test) -> list[int]:
    """Ordinals of the files that may declare something in a package, ascending."""
    files = {number for number, file in enumerate(bundle.files) if file.symbol_count and is_it(_home_of_file(file), wanted)}
    files.update(
        bundle.symbol(ordinal).file
        for ordinal in bundle.symbols_within(wanted)
        if bundle.symbol_name(ordinal).qualified_name != wanted
    )
    for place, kinds in enumerate(bundle.kinds_of_chunks):
        if kinds & _SPACES:
            files.update(symbol.file for symbol in bundle.symbols_of(bundle.chunk(place)) if _is_space(symbol, wanted, is_it))
    return sorted(file for file in files if bundle.file(file).content != Content.DOCUMENTATION.value)


def _is_space(symbol: SymbolRecord, wanted: str, is_it: _Test) -> bool:
    return symbol.kind in NAMESPACES and is_it(qualified(symbol.qualified_name), wanted)


def _home_of_file(file: FileRecord) -> str:
    return _home_at(file.package, file.path)


@lru_cache(maxsize=1 << 14)
def _home_at(package: str, path: str) -> str:
    return qualified(package) or module_of(path)


def _is_it(home: str, wanted: str) -> bool:
    return home == wanted or home.endswith(f".{wanted}")


def _is_in(home: str, wanted: str) -> bool:
    return f".{wanted}." in f".{home}."


def _offered(bundle: Bundle, file: FileRecord, wanted: str, kinds: frozenset[Kind] | None, is_it: _Test) -> Iterator[int]:
    """The symbols of one file that a package offers."""
    ordinals = range(file.first_symbol, file.first_symbol + file.symbol_count)
    counted = _OFFERED | kinds if kinds else _OFFERED
    numbers, stored = frozenset(map(KINDS.index, counted)), bundle.kinds_of_symbols
    tops = [ordinal for ordinal in ordinals if stored[ordinal] in numbers and _is_top(bundle, ordinal)]
    # where a file says of anything that it is exported, what does not say so is not
    says_so = any(bundle.detail(ordinal).visibility == "exported" for ordinal in tops)
    is_home = {file.package: is_it(_home_of_file(file), wanted)}
    for ordinal in tops:
        symbol = bundle.symbol(ordinal)
        is_asked_for = symbol.kind in kinds if kinds else symbol.kind is not Kind.METHOD or symbol.parent >= 0
        if not is_asked_for or _is_hidden(bundle, ordinal, file, says_so=says_so):
            continue
        if symbol.package not in is_home:
            is_home[symbol.package] = is_it(home_of(bundle, symbol), wanted)
        scope = qualified(symbol.qualified_name.rpartition(".")[0])
        if is_home[symbol.package] or (scope and is_it(scope, wanted)):
            yield ordinal


def _handed_on(bundle: Bundle, number: int, wanted: str, kinds: frozenset[Kind] | None) -> Iterator[int]:
    """What a Python package's own file takes from its modules, and so offers as its own."""
    file = bundle.file(number)
    if not file.path.endswith("__init__.py") or not _is_it(_home_of_file(file), wanted):
        return
    for relation in bundle.related.relations_of_file(number):
        if relation.kind is RelationKind.IMPORTS and relation.target >= 0:
            kind = bundle.symbol_name(relation.target).kind
            is_asked_for = kind in (kinds or _OFFERED)
            if is_asked_for and not _is_hidden(bundle, relation.target, bundle.file(relation.target_file), says_so=False):
                yield relation.target


def _is_top(bundle: Bundle, ordinal: int) -> bool:
    parent = bundle.symbol(ordinal).parent
    return parent < 0 or bundle.symbol(parent).kind in NAMESPACES


def _is_hidden(bundle: Bundle, ordinal: int, file: FileRecord, *, says_so: bool) -> bool:
    detail = bundle.detail(ordinal)
    if says_so and detail.visibility != "exported":
        return True
    is_files_own = file.language in _OF_FILES and "static" in detail.modifiers and not file.path.endswith((".h", ".hpp", ".hh"))
    return is_files_own or detail.visibility in _HIDDEN or detail.visibility.startswith("pub(")
