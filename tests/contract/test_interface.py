"""What others build on: public names, verbs, the one version, and that the library and the command line say the same."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import hardtack
from hardtack.build.languages.registry import languages
from hardtack.cli.main import VERBS, commands
from hardtack.query.request.filters import FilterOptions
from hardtack.query.request.parse import SearchOptions, parse_request
from hardtack.query.searcher import Searcher
from hardtack.render import RENDERERS
from hardtack.render.schema import hit_to_json

ROOT = Path(__file__).parents[2]
PACKAGE = Path(hardtack.__file__).parent


def test_the_public_names_are_pinned() -> None:
    expected = "Answer BuildOptions BuildReport HardtackError Hit LookUps Mode Query Searcher StoredFiles"
    assert [*expected.split(), "__version__", "build_bundle", "open_bundle", "render_answer"] == hardtack.__all__ == dir(hardtack)
    for name in hardtack.__all__:
        assert getattr(hardtack, name) is not None
    with pytest.raises(AttributeError, match="module 'hardtack' has no attribute 'search'"):
        _ = hardtack.search


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (hardtack.open_bundle, "bundle *check *digest *checkout *encoder *cache"),
        (hardtack.Searcher.search, "self text options"),
        (
            parse_request,
            "bundle text *mode *limit *min_score *smart_context *surroundings *before *after *further filters",
        ),
        (hardtack.LookUps.define, "self name *package *file"),
        (hardtack.LookUps.function, "self name *package *owner *file"),
        (hardtack.LookUps.exports, "self package *kinds *tags *page"),
        (hardtack.LookUps.references, "self name *package *owner *certainty *paths *kinds *page"),
        (hardtack.LookUps.callers, "self name *package *owner *certainty *paths *page"),
        (hardtack.LookUps.implementations, "self name *package *owner *certainty *paths *page"),
        (hardtack.StoredFiles.read, "self path first last *repo"),
        (hardtack.StoredFiles.directory, "self path *repo *hidden"),
        (hardtack.StoredFiles.search, "self query *repo *globs *limit *regex *after *overrides *rule"),
        (hardtack.build_bundle, "root destination options *progress *expect *step *own *below"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_parameters_of_the_public_functions_are_pinned(function: Any, expected: str) -> None:
    parameters = inspect.signature(function).parameters.values()
    shown = [("*" if each.kind is each.KEYWORD_ONLY else "") + each.name for each in parameters]
    assert expected.split() == shown


def test_the_options_of_a_search_are_those_that_asking_takes() -> None:
    taken = [name for name in inspect.signature(parse_request).parameters if name not in ("bundle", "text", "filters")]
    assert {*taken, *FilterOptions.__annotations__} == set(SearchOptions.__annotations__)


def test_every_public_name_is_documented() -> None:
    for name in hardtack.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(hardtack, name))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str) -> None:
    help_ = CliRunner().invoke(commands, [verb, "--help"]).stdout
    sentence = help_.splitlines()[2].strip()
    assert re.fullmatch(r"[A-Z].*[.,\w]", sentence)
    options = commands.get_command(None, verb).params  # type: ignore[arg-type,union-attr]
    undocumented = [option.name for option in options if option.param_type_name == "option" and not getattr(option, "help", "")]
    assert [] == undocumented


def test_the_verbs_are_the_modules_of_the_command_line() -> None:
    modules = {path.stem for path in (PACKAGE / "cli").glob("*.py")} - {
        "__init__",
        "main",
        "options",
        "environment",
        "exits",
        "moved_on",
        "flags",
        "searching",
        "ambiguity",
        "answers",
        "compared",
        "descriptors",
        "building",
        "build_process",
        "build_flags",
        "fleet_process",
        "progress",
    }  # what verbs share
    assert sorted(modules) == list(VERBS)


OF_ITS_OWN = {("tool", "--json"), ("grep", "-n"), ("grep", "-v")}
"""Flags that one verb has for what everybody expects of it: those of ripgrep, and arguments in JSON."""


def test_flags_that_several_verbs_have_mean_the_same_in_each() -> None:
    meanings: dict[str, set[str]] = {}
    for verb in VERBS:
        for option in commands.get_command(None, verb).params:  # type: ignore[arg-type,union-attr]
            for flag in option.opts:
                if flag.startswith("-") and flag not in ("-v", "-q", "--text") and (verb, flag) not in OF_ITS_OWN:
                    name = (option.name or "").removesuffix("s")  # a flag that may be repeated has the plural
                    meanings.setdefault(flag, set()).add(name)
    assert {} == {flag: names for flag, names in meanings.items() if len(names) > 1}


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert "src/hardtack/__init__.py" == project["tool"]["hatch"]["version"]["path"]
    quoted = f'"{hardtack.__version__}"'
    assert [PACKAGE / "__init__.py"] == [path for path in PACKAGE.rglob("*.py") if quoted in path.read_text(encoding="utf-8")]
    assert f"hardtack, version {hardtack.__version__}\n" == CliRunner().invoke(commands, ["--version"]).stdout


QUERIES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("Shelf", {}, []),
    ("what should be eaten first", {"mode": "vector", "limit": 3}, ["--mode", "vector", "-n", "3"]),
    ("oldest jar", {"mode": "keyword", "languages": ["go", "py"]}, ["--mode", "keyword", "--lang", "go", "--lang", "py"]),
    ("label", {"kinds": ["function"], "paths": ["label/"]}, ["--kind", "function", "--path", "label/"]),
    (
        "label",
        {"symbol_name": "P*", "packages": ["label"], "parameter_type": "string", "returns": "error", "min_score": 0.1},
        ["--name", "P*", "--package", "label", "--takes", "string", "--returns", "error", "--min-score", "0.1"],
    ),
]


@pytest.mark.parametrize(("text", "arguments", "flags"), QUERIES, ids=[row[0] for row in QUERIES])
def test_the_library_and_the_command_line_give_the_same_hits(
    searcher: Searcher, pantry_bundle: Path, text: str, arguments: dict[str, Any], flags: list[str]
) -> None:
    answer = searcher.search(text, **arguments)
    assert answer.hits
    command = [sys.executable, "-m", "hardtack", "search", text, "-b", str(pantry_bundle), "--json", *flags]
    document = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert [hit_to_json(hit) for hit in answer.hits] == document["hits"]
    assert (answer.truncated, answer.bundle_digest) == (document["truncated"], document["bundle"]["digest"])


def test_every_format_of_the_renderers_is_offered_and_no_other() -> None:
    (format_,) = (option for option in commands.get_command(None, "search").params if option.name == "format_")  # type: ignore[arg-type,union-attr]
    assert isinstance(format_.type, click.Choice)
    assert sorted(RENDERERS) == sorted(format_.type.choices)


def test_every_language_that_can_be_found_can_be_asked_for(searcher: Searcher) -> None:
    for language in searcher.bundle.manifest.languages:
        assert languages()[language.id].name == language.name
        for alias in (language.id, *language.aliases):
            assert {language.id} == {hit.language for hit in searcher.search("a", mode="vector", languages=[alias]).hits}


def test_the_help_has_every_verb_once_below_a_heading_and_no_sentence_is_cut() -> None:
    help_ = CliRunner().invoke(commands, ["--help"], terminal_width=80).stdout
    body = help_[help_.index("\nSearch:\n") :]
    assert sorted(re.findall(r"^  ([a-z]+) ", body, re.MULTILINE)) == list(VERBS)
    sentences = re.split(r"^  [a-z]+ +", re.sub(r"^\S.*\n", "", body, flags=re.MULTILINE), flags=re.MULTILINE)[1:]
    assert all(sentence.rstrip().endswith((".", ")")) and "..." not in sentence for sentence in sentences), body
    assert max(map(len, help_.splitlines())) <= 80


@pytest.mark.parametrize(("written", "meant"), [("serch", "search"), ("referneces", "references"), ("verfiy", "verify")])
def test_a_mistyped_verb_gets_its_nearest(written: str, meant: str) -> None:
    with pytest.raises(click.UsageError) as refused:
        commands.main([written], standalone_mode=False)
    assert repr(meant) in refused.value.format_message()


def test_the_version_has_a_short_flag() -> None:
    assert CliRunner().invoke(commands, ["--version"]).stdout == CliRunner().invoke(commands, ["-V"]).stdout != ""


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_every_verb_fits_80_columns_and_no_sentence_of_it_is_cut(verb: str) -> None:
    help_ = CliRunner().invoke(commands, [verb, "--help"], terminal_width=80).stdout
    assert max(map(len, help_.splitlines())) <= 80
    command = commands.get_command(click.Context(commands), verb)
    assert command
    flat = " ".join(help_.split())
    said = [command.help or "", *(option.help or "" for option in command.params if isinstance(option, click.Option))]
    for sentence in re.split(r"\n\n", "\n\n".join(said)):
        if "\b" not in sentence:
            assert " ".join(sentence.split()) in flat
    usage = re.sub(r"[A-Z\])]\.\.\.|\w:(?://)?\.\.\.|[A-Z]=\.\.\.", "", help_)  # repeated, how addresses begin, a value
    assert "..." not in usage, usage
