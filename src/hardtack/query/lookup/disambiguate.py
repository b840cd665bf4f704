"""Symbols that have one name in, the one thing that is meant out, where rules can tell; else the things left to choose from.

Several symbols can be one thing: overloads, clauses and ``#ifdef`` twins of one file, a declaration and its definition, a type that
is written in parts. Of such a thing the definition comes before what only declares it (a prototype, an ``@overload``, a ``.pyi`` or
``.d.ts`` beside the source), a type of its own before an alias, and the first before the rest.

Of several things those are meant that pass the first of these rules that any passes, then the next:

1. in the file that was named; else in its language;
2. no test, example, documentation, vendored or superseded file;
3. so called as a whole, package included or not, before what only ends so.

What is left after that is truly ambiguous, and not chosen from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, Content, Kind
from hardtack.query.lookup.members import are_parts
from hardtack.query.lookup.symbols import home_of, named
from hardtack.query.ranking.path_roles import is_secondary
from hardtack.query.request.analysis import qualified

_C: Final = frozenset({"c", "cpp", "objc", "cuda"})
"""Languages that share headers."""
_HEADERS: Final = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tcc")
_STUBS: Final = (".pyi", ".d.ts", ".d.mts", ".d.cts", ".mli")
_WIDE_PACKAGES: Final = frozenset({"csharp", "kotlin"})
"""Languages in which one thing of a package may be written in several folders."""
_LONGEST_DECLARATION: Final = 2000  # bytes


class Thing(NamedTuple):
    """What one or several symbols are."""

    symbol: int
    """Ordinal of its definition, or of the first of them."""
    others: tuple[int, ...] = ()
    """Of its further definitions: overloads, twins, parts; in path order."""
    declarations: tuple[int, ...] = ()
    """Of what declares it and is not its definition, in path order."""


class Meant(NamedTuple):
    """What a name was found to mean."""

    things: tuple[Thing, ...]
    """The one that is meant; several when no rule tells; none when there were no symbols."""
    passed_over: tuple[Thing, ...] = ()
    """Those that have the name, too, and that rule 2 or 3 took for less likely."""


def meant(bundle: Bundle, symbols: Iterable[int], name: str, *, file: str = "") -> Meant:
    """What is meant by a name.

    Args:
        bundle: where they are.
        symbols: ordinals of those that have the name, all types or all functions, in path order.
        name: as it was asked for.
        file: path of the file that it was met in, or whose language it is asked of; need not be in the bundle. Empty for none.
    """
    things = things_of(bundle, symbols)
    if len(things) > 1 and file:
        is_there, is_alike = _places(bundle, file)
        things = _kept(things, is_there) or _kept(things, is_alike) or things
    passed_over: list[Thing] = []
    wanted = qualified(name.strip())
    for is_likelier in (lambda thing: not _is_beside(bundle, thing.symbol), lambda thing: _is_whole(bundle, thing.symbol, wanted)):
        if len(things) > 1 and (likelier := _kept(things, is_likelier)):
            passed_over += [thing for thing in things if thing not in likelier]
            things = likelier
    return Meant(tuple(things), tuple(sorted(passed_over)))


def _kept(things: Sequence[Thing], passes: Callable[[Thing], bool]) -> list[Thing]:
    return [thing for thing in things if passes(thing)]


def _places(bundle: Bundle, path: str) -> tuple[Callable[[Thing], bool], Callable[[Thing], bool]]:
    """Whether a thing is in a file, and whether it is in the language of it."""
    wanted = path.strip().replace("\\", "/").removeprefix("./")
    file = bundle.file_at(wanted)
    if file is None and wanted:  # an absolute path of some checkout ends in one of the bundle's
        held = [each for each in bundle.files if wanted.endswith(f"/{each.path}")]
        file = max(held, key=lambda each: len(each.path), default=None)
    ending = f".{wanted.rpartition('.')[2].lower()}"
    languages = {file.language} if file else {each.language for each in bundle.files if each.path.lower().endswith(ending)}
    families = {_family(language) for language in languages}

    def is_there(thing: Thing) -> bool:
        members = (thing.symbol, *thing.others, *thing.declarations)
        return file is not None and any(_path(bundle, each) == file.path for each in members)

    return is_there, lambda thing: _family(_language(bundle, thing.symbol)) in families


def _is_beside(bundle: Bundle, symbol: int) -> bool:
    """Whether a symbol is no part of the code proper."""
    file = bundle.file(bundle.symbol(symbol).file)
    return file.is_test or file.content == Content.DOCUMENTATION.value or is_secondary(bundle, file.path)


def _is_whole(bundle: Bundle, ordinal: int, wanted: str) -> bool:
    """Whether a symbol's own name is all of what was asked for, its package counted or not."""
    symbol = bundle.symbol(ordinal)
    return wanted in (symbol.qualified_name, f"{home_of(bundle, symbol)}.{symbol.qualified_name}")


# -- which symbols are one thing ----------------------------------------------------------------------------------------------


def things_of(bundle: Bundle, symbols: Iterable[int]) -> list[Thing]:
    """What these symbols are, each once, in path order."""
    alike: dict[tuple[str, str, str], dict[int, list[int]]] = {}
    for ordinal in symbols:
        symbol = bundle.symbol(ordinal)
        key = (_family(bundle.file(symbol.file).language), symbol.package, symbol.qualified_name)
        alike.setdefault(key, {}).setdefault(symbol.file, []).append(ordinal)
    return sorted(_thing(bundle, group) for by_file in alike.values() for group in _groups(bundle, by_file))


def _groups(bundle: Bundle, by_file: dict[int, list[int]]) -> list[list[int]]:
    """Symbols of one qualified name, those of each file given together, put together that are one thing."""
    groups: list[list[int]] = []
    declaring: list[list[int]] = []
    for file, ordinals in by_file.items():
        if _declares(bundle.file(file).path):
            declaring.append(ordinals)
        elif mine := next((group for group in groups if _is_one(bundle, group[0], ordinals[0])), None):
            mine += ordinals
        else:
            groups.append(list(ordinals))
    defining = len(groups)
    for ordinals in declaring:
        same = [group for number, group in enumerate(groups) if _is_told_by(bundle, group[0], ordinals[0], number < defining)]
        for group in same:
            group += ordinals
        if not same:
            groups.append(list(ordinals))
    return groups


def _is_one(bundle: Bundle, ordinal: int, other: int) -> bool:
    """Whether two symbols of one language, package and qualified name, in two files, are one thing."""
    symbol, second = bundle.symbol(ordinal), bundle.symbol(other)
    language = _language(bundle, ordinal)
    if symbol.package and (language in _WIDE_PACKAGES or _folder(bundle, ordinal) == _folder(bundle, other)):
        return True
    if symbol.kind in TYPES:
        return second.kind in TYPES and are_parts(bundle, ordinal, other)
    scope = symbol.qualified_name.rpartition(".")[0]
    if symbol.kind not in FUNCTIONS or not scope:
        return False
    owners = [each for each in named(bundle, scope.rpartition(".")[2], TYPES) if bundle.symbol(each).qualified_name == scope]
    return len({thing.symbol for thing in things_of(bundle, owners)}) == 1  # both are of that type, wherever they are written


def _is_told_by(bundle: Bundle, ordinal: int, declaring: int, is_source: bool) -> bool:
    """Whether what a header or stub says is of this thing."""
    path, header = _path(bundle, ordinal), _path(bundle, declaring)
    if header.endswith(_HEADERS):
        return is_source or path.endswith(_HEADERS)
    return path.partition(".")[0] == header.partition(".")[0]


def _thing(bundle: Bundle, group: list[int]) -> Thing:
    if len(group) == 1:
        return Thing(group[0])
    declared = [ordinal for ordinal in sorted(group) if _is_declaration(bundle, ordinal)]
    defined = [ordinal for ordinal in sorted(group) if ordinal not in declared]
    if not defined:
        defined, declared = declared, []
    first = min(defined, key=lambda ordinal: (*_is_lesser(bundle, ordinal), ordinal))
    return Thing(first, tuple(ordinal for ordinal in defined if ordinal != first), tuple(declared))


def _is_lesser(bundle: Bundle, ordinal: int) -> tuple[bool, bool]:
    """Of several definitions of a type: whether this is an alias, and whether its file is called otherwise."""
    symbol = bundle.symbol_name(ordinal)
    if symbol.kind not in TYPES:
        return False, False
    stem = _path(bundle, ordinal).rpartition("/")[2].rpartition(".")[0]
    return symbol.kind is Kind.TYPE, stem.lower() != symbol.folded[0]


def _is_declaration(bundle: Bundle, ordinal: int) -> bool:
    """Whether a symbol is only declared: it stands in a stub, is marked as an overload, or its text is all signature."""
    symbol, language = bundle.symbol(ordinal), _language(bundle, ordinal)
    if _path(bundle, ordinal).endswith(_STUBS):
        return True
    if any(decorator.lstrip("@").rpartition(".")[2] == "overload" for decorator in bundle.detail(ordinal).decorators):
        return True
    can_be = symbol.kind in FUNCTIONS or (language in _C and symbol.kind in TYPES - {Kind.TYPE})
    if not can_be or not bundle.has_text or symbol.end - symbol.start > _LONGEST_DECLARATION:
        return False
    text = bundle.text_of(bundle.file(symbol.file), symbol.start, symbol.end).decode("utf-8", "replace")
    return " ".join(text.split()).rstrip("; ") == symbol.signature


def _declares(path: str) -> bool:
    return path.endswith((*_HEADERS, *_STUBS))


def _family(language: str) -> str:
    return "c" if language in _C else language


def _language(bundle: Bundle, ordinal: int) -> str:
    return bundle.file(bundle.symbol(ordinal).file).language


def _path(bundle: Bundle, ordinal: int) -> str:
    return bundle.file(bundle.symbol(ordinal).file).path


def _folder(bundle: Bundle, ordinal: int) -> str:
    return _path(bundle, ordinal).rpartition("/")[0]
