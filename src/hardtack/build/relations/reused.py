"""What files referred to in the base in, the same in the ordinals of the new bundle out.

Which files these are, :mod:`touched` decides. Some of them were read and resolved again all the same: the base must say of those
what was found now.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

from hardtack.nouns.relations import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

    from hardtack.build.relations.by_file import Filed
    from hardtack.build.relations.invalidation import Earlier
    from hardtack.build.relations.names import Names


class Before(Protocol):
    """What was found when the base was built."""

    def is_of_files(self, files: Iterable[tuple[str, str, str]]) -> bool:
        """Whether the base has just these files, by path, language and package."""
        ...

    def earlier(self, file: int) -> Earlier:
        """What a file of the base declares."""
        ...

    def first_symbols(self) -> Sequence[int]:
        """Ordinal of the first symbol of each file, and at the end how many there are."""
        ...

    def references(self) -> Iterable[tuple[str, Sequence[Reference]]]:
        """All references, with the names that they are filed under."""
        ...


class Contradiction(ValueError):
    """The base says of a file that it refers to what it does not."""


def add_references(names: Names, base: Before, references: Filed, *, same: Set[int], kept: Set[int], checked: Set[int]) -> None:
    """Add what the base has to the references of the bundle.

    Args:
        names: what all files declare.
        base: of the same files in the same order.
        references: by name; those of all files but the kept ones.
        same: the files with the same content, whose symbols are the same.
        kept: those of them whose references are taken over.
        checked: those of them that were resolved again, and refer to what they referred to.

    Raises:
        Contradiction: the base says something else of one that was resolved again.
    """
    firsts, ordinals = base.first_symbols(), _ordinals(names, base, same)
    found = {(name, each) for name, some in references.items() for each in some if each.file in checked}
    said: set[tuple[str, Reference]] = set()
    for name, some in base.references():
        for each in some:
            file, line, start, source, is_call, target, certainty = each
            if file not in kept and file not in checked:
                continue
            source = source - firsts[file] + names.files[file].first_symbol if source >= 0 else -1
            reference = Reference(file, line, start, source, is_call, ordinals[target] if target >= 0 else -1, certainty)
            if file in kept:
                references.add(name, reference)
            else:
                said.add((name, reference))
    if said != found:
        file = min(reference.file for _, reference in said ^ found)
        raise Contradiction(f"it says of {names.files[file].path} that it refers to what it does not")


def _ordinals(names: Names, base: Before, same: Set[int]) -> list[int]:
    """The ordinal of each of the base's symbols now; of a changed file's those of one name in their order.

    -1 for one that is no more, to which no file that is kept refers.
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
        for ordinal, row in enumerate(base.earlier(number).symbols, start=first):
            ordinals[ordinal] = now[row[2]].pop() if now[row[2]] else -1
    return ordinals
