"""A name that one symbol alone has is not lost where nothing leads to it, and is not claimed where something speaks against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]

JAR = {"jar.py": "class Jar:\n    def fill_up(self): pass\ndef open_jar(): pass\n", "jar.ts": "export class Lid { turn() {} }\n"}
RUST = "mod jars;\nuse <<jars>>::Jar;\nfn f() { check!(Jar { <<size>>: 1 }); }\n"
TRAIT = "<?php\ntrait Fills { function f() { return static::<<MOST>> + $this-><<pour>>(); } }\n"
NESTED = (
    "struct jar {\n  union {\n    struct { int size; } round;\n  } data;\n};\n"
    "int f(struct jar *a) { return a->data.round.<<size>>; }\n"
)
HELD = "struct Jar { size: u8 }\nfn f(jars: HashMap<u8, Jar>) { let jar = jars.get(&1).unwrap(); jar.<<size>>; }\n"
UTILS = "module {shop}\n  module Utils\n    def slug(a); end\n  end\n  module Filters\n    def slug(a); end\n  end\nend\n"
SLUG = "class T < Case\n  it 'cuts' do\n    Utils.<<slug>> 1\n  end\nend\n"
MAYBE = (
    "struct Jar;\nimpl Jar {\n    fn find() -> Option<Self> { None }\n    fn pour(&self) {}\n}\n"
    "fn f() { let a = Jar::find().unwrap(); a.<<pour>>(); }\n"
)
STATIC = "package b;\nimport static a.Jar.<<Lid>>.SIZE;\nclass B {}\n"
MIXED = "class Jar\n  def fill_up(a); end\nend\n"
ROUTES = "get '/' do\n  <<fill_up>> 1\nend\nrun(&:<<fill_up>>)\n"
SHOUT = "static class A { public static int Shout(this string a) => 1; }"
AWAITED = "Future<Jar> make() async => Jar();\nvoid f() async { var a = await make();\n a.<<pour>>(); }\n"

KEPT = [
    ({"a.py": "from gone import *\n<<open_jar>>()\n"}, ["possible"]),
    ({"a.py": "from .gone import open_jar\n<<open_jar>>()\n"}, ["possible"]),
    ({"a.ts": 'import { Lid } from "../dist/jar";\nconst lid: <<Lid>> = make();\n'}, ["possible"]),
    ({"a.ts": 'import { Lid } from "../dist/jar";\nconst lid: Lid = make();\nlid.<<turn>>();\n'}, ["possible"]),
    ({"a.js": "<<Lid>>.of(1);\n"}, ["possible"]),
    ({"a.py": "class Mixin:\n    def f(self): self.<<fill_up>>()\n"}, ["possible"]),
    ({"a.rb": MIXED, "b.rb": ROUTES}, ["possible", "possible"]),
    ({"a.rs": HELD}, ["exact"]),
    ({"a.rs": "enum Side { Top }\nfn f() { border!(<<Top>>); }\n"}, ["possible"]),
    ({"a.scala": "package a\nobject K { case object Head }\nobject B { def f = { import K._\n <<Head>> } }\n"}, ["possible"]),
    ({"A.java": "class A { void fill() {} }", "B.java": "class B extends Gone { void f() { <<fill>>(); } }"}, ["possible"]),
    ({"a.rs": MAYBE}, ["exact"]),
    ({"a.dart": "extension on Set<String> { bool get isBare => true; }\nvoid f(Set<String> a) { a.<<isBare>>; }\n"}, ["likely"]),
    ({"a.dart": "class Jar {\n  int size = 1;\n  bool same(Object a) => a is Jar && a.<<size>> == size;\n}\n"}, ["likely"]),
    ({"a/Jar.java": "package a;\nclass Jar { static class Lid { static int SIZE; } }\n", "b/B.java": STATIC}, ["exact"]),
    ({"a.kt": "package a\nfun String.shout() = 1\n", "b.kt": "package b\nfun f(a: String) { a.<<shout>>() }\n"}, ["likely"]),
    ({"a.cs": SHOUT, "b.cs": "class B { int F(string a) => a.<<Shout>>(); }"}, ["likely"]),
    ({"a.php": TRAIT, "b.php": "<?php\nclass Jar { const MOST = 1; function pour() {} }\n"}, ["likely", "likely"]),
    ({"main.rs": RUST, "jars.rs": "pub struct Jar { pub size: u8 }\n"}, ["exact", "exact"]),
    ({"a.c": NESTED}, ["exact"]),
    ({"u.rb": UTILS.format(shop="Shop"), "t.rb": SLUG}, ["possible"]),
    ({"a.dart": "class Jar { void pour() {} }\nvoid f() { final jar = Jar();\n  jar.<<pour>>(); }\n"}, ["exact"]),
    ({"a.dart": "class Jar { void pour() {} }\n" + AWAITED}, ["exact"]),
]  # fmt: skip


@pytest.mark.parametrize(("files", "certainties"), KEPT)
def test_a_name_that_one_symbol_has_is_not_lost(write: Write, files: dict[str, str], certainties: list[str]) -> None:
    told = write({**JAR, **files}).meanings()
    assert [each.rpartition(" ")[2] for each in told] == certainties


EXCLUDED = [
    {"a.py": "from kitchen import open_jar\n<<open_jar>>()\n"},
    {"a.py": "import kitchen\nkitchen.<<open_jar>>()\n"},
    {"a.py": "<<fill_up>>()\n"},
    {"a.py": "def f(fill_up):\n    return <<fill_up>>\n"},
    {"a.py": "import kitchen\ndef f(a: kitchen.Pot):\n    a.<<fill_up>>()\n"},
    {"a.py": "LIMIT = 1\n", "b.py": "def f(x):\n    return x.<<LIMIT>>\n"},
    {"a.py": "def f(x):\n    x.<<open_jar>>()\n"},
    {"a.cs": "class Unit { public Task Task; }", "b.cs": "class B { <<Task>> F() => null; }"},
    {"A.java": "class A { enum Override { YES } }", "B.java": "class B { @<<Override>> void f() {} }"},
    {"a.rs": "fn f() { <<format>>!(1); }\nmod format {}\n"},
    {"a.js": "function f() { const secret = 1; return secret; }\n", "b.js": "g(<<secret>>, h.<<secret>>);\n"},
    {"a.php": "<?php\nclass Jar { public $class; }\ntrait Fills { function f() { return static::<<class>>; } }\n"},
    {"a.rs": "struct Jar { size: u8 }\nfn f(jar: &Jar) { jar.<<size>>(); }\n"},
    {"u.rb": UTILS.format(shop="Shop"), "v.rb": UTILS.format(shop="Mill"), "t.rb": SLUG},
    {"a.rb": "class Jar\n  def fill_up; end\n  def pour; end\nend\nclass Pot\n  def pour; end\nend\nrun(:<<pour>>)\n"},
]


@pytest.mark.parametrize("files", EXCLUDED)
def test_what_is_known_to_mean_something_else_is_not_the_only_symbol_of_its_name(write: Write, files: dict[str, str]) -> None:
    assert set(write({**JAR, **files}).meanings()) == {"nothing"}
