"""Any text, escaped for a runner's commands, log, outputs and summary: it is read back unchanged, or has no effect."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runner import Ran

from hardtack.ci.runner import ANNOTATIONS_SHOWN, Runner, log_line
from hardtack.comment.words import code
from hardtack.render.style import inert


@given(st.text(), st.text(min_size=1))
def test_a_warning_says_what_was_meant_to_whoever_reads_it_as_the_runner_does(message: str, file: str) -> None:
    runner = Runner(is_github=True)
    runner.warn(message, file=file)
    (line,) = runner.lines
    assert 1 == len(line.split("\n"))
    assert "\r" not in line
    if len(line.splitlines()) == 1:  # other breaks than a runner's are part of the text
        ((level, properties, said),) = Ran(log=line).annotations
        shown = [inert(text).replace("##[", "## [") for text in (file, message)]
        assert ("warning", "Hardtack") == (level, properties["title"])
        if not {"\r", "\n"} & set(message + file) and "\\u{" not in line:
            assert shown == [properties["file"], said]


@given(st.text())
def test_no_line_of_the_log_is_a_command(text: str) -> None:
    line = log_line(text)
    assert 1 == len(line.splitlines())
    assert [] == Ran(log=line).annotations
    assert "##[" not in line


@given(st.text(max_size=300))
def test_text_in_a_summary_is_read_back_and_means_nothing(text: str) -> None:
    shown = code(text)
    assert re.fullmatch(r"<code>(?:[A-Za-z0-9 ]|&#\d+;)*</code>", shown)
    if text.isprintable() and text.isascii():
        assert text == html.unescape(shown.removeprefix("<code>").removesuffix("</code>"))


def test_long_text_is_cut_in_a_summary() -> None:
    assert len(html.unescape(code("x" * 10_000))) < 500


def test_more_warnings_than_github_shows_go_to_the_log() -> None:
    runner = Runner(is_github=True)
    for number in range(ANNOTATIONS_SHOWN + 5):
        runner.warn(f"number {number}", file="a.py")
    assert ANNOTATIONS_SHOWN == sum(line.startswith("::warning") for line in runner.lines)
    assert "hardtack: warning: a.py: number 14" == runner.lines[-1]


def test_an_output_cannot_end_itself_and_name_another(tmp_path: Path) -> None:
    from runner import _outputs

    output = tmp_path / "output"
    runner = Runner(output=output)
    value = "one\npack-digest=x\npack-digest<<EOF\ny\nEOF"
    runner.set_outputs({"root": value, "commit": "abc"})
    assert {"root": value, "commit": "abc"} == _outputs(output.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("repository", "reference", "address"),
    [
        ("", "", ""),
        ("o/n", "", "github:o/n"),
        ("o/n", "o/n/.github/workflows/bundle.yml@refs/heads/main", "github:o/n"),
        ("o/n", "o/n/.github/workflows/x.yml@refs/tags/v1@2", "github:o/n?workflow=.github/workflows/x.yml"),
        ("o/n", "other/n/.github/workflows/x.yml@refs/heads/main", "github:o/n"),
    ],
)
def test_the_project_is_a_source_of_what_this_very_workflow_made(repository: str, reference: str, address: str) -> None:
    made = Runner.from_environment({"GITHUB_REPOSITORY": repository, "GITHUB_WORKFLOW_REF": reference})
    assert address == made.address
