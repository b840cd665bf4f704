"""What is called: a function and not a value of its name, and of several functions the one that takes so many arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]

A_FIELD_AND_A_METHOD = {
    "a.rs": "struct Jar { size: u8 }\nimpl Jar {\n    fn size(&self) -> u8 {\n        self.<<size>>\n    }\n}\n"
    "fn f(jar: &Jar) { jar.<<size>>(); }\n",
    "A.java": "class Jar {\n  int size;\n  int size() {\n    return this.<<size>>;\n  }\n}\n"
    "class A { void f(Jar jar) { jar.<<size>>(); } }\n",
    "a.php": "<?php\nclass Jar { private int $size = 1;\npublic function size() { return $this-><<size>>; } }\n"
    "function f(Jar $jar) { $jar-><<size>>(); }\n",
    "a.kt": "class Jar {\n  private val size = 1\n  fun size() = this.<<size>>\n}\nfun f(jar: Jar) { jar.<<size>>() }\n",
    "a.swift": "class Jar {\n  var size = 1\n  func size(_ a: Int) -> Int { self.<<size>> }\n}\n"
    "func f(jar: Jar) { jar.<<size>>(1) }\n",
}
LINES = {"a.rs": (1, 3), "A.java": (2, 3), "a.php": (2, 3), "a.kt": (2, 3), "a.swift": (2, 3)}


@pytest.mark.parametrize("name", A_FIELD_AND_A_METHOD)
def test_a_call_means_the_method_and_a_mere_mention_the_field(write: Write, name: str) -> None:
    read, called = LINES[name]
    assert write({name: A_FIELD_AND_A_METHOD[name]}).lines_meant() == [f"{read} exact", f"{called} exact"]


NEVER_CALLED = {
    "a.rs": "struct Jar { size: u8 }\nfn f(jar: &Jar) { jar.<<size>>(); }\n",
    "A.java": "class Jar { int size; }\nclass A { void f(Jar jar) { jar.<<size>>(); } }\n",
    "a.php": "<?php\nclass Jar { public $size; }\nfunction f(Jar $jar) { $jar-><<size>>(); }\n",
}


@pytest.mark.parametrize("name", NEVER_CALLED)
def test_a_field_is_not_what_is_called_where_only_methods_are(write: Write, name: str) -> None:
    assert write({name: NEVER_CALLED[name]}).meanings() == ["nothing"]


CALLED_VALUES = {
    "a.go": "package a\ntype Jar struct {\n\tsize func() int\n}\nfunc f(jar *Jar) { jar.<<size>>() }\n",
    "a.kt": "class Jar(val size: () -> Int)\nfun f(jar: Jar) { jar.<<size>>() }\n",
    "A.java": "record Jar(int size) {}\nclass A { void f(Jar jar) { jar.<<size>>(); } }\n",
    "a.ts": "class Jar { size: () => number; }\nfunction f(jar: Jar) { jar.<<size>>(); }\n",
}


@pytest.mark.parametrize("name", CALLED_VALUES)
def test_a_value_that_can_be_called_is_meant_where_there_is_no_method(write: Write, name: str) -> None:
    (meaning,) = write({name: CALLED_VALUES[name]}).meanings()
    assert meaning == f"{name} Jar.size exact"


def test_a_call_means_the_inherited_method_and_not_the_field_of_the_class_itself(write: Write) -> None:
    text = (
        "class Pot {\n  int size() { return 1; }\n}\nclass Jar extends Pot {\n  int size;\n"
        "  int f() { return this.<<size>>(); }\n}\n"
    )
    assert write({"A.java": text}).meanings() == ["A.java Pot.size exact"]


OVERLOADS = {
    "Java": (
        "A.java",
        "class A {\n  void jar(int a) {}\n  void jar(int a, int b) {}\n  void f() { <<jar>>(g(1, 2)); <<jar>>(1, 2); }\n}\n",
    ),
    "C++": (
        "a.cpp",
        "\nint jar(int a) { return a; }\nint jar(int a, int b) { return b; }\n"
        "int f() { return <<jar>>(g(1, 2)) + <<jar>>(1, 2); }\n",
    ),
    "C#": (
        "A.cs",
        "class A {\n  void Jar(int a) {}\n  void Jar(int a, int b) {}\n  void F() { <<Jar>>(G(1, 2)); <<Jar>>(1, 2); }\n}\n",
    ),
    "Kotlin": ("a.kt", "\nfun jar(a: Int) {}\nfun jar(a: Int, b: () -> Unit) {}\nfun f() { <<jar>>(g(1, 2)); <<jar>>(1) { 2 } }\n"),
    "Swift": (
        "a.swift",
        "\nfunc jar(_ a: Int) {}\nfunc jar(_ a: Int, b: Int) {}\nfunc f() { <<jar>>(g(1, 2)); <<jar>>(1, b: 2) }\n",
    ),
    "Solidity": (
        "a.sol",
        "contract A {\n  function jar(uint a) {}\n  function jar(uint a, uint b) {}\n"
        "  function f() { <<jar>>(g(1, 2)); <<jar>>(1, 2); }\n}\n",
    ),
}


@pytest.mark.parametrize("language", OVERLOADS)
def test_overloads_are_told_apart_by_the_number_of_arguments(write: Write, language: str) -> None:
    name, text = OVERLOADS[language]
    one, two = (meaning.split() for meaning in write({name: text}).lines_meant())
    assert ("2", "3") == (one[0], two[0])
    assert one[1] == two[1] != "possible"


def test_overloads_that_the_number_does_not_tell_apart_are_no_more_than_likely(write: Write) -> None:
    text = "class Jar {\n  void open(int a) {}\n  void open(String a) { <<open>>(unknown); }\n}\n"
    assert write({"Jar.java": text}).lines_meant() == ["2 likely"]


UNSURE = {
    "type arguments": "<<jar>>(new Map<A, B>());",
    "a comparison": "<<jar>>(a < b, c > d);",
    "a function that is passed": "g(this::<<jar>>);",
}


@pytest.mark.parametrize("case", UNSURE)
def test_what_the_text_does_not_count_for_sure_is_no_more_than_likely(write: Write, case: str) -> None:
    text = f"class A {{\n  void jar(int a) {{}}\n  void jar(int a, int b) {{}}\n  void f() {{ {UNSURE[case]} }}\n}}\n"
    assert write({"A.java": text}).lines_meant() == ["2 likely"]


COUNTS = {
    "a default": (
        "a.kt",
        "\nfun jar(a: Int, b: Int = 1) {}\nfun jar(a: Int, b: Int, c: Int) {}\nfun f() { <<jar>>(1); <<jar>>(1, 2, 3) }\n",
    ),
    "any number": (
        "A.java",
        "class A {\n  void jar() {}\n  void jar(int a, int... b) {}\n  void f() { <<jar>>(); <<jar>>(1, 2, 3); }\n}\n",
    ),
    "strings": (
        "A.java",
        "class A {\n  void jar(String a) {}\n  void jar(String a, int b) {}\n"
        '  void f() { <<jar>>("a, (b"); <<jar>>(",", 1); }\n}\n',
    ),
}


@pytest.mark.parametrize("case", COUNTS)
def test_defaults_variable_arguments_and_strings_count_as_they_are_meant(write: Write, case: str) -> None:
    name, text = COUNTS[case]
    assert [meaning.split()[0] for meaning in write({name: text}).lines_meant()] == ["2", "3"]


CONDITIONAL = {
    "a.py": "try:\n    def jar(a): pass\nexcept E:\n    def jar(a, b): pass\n<<jar>>(1)\n",
    "a.c": "#ifdef A\nint jar(int a) { return 1; }\n#else\nint jar(int a) { return 2; }\n#endif\nint f() { return <<jar>>(1); }\n",
    "a.cpp": "#ifdef A\nint jar(int a) { return 1; }\n#else\nint jar(int a) { return 2; }\n#endif\n"
    "int f() { return <<jar>>(1); }\n",
}


@pytest.mark.parametrize("name", CONDITIONAL)
def test_a_function_that_is_defined_under_conditions_is_one_thing(write: Write, name: str) -> None:
    (meaning,) = write({name: CONDITIONAL[name]}).meanings()
    assert meaning in (f"{name} jar exact", f"{name} jar likely")
    assert write({name: CONDITIONAL[name]}).lines_meant()[0].startswith("2 ")


GIVEN = {
    '"a"': 3,
    '"a" + 1': 3,
    "1": 4,
    "true": 5,
    "new Jar()": 6,
    "new Lid()": 6,
    "lid": 6,
    "this.text": 3,
    "(Jar) other": 6,
    "take()": 6,
    "null": 0,
    "other": 0,
    "lid == null ? a : b": 0,
}
"""An argument -> the line of the overload that it tells; 0 for none."""


@pytest.mark.parametrize("argument", GIVEN)
def test_overloads_are_told_apart_by_what_their_arguments_are(write: Write, argument: str) -> None:
    text = (
        "class Lid extends Jar {}\nclass A {\n  void put(String a) {}\n  void put(int a) {}\n  void put(boolean a) {}\n"
        "  void put(Jar a) {}\n  String text;\n  Jar take() { return null; }\n"
        f"  void f(Lid lid, Object other, Unknown a, Unknown b) {{ this.<<put>>({argument}); <<put>>({argument}); }}\n}}\n"
    )
    found = write({"A.java": text, "Jar.java": "class Jar {}\n"}).lines_meant()
    assert found == [f"{GIVEN[argument]} exact" if GIVEN[argument] else "3 likely"] * 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.kt", 'class A {\n  fun put(a: String) {}\n  fun put(a: Int) {}\n  fun f(n: Int) { <<put>>("a"); <<put>>(n) }\n}\n'),
        ("a.cs", 'class A {\n  void Put(string a) {}\n  void Put(int a) {}\n  void F(int n) { <<Put>>("a"); <<Put>>(n); }\n}\n'),
    ],
)
def test_other_languages_tell_overloads_apart_so(write: Write, name: str, text: str) -> None:
    assert write({name: text}).lines_meant() == ["2 exact", "3 exact"]


def test_an_overload_of_a_base_class_is_meant_where_the_own_ones_do_not_fit(write: Write) -> None:
    text = (
        "class Pot {\n  void open(int a, int b) {}\n}\nclass Jar extends Pot {\n  void open(int a) {}\n"
        "  void f() { this.<<open>>(1, 2); }\n}\n"
    )
    assert write({"A.java": text}).meanings() == ["A.java Pot.open exact"]


OUTSIDE = {
    "a.rs": "struct Jar;\nimpl Jar { fn make() {} }\nstruct Pot;\nimpl Pot { fn make() {} }\n"
    "fn f() { Lid::<<make>>(); Jar::<<make>>(); }\n",
    "A.java": "class Jar { static void make() {} }\nclass Pot { static void make() {} }\n"
    "class A { void f() { Lid.<<make>>(); Jar.<<make>>(); } }\n",
    "a.swift": "class Jar { static func make() {} }\nclass Pot { static func make() {} }\n"
    "func f() { Lid.<<make>>(); Jar.<<make>>() }\n",
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_member_of_a_type_that_the_bundle_lacks_is_no_member_of_any_of_its_types(write: Write, name: str) -> None:
    assert write({name: OUTSIDE[name]}).meanings() == ["nothing", f"{name} Jar.make exact"]


def test_the_only_member_of_a_name_is_possible_even_after_a_type_that_the_bundle_lacks(write: Write) -> None:
    (meaning,) = write({"a.rs": "struct Jar;\nimpl Jar { fn make() {} }\nfn f() { Lid::<<make>>(); }\n"}).meanings()
    assert meaning in ("a.rs Jar.make possible", "a.rs Jar.make likely")


def test_in_ruby_the_name_of_a_method_is_a_call_of_it_and_a_symbol_is_not(write: Write) -> None:
    text = "class Jar\n  def size\n    1\n  end\n\n  def full\n    size > 2 && send(:size)\n  end\nend\n"
    (found,) = write({"a.rb": text}).related.references.values()
    assert [(7, True), (7, False)] == [(each.line, each.is_call) for each in found]


INHERITED_OVERLOADS = {
    "A.java": "class Jar { void shut(int a) {} void shut(String a, int b) {} }\n"
    "class Lid extends Jar { void shut(String a) {}\n"
    '  void f() { <<shut>>(1); <<shut>>("a"); <<shut>>("a", 2); } }\n'
    'class A { void f(Lid lid) { lid.<<shut>>(1); lid.<<shut>>("a"); lid.<<shut>>(given()); } }\n',
    "a.kt": "open class Jar { fun shut(a: Int) {}; fun shut(a: String, b: Int) {} }\n"
    "class Lid : Jar() { fun shut(a: String) {}\n"
    '  fun f() { <<shut>>(1); <<shut>>("a"); <<shut>>("a", 2) } }\n'
    'fun f(lid: Lid) { lid.<<shut>>(1); lid.<<shut>>("a"); lid.<<shut>>(given()) }\n',
    "a.cs": "class Jar { public void Shut(int a) {} public void Shut(string a, int b) {} }\n"
    "class Lid : Jar { public void Shut(string a) {}\n"
    '  void F() { <<Shut>>(1); <<Shut>>("a"); <<Shut>>("a", 2); } }\n'
    'class A { void F(Lid lid) { lid.<<Shut>>(1); lid.<<Shut>>("a"); lid.<<Shut>>(Given()); } }\n',
}


@pytest.mark.parametrize("name", INHERITED_OVERLOADS)
def test_an_inherited_overload_is_called_where_arguments_are_of_its_types(write: Write, name: str) -> None:
    of_jar, of_lid = "1 exact", "2 exact"
    assert write({name: INHERITED_OVERLOADS[name]}).lines_meant() == [of_jar, of_lid, of_jar, of_jar, of_lid, "2 likely"]


def test_what_overrides_a_method_is_no_overload_of_it(write: Write) -> None:
    text = (
        "interface Pot<T> { void put(T it); <K> void set(K it); void lift(int... all); }\n"
        "class Jar implements Pot<String> {\n  public void put(String it) {}\n  public <Q> void set(Q it) {}\n"
        "  public void lift(int[] all) {}\n  void f() { <<put>>(given()); <<set>>(given()); this.<<lift>>(given()); }\n}\n"
    )
    assert write({"A.java": text}).lines_meant() == ["3 exact", "4 exact", "5 exact"]


def test_what_overloads_of_several_types_give_is_of_no_known_type(write: Write) -> None:
    text = (
        "class A { A shut(int a) { return this; } void lift() {} }\nclass B extends A { B shut(String a) { return this; }\n"
        "  void lift() {}\n  void f(B b) { b.shut(given()).<<lift>>(); }\n}\n"
    )
    assert write({"A.java": text}).meanings() == ["several"]


def test_a_constant_is_no_class_of_its_name_that_is_made(write: Write) -> None:
    text = "import java.net.URL;\nclass Jar {\n  static final Pot URL = null;\n  Object f() { return new <<URL>>(<<URL>>); }\n}\n"
    assert write({"Jar.java": text}).meanings() == ["nothing", "Jar.java Jar.URL exact"]
