"""What is read of a command line without click is what click reads; what is unusual is left to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.cli import flags
from hardtack.cli.flags import SEARCH, said
from hardtack.cli.main import commands
from hardtack.cli.search import command
from hardtack.cli.searching import plain_search, search
from hardtack.query.asking import ask

VALUES = st.sampled_from(
    ["python", "src/", "", "a b", "-", "-1", "--", "0", "3", "007", "1e3", "٣", "1_0", "9" * 12, "json", "hybrid"]
)
FLAGS = st.sampled_from([name for flag in SEARCH for name in flag.names])
ARGUMENTS = st.one_of(
    FLAGS.map(lambda name: [name]),
    st.tuples(FLAGS, VALUES).map(list),
    st.tuples(FLAGS, VALUES).map(lambda each: ["=".join(each)]),
    VALUES.map(lambda value: [value]),
    st.sampled_from([["--checkout", "."], ["--min-score", "0.5"], ["--help"], ["-n5"], ["--form", "json"], ["--nothing"]]),
)
LINES = st.lists(ARGUMENTS, max_size=4).map(lambda groups: ["word", *(argument for group in groups for argument in group)])


def by_click(arguments: list[str]) -> dict[str, Any]:
    with command.make_context("search", list(arguments)) as context:
        return context.params


def plainly(arguments: list[str]) -> dict[str, Any]:
    words, given_ = said(arguments, SEARCH) or ((), {})
    return {**by_click(["word"]), "query": words, **given_}


@given(LINES)
def test_whatever_is_read_plainly_is_what_click_reads(arguments: list[str]) -> None:
    if said(arguments, SEARCH) is not None:
        assert by_click(arguments) == plainly(arguments)


@pytest.mark.parametrize("flag", SEARCH, ids=lambda flag: flag.to)
def test_every_flag_is_read_plainly(flag: flags.Flag) -> None:
    value = {int: "7"}.get(flag.kind, flag.choices[-1] if flag.choices else "it")
    for name in flag.names:
        lines = [[name, "word"]] if flag.kind is bool else [["word", name, value], [name, value, "word"]]
        if flag.kind is not bool and name.startswith("--"):
            lines.append(["word", f"{name}={value}"])
        for line in lines:
            assert by_click(line) == plainly(line)


@pytest.mark.parametrize(
    "arguments",
    [
        *(
            [],
            ["--lang", "python"],
            ["a", "--help"],
            ["a", "-h"],
            ["a", "--nothing"],
            ["a", "-n5"],
            ["a", "-n=5"],
            ["a", "--limit"],
        ),
        *(["a", "-n", "five"], ["a", "-n", "-5"], ["a", "--further", "-1"], ["a", "--max-tokens", "0"], ["a", "--mode", "none"]),
        *(["a", "--json=yes"], ["--"], ["a", "-"], ["a", "--lang", "-x"], ["a", "-n", "1" * 5000]),
        *(["a", "--checkout", "."], ["a", "--encoder", "hashing"], ["a", "--min-score", "1"]),
    ],
)
def test_what_is_unusual_or_wrong_is_left_to_click(arguments: list[str]) -> None:
    assert said(arguments, SEARCH) is None
    assert plain_search(arguments) is None


def test_what_no_flag_says_is_for_the_search_what_it_is_for_click() -> None:
    by_default = by_click(["word"])
    own = search.__kwdefaults__
    assert own == {name: by_default[name] for name in own}
    for_the_library = {name: value for name, value in by_default.items() if name not in {"query", *own}}
    assert for_the_library
    defaults = {**ask.__kwdefaults__, "mode": ask.__kwdefaults__["mode"].value}
    assert for_the_library == {name: defaults[name] for name in for_the_library}


@pytest.mark.parametrize("said_in", ["flag", "variable"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["Shelf", "-n", "2"], 0),
        (["a jar", "on a shelf", "--lang=python", "--format", "json", "--further", "3"], 0),
        (["Shelf", "--no-smart-context", "--why", "--color", "always"], 0),
        (["Shelf", "--kind", "nonsense", "--json"], 2),
        (["Shelf", "--digest", "sha256:" + 64 * "0"], 3),
        (["zzzzqqq", "--mode", "keyword", "--name", "zzzz"], 1),
        (["-n", "1", "--", "a jar", "--json", "-x"], 0),
    ],
)
def test_both_ways_print_and_leave_alike(
    arguments: list[str], code: int, said_in: str, pantry_bundle: Path, tmp_path: Path
) -> None:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("HARDTACK_")}
    if said_in == "variable":
        variables["HARDTACK_BUNDLE"] = str(pantry_bundle)
    else:
        arguments = ["-b", str(pantry_bundle), *arguments]
    assert plain_search(arguments) is not None
    done = [
        subprocess.run([sys.executable, *how, "search", *arguments], capture_output=True, cwd=tmp_path, env=variables, check=False)
        for how in (["-m", "hardtack"], ["-c", "from hardtack.cli.main import main; main()"])
    ]
    assert [code, code] == [each.returncode for each in done]
    assert (done[0].stdout, done[0].stderr) == (done[1].stdout, done[1].stderr)


def test_an_encoder_that_cannot_be_meant_is_a_sentence_here_too(pantry_bundle: Path) -> None:
    command_line = [sys.executable, "-m", "hardtack", "search", "Shelf", "-b", str(pantry_bundle)]
    variables = {**os.environ, "HARDTACK_ENCODER_RATE": "many"}
    done = subprocess.run(command_line, capture_output=True, text=True, env=variables, check=False)
    assert (2, "", "hardtack: HARDTACK_ENCODER_RATE is not a number.\n") == (done.returncode, done.stdout, done.stderr)


def test_the_verb_is_known_to_click_by_the_same_name() -> None:
    assert commands.get_command(None, "search") is command  # type: ignore[arg-type]
