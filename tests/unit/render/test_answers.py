"""Each format of one answer equals its file in ``fixtures/answers``; a change is reviewed as the diff of that folder.

``pytest tests/languages tests/unit/render --update-golden`` writes the files anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hits import HIT

from hardtack.nouns.model import Answer, Hit, Mode, Place
from hardtack.render import RENDERERS, Style
from hardtack.render.schema import HIT_FIELDS, PLACE_FIELDS

ANSWERS = Path(__file__).parents[3] / "fixtures" / "answers"

FULL = HIT._replace(
    score=0.999945,
    snippet="def take_oldest(self) -> Jar:\n\treturn self.jars.pop()\n" + "\n".join(f"# line {n}" for n in range(3, 12)),
    freshness="changed",
    reasons=("defines method Shelf.take_oldest", "is a test"),
    snippet_start_line=13,
    snippet_end_line=23,
    match_line=14,
    selection_line=13,
    imports="package pantry\n\nimport jars",
    related=("def put(self, jar: Jar) -> None",),
    also=(Place(path="old/shelf.py", line=9, kind="method", name="take_oldest", qualified_name="Shelf.take_oldest"),),
)
SPARSE = HIT._replace(
    path="docs/größe.txt",
    start_line=1,
    end_line=1,
    score=0.0,
    rank=2,
    language="text",
    kind="",
    name="",
    qualified_name="",
    signature="",
    package="",
    snippet="",
    match_type="semantic",
    vector_score=0.0,
    keyword_score=None,
    reasons=(),
    file_rank=2,
)
HOSTILE = FULL._replace(
    path="odd/`name`\x1b[2J.md",
    rank=3,
    language="markdown",
    kind="section",
    name="a `b`",
    score=0.123456,
    qualified_name="Top.a `b` \u202etxt",
    snippet="````python\nprint('\x1b[31mred')\n````\n```\n \U000e0041 end\r",
    freshness="deleted",
    match_type="keyword",
    vector_score=None,
    reasons=("is named like \x9b31m",),
    file_rank=3,
    imports="",
    related=(),
    also=tuple(Place(path=f"odd/`copy`\x1b{number}.md", line=number) for number in range(1, 8)),
)
SECOND = FULL._replace(  # of the first one's file, with the lines that were asked for around it
    rank=4,
    start_line=40,
    end_line=41,
    name="put",
    qualified_name="Shelf.put",
    freshness="unknown",
    snippet="def put(self, jar: Jar) -> None:\n    self.jars.append(jar)",
    snippet_start_line=40,
    snippet_end_line=41,
    match_line=41,
    selection_line=40,
    context_before="    # Jars are put in front.\n",
    context_after="\n    # end",
    imports="",
    related=(),
    also=(),
)
FURTHER = (
    Place(path="src/pantry/jar.py", line=3, kind="class", name="Jar", qualified_name="Jar"),
    Place(path="src/pantry/label.py", line=30, kind="function", name="parse", qualified_name="Label.parse"),
    Place(path="odd/```.md", line=1, kind="section", name="\u202e x\ny", qualified_name="\u202e x\ny"),
    Place(path="README.md", line=1),
)
ANSWER = Answer(
    query="the oldest “jar” <&>",
    mode=Mode.HYBRID,
    hits=(FULL, SPARSE, HOSTILE, SECOND),
    truncated=True,
    hint="This bundle has no vectors: hits are by keyword alone.",
    bundle_digest="sha256:" + "0" * 64,
    bundle_commit="1" * 40,
    bundle_name="pantry",
    further=FURTHER,
)
NOTHING = ANSWER._replace(hits=(), further=(), truncated=False, hint="Nothing found; try other words.", bundle_commit="")

CASES = {
    "answer.txt": (ANSWER, "text", Style()),
    "answer.why.txt": (ANSWER, "text", Style(reasons=True)),
    "answer.color.txt": (ANSWER, "text", Style(color=True, reasons=True)),
    "answer.narrow.txt": (ANSWER, "text", Style(columns=30)),
    "answer.small.txt": (ANSWER, "text", Style(max_tokens=150)),
    "answer.md": (ANSWER, "markdown", Style()),
    "answer.small.md": (ANSWER, "markdown", Style(max_tokens=150)),
    "answer.why.md": (ANSWER, "markdown", Style(reasons=True)),
    "answer.json": (ANSWER, "json", Style()),
    "answer.indented.json": (ANSWER, "json", Style(columns=80)),
    "answer.jsonl": (ANSWER, "jsonl", Style()),
    "nothing.txt": (NOTHING, "text", Style()),
    "nothing.md": (NOTHING, "markdown", Style()),
    "nothing.json": (NOTHING, "json", Style()),
    "nothing.jsonl": (NOTHING, "jsonl", Style()),
}


@pytest.mark.parametrize("name", CASES)
def test_an_answer_reads_as_it_was_reviewed(name: str, request: pytest.FixtureRequest) -> None:
    answer, format_, style = CASES[name]
    actual = RENDERERS[format_](answer, style).encode()
    if request.config.getoption("--update-golden", default=False):
        (ANSWERS / name).write_bytes(actual)
    assert (ANSWERS / name).read_bytes() == actual


def test_every_kept_answer_belongs_to_a_case() -> None:
    kept = [path.name for path in ANSWERS.iterdir() if path.name.startswith(("answer.", "nothing."))]
    assert sorted(CASES) == sorted(kept)


@pytest.mark.parametrize("format_", RENDERERS)
def test_whatever_is_rendered_ends_with_a_line_and_obeys_no_control_character(format_: str) -> None:
    rendered = RENDERERS[format_](ANSWER, Style(reasons=True))
    assert rendered.endswith("\n")
    if format_ in ("text", "markdown"):
        assert [] == [letter for letter in rendered if letter in "\x1b\x9b\r\u202e\U000e0041"]
    assert "\x1b" not in rendered


def test_a_snippet_cannot_close_its_fence() -> None:
    lines = RENDERERS["markdown"](ANSWER._replace(hits=(HOSTILE,), further=(), hint=""), Style()).splitlines()
    assert ["`````markdown", "`````"] == [line for line in lines if line.startswith("`````")]


def test_the_fields_of_a_hit_are_pinned_with_their_order() -> None:
    fields = (
        "path start_line end_line score rank chunk_id language kind name qualified_name signature package snippet match_type"
        " vector_score keyword_score freshness reasons file_rank snippet_start_line snippet_end_line match_line selection_line"
        " context_before context_after imports related also current_start_line current_end_line index_name"
    )
    assert fields == " ".join(HIT_FIELDS)
    assert list(HIT_FIELDS) == list(Hit._fields)
    assert list(PLACE_FIELDS) == list(Place._fields)


def test_json_has_its_keys_in_order_and_leaves_out_what_says_nothing() -> None:
    document: dict[str, Any] = json.loads(RENDERERS["json"](ANSWER, Style()))
    assert ["schema", "bundle", "query", "mode", "hits", "truncated", "further", "hint"] == list(document)
    assert "hardtack.search/1" == document["schema"]
    assert ["digest", "commit", "name"] == list(document["bundle"])
    full, sparse, hostile, second = document["hits"]
    assert [field for field in HIT_FIELDS if not field.startswith(("context", "current", "index_name"))] == list(full)
    assert ("    # Jars are put in front.\n", "\n    # end") == (second["context_before"], second["context_after"])
    assert [{"path": "README.md", "line": 1}] == document["further"][3:]
    expected = "path start_line end_line score rank chunk_id language match_type vector_score freshness file_rank"
    assert expected.split() == list(sparse)
    assert (0.0, 0.0) == (sparse["score"], sparse["vector_score"])  # a number always says something
    assert HOSTILE.snippet == hostile["snippet"]
    nothing = json.loads(RENDERERS["json"](NOTHING, Style()))
    assert ({"digest": NOTHING.bundle_digest, "name": "pantry"}, []) == (nothing["bundle"], nothing["hits"])


def test_json_lines_are_the_hits_of_the_json_document() -> None:
    document = json.loads(RENDERERS["json"](ANSWER, Style()))
    lines = RENDERERS["jsonl"](ANSWER, Style()).splitlines()
    assert document["hits"] == [json.loads(line) for line in lines]


def test_indenting_changes_nothing_but_white_space() -> None:
    flat, indented = (RENDERERS["json"](ANSWER, Style(columns=columns)) for columns in (0, 80))
    assert (1, True) == (flat.count("\n"), indented.count("\n") > 20)
    assert json.loads(flat) == json.loads(indented)
