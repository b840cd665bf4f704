"""Local variables: where they hide a name that is declared outside, and where they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardtack.nouns.projects import Project

Write = Callable[..., Any]

GO = Project(path="go.mod", directory="", ecosystem="go", name="x.org/app", prefixes=(("x.org/app", ""),))
BEGINS_AFTER_ITS_DECLARATION = {
    "Go": ("a.go", "package a\nfunc jar() int { return 1 }\nfunc f() {\n\tjar := <<jar>>()\n\t_ = <<jar>>\n}\n"),
    "Rust": ("a.rs", "fn jar() -> i32 { 1 }\nfn f() {\n    let jar = <<jar>>();\n    let x = <<jar>>;\n}\n"),
    "Kotlin": ("a.kt", "val jar = 1\nfun f() {\n    val jar = <<jar>> + 1\n    print(<<jar>>)\n}\n"),
    "Swift": ("a.swift", "func jar() -> Int { 1 }\nfunc f() {\n    let jar = <<jar>>()\n    print(<<jar>>)\n}\n"),
    "Lua": ("a.lua", "local function jar() end\nlocal function f()\n  local jar = <<jar>>()\n  print(<<jar>>)\nend\n"),
}


@pytest.mark.parametrize("language", BEGINS_AFTER_ITS_DECLARATION)
def test_a_variable_hides_nothing_in_its_own_declaration(write: Write, language: str) -> None:
    name, text = BEGINS_AFTER_ITS_DECLARATION[language]
    before, after = write({name: text}).meanings()
    assert before.startswith(f"{name} jar ")
    assert after == "nothing"


ENDS_WITH_ITS_BLOCK = {
    "Go, a block": ("a.go", "package a\nfunc jar() {}\nfunc f() {\n\t{\n\t\tjar := 1\n\t\t_ = <<jar>>\n\t}\n\t<<jar>>()\n}\n"),
    "Go, a condition": ("a.go", "package a\nfunc jar() {}\nfunc f() {\n\tif jar := 1; <<jar>> > 0 {\n\t}\n\t<<jar>>()\n}\n"),
    "Go, a loop": ("a.go", "package a\nfunc jar() {}\nfunc f() {\n\tfor jar := range 3 {\n\t\t_ = <<jar>>\n\t}\n\t<<jar>>()\n}\n"),
    "Rust, a block": (
        "a.rs",
        "fn jar() {}\nfn f() {\n    {\n        let jar = 1;\n        g(<<jar>>);\n    }\n    <<jar>>();\n}\n",
    ),
    "Rust, a loop": ("a.rs", "fn jar() {}\nfn f() {\n    for jar in 0..3 {\n        g(<<jar>>);\n    }\n    <<jar>>();\n}\n"),
    "C, a block": ("a.c", "void jar(void) {}\nvoid f(void) {\n  {\n    int jar = 1;\n    g(<<jar>>);\n  }\n  <<jar>>();\n}\n"),
    "C++, a catch": ("a.cpp", "void jar() {}\nvoid f() {\n  try {} catch (int jar) { g(<<jar>>); }\n  <<jar>>();\n}\n"),
    "Java, a loop": (
        "A.java",
        "class A {\n  int jar;\n  void f() {\n    for (int jar = 0; <<jar>> < 3;) {}\n    g(<<jar>>);\n  }\n}\n",
    ),
    "Java, a catch": (
        "A.java",
        "class A {\n  int jar;\n  void f() {\n    try {} catch (E jar) { g(<<jar>>); }\n    g(<<jar>>);\n  }\n}\n",
    ),
    "C#, a using": (
        "A.cs",
        "class A {\n  int jar;\n  void F() {\n    using (var jar = G()) { G(<<jar>>); }\n    G(<<jar>>);\n  }\n}\n",
    ),
    "Kotlin, a loop": ("a.kt", "val jar = 1\nfun f() {\n    for (jar in 0..3) { print(<<jar>>) }\n    print(<<jar>>)\n}\n"),
    "Swift, if let": ("a.swift", "let jar = 1\nfunc f() {\n    if let jar = g() { print(<<jar>>) }\n    print(<<jar>>)\n}\n"),
    "TypeScript, const": ("a.ts", "function jar() {}\nfunction f() {\n  if (1) { const jar = 3; g(<<jar>>); }\n  <<jar>>();\n}\n"),
    "JavaScript, a catch": ("a.js", "function jar() {}\nfunction f() {\n  try {} catch (jar) { g(<<jar>>); }\n  <<jar>>();\n}\n"),
    "JavaScript, for of": ("a.js", "function jar() {}\nfunction f() {\n  for (const jar of l) { g(<<jar>>); }\n  <<jar>>();\n}\n"),
    "Lua, a block": (
        "a.lua",
        "local function jar() end\nlocal function f()\n  do local jar = 1; g(<<jar>>) end\n  <<jar>>()\nend\n",
    ),
    "Dart, a block": ("a.dart", "void jar() {}\nvoid f() {\n  { var jar = 1; g(<<jar>>); }\n  <<jar>>();\n}\n"),
    "Zig, a block": (
        "a.zig",
        "fn jar() void {}\nfn f() void {\n    {\n        const jar = 1;\n        g(<<jar>>);\n    }\n    <<jar>>();\n}\n",
    ),
}


@pytest.mark.parametrize("case", ENDS_WITH_ITS_BLOCK)
def test_a_variable_hides_nothing_after_its_block(write: Write, case: str) -> None:
    name, text = ENDS_WITH_ITS_BLOCK[case]
    inside, after = write({name: text}).meanings()
    assert inside == "nothing"
    assert "jar " in after


def test_a_package_is_what_it_was_where_no_variable_of_its_name_counts(write: Write) -> None:
    jar = "package jar\ntype Jar struct{}\nfunc Open() *Jar { return nil }\nfunc (j *Jar) Shut() {}\n"
    text = (
        'package main\nimport "x.org/app/jar"\n'
        "func one() {\n\tjar := jar.<<Open>>()\n\tjar.<<Shut>>()\n}\n"
        "func two() {\n\tif x {\n\t\tjar := 1\n\t\t_ = jar\n\t}\n\tjar.<<Open>>()\n}\n"
    )
    assert write({"jar/jar.go": jar, "main.go": text}, GO).meanings() == [
        "jar/jar.go Open exact",
        "jar/jar.go Jar.Shut exact",
        "jar/jar.go Open exact",
    ]


def test_var_of_javascript_is_bound_in_its_whole_function(write: Write) -> None:
    text = "function jar() {}\nfunction f() {\n  if (1) { var jar = 3; }\n  g(<<jar>>);\n}\nfunction h() { <<jar>>(); }\n"
    assert write({"a.js": text}).meanings() == ["nothing", "a.js jar exact"]


def test_a_parameter_inside_a_declaration_counts_in_its_own_function(write: Write) -> None:
    text = (
        "package a\ntype Jar struct{}\nfunc (j *Jar) Open() {}\nfunc f() {\n\tx := g(func(j *Jar) { j.<<Open>>() })\n\t_ = x\n}\n"
    )
    assert write({"a.go": text}).meanings() == ["a.go Jar.Open exact"]


OWN_FUNCTIONS = {
    "Java": (
        "A.java",
        "class A {\n  String jar() { return null; }\n  void f() {\n    String jar = <<jar>>();\n    g(<<jar>>);\n  }\n}\n",
    ),
    "Ruby": ("a.rb", "def jar; end\ndef f\n  jar = <<jar>>()\n  g(<<jar>>)\nend\n"),
    "Kotlin": ("a.kt", "fun jar(): Int = 1\nfun f() {\n    val jar = 3\n    val lid = <<jar>>()\n    print(<<jar>>)\n}\n"),
    "Perl": ("a.pl", "sub jar { 1 }\nsub f {\n    my $jar = 3;\n    my $lid = <<jar>>();\n    print $<<jar>>;\n}\n"),
}


@pytest.mark.parametrize("language", OWN_FUNCTIONS)
def test_a_variable_hides_no_call_where_functions_have_names_of_their_own(write: Write, language: str) -> None:
    name, text = OWN_FUNCTIONS[language]
    called, used = write({name: text}).meanings()
    assert "jar " in called
    assert used == "nothing"


FUNCTIONS_IN_VARIABLES = {
    "a parameter": "fun jar() {}\nfun f(jar: (Int) -> Unit) { <<jar>>(1) }\n",
    "with a receiver": "fun jar() {}\nfun f(jar: Lid.() -> Unit) { <<jar>>() }\n",
    "a lambda": "fun jar() {}\nfun f() {\n    val jar = { 1 }\n    <<jar>>()\n}\n",
    "a reference": "fun jar() {}\nfun f() {\n    val jar = ::lid\n    <<jar>>()\n}\n",
}


@pytest.mark.parametrize("case", FUNCTIONS_IN_VARIABLES)
def test_a_variable_that_holds_a_function_hides_a_call_of_its_name(write: Write, case: str) -> None:
    assert write({"a.kt": FUNCTIONS_IN_VARIABLES[case]}).meanings() == ["nothing"]


DESTRUCTURED = {
    "a variable": "function f(pot: Pot) {\n  const { jar } = pot;\n  jar.<<open>>();\n}\n",
    "another name": "function f(pot: Pot) {\n  const { jar: lid } = pot;\n  lid.<<open>>();\n}\n",
    "a parameter": "function f({ jar }: Pot) {\n  jar.<<open>>();\n}\n",
}


@pytest.mark.parametrize("case", DESTRUCTURED)
def test_a_destructured_name_has_the_type_of_the_member_it_takes(write: Write, case: str) -> None:
    text = f"class Jar {{ open() {{}} }}\nclass Lid {{ open() {{}} }}\nclass Pot {{ jar: Jar; }}\n{DESTRUCTURED[case]}"
    assert write({"a.ts": text}).meanings() == ["a.ts Jar.open exact"]


CASTS = {
    "a.kt": "class Jar { fun open() {} }\nclass Lid { fun open() {} }\n"
    "fun f(x: Any) {\n    val jar = x.get(1) as Jar\n    jar.<<open>>()\n}\n",
    "a.swift": "class Jar { func open() {} }\nclass Lid { func open() {} }\n"
    "func f() {\n    let jar = x() as! Jar\n    jar.<<open>>()\n}\n",
    "a.ts": "class Jar { open() {} }\nclass Lid { open() {} }\nfunction f(x) {\n  const jar = x[1] as Jar;\n  jar.<<open>>();\n}\n",
}


@pytest.mark.parametrize("name", CASTS)
def test_a_cast_gives_a_variable_its_type(write: Write, name: str) -> None:
    assert write({name: CASTS[name]}).meanings() == [f"{name} Jar.open exact"]


TOP_LEVEL = {
    "Program.cs": "var jar = new Jar();\njar.<<Open>>();\n"
    "class Jar { public void Open() {} }\nclass Lid { public void Open() {} }\n",
    "a.rb": "class Jar\n  def open; end\nend\nclass Lid\n  def open; end\nend\njar = Jar.new\njar.<<open>>\n",
    "a.php": "<?php\nclass Jar { function open() {} }\nclass Lid { function open() {} }\n$jar = new Jar();\n$jar-><<open>>();\n",
    "a.kts": "class Jar { fun open() {} }\nclass Lid { fun open() {} }\nval jar = Jar()\njar.<<open>>()\n",
    "a.js": "class Jar { open() {} }\nclass Lid { open() {} }\nconst jar = new Jar();\njar.<<open>>();\n",
    "a.py": "class Jar:\n    def open(self): ...\nclass Lid:\n    def open(self): ...\nwith Jar() as jar:\n    jar.<<open>>()\n",
}


@pytest.mark.parametrize("name", TOP_LEVEL)
def test_statements_at_the_top_of_a_file_bind_variables(write: Write, name: str) -> None:
    (meaning,) = write({name: TOP_LEVEL[name]}).meanings()
    assert meaning.lower() == f"{name} jar.open exact".lower()


def test_the_last_binding_before_counts_at_the_top_of_a_file(write: Write) -> None:
    text = "class Jar\n  def open; end\nend\nclass Lid\n  def open; end\nend\nx = Jar.new\nx.<<open>>\nx = Lid.new\nx.<<open>>\n"
    assert write({"a.rb": text}).meanings() == ["a.rb Jar.open likely", "a.rb Lid.open likely"]


ASSIGNED_IN_BRANCHES = {
    "a.py": "class Jar:\n    def shut(self): pass\nclass Lid:\n    def shut(self): pass\n"
    "def f(it):\n    jar = Jar()\n    if it: jar = Lid()\n    jar.<<shut>>()\n    same = jar\n    same.<<shut>>()\n"
    "def g(it):\n    jar = Lid()\n    if it: jar = Lid()\n    jar.<<shut>>()\n",
    "a.php": "<?php\nclass Jar { function shut() {} }\nclass Lid { function shut() {} }\n"
    "function f($it) { $jar = new Jar(); if ($it) { $jar = new Lid(); } $jar->\n<<shut>>(); $same = $jar; $same-><<shut>>(); }\n"
    "function g($it) { $jar = new Lid(); if ($it) { $jar = new Lid(); } $jar-><<shut>>(); }\n",
}


@pytest.mark.parametrize("name", ASSIGNED_IN_BRANCHES)
def test_a_variable_that_is_set_to_values_of_several_types_is_no_more_than_likely_of_one(write: Write, name: str) -> None:
    found = write({name: ASSIGNED_IN_BRANCHES[name]}).meanings()
    assert found == [f"{name} Lid.shut likely"] * 2 + [f"{name} Lid.shut exact"]


def test_a_caught_exception_is_of_its_type_whatever_else_is_caught(write: Write) -> None:
    text = (
        "class Jar(Exception):\n    size = 1\nclass Lid(Exception):\n    size = 2\n"
        "def f():\n    try:\n        pass\n    except Jar as it:\n        it.<<size>>\n    except Lid as it:\n        it.<<size>>\n"
    )
    assert write({"a.py": text}).meanings() == ["a.py Jar.size exact", "a.py Lid.size exact"]


DEFAULTS = {
    "a.py": "class Jar:\n    def shut(self): pass\nclass Lid:\n    def shut(self): pass\n    def f(self, jar, it=Jar()):\n"
    "        self.<<shut>>(); jar.<<shut>>(); it.<<shut>>()\n    def g(\n        self,\n        jar,\n        it=Jar(),\n    ):\n"
    "        self.<<shut>>(); jar.<<shut>>(); it.<<shut>>()\n",
    "a.ts": "class Jar { shut() {} }\nclass Lid { shut() {} \n"
    "  f(jar, it = new Jar()) { this.<<shut>>(); jar.<<shut>>(); it.<<shut>>(); }\n"
    "  g(\n    jar,\n    it = new Jar(),\n  ) { this.<<shut>>(); jar.<<shut>>(); it.<<shut>>(); }\n}\n",
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_of_a_parameter_is_not_that_of_those_before_it(write: Write, name: str) -> None:
    assert write({name: DEFAULTS[name]}).meanings() == [f"{name} Lid.shut exact", "several", f"{name} Jar.shut exact"] * 2


def test_a_parameter_that_is_passed_by_reference_is_of_its_type(write: Write) -> None:
    text = (
        "class Jar { public void Shut() {} }\nclass Lid { public void Shut() {}\n"
        "  static void F(ref Jar jar, out Jar other, in Jar it) { jar.<<Shut>>(); other.<<Shut>>(); it.<<Shut>>(); }\n}\n"
    )
    assert write({"a.cs": text}).meanings() == ["a.cs Jar.Shut exact"] * 3
