"""Which words may mean something else after a change: those it declares otherwise, and those written with them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from earlier_builds import EarlierBuild, related, source_files

from hardtack.build.relations.imports import Imports
from hardtack.build.relations.invalidation import invalidated_words, used_words
from hardtack.build.relations.names import SymbolNames
from hardtack.nouns.relations import Binding, Import, Use

Texts = Mapping[str, str]


def _names(build: EarlierBuild) -> SymbolNames:
    names = SymbolNames()
    for file, indexed in build.rows:
        imported = [Import(*row) for row in indexed.imported]
        names.add(file.path, file.language, indexed.package, indexed.symbols, indexed.details, imported)
    return names


def _touched(before: Texts, changed: Texts) -> set[str] | None:
    was, now = (related(source_files(texts))[1] for texts in (before, {**before, **changed}))
    names = _names(now)
    earlier = [was.earlier(sorted(before).index(path)) for path in sorted(changed)]
    words = invalidated_words(names, Imports(names, []), earlier)
    return None if words is None else set(words)


TOUCHED: Mapping[str, tuple[Texts, Texts, set[str]]] = {
    "lines that moved": ({"a.py": "def f(x): ...\n"}, {"a.py": "\n# f\n\ndef f(x): return f\n"}, set()),
    "documentation": ({"a.py": "def f(x): ...\n"}, {"a.py": "@cached\ndef f(x):\n    '''Raises:\n        E: no\n    '''\n"}, set()),
    "a name": ({"a.py": "def f(): ...\n"}, {"a.py": "def g(): ...\n"}, {"f", "g"}),
    "one of several parts of a name": ({"a.js": "a.b = function () {}\n"}, {"a.js": "a.c = function () {}\n"}, {"b", "c"}),
    "another order of the same name": (
        {"a.py": "def f(): ...\ndef f(x: K): ...\ndef g(): ...\n"},
        {"a.py": "def g(): ...\ndef f(x: K): ...\ndef f(): ...\n"},
        {"f"},
    ),
    "an attribute": (
        {"a.py": "class K:\n    def m(self):\n        self.x = 1\n"},
        {"a.py": "class K:\n    def m(self):\n        self.x = 1\n        self.y = 2\n"},
        {"y"},
    ),
    "what an attribute's type is called": (
        {"a.py": "class X: ...\n", "b.py": "class K:\n    def m(self, x):\n        self.held: X = x\n"},
        {"a.py": "class Y: ...\n"},
        {"X", "Y", "held"},
    ),
    "what is around a declaration": (
        {"a.py": "class K(P):\n    x: T\n    def m(self): ...\n"},
        {"a.py": "class K(Q):\n    x: T\n    def m(self): ...\n"},
        {"K", "x"},
    ),
    "what stands for the type that it is a part of": (
        {"a.java": "enum Hue implements P { RED }\n"},
        {"a.java": "enum Hue implements Q { RED }\n"},
        {"Hue", "RED"},
    ),
    "whether an object has parts": (
        {"a.js": "export const box = {}\n"},
        {"a.js": "export const box = {}\nbox.run = function () {}\n"},
        {"box", "run"},
    ),
    "what is imported": ({"a.py": "from b import f as g\n"}, {"a.py": "from c import f as g\n"}, {"g"}),
    "who hands a name on": ({"a.py": "def f(): ...\n", "b.py": "from a import f as g\n"}, {"a.py": ""}, {"f", "g"}),
}


@pytest.mark.parametrize("case", TOUCHED)
def test_a_change_touches_what_it_declares_and_what_is_written_with_that(case: str) -> None:
    before, changed, words = TOUCHED[case]
    assert words == _touched(before, changed)


@pytest.mark.parametrize(
    ("before", "after"),
    [("from b import *\n", "from c import *\n"), ("class K: ...\n", "class K:\n    def __call__(self): ...\n")],
    ids=["what is taken whole", "what calling a value calls"],
)
def test_what_is_asked_for_without_being_named_touches_every_word(before: str, after: str) -> None:
    assert _touched({"a.py": before}, {"a.py": after}) is None


def test_a_file_that_does_not_import_for_all_any_more_touches_every_word() -> None:
    assert _touched({"a.cs": "global using Shop;\n"}, {"a.cs": "global using Shop;\n\nclass Own {}\n"}) is None


def test_a_file_says_the_words_of_its_uses_bindings_imports_and_declarations() -> None:
    text = "from m.n import i as j\n\nclass K(B):\n    x: T\n    def f(self, p: P): ...\n"
    build = related(source_files({"a.py": text}))[1]
    use = Use(name="u", qualifier="q.r()", arguments=0, bound=0, symbol=0, start=0, line=1)
    binding = Binding(symbol=0, name="v", value="s.t()", is_type=False, result=0, start=0, bound=-1)
    assert {"m", "n", "i", "K", "B", "T", "P", "u", "q", "r", "s", "t"} <= set(used_words(_names(build), 0, [use], [binding]))
