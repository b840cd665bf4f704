"""What files import, as each language says it: module, name and what the file calls it."""

from __future__ import annotations

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of

CASES = [
    ("python", b"import a.b", [("a.b", "", "a")]),
    ("python", b"import a.b as c, d", [("a.b", "", "c"), ("d", "", "d")]),
    ("python", b"from ..a import b as c, d", [("..a", "b", "c"), ("..a", "d", "d")]),
    ("python", b"from . import *", [(".", "*", "")]),
    ("go", b'package a\nimport b "c/d"', [("c/d", "", "b")]),
    ("go", b'package a\nimport (\n"c/d"\n. "e"\n_ "f"\n)', [("c/d", "", "d"), ("e", "*", ""), ("f", "", "")]),
    ("javascript", b"import a, { b as c, d } from './e'", [("./e", "default", "a"), ("./e", "b", "c"), ("./e", "d", "d")]),
    ("javascript", b"import * as a from 'b'; import 'c'", [("b", "", "a"), ("c", "", "")]),
    ("javascript", b"export { a as b } from './c'; export * from './d'", [("./c", "a", "b"), ("./d", "*", "")]),
    ("javascript", b"const a = require('b'); const c = translate('d')", [("b", "", "a")]),
    ("javascript", b"const a = require('b').c", [("b", "", ""), ("b", "c", "a")]),
    ("typescript", b"import a = require('b'); import type { C } from 'd'", [("b", "", "a"), ("d", "C", "C")]),
    ("java", b"import a.b.C; import static a.b.C.m; import a.b.*;", [("a.b", "C", "C"), ("a.b.C", "m", "m"), ("a.b", "*", "")]),
    ("kotlin", b"import a.b.C\nimport a.b.D as E\nimport a.b.*", [("a.b", "C", "C"), ("a.b", "D", "E"), ("a.b", "*", "")]),
    (
        "scala",
        b"import a.b.C\nimport a.b.{D, E => F}\nimport a._",
        [("a.b", "C", "C"), ("a.b", "D", "D"), ("a.b", "E", "F"), ("a", "*", "")],
    ),
    ("csharp", b"using A.B;\nusing C = A.B.D;\nusing static A.E;", [("A.B", "*", ""), ("A.B", "D", "C"), ("A.E", "*", "")]),
    ("php", b"<?php use A\\B\\C as D; use function A\\f; use E;", [("A\\B", "C", "D"), ("A", "f", "f"), ("", "E", "E")]),
    ("php", b"<?php use A\\B\\{C, D as E};", [("A\\B", "C", "C"), ("A\\B", "D", "E")]),
    ("ruby", b"require 'a/b'\nrequire_relative 'c'\nputs 'd'", [("a/b", "", ""), ("./c", "", "")]),
    (
        "rust",
        b"use a::{b, c as d, e::{f, self}, g::*};",
        [("a::e", "", "e"), ("a", "b", "b"), ("a", "c", "d"), ("a::e", "f", "f"), ("a::g", "*", "")],
    ),
    ("rust", b"use a::b as c; use d; mod e; mod f {}", [("a", "b", "c"), ("d", "", "d"), ("self::e", "", "e")]),
    ("rust", b"use super::a; mod tests { use super::*; }", [("super", "a", "a"), ("self::super", "*", "")]),
    (
        "rust",
        b"mod f { mod g { use super::super::a; use super::b; } }",
        [("self::self::super::super", "a", "a"), ("self::self::super", "b", "b")],
    ),
    (
        "rust",
        b"use a::{b::{c::{d as e, self as f}}, g}; use {h, i::j};",
        [("a::b::c", "d", "e"), ("a::b::c", "", "f"), ("a", "g", "g"), ("h", "", "h"), ("i", "j", "j")],
    ),
    ("vue", b"<script>import a from './b.vue'</script>", [("./b.vue", "default", "a")]),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES, ids=lambda each: each if isinstance(each, str) else "")
def test_an_import_says_where_from_what_and_under_which_name(
    language: str, text: bytes, expected: list[tuple[str, str, str]]
) -> None:
    imported = outline_of(text, languages()[language]).imported
    assert sorted(expected) == sorted((each.module, each.name, each.alias) for each in imported)
