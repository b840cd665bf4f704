"""From text to an outline: naming, nesting, documentation, signatures, and what broken source leaves."""

from __future__ import annotations

import textwrap
import time

import pytest

from hardtack.build.languages.prose import MAX_QUALIFIED_CHARACTERS, comment_words
from hardtack.build.languages.registry import detect, dialect_of, languages
from hardtack.build.outline.symbols import MAX_SIGNATURE_CHARACTERS, outline_of
from hardtack.build.outline.syntax import readable
from hardtack.nouns.model import Kind
from hardtack.nouns.outline import Outline, ParseStatus, Symbol


def outline(language: str, text: str) -> Outline:
    return outline_of(textwrap.dedent(text).lstrip("\n").encode(), languages()[language])


def only(language: str, text: str, name: str) -> Symbol:
    (found,) = (symbol for symbol in outline(language, text).symbols if symbol.name == name)
    return found


def names(found: Outline) -> list[str]:
    return [symbol.qualified_name for symbol in found.symbols]


def test_a_span_leaves_decorators_and_comments_to_the_extent() -> None:
    symbol = only("python", "# Above.\n@cache\n# Between.\n@other(\n  1,\n)\ndef f():\n    pass\n", "f")
    assert (symbol.extent.start_line, symbol.span.start_line, symbol.selection.start_line) == (1, 7, 7)
    assert symbol.doc == "Above.\nBetween."


def test_a_span_takes_in_the_export_around_a_lone_definition() -> None:
    symbol = only("typescript", "/** Doc. */\nexport const a = 1;\n", "a")
    assert (symbol.span.start, symbol.signature, symbol.doc) == (12, "export const a = 1", "Doc.")


def test_two_definitions_in_one_statement_keep_their_own_spans() -> None:
    found = outline("typescript", "export const a = 1, b = 2;\n")
    assert [(s.name, s.signature, s.parent) for s in found.symbols] == [("a", "a = 1", -1), ("b", "b = 2", -1)]


def test_annotations_inside_a_definition_are_no_part_of_its_span() -> None:
    symbol = only("java", "class A {\n  /** D. */\n  @Foo(1)\n  @Bar\n  public void m() {}\n}\n", "m")
    assert (symbol.extent.start_line, symbol.span.start_line) == (2, 5)
    assert symbol.signature == "public void m()"
    assert symbol.doc == "D."


def test_a_comment_behind_code_documents_nothing_below_it() -> None:
    assert only("go", "package a\n\nvar x int // the x\nvar y int\n", "y").doc == ""


def test_a_blank_line_parts_a_comment_from_what_follows() -> None:
    symbol = only("go", "package a\n\n// Far.\n\nvar y int\n", "y")
    assert (symbol.doc, symbol.extent.start_line) == ("", 5)


def test_a_plain_comment_is_no_documentation_where_a_language_marks_its_own() -> None:
    assert only("rust", "// Plain.\n/// Doc.\nfn f() {}\n", "f").doc == "Doc."
    assert only("php", "<?php\n// Plain.\nfunction f() {}\n", "f").doc == ""


def test_comment_marks_and_common_indentation_are_left_out() -> None:
    text = "/**\n * First.\n *\n *   - deep\n * @return x\n */\nfunction f() {}\n"
    assert only("javascript", text, "f").doc == "First.\n\n  - deep\n@return x"


def test_a_docstring_loses_quotes_and_indentation() -> None:
    assert only("python", 'def f():\n    r"""First.\n\n      Deep.\n    Flat.\n    """\n', "f").doc == "First.\n\n  Deep.\nFlat."


def test_methods_are_qualified_by_receiver_impl_block_and_scope() -> None:
    assert "Context.JSON" in names(outline("go", "package a\nfunc (c *Context) JSON() {}\n"))
    assert "Box.get" in names(outline("go", "package a\nfunc (b Box[T]) get() {}\n"))
    assert "Router.route" in names(outline("rust", "impl<S> Router<S> { fn route(self) {} }\n"))
    assert "a.B.run" in names(outline("cpp", "void a::B<int>::run() {}\n"))


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("python", "class A:\n    def __init__(self): pass\n", "__init__"),
        ("php", "<?php\nclass A { function __construct() {} }\n", "__construct"),
        ("typescript", "class A { constructor() {} }\n", "constructor"),
        ("ruby", "class A\n  def initialize\n  end\nend\n", "initialize"),
        ("csharp", "class C { class A {} public C() {} }\n", "C"),
        ("cpp", "A::A() {}\n", "A"),
    ],
)
def test_constructors_are_told_from_methods(language: str, text: str, name: str) -> None:
    kinds = {symbol.kind for symbol in outline(language, text).symbols if symbol.name == name}
    assert Kind.CONSTRUCTOR in kinds
    assert Kind.METHOD not in kinds


def test_a_function_in_a_class_is_a_method_and_one_in_a_function_is_not() -> None:
    found = outline("python", "class A:\n    def m(self):\n        def inner(): pass\n")
    assert [symbol.kind for symbol in found.symbols] == [Kind.CLASS, Kind.METHOD, Kind.FUNCTION]


def test_locals_of_functions_are_no_symbols_and_those_of_nested_classes_are() -> None:
    text = "def f():\n    x = 1\n    class A:\n        y = 2\n        def m(self):\n            z = 3\n"
    assert names(outline("python", text)) == ["f", "f.A", "f.A.y", "f.A.m"]


def test_a_signature_stops_at_the_body_and_drops_comments() -> None:
    text = "def f(\n    a: int,  # the a\n    b='# no comment',\n) -> int:  # noqa\n    pass\n"
    assert only("python", text, "f").signature == "def f( a: int, b='# no comment', ) -> int"


def test_a_signature_is_one_line_of_limited_length() -> None:
    symbol = only("python", "x = [\n" + "    'word',\n" * 500 + "]\n", "x")
    assert len(symbol.signature) == MAX_SIGNATURE_CHARACTERS
    assert "\n" not in symbol.signature


def test_a_qualified_name_is_of_limited_length() -> None:
    found = outline("json", '{"k": ' * 600 + "1" + "}" * 600)
    assert max(len(symbol.qualified_name) for symbol in found.symbols) <= MAX_QUALIFIED_CHARACTERS
    assert found.symbols[1].qualified_name == "k.k"


def test_each_symbol_has_the_namespace_it_stands_in() -> None:
    found = outline("php", "<?php\nnamespace A\\B { class C {} }\nnamespace D { class E {} }\n")
    assert [(s.qualified_name, s.package) for s in found.symbols] == [("A\\B", "A\\B"), ("C", "A\\B"), ("D", "D"), ("E", "D")]
    assert found.package == "A\\B"


def test_imports_span_the_first_to_the_last_at_the_top_level() -> None:
    found = outline("python", "import a\n\nfrom b import c\n\ndef f():\n    import d\n")
    assert found.imports is not None
    assert (found.imports.start_line, found.imports.end_line) == (1, 3)
    assert outline("python", "x = 1\n").imports is None


def test_one_unclosed_bracket_does_not_hide_what_follows() -> None:
    found = outline(
        "python",
        "def a(): pass\n\nclass B:\n    x = 1\n\n    def c(self, d:\n        pass\n\n    def e(self): pass\n\ndef f(): pass\n",
    )
    assert found.status is ParseStatus.PARTIAL
    assert found.error_lines[0] == 6
    assert {"a", "B", "B.e", "f"} <= set(names(found))


def test_a_line_in_error_that_hides_nothing_is_read_as_it_stands() -> None:
    text = """
        struct Hex {
          template <typename P>
          explicit Hex(P* lib_maybe v, Pad spec = lib::none)
              : Hex(spec, bits_of(v)) {}
          int width;
        };
    """
    found = outline("cpp", text)
    assert (found.status, found.error_lines) == (ParseStatus.PARTIAL, (3,))
    assert names(found) == ["Hex", "Hex.Hex", "Hex.width"]
    assert found.symbols[1].span.start_line == 2


CYTHON = """\
from libc.string cimport memcpy
cdef extern from "jars.h":
    ctypedef struct lid_t
DEF SIZE = 4
cdef object Lid = None

cdef class Jar(Base):
    cdef readonly int size
    cdef:
        char *lid

    def __cinit__(self, int size, object lid=None):
        self.lid = <char *>lid

    cdef inline int fill(self, const char *at, size_t length) except -1:
        cdef int n = length
        return <int>n

cpdef enum Kind:
    LOW

cpdef void open(Jar jar,
                int times) nogil:
    jar.size = times
"""


def test_cython_is_read_as_the_python_that_does_the_same() -> None:
    found = outline("python", CYTHON)
    expected = ["SIZE", "Lid", "Jar", "Jar.__cinit__", "Jar.fill", "Kind", "open"]
    assert (found.status, [name for name in names(found) if name != "Kind.LOW"]) == (ParseStatus.OK, expected)
    assert only("python", CYTHON, "fill").signature == "cdef inline int fill(self, const char *at, size_t length) except -1"
    assert names(outline("python", "cdef class Jar:\n    cdef int fill(self, int n)\n    cpdef open(self)\n")) == [
        "Jar",
        "Jar.fill",
        "Jar.open",
    ]


@pytest.mark.parametrize("unit", ["cdef a(", "cdef a a ", "def a(b c, ", "cdef a(()", "\ncdef f(x", "cdef x = <a", "<a "])
def test_hostile_cython_costs_no_more_than_its_length(unit: str) -> None:
    start = time.process_time()
    readable(b"cdef int x\n" + unit.encode() * (60_000 // len(unit)), dialect_of(languages()["python"], b"cdef int x\n"))
    assert time.process_time() - start < 2


READABLE = [
    ("kotlin", "val jar = object : Lid<Int> by lid {\n  fun open() {}\n}\nfun last() {}\n", ["jar", "jar.open", "last"]),
    ("kotlin", "class Jar(val lid: Lid) : Lid by lid {\n  val size = 1\n}\n", ["Jar", "Jar.lid", "Jar.size"]),
    ("kotlin", "class Jar : Lid()\n\nval size: Int by lazy {\n  1\n}\n", ["Jar", "size"]),
    ("kotlin", "class Jar\n@Inject\nconstructor(val lid: Lid) {\n  val size = 1\n}\n", ["Jar", "Jar.lid", "Jar.size"]),
    ("kotlin", "@A\n@B\npublic class Jar {\n  val lid = 1\n}\nclass Lid(val n: Int)\n", ["Jar", "Jar.lid", "Lid", "Lid.n"]),
    ("kotlin", "@A\n@B\ninterface Jar {\n  val lid: Int\n}\nclass Lid(val n: Int)\n", ["Jar", "Jar.lid", "Lid", "Lid.n"]),
    ("kotlin", "@A\n@B\nannotation class Jar\nclass Lid(val n: Int)\n", ["Jar", "Lid", "Lid.n"]),
    ("perl", "package Jar::2022_Lid;\nsub open { 1 }\n", ["Jar::2022_Lid", "open"]),
    ("perl", "sub fill {\n  $name =~ s/(.+)::/$1->/;\n}\nsub open { split(/\\//, 1) }\nsub last { 1 }\n", ["fill", "open", "last"]),
    (
        "proto",
        "message Jar {\n  optional group Lid = 1 {\n    optional int32 width = 1;\n  }\n  optional int32 n = 2;\n}\n",
        ["Jar", "Jar.Lid", "Jar.Lid.width", "Jar.n"],
    ),
    ("php", "<?php\n\\define('JARS', 1);\ndefine('LIDS', 2);\n", ["JARS", "LIDS"]),
    ("html", '<p><a name="jar" /></p><a name="lid"></a>\n', ["jar", "lid"]),
    (
        "scss",
        '$jar: mix(\n  #{lid.get("a")},\n  0.5\n) !default;\n$lid: 1rem !default;\n.shelf {\n  @include jar.fill(\n    (\n'
        '      "lid": #{$lid},\n    )\n  );\n}\n.last {\n  top: 0;\n}\n',
        ["jar", "lid", ".shelf", ".last"],
    ),
]


@pytest.mark.parametrize(("language", "text", "expected"), READABLE)
def test_what_a_grammar_does_not_know_hides_nothing_around_it(language: str, text: str, expected: list[str]) -> None:
    found = outline(language, text)
    assert (found.status, names(found)) == (ParseStatus.OK, expected)


def test_a_format_without_a_grammar_says_so() -> None:
    assert outline("text", "Words.\n") == Outline(status=ParseStatus.NO_GRAMMAR)


def test_a_deadline_gives_error_and_no_symbols() -> None:
    text = b"x = 1\n" + b"(((y =" * 10_000
    assert outline_of(text, languages()["python"], deadline_s=0.001) == Outline(status=ParseStatus.ERROR)


def test_lines_are_counted_by_line_feeds_whatever_stands_before_them() -> None:
    unix = outline_of(b"a = 1\n\ndef f():\n    pass\n", languages()["python"])
    windows = outline_of(b"a = 1\r\n\r\ndef f():\r\n    pass\r\n", languages()["python"])
    assert [s.span.start_line for s in unix.symbols] == [s.span.start_line for s in windows.symbols] == [1, 3]
    assert unix.symbols[1].signature == windows.symbols[1].signature


def test_a_byte_order_mark_hides_nothing() -> None:
    assert names(outline_of(b"\xef\xbb\xbfdef f(): pass\n", languages()["python"])) == ["f"]


def test_positions_count_bytes_not_characters() -> None:
    symbol = outline_of("é = 1\nü = 2\n".encode(), languages()["python"]).symbols[1]
    assert (symbol.name, symbol.span.start, symbol.selection.end, symbol.span.start_line) == ("ü", 7, 9, 2)


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("/***/", ""),
        ("/**\n * A.\n ****/", "A."),
        ("# A\n#   b\n#\n# c", "A\n  b\n\nc"),
        ("// =====\n// A.\n// -----", "A."),
        ("<!-- A. -->", "A."),
        ("/// A.\n//! B.", "A.\nB."),
        ("-- A.", "A."),
        ("/* A\n   b */", "A\nb"),
    ],
)
def test_comment_words_leave_marks_and_rules_out(comment: str, words: str) -> None:
    assert comment_words(comment) == words


@pytest.mark.parametrize("filler", [" ", "*", "#", "\t", "-", ">", "`", "- ", "# "])
def test_a_comment_or_a_line_of_one_mark_repeated_takes_no_longer_than_its_length(filler: str) -> None:
    filled = filler * 200_000
    assert outline("javascript", f"/* a{filled}b */\nfunction f() {{}}\n").symbols[0].name == "f"
    outline_of(f"# {filled}x\n\n{filled}x\n{filled}\n".encode(), languages()["markdown"])
    outline_of(f"{filled}x\n{filled}\n".encode(), languages()["restructuredtext"])
    detect("a.h", f"{filled}\n".encode() + b"\n" * 20_000)
