"""What compilers' indexes say and the bundle's symbols in, the symbols that a place means out: a compiler's word goes before rules.

A compiler *speaks* of a place if its symbol is known: defined in the bundle, local, or of a package that is none of the bundle's.
Then what it says counts, even if the bundle has no such symbol, and no rule is asked. It is silent if it could not resolve the
name, and if the file that defines the symbol was changed since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.build.scip.documents import APPLIED, AS_TYPE, DEFINES, RENAMED, SHORTHAND, last_word
from hardtack.nouns.model import CALLABLES, PARTS, TYPES
from hardtack.nouns.relations import Certainty, Reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.scip.documents import Said
    from hardtack.build.scip.indexes import DefinitionSite, Knowledge
    from hardtack.nouns.projects import Project

Targets = tuple[int, ...]
"""Ordinals of the symbols that a name means; none if the bundle has no such symbol."""
_NO_PACKAGE: Final = "."
_NOTHING: Final = Targets()


class Spoken(NamedTuple):
    """What compilers say of one place."""

    targets: Targets
    line: int
    source: int
    """Ordinal of the innermost symbol around it, or -1."""
    is_call: bool
    is_listed: bool
    """It is a reference even if the outline has no use there: neither a definition nor an import."""
    is_key: bool
    """It may be the key of an object literal, and the compiler says what member it is, not what variable: ``{ open, shut }``."""

    def references(self, names: SymbolNames, file: int, start: int, *, is_call: bool) -> Iterator[tuple[str, Reference]]:
        """(name of the target, reference) of each target."""
        for target in self.targets:
            yield names.symbols[target].name, Reference(file, self.line, start, self.source, is_call, target, Certainty.EXACT)


class Compiled:
    """The targets of names as compilers know them."""

    def __init__(self, knowledge: Knowledge, names: SymbolNames, projects: Sequence[Project]) -> None:
        self._knowledge = knowledge
        self._names = names
        own = {knowledge.packages[symbol] for symbol in knowledge.definitions}
        declared = {_NO_PACKAGE, *(project.name for project in projects)}
        own.update(number for number, name in enumerate(knowledge.package_names) if name.rpartition(" ")[2] in declared)
        self._own = own
        """Packages that are the bundle's, or may be."""
        self._targets: dict[tuple[int, bool], Targets | None] = {}

    def of(self, file: int) -> dict[int, Spoken]:
        """What compilers say of a file, by first byte of the name; that of its imports is in :meth:`imported`."""
        found: dict[int, Spoken] = {}
        for said in self._knowledge.said.get(file, ()):
            first, inside = self._names.files[file].first_symbol, {row for rows in said.imported.values() for row in rows}
            for start, rows in _by_place(said):
                uses = [row for row in rows if not said.flags[row] & DEFINES]  # { name } may define a variable and use a member
                if start in found or (targets := self._meant(said, file, uses or rows)) is None:
                    continue
                row, holder = rows[0], said.holders[rows[0]]
                source, is_call = holder + first if holder >= 0 else -1, bool(said.flags[row] & APPLIED)
                is_key = bool(said.flags[row] & SHORTHAND) and self._are_members(said, uses, targets)
                is_listed = bool(uses) and row not in inside
                found[start] = Spoken(targets, said.lines[row], source, is_call, is_listed=is_listed, is_key=is_key)
        return found

    def imported(self, file: int, entry: int) -> Targets | None:
        """The symbols that one of a file's imports means; None if no compiler says it."""
        for said in self._knowledge.said.get(file, ()):
            if (targets := self._joined(said, file, said.imported.get(entry, ()))) is not None:
                return targets
        return None

    def supertype(self, ordinal: int, name: str) -> Targets | None:
        """The types that one of a type's supertypes means; None if no compiler says it.

        Args:
            ordinal: of the type.
            name: of the supertype as written.
        """
        file = self._names.symbols[ordinal].file
        index = ordinal - self._names.files[file].first_symbol
        for said in self._knowledge.said.get(file, ()):
            targets = self._joined(said, file, said.supertypes.get((index, last_word(name)), ()))
            if targets is not None:
                return tuple(each for each in targets if self._names.symbols[each].kind in TYPES)
        return None

    def _joined(self, said: Said, file: int, rows: Sequence[int]) -> Targets | None:
        """All symbols that rows of several places mean; None if the compiler is silent on each."""
        by_place = [targets for row in rows if (targets := self._meant(said, file, (row,))) is not None]
        return tuple(sorted({each for targets in by_place for each in targets})) if by_place else None

    def _are_members(self, said: Said, rows: Sequence[int], targets: Targets) -> bool:
        """Whether rows of one place all mean members, not variables."""
        are_global = all(self._knowledge.packages[said.symbols[row]] >= 0 for row in rows)
        return bool(rows) and are_global and all(self._names.symbols[each].kind in PARTS for each in targets)

    def _meant(self, said: Said, file: int, rows: Sequence[int]) -> Targets | None:
        """The symbols that some rows of one place mean; None if the compiler is silent."""
        meant: list[Targets | None] = []
        for row in rows:
            flags = said.flags[row]
            if flags & RENAMED and said.words[row] not in self._names.renamed(file):
                meant.append(None)  # an indexer's own idea of what the place means
            else:
                meant.append(self._targets_of(said.symbols[row], as_type=bool(flags & AS_TYPE)))
        targets = {each for some in meant if some for each in some}
        return None if not targets and None in meant else tuple(sorted(targets))

    def _targets_of(self, symbol: int, *, as_type: bool) -> Targets | None:
        key = (symbol, as_type)
        if key not in self._targets:
            self._targets[key] = self._looked_up(symbol, as_type=as_type)
        return self._targets[key]

    def _looked_up(self, symbol: int, *, as_type: bool) -> Targets | None:
        knowledge = self._knowledge
        definitions = knowledge.definitions.get(symbol, ())
        found = {target for each in definitions if (target := self._target(each, as_type=as_type)) >= 0}
        if found:
            return tuple(sorted(found))
        if symbol in knowledge.uncertain:
            return None
        if symbol in knowledge.aliases:
            self._targets[symbol, as_type] = _NOTHING  # for members that are each other
            aliased = [self._targets_of(each, as_type=as_type) for each in knowledge.aliases[symbol]]
            if None in aliased:
                return None
            return tuple(sorted({each for some in aliased for each in some or () if self._is_shared(each)}))
        package = knowledge.packages[symbol]
        return _NOTHING if definitions or (package >= 0 and package not in self._own) else None

    def _is_shared(self, ordinal: int) -> bool:
        """Whether a member that is only another name of a symbol means it: a function, a type, what stands at a file's top."""
        return self._names.is_top(ordinal) or self._names.symbols[ordinal].kind in CALLABLES | TYPES

    def _target(self, definition: DefinitionSite, *, as_type: bool) -> int:
        """The symbol that represents the one at a definition, or for a constructor its type; -1 for none."""
        names, first = self._names, self._names.files[definition.file].first_symbol
        own = definition.symbol if definition.symbol >= 0 else definition.holder if as_type else -1
        if own < 0:
            return -1
        ordinal = first + own
        if as_type:
            while ordinal >= 0 and names.symbols[ordinal].kind not in TYPES:
                ordinal = names.symbols[ordinal].parent
            if ordinal < 0:
                return -1
        one = names.first[ordinal]
        return ordinal if names.overloads(one) else one


def _by_place(said: Said) -> Iterator[tuple[int, Sequence[int]]]:
    """(first byte, rows) of each place, in order."""
    rows: list[int] = []
    for row, start in enumerate(said.starts):
        if rows and said.starts[rows[0]] != start:
            yield said.starts[rows[0]], rows
            rows = []
        rows.append(row)
    if rows:
        yield said.starts[rows[0]], rows
