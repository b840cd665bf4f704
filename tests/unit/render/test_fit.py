"""Every format keeps its budget, to the character, and spends it on the best hits first."""

from __future__ import annotations

import json
import re

import pytest
from hits import HIT

from hardtack.nouns.model import Answer, Hit, Mode, Place
from hardtack.render import RENDERERS, Style
from hardtack.render.text import shortened

FORMATS = ("text", "markdown", "json", "jsonl")


def _hit(rank: int, path: str, lines: int, **fields: object) -> Hit:
    snippet = "\n".join(f"{path} line {number} of hit {rank} \x1b`é`" for number in range(100, 100 + lines))
    hit = HIT._replace(
        path=path,
        start_line=100,
        end_line=100 + lines,
        score=1 / rank,
        rank=rank,
        name=f"name{rank}",
        qualified_name=f"Scope.name{rank}",
        signature=f"def name{rank}()",
        snippet=snippet,
        snippet_start_line=100,
        snippet_end_line=99 + lines,
        match_line=100 + lines // 2,
        selection_line=101,
        imports="import a\nimport b",
        related=("def other()",),
    )
    return hit._replace(**fields)  # type: ignore[arg-type]


HITS = (
    _hit(1, "src/first.py", 40),
    _hit(2, "src/second.py", 3),
    _hit(3, "src/first.py", 50, also=(Place(path="copy/first.py", line=7),)),
    _hit(4, "src/`odd```.py", 30, context_before="before", context_after="after\n"),
    *(_hit(rank, f"src/file{rank}.py", 20) for rank in range(5, 11)),
)
ANSWER = Answer(
    query="what",
    mode=Mode.HYBRID,
    hits=HITS,
    truncated=False,
    hint="This bundle has no vectors.",
    bundle_digest="sha256:" + "0" * 64,
    bundle_commit="",
    bundle_name="pantry",
    further=tuple(Place(path=f"far/away{number}.py", line=number, name="x", qualified_name="y.x") for number in range(1, 60)),
)
NONE_OF_IT = ANSWER._replace(hits=(), further=(), truncated=True, hint="")


@pytest.mark.parametrize("style", [Style(), Style(reasons=True, color=True, columns=60)], ids=["plain", "dressed"])
@pytest.mark.parametrize("format_", FORMATS)
def test_an_answer_never_takes_more_than_its_budget(format_: str, style: Style) -> None:
    envelope = len(RENDERERS[format_](NONE_OF_IT, style))
    assert (envelope == 0) == (format_ != "json")
    for tokens in (*range(1, 400, 17), *range(400, 8000, 317)):
        rendered = RENDERERS[format_](ANSWER, style._replace(max_tokens=tokens))
        if format_ == "json":  # laid out for a terminal or not, it is the same document
            rendered = json.dumps(json.loads(rendered), ensure_ascii=False)
        assert len(rendered.encode() if format_ == "json" else rendered) <= max(4 * tokens, envelope), tokens


@pytest.mark.parametrize("format_", FORMATS)
def test_a_budget_that_holds_everything_changes_nothing(format_: str) -> None:
    everything = RENDERERS[format_](ANSWER, Style(max_tokens=10**6))
    small = RENDERERS[format_](ANSWER, Style(max_tokens=len(everything) // 4 - 50))
    least = 0.85 if format_ == "json" else 0.9  # room is left for what the tools give besides
    assert len(everything) * least < len(small) < len(everything)
    if format_ in ("json", "jsonl"):
        assert everything == RENDERERS[format_](ANSWER, Style())


@pytest.mark.parametrize("format_", ["text", "markdown"])
def test_no_line_is_cut(format_: str) -> None:
    whole = set(RENDERERS[format_](ANSWER, Style(max_tokens=10**6)).splitlines())
    code = {line for line in whole if " line " in line}
    assert len(code) > 200
    for tokens in range(50, 4000, 391):
        for line in RENDERERS[format_](ANSWER, Style(max_tokens=tokens)).splitlines():
            assert line in whole or " line " not in line


def test_the_more_room_the_more_is_shown() -> None:
    sizes = [len(RENDERERS["markdown"](ANSWER, Style(max_tokens=tokens))) for tokens in (100, 200, 400, 800, 1600, 3200)]
    assert sorted(set(sizes)) == sizes


def test_every_hit_has_its_line_before_any_has_its_code() -> None:
    names = [f"name{rank}" for rank in (1, 3, 2, *range(4, 11))]
    with_code = 0
    for tokens in range(20, 600, 20):
        rendered = RENDERERS["markdown"](ANSWER, Style(max_tokens=tokens))
        with_code += " line " in rendered
        assert names == re.findall(r"name\d+", rendered) or " line " not in rendered
    assert 5 < with_code < 25


def test_the_best_hits_are_shown_whole_and_later_ones_around_their_match() -> None:
    rendered = RENDERERS["json"](ANSWER, Style(max_tokens=5500))
    hits = json.loads(rendered)["hits"]
    shown = [hit["snippet"].count("\n") + 1 if "snippet" in hit else 0 for hit in hits]
    assert [40, 3] == shown[:2]
    assert 0 < shown[9] < 20
    last = hits[9]
    assert last["snippet_start_line"] <= last["match_line"] <= last["snippet_end_line"]
    assert HITS[9].snippet.split("\n")[last["snippet_start_line"] - 100 :][: shown[9]] == last["snippet"].split("\n")
    assert "imports" not in last


def test_what_does_not_fit_is_left_out_from_the_end_and_said() -> None:
    document = json.loads(RENDERERS["json"](ANSWER, Style(max_tokens=500)))
    ranks = [hit["rank"] for hit in document["hits"]]
    assert list(range(1, len(ranks) + 1)) == ranks
    assert (True, True, False) == (0 < len(ranks) < 10, document["truncated"], "further" in document)


def test_the_same_budget_gives_the_same_json_on_a_terminal_and_in_a_pipe() -> None:
    for tokens in (300, 1000, 4000):
        piped, shown = (RENDERERS["json"](ANSWER, Style(max_tokens=tokens, columns=columns)) for columns in (0, 80))
        assert json.loads(piped) == json.loads(shown)


def test_markdown_is_bounded_unless_it_is_told_otherwise() -> None:
    assert 7000 < len(RENDERERS["markdown"](ANSWER, Style())) <= 8000
    assert len(RENDERERS["text"](ANSWER, Style())) < len(RENDERERS["text"](ANSWER, Style(max_tokens=10**6)))


@pytest.mark.parametrize(
    ("match", "selection", "count", "first", "last"),
    [
        (125, 101, 60, 100, 139),  # more than there is
        (105, 101, 8, 101, 108),  # the definition leads to the match
        (125, 101, 8, 123, 130),  # too far from the definition: around the match
        (139, 101, 8, 132, 139),  # never past the end
        (100, 120, 9, 117, 125),  # the match is in the documentation: its end, and the definition
        (119, 120, 9, 119, 127),  # both are near
        (125, 10, 8, 123, 130),  # the definition is elsewhere
        (125, None, 8, 123, 130),
    ],
)
def test_the_lines_that_are_left_begin_with_the_definition_or_lie_around_the_match(
    match: int, selection: int | None, count: int, first: int, last: int
) -> None:
    hit = shortened(_hit(1, "a.py", 40, match_line=match, selection_line=selection), count)
    assert (first, last) == (hit.snippet_start_line, hit.snippet_end_line)
    assert [f"a.py line {line} of hit 1 \x1b`é`" for line in range(first, last + 1)] == hit.snippet.split("\n")
    assert ("", ()) == (hit.imports, hit.related)


@pytest.mark.parametrize(
    ("hit", "left", "line"),
    [
        (_hit(1, "a.py", 4, snippet="a\n\n\nb", match_line=103, selection_line=None), "b", 103),
        (_hit(1, "a.py", 4, snippet="def f():\n\n\n    pass", match_line=100, selection_line=100), "def f():", 100),
    ],
    ids=["beginning", "end"],
)
def test_blank_lines_at_the_beginning_and_the_end_are_not_worth_showing(hit: Hit, left: str, line: int) -> None:
    cut = shortened(hit, 3)
    assert (left, line, line) == (cut.snippet, cut.snippet_start_line, cut.snippet_end_line)


def test_a_hit_without_lines_says_where_it_is() -> None:
    hit = shortened(HITS[0], 0)
    assert ("", None, None) == (hit.snippet, hit.snippet_start_line, hit.snippet_end_line)
