"""The shapes of answers: the same flags in every verb that answers, one place a line in text, counts, a bound."""

from __future__ import annotations

import json
import re
from typing import Any

import click
import pytest
from command_line import Run

from hardtack.cli.main import VERBS, commands
from hardtack.render import RENDERERS

ASKED: dict[str, list[str]] = {
    "callers": ["put"],
    "define": ["Shelf"],
    "explain": ["oldest jar"],
    "explore": ["who calls Shelf.put"],
    "exports": ["label"],
    "function": ["take_oldest"],
    "grep": ["shelf"],
    "history": ["README.md"],
    "implementations": ["Printer"],
    "list": [],
    "ls": [],
    "map": [],
    "references": ["Jar"],
    "search": ["Shelf"],
    "similar": ["src/pantry/shelf.py:46"],
    "stats": [],
    "status": [],
}
"""A verb that answers from a bundle -> arguments to which the pantry has an answer."""
LISTS = sorted({*ASKED} - {"explain", "explore", "map", "stats", "status"})
REPORTED_OTHERWISE = {
    "build",
    "cat",
    "ci",
    "clear",
    "comment",
    "completion",
    "doctor",
    "export",
    "fleet",
    "gc",
    "init",
    "install",
    "merge",
}
REPORTED_OTHERWISE |= {"pack", "page", "publish", "pull", "savings", "serve", "tool", "verify"}
"""Verbs that do something, and say what they did."""


def _formats(verb: str) -> list[str]:
    params = commands.get_command(None, verb).params  # type: ignore[arg-type,union-attr]
    return next(([*each.type.choices] for each in params if each.name == "format_" and isinstance(each.type, click.Choice)), [])


@pytest.mark.parametrize("verb", sorted({*VERBS} - REPORTED_OTHERWISE))
def test_every_verb_that_answers_takes_the_same_formats(verb: str) -> None:
    assert [*RENDERERS] == _formats(verb)


@pytest.mark.parametrize("format_", RENDERERS)
@pytest.mark.parametrize("verb", ASKED)
def test_every_format_of_every_answer_is_what_it_says(run: Run, verb: str, format_: str) -> None:
    done = run(verb, *ASKED[verb], "--format", format_)
    assert (0, None) == (done.return_value, done.exception)
    assert done.stdout.endswith("\n")
    if format_ == "json":
        assert json.loads(done.stdout)["schema"] == f"hardtack.{'search' if verb == 'similar' else verb}/1"
        assert done.stdout == run(verb, *ASKED[verb], "--json").stdout or verb in ("explain", "status")  # these have times in them
    if format_ == "jsonl":
        assert all(isinstance(json.loads(line), dict) for line in done.stdout.splitlines())


@pytest.mark.parametrize("verb", LISTS)
def test_every_list_takes_a_bound_and_says_that_more_is_left_out(run: Run, verb: str) -> None:
    whole = run(verb, *ASKED[verb], "--format", "jsonl").stdout.splitlines()
    few = run(verb, *ASKED[verb], "--format", "jsonl", "--limit", "1")
    assert whole[:1] == few.stdout.splitlines()
    few = run(verb, *ASKED[verb], "--limit", "1")
    if len(whole) > 1 and verb not in ("search", "similar"):  # these rank, and end nowhere
        assert re.search("more", few.stderr), verb


@pytest.mark.parametrize("verb", LISTS)
def test_every_list_can_be_counted(run: Run, verb: str) -> None:
    lines = run(verb, *ASKED[verb], "-c").stdout.splitlines()
    assert lines
    assert all(re.fullmatch(r".+:[1-9]\d*", line) for line in lines), lines
    assert "are given as text." in str(run(verb, *ASKED[verb], "-c", "--format", "json").exception)


def _places(text: str) -> list[Any]:
    return [re.fullmatch(r"([^:\s]+):(\d+):(?:\d+:)? ?(.*)", line) for line in text.splitlines()]


@pytest.mark.parametrize("verb", ["callers", "exports", "grep", "implementations", "references"])
def test_a_list_of_places_is_one_place_a_line(run: Run, verb: str) -> None:
    places = _places(run(verb, *ASKED[verb]).stdout)
    assert places
    assert all(places)


def test_a_history_is_one_commit_a_line_and_its_scope_a_remark(run: Run) -> None:
    done = run("history", "README.md")
    assert re.fullmatch(r"[0-9a-f]{12} \d{4}-\d\d-\d\d all of it  \[\d+ files, .*\]\n", done.stdout)
    assert "commits of the line of first parents" in done.stderr
    assert run("history", "README.md", "--format", "markdown").stdout.startswith("# History: `README.md`\n")
