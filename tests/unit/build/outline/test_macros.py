"""Macros that a grammar of the C family cannot know are blanked where only a macro can stand, and nowhere else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.build.languages.c.macros import without_macros
from hardtack.build.languages.registry import Language, languages
from hardtack.build.outline.symbols import outline_of
from hardtack.build.outline.syntax import readable
from hardtack.nouns.outline import Symbol

C, CPP, CSHARP = (languages()[name] for name in ("c", "cpp", "csharp"))


def symbols_of(text: str, *, language: str = "cpp") -> list[Symbol]:
    return list(outline_of(text.encode(), languages()[language]).symbols)


@pytest.mark.parametrize(
    "statement",
    [
        "return a * YARD_WIDTH;",
        "if (a) YARD_STOP(b); else YARD_GO(b);",
        "x = (int) YARD_WIDTH + sizeof(x) * YARD_SIZE;",
        'printf("%" YARD_FORMAT "YARD_API int x;", a); // YARD_API int x;',
        "YARD_CRATE crate = { YARD_ONE, YARD_TWO };",
        "YARD_CRATE *crate = &YARD_ALL[YARD_FIRST];",
        "unsigned char YARD_MARK;",
        "switch (a) { case YARD_ONE: return YARD_TWO; }",
        "enum single { ONLY_ONE };",
        "YARD_CALL(a, b);",
        "#define YARD_API int YARD_DECLARED(x);",
        "TEST_CASE(opens) { }",
        "for (x : YARD_ALL) YARD_EACH(x);",
        "yard::YARD_TYPE YARD_NAME::count = YARD_NAME::first;",
        "const YARD_CRATE YARD_FIRST = make();",
        "size_t const width = YARD_WIDTH;",
        "unsigned __int64 YARD_WIDE;",
        "@implementation Yard (Lifting)\nYARD_FORWARD(top);",
    ],
)
def test_what_may_be_an_expression_a_type_or_a_definition_stays(statement: str) -> None:
    text = f"void f(void) {{\n  {statement}\n}}\n{statement}\n".encode()
    assert without_macros(text) == text


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.text(alphabet="A_Bab (){}[]<>;:,*&=~\"'/\\#\n", max_size=200))
def test_offsets_and_lines_stay_and_only_blanks_are_put_in(text: str) -> None:
    before = text.encode()
    after = without_macros(before)
    assert len(after) == len(before)
    assert all(new in (old, 32) and (old != 10 or new == 10) for old, new in zip(before, after, strict=True))


UNITS = [
    *(
        b"A_B(\n",
        b"A_B ",
        b"A_B\n",
        b")A_B ",
        b"(A_B,",
        b"A_B<",
        b"class A_B ",
        b"template<A_B ",
        b"int x A_B(",
        b"}\nA_B",
        b"A_B a ",
    ),
    *(
        b"f() const A_B\n",
        b'"',
        b"/*",
        b"#define A_B\\\n",
        b'R"(',
        b"\na b ",
        b"\n\n",
        b"A_B x<A_B>::y ",
        b"[[A_B]] ",
        b"[[",
        b"{A_B a,",
    ),
    *(b"*A_B ", b"f(((((A_B", b"x))))A_B ", b"#pragma a\n{,", b"extension(", b"a?.b", b"emit a.", b"signals ", b"unsigned A_B "),
]


@pytest.mark.parametrize("language", [C, CPP, CSHARP], ids=lambda language: language.id)
@pytest.mark.parametrize("unit", UNITS, ids=repr)
def test_hostile_text_costs_no_more_than_its_length(language: Language, unit: bytes) -> None:
    text = unit * (60_000 // len(unit))
    start = time.process_time()
    readable(text, language)
    assert time.process_time() - start < 2


def test_documentation_above_a_macro_belongs_to_what_the_macro_stands_before() -> None:
    text = 'class Crate {\n  /** Its load. */\n  UPROPERTY(EditAnywhere,\n            Category = "x")\n  int32 Load;\n};\n'
    (load,) = [symbol for symbol in symbols_of(text) if symbol.name == "Load"]
    assert load.doc == "Its load."
    assert (load.extent.start_line, load.span.start_line) == (2, 5)


def test_a_macro_that_is_used_inside_a_class_is_no_member_and_a_constructor_is() -> None:
    text = "class YARD_X {\n  wxDECLARE_EVENT_TABLE();\n  YARD_DECLARE(Crate);\n  YARD_X(int size);\n  ~YARD_X();\n};\n"
    assert [symbol.name for symbol in symbols_of(text)] == ["YARD_X", "YARD_X", "~YARD_X"]


@pytest.mark.parametrize("language", ["c", "cpp", "objc"])
@pytest.mark.parametrize(
    ("declarators", "owner"), [("Crate, *CratePtr", "Crate"), ("*CratePtr, Crate", "Crate"), ("*CratePtr", "CratePtr")]
)
def test_what_an_unnamed_type_holds_belongs_to_the_name_of_the_type_itself(language: str, declarators: str, owner: str) -> None:
    symbols = symbols_of(f"typedef struct {{ int size; }} {declarators};\n", language=language)
    (size,) = [symbol for symbol in symbols if symbol.name == "size"]
    assert size.qualified_name == f"{owner}.size"
    assert {symbol.name for symbol in symbols} == {"size", *declarators.replace("*", "").split(", ")}


def test_locals_of_a_function_that_broke_apart_do_not_outweigh_definitions() -> None:
    body = "".join(f"  int local{number} = {number};\n" for number in range(30))
    head = "int first(int at)\n{\n#ifdef A\n  if (at) {\n#else\n  while (at) {\n#endif\n"
    text = f"{head}{body}  }}\n}}\nint last(void) {{ return 1; }}\n"
    assert [symbol.name for symbol in symbols_of(text, language="c")] == ["first", "last"]


def test_macros_amid_a_list_are_found_beside_what_the_list_holds() -> None:
    text = 'typedef enum {\n#define OP(name) name,\n#include "ops.h"\n#undef OP\n  LAST\n} code;\nint after;\n'
    assert {symbol.name for symbol in symbols_of(text, language="c")} == {"code", "OP", "LAST", "after"}


def test_members_of_an_extension_block_have_its_receiver() -> None:
    text = b"static class E {\n  extension<T>(List<T> source) {\n    public int Size => 1;\n    public void Add(T x) { }\n  }\n}\n"
    outline = outline_of(text, CSHARP)
    receivers = {outline.symbols[index].qualified_name: detail.receiver for index, detail in outline.details.items()}
    assert receivers["E.Size"] == receivers["E.Add"] == "List<T>"


@pytest.mark.parametrize("language", ["c", "cpp", "objc"])
@pytest.mark.parametrize("name", ["yJSON_Open", "YARD_Open", "open"])
def test_what_stands_behind_the_brackets_of_a_macro_is_the_function(name: str, language: str) -> None:
    text = (
        f"YARD_PUBLIC(int) {name}(int gate)\n{{\n  return gate;\n}}\nYARD_PUBLIC(Yard *) {name}2(Yard *yard)\n{{\n  return 0;\n}}\n"
    )
    assert [symbol.name for symbol in symbols_of(text, language=language)] == [name, f"{name}2"]


def test_a_macro_stands_in_front_of_a_conversion_and_of_a_constructor_elsewhere() -> None:
    text = "struct Yard {\n  YARD_INLINE operator view<Char>() const { return a; }\n  YARD_PTR operator new(int size);\n};\n"
    assert [symbol.name for symbol in symbols_of(text)] == ["Yard", "operator view<Char>", "operator new"]
    text = "YARD_INLINE Yard::Yard(Yard &&other) YARD_NOEXCEPT\n    : gate_(other.gate_) {}\n"
    assert [symbol.qualified_name for symbol in symbols_of(text)] == ["Yard.Yard"]


@pytest.mark.parametrize(
    "words", ["template class", "extern template struct", "template YARD_API class", "template class YARD_API"]
)
def test_an_instantiation_hides_nothing_and_defines_nothing(words: str) -> None:
    text = f"namespace yard {{\n{words} Row<int, &Gate::open>;\nint width(int a) {{\n  return a;\n}}\n}}\n"
    outline = outline_of(text.encode(), CPP)
    assert (outline.error_lines, [symbol.name for symbol in outline.symbols]) == ((), ["yard", "width"])


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("extern Yard& yard;\n", "yard", "variable"),
        ("const Yard& yard = {};\n", "yard", "variable"),
        ("int& Yard::gate = other;\n", "gate", "field"),
        ("struct Yard { static const int* const* const gates[]; };\n", "gates", "field"),
        ("const char* Yard::names[14];\n", "names", "field"),
        ("struct Yard { int Row::* gate; };\n", "gate", "field"),
        ("typedef std::ostream& (*Shown)(std::ostream&);\n", "Shown", "type"),
        ("typedef Yard* (*Rows[])(int);\n", "Rows", "type"),
        ("typedef double YARD __attribute__ ((aligned(8)));\n", "YARD", "type"),
    ],
)
def test_references_and_pointers_of_every_kind_are_named_by_their_declarator(text: str, name: str, kind: str) -> None:
    (symbol,) = [symbol for symbol in symbols_of(text) if symbol.name != "Yard"]
    assert (symbol.name, str(symbol.kind)) == (name, kind)


def test_references_inside_functions_are_no_symbols() -> None:
    assert [symbol.name for symbol in symbols_of("void f() { int& a = b; static Yard& c = d; for (auto& e : g) {} }\n")] == ["f"]


def test_of_a_condition_around_a_file_that_breaks_apart_the_longest_branch_is_read() -> None:
    broken = "  int open() {\n#ifdef A\n    if (at) {\n#else\n    while (at) {\n#endif\n    } return 1; }\n"
    text = f'#if OLD\n#include "old.h"\n#else\nnamespace yard {{\nclass Row {{\n{broken}  int width;\n}};\n}}\n#endif\n'
    assert [symbol.qualified_name for symbol in symbols_of(text)] == ["yard", "yard.Row", "yard.Row.open", "yard.Row.width"]
