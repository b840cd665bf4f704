"""The base's references in, the same references with the new bundle's ordinals out.

:mod:`invalidation` decides for which files. Some of them were analysed and resolved again: for those the base must hold what was
found now.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

from hardtack.nouns.relations import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

    from hardtack.build.relations.by_file import ReferencesByName
    from hardtack.build.relations.invalidation import EarlierFile
    from hardtack.build.relations.names import SymbolNames


class EarlierRelations(Protocol):
    """The declarations and references of the base."""

    def is_of_files(self, files: Iterable[tuple[str, str, str]]) -> bool:
        """Whether the base has exactly these files, by path, language and package."""
        ...

    def earlier(self, file: int) -> EarlierFile:
        """The declarations of the base's file with that ordinal."""
        ...

    def first_symbols(self) -> Sequence[int]:
        """Ordinal of the first symbol of each file, then the number of symbols."""
        ...

    def references(self) -> Iterable[tuple[str, Sequence[Reference]]]:
        """(name, references) of all references."""
        ...


class Contradiction(ValueError):
    """The base holds references of a file that the file does not have."""


def add_references(
    names: SymbolNames,
    base: EarlierRelations,
    references: ReferencesByName,
    *,
    same: Set[int],
    reused: Set[int],
    checked: Set[int],
) -> None:
    """Add the base's references to those of the bundle.

    Args:
        names: the declarations of all files.
        base: of the same files in the same order.
        references: those of all files but the reused ones.
        same: files with the same content as in the base, and so with the same symbols.
        reused: those of ``same`` whose references are taken from the base.
        checked: those of ``same`` that were resolved again, and must have the references that the base holds.

    Raises:
        Contradiction: the base holds other references of a checked file.
    """
    firsts, ordinals = base.first_symbols(), _new_ordinals(names, base, same)
    found = {(name, each) for name, some in references.items() for each in some if each.file in checked}
    stored: set[tuple[str, Reference]] = set()
    for name, some in base.references():
        for each in some:
            file = each.file
            if file not in reused and file not in checked:
                continue
            source = each.source - firsts[file] + names.files[file].first_symbol if each.source >= 0 else -1
            target = ordinals[each.target] if each.target >= 0 else -1
            reference = Reference(file, each.line, each.start, source, each.is_call, target, each.certainty)
            if file in reused:
                references.add(name, reference)
            else:
                stored.add((name, reference))
    if stored != found:
        file = min(reference.file for _, reference in stored ^ found)
        raise Contradiction(f"it says of {names.files[file].path} that it refers to what it does not")


def _new_ordinals(names: SymbolNames, base: EarlierRelations, same: Set[int]) -> list[int]:
    """The new ordinal of each of the base's symbols; symbols of one name in a changed file are matched in their order.

    -1 for a symbol that is gone; no reused reference has it as its target.
    """
    firsts = base.first_symbols()
    ordinals = list(range(firsts[-1]))
    for number, file in enumerate(names.files):
        first, end = firsts[number], firsts[number + 1]
        if number in same:
            ordinals[first:end] = range(file.first_symbol, file.first_symbol + end - first)
            continue
        now: dict[str, list[int]] = defaultdict(list)
        for ordinal in reversed(range(file.first_symbol, file.first_symbol + file.symbol_count)):
            now[names.symbols[ordinal].name].append(ordinal)
        for ordinal, (_, _, name, *_) in enumerate(base.earlier(number).symbols, start=first):  # rows of SYMBOL_FIELDS
            ordinals[ordinal] = now[name].pop() if now[name] else -1
    return ordinals
