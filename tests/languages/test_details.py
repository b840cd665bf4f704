"""Each ``fixtures/languages/<id>/<case>/input.*`` gives the details that ``expected.details`` beside it shows."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from tree_sitter import Parser
from tree_sitter_language_pack import get_language

from hardtack.build.docblocks.block import LONGEST
from hardtack.build.languages.registry import Language, detect, languages, query_source
from hardtack.build.outline.details import details_of
from hardtack.build.outline.symbols import outline_of
from hardtack.build.outline.syntax import matches_of, query_of
from hardtack.nouns.details import Attribute, Detail, Parameter
from hardtack.nouns.outline import Outline, Symbol

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"
SOURCES = sorted(FIXTURES.glob("*/*/input.*"))
CASES = [path.parent for path in SOURCES if (path.parent / "expected.details").is_file()]
WITH_DETAILS = [language for language in languages().values() if language.has_details]
CAPTURES = {
    *("of", "parameter", "name", "type", "default", "return", "value", "values", "as_before", "modifier", "decorator"),
    *("type_parameter", "receiver", "tag", "export", "section", "within", "visibility", "attribute", "from", "inferred"),
}
RELATIONS = {"inherits", "implements", "embeds", "uses"}


def _shown(outline: Outline) -> str:
    """One paragraph a symbol that has details: what it is, then a line for each fact."""
    return "".join(
        f"{line}\n" for index, detail in sorted(outline.details.items()) for line in _lines(outline.symbols[index], detail)
    )


def _lines(symbol: Symbol, detail: Detail) -> Iterator[str]:
    receiver = f" on {detail.receiver}" if detail.receiver else ""
    yield " ".join((symbol.kind, symbol.qualified_name)) + receiver
    if detail.visibility or detail.modifiers:
        yield f"    {' '.join((detail.visibility or '-', *detail.modifiers))}"
    yield from (f"    decorator {decorator}" for decorator in detail.decorators)
    yield from (f"    generic {parameter}" for parameter in detail.type_parameters)
    yield from (f"    {base.relation} {base.name}" for base in detail.supertypes)
    yield from (f"    takes {_declared(parameter)}" for parameter in detail.parameters)
    for result in detail.returns:
        yield f"    gives {result.type}{_from(result.source_hint)}{_described(result.description)}"
    if detail.type:
        yield f"    type {detail.type}{_from(detail.type_source)}"
    for attribute in detail.attributes:
        yield f"    has {attribute.visibility} {_declared(attribute)}"
    yield from (f"    {note.tag} {note.text}" for note in detail.notes)
    yield from (f"    {aspect} {text}" for aspect in ("value", "tag") if (text := getattr(detail, aspect)))


def _declared(each: Parameter | Attribute) -> str:
    type_ = f": {each.type}{_from(each.source_hint)}" if each.type else ""
    value = each.default if isinstance(each, Parameter) else each.value
    return f"{each.name}{type_}{f' = {value}' if value else ''}{_described(each.description)}"


def _from(source: str) -> str:
    return f"  [{source}]" if source not in ("", "type_hint") else ""


def _described(words: str) -> str:
    return f"  -- {words}" if words else ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_fixture_gives_the_details_written_beside_it(case: Path, request: pytest.FixtureRequest) -> None:
    (source,) = case.glob("input.*")
    text = source.read_bytes()
    actual = _shown(outline_of(text, detect(source.name, text)))
    golden = case / "expected.details"
    if request.config.getoption("--update-golden", default=False):
        golden.write_text(actual, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == actual


def test_every_language_with_details_has_them_written_down() -> None:
    written = {case.parent.name for case in CASES}
    assert [language.id for language in WITH_DETAILS if language.id not in written] == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_details_are_of_symbols_and_their_texts_are_one_bounded_line(path: Path) -> None:
    text = path.read_bytes()
    outline = outline_of(text, detect(path.name, text))
    assert set(outline.details) <= set(range(len(outline.symbols)))
    texts = [text for detail in outline.details.values() for text in _texts(detail)]
    assert [text for text in texts if len(text) > LONGEST or "\n" in text] == []
    assert Detail() not in outline.details.values()


def _texts(value: object) -> Iterator[str]:
    """Every string in a detail."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)
    else:
        for each in fields(value):  # type: ignore[arg-type]
            yield from _texts(getattr(value, each.name))


@pytest.mark.parametrize("language", WITH_DETAILS, ids=lambda language: language.id)
def test_a_details_query_compiles_and_states_facts_that_are_read(language: Language) -> None:
    query = query_of(language, "details")
    captures = {query.capture_name(index) for index in range(query.capture_count)}
    relations = {name.removeprefix("base.") for name in captures if name.startswith("base.")}
    assert relations <= RELATIONS
    assert {name for name in captures if not name.startswith(("base.", "inferred.", "_"))} <= CAPTURES
    settings = {name for index in range(query.pattern_count) for name in query.pattern_settings(index)}
    assert [name for name in sorted(settings) if name not in {"docs", "modifier", "unless"} and not name.startswith("match.")] == []
    conditions = {name.removeprefix("match.") for name in settings if name.startswith("match.")}
    assert conditions <= captures


@pytest.mark.parametrize("language", WITH_DETAILS, ids=lambda language: language.id)
def test_a_details_query_has_no_predicates_which_crash_the_engine(language: Language) -> None:
    assert re.findall(r"\(#(?!set!)[^)]*\)", query_source(language, "details")) == []


@pytest.mark.parametrize("language", WITH_DETAILS, ids=lambda language: language.id)
@pytest.mark.parametrize("nested", [b"a" + b".b" * 20_000, b"f(" * 8_000 + b")" * 8_000], ids=["chain", "calls"])
def test_details_of_deep_nesting_cost_no_more_than_its_length(language: Language, nested: bytes) -> None:
    text = (b"<?php " if language.id == "php" else b"") + nested
    parser = Parser(get_language(language.grammar))  # type: ignore[arg-type]  # the pack lists its names, ours are read from tables
    tree = parser.parse(text)
    matches_of(parser.parse(b""), language)  # compiles the queries
    start = time.process_time()
    assert details_of(matches_of(tree, language).details, text, language, ()) == {}
    assert time.process_time() - start < 2
