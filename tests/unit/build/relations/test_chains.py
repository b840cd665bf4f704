"""What the chain before a name tells: paths, comments between, pointers to what is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("b.rs", "mod a;\nfn f() {\n    // It is called.\n    a::<<one>>();\n    // See `Pot`.\n    a::<<one>>();\n}\n"),
        ("b.py", "import a\n\n\ndef f():\n    # It is called.\n    a.<<one>>()\n    # See `Pot`.\n    a.<<one>>()\n"),
    ],
)
def test_a_comment_above_is_no_part_of_a_chain(write: Write, name: str, text: str) -> None:
    ending = name.rpartition(".")[2]
    one = {"rs": "pub fn one() {}\n", "py": "def one(): pass\n"}[ending]
    files = {f"a.{ending}": one, name: text}
    if ending == "rs":
        files = {"src/a.rs": one, "src/lib.rs": text}
    assert write(files).meanings() == [f"{next(iter(files))} one exact"] * 2


def test_super_is_the_module_around_in_a_path(write: Write) -> None:
    files = {
        "src/lib.rs": "mod task;\n",
        "src/task/mod.rs": "mod make;\nmod spawn;\npub use spawn::spawn;\npub fn here() {}\n",
        "src/task/spawn.rs": "pub fn spawn() {}\npub fn inner() {}\n",
        "src/task/make.rs": "struct Jar;\nfn own() {}\nimpl Jar { fn f() {\n"
        "super::<<here>>(); super::spawn::<<inner>>(); super::<<spawn>>(); } }\n"
        "mod tests { fn g() { super::<<own>>(); super::super::spawn::<<inner>>(); } }\n",
    }
    assert write(files).meanings() == [
        "src/task/make.rs own exact" if each == "own" else f"src/task/{'mod' if each == 'here' else 'spawn'}.rs {each} exact"
        for each in ("here", "inner", "spawn", "own", "inner")
    ]


OUTSIDE = {
    "a.rs": "enum Any { Vec(u8) }\nimpl Tank for Vec<u8> {}\n"
    "fn f() { let x = Vec::<<shut>>(); std::thread::<<shut>>(); syn::Error::<<shut>>(); }\n",
    "a.cpp": "void f() { std::ranges::<<shut>>(1); }\n",
    "A.java": "class A { void f() { System.out.<<shut>>(); } }\n",
}
SHUT = {
    "rs": "struct Jar;\nimpl Jar { fn shut() {} }\nstruct Pot;\nimpl Pot { fn shut() {} }\n",
    "cpp": "struct Jar { void shut(); };\nstruct Pot { void shut(); };\n",
    "java": "class Jar { static void shut() {} }\nclass Pot { static void shut() {} }\n",
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_begins_outside_the_bundle_has_none_of_several_members_in_it(write: Write, name: str) -> None:
    found = write({name: SHUT[name.rpartition(".")[2]] + OUTSIDE[name]}).meanings()
    assert set(found) == {"nothing"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.rs",
            "struct Pot;\nimpl Pot { fn shut(&self) {} }\nstruct Jar;\nimpl Jar { fn new() -> Self { Jar } fn shut(&self) {} }\n"
            "fn f() { let jar = Arc::new(Box::new(Jar::new())); let two = jar.clone(); two.<<shut>>(); }\n",
        ),
        (
            "a.cpp",
            "struct Pot { void shut(); };\nstruct Jar { void shut(); };\n"
            "void f() { auto jar = std::make_unique<Jar>(1); jar-><<shut>>(); }\n",
        ),
    ],
)
def test_a_pointer_has_the_members_of_what_it_is_made_of(write: Write, name: str, text: str) -> None:
    assert write({name: text}).meanings() == [f"{name} Jar.shut exact"]


JARS = {
    "rs": "pub struct Pot;\nimpl Pot { pub fn shut(&self) {} }\npub struct Jar;\nimpl Jar { pub fn shut(&self) {} }\n",
    "py": "class Pot:\n    def shut(self): pass\n\n\nclass Jar:\n    def shut(self): pass\n\n\n",
    "java": "class Pot { void shut() {} }\nclass Jar { void shut() {} }\n",
    "ts": "class Pot { shut() {} }\nclass Jar { shut() {} }\n",
    "cpp": "struct Pot { void shut(); };\nstruct Jar { void shut(); };\n",
    "go": "package a\ntype Pot struct{}\nfunc (p Pot) shut() {}\ntype Jar struct{}\nfunc (j Jar) shut() {}\n",
}
"""Two types with a method of one name."""
MADE_OF = {
    "an index, Rust": ("rs", "fn f(jars: &Vec<Jar>) { jars[0].<<shut>>(); }\n"),
    "an index of an array, Rust": ("rs", "struct S { jars: [Jar; 4] }\nimpl S { fn f(&self) { self.jars[0].<<shut>>(); } }\n"),
    "an index, Python": ("py", "def f(jars: dict[str, Jar]):\n    jars['a'].<<shut>>()\n"),
    "a loop, Rust": ("rs", "fn f(jars: &[Jar]) { for jar in jars { jar.<<shut>>(); } }\n"),
    "a loop with numbers, Rust": ("rs", "fn f(jars: Vec<Jar>) { for (i, jar) in jars.iter().enumerate() { jar.<<shut>>(); } }\n"),
    "a loop, Python": ("py", "def f(jars: list[Jar]):\n    for jar in jars:\n        jar.<<shut>>()\n"),
    "a comprehension, Python": ("py", "def f(jars: list[Jar]):\n    return [jar.<<shut>>() for jar in jars]\n"),
    "a typed loop, Java": ("java", "class A { void f(List<Jar> all) { for (Jar jar : all) { jar.<<shut>>(); } } }\n"),
    "a loop, Java": ("java", "class A { void f(List<Jar> all) { for (var jar : all) { jar.<<shut>>(); } } }\n"),
    "a loop, TypeScript": ("ts", "function f(jars: Jar[]) { for (const jar of jars) { jar.<<shut>>(); } }\n"),
    "a loop, Go": ("go", "func f(jars []*Jar) {\n\tfor _, jar := range jars {\n\t\tjar.<<shut>>()\n\t}\n}\n"),
    "what a collection gives, Java": ("java", "class A { void f(List<Jar> all) { all.get(0).<<shut>>(); } }\n"),
    "Some, Rust": ("rs", "fn f(jars: &mut Vec<Jar>) { if let Some(jar) = jars.pop() { jar.<<shut>>(); } }\n"),
    "an arm, Rust": ("rs", "fn g() -> Option<Jar> { None }\nfn f() { match g() { Some(jar) => jar.<<shut>>(), None => {} } }\n"),
    "a question mark, Rust": (
        "rs",
        "fn g() -> Result<Jar, E> { Ok(Jar) }\nfn f() { let jar = g()?; jar.<<shut>>(); g()?.<<shut>>(); }\n",
    ),
    "a lambda, Rust": ("rs", "fn f(jars: Vec<Jar>) { jars.iter().for_each(|jar| jar.<<shut>>()); }\n"),
    "a lambda, TypeScript": ("ts", "function f(jars: Jar[]) { jars.forEach((jar) => jar.<<shut>>()); }\n"),
    "a tuple, Python": ("py", "def g() -> tuple[Pot, Jar]: ...\n\n\ndef f():\n    pot, jar = g()\n    jar.<<shut>>()\n"),
    "a tuple, Rust": ("rs", "fn g() -> (Pot, Jar) { (Pot, Jar) }\nfn f() { let (pot, jar) = g(); jar.<<shut>>(); }\n"),
    "several values, Python": ("py", "def f():\n    pot, jar = Pot(), Jar()\n    jar.<<shut>>()\n"),
    "a field without a name, Rust": ("rs", "struct Two(Pot, Jar);\nimpl Two { fn f(&self) { self.1.<<shut>>(); } }\n"),
    "a type's argument, Rust": (
        "rs",
        "struct Shelf<T> { t: T }\nimpl<T> Shelf<T> { fn take(&self) -> &T { &self.t } }\n"
        "fn f<'a>(shelf: &'a Shelf<Jar>) { shelf.take().<<shut>>(); }\n",
    ),
    "a type's argument, Java": (
        "java",
        "class Shelf<T> { T take() { return null; } }\nclass A { void f(Shelf<Jar> shelf) { shelf.take().<<shut>>(); } }\n",
    ),
    "a bound, Java": ("java", "class A { <T extends Jar> void f(T jar) { jar.<<shut>>(); } }\n"),
    "a pointer of its own, Rust": (
        "rs",
        "struct Guard<T> { t: T }\nimpl<T> Deref for Guard<T> { type Target = T; }\n"
        "fn f(guard: Guard<Jar>) { guard.<<shut>>(); }\n",
    ),
    "a pointer of its own, C++": (
        "cpp",
        "template <typename T> struct Guard { T* operator->(); };\nvoid f(Guard<Jar> guard) { guard-><<shut>>(); }\n",
    ),
    "another name, Rust": ("rs", "type Jars<T> = Vec<T>;\nfn f(jars: Jars<Jar>) { jars[0].<<shut>>(); }\n"),
    "a union, Python": ("py", "def f(jar: Jar | str | None):\n    jar.<<shut>>()\n"),
    "a union, TypeScript": ("ts", "function f(jar: string | Jar) { jar.<<shut>>(); }\n"),
    "Self, Rust": ("rs", "impl Jar { fn same(&self, other: &Self) { other.<<shut>>(); } }\n"),
    "an assertion, Go": ("go", "func f(x any) {\n\tjar := x.(*Jar)\n\tjar.<<shut>>()\n}\n"),
    "a cast, C++": ("cpp", "void f(void* x) { auto jar = static_cast<Jar*>(x); jar-><<shut>>(); }\n"),
}


@pytest.mark.parametrize("kind", MADE_OF)
def test_what_a_type_is_made_of_is_known(write: Write, kind: str) -> None:
    ending, text = MADE_OF[kind]
    found = write({f"a.{ending}": JARS[ending] + text}).meanings()
    assert set(found) == {f"a.{ending} Jar.shut exact"}


def test_overloads_give_what_the_one_that_is_called_gives(write: Write) -> None:
    text = JARS["java"] + (
        "class A {\n  Pot make() { return null; }\n  Jar make(int size) { return null; }\n"
        "  void f() { make(1).<<shut>>(); this.make().<<shut>>(); }\n}\n"
    )
    assert write({"A.java": text}).meanings() == ["A.java Jar.shut exact", "A.java Pot.shut exact"]


def test_a_value_of_an_unknown_thing_in_a_collection_loses_no_call(write: Write) -> None:
    text = "class Jar { void shut() {} }\nclass A { void f(Shelf<Jar> all) { all.any(1).<<shut>>(); } }\n"
    assert write({"A.java": text}).meanings() != ["nothing"]


def test_a_member_that_only_a_subtype_declares_is_likely_its_own(write: Write) -> None:
    text = JARS["py"] + (
        "class Lid(Jar):\n    def turn(self): pass\n\n\nclass Rim(Lid):\n    def turn(self): pass\n\n\n"
        "class Tap:\n    def turn(self): pass\n\n\ndef f(jar: Jar):\n    if isinstance(jar, Lid):\n        jar.<<turn>>()\n"
    )
    assert write({"a.py": text}).meanings() == ["a.py Lid.turn likely"]


def test_a_trait_may_give_any_type_its_members(write: Write) -> None:
    text = JARS["rs"] + (
        "pub trait Wash { fn wash(&self) {} }\nimpl<T> Wash for T {}\nstruct Tub;\nimpl Tub { fn wash(&self) {} }\n"
        "fn f<T>(jar: Jar, t: T, n: Vec<u8>) { jar.<<wash>>(); t.<<wash>>(); n.<<wash>>(); }\n"
    )
    assert write({"a.rs": text}).meanings() == [f"a.rs Wash.wash {each}" for each in ("likely", "likely", "possible")]


def test_an_import_inside_a_function_means_more_than_the_file_there(write: Write) -> None:
    files = {
        "own.py": "def shut(): pass\n",
        "a.py": "def shut():\n    from own import shut\n    return <<shut>>()\n\n\ndef f():\n    <<shut>>()\n",
    }
    assert write(files).meanings() == ["own.py shut exact", "a.py shut exact"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.go", "package a\n\ntype Jar struct{ n int }\n\nfunc (j *Jar) Pour() {}\n\nfunc f() { (&Jar{n: g(1)}).<<Pour>>() }\n"),
        ("A.java", "class Jar { void Pour() {} }\nclass B { void f() { (new Jar()).<<Pour>>(); } }\n"),
        ("a.ts", "class Jar { Pour() {} }\nfunction f() { (new Jar()).<<Pour>>(); }\n"),
        ("a.rs", "struct Jar { n: u8 }\nimpl Jar { fn Pour(&self) {} }\nfn f() { (Jar { n: 1 }).<<Pour>>(); }\n"),
    ],
)
def test_what_is_made_in_brackets_has_its_type(write: Write, path: str, text: str) -> None:
    other = {"go": "package a\n\ntype Pan struct{}\n\nfunc (p Pan) Pour() {}\n", "java": "class Pan { void Pour() {} }\n"}
    other |= {"ts": "class Pan { Pour() {} }\n", "rs": "struct Pan;\nimpl Pan { fn Pour(&self) {} }\n"}
    kind = path.rpartition(".")[2]
    assert [f"{path} Jar.Pour exact"] == write({path: text, f"other.{kind}": other[kind]}).meanings()


def test_a_collection_has_the_members_of_its_own_language_and_of_its_family(write: Write) -> None:
    jar = "class Jar { void shut() {} }\nclass Lid { void shut() {} }\n"
    files = {
        "Jar.java": jar,
        "a.kt": "fun f(all: List<Jar>) { all.first().<<shut>>(); all.getFirst().<<shut>>() }\n",
        "a.py": "class Jar:\n    def shut(self): pass\nclass Lid:\n    def shut(self): pass\n"
        "def f(all: list[Jar]):\n    all.pop().<<shut>>()\n    all.getFirst().<<shut>>()\n",
    }
    assert write(files).meanings() == ["Jar.java Jar.shut exact", "Jar.java Jar.shut exact", "a.py Jar.shut exact", "several"]
