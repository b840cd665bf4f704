"""Whether a document is of the file's present text, and what it says of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scip_indexes import document, occurrences, symbol
from source_files import source_file

from hardtack.build.scip.documents import APPLIED, AS_TYPE, DEFINES, RENAMED, SHORTHAND, Reading, Said
from hardtack.build.scip.schema import UTF_8, UTF_16
from hardtack.build.scip.symbols import SymbolTable
from hardtack.build.workers.analyse import analyse

_FILL, _SEAL, _JAR = symbol("`jar.ts`/fill()."), symbol("`jar.ts`/seal()."), symbol("`jar.ts`/Jar#")
_TEXT = "export function fill(jar: Jar) {\n  return seal(fill, jar.lid);\n}\n"
_OCCURRENCES = occurrences(
    _TEXT, ("fill", _FILL, 1), ("Jar", _JAR, 0), ("seal", _SEAL, 0), ("fill", _FILL, 0), ("lid", "local 1", 0)
)


def _said(text: str, made: Any) -> Said | None:
    file = source_file("jar.ts", text)
    return Reading(SymbolTable()).said_of(made, "0 jar.ts", file.text, analyse(file, None))


def test_a_document_that_fits_says_where_what_is_defined_used_and_called() -> None:
    said = _said(_TEXT, document("jar.ts", _OCCURRENCES))
    assert said is not None
    starts = [_TEXT.index(word) for word in ("fill", "Jar", "seal", "fill, ", "lid")]
    assert (starts, [1, 1, 2, 2, 2], [0, 1, 2, 0, 3]) == ([*said.starts], [*said.lines], [*said.symbols])
    assert ([0] * 5, [DEFINES | APPLIED, 0, APPLIED, 0, 0]) == ([*said.holders], [*said.flags])
    assert [(0, 0, 0)] == said.definitions


@pytest.mark.parametrize(
    "text",
    [
        "\n" + _TEXT,
        _TEXT.replace("  return", "    return"),
        _TEXT.replace("return seal", "return  seal"),
        _TEXT[: _TEXT.index("seal")],
        _TEXT.replace("fill", "pour"),
        "",
    ],
)
def test_a_document_of_another_state_of_its_file_says_nothing(text: str) -> None:
    assert _said(text, document("jar.ts", _OCCURRENCES)) is None


def test_what_was_changed_after_all_that_is_named_does_not_matter_unless_the_document_has_the_text() -> None:
    later = _TEXT + "// and a comment\n"
    assert _said(later, document("jar.ts", _OCCURRENCES)) is not None
    assert _said(_TEXT, document("jar.ts", _OCCURRENCES, text="\ufeff" + _TEXT)) is not None
    assert _said(later, document("jar.ts", _OCCURRENCES, text=_TEXT)) is None


def test_columns_count_what_the_document_says_or_what_fits() -> None:
    text = "/* 🫙 */ export function fill() {}\n"
    utf_8, utf_16 = ([0, start, start + 4] for start in (text.encode().index(b"fill"), text.index("fill") + 1))
    cases = [(utf_8, 0), (utf_8, UTF_8), (utf_16, 0), (utf_16, UTF_16)]
    for place, encoding in cases:
        said = _said(text, document("jar.ts", [(place, _FILL, 1)], encoding=encoding))
        assert said is not None
        assert [utf_8[1]] == [*said.starts]
    assert _said(text, document("jar.ts", [(utf_8, _FILL, 1)], encoding=UTF_16)) is None


def test_names_of_imports_are_the_symbols_own_and_a_class_stands_for_its_constructor() -> None:
    text = "import { fill as pour, Jar } from './jar';\npour(new Jar());\n"
    maker = symbol("`jar.ts`/Jar#`<constructor>`().")
    marked = occurrences(text, ("fill", _FILL, 0), ("pour", _FILL, 0), ("Jar", _JAR, 0), ("pour", _FILL, 0), ("Jar", maker, 0))
    said = _said(text, document("main.ts", marked))
    assert said is not None
    assert [0, RENAMED, SHORTHAND, RENAMED | APPLIED, AS_TYPE | APPLIED] == [*said.flags]
    assert ({0: [0, 1], 1: [2]}, {1: "pour", 3: "pour"}) == (said.imported, said.words)


def test_a_range_that_holds_an_alias_is_that_of_the_name() -> None:
    text = "import { fill as pour } from './jar';\n"
    said = _said(text, document("main.ts", [([0, 9, 21], _FILL, 0)]))
    assert said is not None
    assert ([9], {0: [0]}) == ([*said.starts], said.imported)


def test_a_member_by_its_name_alone_is_the_variable_of_that_name() -> None:
    text = "const tools = () => ({ fill, 'pour-out': 1 });\n"
    marked = [([0, 23, 27], symbol("`a.ts`/fill0:"), 1), ([0, 23, 27], _FILL, 0), ([0, 29, 39], symbol("`a.ts`/`'pour-out'0`:"), 1)]
    said = _said(text, document("a.ts", marked))
    assert said is not None
    assert {23: SHORTHAND, 30: 0} == {start: flags & SHORTHAND for start, flags in zip(said.starts, said.flags, strict=True)}
    assert 1 == len(said.aliases)


@pytest.mark.parametrize(
    "strange",
    [
        [[0, 0, 0], ""],
        [[0, 0, 3], "nonsense"],
        [[0, 20, 21], _FILL],
        [[0, 0, 2, 1], _FILL],
        [[1, 10, 10], _FILL],
        [[0, 0, 6], "local 4"],
    ],
)
def test_what_is_no_name_is_passed_over(strange: list[Any]) -> None:
    place, named = strange
    if place == [0, 0, 3]:
        assert _said(_TEXT, document("jar.ts", [*_OCCURRENCES, (place, named, 0)])) is None  # it ends inside a word
        return
    said = _said(_TEXT, document("jar.ts", [*_OCCURRENCES, (place, named, 0)]))
    assert said is not None
    assert len(_OCCURRENCES) + (named == "local 4") == len(said.starts)


def test_a_range_that_is_longer_than_any_name_is_passed_over() -> None:
    text = f"const text = '{'long ' * 300}';\n"
    said = _said(text, document("a.ts", [([0, 0, 1000], _FILL, 0), ([0, 13, 1500], _FILL, 0), ([0, 6, 10], "local 1", 1)]))
    assert said is None  # the first ends where a word does not
    said = _said(text, document("a.ts", [([0, 0, 1101], _FILL, 0), ([0, 13, 1515], _FILL, 0), ([0, 6, 10], "local 1", 1)]))
    assert said is not None
    assert [6] == [*said.starts]


def test_one_place_says_the_same_of_a_symbol_once_and_no_file_has_more_names_than_bytes() -> None:
    said = _said(_TEXT, document("jar.ts", _OCCURRENCES * 3))
    assert said is not None
    assert len(_OCCURRENCES) == len(said.starts)
    assert _said(_TEXT, document("jar.ts", _OCCURRENCES * 1000)) is None


_NUMBERS = st.integers(-(1 << 31), (1 << 31) - 1) | st.integers(-1, 40)
_SYMBOLS = st.sampled_from([_FILL, _SEAL, _JAR, "local 1", "", "a b c d `"]) | st.text(max_size=30)


@given(st.lists(st.tuples(st.lists(_NUMBERS, max_size=5), _SYMBOLS, st.integers(0, 127)), max_size=20), st.integers(0, 5))
def test_whatever_a_document_says_stays_inside_the_text(some: list[tuple[list[int], str, int]], encoding: int) -> None:
    said = _said("x = 'größe 🫙'; " + _TEXT, document("jar.ts", some, encoding=encoding))
    if said is not None:
        assert all(0 <= start < len(_TEXT) + 40 for start in said.starts)
        assert len(said.starts) == len(said.lines) == len(said.symbols) == len(said.holders) == len(said.flags) <= len(some)
        assert [*said.starts] == sorted(said.starts)
