"""Which of several symbols a name means: rule by rule, in several languages."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from bundles import opened

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES
from hardtack.query.lookup.disambiguate import Disambiguation, SymbolGroup, disambiguate, group_symbols
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.symbols import look_up

FILES = {
    "src/c/jar.c": '#include "jar.h"\n\nint jar_open(int size)\n{\n    return size;\n}\n',
    "src/c/jar.h": "int jar_open(int size);\nint jar_close(void);\n\nint both(void);\n",
    "src/c/lid.h": "int jar_open(int size);\nint jar_close(void);\n",
    "src/c/one.c": "int both(void)\n{\n    return 1;\n}\n",
    "src/c/two.c": "int both(void)\n{\n    return 2;\n}\n",
    "src/c/twins.c": "#ifdef A\nstruct twin { int a; };\n#else\nstruct twin { int b; };\n#endif\n",
    "src/cpp/box.hpp": "class Box {\npublic:\n  Box();\n  int open() const;\n  int open(int how);\n};\n",
    "src/cpp/box.cpp": """#include "box.hpp"

Box::Box() {}

int Box::open() const { return 1; }

int Box::open(int how) { return how; }
""",
    "src/py/read.py": """from typing import overload


@overload
def read(path: str) -> str: ...
@overload
def read(path: bytes) -> bytes: ...
def read(path):
    return path


def once(a):
    return a


class Reader:
    def once(self): ...

    def close(self): ...


class Writer:
    def close(self): ...
""",
    "src/py/read.pyi": "def once(a: int) -> int: ...\n",
    "src/py/other.py": "def twice(a):\n    return a\n\n\nclass Page: ...\n",
    "tests/test_twice.py": "def twice(a):\n    return a, a\n\n\ndef only_here():\n    pass\n",
    "examples/page.py": "class Page: ...\n",
    "src/py/v1/other.py": "def twice(a):\n    return a * 2\n",
    "src/ts/page.ts": "export class Page {}\n",
    "src/ts/load.ts": "export function load(a: string): string;\nexport function load(a: number): number;\n"
    "export function load(a: any): any {\n  return a;\n}\n",
    "src/cs/Crate.Async.cs": "namespace Yard { public partial class Crate { public void Fill(int a) { } } }\n",
    "src/cs/Crate.cs": "namespace Yard { public partial class Crate { public void Fill() { } } }\n",
    "src/java/Pot.java": "package org;\n\nclass Pot { void boil() {} }\n",
    "src/java/PotTest.java": "package org.of;\n\nclass Pot { void boil() {} }\n",
    "src/go/jar_linux.go": "package jar\n\nfunc Seal() int { return 1 }\n",
    "src/go/jar_windows.go": "package jar\n\nfunc Seal() int { return 2 }\n",
    "src/go/tin/seal.go": "package jar\n\nfunc Seal() int { return 3 }\n",
}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    with opened(tmp_path_factory.mktemp("meant"), FILES) as bundle:
        yield bundle


def place(bundle: Bundle, ordinal: int) -> str:
    symbol = bundle.symbol(ordinal)
    return f"{bundle.file(symbol.file).path}:{symbol.start_line}"


def of(bundle: Bundle, name: str, *, file: str = "") -> Disambiguation:
    """What the name of a function or a type means."""
    found = look_up(bundle, name, FUNCTIONS).ordinals or look_up(bundle, name, TYPES).ordinals
    return disambiguate(bundle, found, name, file=file)


def the_one(bundle: Bundle, name: str, *, file: str = "") -> tuple[str, list[str], list[str]]:
    """Places of the definition, of further definitions, and of declarations."""
    (group,) = of(bundle, name, file=file).groups
    return (
        place(bundle, group.symbol),
        [place(bundle, each) for each in group.others],
        [place(bundle, each) for each in group.declarations],
    )


def places(bundle: Bundle, name: str, *, file: str = "") -> list[str]:
    return [place(bundle, group.symbol) for group in of(bundle, name, file=file).groups]


def test_a_definition_comes_before_its_prototypes(bundle: Bundle) -> None:
    assert ("src/c/jar.c:3", [], ["src/c/jar.h:1", "src/c/lid.h:1"]) == the_one(bundle, "jar_open")


def test_prototypes_alone_are_one_thing(bundle: Bundle) -> None:
    assert ("src/c/jar.h:2", ["src/c/lid.h:2"], []) == the_one(bundle, "jar_close")


def test_two_definitions_in_two_sources_are_two_things_and_their_prototype_is_none(bundle: Bundle) -> None:
    assert ["src/c/one.c:1", "src/c/two.c:1"] == places(bundle, "both")


def test_twins_of_one_file_are_one_thing(bundle: Bundle) -> None:
    assert ("src/c/twins.c:2", ["src/c/twins.c:4"], []) == the_one(bundle, "twin")


def test_methods_that_are_declared_in_a_class_and_defined_outside_are_one_with_their_overloads(bundle: Bundle) -> None:
    assert ("src/cpp/box.cpp:5", ["src/cpp/box.cpp:7"], ["src/cpp/box.hpp:4", "src/cpp/box.hpp:5"]) == the_one(bundle, "Box.open")


def test_overload_stubs_come_after_what_they_are_stubs_of(bundle: Bundle) -> None:
    assert ("src/py/read.py:8", [], ["src/py/read.py:5", "src/py/read.py:7"]) == the_one(bundle, "read")
    assert ("src/ts/load.ts:3", [], ["src/ts/load.ts:1", "src/ts/load.ts:2"]) == the_one(bundle, "load")


def test_a_stub_file_declares_what_the_source_beside_it_defines(bundle: Bundle) -> None:
    assert ("src/py/read.py:12", [], ["src/py/read.pyi:1"]) == the_one(bundle, "once")


def test_what_is_wholly_so_called_comes_before_what_ends_so(bundle: Bundle) -> None:
    assert ["src/py/read.py:17"] == [place(bundle, group.symbol) for group in of(bundle, "once").passed_over]
    assert "src/py/read.py:17" == the_one(bundle, "Reader.once")[0]


def test_methods_of_two_classes_are_not_chosen_from(bundle: Bundle) -> None:
    assert ["src/py/read.py:19", "src/py/read.py:23"] == places(bundle, "close")


def test_code_proper_comes_before_tests_examples_and_older_versions(bundle: Bundle) -> None:
    assert "src/py/other.py:1" == the_one(bundle, "twice")[0]
    passed_over = [place(bundle, group.symbol) for group in of(bundle, "twice").passed_over]
    assert ["src/py/v1/other.py:1", "tests/test_twice.py:1"] == passed_over
    assert "src/java/Pot.java:3" == the_one(bundle, "Pot")[0]
    assert "tests/test_twice.py:5" == the_one(bundle, "only_here")[0]


def test_a_file_that_was_named_decides_first(bundle: Bundle) -> None:
    assert "tests/test_twice.py:1" == the_one(bundle, "twice", file="tests/test_twice.py")[0]
    assert "src/c/two.c:1" == the_one(bundle, "both", file="src/c/two.c")[0]
    assert [] == list(of(bundle, "both", file="./src/c/two.c").passed_over)


def test_a_file_may_be_named_by_its_place_in_a_checkout(bundle: Bundle) -> None:
    assert "src/c/two.c:1" == the_one(bundle, "both", file="/home/me/yard/src/c/two.c")[0]


def test_a_file_that_declares_nothing_of_the_name_stands_for_its_language(bundle: Bundle) -> None:
    assert ["src/py/other.py:5", "src/ts/page.ts:1"] == sorted(places(bundle, "Page"))
    for file in ("src/ts/load.ts", "nowhere/at/all.ts"):
        assert "src/ts/page.ts:1" == the_one(bundle, "Page", file=file)[0]
    assert 2 == len(places(bundle, "Page", file="README"))


def test_parts_of_a_type_are_one_and_the_one_in_the_file_of_its_name_is_first(bundle: Bundle) -> None:
    assert ("src/cs/Crate.cs:1", ["src/cs/Crate.Async.cs:1"], []) == the_one(bundle, "Crate")
    assert ("src/cs/Crate.Async.cs:1", ["src/cs/Crate.cs:1"], []) == the_one(bundle, "Fill")


def test_twins_of_one_package_in_one_folder_are_one_thing_and_in_another_folder_another(bundle: Bundle) -> None:
    assert ["src/go/jar_linux.go:3", "src/go/tin/seal.go:3"] == places(bundle, "Seal")


def test_nothing_is_meant_by_no_symbols(bundle: Bundle) -> None:
    assert Disambiguation((), ()) == disambiguate(bundle, (), "nothing")


def test_one_symbol_is_one_thing(bundle: Bundle) -> None:
    (ordinal,) = look_up(bundle, "Writer", TYPES).ordinals
    assert [SymbolGroup(ordinal)] == group_symbols(bundle, [ordinal])


@pytest.mark.parametrize("code", ["class Same:\n    def run{n}(self): ...\n", "class C{n}:\n    def same(self): ...\n"])
def test_a_look_up_takes_as_many_steps_as_there_are_symbols_of_that_name(code: str, tmp_path: Path) -> None:
    steps: Counter[tuple[str, int]] = Counter()
    verbs = ("define", "function", "references", "callers", "implementations")
    for count in (10, 20, 80):
        with opened(tmp_path / str(count), {f"a{n}.py": code.format(n=n) for n in range(count)}) as bundle:
            for verb in verbs:
                steps[verb, count] = calls_of(partial(getattr(LookUps(bundle), verb), "Same" if "Same" in code else "same"))
    for verb in verbs:
        assert steps[verb, 80] - steps[verb, 20] < 8 * (steps[verb, 20] - steps[verb, 10]) + 100, verb


def calls_of(function: Callable[[], object]) -> int:
    """Functions of Python that it calls, all told."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(None)
    return calls
