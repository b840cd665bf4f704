"""Names after a dot: members of what stands before it, as far as the source says what that is; and how sure the answer is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]

JARS = """
class Lid:
    def lift(self): pass
class Jar:
    lid: Lid
    def __init__(self, pot: "Pot"):
        self.pot = pot
    def open(self) -> Lid: pass
    def same(self) -> "Jar": return self
class Pot(Jar):
    def boil(self): pass
def make() -> Jar: pass
"""


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("def f(jar: Jar): jar.<<open>>()", "Jar.open"),
        ("def f(jar: 'Jar | None'): jar.<<open>>()", "Jar.open"),
        ("def f(jar: Optional[Jar]): jar.<<open>>()", "Jar.open"),
        ("def f():\n    jar = Jar()\n    jar.<<open>>()", "Jar.open"),
        ("def f():\n    jar: Jar = give()\n    jar.<<open>>()", "Jar.open"),
        ("def f():\n    jar = make()\n    return lambda: jar.<<open>>()", "Jar.open"),
        ("def f():\n    jar = make()\n    lid = jar.open()\n    lid.<<lift>>()", "Lid.lift"),
        ("make().same().open().<<lift>>()", "Lid.lift"),
        ("def f(jar: Jar): jar.lid.<<lift>>()", "Lid.lift"),
        ("def f(jar: Jar): jar.pot.<<boil>>()", "Pot.boil"),
        ("def f(pot: Pot): pot.<<open>>().<<lift>>()", "Jar.open"),
        ("Jar.<<open>>(None)", "Jar.open"),
        ("jar = Jar()\njar.<<open>>()", "Jar.open"),
        ("def f():\n    with Jar() as jar:\n        jar.<<open>>()", "Jar.open"),
        ("Same = Jar\ndef f(jar: Same): jar.<<open>>()", "Jar.open"),
    ],
)
def test_a_member_is_found_through_what_is_declared_of_the_value_before_it(write: Write, code: str, wanted: str) -> None:
    assert write({"a.py": JARS + code + "\n"}).meanings()[0] == f"a.py {wanted} exact"


def test_self_and_super_mean_the_class_around_and_what_it_rests_on(write: Write) -> None:
    text = (
        "class Jar:\n    def open(self): pass\n    def use(self):\n        self.<<open>>()\n"
        "class Pot(Jar):\n    def open(self):\n        super().<<open>>()\n        self.<<use>>()\n"
    )
    assert write({"a.py": text}).meanings() == ["a.py Jar.open exact", "a.py Jar.open exact", "a.py Jar.use exact"]


def test_the_receiver_of_a_method_is_what_it_is_declared_on(write: Write) -> None:
    text = (
        "package jar\ntype Jar struct{ Lid Lid }\ntype Lid struct{}\nfunc (l *Lid) Lift() {}\n"
        "func (j *Jar) Open() { j.<<Lid>>.<<Lift>>() }\n"
    )
    assert write({"a.go": text}).meanings() == ["a.go Jar.Lid exact", "a.go Lid.Lift exact"]


def test_members_of_what_is_embedded_are_members(write: Write) -> None:
    text = "package jar\ntype Lid struct{}\nfunc (l *Lid) Lift() {}\ntype Jar struct{ *Lid }\nfunc f(j Jar) { j.<<Lift>>() }\n"
    assert write({"a.go": text}).meanings() == ["a.go Lid.Lift exact"]


def test_the_second_of_two_results_has_its_own_type(write: Write) -> None:
    text = (
        "package jar\ntype Lid struct{}\nfunc (l Lid) Lift() {}\ntype Jar struct{}\nfunc (j Jar) Lift() {}\n"
        "func both() (Jar, Lid) { return Jar{}, Lid{} }\nfunc f() {\n\tj, l := both()\n\tj.<<Lift>>()\n\tl.<<Lift>>()\n}\n"
    )
    assert write({"a.go": text}).meanings() == ["a.go Jar.Lift exact", "a.go Lid.Lift exact"]


def test_keys_of_a_structure_are_its_fields_and_those_of_a_map_are_names(write: Write) -> None:
    text = (
        "package jar\ntype Jar struct{ Size int }\ntype Pot struct{ Size int }\nconst Big = 1\n"
        "var a = Jar{<<Size>>: 1}\nvar b = []Pot{{<<Size>>: 1}, {Size: 2}}\nvar c = map[int]Jar{<<Big>>: {<<Size>>: 1}}\n"
    )
    assert write({"a.go": text}).meanings() == [
        "a.go Jar.Size exact",
        "a.go Pot.Size exact",
        "a.go Big exact",
        "a.go Jar.Size exact",
    ]


def test_a_field_of_an_unnamed_structure_is_likely_the_one_of_the_same_function(write: Write) -> None:
    text = (
        "package jar\nfunc f() {\n\tfor _, c := range []struct{ want int }{{1}} {\n\t\t_ = c.<<want>>\n\t}\n}\n"
        "func g() {\n\tfor _, c := range []struct{ want int }{{1}} {\n\t\t_ = c.want\n\t}\n}\n"
    )
    assert write({"a.go": text}).meanings() == ["a.go f.want likely"]


def test_the_latest_binding_before_a_use_gives_its_type(write: Write) -> None:
    text = (
        "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\n"
        "def f():\n    x = A()\n    x.<<go>>()\n    x = B()\n    x.<<go>>()\n"
    )
    assert write({"a.py": text}).meanings() == ["a.py A.go likely", "a.py B.go likely"]


def test_a_type_alias_has_the_members_of_all_that_it_joins(write: Write) -> None:
    text = "interface A { a: number }\ninterface B { b: number }\ntype C = A & Partial<B>\nfunction f(c: C) { c.<<a>>; c.<<b>> }\n"
    assert write({"a.ts": text}).meanings() == ["a.ts A.a exact", "a.ts B.b exact"]


def test_a_member_of_a_value_of_unknown_type_is_likely_when_it_is_the_only_one_near(write: Write) -> None:
    files = {"jar.py": "class Jar:\n    def open(self): pass\ndef f(x): x.<<open>>()\n", "other.py": "def f(x): x.<<open>>()\n"}
    assert write(files).meanings() == ["jar.py Jar.open likely", "jar.py Jar.open possible"]


def test_a_member_that_several_types_have_is_one_of_several(write: Write) -> None:
    text = "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\ndef f(x): x.<<go>>()\n"
    assert write({"a.py": text}).meanings() == ["several"]


def test_an_attribute_that_is_no_symbol_is_not_taken_for_a_member_elsewhere(write: Write) -> None:
    text = "class A:\n    def go(self): pass\nclass B:\n    def __init__(self): self.go = 1\n    def use(self): self.<<go>>()\n"
    assert write({"a.py": text}).meanings() == ["nothing"]


def test_a_member_that_a_known_type_lacks_is_possible_and_one_of_an_open_type_likely(write: Write) -> None:
    text = (
        "from other import Base\nclass A:\n    def go(self): pass\nclass B: pass\nclass C(Base): pass\n"
        "def f(b: B, c: C):\n    b.<<go>>()\n    c.<<go>>()\n"
    )
    assert write({"a.py": text}).meanings() == ["a.py A.go possible", "a.py A.go likely"]


def test_a_variable_of_unknown_type_is_not_taken_for_the_type_of_its_name(write: Write) -> None:
    text = (
        "package jar\ntype route struct{ path string }\ntype node struct{ path string }\n"
        "func f(all any) {\n\troute := all[0]\n\t_ = route.<<path>>\n}\n"
    )
    assert write({"a.go": text}).meanings() == ["several"]


def test_a_macro_that_the_grammar_is_not_shown_means_what_defines_it(write: Write) -> None:
    sources = {
        "base.h": "#define LIB_API __attribute__((used))\n#define LIB_PRINTF(form, first)\n",
        "shop.h": '#include "base.h"\nstruct <<LIB_API>> shop { int size; };\n'
        "int told(const char *form, ...) <<LIB_PRINTF>>(1, 2);\n",
    }
    assert write(sources).meanings() == ["base.h LIB_API exact", "base.h LIB_PRINTF exact"]


def test_what_is_spelt_through_namespaces_is_found_in_them(write: Write) -> None:
    files = {
        "a.cpp": "namespace shop { struct Jar { static void open(); }; }\nvoid f() { shop::<<Jar>>::<<open>>(); }\n",
        "b.rb": "module Shop\n  class Jar\n    def self.open; end\n  end\nend\nShop::<<Jar>>.<<open>>\n",
    }
    assert write(files).meanings() == [
        "a.cpp shop.Jar exact",
        "a.cpp shop.Jar.open exact",
        "b.rb Shop.Jar exact",
        "b.rb Shop.Jar.open exact",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a = b.x\nb = a.x\na.<<go>>()\n",
        "class A(B): pass\nclass B(A): pass\ndef f(a: A): a.<<go>>()\n",
        "A = B\nB = A\ndef f(a: A): a.<<go>>()\n",
        "def f():\n    x = y.go()\n    y = x.go()\n    x.<<go>>()\n",
        "class A(A.Z): pass\ndef f(a: A): a.<<go>>()\n",
    ],
)
def test_names_that_wait_for_each_other_come_to_an_end(write: Write, text: str) -> None:
    files = {"a.py": text, "b.py": "class K:\n    def go(self): pass\nclass L:\n    def go(self): pass\n"}
    assert write(files).meanings()[0] in ("several", "nothing")
