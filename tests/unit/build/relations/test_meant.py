"""Which of the things of one name is meant: a type where only a type can stand, what surrounds a name, what a type hands down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardtack.build.relations.words import words_of

Write = Callable[..., Any]

ONLY_A_TYPE = {
    "a.c": ("struct jar { int size; };\nint jar;\nvoid f(struct <<jar>> *it);\n", ["1 exact"]),
    "b.c": ("extern char **jar;\nvoid f(struct <<jar>> *it);\n", ["nothing"]),
    "a.cpp": ("struct Jar {};\nint Jar();\nvoid f(struct <<Jar>> *it);\n", ["1 exact"]),
    "a.m": ("struct jar { int size; };\nint jar;\nvoid f(struct <<jar>> *it) {}\n", ["1 exact"]),
    "A.java": ("class Jar {}\nclass A {\n  static Jar Jar() { <<Jar>> it = null; return it; }\n}\n", ["1 exact"]),
    "a.ts": ("class Jar {}\nfunction f(it: <<Jar>>) {}\n", ["1 exact"]),
}


@pytest.mark.parametrize("name", ONLY_A_TYPE)
def test_where_only_a_type_can_stand_a_type_is_meant(write: Write, name: str) -> None:
    text, wanted = ONLY_A_TYPE[name]
    assert write({name: text}).lines_meant() == wanted


def test_in_c_what_is_called_or_passed_is_a_function_and_no_structure_of_its_name(write: Write) -> None:
    text = "struct jar { int size; };\nstatic int jar(int it) { return it; }\nint f(void) { run(<<jar>>); return <<jar>>(1); }\n"
    assert write({"a.c": text}).lines_meant() == ["2 exact"] * 2


def test_a_bare_name_that_is_not_called_is_no_method_in_java(write: Write) -> None:
    text = (
        "class Jar {\n  int size;\n  class Lid {\n    int size() { return <<size>>; }\n"
        "    int two() { return <<size>>(); }\n  }\n}\n"
    )
    assert write({"A.java": text}).lines_meant() == ["2 exact", "4 exact"]


def test_a_property_that_only_a_method_can_stand_behind_is_no_more_than_likely(write: Write) -> None:
    text = "<?php\nclass Jar {\nfunction lid() {} }\nfunction f(Jar $jar) { $jar-><<lid>>; $jar-><<lid>>(); }\n"
    assert write({"a.php": text}).lines_meant() == ["3 likely", "3 exact"]


def test_a_class_may_have_the_name_of_its_namespace(write: Write) -> None:
    files = {
        "Jar.php": "<?php\nnamespace Jar;\nclass Jar { function shut() {} }\n",
        "Lid.php": "<?php\nnamespace Jar;\nfunction f(Jar $jar) { $jar-><<shut>>(); <<Jar>>::open(); }\n",
        "a/Pot.php": "<?php\nnamespace Jar\\Pot;\nuse Jar\\Jar;\nfunction f(Jar $jar) { $jar-><<shut>>(); }\n"
        "class Pot { function shut() {} }\n",
    }
    assert write(files).meanings() == ["Jar.php Jar.shut exact", "Jar.php Jar exact", "Jar.php Jar.shut exact"]


OF_A_FUNCTION_WITHOUT_A_NAME = {
    "a.ts": "import { jar } from './b';\nit('one', () => {\n  const jar = make();\n  jar.size();\n});\n"
    "it('two', () => { <<jar>>(); });\n",
    "a.js": "import { jar } from './b';\nit('one', function () {\n  const jar = make();\n});\n<<jar>>();\n",
    "a.tsx": "import { jar } from './b';\nrun(() => {\n  const jar = 1;\n});\nconst it = <p>{<<jar>>()}</p>;\n",
}


@pytest.mark.parametrize("name", OF_A_FUNCTION_WITHOUT_A_NAME)
def test_a_variable_of_a_function_without_a_name_is_not_seen_outside_of_it(write: Write, name: str) -> None:
    other = "b.js" if name.endswith(".js") else "b.ts"
    files = {name: OF_A_FUNCTION_WITHOUT_A_NAME[name], other: "export function jar() {}\n"}
    assert write(files).meanings() == [f"{other} jar exact"]


def test_what_a_function_imports_hides_the_function_of_its_file_there(write: Write) -> None:
    text = "def shut():\n    from b import shut\n    <<shut>>()\n\ndef f():\n    <<shut>>()\n"
    assert write({"a.py": text, "b.py": "def shut(): pass\n"}).meanings() == ["b.py shut exact", "a.py shut exact"]


def test_a_variable_called_like_a_keyword_of_another_language_is_a_variable(write: Write) -> None:
    text = (
        "package a\n\ntype Jar struct{}\n\nfunc (j *Jar) Lid() *Jar { return j }\n\n"
        "func f(j *Jar) {\n\tbase := j.Lid()\n\tbase.<<Lid>>()\n}\n"
    )
    other = "package b\n\ntype Pot struct{}\n\nfunc (p *Pot) Lid() {}\n"
    assert write({"a/a.go": text, "b/b.go": other}).meanings() == ["a/a.go Jar.Lid exact"]


def test_a_folder_may_hold_two_packages(write: Write) -> None:
    files = {
        "a/a.go": "package a\n\nfunc read() {}\n\nfunc f() { <<read>>() }\n",
        "a/a_test.go": "package a_test\n\nfunc read() {}\n\nfunc f() { <<read>>() }\n",
        "a/b_test.go": "package a\n\nfunc g() { <<read>>() }\n",
    }
    assert write(files).meanings() == ["a/a.go read exact", "a/a_test.go read exact", "a/a.go read exact"]


def test_an_element_of_html_is_nothing_that_is_called_so(write: Write) -> None:
    text = "function main() {}\nfunction Jar() {}\nconst it = <main><Jar></<<Jar>>></<<main>>>;\nconst less = 1 < <<main>>;\n"
    assert write({"a.tsx": text}).meanings() == ["a.tsx Jar exact", "nothing", "a.tsx main exact"]


FIXTURES = {
    "a.cc": "TEST_F(JarTest, Shuts) { <<shut>>(); jar_.<<shut>>(); }\n",
    "b.cc": "BOOST_FIXTURE_TEST_CASE(shuts, JarTest) { <<shut>>(); jar_.<<shut>>(); }\n",
    "c.cc": "TEST(JarTest, Shuts) { <<shut>>(); }\n",
}


@pytest.mark.parametrize(("name", "wanted"), [("a.cc", ["3", "1"]), ("b.cc", ["3", "1"]), ("c.cc", ["2"])])
def test_a_test_with_a_fixture_is_a_method_of_it(write: Write, name: str, wanted: list[str]) -> None:
    text = "struct Jar { void shut(); };\nvoid shut();\nstruct JarTest { void shut(); Jar jar_; };\n"
    assert write({name: text + FIXTURES[name]}).lines_meant() == [f"{line} exact" for line in wanted]


def test_a_definition_that_a_macro_makes_is_a_call_of_the_macro(write: Write) -> None:
    files = {
        "a.h": "#define CHECKED(a, b) void a##b()\n",
        "a.cpp": '#include "a.h"\nnamespace jars {\n<<CHECKED>>(Jar, Shuts) {}\n}\n'
        "class Jar { Jar(); };\nJar::<<Jar>>() {}\n<<Lid>>(a, b) {}\n",
    }
    assert write(files).meanings() == ["a.h CHECKED exact", "nothing", "nothing"]


def test_a_member_that_a_pointer_may_have_itself_is_no_more_than_likely_after_a_dot(write: Write) -> None:
    text = (
        "struct Jar {\n  int get();\n  int size();\n};\n"
        "int f(std::unique_ptr<Jar> jar) { return jar.<<get>>() + jar-><<get>>() + jar-><<size>>(); }\n"
    )
    assert write({"a.cpp": text}).lines_meant() == ["2 likely", "2 exact", "3 exact"]


def test_what_a_constructor_sets_in_front_of_its_body_is_a_field_or_a_base(write: Write) -> None:
    text = (
        "struct Pot { Pot(int size); };\nstruct Jar : Pot {\n  int size;\n  Jar(int size) : <<Pot>>(size), <<size>>(size) {}\n};\n"
    )
    found = write({"a.cpp": text}).meanings()
    assert [each.split()[1] for each in found] == ["Pot.Pot", "Jar.size"]


HANDED_DOWN = {
    "A.java": (
        "class Pot { private int size; }\nclass A {\n  int size;\n  class Jar extends Pot { int f() { return <<size>>; } }\n}\n",
        ["3 exact"],
    ),
    "a.php": (
        "<?php\ntrait Shuts { abstract function shut();\nprivate function lock() {} }\nclass Pot {\nfunction shut() {} }\n"
        "class Jar extends Pot { use Shuts; function f() { $this-><<shut>>(); $this-><<lock>>(); } }\n",
        ["5 exact", "3 exact"],
    ),
    "B.java": (
        "interface Shuts { void shut(); }\nclass Pot {\n  public void shut() {}\n}\nclass Jar extends Pot implements Shuts {}\n"
        "class B { void f(Jar jar) { jar.<<shut>>(); } }\n",
        ["3 exact"],
    ),
    "a.ts": (
        "interface Shuts { shut(): void; }\nclass Jar implements Shuts {\n  shut = fast;\n}\n"
        "function f(jar: Jar) { jar.<<shut>>(); }\n",
        ["3 exact"],
    ),
}


@pytest.mark.parametrize("name", HANDED_DOWN)
def test_what_a_type_has_is_what_it_or_a_supertype_defines_and_not_what_is_private_or_only_promised(
    write: Write, name: str
) -> None:
    text, wanted = HANDED_DOWN[name]
    assert write({name: text}).lines_meant() == wanted


def test_of_included_files_the_one_with_the_name_in_the_fewest_namespaces_is_likely(write: Write) -> None:
    files = {
        "a.h": "namespace jars { namespace style {\nenum value { Shut };\n} }\n",
        "b.h": "namespace jars {\nenum state { Shut, Open };\n}\n",
        "all.h": '#include "a.h"\n#include "b.h"\n',
        "c.cpp": '#include "a.h"\n#include "all.h"\nnamespace jars { int f() { return <<Shut>> + <<Open>>; } }\n',
    }
    assert write(files).meanings() == ["b.h jars.state.Shut likely", "b.h jars.state.Open exact"]


def test_what_a_file_has_in_a_namespace_elsewhere_is_no_surer_than_what_it_includes(write: Write) -> None:
    files = {
        "a.h": "namespace jars {\nclass Jar {};\n}\n",
        "b.cpp": '#include "a.h"\nnamespace other { namespace jars {\nclass Jar {};\nJar *f(<<Jar>> *it);\n} }\n'
        "using namespace jars;\nvoid g(<<Jar>> *it);\n",
    }
    assert write(files).meanings() == ["b.cpp other.jars.Jar exact", "a.h jars.Jar likely"]


def test_macros_in_lower_case_hide_no_function_and_those_in_a_structure_are_no_members(write: Write) -> None:
    text = (
        "enum state { OPEN };\nstruct jar {\n#define JAR_SHUT 1\n  int flags;\n};\n"
        "static enum <<state>>\nshut(__unused struct jar *it, __unused int how)\n{\n  return <<JAR_SHUT>>;\n}\n"
        'void printflike(1, 2)\nlog_it(const char *text, ...)\n{\n}\nvoid f(void) { <<shut>>(0, 0); <<log_it>>(""); }\n'
    )
    assert write({"a.c": text}).lines_meant() == ["1 exact", "3 exact", "7 exact", "12 exact"]


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("struct { struct Lid *lid; }", ("struct",)),
        ("{ lid: Lid }", ()),
        ("Promise<{ lid: Lid }>", ("Promise",)),
        ("union Jar", ("union", "Jar")),
    ],
)
def test_the_members_of_a_type_without_a_name_do_not_name_it(written: str, wanted: tuple[str, ...]) -> None:
    assert words_of(written) == wanted
