"""Globs of symbol names, compared with a plain implementation of the rule."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.format.records import SymbolName
from hardtack.nouns.model import Kind
from hardtack.query.request.filter_words import name_predicate


def _named(qualified_name: str) -> SymbolName:
    name = qualified_name.rpartition(".")[2]
    return SymbolName(Kind.METHOD, name, qualified_name, (name.lower(), qualified_name.lower()), frozenset())


@pytest.mark.parametrize(
    ("glob", "qualified_name", "expected"),
    [
        ("put", "Shelf.put", True),
        ("PUT", "Shelf.put", True),
        ("Shelf.put", "Shelf.put", True),
        ("Shelf::put", "Shelf.put", True),
        ("Shelf.*", "Shelf.put", True),
        ("*shelf*", "Shelf.put", True),
        ("p?t", "Shelf.put", True),
        ("pu", "Shelf.put", False),
        ("ut", "Shelf.put", False),
        ("?ut?", "Shelf.put", False),
        ("take_*", "take_oldest", True),
        ("take_*", "taken", False),
        ("100%", "100x", False),
        ("[ab]", "a", False),
        ("*", "anything", True),
        ("get*By*Id", "getUserById", True),
        ("get*By*Id", "getUserByIdentity", False),
        ("a*aa", "aa", False),
        ("a*aa", "aaa", True),
    ],
)
def test_a_glob_is_held_against_the_whole_name_in_any_case(glob: str, qualified_name: str, expected: bool) -> None:
    assert expected == name_predicate(glob)(_named(qualified_name))


def _matches(glob: str, name: str) -> bool:
    if not glob:
        return not name
    if glob[0] == "*":
        return _matches(glob[1:], name) or bool(name and _matches(glob, name[1:]))
    return bool(name) and glob[0] in ("?", name[0]) and _matches(glob[1:], name[1:])


@given(st.text("ab?*", max_size=6), st.text("ab", max_size=7))
def test_a_glob_means_what_its_definition_says(glob: str, name: str) -> None:
    assert _matches(glob, name) == name_predicate(glob)(_named(name))


def test_a_glob_of_many_stars_takes_no_time() -> None:
    matches = name_predicate("*a" * 40 + "b")
    started = time.process_time()
    assert not matches(_named("a" * 2000))
    assert time.process_time() - started < 1
