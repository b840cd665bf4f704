"""A note: what is written is read, nothing else is, and whatever fits the schema fits into a comment."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.comment.note import (
    BREAKAGES,
    CHANGES,
    COUNTS,
    LIMIT,
    NAME_LENGTH,
    NOTES,
    REACHED,
    REASONS,
    SENTENCE_LENGTH,
    TESTS,
    Broken,
    Built,
    Counted,
    FileOfTests,
    Note,
    Reach,
    Reached,
    Surfaced,
    note_of_json,
    note_to_json,
)
from hardtack.comment.rendering import MOST_CHARACTERS, MOST_LINES, comment_of
from hardtack.errors import PolicyError

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=NAME_LENGTH) | st.just("€" * NAME_LENGTH)
SENTENCES = st.text(st.characters(exclude_categories=["Cs"]), max_size=SENTENCE_LENGTH) | st.just("<" * SENTENCE_LENGTH)
NUMBERS = st.integers(0, 10**12)
WORDS = st.from_regex(r"\A[a-z][a-z -]{0,39}\Z", fullmatch=True)


def _many(record: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(record, max_size=most).map(tuple) | st.lists(record, min_size=most, max_size=most).map(tuple)


PLACE = {"kind": NAMES, "name": NAMES, "path": NAMES, "line": NUMBERS}
COUNTED = st.builds(Counted, sort=NAMES, count=NUMBERS, before=NUMBERS)
REACH = st.builds(
    Reach,
    **dict.fromkeys(("reached", "entries", "test_files", "all_test_files", "unresolved"), NUMBERS),
    shown=_many(st.builds(Reached, **PLACE, distance=NUMBERS, certainty=WORDS, entry=NAMES), REACHED),
    tests=_many(st.builds(FileOfTests, path=NAMES, tests=NUMBERS, reason=st.sampled_from(("changed", "references"))), TESTS),
    is_whole=st.booleans(),
)
DIGESTS = st.just(f"sha256:{'0' * 64}")
NOTE = st.builds(
    Note,
    schema=st.just("hardtack.comment/1"),
    base=st.just("a" * 40),
    head=st.just("b" * 64),
    **dict.fromkeys(("files_changed", "breaks", "may_break", "surfaced_in_all"), NUMBERS),
    broken=_many(st.builds(Broken, is_sure=st.booleans(), **PLACE, rule=WORDS, says=SENTENCES), BREAKAGES),
    surface=_many(COUNTED, COUNTS),
    surfaced=_many(st.builds(Surfaced, change=st.just("added"), **PLACE, was=NAMES), CHANGES),
    reach=st.none() | REACH,
    skipped=_many(COUNTED, REASONS),
    secrets=_many(COUNTED, REASONS),
    built=st.builds(
        Built, bundle_digest=DIGESTS, pack_digest=DIGESTS, **dict.fromkeys(("pack_bytes", "files", "symbols"), NUMBERS)
    ),
    notes=_many(SENTENCES, NOTES),
)


@settings(max_examples=60, deadline=None)
@given(NOTE)
def test_every_note_is_read_back_and_fits_into_a_comment(note: Note) -> None:
    data = note_to_json(note)
    assert len(data) <= LIMIT
    assert note == note_of_json(data)
    body = comment_of(note, commit="c" * 40, run="https://github.com/o/n/actions/runs/1")
    assert body.count("\n") <= MOST_LINES < 60
    assert len(body) <= MOST_CHARACTERS + 1


def test_a_note_whose_lists_are_full_has_fewer_than_sixty_lines() -> None:
    document = _full()
    for holder, name, most in (
        (document, "broken", BREAKAGES),
        (document, "surface", COUNTS),
        (document, "surfaced", CHANGES),
        (document["reach"], "shown", REACHED),
        (document["reach"], "tests", TESTS),
        (document, "skipped", REASONS),
        (document, "secrets", REASONS),
        (document, "notes", NOTES),
    ):
        holder[name] *= most
        if name not in ("surface", "skipped", "secrets"):  # one more would be too many, in the schema as in a comment
            with pytest.raises(PolicyError):
                note_of_json(json.dumps({**document, name: [*holder[name], holder[name][0]]}).encode())
    document |= {"breaks": 99, "surfaced_in_all": 99}
    document["reach"] |= {"reached": 99, "test_files": 99}
    note = note_of_json(json.dumps(document).encode())
    body = comment_of(note, commit="c" * 40, run="https://github.com/o/n/actions/runs/1")
    assert 4 == body.count(" more\n")
    assert 50 < body.count("\n") < 60


def _full() -> dict[str, Any]:
    place = {"kind": "function", "name": "f", "path": "a.py", "line": 1}
    counted = {"sort": "binary", "count": 1, "before": 0}
    return {
        "schema": "hardtack.comment/1",
        "base": "a" * 40,
        "head": "b" * 40,
        **dict.fromkeys(("files_changed", "breaks", "may_break", "surfaced_in_all"), 1),
        "broken": [{"is_sure": True, **place, "rule": "removed", "says": "it is gone"}],
        "surface": [counted],
        "surfaced": [{"change": "added", **place, "was": ""}],
        "reach": {
            **dict.fromkeys(("reached", "entries", "test_files", "all_test_files", "unresolved"), 1),
            "shown": [{**place, "distance": 1, "certainty": "exact", "entry": "route"}],
            "tests": [{"path": "t.py", "tests": 1, "reason": "references"}],
            "is_whole": True,
        },
        "skipped": [counted],
        "secrets": [counted],
        "built": {
            **dict.fromkeys(("bundle_digest", "pack_digest"), f"sha256:{'0' * 64}"),
            **dict.fromkeys(("pack_bytes", "files", "symbols"), 1),
        },
        "notes": ["x"],
    }


def _places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([way] if way else []), *(each for key, below in inner for each in _places(below, (*way, key)))]


def _without(way: tuple[Any, ...], change: Any) -> bytes:
    document = _full()
    at = document
    for key in way[:-1]:
        at = at[key]
    change(at, way[-1])
    return json.dumps(document).encode()


CHANGES_OF_A_VALUE = {
    "another type": lambda at, key: at.__setitem__(key, 1.5),
    "null": lambda at, key: at.__setitem__(key, None),
    "an unknown field beside": lambda at, key: at.__setitem__("more", 1) if isinstance(at, dict) else at.append({}),
    "gone": lambda at, key: at.pop(key) if isinstance(at, dict) else at.__setitem__(key, [[]]),
    "far too long": lambda at, key: at.__setitem__(key, "x" * 1_000 if not isinstance(at[key], list) else at[key] * 1_000),
}


@pytest.mark.parametrize("change", CHANGES_OF_A_VALUE)
@pytest.mark.parametrize("way", _places(_full()), ids=lambda way: ".".join(map(str, way)))
def test_every_single_field_is_held_to_the_schema(way: tuple[Any, ...], change: str) -> None:
    if (way, change) in {(("reach",), "null"), (("schema",), "gone")}:  # what may be, or has one value alone
        note_of_json(_without(way, CHANGES_OF_A_VALUE[change]))
        return
    with pytest.raises(PolicyError, match="is not taken"):
        note_of_json(_without(way, CHANGES_OF_A_VALUE[change]))


def test_a_refusal_repeats_nothing_of_what_it_refuses() -> None:
    with pytest.raises(PolicyError) as caught:
        note_of_json(json.dumps({**_full(), "::error::evil": 1}).encode())
    assert "evil" not in str(caught.value)
    with pytest.raises(PolicyError, match=r"at broken\[0\]\.says"):
        note_of_json(_without(("broken", 0, "says"), lambda at, key: at.__setitem__(key, 1)))


def test_a_note_is_silent_where_nothing_differs_and_speaks_where_anything_does() -> None:
    quiet = {**_full(), **dict.fromkeys(("breaks", "may_break", "surfaced_in_all"), 0), "reach": None}
    quiet |= {"broken": [], "surface": [], "surfaced": [], "skipped": [{"sort": "binary", "count": 3, "before": 3}], "secrets": []}
    assert note_of_json(json.dumps(quiet).encode()).is_silent
    louder = {
        "breaks": 1,
        "may_break": 1,
        "surface": [{"sort": "added", "count": 1, "before": 0}],
        "reach": _full()["reach"],
        "skipped": [{"sort": "binary", "count": 4, "before": 3}],
        "secrets": [{"sort": "password", "count": 1, "before": 0}],
    }
    for name, value in louder.items():
        assert not note_of_json(json.dumps({**quiet, name: value}).encode()).is_silent, name
