"""The lines that a hit shows, and their limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import hardtack
from hardtack.nouns.model import Hit
from hardtack.query.searcher import Searcher

LONG = [
    "import os",
    "",
    "",
    "def bottle_everything(fruit):",
    '    """Put all of it into bottles."""',
    *(f"    preserving_step_{number}(fruit, jars, sugar)" for number in range(80)),
    "    sterilise_with_vinegar(fruit)",
    *(f"    preserving_step_{number}(fruit, jars, sugar)" for number in range(80, 130)),
    "    label_with_calligraphy(fruit)",
    *(f"    preserving_step_{number}(fruit, jars, sugar)" for number in range(130, 150)),
    "",
    "",
    "class Cellar:",
    '    """Below the house."""',
    "",
    "    humidity_threshold = 4",
    "",
    *(line for number in range(40) for line in (f"    def shelf_{number}(self):", f"        return self.rows[{number}]", "")),
]
FILES = {
    "long.py": "\n".join(LONG),
    "small.py": "\n".join(
        [
            "class Spoon:",
            '    """Stirs."""',
            "",
            "    def stir_marmalade(self):",
            "        return 1",
            "",
            "",
            "def other():",
            "    return 2",
        ]
    ),
    "far.py": "\n".join(
        [
            *(
                f"# Nothing to be seen here, nor on the lines around it, of which there are many: {number}."
                for number in range(400)
            ),
            *LONG[2:5],
            *(f"    preserving_step_number_{number}(fruit, jars, sugar)" for number in range(300)),
            "    add_cinnamon_sparingly(fruit)",
            *(f"    another_step_number_{number}(fruit, jars, sugar)" for number in range(300)),
            "",
        ]
    ),
    "two.py": "\n".join(
        [
            "def ladle():",
            *(f"    soup.is_ladled_into_the_bowl_that_has_the_number({number})" for number in range(48)),
            "    return nutmeg",
            "",
            "",
            "def tureen():",
            *(f"    tureen.is_filled_again_with_what_is_in_pot_number({number})" for number in range(28)),
            "",
        ]
    ),
    "broad.py": "".join(f"x_{number:03} = '{'saffron' if number == 150 else 'pepper'}{'.' * 378}'\n" for number in range(300)),
    "spice.py": "\n".join(
        [
            "def cardamom_count():",
            '    """How many."""',
            *(f"    total = total + {number}" for number in range(9)),
            "    return total",
            "",
            "",
            "def grind(mortar):",
            "    pestle = mortar.pestle",
            *(f"    pestle.turn({number})" for number in range(9)),
            "    pestle.crush(pods_of_cardamom)",
            "    return mortar",
            "",
        ]
    ),
    "cupboard.py": "class Cupboard:\n    lid = 'burgundy'\n\n    def shut(self):\n        return self.lid\n",
    "ends.py": "def first_things():\n    return 1\n\n\nlast_thing = first_things()\n",
    "wide.py": "def gaudy():\n    return '" + "ultramarine " * 40 + "'\n",
    "loud.py": "İİİ = 1\nİ = 2\nSHOUTING = 3\n\n\ndef whispering():\n    return 4\n",
    "crlf.py": "def windows_ending():\r\n    return 1\r\n",
}


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    root = tmp_path_factory.mktemp("kitchen")
    for path, text in FILES.items():
        (root / path).write_bytes(text.encode())
    hardtack.build_bundle(root, root / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(root / "bundle") as opened:
        yield opened


def _first(searcher: Searcher, query: str, **options: object) -> Hit:
    return searcher.search(query, **options).hits[0]  # type: ignore[arg-type]


def _place(hit: Hit) -> tuple[str, int | None, int | None]:
    return hit.path, hit.snippet_start_line, hit.snippet_end_line


def _is_as_in_the_file(hit: Hit) -> bool:
    assert hit.snippet_start_line is not None
    assert hit.snippet_end_line is not None
    lines = FILES[hit.path].split("\n")
    shown = [hit.context_before] * bool(hit.context_before) + [hit.snippet] + [hit.context_after] * bool(hit.context_after)
    before = hit.context_before.count("\n") + 1 if hit.context_before else 0
    after = hit.context_after.count("\n") + 1 if hit.context_after else 0
    return lines[hit.snippet_start_line - 1 - before : hit.snippet_end_line + after] == "\n".join(shown).split("\n")


def test_a_function_is_shown_whole_and_alone(kitchen: Searcher) -> None:
    hit = _first(kitchen, "gaudy")
    assert (("wide.py", 1, 2), 1, 1) == (_place(hit), hit.match_line, hit.selection_line)


def test_a_small_method_is_shown_with_its_class(kitchen: Searcher) -> None:
    hit = _first(kitchen, "stir_marmalade")
    assert (("small.py", 1, 5), 4) == (_place(hit), hit.match_line)
    assert "Spoon.stir_marmalade" == hit.qualified_name


@pytest.mark.parametrize(("words", "line"), [("sterilise vinegar", 86), ("label with calligraphy", 137)])
def test_of_a_long_function_the_fifty_lines_around_the_words_are_shown(kitchen: Searcher, words: str, line: int) -> None:
    hit = _first(kitchen, words)
    assert (line, "bottle_everything") == (hit.match_line, hit.name)
    start = min(line - 25, 157 - 49)
    assert ("long.py", start, start + 49) == _place(hit)
    assert _is_as_in_the_file(hit)
    assert hit.snippet_start_line is not None
    assert (
        hit.snippet_start_line < hit.start_line or hit.end_line < 157
    )  # the chunk does not hold all that is shown, or all there is


def test_lines_outside_of_the_chunk_are_numbered_right_however_far_into_the_file(kitchen: Searcher) -> None:
    hit = _first(kitchen, "cinnamon sparingly")
    assert (("far.py", 679, 728), 704) == (_place(hit), hit.match_line)
    assert _is_as_in_the_file(hit)
    assert hit.snippet_end_line is not None
    assert hit.start_line > 679 or hit.end_line < 728
    for before, after in ((49, 0), (0, 49)):
        assert _is_as_in_the_file(_first(kitchen, "cinnamon sparingly", before=before, after=after))


def test_a_match_in_a_field_is_named_after_what_has_the_field(kitchen: Searcher) -> None:
    hit = _first(kitchen, "burgundy")
    assert (("cupboard.py", 1, 5), "Cupboard", 2) == (_place(hit), hit.name, hit.match_line)


def test_a_name_that_shares_a_word_yields_to_the_part_that_has_more_of_them(kitchen: Searcher) -> None:
    assert ("grind", 26) == ((hit := _first(kitchen, "crush cardamom with a pestle")).name, hit.match_line)
    assert ("cardamom_count", 1) == ((hit := _first(kitchen, "cardamom count")).name, hit.match_line)
    asked = _first(kitchen, "crush cardamom with a pestle", symbol_name="cardamom*")
    assert ("cardamom_count", 1, 12) == (asked.name, asked.snippet_start_line, asked.snippet_end_line)


def test_a_field_is_shown_in_its_class(kitchen: Searcher) -> None:
    hit = _first(kitchen, "humidity threshold")
    line = LONG.index("    humidity_threshold = 4") + 1
    assert (("long.py", line - 3, line + 46), line) == (_place(hit), hit.match_line)
    assert _is_as_in_the_file(hit)


def test_without_smart_context_the_chunk_is_shown(kitchen: Searcher) -> None:
    hit = _first(kitchen, "stir_marmalade", smart_context=False)
    assert ("small.py", hit.start_line, hit.end_line) == _place(hit) == ("small.py", 1, 9)
    hit = _first(kitchen, "sterilise vinegar", smart_context=False)
    assert ("long.py", hit.start_line, hit.end_line) == _place(hit)
    assert _is_as_in_the_file(hit)


def test_of_a_long_chunk_the_fifty_lines_around_the_match_are_shown(searcher: Searcher) -> None:
    (hit,) = searcher.search("puttanesca", mode="keyword", smart_context=False, limit=1).hits
    assert hit.snippet_start_line is not None
    assert hit.match_line is not None
    assert hit.end_line - hit.start_line > 50
    assert (50, 25) == (hit.snippet.count("\n") + 1, hit.match_line - hit.snippet_start_line)
    assert "puttanesca" in hit.snippet


def test_lines_that_are_asked_for_stand_before_and_after(kitchen: Searcher) -> None:
    hit = _first(kitchen, "sterilise vinegar", before=3, after=2)
    assert hit.snippet_start_line is not None
    assert (3, 45, 2) == tuple(text.count("\n") + 1 for text in (hit.context_before, hit.snippet, hit.context_after))
    assert _is_as_in_the_file(hit)
    assert "sterilise" in hit.snippet


@pytest.mark.parametrize(("before", "after", "expected"), [(500, 0, (49, 1, 0)), (0, 500, (0, 1, 49)), (30, 500, (30, 1, 19))])
def test_together_they_are_never_more_than_fifty(
    kitchen: Searcher, before: int, after: int, expected: tuple[int, int, int]
) -> None:
    hit = _first(kitchen, "sterilise vinegar", before=before, after=after)
    assert expected == tuple(text.count("\n") + bool(text) for text in (hit.context_before, hit.snippet, hit.context_after))
    assert "    sterilise_with_vinegar(fruit)" == hit.snippet


def test_there_is_nothing_before_the_first_line_and_after_the_last(kitchen: Searcher) -> None:
    hit = _first(kitchen, "first_things", before=5, after=5)
    assert (("ends.py", 1, 5), "", "") == (_place(hit), hit.context_before, hit.context_after)
    assert FILES["ends.py"].rstrip("\n") == hit.snippet


def test_what_follows_ends_with_the_last_line_of_the_file(kitchen: Searcher) -> None:
    hit = _first(kitchen, "nutmeg", after=40)
    assert hit.end_line < 70  # the chunk is not the last one
    assert "    tureen.is_filled_again_with_what_is_in_pot_number(27)" == hit.context_after.split("\n")[-1]


@pytest.mark.parametrize("side", ["before", "after"])
def test_of_very_long_lines_fewer_are_given_but_none_in_part(kitchen: Searcher, side: str) -> None:
    hit = _first(kitchen, "saffron", **{side: 45})
    lines = getattr(hit, f"context_{side}").split("\n")
    assert (True, {200}) == (20 < len(lines) < 45, {len(line) for line in lines})
    assert all(line.startswith("x_") for line in lines)


def test_no_lines_asked_for_turn_smart_context_off_too(kitchen: Searcher) -> None:
    hit = _first(kitchen, "stir_marmalade", before=0)
    assert (("small.py", 1, 9), "") == (_place(hit), hit.context_before)


def test_no_line_is_longer_than_two_hundred_characters(kitchen: Searcher) -> None:
    lines = _first(kitchen, "ultramarine").snippet.split("\n")
    assert (200, "...") == (len(lines[1]), lines[1][-3:])


def test_lines_are_numbered_right_after_letters_whose_lower_case_is_longer(kitchen: Searcher) -> None:
    assert ("loud.py", 3) == ((hit := _first(kitchen, "shouting")).path, hit.match_line)
    assert ("loud.py", 6, 7) == _place(hit := _first(kitchen, "whispering"))
    assert _is_as_in_the_file(hit)


def test_what_was_shown_before_changes_nothing(kitchen: Searcher) -> None:
    queries = ["sterilise vinegar", "label calligraphy", "humidity", "shelf_7", "rows shelf_31", "stir_marmalade", "bottle fruit"]
    used = Searcher(kitchen.bundle, kept_answers=0)
    first = [used.search(query, limit=30) for query in queries]
    assert first == [used.search(query, limit=30) for query in queries]
    assert first == [Searcher(kitchen.bundle, kept_answers=0).search(query, limit=30) for query in queries]


def test_line_endings_are_shown_as_one_kind(kitchen: Searcher) -> None:
    assert "def windows_ending():\n    return 1" == _first(kitchen, "windows_ending").snippet


def test_a_bundle_without_text_says_where_to_look(bare_bundle: Path) -> None:
    with hardtack.open_bundle(bare_bundle) as bare:
        hit = bare.search("open_shelf").hits[0]
    assert ("", None, None, None, 58) == (
        hit.snippet,
        hit.snippet_start_line,
        hit.snippet_end_line,
        hit.match_line,
        hit.selection_line,
    )
