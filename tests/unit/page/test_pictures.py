"""The pictures of a page: areas and places follow from the numbers, for any numbers."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.format.records import FileRecord
from hardtack.page.folders import TOP, folder_in, folders_of, main_folders
from hardtack.page.layers import HIGH, WIDE, Tie, drawing
from hardtack.page.treemap import squarified

_NAMES = [f"f{number:02}" for number in range(12)]


@st.composite
def _graphs(draw: st.DrawFn) -> tuple[list[str], list[Tie]]:
    folders = draw(st.lists(st.sampled_from(_NAMES), min_size=1, unique=True))
    pairs = draw(st.sets(st.tuples(st.sampled_from(folders), st.sampled_from(folders)), max_size=30))
    return sorted(folders), [
        Tie(*pair, draw(st.integers(1, 9)), draw(st.integers(0, 9))) for pair in sorted(pairs) if pair[0] != pair[1]
    ]


@given(_graphs())
def test_boxes_stand_inside_the_drawing_and_on_no_other(graph: tuple[list[str], list[Tie]]) -> None:
    folders, ties = graph
    drawn = drawing(folders, ties)
    assert sorted(box.folder for box in drawn.boxes) == folders
    assert {arrow.tie for arrow in drawn.arrows} == set(ties)
    for box in drawn.boxes:
        assert 0 <= box.x <= drawn.width - WIDE
        assert 0 <= box.y <= drawn.height - HIGH
        others = [each for each in drawn.boxes if each != box]
        assert not any(abs(each.x - box.x) < WIDE and abs(each.y - box.y) < HIGH for each in others)


@given(_graphs())
def test_who_imports_stands_above_unless_the_tie_goes_up(graph: tuple[list[str], list[Tie]]) -> None:
    folders, ties = graph
    drawn = drawing(folders, ties)
    heights = {box.folder: box.y for box in drawn.boxes}
    back = [arrow.tie for arrow in drawn.arrows if arrow.is_up]
    for arrow in drawn.arrows:
        assert (heights[arrow.tie.target] <= heights[arrow.tie.source]) == arrow.is_up
        assert re.fullmatch(r"M-?\d+ -?\d+(?:C(?:-?\d+ ){5}-?\d+|V-?\d+)+", arrow.path)
    down = [tie for tie in ties if tie not in back]
    if not back:
        return
    reach = {folder: {folder} for folder in folders}
    for _ in folders:
        for tie in down:
            reach[tie.source] |= reach[tie.target]
    # a tie goes up only where without it the way back is there already, or another tie of the same circle goes up too
    assert all(tie.source in reach[tie.target] or any(other.target in reach[tie.target] for other in back) for tie in back)


@given(st.lists(st.integers(0, 10_000), max_size=40), st.integers(10, 1000), st.integers(10, 1000))
def test_tiles_have_the_areas_of_their_sizes_and_fill_the_rectangle(sizes: list[int], width: int, height: int) -> None:
    tiles = squarified(sizes, width, height)
    assert sorted(tile.number for tile in tiles) == [number for number, size in enumerate(sizes) if size]
    total = sum(sizes)
    for tile in tiles:
        assert abs(tile.width * tile.height - sizes[tile.number] * width * height / total) < 1e-3 * width * height
        assert -1e-6 <= tile.x
        assert tile.x + tile.width <= width + 1e-6
        assert -1e-6 <= tile.y
        assert tile.y + tile.height <= height + 1e-6
    for number, one in enumerate(tiles):
        for other in tiles[:number]:
            across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            along = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            assert min(across, along) < 1e-6


def _file(path: str, lines: int) -> FileRecord:
    values = dict.fromkeys(FileRecord._fields, 0) | {
        "path": path,
        "language": "py",
        "content": "code",
        "is_test": False,
        "line_count": lines,
    }
    return FileRecord(**values)  # type: ignore[arg-type]


_paths = st.lists(
    st.lists(st.sampled_from("abcde"), min_size=1, max_size=4).map("/".join), min_size=1, max_size=40, unique=True
).map(lambda paths: [f"{path}/x{number}.py" for number, path in enumerate(sorted(paths))])


@given(_paths, st.integers(2, 12))
def test_the_main_folders_are_few_and_every_file_lies_in_one(paths: list[str], most: int) -> None:
    files = [_file(path, 1 + len(path)) for path in paths]
    folders = folders_of(files)
    chosen = main_folders(folders, most, lambda each: each.code_lines)
    assert TOP in chosen
    assert len(chosen) <= most
    for path in paths:
        assert path.startswith(folder_in(path, chosen))
    assert folders[TOP].line_count == sum(file.line_count for file in files)
    assert folders[TOP].file_count == len(files)
