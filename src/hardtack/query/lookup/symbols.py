"""A name in, the symbols that have it out. Exact, complete, and never guessing.

Names are matched in steps, and the first step that finds anything decides: the name as it is, then as the end of a qualified name,
then with some of that left out (``requests.Session`` for what ``requests/sessions.py`` declares), then in any case. What is left
ambiguous is listed, not chosen from; a name that is nowhere gets the nearest ones that are.
Every symbol's whole name is a term of the lexical index, so a look-up reads a few postings, not the symbol table.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from hardtack.bundle.engines.lexical import Filter
from hardtack.bundle.format.records import SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Kind
from hardtack.query.request.analysis import qualified
from hardtack.text.terms import MAX_TERM_CHARACTERS, parts_of, whole_name

_SUGGESTIONS: Final = 5
_NEAR: Final = 50
_COMPARED: Final = 40
"""Names that are compared letter by letter."""
_ALIKE: Final = 0.4
"""Likeness below which a name is no suggestion, of 1."""


_WITH_ARGUMENTS: Final = re.compile(r"([^<\[(]+)[<\[(].*[>\])]", re.DOTALL)
"""A name and what is written behind it where it is used, and is no part of it."""
_OWN: Final = ("crate", "self", "super", "this", "package")
"""How languages call what a file belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSymbols:
    """What a name was found to mean."""

    ordinals: tuple[int, ...]
    """Ordinals of the symbols, in path order; more than one is an ambiguity, and all of it."""
    suggestions: tuple[str, ...] = ()
    """Nearest qualified names, best first, when nothing was found."""


class _Candidate(NamedTuple):
    """A symbol of the name's last part."""

    ordinal: int
    name: str
    qualified_name: str
    home: str


def look_up(bundle: Bundle, name: str, kinds: frozenset[Kind], *, package: str = "", owner: str = "") -> NamedSymbols:
    """The symbols called ``name``.

    Args:
        bundle: where to look.
        name: a name, or a qualified name joined as any language joins it.
        kinds: of symbols that count.
        package: only symbols whose home (:func:`home_of`) has this as a part; what declares its home wins over paths.
        owner: only members of a type of this name, or of one whose qualified name ends so.
    """
    wanted = qualified(name.strip())
    for spelling in _spellings(bundle, wanted):
        if found := _found(bundle, spelling, kinds, package=package, owner=owner):
            return NamedSymbols(ordinals=found)
    return NamedSymbols(ordinals=(), suggestions=_nearest(bundle, _plain(wanted).rpartition(".")[2], kinds))


def _spellings(bundle: Bundle, wanted: str) -> Iterator[str]:
    """A name as it was given; then without arguments, ``Map<K, V>`` or ``open()``; then without the name of its project."""
    yield wanted
    plain = _plain(wanted)
    if plain != wanted:
        yield plain
    projects = [qualified(project.name.replace("/", ".")) for project in bundle.manifest.projects]
    for outer in dict.fromkeys((*_OWN, *projects, *(project.replace("-", "_") for project in projects))):
        if outer and plain.startswith(f"{outer}."):
            yield plain.removeprefix(f"{outer}.")


def _plain(name: str) -> str:
    return match[1] if (match := _WITH_ARGUMENTS.fullmatch(name)) else name


def _found(bundle: Bundle, wanted: str, kinds: frozenset[Kind], *, package: str, owner: str) -> tuple[int, ...]:
    last = wanted.rpartition(".")[2]
    ordinals = named(bundle, last, kinds)
    if last != wanted:  # some names have dots themselves
        ordinals = sorted({*ordinals, *named(bundle, wanted, kinds)})
    symbols = ((ordinal, bundle.symbol(ordinal)) for ordinal in ordinals)
    owned = [(ordinal, symbol) for ordinal, symbol in symbols if _is_owned(bundle, symbol, owner)]
    for candidates in _candidates(bundle, owned, package):
        for matches in _STEPS:
            if found := tuple(each.ordinal for each in candidates if matches(each, wanted)):
                return found
    return ()


def _candidates(bundle: Bundle, symbols: Sequence[tuple[int, SymbolRecord]], package: str) -> Iterator[list[_Candidate]]:
    """Those that may be meant; of a package first those that declare it, then those whose paths are like it."""
    found = [_Candidate(ordinal, each.name, each.qualified_name, home_of(bundle, each)) for ordinal, each in symbols]
    if not package:
        yield found
        return
    for declares in (True, False):
        yield [
            each
            for each, (_, symbol) in zip(found, symbols, strict=True)
            if bool(symbol.package) == declares and _is_in(each.home, package)
        ]


def _has_left_out(candidate: _Candidate, wanted: str) -> bool:
    """Whether ``wanted`` is the candidate's whole name with parts left out between the first and the last."""
    whole = iter(f"{candidate.home}.{candidate.qualified_name}".split("."))
    return wanted.endswith(f".{candidate.name}") and all(part in whole for part in wanted.split("."))


_STEPS: tuple[Callable[[_Candidate, str], bool], ...] = (
    lambda each, wanted: wanted in (each.name, each.qualified_name),
    lambda each, wanted: f".{each.home}.{each.qualified_name}".endswith(f".{wanted}"),
    _has_left_out,
    lambda each, wanted: wanted.lower() in (each.name.lower(), each.qualified_name.lower()),
)
"""In this order; the first that any symbol passes decides."""


def named(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> list[int]:
    """Ordinals of every symbol of the kinds that has this name in any case, in path order."""
    term = whole_name(name)
    is_cut = len(term) == MAX_TERM_CHARACTERS
    found = []
    for ordinal in _defined_in(bundle, _chunks_with(bundle, term)):
        symbol = bundle.symbol_name(ordinal)
        # an identifier is its own whole name but for its case, unless it is too long
        is_it = symbol.folded[0] == term or ((is_cut or not symbol.name.isidentifier()) and whole_name(symbol.name) == term)
        if is_it and symbol.kind in kinds:
            found.append(ordinal)
    return found


def so_called(bundle: Bundle, qualified_name: str, *, file: int | None = None) -> list[int]:
    """Ordinals of every symbol of exactly this qualified name, in path order; only those of one file if that is given."""
    chunks = _chunks_with(bundle, whole_name(qualified_name), file)
    return [each for each in _defined_in(bundle, chunks) if bundle.symbol_name(each).qualified_name == qualified_name]


def _chunks_with(bundle: Bundle, term: str, file: int | None = None) -> list[int]:
    """Chunks that define a symbol of that whole name, ascending."""
    only = Filter() if file is None else Filter(files=(file,))
    found, _ = bundle.lexical.search({"symbol": [(term, 1.0)]}, max(bundle.manifest.counts.chunks, 1), only)
    return sorted(found)


def _defined_in(bundle: Bundle, chunks: Iterable[int]) -> Iterator[int]:
    for place in chunks:
        chunk = bundle.chunk(place)
        yield from range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)


# -- where symbols are at home ------------------------------------------------------------------------------------------------


def home_of(bundle: Bundle, symbol: SymbolRecord) -> str:
    """The package or namespace that a symbol is declared in, joined by dots; where its language declares none, that of its path."""
    return qualified(symbol.package) or module_of(bundle.file(symbol.file).path)


def module_of(path: str) -> str:
    """The dotted path of a file; one that stands for its folder goes by the folder."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    parts = [part for part in folder.split("/") if part] + ([] if stem in ("__init__", "index", "mod") else [stem])
    return ".".join(parts)


def package_named(name: str) -> str:
    """A package as a user names it, joined by dots."""
    return qualified(name.strip().replace("/", ".")).strip(".")


def _is_in(home: str, package: str) -> bool:
    return not package or f".{package_named(package)}." in f".{home}."


def _is_owned(bundle: Bundle, symbol: SymbolRecord, owner: str) -> bool:
    if not owner:
        return True
    scope, want = symbol.qualified_name.rpartition(".")[0], _plain(qualified(owner.strip(" *&")))
    return scope != "" and f".{home_of(bundle, symbol)}.{scope}".endswith(f".{want}")


# -- what is near -------------------------------------------------------------------------------------------------------------


def _nearest(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> tuple[str, ...]:
    """Qualified names near ``name``: those a few letters away and those that share its parts, by likeness."""
    terms = [(part, 1.0) for part in dict.fromkeys([name.lower(), *parts_of(name)])]
    alike, _ = bundle.lexical.search({"name": terms}, _NEAR, Filter())
    chunks = dict.fromkeys((*bundle.lexical.search_near(whole_name(name), _NEAR), *alike))
    symbols = [symbol for each in _defined_in(bundle, chunks) if (symbol := bundle.symbol_name(each)).kind in kinds]
    likeness = name_similarities(name.lower(), {symbol.folded[0] for symbol in symbols})
    near = {symbol.qualified_name: likeness[symbol.folded[0]] for symbol in symbols if symbol.folded[0] in likeness}
    return tuple(sorted(near, key=lambda found: (-near[found], found))[:_SUGGESTIONS])


def name_similarities(name: str, others: Iterable[str]) -> dict[str, float]:
    """How like each of the others is to a name, from 0 to 1; only of the likeliest, and of none that is not like it."""
    pairs = _pairs(name)
    shared = {other: 2 * len(pairs & mine) / (len(pairs) + len(mine)) for other in others if (mine := _pairs(other))}
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(name)
    alike = {}
    for other in sorted(shared, key=lambda other: (-shared[other], other))[:_COMPARED]:
        matcher.set_seq1(other)
        if (ratio := matcher.ratio()) >= _ALIKE:
            alike[other] = ratio
    return alike


def _pairs(word: str) -> set[str]:
    """Its letters in pairs, the first and the last with nothing beside them: cheap to compare, and near what is alike."""
    return {f" {word} "[at : at + 2] for at in range(len(word) + 1)}
