"""Symbols of one name in, the one that the name means out where rules can tell; else all that it can mean.

Several symbols can be one type or function, here called a group: overloads, clauses and ``#ifdef`` twins of one file, a declaration
and its definition, a type that is written in parts. In a group the definition comes before what only declares it (a prototype, an
``@overload``, a ``.pyi`` or ``.d.ts`` beside the source), a type of its own before an alias, and the first before the rest.

Among several groups these rules choose, in this order. A rule that no group passes is skipped:

1. it is in the file that the caller named; else it is in the language of that file;
2. it is not in a test, an example, documentation, or a vendored or superseded file;
3. its whole name is the one looked up, with or without its package, and does not merely end in it.

Groups that are left after the last rule are ambiguous: none of them is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import filterfalse
from typing import Any, Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.declaring_files import HEADERS, STUBS
from hardtack.nouns.model import CALLABLES, FUNCTIONS, TYPES, Content, Kind
from hardtack.query.files.path_spelling import find_file
from hardtack.query.lookup.members import type_identity
from hardtack.query.lookup.symbols import home_of, symbols_named
from hardtack.query.ranking.path_roles import is_secondary
from hardtack.query.request.analysis import qualified

_C: Final = frozenset({"c", "cpp", "objc", "cuda"})
"""Languages that share header files."""
_WIDE_PACKAGES: Final = frozenset({"csharp", "kotlin"})
"""Languages in which the parts of one type or function may lie in several folders of a package."""
_MAX_DECLARATION_BYTES: Final = 2000


class SymbolGroup(NamedTuple):
    """Symbols that are one type or function."""

    symbol: int
    """Ordinal of the definition, or of the first of several."""
    others: tuple[int, ...] = ()
    """Ordinals of further definitions (overloads, twins, parts), in path order."""
    declarations: tuple[int, ...] = ()
    """Ordinals of symbols that only declare it, in path order."""


class Disambiguation(NamedTuple):
    """What a name means."""

    groups: tuple[SymbolGroup, ...]
    """One group; several if the name is ambiguous; none if there were no symbols."""
    passed_over: tuple[SymbolGroup, ...] = ()
    """Groups that have the name too, and that rule 2 or 3 excluded."""


def disambiguate(bundle: Bundle, symbols: Iterable[int], name: str, *, file: str = "") -> Disambiguation:
    """Choose what a name means by the rules above.

    Args:
        bundle: the bundle of the symbols.
        symbols: ordinals of the symbols that have the name, all types or all functions, in path order.
        name: the name that was looked up.
        file: path of a file that uses the name, in the bundle or not; empty for none.
    """
    groups = group_symbols(bundle, symbols)
    if len(groups) > 1 and file:
        is_in_file, is_in_language = _file_tests(bundle, file)
        groups = list(filter(is_in_file, groups)) or list(filter(is_in_language, groups)) or groups
    passed_over: list[SymbolGroup] = []
    wanted = qualified(name.strip())
    rules: tuple[Callable[[SymbolGroup], bool], ...] = (
        lambda group: not _is_in_secondary_file(bundle, group.symbol),
        lambda group: _is_whole_name(bundle, group.symbol, wanted),
    )
    for passes in rules:
        if len(groups) > 1 and (passing := list(filter(passes, groups))):
            passed_over += filterfalse(passes, groups)
            groups = passing
    return Disambiguation(tuple(groups), tuple(sorted(passed_over)))


def _file_tests(bundle: Bundle, path: str) -> tuple[Callable[[SymbolGroup], bool], Callable[[SymbolGroup], bool]]:
    """Whether a group has a symbol in the file at ``path``, and whether it is in the language of that file."""
    file = find_file(bundle, path.strip())
    ending = f".{path.strip().rpartition('.')[2].lower()}"
    languages = {file.language} if file else {each.language for each in bundle.files if each.path.lower().endswith(ending)}
    families = {_family(language) for language in languages}

    def is_in_file(group: SymbolGroup) -> bool:
        symbols = (group.symbol, *group.others, *group.declarations)
        return file is not None and any(_path(bundle, each) == file.path for each in symbols)

    return is_in_file, lambda group: _family(_language(bundle, group.symbol)) in families


def _is_in_secondary_file(bundle: Bundle, symbol: int) -> bool:
    """Whether a symbol is in a test, an example, documentation, or a vendored or superseded file."""
    file = bundle.file(bundle.symbol(symbol).file)
    return file.is_test or file.content == Content.DOCUMENTATION.value or is_secondary(bundle, file.path)


def _is_whole_name(bundle: Bundle, ordinal: int, wanted: str) -> bool:
    """Whether ``wanted`` is a symbol's whole qualified name, with or without its package."""
    symbol = bundle.symbol(ordinal)
    return wanted in (symbol.qualified_name, f"{home_of(bundle, symbol)}.{symbol.qualified_name}")


# -- groups of symbols -------------------------------------------------------------------------------------------------------


def group_symbols(bundle: Bundle, symbols: Iterable[int]) -> list[SymbolGroup]:
    """The groups of these symbols, in path order."""
    namesakes: dict[tuple[str, str, str, bool], dict[int, list[int]]] = {}
    for ordinal in symbols:
        symbol = bundle.symbol(ordinal)
        # A type and a function of one name are two: C's struct jar and jar(), Zig's struct and the test that is called so.
        key = (_family(bundle.file(symbol.file).language), symbol.package, symbol.qualified_name, symbol.kind in CALLABLES)
        namesakes.setdefault(key, {}).setdefault(symbol.file, []).append(ordinal)
    return sorted(_group(bundle, ordinals) for by_file in namesakes.values() for ordinals in _grouped(bundle, by_file))


def _grouped(bundle: Bundle, by_file: dict[int, list[int]]) -> list[list[int]]:
    """The ordinals of each group, given those of one language, package and qualified name by file."""
    groups: list[list[int]] = []
    declaring: list[list[int]] = []
    known: dict[Hashable, list[int]] = {}
    first = next(iter(by_file.values()))[0]
    are_in_one_type = len(by_file) > 1 and _is_one_type(bundle, bundle.symbol_name(first).qualified_name.rpartition(".")[0])
    for file, ordinals in by_file.items():
        if bundle.file(file).path.endswith((*HEADERS, *STUBS)):
            declaring.append(ordinals)
            continue
        shared = _shared_with_parts(bundle, ordinals[0], are_in_one_type=are_in_one_type)
        if same := next((known[each] for each in shared if each in known), None):
            same += ordinals
        else:
            groups.append(list(ordinals))
            known |= dict.fromkeys(shared, groups[-1])
    source_groups = len(groups)  # those that follow are of headers and stubs alone
    for ordinals in declaring:
        declared = [
            group
            for number, group in enumerate(groups)
            if _declares(bundle, ordinals[0], group[0], is_source=number < source_groups)
        ]
        for group in declared:
            group += ordinals
        if not declared:
            groups.append(list(ordinals))
    return groups


def _is_one_type(bundle: Bundle, qualified_name: str) -> bool:
    """Whether there is one type of that name. Compared by definition, as a header can declare for several groups."""
    named = symbols_named(bundle, qualified_name.rpartition(".")[2], TYPES) if qualified_name else []
    owners = [each for each in named if bundle.symbol(each).qualified_name == qualified_name]
    return len({group.symbol for group in group_symbols(bundle, owners)}) == 1


def _shared_with_parts(bundle: Bundle, ordinal: int, *, are_in_one_type: bool) -> list[Hashable]:
    """What a symbol shares with those of its language, package and qualified name in other files that are one thing with it."""
    symbol = bundle.symbol(ordinal)
    shared: list[Hashable] = []
    if symbol.package:
        shared.append("" if _language(bundle, ordinal) in _WIDE_PACKAGES else _folder(bundle, ordinal))
    if symbol.kind in TYPES:
        shared.append((symbol.kind, type_identity(bundle, ordinal)))
    elif symbol.kind in FUNCTIONS and are_in_one_type:
        shared.append(FUNCTIONS)
    return shared


def _declares(bundle: Bundle, declaring: int, ordinal: int, *, is_source: bool) -> bool:
    """Whether a symbol of a header or stub declares another of its qualified name, which may be in a source file."""
    path, header = _path(bundle, ordinal), _path(bundle, declaring)
    if header.endswith(HEADERS):
        return is_source or path.endswith(HEADERS)
    return path.partition(".")[0] == header.partition(".")[0]


def _group(bundle: Bundle, ordinals: list[int]) -> SymbolGroup:
    if len(ordinals) == 1:
        return SymbolGroup(ordinals[0])
    declared = [ordinal for ordinal in sorted(ordinals) if _is_declaration(bundle, ordinal)]
    defined = [ordinal for ordinal in sorted(ordinals) if ordinal not in declared]
    if not defined:
        defined, declared = declared, []
    first = min(defined, key=lambda ordinal: (*_definition_order(bundle, ordinal), ordinal))
    return SymbolGroup(first, tuple(ordinal for ordinal in defined if ordinal != first), tuple(declared))


def _definition_order(bundle: Bundle, ordinal: int) -> tuple[bool, bool]:
    """The sort key of one of several definitions of a type: is it an alias, has its file another name."""
    symbol = bundle.symbol_name(ordinal)
    if symbol.kind not in TYPES:
        return False, False
    stem = _path(bundle, ordinal).rpartition("/")[2].rpartition(".")[0]
    return symbol.kind is Kind.TYPE, stem.lower() != symbol.folded[0]


def _is_declaration(bundle: Bundle, ordinal: int) -> bool:
    """Whether a symbol is only declared: it is in a stub, is marked as an overload, or its text is no more than its signature."""
    symbol, language = bundle.symbol(ordinal), _language(bundle, ordinal)
    if _path(bundle, ordinal).endswith(STUBS):
        return True
    if any(decorator.lstrip("@").rpartition(".")[2] == "overload" for decorator in bundle.detail(ordinal).decorators):
        return True
    can_be = symbol.kind in FUNCTIONS or (language in _C and symbol.kind in TYPES - {Kind.TYPE})
    if not can_be or not bundle.has_text or symbol.end - symbol.start > _MAX_DECLARATION_BYTES:
        return False
    text = bundle.text_of(bundle.file(symbol.file), symbol.start, symbol.end).decode("utf-8", "replace")
    return " ".join(text.split()).rstrip("; ") == symbol.signature


def _family(language: str) -> str:
    return "c" if language in _C else language


def _language(bundle: Bundle, ordinal: int) -> str:
    return bundle.file(bundle.symbol(ordinal).file).language


def _path(bundle: Bundle, ordinal: int) -> str:
    return bundle.file(bundle.symbol(ordinal).file).path


def _folder(bundle: Bundle, ordinal: int) -> str:
    return _path(bundle, ordinal).rpartition("/")[0]


# -- what tells them apart ----------------------------------------------------------------------------------------------------


def candidate_of(bundle: Bundle, ordinal: int) -> dict[str, Any]:
    """A symbol of an ambiguous name, as JSON values."""
    symbol = bundle.symbol(ordinal)
    values = {
        "name": symbol.name,
        "qualified_name": symbol.qualified_name,
        "kind": symbol.kind.value,
        "package": symbol.package,
        "file_path": bundle.file(symbol.file).path,
        "start_line": symbol.start_line,
        "signature": symbol.signature,
    }
    return {key: value for key, value in values.items() if value}


def differences(bundle: Bundle, ordinals: Sequence[int]) -> str:
    """What differs between all of the symbols, in words; or, if nothing does, what differs between some."""
    symbols = [bundle.symbol(ordinal) for ordinal in ordinals]
    values: dict[str, set[str] | set[int]] = {
        "qualified name": {symbol.qualified_name for symbol in symbols},
        "package": {symbol.package for symbol in symbols},
        "file": {symbol.file for symbol in symbols},
    }
    ways = [way for way, different in values.items() if len(different) == len(symbols)]
    return " or ".join(ways or [way for way, different in values.items() if len(different) > 1] or ["file"])
