"""A package in, all symbols that it exports out; or, if there is no such package, the names of similar ones.

A package is a package, namespace or module that the source declares. Where a language declares none (Python, JavaScript) it is the
dotted path of the file: ``click.core`` for ``src/click/core.py``. The last parts of a package's name are enough to find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from hardtack.bundle.format.records import KINDS, FileRecord, SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import CALLABLES, NAMESPACES, TYPES, Content, Kind
from hardtack.nouns.relations import RelationKind
from hardtack.query.lookup.symbols import home_of, module_of, name_similarities, package_named, symbols_within
from hardtack.query.request.analysis import qualified

_EXPORTED_KINDS: Final = TYPES | CALLABLES | {Kind.CONSTANT, Kind.VARIABLE}
_HIDDEN_VISIBILITIES: Final = frozenset({"private", "protected", "internal", "fileprivate", "package"})
_C_FAMILY: Final = frozenset({"c", "cpp", "objc"})
"""Languages in which ``static`` symbols are visible in their own file only."""
_NAMESPACE_BITS: Final = sum(1 << KINDS.index(kind) for kind in NAMESPACES)
_MAX_SUGGESTIONS: Final = 5

_PackageTest = Callable[[str, str], bool]
"""Whether a package (dotted, the first argument) is covered by the wanted one (the second)."""


def exports(bundle: Bundle, package: str, kinds: frozenset[Kind] | None = None) -> tuple[int, ...]:
    """Every symbol that a package exports, in path order: top-level and not hidden.

    A Python package also exports what its ``__init__`` imports from its modules. If a package exports nothing itself (a folder of
    modules), the exports of all packages in it are given. Symbols of tests count only if all files of the package are tests;
    examples in documentation never count.

    Args:
        bundle: where to look.
        package: a package, namespace or module with the separators of any language, or the last parts of one.
        kinds: kinds of symbols to give. None gives every kind, methods only if a module defines them: those of types are in the
            descriptors of their types.
    """
    wanted = package_named(package)
    if not wanted:
        return ()
    own = _exports(bundle, wanted, kinds, _is_named)
    if own or (kinds and _exports(bundle, wanted, None, _is_named)):
        return own
    return _exports(bundle, wanted, kinds, _is_within)


def _exports(bundle: Bundle, wanted: str, kinds: frozenset[Kind] | None, covers: _PackageTest) -> tuple[int, ...]:
    files = _files_of(bundle, wanted, covers)
    if any(not bundle.file(file).is_test for file in files):
        files = [file for file in files if not bundle.file(file).is_test]
    defined = [ordinal for file in files for ordinal in _defined_exports(bundle, bundle.file(file), wanted, kinds, covers)]
    reexported = [ordinal for file in files for ordinal in _reexports(bundle, file, wanted, kinds)]
    return tuple(sorted({*defined, *reexported}))


def similar_packages(bundle: Bundle, package: str) -> tuple[str, ...]:
    """Packages to suggest for a name that none has: first those that have it as a part, then those with a similar last part."""
    wanted = package_named(package)
    files = (file for file in bundle.files if file.symbol_count and not file.is_test and file.content == Content.CODE.value)
    homes = {_home_of_file(file): file.package for file in files}
    homes.pop("", None)
    containing = sorted(home for home in homes if f".{wanted.lower()}." in f".{home.lower()}.") if wanted else []
    last = {home: home.lower().rpartition(".")[2] for home in homes}
    similarities = name_similarities(wanted.lower().rpartition(".")[2], set(last.values()))
    near = sorted((home for home in homes if last[home] in similarities), key=lambda home: (-similarities[last[home]], home))
    return tuple(homes[home] or home for home in dict.fromkeys((*containing, *near)))[:_MAX_SUGGESTIONS]


def _files_of(bundle: Bundle, wanted: str, covers: _PackageTest) -> list[int]:
    """Ordinals of the files that may declare something in a package, ascending."""
    files = {number for number, file in enumerate(bundle.files) if file.symbol_count and covers(_home_of_file(file), wanted)}
    files.update(
        bundle.symbol(ordinal).file
        for ordinal in symbols_within(bundle, wanted)
        if bundle.symbol_name(ordinal).qualified_name != wanted
    )
    for chunk, kinds in enumerate(bundle.kinds_of_chunks):
        if kinds & _NAMESPACE_BITS:
            files.update(symbol.file for symbol in bundle.symbols_of(bundle.chunk(chunk)) if _is_namespace(symbol, wanted, covers))
    return sorted(file for file in files if bundle.file(file).content != Content.DOCUMENTATION.value)


def _is_namespace(symbol: SymbolRecord, wanted: str, covers: _PackageTest) -> bool:
    return symbol.kind in NAMESPACES and covers(qualified(symbol.qualified_name), wanted)


def _home_of_file(file: FileRecord) -> str:
    return _home_at(file.package, file.path)


@lru_cache(maxsize=1 << 14)
def _home_at(package: str, path: str) -> str:
    return qualified(package) or module_of(path)


def _is_named(home: str, wanted: str) -> bool:
    return home == wanted or home.endswith(f".{wanted}")


def _is_within(home: str, wanted: str) -> bool:
    return f".{wanted}." in f".{home}."


def _defined_exports(
    bundle: Bundle, file: FileRecord, wanted: str, kinds: frozenset[Kind] | None, covers: _PackageTest
) -> Iterator[int]:
    """The symbols of one file that a package exports."""
    is_home = {file.package: covers(_home_of_file(file), wanted)}
    for ordinal in exports_of_file(bundle, file, kinds):
        symbol = bundle.symbol(ordinal)
        if symbol.package not in is_home:
            is_home[symbol.package] = covers(home_of(bundle, symbol), wanted)
        scope = qualified(symbol.qualified_name.rpartition(".")[0])
        if is_home[symbol.package] or (scope and covers(scope, wanted)):
            yield ordinal


def exports_of_file(bundle: Bundle, file: FileRecord, kinds: frozenset[Kind] | None = None) -> Iterator[int]:
    """The symbols of one file that their packages export, whichever these are; ``kinds`` as for :func:`exports`."""
    ordinals = range(file.first_symbol, file.first_symbol + file.symbol_count)
    counted = _EXPORTED_KINDS | kinds if kinds else _EXPORTED_KINDS
    numbers, stored = frozenset(map(KINDS.index, counted)), bundle.kinds_of_symbols
    tops = [ordinal for ordinal in ordinals if stored[ordinal] in numbers and _is_top(bundle, ordinal)]
    # In a file that marks any symbol as exported, unmarked symbols are not.
    marks_exports = any(bundle.detail(ordinal).visibility == "exported" for ordinal in tops)
    for ordinal in tops:
        symbol = bundle.symbol(ordinal)
        is_wanted = symbol.kind in kinds if kinds else symbol.kind is not Kind.METHOD or symbol.parent >= 0
        if is_wanted and not _is_hidden(bundle, ordinal, file, marks_exports=marks_exports):
            yield ordinal


def _reexports(bundle: Bundle, number: int, wanted: str, kinds: frozenset[Kind] | None) -> Iterator[int]:
    """What the ``__init__.py`` of a Python package imports, and the package so exports as its own."""
    file = bundle.file(number)
    if not file.path.endswith("__init__.py") or not _is_named(_home_of_file(file), wanted):
        return
    for relation in bundle.related.relations_of_file(number):
        if relation.kind is RelationKind.IMPORTS and relation.target >= 0:
            kind = bundle.symbol_name(relation.target).kind
            is_wanted = kind in (kinds or _EXPORTED_KINDS)
            if is_wanted and not _is_hidden(bundle, relation.target, bundle.file(relation.target_file), marks_exports=False):
                yield relation.target


def _is_top(bundle: Bundle, ordinal: int) -> bool:
    parent = bundle.symbol(ordinal).parent
    return parent < 0 or bundle.symbol(parent).kind in NAMESPACES


def _is_hidden(bundle: Bundle, ordinal: int, file: FileRecord, *, marks_exports: bool) -> bool:
    detail = bundle.detail(ordinal)
    if marks_exports and detail.visibility != "exported":
        return True
    is_file_local = file.language in _C_FAMILY and "static" in detail.modifiers and not file.path.endswith((".h", ".hpp", ".hh"))
    return is_file_local or detail.visibility in _HIDDEN_VISIBILITIES or detail.visibility.startswith("pub(")
