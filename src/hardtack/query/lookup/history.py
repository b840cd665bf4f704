"""The path of a file or the name of a symbol in, the commits that changed it out, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from hardtack.bundle.indexes.history import CommitHistory
from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.nouns.history import CommitEntry
from hardtack.nouns.model import Kind
from hardtack.nouns.statistics import moment_of
from hardtack.query.files.path_spelling import find_file
from hardtack.query.lookup.disambiguate import disambiguate
from hardtack.query.lookup.symbols import FoundSymbols, look_up

_NAMES_CHARACTERS: Final = 32_000
"""Characters of the names of the symbols that one commit is said to have changed."""


class FoundCommits(NamedTuple):
    """What a name means, and the commits that changed it."""

    path: str
    """Of the file that the name is; empty if it is none."""
    symbols: FoundSymbols
    """The symbols that it names, if it is no file; also after a rule chose among namesakes."""
    commits: list[int]
    """Ordinals, newest first."""
    inside: range | frozenset[int]
    """Ordinals of the symbols of the file, or of the symbols and of all inside them."""


def commits_of(bundle: Bundle, name: str, *, package: str = "", owner: str = "", file: str = "") -> FoundCommits:
    """The commits that changed the file at that path, or else the symbols of that name and what is inside them.

    Args:
        bundle: one with a history.
        name: a path as anybody writes it, or a name.
        package: only symbols of this package or namespace; then the name is no path.
        owner: only members of a type of this name; the same.
        file: path of a file that uses the name, which decides among namesakes.

    Raises:
        UsageError: HISTORY_UNAVAILABLE, as the bundle has none.
    """
    history = require_history(bundle)
    found = None if package or owner else find_file(bundle, name.strip())
    if found is not None:
        inside = range(found.first_symbol, found.first_symbol + found.symbol_count)
        ordinal = next(number for number, each in enumerate(bundle.files) if each.path == found.path)
        nothing = FoundSymbols(name=name, ordinals=())
        return FoundCommits(found.path, nothing, history.of_file(ordinal).tolist(), inside)
    symbols = look_up(bundle, name, frozenset(Kind), package=package, owner=owner)
    groups = disambiguate(bundle, symbols.ordinals, name, file=file).groups
    meant = tuple(sorted({each for group in groups for each in (group.symbol, *group.others, *group.declarations)}))
    within = frozenset(inner for each in meant for inner in _with_inner(bundle, each))
    commits = sorted({commit for each in within for commit in history.of_symbol(each).tolist()})
    return FoundCommits("", FoundSymbols(name=name, ordinals=meant, suggestions=symbols.suggestions), commits, within)


def _with_inner(bundle: Bundle, ordinal: int) -> Iterator[int]:
    """A symbol and all symbols inside it."""
    symbol = bundle.symbol(ordinal)
    file = bundle.file(symbol.file)
    yield ordinal
    for inner in range(ordinal + 1, file.first_symbol + file.symbol_count):
        if bundle.symbol(inner).start >= symbol.end:
            return
        yield inner


def entries_of(bundle: Bundle, found: FoundCommits, commits: Iterable[int]) -> Iterator[CommitEntry]:
    """One entry for each of these commits, in their order."""
    history = require_history(bundle)
    for ordinal in commits:
        record = history.commit(ordinal)
        changed = (each for each in history.symbols_of(ordinal).tolist() if each in found.inside)
        yield CommitEntry(
            id=record.id.hex(),
            date=moment_of(record.time) or "",
            subject=record.subject,
            body=record.body,
            paths=record.paths,
            symbols=tuple(_first_names(bundle, changed)),
            is_sweep=record.left_out > 0,
        )


def _first_names(bundle: Bundle, symbols: Iterable[int]) -> Iterator[str]:
    """The qualified names of these symbols, each once, as many as one entry of an answer has room for."""
    left = _NAMES_CHARACTERS
    for name in dict.fromkeys(bundle.symbol_name(each).qualified_name for each in symbols):
        if left < len(name):
            yield "[cut here]"
            return
        left -= len(name)
        yield name


def require_history(bundle: Bundle) -> CommitHistory:
    """The bundle's history.

    Raises:
        UsageError: HISTORY_UNAVAILABLE, as it has none.
    """
    if bundle.history is None:
        raise UsageError(
            "The bundle has no history of commits.",
            code="HISTORY_UNAVAILABLE",
            hint="Build it from a git commit with --history 200; in the checkout, git log answers.",
        )
    return bundle.history


def scope_of(bundle: Bundle) -> str:
    """One sentence that says which commits were looked at."""
    extent = require_history(bundle).extent
    since = _day(extent.oldest_time)
    if extent.end == "root":
        return f"Of all {extent.commits} commits of the line of first parents, since {since}."
    return f"Of the last {extent.commits} commits, since {since}; older ones are not in this bundle."


def nothing_changed(bundle: Bundle, found: FoundCommits, name: str) -> str:
    """The answer that no commit is known to have changed what was found."""
    extent = require_history(bundle).extent
    known = "" if found.path else "is known to have "
    return f"None of the last {extent.commits} commits, since {_day(extent.oldest_time)}, {known}changed {found.path or name}."


def _day(time: int) -> str:
    return (moment_of(time) or "9999-12-31")[:10]
