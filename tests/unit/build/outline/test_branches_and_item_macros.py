"""What stands in branches of a preprocessor and in macros that hold items is read as what it is."""

from __future__ import annotations

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.outline import Outline


def outline(language: str, text: str) -> Outline:
    return outline_of(text.encode(), languages()[language])


def told(found: Outline) -> list[str]:
    """Each symbol, and behind it the names that are called in it."""
    called = {
        index: [each.name for each in found.uses if each.is_call and each.symbol == index] for index in range(len(found.symbols))
    }
    return [" ".join([f"{symbol.kind} {symbol.qualified_name}", *called[index]]) for index, symbol in enumerate(found.symbols)]


BROKEN = "int g(\n#ifdef A\nint a\n#else\nlong a\n#endif\n) { return last(a); }\n"


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        (
            "c",
            "#ifdef A\nint f(void) { one(); }\n#elif B\nint f(void) { two(); }\n#else\nint h(int n) { three(n); }\n#endif\n"
            + BROKEN,
            ["function f one", "function f two", "function h three", "function g last"],
        ),
        (
            "cpp",
            "#ifdef A\nint C::f() { return one(); }\n#else\nint C::f() { return two(); }\n#endif\n" + BROKEN,
            ["method C.f one", "method C.f two", "function g last"],
        ),
        (
            "csharp",
            "class C {\n#if A\n  void F() { One(); }\n#else\n  void F() { Two(); }\n#endif\n}",
            ["class C", "method C.F One", "method C.F Two"],
        ),
        (
            "swift",
            "class C {\n#if os(Linux)\n  func f() { one() }\n#elseif A\n  func f() { two() }\n#else\n  var g = three()\n#endif\n}",
            ["class C", "method C.f one", "method C.f two", "property C.g three"],
        ),
        (
            "objc",
            "@implementation C\n#if A\n- (void)f { [x one]; }\n#else\n- (void)f { [x two]; }\n#endif\n@end",
            ["block C", "method C.f one", "method C.f two"],
        ),
    ],
)
def test_every_branch_of_a_condition_defines_and_uses(language: str, text: str, wanted: list[str]) -> None:
    assert told(outline(language, text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cfg_a! { pub fn f() { g() } }", ["function f g"]),
        ("cfg_a! { cfg_b! { pub mod m; } }", ["module m"]),
        ("impl T { cfg_a! { pub fn f(&self) { self.g() } } }", ["block T cfg_a", "method T.f g"]),
        ("lazy_static! { static ref A: B = c(); }", ["variable A c"]),
        ("thread_local!(static A: B = c());", ["variable A c"]),
        ("fn f() { thread_local! { static A: B = c() } A.with(d) }", ["function f thread_local with", "variable f.A c"]),
        ("cfg_if! { if #[cfg(a)] { fn f() { g() } } else { fn f() { h() } } }", ["function f g", "function f h"]),
        ("bitflags! { pub struct A: u8 { const B = 1; const C = d(); } }", ["enum A", "enum_member A.B", "enum_member A.C d"]),
        ("libc_bitflags! { pub struct A: c_int { B; C as c_int; } }", ["enum A", "enum_member A.B", "enum_member A.C"]),
    ],
)
def test_items_in_a_macro_are_items_where_they_stand(text: str, wanted: list[str]) -> None:
    found = outline("rust", text)
    assert told(found) == wanted
    assert [text.encode()[each.selection.start : each.selection.end].decode() for each in found.symbols] == [
        each.name for each in found.symbols
    ]
    assert [each for each in found.uses if not text.startswith(each.name, each.start)] == []
    assert found.error_lines == ()


@pytest.mark.parametrize(
    "text",
    [
        "quick_error! { pub enum A { B(c: d) { display(e) } } }",
        "assert_impl!(A: B);",
        "fn f() { let a = quote! { fn b() {} }; }",
        "fn f() -> A { quote! { fn b() {} } }",
        "cfg_a! { let b = 1; }",
    ],
)
def test_a_macro_that_holds_no_items_stays_closed(text: str) -> None:
    assert [each.name for each in outline("rust", text).symbols] == (["f"] if text.startswith("fn") else [])


def test_a_macro_that_is_opened_is_still_called() -> None:
    found = outline("rust", "crate::cfg_a! { fn f() {} }\nbitflags! { struct A: u8 { const B = 1; } }")
    assert [(each.name, each.qualifier) for each in found.uses if each.is_call] == [("cfg_a", "crate"), ("bitflags", "")]


def test_what_a_macro_takes_that_the_grammar_is_not_shown_is_used() -> None:
    found = outline("cpp", 'void f() {\n  CHECK(a.get().at({1, 2}) == b::C);\n  LOG_IT("not(here)", {d(), e});\n}\n')
    assert [(each.name, each.is_call) for each in found.uses if each.name not in ("CHECK", "LOG_IT")] == [
        *(("a", False), ("get", True), ("at", True), ("b", False), ("C", False)),
        *(("d", True), ("e", False)),
    ]
