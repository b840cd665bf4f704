"""A bundle in, Mermaid diagrams for the job's summary out: what depends on what changed, and the languages.

GitHub draws them. A diagram has a bounded number of boxes and arrows, and a label can only be text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.reader import Bundle
from hardtack.comment.words import label
from hardtack.nouns.relations import RelationKind
from hardtack.page.folders import is_mapped

BOXES: Final = 14
_ARROWS: Final = 2
"""Arrows from one box, those of the most imports."""
_CHANGED: Final = 9
"""Boxes that changed, at most, so that there is room for what depends on them."""
_SLICES: Final = 8

Tie = tuple[str, str]
"""(who imports, what is imported)."""


class Picture(NamedTuple):
    """A diagram and what it leaves out."""

    lines: tuple[str, ...]
    """Of Markdown; none where there is nothing to draw."""
    left_out: int
    """Boxes that found no room."""


NOTHING: Final = Picture((), 0)


def dependants(bundle: Bundle, changed: Collection[int]) -> Picture:
    """What imports what changed: files where they are few, else folders.

    Args:
        bundle: of the pull request.
        changed: ordinals of its files that differ.
    """
    mapped = {number for number, file in enumerate(bundle.files) if is_mapped(file)}
    changed = mapped.intersection(changed)
    ties = [
        (each.file, each.target_file)
        for each in bundle.related.relations()
        if each.kind is RelationKind.IMPORTS and each.file != each.target_file and {each.file, each.target_file} <= mapped
    ]
    paths = {number: bundle.file(number).path for number in mapped}
    drawn = {source for source, target in ties if target in changed} | changed
    if len(drawn) <= BOXES:
        names: Mapping[int, str] = paths
    else:
        names = {number: path.rpartition("/")[0] or "(top)" for number, path in paths.items()}
    counts = Counter((names[source], names[target]) for source, target in ties)
    return _drawing({names[number] for number in changed}, {tie: count for tie, count in counts.items() if tie[0] != tie[1]})


def _drawing(changed: Collection[str], counts: Mapping[Tie, int]) -> Picture:
    """The changed ones and those that import them, directly or through others, nearest and most first."""
    if not counts or not any(target in changed for _, target in counts):
        return NOTHING
    weight = Counter[str]()
    for tie, count in counts.items():
        for end in tie:
            weight[end] += count
    by_weight = sorted(changed, key=lambda each: (-weight[each], each))
    ordered = by_weight[:_CHANGED]
    for target in ordered:  # it grows as it is read: what imports those that were just added comes after them
        sources = {tie[0] for tie in counts if tie[1] == target} - {*ordered, *changed}
        ordered += sorted(sources, key=lambda each: (-weight[each], each))
    shown = ordered[:BOXES]
    arrows: list[Tie] = []
    for place, source in enumerate(shown):  # an arrow leads to what changed, or nearer to it
        nearer = [(source, each) for each in shown if (source, each) in counts and (each in changed or each in shown[:place])]
        arrows += sorted(nearer, key=lambda tie: (-counts[tie], tie))[:_ARROWS]
    return Picture(tuple(_flowchart(shown, changed, arrows, counts)), len({*ordered, *changed}) - len(shown))


def _flowchart(shown: Sequence[str], changed: Collection[str], arrows: Sequence[Tie], counts: Mapping[Tie, int]) -> Iterator[str]:
    number = {name: place for place, name in enumerate(shown)}
    yield "```mermaid"
    yield "flowchart LR"
    yield from (f'  n{number[name]}["{label(name)}"]{":::changed" if name in changed else ""}' for name in shown)
    yield from (f"  n{number[source]} -->|{counts[source, target]}| n{number[target]}" for source, target in arrows)
    yield "  classDef changed stroke:#d97706,stroke-width:3px"
    yield "```"


def languages(manifest: Manifest) -> list[str]:
    """The languages by their lines; none where there is at most one."""
    lines = Counter({each.name: each.lines for each in manifest.languages if each.lines})
    if len(lines) < 2:
        return []
    largest = sorted(lines.items(), key=lambda pair: (-pair[1], pair[0]))
    rest = sum(count for _, count in largest[_SLICES:])
    slices = [*largest[:_SLICES], *([("others", rest)] if rest else [])]
    return [
        "```mermaid",
        "pie showData title Lines by language",
        *(f'  "{label(name)}" : {count}' for name, count in slices),
        "```",
    ]
