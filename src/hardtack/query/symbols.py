"""A name in, the symbols that have it out; a package in, what it exports out. Exact, complete, and never guessing.

Names are matched in steps, and the first step that finds anything decides: the name as it is, then as the end of a qualified name,
then in any case. What is left ambiguous is listed, not chosen from; a name that is nowhere gets the nearest ones that are.
Every symbol's whole name is a term of the lexical index, so a look-up reads a few postings, not the symbol table.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass

from hardtack.bundle.lexical import Filter
from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import SymbolRecord
from hardtack.model import CALLABLES, NAMESPACES, TYPES, Kind
from hardtack.query.analysis import qualified
from hardtack.terms import parts_of, whole_name

_EXPORTABLE = TYPES | CALLABLES | {Kind.CONSTANT, Kind.VARIABLE}
_HIDDEN = frozenset({"private", "protected", "internal", "fileprivate"})
_SUGGESTIONS = 5
_NEAR = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """What a name was found to mean."""

    found: tuple[int, ...]
    """Ordinals of the symbols, in path order; more than one is an ambiguity, and all of it."""
    suggestions: tuple[str, ...] = ()
    """Nearest qualified names, best first, when nothing was found."""


def look_up(bundle: Bundle, name: str, kinds: frozenset[Kind], *, package: str = "", owner: str = "") -> LookUp:
    """The symbols called ``name``.

    Args:
        bundle: where to look.
        name: a name, or a qualified name joined as any language joins it.
        kinds: of symbols that count.
        package: only symbols of this package or namespace, or of one that ends in it.
        owner: only members of a type of this name.
    """
    wanted = qualified(name.strip())
    last = wanted.rpartition(".")[2]
    candidates = [
        (ordinal, symbol)
        for ordinal in named(bundle, last, kinds)
        if _is_in((symbol := bundle.symbol(ordinal)).package, package) and _is_owned(symbol, owner)
    ]
    for matches in _STEPS:
        if found := tuple(ordinal for ordinal, symbol in candidates if matches(symbol, wanted)):
            return LookUp(found=found)
    return LookUp(found=(), suggestions=_nearest(bundle, last, kinds))


def _ends_with(symbol: SymbolRecord, wanted: str) -> bool:
    """Whether ``wanted`` is the end of the symbol's name with its package before it."""
    return f".{qualified(symbol.package)}.{symbol.qualified_name}".endswith(f".{wanted}")


_STEPS: tuple[Callable[[SymbolRecord, str], bool], ...] = (
    lambda symbol, wanted: wanted in (symbol.name, symbol.qualified_name),
    _ends_with,
    lambda symbol, wanted: wanted.lower() in (symbol.name.lower(), symbol.qualified_name.lower()),
)
"""In this order; the first that any symbol passes decides."""


def named(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> list[int]:
    """Ordinals of every symbol of the kinds that has this name in any case, in path order."""
    term = whole_name(name)
    found, _ = bundle.lexical.search({"symbol": [(term, 1.0)]}, max(bundle.manifest.counts.chunks, 1), Filter())
    symbols = []
    for chunk_ordinal in sorted(found):
        chunk = bundle.chunk(chunk_ordinal)
        for ordinal in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count):
            symbol = bundle.symbol_name(ordinal)
            if symbol.kind in kinds and whole_name(symbol.name) == term:
                symbols.append(ordinal)
    return symbols


def _is_in(package: str, wanted: str) -> bool:
    if not wanted:
        return True
    have, want = qualified(package), qualified(wanted)
    return have == want or have.endswith(f".{want}") or have.startswith(f"{want}.")


def _is_owned(symbol: SymbolRecord, owner: str) -> bool:
    if not owner:
        return True
    scope = symbol.qualified_name.rpartition(".")[0]
    want = qualified(owner)
    return scope == want or scope.endswith(f".{want}")


def _nearest(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> tuple[str, ...]:
    """Qualified names near ``name``: those a few letters away and those that share its parts, by likeness."""
    terms = [(part, 1.0) for part in dict.fromkeys([name.lower(), *parts_of(name)])]
    alike, _ = bundle.lexical.search({"name": terms}, _NEAR, Filter())
    near: dict[str, float] = {}
    for chunk_ordinal in (*bundle.lexical.search_near(whole_name(name), _NEAR), *alike):
        chunk = bundle.chunk(chunk_ordinal)
        for ordinal in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count):
            named = bundle.symbol_name(ordinal)
            likeness = difflib.SequenceMatcher(None, name.lower(), named.folded[0]).ratio() if named.kind in kinds else 0
            if likeness:
                near[named.qualified_name] = likeness
    return tuple(sorted(near, key=lambda found: (-near[found], found))[:_SUGGESTIONS])


def exports(bundle: Bundle, package: str, kinds: frozenset[Kind] = _EXPORTABLE) -> tuple[int, ...]:
    """Every symbol that a package offers to others, in path order: what stands at its top and is not hidden.

    Args:
        bundle: where to look.
        package: a package, namespace or module as its language declares it; where a language declares none (Python, JavaScript) it
            goes by the path, so that ``click.core`` is ``src/click/core.py``. The end of a package's name is enough.
        kinds: of symbols that count.
    """
    wanted = qualified(package.strip().replace("/", "."))
    found = []
    for file in bundle.files:
        for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
            symbol = bundle.symbol(ordinal)
            home = qualified(symbol.package) or _module_of(file.path)
            is_home = home == wanted or home.endswith(f".{wanted}")
            is_top = symbol.parent < 0 or bundle.symbol_name(symbol.parent).kind in NAMESPACES
            if is_home and is_top and symbol.kind in kinds and bundle.detail(ordinal).visibility not in _HIDDEN:
                found.append(ordinal)
    return tuple(found)


def _module_of(path: str) -> str:
    """The dotted path of a file; one that stands for its folder goes by the folder."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    parts = [part for part in folder.split("/") if part] + ([] if stem in ("__init__", "index", "mod") else [stem])
    return ".".join(parts)
