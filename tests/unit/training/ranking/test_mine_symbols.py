"""Which names are asked for, how they are written, and what pages say of them."""

from __future__ import annotations

from typing import cast

import pytest
from mine_definitions import Definition
from mine_headings import found_in, homes_of, shares_a_word
from mine_symbols import mine_symbols

from hardtack.nouns.model import Kind


def definition(path: str, kind: Kind, qualified_name: str, lines: range = range(1, 9)) -> Definition:
    name = qualified_name.rpartition(".")[2]
    return Definition(path=path, kind=kind, name=name, qualified_name=qualified_name, doc="", lines=lines)


def asked(
    definitions: list[Definition], language: str = "go", most: int = 20, texts: dict[str, str] | None = None
) -> dict[str, str]:
    queries = mine_symbols(definitions, texts or {}, language, most=most)
    return {str(query["query"]): cast("list[str]", query["relevant"])[0] for query in queries}


def test_a_name_that_two_files_define_is_not_asked_for() -> None:
    definitions = [
        definition("a.go", Kind.STRUCT, "RetryBudget"),
        definition("a.go", Kind.STRUCT, "Client"),
        definition("b.go", Kind.STRUCT, "Client"),
    ]
    assert {"RetryBudget": "a.go"} == asked(definitions)


def test_a_plain_word_is_no_name_to_search_for() -> None:
    definitions = [definition("a.c", Kind.FUNCTION, "free"), definition("b.c", Kind.FUNCTION, "free_budget")]
    assert {"free_budget": "b.c"} == asked(definitions, "c")


def test_an_alias_or_a_prototype_in_c_is_not_taken_for_the_definition() -> None:
    definitions = [
        definition("budget.h", Kind.TYPE, "budget_t", range(1, 2)),
        definition("budget.h", Kind.FUNCTION, "budget_spend"),
        definition("budget.c", Kind.STRUCT, "budget_state"),
    ]
    assert {"budget_state": "budget.c"} == asked(definitions, "c")


@pytest.mark.parametrize(("language", "expected"), [("java", "Budget.spend"), ("rust", "Budget::spend")])
def test_a_member_is_qualified_as_the_language_writes_it(language: str, expected: str) -> None:
    definitions = [definition("budget", Kind.CLASS, "shop.Budget"), definition("budget", Kind.METHOD, "shop.Budget.spend")]
    assert expected in asked(definitions, language)


def test_a_function_within_a_function_is_not_qualified() -> None:
    definitions = [definition("a.sh", Kind.FUNCTION, "outer_step"), definition("b.sh", Kind.FUNCTION, "outer_step.inner")]
    assert {"outer_step": "a.sh"} == asked(definitions, "bash")


def test_names_that_other_files_speak_of_come_first() -> None:
    definitions = [definition(f"{name}.py", Kind.CLASS, name) for name in ("Rarely", "Often", "Never")]
    texts = {f"use{number}.py": "Often()" for number in range(20)} | {"once.py": "Rarely()"}
    assert {"Often": "Often.py"} == asked(definitions, "python", most=1, texts=texts)


def test_every_sixth_query_names_the_kind() -> None:
    definitions = [definition(f"{letter}.py", Kind.CLASS, f"Type{letter}") for letter in "ABCDEF"]
    assert [False] * 5 + [True] == [query.endswith(" class") for query in asked(definitions, "python")]


HOMES = {"RetryPolicy": "src/retry.py", "RetryPolicy.wait": "src/retry.py", "ClientPool": "src/pool.py"}


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("`RetryPolicy` is a class that decides when to try\nagain.", ("class that decides when to try again", ("src/retry.py",))),
        ("* `RetryPolicy.wait()` - waits a little longer each time.", ("waits a little longer each time", ("src/retry.py",))),
        ("`ClientPool` is adopted by clients of every kind.", ("adopted by clients of every kind", ("src/pool.py",))),
        ("The `ClientPool` class keeps idle connections open.", ("keeps idle connections open", ("src/pool.py",))),
        ("## Waiting between attempts\n\nUse `RetryPolicy`, or `RetryPolicy`.", ("Waiting between attempts", ("src/retry.py",))),
    ],
)
def test_a_page_yields_what_it_says_of_names_without_the_names(page: str, expected: tuple[str, tuple[str, ...]] | None) -> None:
    assert [expected] == [(found.query, found.paths) for found in found_in(page, HOMES)]


@pytest.mark.parametrize(
    "page",
    [
        "`Unknown` keeps idle connections open.",
        "`RetryPolicy` is now chosen by the client that waits.",
        "`RetryPolicy` decides how long to wait for the",
        "## Getting started\n\nUse `RetryPolicy`, then `RetryPolicy`.",
        "## Release 2.0 of things\n\nUse `RetryPolicy`, then `RetryPolicy`.",
        "## Waiting between attempts\n\nUse `RetryPolicy` once.",
        "```\n`ClientPool` keeps idle connections open.\n```",
    ],
)
def test_a_page_about_the_past_or_about_nothing_known_yields_nothing(page: str) -> None:
    assert [] == list(found_in(page, HOMES))


def test_homes_are_names_with_one_file_and_more_than_one_word() -> None:
    definitions = [
        definition("a.py", Kind.CLASS, "RetryPolicy"),
        definition("a.py", Kind.FUNCTION, "wait"),
        definition("a.py", Kind.FUNCTION, "wait_long"),
        definition("b.py", Kind.FUNCTION, "wait_long"),
    ]
    assert {"RetryPolicy": "a.py"} == homes_of(definitions)


def test_a_heading_is_taken_for_a_file_that_says_one_of_its_words() -> None:
    assert shares_a_word("Uploading files with forms", "def upload(form): ...")
    assert not shares_a_word("Guided tour with this", "with this guitar one turns")
