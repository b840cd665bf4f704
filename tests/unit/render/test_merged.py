"""Answers of several bundles: files of the same path are kept apart, and every hit names its bundle."""

from __future__ import annotations

import json

from hits import HIT

from hardtack.nouns.model import Answer, Answering, Hit, Mode, Place
from hardtack.render import RENDERERS, Style
from hardtack.render.json import fitted_as_json

README = HIT._replace(
    path="README.md",
    start_line=1,
    end_line=3,
    kind="section",
    name="About",
    qualified_name="About",
    signature="# About",
    snippet="# About\n\nWhat it is.",
    snippet_start_line=1,
    snippet_end_line=3,
)


def _of(name: str, **fields: object) -> Hit:
    return README._replace(index_name=name, **fields)  # type: ignore[arg-type]


ANSWER = Answer(
    query="about",
    mode=Mode.HYBRID,
    hits=(
        _of("one", also=(Place(path="COPY.md", line=7, index_name="three"),)),
        _of("two", rank=2, file_rank=2),
        _of("one", rank=3, snippet="more", snippet_start_line=9, snippet_end_line=9),
    ),
    truncated=False,
    hint="",
    bundle_digest="",
    bundle_commit="",
    bundle_name="",
    further=(Place(path="README.md", line=5, name="Use", qualified_name="Use", index_name="three"),),
    bundles=(
        Answering(index_name="one", digest="sha256:1", commit="c1"),
        Answering(index_name="two", digest="sha256:2", commit=""),
    ),
)


def test_files_of_one_path_in_two_bundles_are_two() -> None:
    headings = [line for line in RENDERERS["text"](ANSWER, Style()).splitlines() if line.endswith("0.900")]
    assert ["one:README.md:1-3", "  :9", "two:README.md:1-3"] == [heading.partition("  section")[0] for heading in headings]


def test_twins_and_further_files_name_their_bundles() -> None:
    for format_ in ("text", "markdown"):
        shown = RENDERERS[format_](ANSWER, Style())
        assert "three:COPY.md:7" in shown and "three:README.md:5" in shown


def test_json_names_the_bundles_that_answered_and_the_one_of_each_hit() -> None:
    document = json.loads(RENDERERS["json"](ANSWER, Style()))
    assert [
        {"digest": "sha256:1", "commit": "c1", "name": "one"},
        {"digest": "sha256:2", "name": "two"},
    ] == document["bundles"]
    assert ["one", "two", "one"] == [hit["index_name"] for hit in document["hits"]]
    assert ("three", "three") == (document["hits"][0]["also"][0]["index_name"], document["further"][0]["index_name"])
    assert "bundle" not in document


def test_what_is_shortened_still_names_its_bundle() -> None:
    long = ANSWER._replace(hits=(*(hit._replace(snippet="\n".join("x" * 80 for _ in range(40))) for hit in ANSWER.hits),))
    fitted = fitted_as_json(long, 600)
    assert ["one", "two", "one"] == [hit.index_name for hit in fitted.hits]
    assert len(fitted.hits[0].snippet) < len(long.hits[0].snippet)


def test_an_answer_of_one_bundle_names_none_with_its_hits() -> None:
    alone = ANSWER._replace(hits=(), further=())
    assert "index_name" not in RENDERERS["jsonl"](alone._replace(hits=(README,)), Style())
