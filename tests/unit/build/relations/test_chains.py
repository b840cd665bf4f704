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
