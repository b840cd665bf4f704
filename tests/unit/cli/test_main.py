"""Arguments, output and exit codes of the verbs, each run on a real bundle in this process."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from checkouts import write
from command_line import Run

from hardtack import errors
from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.cli import environment, exits, options
from hardtack.cli.build import _roots
from hardtack.cli.build_flags import write_report
from hardtack.cli.progress import BuildProgress
from hardtack.errors import HardtackError, IntegrityError, MissingExtra, SourceError, UsageError
from hardtack.render.build_summary import render_build


def test_search_prints_its_hits_and_leaves_with_zero(run: Run) -> None:
    result = run("search", "ShelfFull", "-n", "1")
    assert (0, "") == (result.return_value, result.stderr)
    assert result.stdout.startswith("src/pantry/shelf.py:13-14  class ShelfFull  ")


def test_lines_around_a_hit_come_when_they_are_asked_for(run: Run) -> None:
    (hit,) = json.loads(run("search", "retryWithBackoff", "-n", "1", "--before", "0", "--after", "2", "--json").stdout)["hits"]
    assert (False, 2) == ("context_before" in hit, hit["context_after"].count("\n") + 1)
    both = [
        run("search", "retryWithBackoff", "--json", *flags).stdout
        for flags in (["--context", "3"], ["--before", "3", "--after", "3"], ["--context", "3", "--after", "2"])
    ]
    assert both[0] == both[1] != both[2]


def test_smart_context_can_be_turned_off(run: Run) -> None:
    (smart,), (plain,) = (
        json.loads(run("search", "ShelfFull", "-n", "1", "--json", "--surroundings", *flags).stdout)["hits"]
        for flags in ([], ["--no-smart-context"])
    )
    assert ((13, 14), True) == ((smart["snippet_start_line"], smart["snippet_end_line"]), "imports" in smart)
    assert (plain["start_line"], False) == (plain["snippet_start_line"], "imports" in plain)


@pytest.mark.parametrize("format_", ["text", "markdown", "json", "jsonl"])
def test_a_budget_holds_for_every_format(run: Run, format_: str) -> None:
    whole = run("search", "a jar on a shelf", "--format", format_, "--further", "20").stdout
    small = run("search", "a jar on a shelf", "--format", format_, "--further", "20", "--max-tokens", "150").stdout
    assert 0 < len(small) <= 600 < len(whole)


def test_markdown_names_further_files_and_other_formats_when_they_are_asked_to(run: Run) -> None:
    asked = ["search", "a jar on a shelf", "-n", "1"]
    assert "Further files, best first:" in run(*asked, "--format", "markdown").stdout
    assert "Further files" not in run(*asked, "--format", "markdown", "--further", "0").stdout
    assert "Further files" not in run(*asked).stdout
    assert 3 == run(*asked, "--further", "3").stdout.partition("Further files:\n")[2].count("\n")
    assert 3 == len(json.loads(run(*asked, "--further", "3", "--json").stdout)["further"])


@pytest.mark.parametrize("flag", ["--context", "--before", "--after", "--further"])
def test_fewer_lines_than_none_are_refused(run: Run, flag: str) -> None:
    assert isinstance(run("search", "jar", flag, "-1").exception, click.UsageError)
    assert isinstance(run("search", "jar", "--max-tokens", "0").exception, click.UsageError)


def test_search_that_finds_nothing_leaves_with_one(run: Run) -> None:
    result = run("search", "zzyzx", "--mode", "keyword")
    assert (1, "Nothing found; try other words.\n") == (result.return_value, result.stdout)


def test_words_need_no_quotes(run: Run) -> None:
    assert run("search", "oldest jar", "--json").stdout == run("search", "oldest", "jar", "--format", "json").stdout


def test_why_gives_the_reasons(run: Run) -> None:
    assert "because: keyword 0." in run("search", "ShelfFull", "--why").stdout
    assert "because:" not in run("search", "ShelfFull").stdout


def test_colour_comes_when_it_is_asked_for_and_never_into_a_file(run: Run) -> None:
    assert "\x1b[" in run("search", "Shelf", "--color", "always").stdout
    assert "\x1b[" not in run("search", "Shelf").stdout
    assert "\x1b[" not in run("search", "Shelf", "--color", "never").stdout


def test_a_checkout_makes_hits_say_whether_they_are_current(run: Run, pantry: Path) -> None:
    hits = json.loads(run("search", "Shelf", "--checkout", str(pantry), "--json").stdout)["hits"]
    assert {"fresh"} == {hit["freshness"] for hit in hits}


def test_stats_and_verify_answer_in_text_and_in_json(run: Run, pantry_bundle: Path) -> None:
    assert run("stats").stdout.startswith("pantry  sha256:")
    stats, verify = json.loads(run("stats", "--json").stdout), json.loads(run("verify", "--json").stdout)
    assert ("hardtack.stats/1", "hardtack.verify/1") == (stats["schema"], verify["schema"])
    assert (stats["digest"], stats["bytes"], len(stats["members"])) == (verify["digest"], verify["bytes"], verify["members"])
    assert run("verify", str(pantry_bundle)).stdout.endswith(f"all as built; {stats['digest']}\n")


@pytest.mark.parametrize("verb", [("search", "Shelf"), ("cat", "README.md"), ("stats",), ("verify",)])
def test_every_reader_can_be_pinned_to_one_bundle(run: Run, verb: tuple[str, ...]) -> None:
    digest = json.loads(run("stats", "--json").stdout)["digest"]
    assert 0 == run(*verb, "--digest", digest).return_value
    assert isinstance(run(*verb, "--digest", "sha256:" + "0" * 64).exception, IntegrityError)
    assert isinstance(run(*verb, "--digest", "latest").exception, UsageError)


@pytest.mark.usefixtures("build_half")
def test_build_reports_to_people_and_to_programs(run: Run, pantry: Path, tmp_path: Path) -> None:
    result = run("build", str(pantry), "-o", str(tmp_path / "bundle"), "--profile", "keyword", "--report", str(tmp_path / "report"))
    document = json.loads((tmp_path / "report").read_text())
    assert (0, "") == (result.return_value, result.stdout)
    assert f"{tmp_path / 'bundle'}: {document['files_indexed']} files, {document['symbols']} symbols," in result.stderr
    assert "\x1b" not in result.stderr
    assert "hardtack.build/1" == document["schema"]


@pytest.mark.usefixtures("build_half")
def test_a_report_that_cannot_be_written_is_an_error_of_the_disk(run: Run, pantry: Path, tmp_path: Path) -> None:
    flags = ("--profile", "keyword", "--report", str(tmp_path / "missing" / "report"))
    result = run("build", str(pantry), "-o", str(tmp_path / "bundle"), *flags)
    assert isinstance(result.exception, SourceError)
    assert f"The report could not be written to {tmp_path / 'missing' / 'report'}: No such file or directory." == str(
        result.exception
    )


def test_a_report_with_a_path_that_is_no_utf_8_is_json_that_says_it(tmp_path: Path) -> None:
    said = {"path": "caf\udce9", "name": "café"}
    write_report(tmp_path / "report", SimpleNamespace(to_json=lambda: said))
    assert said == json.loads((tmp_path / "report").read_text("utf-8"))


def test_a_log_gets_a_line_of_progress_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moments = iter([0.0, 0.5, 9.9, 10.5, 19.9, 100.5, 130.5])
    monkeypatch.setattr("hardtack.cli.progress.time.monotonic", lambda: next(moments))
    with BuildProgress(on_terminal=False) as progress:
        progress.expect(15_000)
        for done in (5, 900, 1005, 2000, 10_005, 13_005):
            progress.show(done)
    expected = [  # what comes before the first file counts for no rate
        "hardtack: 1,005 of 15,000 files, 100 a second, 2 min 20 s left",
        "hardtack: 10,005 of 15,000 files, 100 a second, 50 s left",
        "hardtack: 13,005 of 15,000 files, 100 a second, 20 s left",
    ]
    assert expected == capsys.readouterr().err.splitlines()


@pytest.mark.usefixtures("build_half")
def test_a_quiet_build_says_nothing(run: Run, pantry: Path, tmp_path: Path) -> None:
    result = run("build", str(pantry), "-q", "-o", str(tmp_path / "bundle"), "--profile", "keyword")
    assert (0, "") == (result.return_value, result.output)


def test_several_roots_need_a_place_to_go(run: Run, pantry: Path) -> None:
    assert isinstance(run("build", "--root", f"a={pantry}").exception, UsageError)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1", 1), ("500K", 500 << 10), ("2M", 2 << 20), ("2mb", 2 << 20), ("1GiB", 1 << 30), ("7B", 7), (None, None)],
)
def test_sizes_are_read_as_people_write_them(text: str | None, expected: int | None) -> None:
    command = click.Command("build")
    assert expected == options.size(click.Context(command), click.Option(["--max-size"]), text)


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5M", "M", "ten", "1T", "1KK"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        options.size(click.Context(click.Command("build")), click.Option(["--max-size"]), text)


def test_roots_are_names_and_directories() -> None:
    context, option = click.Context(click.Command("build")), click.Option(["--root"])
    assert (("a", Path("x=y")), ("b", Path("."))) == _roots(context, option, ("a=x=y", "b=."))
    for wrong in ("a", "=x", "a="):
        with pytest.raises(click.BadParameter):
            _roots(context, option, (wrong,))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["search", "x", "--json"], True),
        (["search", "x", "--format", "json"], True),
        (["search", "x", "--format=jsonl"], True),
        (["search", "x", "--format", "text"], False),
        (["search", "json"], False),
    ],
)
def test_errors_are_json_where_the_answer_would_have_been(arguments: list[str], expected: bool) -> None:
    assert expected == exits.wants_json(arguments)


def test_an_error_is_a_sentence_every_fault_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    error = IntegrityError("It differs: one.", faults=["one", "two\x1b[2J", "three"], hint="Build it again.")
    assert 3 == exits.explained(error, as_json=False)
    assert "hardtack: It differs: one.\n  also: two\\u{1b}[2J\n  also: three\n  Build it again.\n" == capsys.readouterr().err


def test_an_error_as_json_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == exits.explained(UsageError("No\nway."), as_json=True)
    assert "No\nway." == json.loads(capsys.readouterr().err.removesuffix("\n"))["error"]["message"]


def test_only_a_foreign_module_that_is_missing_is_an_extra_to_install() -> None:
    found = exits.missing_extra(ModuleNotFoundError("No", name="tree_sitter.x"), "Building a bundle", "build")
    assert isinstance(found, MissingExtra)
    assert ("build", "Run: pip install 'hardtack[build]'") == (found.extra, found.hint)
    for name in ("hardtack.build.lost", None):
        with pytest.raises(ImportError):
            exits.missing_extra(ImportError("broken", name=name), "Building a bundle", "build")


def test_roots_of_installed_bundles_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARDTACK_BUNDLE_PATH", "/a::/b")
    assert [Path("/a"), Path("/b")] == environment.bundle_roots()
    monkeypatch.delenv("HARDTACK_BUNDLE_PATH")
    assert [] == environment.bundle_roots()


def test_the_kill_switch_does_nothing_unless_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HARDTACK_KILL_AT", raising=False)
    step = environment.kill_switch()
    for number in range(3):
        step(str(number))


def test_a_summary_shows_hostile_names_inert(run: Run, tmp_path: Path) -> None:
    from hardtack.build.pipeline import BuildOptions, build_bundle

    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.py").write_text("a = 1\n")
    (tmp_path / "tree" / "picture.png").write_bytes(b"\x89PNG\0")
    account = build_bundle(tmp_path / "tree", tmp_path / "bundle", BuildOptions(profile="keyword"))
    account.notes.append("a note with \x1b[2J")
    account.failures.append(("odd\x1b.py", "ended by SIGKILL"))
    shown = render_build(account, verbose=True).splitlines()
    assert "  note: a note with \\u{1b}[2J" in shown
    assert "  skipped 1: 1 binary" in shown
    assert "    - picture.png: binary" == next(line for line in shown if "picture" in line).partition(" (")[0]
    assert "  not parsed, indexed by lines: odd\\u{1b}.py (its parser ended by SIGKILL)" == shown[-1]


def test_every_error_has_an_exit_code_that_the_edge_knows() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, HardtackError)]
    assert {exits.NOTHING_FOUND, 2, 3, 4, 5, 6, 7, exits.OUR_BUG} == {error.exit_code for error in classes}


def test_what_one_generator_wrote_is_one_line_of_the_summary(tmp_path: Path) -> None:
    pages = {f"docs/{name}/index.html": '<html><head><meta name="generator" content="rustdoc"></head></html>\n' for name in "abcd"}
    pages |= {f"site/{name}.html": "<html>\n<!-- Generated by javadoc -->\n</html>\n" for name in "ab"}
    pages |= {"jar.go": "// Code generated by jarc. DO NOT EDIT.\npackage jar\n", "lid.py": "def turn():\n    return 1\n"}
    report = build_bundle(write(tmp_path / "tree", pages), tmp_path / "bundle", BuildOptions(jobs=1, profile="keyword"))
    shown = render_build(report, verbose=False).splitlines()
    first = shown.index("    docs/a/index.html and 3 more: generated (a page that rustdoc wrote)")
    assert "    site/a.html and 1 more: generated (a page that javadoc wrote)" == shown[first + 1]
    assert "    jar.go: generated (says 'Code generated by jarc. DO NOT EDIT.')" == shown[first + 2]
