"""The symbols that a question names, and the words of it that are none."""

from __future__ import annotations

from typing import Any

import pytest

from hardtack.bundle.reader import Bundle
from hardtack.query.explore.asked import asks_tests, asks_usages, named_in
from hardtack.query.request.analysis import analyse


def _named(bundle: Bundle, text: str) -> list[str]:
    return [bundle.symbol_name(named.groups[0].symbol).qualified_name for named in named_in(bundle, text, analyse(text))]


@pytest.mark.parametrize(
    "text",
    [
        "where is an error raised when we get an order",
        "how do I use and get and finish things",
        "get an error from this",
        "an order that needs to finish early, or to get lost",
        "what is the type error about",
        "a new method for the class error",
        "what happens between error and now",
        "the uses of coffee",
        "",
    ],
)
def test_a_word_of_prose_that_some_symbol_has_for_a_name_is_none(kiosk: Bundle, text: str) -> None:
    assert [] == _named(kiosk, text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("get", ["get"]),
        ("`get` fails", ["get"]),
        ("what does get() do", ["get"]),
        ("callers of get", ["get"]),
        ("who calls get?", ["get"]),
        ("what uses finish", ["finish"]),
        ("tests for error", ["error"]),
        ("which tests reach brew", ["brew"]),
        ("how does the function error work", ["error"]),
        ("the get function", ["get"]),
        ("the class Coffee", ["Coffee"]),
        ("from error to get", ["error", "get"]),
        ("between brew and finish", ["brew", "finish"]),
        ("Counter.open to finish", ["Counter.open", "finish"]),
        ("how does Counter.serve reach steep()", ["Counter.serve", "steep"]),
        ("Why does the kiosk answer Coffee late", ["Coffee"]),
        ("brew, finish", ["brew", "finish"]),
        ("brew,finish,get", ["brew", "finish", "get"]),
        ("Counter::open and Coffee->handle", ["Counter.open", "Coffee.handle"]),
        ("callers of finish, and `finish` again", ["finish"]),
    ],
)
def test_a_name_that_is_spelt_like_code_or_pointed_at_is_taken(kiosk: Bundle, text: str, names: list[str]) -> None:
    assert names == _named(kiosk, text)


def test_a_kind_that_is_said_has_to_be_that_of_the_symbol(kiosk: Bundle) -> None:
    assert [] == _named(kiosk, "what does the class get hold")
    assert [] == _named(kiosk, "how does the method Coffee work") or ["Coffee"] == _named(kiosk, "how does the method Coffee work")


def test_a_name_in_another_case_is_none(kiosk: Bundle) -> None:
    assert [] == _named(kiosk, "who calls Brew")
    assert [] == _named(kiosk, "`coffee` is cold")


def test_all_that_a_name_can_mean_is_given(kiosk: Bundle) -> None:
    (named,) = named_in(kiosk, "`handle`", analyse("`handle`"))
    assert {"Handler.handle", "Coffee.handle", "Tea.handle"} == {
        kiosk.symbol_name(group.symbol).qualified_name for group in named.groups
    }


@pytest.mark.parametrize("text", ["a$" * 30_000, "x.y" * 20_000, "from " * 10_000, "`" * 60_000, "the type " * 5_000])
def test_a_hostile_text_takes_no_time(kiosk: Bundle, text: str) -> None:
    assert len(named_in(kiosk, text, analyse(text[:1000]))) <= 6


def test_questions_about_usages_and_tests_are_told_apart() -> None:
    assert asks_usages("who calls finish")
    assert asks_usages("what breaks if I change it")
    assert not asks_usages("how is coffee made")
    assert asks_tests("which tests cover finish")
    assert not asks_tests("how is coffee made")


def test_a_value_of_the_source_goes_before_a_function_of_a_test(bundle_of: Any) -> None:
    files = {
        "src/make.ts": "const made = (n: number) => n\nexport const makeJar = made as unknown\n",
        "tests/make.test.ts": "function makeJar() {\n  return 1\n}\n\nit('makes', () => {\n  makeJar()\n})\n",
    }
    with bundle_of(files) as bundle:
        (named,) = named_in(bundle, "`makeJar`", analyse("`makeJar`"))
        assert ["src/make.ts"] == [bundle.file(bundle.symbol(each.symbol).file).path for each in named.groups]
