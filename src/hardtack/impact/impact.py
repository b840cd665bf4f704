"""Names, or an earlier bundle, in; what they reach out: symbols by distance, entry points among them, and tests.

A step is what :mod:`hardtack.query.lookup.reach` takes for one. A way is as certain as its least certain step. Symbols of an
earlier bundle that are gone are looked for there: who led to them then may not build now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound
from hardtack.impact.affected import MOST_FOLLOWED, Affected
from hardtack.impact.changed import Changed, changed
from hardtack.impact.entries import entry_of
from hardtack.nouns.exploration import ExploredSymbol
from hardtack.nouns.impact import Impact, ImpactTarget, ReachedSymbol
from hardtack.nouns.model import Kind
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.query.explore.around import explored, with_members
from hardtack.query.lookup.lookups import check_name
from hardtack.query.lookup.reach import MAX_DEPTH, Reached, Step, reached
from hardtack.query.lookup.references import Site, groups_of
from hardtack.query.lookup.symbols import look_up
from hardtack.query.lookup.tests_inside import is_in_test
from hardtack.query.lookup.usages import Room, usages_of

_NAMED: Final = 3
"""Paths that a note names at most."""


def impact_of_names(
    bundle: Bundle,
    names: Sequence[str],
    *,
    package: str = "",
    owner: str = "",
    depth: int = MAX_DEPTH,
    certainty: Certainty = Certainty.LIKELY,
) -> Impact:
    """What the symbols of these names reach; of a type also what its constructors and methods do.

    Args:
        bundle: where to look.
        names: each may have several symbols.
        package: only symbols of this package or namespace.
        owner: only members of a type of this name.
        depth: steps at most.
        certainty: the least of a step.

    Raises:
        NotFound: SYMBOL_NOT_FOUND: a name has no symbol.
        UsageError: a name is empty or too long.
    """
    found: dict[int, None] = {}
    for name in names:
        check_name(name)
        symbols = look_up(bundle, name, frozenset(Kind), package=package, owner=owner)
        if not symbols.ordinals:
            nearest = f"Nearest: {', '.join(symbols.suggestions)}." if symbols.suggestions else "Search for it in words."
            details = {"suggestions": list(symbols.suggestions)}
            raise NotFound(f"Nothing is called {name}.", code="SYMBOL_NOT_FOUND", hint=nearest, details=details)
        for ordinal in symbols.ordinals:
            if not is_in_test(bundle, bundle.symbol(ordinal).file, ordinal) or len(symbols.ordinals) == 1:
                found |= dict.fromkeys(groups_of(bundle, with_members(bundle, ordinal)))
    return _impact(bundle, None, Changed(symbols=dict.fromkeys(found, ())), depth, certainty)


def impact_of_changes(
    old: Bundle,
    new: Bundle,
    *,
    takes: Callable[[str], bool] = lambda path: True,
    depth: int = MAX_DEPTH,
    certainty: Certainty = Certainty.LIKELY,
    any_repository: bool = False,
) -> Impact:
    """What the changes from one bundle to another reach; errors as of :func:`hardtack.diff.comparison.compare`.

    Args:
        old: the earlier one.
        new: the later one.
        takes: whether changes in the file at a path count.
        depth: steps at most.
        certainty: the least of a step.
        any_repository: compare bundles of different repositories, as of a fork, too.
    """
    return _impact(new, old, changed(old, new, takes, any_repository=any_repository), depth, certainty)


def _impact(bundle: Bundle, old: Bundle | None, found: Changed, depth: int, certainty: Certainty) -> Impact:
    reach = reached(bundle, found.symbols, depth=depth, certainty=certainty, widely=True)
    before = reached(old, found.gone, depth=depth, certainty=certainty, widely=True) if old and found.gone else Reached()
    targets = [*_targets(bundle, found.symbols), *(_targets(old, found.gone) if old else ()), *_tops(bundle, found.tops)]
    steps = [*_reached(bundle, reach, found)]
    known = {(each.symbol.path, each.symbol.name) for each in steps}
    if old:
        steps += (each for each in _reached(old, before, found) if (each.symbol.path, each.symbol.name) not in known)
    steps += _importers(bundle, found.tops, known)
    affected = Affected(bundle, depth, certainty)
    affected.of_symbols([*found.symbols])
    for file in found.tops:
        affected.of_file(file)
    affected.of_tests(found.tests, found.test_files)
    return Impact(
        bundle=bundle.name,
        digest=bundle.digest,
        targets=tuple(targets),
        reached=tuple(sorted(steps, key=lambda each: (each.distance, each.symbol.path, each.line))),
        tests=affected.tests,
        test_files=len(affected.kin.files),
        unresolved=_unresolved(bundle, found),
        levels=reach.levels,
        is_whole=reach.is_whole and before.is_whole,
        notes=tuple(_notes(bundle, found)),
    )


# -- what changed ------------------------------------------------------------------------------------------------------------------


def _targets(bundle: Bundle, symbols: dict[int, tuple[str, ...]]) -> Iterator[ImpactTarget]:
    for ordinal, changes in symbols.items():
        symbol = bundle.symbol(ordinal)
        yield ImpactTarget(
            kind=symbol.kind.value,
            name=symbol.qualified_name,
            path=bundle.file(symbol.file).path,
            line=symbol.selection_line,
            changes=changes,
        )


def _tops(bundle: Bundle, files: Sequence[int]) -> Iterator[ImpactTarget]:
    for file in files:
        yield ImpactTarget(kind="file", name="", path=bundle.file(file).path, line=1, changes=("top",))


def _unresolved(bundle: Bundle, found: Changed) -> int:
    names = {bundle.symbol_name(symbol).name for symbol in found.symbols}
    return sum(use.target < 0 for name in names for use in bundle.related.references_of(name))


# -- what is reached ---------------------------------------------------------------------------------------------------------------


def _reached(bundle: Bundle, reach: Reached, found: Changed) -> Iterator[ReachedSymbol]:
    """The steps outside of tests, each symbol and each top of a file once."""
    tops: dict[int, Step] = {}
    for step in reach.tops:
        tops.setdefault(step.site.file, step)
    steps = [each for each in (*reach.steps.values(), *tops.values()) if not is_in_test(bundle, each.site.file, each.site.source)]
    steps.sort(key=lambda each: (each.site.file, each.site.line))  # files are read one after the other
    usages = list(usages_of(bundle, (each.site for each in steps), Room()))
    for step, usage in zip(steps, usages, strict=False):
        symbol = explored(bundle, step.symbol) if step.symbol >= 0 else _top_of_file(bundle, step.site)
        yield ReachedSymbol(
            symbol=symbol,
            line=usage.line,
            column=usage.column,
            code=usage.code,
            distance=step.depth,
            certainty=step.certainty,
            next=bundle.symbol_name(step.next).qualified_name,
            through=bundle.symbol_name(step.through).qualified_name if step.through >= 0 else "",
            entry=entry_of(bundle, step.symbol) if step.symbol >= 0 else "",
        )


def _top_of_file(bundle: Bundle, site: Site) -> ExploredSymbol:
    record = bundle.file(site.file)
    return ExploredSymbol(
        kind="", name="", path=record.path, first=site.line, last=site.line, line=site.line, language=record.language
    )


def _importers(bundle: Bundle, files: Sequence[int], known: set[tuple[str, str]]) -> Iterator[ReachedSymbol]:
    """The files that import those whose top level changed; nothing leads on from there."""
    wanted = frozenset(files)
    relations = bundle.related.relations() if wanted else ()
    for relation in relations:
        if relation.kind is not RelationKind.IMPORTS or relation.target_file not in wanted or relation.file in wanted:
            continue
        path = bundle.file(relation.file).path
        if (path, "") in known or is_in_test(bundle, relation.file, -1):
            continue
        known.add((path, ""))
        site = Site(relation.file, relation.line, -1, relation.kind, relation.certainty, -1, -1)
        usage = next(usages_of(bundle, [site]))
        yield ReachedSymbol(
            symbol=_top_of_file(bundle, site),
            line=usage.line,
            column=usage.column,
            code=usage.code,
            distance=1,
            certainty=relation.certainty,
            next=bundle.file(relation.target_file).path,
        )


# -- what is said beside -----------------------------------------------------------------------------------------------------------


def _notes(bundle: Bundle, found: Changed) -> Iterator[str]:
    yield from found.notes
    if found.no_code:
        some = ", ".join(found.no_code[:_NAMED]) + (" and others" if len(found.no_code) > _NAMED else "")
        count = len(found.no_code)
        yield f"{count} changed file{' is' if count == 1 else 's are'} no code, and who reads such files is not known: {some}"
    if len(found.symbols) > MOST_FOLLOWED:
        left = len(found.symbols) - MOST_FOLLOWED
        yield f"of {left} of the changed symbols tests are told by names and places alone"
    if not bundle.manifest.options.get("tests", True):
        yield "the bundle was built without tests, so no test is known"
