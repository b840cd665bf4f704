"""Each ``fixtures/languages/<id>/definitions/input.*`` gives the imports and uses that ``expected.uses`` beside it shows.

Other cases of a language may have an ``expected.uses`` too. Where a case lacks it, ``--update-golden`` writes it only for
``definitions``; an empty file is enough to have it written for another.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tree_sitter import Parser
from tree_sitter_language_pack import get_language

from hardtack.build.languages.registry import Language, detect, languages, query_source
from hardtack.build.outline.symbols import outline_of
from hardtack.build.outline.syntax import matches_of, query_of
from hardtack.build.outline.uses import usages_of
from hardtack.nouns.outline import Outline
from hardtack.nouns.relations import Import, Use

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"
SOURCES = sorted(FIXTURES.glob("*/*/input.*"))
WITH_USES = [language for language in languages().values() if language.has_uses]
WITH_IMPORTS = [language for language in languages().values() if language.has_imports]
QUERIES = [(language, "uses") for language in WITH_USES] + [(language, "imports") for language in WITH_IMPORTS]
CAPTURES = {
    "uses": {
        "name",
        "call",
        "applied",
        "sent",
        "member",
        "variable",
        "names",
        "quoted",
        "ability",
        "type",
        "own",
        "expands",
        "message",
        "bare",
        "local",
        "hoisted",
        "pattern",
        "scope",
        "block",
        "declaration",
        "body",
        "outer",
        "skip",
        "setting",
        "spelt",
    },
    "imports": {"import", "tree", "around", "module", "until", "name", "all", "alias", "each", "place", "key"},
}
SETTINGS: dict[str, set[str]] = {"uses": set(), "imports": {"alias", "name", "prefix"}}


def _cases() -> Iterator[Path]:
    """The cases that have, or must have, their uses written down."""
    wanted = {language.id for language in (*WITH_USES, *WITH_IMPORTS)}
    for path in SOURCES:
        case = path.parent
        if (case / "expected.uses").is_file() or (case.name == "definitions" and case.parent.name in wanted):
            yield case


CASES = list(_cases())


def _shown(outline: Outline) -> str:
    """The imports, then the uses, one a line."""
    lines = [_import_shown(each) for each in outline.imported]
    lines += [""] if outline.imported and outline.uses else []
    lines += [_use_shown(each, outline) for each in outline.uses]
    return "".join(f"{line}\n" for line in lines)


def _import_shown(each: Import) -> str:
    """``6  import typing : TypeVar -> T``"""
    name = f" : {each.name}" if each.name else ""
    alias = f" -> {each.alias}" if each.alias else ""
    return f"{each.line}  import {each.module}{name}{alias}"


def _use_shown(each: Use, outline: Outline) -> str:
    """``37  call self . stow  in Crate.__init__``"""
    qualifier = f"{each.qualifier} . " if each.qualifier else ""
    holder = f"  in {outline.symbols[each.symbol].qualified_name}" if each.symbol >= 0 else ""
    return f"{each.line}  {'call' if each.is_call else 'use '} {qualifier}{each.name}{holder}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_fixture_gives_the_uses_written_beside_it(case: Path, request: pytest.FixtureRequest) -> None:
    (source,) = case.glob("input.*")
    text = source.read_bytes()
    actual = _shown(outline_of(text, detect(source.name, text)))
    golden = case / "expected.uses"
    if request.config.getoption("--update-golden", default=False):
        golden.write_text(actual, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == actual


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_uses_stand_in_the_text_where_they_say_and_in_its_order(path: Path) -> None:
    text = path.read_bytes()
    outline = outline_of(text, detect(path.name, text))
    starts = [each.start for each in outline.uses]
    assert sorted(set(starts)) == starts
    first_words = [(each.name.partition(":")[0].encode(), each.start) for each in outline.uses]  # a selector stands apart
    assert [word for word, start in first_words if not text.startswith(word, start)] == []
    assert [each for each in outline.uses if each.line != text.count(b"\n", 0, each.start) + 1] == []
    assert {each.symbol for each in outline.uses} <= set(range(-1, len(outline.symbols)))
    held = [(outline.symbols[each.symbol].extent, each) for each in outline.uses if each.symbol >= 0]
    assert [each for extent, each in held if not extent.start <= each.start < extent.end] == []


@pytest.mark.parametrize(("language", "name"), QUERIES, ids=lambda each: each if isinstance(each, str) else each.id)
def test_a_query_compiles_and_captures_what_is_read(language: Language, name: str) -> None:
    query = query_of(language, name)
    captures = {query.capture_name(index) for index in range(query.capture_count)}
    assert {capture for capture in captures if not capture.startswith("_")} <= CAPTURES[name]
    settings = [pair for index in range(query.pattern_count) for pair in query.pattern_settings(index).items()]
    conditions = {key.removeprefix("match.") for key, _ in settings if key.startswith("match.")}
    assert conditions <= captures
    assert {key for key, _ in settings if not key.startswith("match.")} <= SETTINGS[name]
    assert {value for key, value in settings if key == "alias"} <= {"first", "last", "=default"}


@pytest.mark.parametrize(("language", "name"), QUERIES, ids=lambda each: each if isinstance(each, str) else each.id)
def test_a_query_has_no_predicates_which_crash_the_engine(language: Language, name: str) -> None:
    assert re.findall(r"\(#(?!set!)[^)]*\)", query_source(language, name)) == []


@pytest.mark.parametrize("language", WITH_USES, ids=lambda language: language.id)
@pytest.mark.parametrize("nested", [b"a" + b".b" * 6_000, b"f(" * 3_000 + b")" * 3_000], ids=["chain", "calls"])
def test_uses_of_deep_nesting_cost_no_more_than_its_length(language: Language, nested: bytes) -> None:
    text = (b"<?php " if language.id == "php" else b"") + nested
    tree = Parser(get_language(language.grammar)).parse(text)  # type: ignore[arg-type]
    matches_of(Parser(get_language(language.grammar)).parse(b""), language)  # type: ignore[arg-type]  # compiles the queries
    start = time.process_time()
    uses = usages_of(tree, matches_of(tree, language).imports, text, text, language, ()).uses
    assert time.process_time() - start < 2  # some hundred times less than what grows with the square
    assert len(uses) <= len(nested)


QUALIFIERS = [
    ("python", b"a.b.wanted", "a.b"),
    ("python", b"wanted.b", ""),
    ("python", b"a[0].wanted", "a.[]"),
    ("python", b"a[1:].wanted", "a"),
    ("javascript", b"return [a].wanted", "()"),
    ("python", b"'a'.wanted", "()"),
    ("python", b"# as a rule.\nwanted()", ""),
    ("python", b"@app.wanted\ndef f(): ...", "app"),
    ("javascript", b"a?.b.wanted()", "a?.b"),
    ("javascript", b"f(...wanted)", ""),
    ("javascript", b"a\n  .b\n  .wanted()", "a.b"),
    ("javascript", b"f([0])\n  // then the rest\n  .wanted()", "()"),
    ("rust", b"fn f() { 0..wanted; }", ""),
    ("rust", b"fn f() { Vec::<u8>::wanted(); }", "Vec"),
    ("rust", b"fn f() { <T as Shape>::wanted(); }", "()"),
    ("php", b"<?php $this->a->wanted();", "$this->a"),
    ("php", b"<?php new \\wanted();", "\\"),
    ("php", b"<?php throw new \\App\\wanted();", "\\App"),
    ("php", b"<?php self::$wanted;", "self"),
    ("ruby", b"::wanted", "\\"),
    ("ruby", b"@label.wanted", "@label"),
    ("kotlin", b"val a = listOf(1).forEach(::wanted)", ""),
    ("kotlin", b"val a = b!!.wanted", "b"),
    ("csharp", b"class A { B b = Ns.Of<int>.wanted; }", "Ns.Of"),
    ("csharp", b"class A { B b = new B { wanted = 1 }; }", "B()"),
    ("go", b"package a\nvar a = B{wanted: 1}", "B()"),
]


@pytest.mark.parametrize(("language", "text", "qualifier"), QUALIFIERS, ids=lambda each: each if isinstance(each, str) else "")
def test_what_stands_before_a_name_qualifies_it(language: str, text: bytes, qualifier: str) -> None:
    outline = outline_of(text, languages()[language])
    assert [qualifier] == [each.qualifier for each in outline.uses if each.name == "wanted"]


CALLS = [
    ("python", b"wanted(1)", True),
    ("python", b"(wanted)", False),
    ("typescript", b"a.wanted<T, Map<K, V>>(1)", True),
    ("typescript", b"wanted < a && (b > c)", False),
    ("typescript", b"wanted?.(1)", True),
    ("typescript", b"wanted`a`", True),
    ("csharp", b"class A { wanted<U> Map<U>(int a) { return null; } }", False),
    ("rust", b"fn f() { a.wanted::<u8>(2); }", True),
    ("rust", b"fn f() { wanted![1]; }", True),
    ("ruby", b"a.wanted", True),
    ("ruby", b"a = wanted", False),
    ("kotlin", b"val a = b.wanted { it }", True),
    ("go", b"package a\nvar a = wanted{1}", True),
    ("java", b"class A { B b = new wanted<>(); }", True),
    ("java", b"class A { @wanted B b; }", True),
]


@pytest.mark.parametrize(("language", "text", "is_call"), CALLS, ids=lambda each: each if isinstance(each, str) else "")
def test_a_call_is_told_from_a_mere_mention(language: str, text: bytes, is_call: bool) -> None:
    outline = outline_of(text, languages()[language])
    assert [is_call] == [each.is_call for each in outline.uses if each.name == "wanted"]


LOCALS = [
    ("python", b"def f(a, *b, c=1, **d): a; b; c; d"),
    ("python", b"a = [b for b in (1, 2) if b]"),
    ("python", b"a = lambda b: b"),
    ("javascript", b"it('', ({ a, b: [c] }, ...d) => { a; c; d })"),
    ("typescript", b"type A<B> = B extends (infer C)[] ? C : (d: number) => { [E in B]: E }"),
    ("go", b"package a\nvar a = func(b, c int) (d error) { e, f := 1, 2; return }"),
    ("java", b"class A { void a(B b) { c.forEach(d -> d); for (B e : f()) { b = e; } } }"),
    ("rust", b"fn a(b: u8) { if let Some(c) = d() { |e| e + c + b; } }"),
    ("scala", b"object A { def a(b: B) = b match { case C(d, _) => d; case e => e } }"),
    ("ruby", b"def a(b, c: 1, &d)\n  b.e { |f, (g, h)| f + g + h + c }\nend"),
]


@pytest.mark.parametrize(("language", "text"), LOCALS, ids=lambda each: each if isinstance(each, str) else "")
def test_a_variable_bound_in_a_function_is_no_use_there(language: str, text: bytes) -> None:
    bare = [each.name for each in outline_of(text, languages()[language]).uses if not each.qualifier and not each.is_call]
    assert [name for name in bare if name.islower()] == {"java": ["c"], "go": ["int", "error"]}.get(language, [])


def test_a_variable_bound_in_one_function_is_a_use_in_another() -> None:
    text = b"def f(a): a\ndef g(): a"
    assert [2] == [each.line for each in outline_of(text, languages()["python"]).uses]
