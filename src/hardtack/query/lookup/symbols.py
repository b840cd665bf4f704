"""A name in, all symbols of that name out; or, if there are none, the nearest names.

Names are matched in steps, and the first step that finds a symbol decides: the name itself, then the end of a qualified name, then
one with parts left out (``requests.Session`` for a class in ``requests/sessions.py``), then in any case. All matches of that step
are listed. Every symbol's whole name is a term of the lexical index, so a look-up reads a few postings, not the symbol table.
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
from hardtack.text import MAX_TERM_CHARACTERS, parts_of, whole_name

_MAX_SUGGESTIONS: Final = 5
_NEAR_CHUNKS: Final = 50
"""Chunks whose symbols are considered for suggestions, of each of two searches."""
_MAX_COMPARED: Final = 40
"""Names that are compared letter by letter."""
_LEAST_SIMILARITY: Final = 0.4
"""The similarity, 0 to 1, below which a name is not suggested."""

_WITH_ARGUMENTS: Final = re.compile(r"([^<\[(]+)[<\[(].*[>\])]", re.DOTALL)
"""A name with the type arguments, index or parameters that follow it in code."""
_SELF_NAMES: Final = ("crate", "self", "super", "this", "package")
"""Words for the current package, module or object, which code writes before a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSymbols:
    """The symbols of a name."""

    name: str
    """As it was asked for."""
    ordinals: tuple[int, ...]
    """Ordinals of all of them, in path order."""
    suggestions: tuple[str, ...] = ()
    """The nearest qualified names, best first, if there is no symbol."""


class _Candidate(NamedTuple):
    """A symbol that has the last part of the looked-up name."""

    ordinal: int
    name: str
    qualified_name: str
    home: str


def look_up(
    bundle: Bundle, name: str, kinds: frozenset[Kind], *, package: str = "", owner: str = "", suggest: bool = True
) -> FoundSymbols:
    """The symbols called ``name``.

    Args:
        bundle: where to look.
        name: a name, or a qualified name with the separators of any language.
        kinds: kinds of symbols to find.
        package: only symbols whose home (:func:`home_of`) has this as a part; declared packages win over paths.
        owner: only members of a type of this name, or of one whose qualified name ends so.
        suggest: look for the nearest names where there is no symbol.
    """
    wanted = qualified(name.strip())
    for spelling in _spellings(bundle, wanted):
        if found := _matches(bundle, spelling, kinds, package=package, owner=owner):
            return FoundSymbols(name=name, ordinals=found)
    nearest = _nearest(bundle, _plain(wanted).rpartition(".")[2], kinds) if suggest else ()
    return FoundSymbols(name=name, ordinals=(), suggestions=nearest)


def symbols_within(bundle: Bundle, qualified_name: str) -> Iterator[int]:
    """Ordinals, ascending, of the symbols of that qualified name and of all symbols inside them.

    The lexical index finds the chunks that define them, so that this does not read the whole table.
    """
    for place in bundle.lexical.chunks_within(qualified_name):
        chunk = bundle.chunk(place)
        for ordinal in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count):
            name = bundle.symbol_name(ordinal).qualified_name
            if name == qualified_name or name.startswith(f"{qualified_name}."):
                yield ordinal


def _spellings(bundle: Bundle, wanted: str) -> Iterator[str]:
    """The name as given; then without arguments (``Map<K, V>``, ``open()``); then without a leading ``self`` or project name."""
    yield wanted
    plain = _plain(wanted)
    if plain != wanted:
        yield plain
    projects = [qualified(project.name.replace("/", ".")) for project in bundle.manifest.projects]
    for outer in dict.fromkeys((*_SELF_NAMES, *projects, *(project.replace("-", "_") for project in projects))):
        if outer and plain.startswith(f"{outer}."):
            yield plain.removeprefix(f"{outer}.")


def _plain(name: str) -> str:
    return match[1] if (match := _WITH_ARGUMENTS.fullmatch(name)) else name


def _matches(bundle: Bundle, wanted: str, kinds: frozenset[Kind], *, package: str, owner: str) -> tuple[int, ...]:
    last = wanted.rpartition(".")[2]
    ordinals = symbols_named(bundle, last, kinds)
    if last != wanted:  # some simple names contain dots
        ordinals = sorted({*ordinals, *symbols_named(bundle, wanted, kinds)})
    symbols = ((ordinal, bundle.symbol(ordinal)) for ordinal in ordinals)
    owned = [(ordinal, symbol) for ordinal, symbol in symbols if _is_owned(bundle, symbol, owner)]
    for candidates in _candidates(bundle, owned, package):
        for matches in _STEPS:
            if found := tuple(each.ordinal for each in candidates if matches(each, wanted)):
                return found
    return ()


def _candidates(bundle: Bundle, symbols: Sequence[tuple[int, SymbolRecord]], package: str) -> Iterator[list[_Candidate]]:
    """All symbols; or, for a package, first those that declare it, then those whose paths match it."""
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


def _matches_with_gaps(candidate: _Candidate, wanted: str) -> bool:
    """Whether ``wanted`` is the candidate's whole name with parts left out between the first and the last."""
    whole = iter(f"{candidate.home}.{candidate.qualified_name}".split("."))
    # ``in`` consumes the iterator up to the part it finds, so the parts must come in order.
    return wanted.endswith(f".{candidate.name}") and all(part in whole for part in wanted.split("."))


_STEPS: tuple[Callable[[_Candidate, str], bool], ...] = (
    lambda each, wanted: wanted in (each.name, each.qualified_name),
    lambda each, wanted: f".{each.home}.{each.qualified_name}".endswith(f".{wanted}"),
    _matches_with_gaps,
    lambda each, wanted: wanted.lower() in (each.name.lower(), each.qualified_name.lower()),
)
"""In this order; the first that any symbol passes decides."""


def symbols_named(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> list[int]:
    """Ordinals of every symbol of the kinds with this simple name, in any case, in path order."""
    term = whole_name(name)
    is_cut = len(term) == MAX_TERM_CHARACTERS
    found = []
    for ordinal in _symbols_in(bundle, _chunks_with(bundle, term)):
        symbol = bundle.symbol_name(ordinal)
        # Folding an identifier gives its term, unless the term was cut; then, and for other names, the term is computed anew.
        has_name = symbol.folded[0] == term or ((is_cut or not symbol.name.isidentifier()) and whole_name(symbol.name) == term)
        if has_name and symbol.kind in kinds:
            found.append(ordinal)
    return found


def symbols_qualified(bundle: Bundle, qualified_name: str, *, file: int | None = None) -> list[int]:
    """Ordinals of every symbol with exactly this qualified name, in path order; with ``file``, an ordinal, only that file's."""
    chunks = _chunks_with(bundle, whole_name(qualified_name), file)
    return [each for each in _symbols_in(bundle, chunks) if bundle.symbol_name(each).qualified_name == qualified_name]


def _chunks_with(bundle: Bundle, term: str, file: int | None = None) -> list[int]:
    """Chunks that define a symbol of that whole name, ascending, in all files or in one."""
    only = Filter() if file is None else Filter(files=(file,))
    found, _ = bundle.lexical.search({"symbol": [(term, 1.0)]}, max(bundle.manifest.counts.chunks, 1), only)
    return sorted(found)


def _symbols_in(bundle: Bundle, chunks: Iterable[int]) -> Iterator[int]:
    for place in chunks:
        chunk = bundle.chunk(place)
        yield from range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count)


# -- packages and places ------------------------------------------------------------------------------------------------------


def home_of(bundle: Bundle, symbol: SymbolRecord) -> str:
    """The package or namespace that a symbol declares, joined by dots; if it declares none, the dotted path of its file."""
    return qualified(symbol.package) or module_of(bundle.file(symbol.file).path)


def module_of(path: str) -> str:
    """The dotted path of a file without its extension; for ``__init__``, ``index`` and ``mod`` that of the folder."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    parts = [part for part in folder.split("/") if part] + ([] if stem in ("__init__", "index", "mod") else [stem])
    return ".".join(parts)


def place_of(bundle: Bundle, ordinal: int) -> str:
    """``path:first-last`` of a symbol; empty for -1."""
    if ordinal < 0:
        return ""
    symbol = bundle.symbol(ordinal)
    return f"{bundle.file(symbol.file).path}:{symbol.span.start_line}-{symbol.span.end_line}"


def package_named(name: str) -> str:
    """A package that a user named with any separators, joined by dots."""
    return qualified(name.strip().replace("/", ".")).strip(".")


def _is_in(home: str, package: str) -> bool:
    return not package or f".{package_named(package)}." in f".{home}."


def _is_owned(bundle: Bundle, symbol: SymbolRecord, owner: str) -> bool:
    if not owner:
        return True
    scope, wanted = symbol.qualified_name.rpartition(".")[0], _plain(qualified(owner.strip(" *&")))
    return scope != "" and f".{home_of(bundle, symbol)}.{scope}".endswith(f".{wanted}")


# -- suggestions --------------------------------------------------------------------------------------------------------------


def _nearest(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> tuple[str, ...]:
    """The most similar qualified names: of symbols a few letters away, and of symbols whose names share a word with it."""
    terms = [(part, 1.0) for part in dict.fromkeys([name.lower(), *parts_of(name)])]
    sharing, _ = bundle.lexical.search({"name": terms}, _NEAR_CHUNKS, Filter())
    chunks = dict.fromkeys((*bundle.lexical.search_near(whole_name(name), _NEAR_CHUNKS), *sharing))
    symbols = [symbol for each in _symbols_in(bundle, chunks) if (symbol := bundle.symbol_name(each)).kind in kinds]
    similarities = name_similarities(name.lower(), {symbol.folded[0] for symbol in symbols})
    near = {symbol.qualified_name: similarities[symbol.folded[0]] for symbol in symbols if symbol.folded[0] in similarities}
    return tuple(sorted(near, key=lambda found: (-near[found], found))[:_MAX_SUGGESTIONS])


def name_similarities(name: str, others: Iterable[str]) -> dict[str, float]:
    """The similarity of each similar name to ``name``, from 0.4 to 1.

    :meth:`difflib.SequenceMatcher.ratio`, computed for the 40 names that share the most letter pairs with ``name`` (the
    Sørensen-Dice coefficient), which is cheaper to compute.
    """
    pairs = _letter_pairs(name)
    shared = {other: 2 * len(pairs & theirs) / (len(pairs) + len(theirs)) for other in others if (theirs := _letter_pairs(other))}
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(name)
    similarities = {}
    for other in sorted(shared, key=lambda other: (-shared[other], other))[:_MAX_COMPARED]:
        matcher.set_seq1(other)
        if (ratio := matcher.ratio()) >= _LEAST_SIMILARITY:
            similarities[other] = ratio
    return similarities


def _letter_pairs(word: str) -> set[str]:
    """Each two adjacent letters of a word; a space before the first letter and after the last."""
    return {f" {word} "[at : at + 2] for at in range(len(word) + 1)}
