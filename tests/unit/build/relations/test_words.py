"""The text of types and values, read without a parser: the names that count."""

from __future__ import annotations

import pytest

from hardtack.build.outline.expressions import Brackets, chain_of, literal_before
from hardtack.build.relations.words import parts_of, split, words_of


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("Jar", ["Jar"]),
        ("*shop.Jar", ["shop.Jar"]),
        ("Optional[Jar]", ["Optional", "Jar"]),
        ("std::unique_ptr<Jar>", ["std::unique_ptr", "Jar"]),
        ("list[Jar]", ["list"]),
        ("\\Shop\\Jar|null", ["\\Shop\\Jar"]),
        ("", []),
    ],
)
def test_the_type_is_the_first_name_or_what_only_wraps_it_holds(written: str, wanted: list[str]) -> None:
    assert list(words_of(written)) == wanted


@pytest.mark.parametrize(
    ("word", "wanted"), [("Jar", ("", "Jar")), ("a.b.Jar", ("a.b", "Jar")), ("\\Jar", ("\\", "Jar")), ("a::Jar", ("a", "Jar"))]
)
def test_a_qualified_name_splits_before_its_last_part(word: str, wanted: tuple[str, str]) -> None:
    assert split(word) == wanted


@pytest.mark.parametrize(
    ("alias", "wanted"),
    [
        ("A & B<C | D>", ["A", "B<C | D>"]),
        ("A | { b: C & D }", ["A", ""]),
        ("(a: A) => B", [""]),
        ("keyof A", ["keyof A"]),
        ("| A | B", ["A", "B"]),
    ],
)
def test_an_alias_joins_what_stands_between_its_outermost_joints(alias: str, wanted: list[str]) -> None:
    assert list(parts_of(alias)) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("Jar(1, [2])", "Jar(2)"),
        ("await shop.jar(a)(b)", ""),
        ("new Jar<Lid>(x)", "Jar(1)"),
        ("a.b().c", "a.b(0).c"),
        ("Jar::new(1)?", "Jar.new(1)"),
        ("a + b", ""),
        ("[Jar()]", ""),
    ],
)
def test_a_value_is_a_chain_when_names_and_calls_are_all_there_is_of_it(value: str, wanted: str) -> None:
    assert chain_of(value) == wanted


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        (b"Jar{", "Jar"),
        (b"&shop.Jar{Size: 1, ", "shop.Jar"),
        (b"[]Jar{{Size: 1}, {", "Jar"),
        (b"map[string]Jar{", ""),
        (b'map[string]Jar{"a": {', "Jar"),
        (b"[]struct{ a int }{{", None),
        (b"call(", None),
        (b"", None),
    ],
)
def test_the_type_of_the_literal_around_a_key(before: bytes, wanted: str | None) -> None:
    text = before + b"key: 1}"
    assert literal_before(text, len(before), Brackets(text)) == wanted
