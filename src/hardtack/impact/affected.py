"""Changed symbols in, the tests that they may break out, each once with its strongest reason.

A test that calls what changed is nearer to it than one that calls its callers, which usually tests something else. So of each
changed symbol the tests at the least distance count; where these are in few files, also those one step further. Tests that are
named after its file count too, and those that import it and use its name. Where none of these is known, those that lie where its
tests lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.impact.kinship import Kin
from hardtack.impact.runnable import Runnable, runnable, tests_of_file
from hardtack.nouns.impact import AffectedTest, Reason
from hardtack.nouns.model import TYPES
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.query.lookup.reach import Reached, Step, reached, shared_of

MOST_FOLLOWED: Final = 300
"""Symbols whose tests are looked for by their references: each is a search of its own."""
_ENOUGH: Final = 3
"""Files of tests at the least distance with which a search ends."""
_MOST_REACHED: Final = 1000
"""Symbols at which such a search ends."""
_REASONS: Final = [*Reason]
_RANK: Final = tuple(Certainty).index


class Affected:
    """Collects the tests of one bundle that changes may break."""

    def __init__(self, bundle: Bundle, depth: int, certainty: Certainty) -> None:
        self._bundle, self._depth, self._certainty = bundle, depth, certainty
        self._shared = shared_of(bundle)
        self._runnables: dict[tuple[int, int], Runnable | None] = {}
        self._found: dict[Runnable, AffectedTest] = {}
        self.kin = Kin(bundle)

    @property
    def tests(self) -> tuple[AffectedTest, ...]:
        """By path and line. A test whose file or type is among them by a reason that is as strong is not given again."""
        kept = [each for place, each in self._found.items() if not self._is_covered(place, each)]
        return tuple(sorted(kept, key=lambda test: (test.path, test.line, test.name)))

    def of_symbols(self, symbols: Sequence[int]) -> None:
        """Add the tests of changed symbols; of those after the first :data:`MOST_FOLLOWED` no references are followed."""
        for number, symbol in enumerate(symbols):
            self._of_symbol(symbol, is_followed=number < MOST_FOLLOWED)

    def of_file(self, file: int) -> None:
        """Add the tests of a file whose top level changed: those that are named after it and those that import it."""
        path = self._bundle.file(file).path
        for test in self.kin.named(file):
            self._add_file(test, Reason.NAMING, path)
        for test, files in self._imported.items():
            if file in files:
                self._add_file(test, Reason.IMPORTS, path)

    def of_tests(self, symbols: Sequence[int], files: Sequence[int]) -> None:
        """Add tests that differ themselves: those whose functions are given, and whole files of which no test is."""
        reached_files = set()
        for symbol in symbols:
            file = self._bundle.symbol(symbol).file
            if test := self._runnable(file, symbol):
                self._add(test, Reason.CHANGED, self._name(symbol), 0, Certainty.EXACT)
                reached_files.add(file)
        for file in files:
            if file in self.kin.files and file not in reached_files:
                self._add_file(file, Reason.CHANGED, self._bundle.file(file).path)

    # -- of one symbol ------------------------------------------------------------------------------------------------------------

    def _of_symbol(self, symbol: int, *, is_followed: bool) -> None:
        name, file = self._name(symbol), self._bundle.symbol(symbol).file
        is_known = False
        for test, step in self._referring_to_it_or_its_type(symbol) if is_followed else ():
            self._add(test, Reason.REFERENCES, name, step.depth, step.certainty)
            is_known = True
        for reason, files in ((Reason.NAMING, self.kin.named(file)), (Reason.IMPORTS, self._importing(symbol))):
            for each in files:
                self._add_file(each, reason, name)
                is_known = True
        if not is_known:
            for each in self.kin.beside(file):
                self._add_file(each, Reason.LOCATION, name)

    def _referring_to_it_or_its_type(self, symbol: int) -> list[tuple[Runnable, Step]]:
        """Of a member that no test is known to lead to, those of its type: what calls it there may not be told from its name."""
        found = list(self._referring(symbol))
        owner = self._bundle.symbol(symbol).parent
        if found or owner < 0 or self._bundle.symbol_name(owner).kind not in TYPES:
            return found
        return list(self._referring(owner))

    def _referring(self, symbol: int) -> Iterator[tuple[Runnable, Step]]:
        """The tests at the least distance by references; where these are in few files, also those one step further."""
        reach = reached(
            self._bundle,
            [symbol],
            depth=self._depth,
            certainty=self._certainty,
            most=_MOST_REACHED,
            widely=True,
            goes_on=self._wants_more,
            shared=self._shared,
        )
        for step in (*reach.steps.values(), *reach.tops):
            if test := self._runnable(step.site.file, step.site.source):
                yield test, step

    def _wants_more(self, reach: Reached) -> bool:
        depths: dict[int, int] = {}
        for step in (*reach.steps.values(), *reach.tops):
            if test := self._runnable(step.site.file, step.site.source):
                depths[test.file] = min(step.depth, depths.get(test.file, step.depth))
        return len(depths) < _ENOUGH and reach.levels <= min(depths.values(), default=reach.levels)

    def _runnable(self, file: int, symbol: int) -> Runnable | None:
        if (file, symbol) not in self._runnables:
            self._runnables[file, symbol] = runnable(self._bundle, file, symbol)
        return self._runnables[file, symbol]

    @cached_property
    def _imported(self) -> dict[int, frozenset[int]]:
        """File of tests -> the files of the bundle that it imports, or of which it imports a name."""
        bundle = self._bundle
        imported: dict[int, frozenset[int]] = {}
        for test in self.kin.files:
            imports = [each for each in bundle.related.relations_of_file(test) if each.kind is RelationKind.IMPORTS]
            files = {each.target_file for each in imports} | {
                bundle.symbol(each.target).file for each in imports if each.target >= 0
            }
            imported[test] = frozenset(files - {-1})
        return imported

    def _importing(self, symbol: int) -> Sequence[int]:
        """The files of tests that import a symbol's file and use its name where nothing tells what is meant."""
        own = self._bundle.symbol(symbol)
        tests = {test for test, files in self._imported.items() if own.file in files}
        uses = self._bundle.related.references_of(own.name) if tests else ()
        return sorted({use.file for use in uses if use.target < 0 or use.certainty is Certainty.POSSIBLE} & tests)

    # -- what was found -----------------------------------------------------------------------------------------------------------

    def _name(self, symbol: int) -> str:
        return self._bundle.symbol_name(symbol).qualified_name

    def _add_file(self, file: int, reason: Reason, target: str) -> None:
        certainty = Certainty.EXACT if reason is Reason.CHANGED else Certainty.POSSIBLE
        for test in tests_of_file(self._bundle, file):
            self._add(test, reason, target, 0, certainty)

    def _add(self, place: Runnable, reason: Reason, target: str, distance: int, certainty: Certainty) -> None:
        known = self._found.get(place)
        rank = (_REASONS.index(reason), distance, _RANK(certainty))
        if known and (_REASONS.index(known.reason), known.distance, _RANK(known.certainty)) <= rank:
            return
        record = self._bundle.file(place.file)
        self._found[place] = AffectedTest(
            path=record.path,
            language=record.language,
            line=self._bundle.symbol(place.symbol).selection_line if place.symbol >= 0 else 1,
            name=self._name(place.symbol) if place.symbol >= 0 else "",
            reason=reason,
            target=target,
            distance=distance,
            certainty=certainty,
        )

    def _is_covered(self, place: Runnable, test: AffectedTest) -> bool:
        if place.symbol < 0:
            return False
        around = [Runnable(place.file, -1)]
        parent = self._bundle.symbol(place.symbol).parent
        while parent >= 0:
            around.append(Runnable(place.file, parent))
            parent = self._bundle.symbol(parent).parent
        wider = [self._found[each] for each in around if each in self._found]
        return any(_REASONS.index(each.reason) <= _REASONS.index(test.reason) for each in wider)
