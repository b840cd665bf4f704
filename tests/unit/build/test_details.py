"""What a few lines of source say of a symbol beyond its name."""

from __future__ import annotations

import pytest

from hardtack.build.languages.registry import languages
from hardtack.build.symbols import outline_of
from hardtack.model import Detail, Parameter, Return, Supertype


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
    found = details("javascript", "exports.f = (a, b = 1) => a;\nconst g = a => a;\nconst o = { h: function (x) {}, 'i-j': 3 };\n")
    assert declared(found["exports.f"]) == [("a", "", ""), ("b", "", "1")]
    assert declared(found["g"]) == [("a", "", "")]
    assert declared(found["o.h"]) == [("x", "", "")]
    assert found["o.i-j"].value == "3"


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
    assert found.parameters == (Parameter(name=name, type="array<int, Crate>", description="What goes in."),)
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
