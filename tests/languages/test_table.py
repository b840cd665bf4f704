"""Promises of the language table: sorted, compiled, every capture known, every folder complete."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from tree_sitter_language_pack import get_language

from hardtack.build import languages as package
from hardtack.build.languages.registry import _FIELDS, Language, cutter_of, languages, normaliser_of, query_source
from hardtack.build.outline.syntax import patterns_of, query_of
from hardtack.nouns.model import Kind

FOLDER = Path(package.__file__).parent
WITH_QUERY = [language for language in languages().values() if language.has_query]
CAPTURES = {"name", "body", "scope", "doc", "package", "import", "comment", "attribute", "outer", "embedded", "embedded.language"}
CRASHING = {"markdown", "markdown_inline"}


def test_ids_are_sorted_and_every_folder_is_loaded() -> None:
    folders = sorted(path.parent.name for path in FOLDER.glob("*/language.toml") if not path.parent.name.startswith("_"))
    assert folders == list(languages())


@pytest.mark.parametrize("language", WITH_QUERY, ids=lambda language: language.id)
def test_a_query_compiles_and_uses_known_captures_without_predicates(language: Language) -> None:
    query = query_of(language)
    captures = {query.capture_name(index) for index in range(query.capture_count)}
    kinds = {name.removeprefix("definition.") for name in captures if name.startswith("definition.")}
    assert {*Kind} >= kinds
    assert kinds
    others = {name for name in captures if not name.startswith(("definition.", "_"))}
    assert others <= CAPTURES
    assert re.findall(r"\(#(?!set!)[^)]*\)", query_source(language, "tags")) == []
    for pattern in patterns_of(language):
        assert {capture for capture, _ in pattern.conditions} <= captures


@pytest.mark.parametrize("language", WITH_QUERY, ids=lambda language: language.id)
def test_settings_are_ones_that_the_reader_knows(language: Language) -> None:
    query = query_source(language, "tags")
    names = set(re.findall(r"\(#set! (\S+)", query))
    known = {"outside", "language", "named", "until"}
    assert sorted(name for name in names if name not in known and not name.startswith("match.")) == []
    assert {"function"} >= set(re.findall(r'\(#set! outside "(\w+)"', query))
    assert {"next"} >= set(re.findall(r'\(#set! until "(\w+)"', query))


def test_every_grammar_named_is_in_the_pack_and_none_is_known_to_crash() -> None:
    grammars = {language.grammar for language in languages().values() if language.grammar}
    for grammar in sorted(grammars):
        get_language(grammar)  # type: ignore[arg-type]  # a name of ours, and whether it is one of the pack's is the question
    assert grammars.isdisjoint(CRASHING)


def test_every_cutter_and_normaliser_can_be_called() -> None:
    for language in languages().values():
        if language.has_cutter:
            assert cutter_of(language)(b"") == []
        if language.has_normaliser:
            name, scope = normaliser_of(language)('"name"', "")
            assert name
            assert scope == ""


def test_the_template_shows_every_field() -> None:
    entry = tomllib.loads((FOLDER / "_example" / "language.toml").read_text(encoding="utf-8"))
    assert set(_FIELDS) == set(entry)


def test_the_template_explains_every_capture() -> None:
    text = (FOLDER / "_example" / "tags.scm").read_text(encoding="utf-8")
    assert sorted(name for name in CAPTURES if f"@{name}" not in text) == []
