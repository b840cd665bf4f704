"""An issue is searched for by its title and by the most telling words of its body."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bundles import opened

from hardtack.bundle.reader import Bundle
from hardtack.query.request.aspects import BODY, MOST_BODY_TERMS, QUESTION, TITLE, read_text

PROSE = "The shelf is full and nobody is told of it, which is wrong, as people look for their jars and find none of them there."


@pytest.fixture(scope="module")
def pantry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    files = {f"{name}.py": f"def {name}():\n    return 'shelf'\n" for name in ("jar", "vinegar", "lid")}
    with opened(tmp_path_factory.mktemp("pantry"), files) as bundle:
        yield bundle


def test_a_question_has_one_aspect_and_an_issue_two(pantry: Bundle) -> None:
    assert [QUESTION] == [aspect.name for aspect in read_text(pantry, "where is vinegar kept", {}).aspects]
    assert [TITLE, BODY] == [aspect.name for aspect in read_text(pantry, f"Jars leak\n\n{PROSE}\n{PROSE}", {}).aspects]


def test_a_word_of_the_title_weighs_more_than_one_of_code_and_one_of_the_template_nothing(pantry: Bundle) -> None:
    text = f"Jars leak vinegar\n{PROSE}\n```\nbrine = pour(gherkin)\n```\n#### Steps to reproduce\n"
    weights = read_text(pantry, text, {}).analysis.weights
    assert weights["vinegar"] > weights["nobody"] > weights["gherkin"] > 0
    assert "reproduce" not in weights


def test_only_the_most_telling_words_are_looked_up_however_long_the_issue(pantry: Bundle) -> None:
    text = f"Jars leak vinegar\n{PROSE}\n" + "\n".join(f"and then word{number}x came" for number in range(4000))
    reading = read_text(pantry, text, {})
    assert MOST_BODY_TERMS == len(reading.analysis.content_terms)
    assert {"vinegar", "jars"} <= set(reading.analysis.content_terms)


def test_sorts_of_files_are_asked_for_by_the_title_alone(pantry: Bundle) -> None:
    body = f"{PROSE} I wrote a test and an example and looked at the documentation."
    assert () == read_text(pantry, f"Jars leak\n{body}\n{PROSE}", {}).analysis.subjects
    assert ("test",) == read_text(pantry, f"Flaky test of jars\n{body}\n{PROSE}", {}).analysis.subjects
