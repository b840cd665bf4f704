"""What a few lines of source say of a symbol beyond its name."""

from __future__ import annotations

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.outline.symbols import outline_of
from hardtack.nouns.details import Detail, Parameter, Return, Supertype


def details(language: str, source: str) -> dict[str, Detail]:
    """By qualified name; of several of one name the last."""
    outline = outline_of(source.encode(), languages()[language])
    return {outline.symbols[index].qualified_name: detail for index, detail in outline.details.items()}


def declared(detail: Detail) -> list[tuple[str, str, str]]:
    return [(parameter.name, parameter.type, parameter.default) for parameter in detail.parameters]


def test_parameters_of_python_keep_stars_dividers_annotations_and_defaults_in_order() -> None:
    source = "def f(a, /, b: int, c=1, *args: str, d: bool = (1, 2), e, **rest): ...\n"
    wanted = [("a", "", ""), ("/", "", ""), ("b", "int", ""), ("c", "", "1"), ("*args", "str", "")]
    wanted += [("d", "bool", "(1, 2)"), ("e", "", ""), ("**rest", "", "")]
    assert declared(details("python", source)["f"]) == wanted


def test_an_abstract_method_of_python_says_so_and_keeps_its_decorators() -> None:
    source = "class A(Base, metaclass=M):\n    @property\n    @abc.abstractmethod\n    async def f(self) -> int: ...\n"
    found = details("python", source)
    assert found["A.f"].modifiers == ("abstract", "async")
    assert found["A.f"].decorators == ("@property", "@abc.abstractmethod")
    assert found["A"].supertypes == (Supertype(relation="inherits", name="Base"),)


def test_names_bound_together_get_a_value_each_or_the_one_that_is_for_all() -> None:
    assert details("python", "a, b = 1, (2, 3)\n")["b"].value == "(2, 3)"
    assert details("go", "package p\nvar a, b = f()\n")["b"].value == "f()"
    assert details("go", "package p\nvar a, b = 1, 2\n")["b"].value == "2"


def test_constants_of_go_that_state_nothing_take_type_and_value_from_the_line_before() -> None:
    source = "package p\nconst (\n\tA Side = iota + 1\n\tB\n\t_\n\tC // here\n\tD = 'x'\n\tE\n)\nconst F = 1\n"
    found = {name: (detail.type, detail.value) for name, detail in details("go", source).items()}
    assert {name: found[name] for name in "ABCDEF"} == {
        **dict.fromkeys("ABC", ("Side", "iota + 1")),
        **dict.fromkeys("DE", ("", "'x'")),
        "F": ("", "1"),
    }


def test_a_struct_of_go_embeds_types_and_its_fields_have_tags() -> None:
    source = (
        'package p\ntype T struct {\n\tio.Reader `a:"b"`\n\t*Seal\n\tList[int]\n\tA, B string `json:"a"`\n\tC int "k:\\"v\\""\n}\n'
    )
    found = details("go", source)
    assert [(base.relation, base.name) for base in found["T"].supertypes] == [
        ("embeds", "io.Reader"),
        ("embeds", "*Seal"),
        ("embeds", "List[int]"),
    ]
    assert [(found[f"T.{name}"].type, found[f"T.{name}"].tag) for name in ("Reader", "Seal", "A", "B", "C")] == [
        *(("io.Reader", 'a:"b"'), ("*Seal", ""), ("string", 'json:"a"'), ("string", 'json:"a"'), ("int", 'k:"v"')),
    ]


def test_results_of_go_are_stated_once_with_their_names_and_variadics_keep_their_dots() -> None:
    found = details("go", "package p\nfunc f(int, ...string) (n int, err error)\nfunc (c *C[T]) G(a, b int, rest ...T) *X\n")
    assert found["f"].returns == (Return(type="int", description="n"), Return(type="error", description="err"))
    assert declared(found["f"]) == [("int", "int", ""), ("...string", "...string", "")]
    assert declared(found["C.G"]) == [("a", "int", ""), ("b", "int", ""), ("rest", "...T", "")]
    assert (found["C.G"].returns, found["C.G"].receiver) == ((Return(type="*X"),), "*C[T]")


def test_a_promoted_parameter_of_php_is_a_parameter_and_a_property() -> None:
    source = "<?php class A { function __construct(private readonly ?int $n = null, array &$x, string ...$rest) {} }"
    found = details("php", source)
    wanted = [("$n", "?int", "null"), ("&$x", "array", ""), ("...$rest", "string", "")]
    assert declared(found["A.__construct"]) == wanted
    assert found["A.n"] == Detail(visibility="private", modifiers=("readonly",), type="?int", value="null")


def test_what_php_leaves_out_is_public_and_locals_have_no_visibility() -> None:
    found = details("php", "<?php abstract class A { abstract static function f(); const X = 1; }\nfunction g() {}")
    assert found["A.f"].visibility == "public"
    assert found["A.f"].modifiers == ("abstract", "static")
    assert found["A"] == Detail(modifiers=("abstract",))
    assert "g" not in found
    assert details("python", "def f():\n    def g(a): ...\n")["f.g"].visibility == ""


def test_what_a_file_exports_in_a_list_or_where_it_stands_is_exported() -> None:
    source = "class A { #x = 1; y }\nfunction f() {}\nconst g = 1;\nexport const h = 2;\nexport { A, f as other };\n"
    for language in ("javascript", "typescript"):
        found = details(language, source)
        visible = {name: detail.visibility for name, detail in found.items()}
        assert {name: visible[name] for name in ("A", "f", "g", "h", "A.#x", "A.y")} == {
            **dict.fromkeys(("A", "f", "h"), "exported"),
            "g": "",
            "A.#x": "private",
            "A.y": "public",
        }


def test_a_function_bound_to_a_name_has_its_parameters_and_no_value() -> None:
    found = details("typescript", "const f = async <T>(a?: T, { b }: P = {}, ...c: T[]): Promise<T> => a;\n")["f"]
    assert declared(found) == [("a?", "T", ""), ("{ b }", "P", "{}"), ("...c", "T[]", "")]
    assert (found.value, found.modifiers, found.type_parameters) == ("", ("async",), ("T",))
    assert [result.type for result in found.returns] == ["Promise<T>"]
    bound = details("javascript", "exports.f = (a, b = 1) => a;\nconst g = a => a;\nconst o = { h: function (x) {}, 'i-j': 3 };\n")
    assert declared(bound["exports.f"]) == [("a", "", ""), ("b", "", "1")]
    assert declared(bound["g"]) == [("a", "", "")]
    assert declared(bound["o.h"]) == [("x", "", "")]
    assert bound["o.i-j"].value == "3"


def test_supertypes_of_typescript_keep_their_type_arguments() -> None:
    found = details("typescript", "@D() @E\nexport abstract class A<T> extends ns.B<T> implements C<T>, F {}\n")["A"]
    assert [(base.relation, base.name) for base in found.supertypes] == [
        ("inherits", "ns.B<T>"),
        ("implements", "C<T>"),
        ("implements", "F"),
    ]
    assert (found.decorators, found.visibility) == (("@D()", "@E"), "exported")


PHP = """<?php
/**
 * @param array<int, Crate> $a What goes in.
 * @return ?Crate What comes out.
 */
function f($a) {}
"""
JAVASCRIPT = """
/**
 * @param {array<int, Crate>} a - What goes in.
 * @returns {?Crate} What comes out.
 */
function f(a) {}
"""
PYTHON = """
def f(a):
    '''F.

    Args:
        a (array<int, Crate>): What goes in.

    Returns:
        Crate | None: What comes out.
    '''
"""


@pytest.mark.parametrize(
    ("language", "source", "name", "result"),
    [("php", PHP, "$a", "?Crate"), ("javascript", JAVASCRIPT, "a", "?Crate"), ("python", PYTHON, "a", "Crate | None")],
)
def test_types_that_only_the_documentation_declares_are_filled_in_with_their_words(
    language: str, source: str, name: str, result: str
) -> None:
    found = details(language, source)["f"]
    assert found.parameters == (Parameter(name=name, type="array<int, Crate>", description="What goes in.", source_hint="phpdoc"),)
    assert found.returns == (Return(type=result, description="What comes out.", source_hint="phpdoc"),)


def test_a_type_in_the_syntax_wins_over_the_documentation() -> None:
    source = "<?php\n/**\n * @param string $a Words.\n * @return string Result.\n */\nfunction f(int $a): int {}"
    found = details("php", source)["f"]
    assert found.parameters == (Parameter(name="$a", type="int", description="Words."),)
    assert found.returns == (Return(type="int", description="Result."),)


def test_texts_are_cut_and_brought_to_one_line() -> None:
    value = details("python", "x = [\n" + "    1,\n" * 300 + "]\n")["x"].value
    assert len(value) == 200
    assert value.startswith("[ 1, 1, ")
    assert value.endswith("...")


def test_decorators_of_a_member_keep_their_order() -> None:
    found = details("typescript", "class A {\n  @D() @E @F\n  static f() {}\n  @G g = 1;\n  h() {}\n}\n")
    assert {name: found[name].decorators for name in ("A.f", "A.g", "A.h")} == {
        "A.f": ("@D()", "@E", "@F"),
        "A.g": ("@G",),
        "A.h": (),
    }


def attributes(detail: Detail) -> list[tuple[str, str, str, str]]:
    return [(each.name, each.type, each.value, each.source_hint) for each in detail.attributes]


def test_what_a_method_sets_on_self_is_an_attribute_of_the_innermost_class() -> None:
    source = (
        "class A:\n"
        "    def f(self, a: int, b=1):\n"
        "        self.a, other.b = a, b\n"
        "        self.a = a\n"
        "        self.b = b\n"
        "        class B:\n"
        "            def g(self):\n"
        "                self.c: str = 'x'\n"
        "        self.d = self.e = None\n"
        "        self.f = 1\n"
        "        self.a.g = 1\n"
        "def h(self):\n"
        "    self.i = 1\n"
    )
    found = details("python", source)
    assert attributes(found["A"]) == [("a", "int", "", "inferred"), ("b", "", "", ""), ("d", "", "", ""), ("e", "", "", "")]
    assert attributes(found["A.f.B"]) == [("c", "str", "'x'", "")]
    assert [name for name, detail in found.items() if detail.attributes] == ["A", "A.f.B"]


def test_a_declared_type_of_an_attribute_wins_over_one_that_its_value_shows() -> None:
    first, second = "self.a = []\n        self.b = None\n        self.b = 1", "self.a: X = 1"
    source = f"class A:\n    def f(self):\n        {first}\n\n    def g(self):\n        {second}\n"
    assert attributes(details("python", source)["A"])[0] == ("a", "X", "1", "")
    assert attributes(details("python", source)["A"])[1] == ("b", "int", "1", "inferred")


def test_javascript_and_ruby_set_attributes_too() -> None:
    source = "class A { #p; constructor(a) { this.a = a; this.n = 1; this.m = new Map(); this.#p = 2; this.f() } f() {} }\n"
    wanted = [("a", "", "", ""), ("n", "number", "1", "inferred"), ("m", "Map", "new Map()", "inferred")]
    assert attributes(details("javascript", source)["A"]) == wanted
    source = "class A\n  attr_reader :a\n  def f\n    @a = 1\n    @b ||= {}\n    @c = C::D.new(1)\n  end\nend\n"
    assert attributes(details("ruby", source)["A"]) == [("@b", "", "", ""), ("@c", "C::D", "C::D.new(1)", "inferred")]


def test_parameters_that_a_class_documents_are_its_constructors() -> None:
    source = "class A:\n    '''A.\n\n    Args:\n        a (int): Words.\n    '''\n    def __init__(self, a):\n        self.a = a\n"
    found = details("python", source)
    assert found["A.__init__"].parameters[1] == Parameter(name="a", type="int", description="Words.", source_hint="phpdoc")
    assert attributes(found["A"]) == [("a", "int", "", "phpdoc")]


@pytest.mark.parametrize(
    ("language", "source", "name", "wanted"),
    [
        ("rust", "mod m { pub(in crate::x) fn f() {} }", "m.f", ("pub(in crate::x)", ())),
        ("rust", "fn f() {}", "f", ("private", ())),
        ("csharp", "class A { protected internal int f; }", "A.f", ("protected internal", ())),
        ("csharp", "class A { private protected int f; }", "A.f", ("private protected", ())),
        ("csharp", "class A {}", "A", ("internal", ())),
        ("swift", "class A { public private(set) var f: Int = 1 }", "A.f", ("public", ("private(set)", "var"))),
        ("swift", "class A { private(set) var f: Int = 1 }", "A.f", ("internal", ("private(set)", "var"))),
        ("solidity", "contract A { function f() external virtual {} }", "A.f", ("external", ("virtual",))),
        ("java", "class A { int f; }", "A.f", ("package", ())),
        ("java", "interface A { private void f() {} }", "A.f", ("private", ())),
        ("kotlin", "fun f() {}", "f", ("public", ())),
    ],
)
def test_visibility_is_the_languages_own_word(language: str, source: str, name: str, wanted: tuple[str, tuple[str, ...]]) -> None:
    found = details(language, source)[name]
    assert (found.visibility, found.modifiers) == wanted


@pytest.mark.parametrize(
    ("language", "source", "name", "wanted"),
    [
        ("python", "class A:\n    @classmethod\n    def f(cls): ...\n", "A.f", {"static"}),
        ("python", "class A:\n    @typing.final\n    def f(self): ...\n", "A.f", {"final"}),
        ("rust", "impl A { fn f(a: u8) {} }", "A.f", {"static"}),
        ("rust", "impl A { fn f(self: Box<Self>) {} }", "A.f", set()),
        ("rust", "trait A { fn f(&self); }", "A.f", {"abstract"}),
        ("go", "package p\ntype A interface { f() }", "A.f", {"abstract"}),
        ("java", "interface A { void f(); }", "A.f", {"abstract"}),
        ("java", "interface A { default void f() {} }", "A.f", set()),
        ("php", "<?php interface A { function f(); }", "A.f", {"abstract"}),
        ("csharp", "interface A { int f(); }", "A.f", {"abstract"}),
        ("csharp", "interface A { int f() => 1; }", "A.f", set()),
        ("csharp", "class A { public sealed override int f() => 1; }", "A.f", {"final"}),
        ("typescript", "interface A { f(): void }", "A.f", {"abstract"}),
        ("typescript", "class A { f(): void; f(a?: any) {} }", "A.f", set()),
        ("kotlin", "interface A { fun f(): Int }", "A.f", {"abstract"}),
        ("kotlin", "interface A { fun f(): Int = 1 }", "A.f", set()),
        ("kotlin", "class A {\n fun f() {}\n}\n", "A.f", {"final"}),
        ("kotlin", "class A {\n open fun f() {}\n}\n", "A.f", set()),
        ("kotlin", "class A {\n companion object {\n fun f() {}\n } }", "A.f", {"static"}),
        ("swift", "class A { class func f() {} }", "A.f", {"static"}),
        ("swift", "protocol A { func f() }", "A.f", {"abstract"}),
        ("ruby", "class A\n  def self.f; end\nend\n", "A.f", {"static"}),
        ("ruby", "class A\n  class << self\n    def f; end\n  end\nend\n", "A.f", {"static"}),
        ("scala", "trait A { def f: Int }", "A.f", {"abstract"}),
        ("dart", "abstract class A { int f(); }", "A.f", {"abstract"}),
        ("dart", "class A { external int f(); }", "A.f", set()),
        ("solidity", "interface A { function f() external; }", "A.f", {"abstract"}),
        ("cpp", "class A { virtual int f() const = 0; };", "A.f", {"abstract"}),
        ("cpp", "class A { static int f(); };", "A.f", {"static"}),
    ],
)
def test_what_is_static_abstract_or_final_says_so_stated_or_not(language: str, source: str, name: str, wanted: set[str]) -> None:
    assert {"static", "abstract", "final"} & set(details(language, source)[name].modifiers) == wanted


def test_what_ruby_documents_an_attribute_to_return_is_its_type() -> None:
    found = details("ruby", "class A\n  # @return [Integer] how heavy\n  attr_reader :weight\nend\n")["A.weight"]
    assert (found.type, found.type_source, found.returns) == ("Integer", "phpdoc", ())


def test_comments_inside_a_fact_are_no_part_of_it() -> None:
    found = details("python", "@mark(  # why\n    'a#b',  # first\n    2,\n)\ndef f(a=(1,  # one\n    2)): ...\n")["f"]
    assert found.decorators == ("@mark( 'a#b', 2, )",)
    assert declared(found) == [("a", "", "(1, 2)")]
