"""Builds onto a base: which references are taken over, and that what another file changes is found anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from earlier_builds import EarlierBuild, by_name, related, source_files

from hardtack.build.relations.reused import Contradiction

Texts = Mapping[str, str]


def _built(texts: Texts) -> EarlierBuild:
    return related(source_files(texts))[1]


def _taken_over(before: EarlierBuild, texts: Texts) -> list[str]:
    """The files whose references come from the base: those that have none where the base has none."""
    files = source_files(texts)
    with_base, _ = related(files, before.without_references())
    anew, _ = related(files)
    found = {each.file for some in with_base.references.values() for each in some}
    return [file.path for number, file in enumerate(files) if number not in found and _refers(anew.references, number)]


def _refers(references: Mapping[str, Sequence[object]], file: int) -> bool:
    return any(getattr(each, "file", -1) == file for some in references.values() for each in some)


USE = "from b import f\nf()\n"
DEPENDENT: Mapping[str, tuple[Texts, Texts]] = {
    "a name that is gone": ({"a.py": USE, "b.py": "def f(): ...\n"}, {"b.py": "def g(): ...\n"}),
    "a name that is new": ({"a.py": USE, "b.py": "", "c.py": "def f(): ...\n"}, {"b.py": "def f(): ...\n"}),
    "a name that several files have now": (
        {"a.py": "def g(x): x.turn()\n", "b.py": "", "c.py": "class C:\n    def turn(self): ...\n"},
        {"b.py": "class B:\n    def turn(self): ...\n"},
    ),
    "a base class": (
        {
            "a.py": "from c import Jar\ndef g(jar: Jar): jar.open()\n",
            "b.py": "class Pot:\n    def open(self): ...\nclass Tin:\n    def open(self): ...\nclass Base(Pot): ...\n",
            "c.py": "from b import Base\nclass Jar(Base): ...\n",
        },
        {"b.py": "class Pot:\n    def open(self): ...\nclass Tin:\n    def open(self): ...\nclass Base(Tin): ...\n"},
    ),
    "what a function gives": (
        {
            "a.py": "from b import make\ndef g():\n    x = make()\n    x.go()\n",
            "b.py": "from c import X, Y\ndef make() -> X: ...\n",
            "c.py": "class X:\n    def go(self): ...\nclass Y:\n    def go(self): ...\n",
        },
        {"b.py": "from c import X, Y\ndef make() -> Y: ...\n"},
    ),
    "what an attribute is": (
        {
            "a.py": "from b import K\ndef g(k: K): k.held.go()\n",
            "b.py": "from c import X, Y\nclass K:\n    def __init__(self, held: X):\n        self.held: X = held\n",
            "c.py": "class X:\n    def go(self): ...\nclass Y:\n    def go(self): ...\n",
        },
        {"b.py": "from c import X, Y\nclass K:\n    def __init__(self, held: Y):\n        self.held: Y = held\n"},
    ),
    "an attribute that is new": (
        {"a.py": "from c import C\ndef g(x): x.turn()\n", "b.py": "", "c.py": "class C:\n    def turn(self): ...\n"},
        {"b.py": "class B:\n    def __init__(self, turn):\n        self.turn = turn\n"},
    ),
    "a name handed on": (
        {
            "a.py": "from b import g\ng()\n",
            "b.py": "from c import f as g\n",
            "c.py": "def f(): ...\n",
            "d.py": "def f(): ...\n",
        },
        {"b.py": "from d import f as g\n"},
    ),
    "a name handed on under another": (
        {"a.py": "from b import g\ng()\n", "b.py": "from c import f as g\n", "c.py": "def f(): ...\n"},
        {"c.py": "def h(): ...\n"},
    ),
    "what is taken whole": (
        {"a.py": USE, "b.py": "from c import *\n", "c.py": "def f(): ...\n", "d.py": "def f(): ...\n"},
        {"b.py": "from d import *\n"},
    ),
    "what a module exports by default": (
        {
            "a.ts": "import d from './b'\nd()\n",
            "b.ts": "export default function one() {}\nexport function two() {}\n",
        },
        {"b.ts": "export function one() {}\nexport default function two() {}\n"},
    ),
    "what calling a value calls": (
        {
            "a.py": "from b import K\ndef g(k: K): k().go()\n",
            "b.py": "from c import X\nclass K:\n    def go(self): ...\n",
            "c.py": "class X:\n    def go(self): ...\n",
        },
        {"b.py": "from c import X\nclass K:\n    def __call__(self) -> X: ...\n    def go(self): ...\n"},
    ),
    "another part of a type": (
        {
            "a.cs": "partial class T { void M() { Go(); } }\n",
            "b.cs": "class P { void Go() {} }\nclass Q { void Go() {} }\npartial class T : P {}\n",
        },
        {"b.cs": "class P { void Go() {} }\nclass Q { void Go() {} }\npartial class T : Q {}\n"},
    ),
    "a chain of types": (
        {
            "a.py": "from d import D\ndef g(d: D): d.c.b.go()\n",
            "b.py": "class X:\n    def go(self): ...\nclass Y:\n    def go(self): ...\nclass B(X): ...\n",
            "c.py": "from b import B\nclass C:\n    b: B\n",
            "d.py": "from c import C\nclass D:\n    c: C\n",
        },
        {"b.py": "class X:\n    def go(self): ...\nclass Y:\n    def go(self): ...\nclass B(Y): ...\n"},
    ),
    "a file at a path that is looked at first": (
        {"a.py": "from m import f\nf()\n", "lib/m.py": "def f(): ...\n"},
        {"m.py": "def f(): ...\n"},
    ),
    "what a module is set to": (
        {
            "a.js": "const open = require('./b');\nopen(1);\n",
            "b.js": "function one(x) {}\nfunction two(x) {}\nmodule.exports = one;\n",
        },
        {"b.js": "function one(x) {}\nfunction two(x) {}\nmodule.exports = two;\n"},
    ),
    "a function that a module is": (
        {"a.js": "const open = require('./b');\nopen(1);\n", "b.js": "module.exports = (x) => x;\n"},
        {"b.js": "const exported = (x) => x;\n"},
    ),
    "a module that another passes on": (
        {
            "a.ts": "import { kit } from './b';\nkit.open();\n",
            "b.ts": "export * as kit from './c';\n",
            "c.ts": "export function open() {}\n",
            "d.ts": "export function open() {}\n",
        },
        {"b.ts": "export * as kit from './d';\n"},
    ),
    "a module that an import moves into": (
        {
            "src/a.rs": "use crate::kit::lift;\nfn f() { lift() }\n",
            "src/b.rs": "pub fn open() {}\n",
            "src/lib.rs": "mod a;\nmod b;\npub mod kit { pub use crate::b::open as lift;\n}\npub mod tin {\n}\n",
        },
        {"src/lib.rs": "mod a;\nmod b;\npub mod kit {\n}\npub mod tin { pub use crate::b::open as lift;\n}\n"},
    ),
    "what a policy rests on": (
        {
            "a.php": "<?php\nfunction f(Post $post) { $this->authorize('update', $post); }\n",
            "b.php": "<?php\nclass One { function update() {} }\nclass Two { function update() {} }\n",
            "c.php": "<?php\nclass Post {}\nclass PostPolicy extends One {}\n",
        },
        {"c.php": "<?php\nclass Post {}\nclass PostPolicy extends Two {}\n"},
    ),
    "a package that files declare": (
        {
            "p/A.java": "package p;\nimport q.B;\nclass A { void m(B b) { b.go(); } }\n",
            "q/B.java": "package q;\npublic class B { public void go() {} }\n",
            "r/C.java": "package r;\nclass C { void go() {} }\n",
        },
        {"q/B.java": "package s;\npublic class B { public void go() {} }\n"},
    ),
    "a project's own path": (
        {
            "a/a.go": 'package a\n\nimport "example.org/x/b"\n\nfunc A() { b.F() }\n',
            "b/b.go": "package b\n\nfunc F() {}\n",
            "go.mod": "module example.org/x\n",
        },
        {"go.mod": "module example.org/yy\n"},
    ),
}


@pytest.mark.parametrize("case", DEPENDENT)
def test_what_another_file_says_changes_what_a_file_that_is_the_same_refers_to(case: str) -> None:
    before, changed = DEPENDENT[case]
    base, after = _built(before), {**before, **changed}
    first = min(after)
    assert _of_file(related(source_files(after))[1], first) != _of_file(base, first)  # else the case says nothing
    assert by_name(related(source_files(after), base)[0]) == by_name(related(source_files(after))[0])
    assert first not in _taken_over(base, after)


def _of_file(build: EarlierBuild, path: str) -> list[tuple[object, ...]]:
    number = sorted(build.files).index(path)
    names = [(file.path, row[3]) for file, indexed in build.rows for row in indexed.symbols]
    return sorted(
        (each.start, names[each.target] if each.target >= 0 else ("", ""), each.certainty)
        for _, some in build.references()
        for each in some
        if each.file == number
    )


SHOP = {
    "jar.py": "from lid import Lid\n\nclass Jar:\n    def open(self, lid: Lid): return lid.turn()\n",
    "lid.py": "class Lid:\n    def turn(self): return 1\n",
    "shelf.py": "from jar import Jar\n\ndef first(jar: Jar): return jar.open(None)\n",
    "tax.py": "def rate(): return 7\ndef due(): return rate()\n",
}


def test_where_no_declaration_changed_all_is_taken_over() -> None:
    after = {**SHOP, "tax.py": "\n\ndef rate(): return 8\ndef due(): return rate() + rate()\n"}
    assert ["jar.py", "shelf.py"] == _taken_over(_built(SHOP), after)


def test_what_has_nothing_to_do_with_a_change_is_taken_over() -> None:
    after = {**SHOP, "tax.py": "def extra(): ...\ndef rate(part) -> int: return 8\ndef due(): return rate(1)\n"}
    base = _built(SHOP)
    assert ["jar.py", "shelf.py"] == _taken_over(base, after)
    assert by_name(related(source_files(after), base)[0]) == by_name(related(source_files(after))[0])


def test_references_lead_to_where_the_symbols_of_a_changed_file_are_now() -> None:
    after = {**SHOP, "jar.py": "def extra(): ...\n" + SHOP["jar.py"]}
    base = _built(SHOP)
    assert "shelf.py" in _taken_over(base, after)
    assert by_name(related(source_files(after), base)[0]) == by_name(related(source_files(after))[0])


def test_a_member_that_is_added_touches_those_who_say_its_name() -> None:
    after = {**SHOP, "jar.py": SHOP["jar.py"] + "    def turn(self): ...\n"}
    assert ["shelf.py", "tax.py"] == _taken_over(_built(SHOP), after)
    after = {**SHOP, "lid.py": SHOP["lid.py"] + "    def open(self): ...\n"}
    assert ["jar.py", "tax.py"] == _taken_over(_built(SHOP), after)


def test_a_base_that_says_something_else_of_a_file_that_is_read_again_is_found_out() -> None:
    base = _built(SHOP)
    assert by_name(related(source_files(SHOP), base, read_again=["shelf.py"])[0]) == by_name(related(source_files(SHOP))[0])
    with pytest.raises(Contradiction, match=r"shelf\.py"):
        related(source_files(SHOP), base.without_references("shelf.py"), read_again=["shelf.py"])
