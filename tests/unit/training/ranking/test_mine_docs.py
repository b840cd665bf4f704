"""Which documentation becomes a query, and that the blanked tree does not say it any more."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from mine_definitions import Definition, definitions_of, header_of
from mine_docs import as_query, first_sentence, mine_docs, without_doc

from hardtack.nouns.model import Kind


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("Waits between two attempts. Longer each time.", "Waits between two attempts"),
        ("Waits between\ntwo attempts of one request\n\nMore.", "Waits between two attempts of one request"),
        ('<summary>\nHolds the <see cref="T:Retry"/> budget of a client.\n</summary>', "Holds the Retry budget of a client"),
        ('<summary>Holds the budget of a client.</summary>\n<param name="x">What else.</param>', "Holds the budget of a client"),
        ("<summary>\nHolds the budget of a client\n</summary>\n<returns>It</returns>", "Holds the budget of a client"),
        ("Parses a {@link Document} from a stream.\n@param in the stream", "Parses a Document from a stream"),
        ("Parses a :class:`~shop.Document` from a ``stream``.", "Parses a shop.Document from a stream"),
        ("Hooks into the @cabal@ build phases.", "Hooks into the cabal build phases"),
    ],
)
def test_the_first_sentence_stands_without_markup(doc: str, expected: str) -> None:
    assert expected == first_sentence(doc)


@pytest.mark.parametrize(
    "doc",
    [
        "The budget.",
        "TODO make this wait longer each time",
        "Copyright 2020 the authors of this file",
        "Gets or sets the budget of a client.",
        "Initializes a new instance of the Budget class.",
        "See the page about budgets for what this does.",
        "x = budget(1); y = budget(2); return x + y;",
        "The budget of a client is one of the",
        "Ждёт между двумя попытками одного запроса.",
    ],
)
def test_what_says_nothing_of_its_own_is_no_query(doc: str) -> None:
    assert first_sentence(doc) is None


def test_the_name_a_sentence_begins_with_is_left_off_every_other_time() -> None:
    sentences = [f"Budget tells how often one may retry in {number} seconds" for number in range(20)]
    shortened = [as_query(sentence, "Budget") for sentence in sentences]
    assert {True, False} == {query.startswith("Budget") for query in shortened}
    assert all(query in sentence for query, sentence in zip(shortened, sentences, strict=True))


CODE = '''"""Everything about retrying.

Second paragraph.
"""

import time


class Budget:
    """How often a client may
    try again.

    Kept by host.
    """

    def spend(self):
        """Takes one attempt out of the budget."""
        return time.time()
'''


def test_the_first_paragraph_is_blanked_and_every_line_stays(tmp_path: Path) -> None:
    (tmp_path / "retry.py").write_text(CODE)
    definitions = definitions_of(tmp_path, ["retry.py"], "python")
    budget = next(each for each in definitions if each.name == "Budget")
    blanked = without_doc(CODE, budget)
    assert blanked is not None
    assert len(CODE.split("\n")) == len(blanked.split("\n"))
    assert "How often" not in blanked
    assert "try again" not in blanked
    assert "Kept by host." in blanked
    compile(blanked, "retry.py", "exec")


def test_documentation_that_is_not_found_line_by_line_is_not_blanked() -> None:
    definition = Definition(path="a.py", kind=Kind.CLASS, name="A", qualified_name="A", doc="Said nowhere.", lines=range(1, 3))
    assert without_doc("class A:\n    pass\n", definition) is None


def test_queries_are_asked_of_texts_that_no_longer_hold_them(tmp_path: Path) -> None:
    other = CODE.replace("How often a client may\n    try again.", "What a server lets pass.").replace("Everything", "Nothing")
    texts = {"retry.py": CODE, "server.py": other}
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    queries, blanked = mine_docs(definitions_of(tmp_path, texts, "python"), texts, most=10)
    asked = {query["query"]: query["relevant"] for query in queries}
    assert ["retry.py"] == asked["How often a client may try again"]
    assert ["server.py"] == asked["What a server lets pass"]
    assert "Everything about retrying" not in asked, "three words are too few"
    assert not any(str(query["query"]).startswith("Takes one attempt") for query in queries), "said in two files"
    assert all(str(query["query"]) not in " ".join(blanked[cast("list[str]", query["relevant"])[0]].split()) for query in queries)


def test_a_sentence_that_is_said_again_in_its_file_is_not_asked_for(tmp_path: Path) -> None:
    again = CODE + "\n# How often a client may try\n# again, once more.\n"
    (tmp_path / "retry.py").write_text(again)
    queries, _ = mine_docs(definitions_of(tmp_path, ["retry.py"], "python"), {"retry.py": again}, most=10)
    assert ["Takes one attempt out of the budget"] == [query["query"] for query in queries]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("//! Frames of the wire protocol.\n//! And more.\n\nuse std;\n", ("Frames of the wire protocol.\nAnd more.", range(1, 3))),
        ("#!/bin/sh\n# Starts the server.\n\nset -e\n", ("Starts the server.", range(2, 3))),
        ("/*\n * Copyright 2020\n */\n\n/* Event loop. */\nint x;\n", ("Event loop.", range(5, 6))),
        ("{- |\nParses plans.\n-}\nmodule Plan where\n", ("Parses plans.", range(1, 4))),
        ("int x;\n// Not a header.\n", None),
    ],
)
def test_the_header_of_a_file_is_its_first_comment_that_is_no_notice(text: str, expected: tuple[str, range] | None) -> None:
    assert expected == header_of(text.splitlines())
