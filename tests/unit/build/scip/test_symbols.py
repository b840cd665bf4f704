"""Symbols as indexers write them, and the words of the source by which they go."""

from __future__ import annotations

import pytest

from hardtack.build.scip.symbols import SymbolTable, is_name_of, parsed


@pytest.mark.parametrize(
    ("symbol", "words", "others"),
    [
        ("scip-typescript npm jars 1.0 src/`jar.ts`/Jar#", ["Jar"], ["jar", "Jars"]),
        ("scip-typescript npm jars 1.0 src/`jar.ts`/Jar#fill().", ["fill"], ["Jar"]),
        ("scip-typescript npm jars 1.0 src/`jar.ts`/Jar#`<constructor>`().", ["Jar", "constructor"], ["fill", ""]),
        ("scip-typescript npm jars 1.0 src/`jar.ts`/Jar#`<get>size`().", ["size"], ["get"]),
        ("scip-typescript npm jars 1.0 src/`jar.ts`/wide12:", ["wide", "wide1", "wide12"], ["wid", "wide2"]),
        ("scip-typescript npm jars 1.0 src/`jar.ts`/`'a-b'0`:", ["a-b", "'a-b'"], ["a"]),
        ("scip-typescript npm jars 1.0 src/`jar.ts`/Jar#$size.", ["$size", "size"], []),
        ("scip-python python jars 1.0 `jars.shelf`/Shelf#take().", ["take"], []),
        ("scip-python python jars 1.0 `jars.shelf`/take().(count)", ["count"], ["take"]),
        ("scip-typescript npm jars 1.0 src/`jar.ts`/Jar#[T]", ["T"], []),
        ("scip-java maven org.jars 1.0 org/jars/Jar#`<init>`(+1).", ["Jar"], []),
        ("rust-analyzer cargo jars 1.0 jar/impl#[Jar]fill().", ["fill"], []),
        ("scip-x . . . a`b.", [], []),
        ("scip with  space . . . Jar#", [], []),
    ],
)
def test_a_symbol_goes_by_the_name_of_its_last_descriptor(symbol: str, words: list[str], others: list[str]) -> None:
    read = parsed(symbol)
    if not words:
        assert read is None or read.name == "Jar"
        return
    assert read is not None
    assert (words, []) == ([word for word in words if is_name_of(word, read)], [word for word in others if is_name_of(word, read)])


@pytest.mark.parametrize(
    "symbol", ["scip-typescript npm jars 1.0 src/`jar.ts`/", "scip-python python jars 1.0 `jars.shelf`/__init__:"]
)
def test_files_are_modules_and_have_no_name(symbol: str) -> None:
    read = parsed(symbol)
    assert read is not None
    assert (True, "") == (read.is_module, read.name)


@pytest.mark.parametrize("symbol", ["", "local", "a b c", "a b c d `", "a b c d (x", "a b c d x", "a b c d " + "x" * 5000 + "."])
def test_what_is_malformed_or_endless_is_no_symbol(symbol: str) -> None:
    assert parsed(symbol) is None


def test_a_local_symbol_is_one_of_its_document_and_a_global_one_the_same_everywhere() -> None:
    table, numbers = SymbolTable(), []
    for name, document in (("local 1", "a"), ("local 1", "b"), ("s m p v x.", "a"), ("s m p v x.", "b"), ("s m q v x.", "b")):
        read = parsed(name)
        assert read is not None
        numbers.append(table.number(name, read, document))
    assert [0, 1, 2, 2, 3] == numbers
    assert ([-1, -1, 0, 1], ["s m p", "s m q"]) == (table.packages, table.package_names)
