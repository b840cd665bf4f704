"""Options become a checked query, or an error that says what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from hardtack.errors import UsageError
from hardtack.nouns.model import FilterValue, Kind, Mode, Query, Tag
from hardtack.query.request.parse import parse_request
from hardtack.query.searcher import Searcher


def test_words_of_a_user_become_our_nouns(searcher: Searcher) -> None:
    expected = Query(
        text="jar",
        mode=Mode.KEYWORD,
        limit=100,
        filters=(
            FilterValue("languages", ("python",)),
            FilterValue("kinds", (Kind.CONSTANT, Kind.VARIABLE)),
            FilterValue("symbol_name", ("take_*",)),
            FilterValue("paths", ("src/**",)),
            FilterValue("excluded", ("*.md", "web/")),
            FilterValue("tags", (Tag.SERVICE,)),
            FilterValue("packages", ("pantry",)),
            FilterValue("parameter_type", ("Jar",)),
            FilterValue("returns", ("list[Jar]",)),
        ),
        min_score=0.25,
        further=100,
    )
    asked = parse_request(
        searcher.bundle,
        "jar",
        mode="keyword",
        limit=5000,
        further=10**40,
        languages=["py"],
        kinds=["const,VAR"],
        paths=["src/**"],
        excluded=["*.md", "web/"],
        tags=["Service"],
        symbol_name=" take_* ",
        packages=["pantry"],
        parameter_type="Jar ",
        returns="list[Jar]",
        min_score=0.25,
    )
    assert expected == asked


def test_halves_of_characters_are_asked_for_as_question_marks(searcher: Searcher) -> None:
    broken = "jar\ud800"
    names = ("symbol_name", "paths", "packages", "parameter_type", "returns")
    expected = Query(text="jar?", filters=tuple(FilterValue(name, ("jar?",)) for name in names))
    options: dict[str, Any] = dict.fromkeys(("symbol_name", "parameter_type", "returns"), broken)
    assert expected == parse_request(searcher.bundle, broken, paths=[broken], packages=[broken], **options)
    assert () == searcher.search(broken, symbol_name=broken).hits
    with pytest.raises(UsageError, match=r"^The bundle has no language 'jar\?'\.$"):
        parse_request(searcher.bundle, broken, languages=[broken])


def test_nothing_but_a_text_is_needed(searcher: Searcher) -> None:
    assert Query(text="jar") == parse_request(searcher.bundle, "jar")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_score": 1.5}, "A least score of 1.5 is impossible."),
        ({"min_score": -0.1}, "A least score of -0.1 is impossible."),
        ({"min_score": float("nan")}, "A least score of nan is impossible."),
        ({"before": -1}, "-1 for 'before' is impossible."),
        ({"further": -2}, "-2 for 'further' is impossible."),
        ({"limit": -3}, "A limit of -3 is impossible."),
        ({"kinds": ["class", "thing"]}, "There is no kind 'thing'."),
        ({"languages": ["py,cobol"]}, "The bundle has no language 'cobol'."),
        ({"tags": ["repo"]}, "There is no tag 'repo'."),
        ({"roles": ["tests"]}, "There is no role 'tests'."),
    ],
)
def test_what_cannot_be_meant_is_refused(searcher: Searcher, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_request(searcher.bundle, "jar", **options)
    assert (message, True) == (str(refused.value), bool(refused.value.hint))
