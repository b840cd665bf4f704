"""Lines of a changed text are found again where that is sure, and nowhere else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardtack.query.checkout.line_map import LineMap

OLD = b"one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


def place(after: bytes, first: int, last: int, before: bytes = OLD) -> tuple[int, int] | None:
    return LineMap(before, after).place(first, last)


def test_what_stands_below_new_lines_moves_down_and_what_stands_above_stays() -> None:
    after = OLD.replace(b"four\n", b"four\na\nb\n")
    assert ((1, 4), (7, 9)) == (place(after, 1, 4), place(after, 5, 7))


def test_what_stands_below_lines_that_went_moves_up() -> None:
    after = OLD.replace(b"two\nthree\n", b"")
    assert ((1, 1), (2, 5)) == (place(after, 1, 1), place(after, 4, 7))


def test_a_stretch_that_was_edited_or_cut_in_two_has_no_place() -> None:
    after = OLD.replace(b"four\n", b"FOUR\n")
    assert ((1, 3), None, None, (5, 7)) == (place(after, 1, 3), place(after, 4, 4), place(after, 3, 5), place(after, 5, 7))
    after = OLD.replace(b"four\n", b"four\nnew\n")
    assert None is place(after, 4, 5)


def test_a_stretch_between_two_edits_is_found_by_a_line_that_is_there_once() -> None:
    after = OLD.replace(b"one\n", b"ONE\nmore\n").replace(b"seven\n", b"SEVEN\n")
    assert (3, 7) == place(after, 2, 6)


def test_copies_that_could_each_be_it_have_no_place() -> None:
    before = b"top\n}\n}\nend\n"
    after = b"TOP\n}\n}\n}\nEND\n"
    assert [None] * 4 == [place(after, line, line, before) for line in range(1, 5)]


def test_a_stretch_that_moved_past_another_is_found_or_not_but_never_elsewhere() -> None:
    after = b"five\nsix\nseven\none\ntwo\nthree\nfour\n"
    assert ((4, 7), None) == (place(after, 1, 4), place(after, 5, 7))


def test_other_line_ends_move_nothing() -> None:
    assert (2, 6) == place(OLD.replace(b"\n", b"\r\n"), 2, 6)


def test_of_a_text_that_is_empty_or_all_new_nothing_has_a_place() -> None:
    assert [None] * 3 == [place(b"", 1, 1), place(b"a\nb\n", 1, 7), place(OLD, 8, 8)]
    assert None is place(OLD, 1, 1, b"")


@given(st.lists(st.sampled_from("abcd{}"), max_size=30), st.lists(st.sampled_from("abcd{}"), max_size=30))
def test_whatever_is_mapped_says_the_same_and_keeps_its_order(before: list[str], after: list[str]) -> None:
    lines = LineMap("\n".join(before).encode(), "\n".join(after).encode())
    found = []
    for first in range(1, len(before) + 1):
        for last in range(first, len(before) + 1):
            if spot := lines.place(first, last):
                assert before[first - 1 : last] == after[spot[0] - 1 : spot[1]]
                found.append((first, spot[0]))
    assert found == sorted(found)
    assert len({now for _, now in set(found)}) == len(set(found)), "no line stands for two"
