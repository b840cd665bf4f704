"""A bundle's folders and imports in, what the two pictures of the home page show out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.page.addresses import Addresses, Here
from hardtack.page.folders import TOP, Folder, folder_in, is_mapped, main_folders
from hardtack.page.layers import HIGH, WIDE, Arrow, Tie, drawing
from hardtack.page.treemap import squarified
from hardtack.render.style import inert_line

_MAPPED: Final = 20
"""Folders that the map shows at most."""
_DRAWN: Final = 3
"""Ties that are drawn of each folder, those of most imports; all stand in the table below."""
_TILES: Final = 60
"""Folders that the treemap shows at most."""
_TILED: Final = (1000, 420)
_COLOURS: Final = 8
"""Languages that have a colour of their own; all others share one."""
_LEAST: Final = 5
"""Letters of a name that is cut."""
_LETTER: Final = 7.4
"""Units that a letter of a label takes."""


class DrawnFolder(NamedTuple):
    """A folder of the map, or a tile of the treemap."""

    label: str
    title: str
    note: str
    href: str
    colour: int
    """Number of a class of the style sheet."""
    x: float
    y: float
    width: float
    height: float


class DrawnTie(NamedTuple):
    """An arrow of the map, and its row in the list below."""

    arrow: Arrow
    source: str
    target: str


class FolderMap(NamedTuple):
    """The map of the folders."""

    width: int
    height: int
    folders: tuple[DrawnFolder, ...]
    ties: tuple[DrawnTie, ...]
    """Those of most imports last, so that they are drawn above the others."""
    table: tuple[tuple[str, str, Tie], ...]
    """All ties, drawn or not: names of both folders, and the tie; those of most imports first."""
    folded: int
    """Folders with code that are counted in one above them."""


class Treemap(NamedTuple):
    """The treemap, and what its colours mean."""

    width: int
    height: int
    tiles: tuple[DrawnFolder, ...]
    languages: tuple[tuple[str, int, int], ...]
    """Name, lines, colour; the most lines first."""


def folder_map(bundle: Bundle, folders: Mapping[str, Folder], addresses: Addresses, here: Here) -> FolderMap:
    """The folders of most code in layers, with the imports between them; tests are left out."""
    chosen = set(main_folders(folders, _MAPPED, lambda each: each.code_lines))
    home = {number: folder_in(file.path, chosen) for number, file in enumerate(bundle.files) if is_mapped(file)}
    counts: dict[tuple[str, str], Counter[bool]] = {}
    for relation in bundle.related.relations():
        if relation.kind is RelationKind.IMPORTS and relation.file in home and relation.target_file in home:
            ends = home[relation.file], home[relation.target_file]
            if ends[0] != ends[1]:
                counts.setdefault(ends, Counter())[relation.certainty is not Certainty.POSSIBLE] += 1
    ties = [Tie(*ends, count[True], count[False]) for ends, count in sorted(counts.items())]
    shown = sorted(set(home.values()))
    lines: Counter[str] = Counter()
    for number, folder in home.items():
        lines[folder] += bundle.file(number).line_count
    drawn = drawing(shown, _strongest(ties))
    with_code = sum(any(is_mapped(bundle.file(each)) for each in folder.files) for folder in folders.values())
    names = {folder: _name(folder) if folder or with_code == len(shown) else "(top, others)" for folder in shown}
    boxes = []
    for folder, x, y in drawn.boxes:
        name = names[folder]
        label = _fitting(name, WIDE - 12)
        href = addresses.to(addresses.folder(folder), here)
        boxes.append(DrawnFolder(label, f"{name}: {lines[folder]:,} lines", f"{lines[folder]:,} lines", href, 0, x, y, WIDE, HIGH))
    arrows = sorted(drawn.arrows, key=lambda arrow: arrow.tie.total)
    return FolderMap(
        drawn.width,
        drawn.height,
        tuple(boxes),
        tuple(DrawnTie(each, names[each.tie.source], names[each.tie.target]) for each in arrows),
        tuple((names[each.source], names[each.target], each) for each in sorted(ties, key=lambda tie: -tie.total)),
        with_code - len(shown),
    )


def _strongest(ties: Sequence[Tie]) -> list[Tie]:
    """Of each folder the ties of most imports, in order."""
    count: Counter[str] = Counter()
    kept = []
    for tie in sorted(ties, key=lambda tie: (-tie.total, tie)):
        count[tie.source] += 1
        if count[tie.source] <= _DRAWN:
            kept.append(tie)
    return sorted(kept)


def treemap(bundle: Bundle, folders: Mapping[str, Folder], addresses: Addresses, here: Here) -> Treemap:
    """Folders by their lines, each in the colour of the language that most of its lines are in."""
    names = {language.id: inert_line(language.name) for language in bundle.manifest.languages}
    languages = [language for language, lines in folders[TOP].lines.most_common() if lines]
    colours = {
        language: min(place, _COLOURS)
        for place, language in enumerate(sorted(languages, key=lambda each: (-folders[TOP].lines[each], each)))
    }
    chosen = main_folders(folders, _TILES, lambda each: each.line_count)
    own = [_own_lines(bundle, folders, folder, set(chosen)) for folder in chosen]
    tiles = []
    for index, x, y, width, height in squarified([lines.total() for lines in own], *_TILED):
        lines, folder = own[index], chosen[index]
        language = max(lines, key=lambda each: (lines[each], each))
        name = _name(folder)
        title = f"{name}: {lines.total():,} lines, most of them {names.get(language, language)}"
        label = _fitting(folders[folder].name or name, width - 8, from_start=True) if height >= 18 else ""
        note = f"{lines.total():,}" if label and height >= 36 and width >= 44 else ""
        href = addresses.to(addresses.folder(folder), here)
        place = (round(x, 1), round(y, 1), round(max(width - 1, 0.5), 1), round(max(height - 1, 0.5), 1))
        tiles.append(DrawnFolder(label, title, note, href, colours[language], *place))
    legend = [
        (names.get(each, each), folders[TOP].lines[each], colours[each])
        for each in sorted(languages, key=lambda each: colours[each])
    ]
    shown = legend[:_COLOURS]
    if rest := sum(lines for _, lines, _ in legend[_COLOURS:]):
        shown.append((f"{len(legend) - _COLOURS} others", rest, _COLOURS))
    return Treemap(*_TILED, tuple(tiles), tuple(shown))


def _own_lines(bundle: Bundle, folders: Mapping[str, Folder], folder: str, chosen: set[str]) -> Counter[str]:
    """Language -> lines below a folder, without those of chosen folders in it."""
    lines = Counter(folders[folder].lines)
    waiting: Sequence[str] = folders[folder].folders
    while waiting:
        for each in waiting:
            if each in chosen:
                lines.subtract(folders[each].lines)
        waiting = [inner for each in waiting if each not in chosen for inner in folders[each].folders]
    return +lines


def _name(folder: str) -> str:
    return f"{inert_line(folder)}/" if folder else "(top)"


def _fitting(text: str, width: float, *, from_start: bool = False) -> str:
    """The text, or its end or its start, as far as it fits; empty where hardly any does."""
    room = int(width / _LETTER)
    if len(text) <= room:
        return text
    if room < _LEAST:
        return ""
    return f"{text[: room - 1]}…" if from_start else f"…{text[1 - room :]}"
