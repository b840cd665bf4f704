"""The exports of packages, namespaces and modules, in languages that declare them in different ways."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bundles import opened

from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.nouns.model import Kind
from hardtack.query.lookup.exports import exports, similar_packages
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.results import ResultPage

FILES = {
    "go/jar.go": "package jar\n\ntype Jar struct{}\n\nfunc (j Jar) Open() {}\n\nfunc New() Jar {}\n\nfunc hidden() {}\n",
    "go/jar_test.go": "package jar\n\nfunc TestJar() {}\n",
    "go/only_test.go": "package alltests\n\nfunc TestAll() {}\n",
    "cs/two.cs": "namespace Yard { public class Crate { } internal class Own { } }\nnamespace Yard.Lids { public class Lid { } }\n",
    "cpp/box.hpp": "namespace yard { namespace detail {\nstruct In {};\n}\nclass Box {};\nvoid open(Box);\nvoid open(int);\n}\n",
    "c/lid.c": '#include "lid.h"\n\nstatic int mine(void)\n{\n    return 1;\n}\n\nint lid(void)\n{\n    return mine();\n}\n',
    "c/lid.h": "int lid(void);\n",
    "rb/yard.rb": "module Yard\n  class Gate\n    def swing; end\n  end\n\n  def self.open; end\nend\n",
    "py/yard/__init__.py": "from .gate import Gate, _latch\n\nVERSION = 1\n",
    "py/yard/gate.py": "class Gate:\n    def swing(self): ...\n\n\ndef swing(): ...\n\n\ndef _latch(): ...\n",
    "py/shed/rake.py": "class Rake: ...\n",
    "py/shed/old/spade.py": "def dig(): ...\n",
    "ts/some.ts": "export function offered() {}\nfunction kept() {}\n",
    "ts/none.js": "function all() {}\nfunction of() {}\nmodule.exports = { all, of };\n",
    "java/Jar.java": "package org.yard;\n\npublic class Jar {}\n\nclass Own {}\n",
    "rs/lib.rs": "pub fn out() {}\n\npub(crate) fn within() {}\n\nfn mine() {}\n",
    "README.md": "# Yard\n\n```go\npackage jar\n\nfunc Example() {}\n```\n",
}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    with opened(tmp_path_factory.mktemp("exports"), FILES) as bundle:
        yield bundle


def names(bundle: Bundle, package: str, *kinds: Kind) -> list[str]:
    return [bundle.symbol_name(each).name for each in exports(bundle, package, frozenset(kinds) or None)]


def test_a_package_offers_its_types_and_functions_and_no_methods_tests_or_examples(bundle: Bundle) -> None:
    assert ["Jar", "New"] == names(bundle, "jar")


def test_methods_are_listed_when_they_are_asked_for(bundle: Bundle) -> None:
    assert ["Open"] == names(bundle, "jar", Kind.METHOD)


def test_a_package_that_offers_nothing_itself_stands_for_all_that_are_in_it(bundle: Bundle) -> None:
    assert ["dig", "Rake"] == names(bundle, "shed") == names(bundle, "py/shed")
    assert ["Rake"] == names(bundle, "shed", Kind.CLASS)
    assert ["dig"] == names(bundle, "shed.old")


def test_a_package_with_none_of_a_kind_is_not_taken_for_those_in_it(bundle: Bundle) -> None:
    assert [] == names(bundle, "py.yard", Kind.FUNCTION)


def test_a_package_that_is_all_tests_offers_those(bundle: Bundle) -> None:
    assert ["TestAll"] == names(bundle, "alltests")


@pytest.mark.parametrize(
    ("package", "expected"),
    [
        ("Yard.Lids", ["Lid"]),
        ("Lids", ["Lid"]),
        ("yard::detail", ["In"]),
        ("yard.gate", ["Gate", "swing"]),
        ("py/yard/gate", ["Gate", "swing"]),
        ("org.yard", ["Jar"]),
        ("some", ["offered"]),
        ("none", ["all", "of"]),
        ("rs.lib", ["out"]),
        ("lid", ["lid", "lid"]),
    ],
)
def test_what_is_hidden_from_others_is_not_offered(bundle: Bundle, package: str, expected: list[str]) -> None:
    assert expected == names(bundle, package)


def test_a_module_offers_its_own_functions(bundle: Bundle) -> None:
    assert {"Gate", "open"} <= set(names(bundle, "Yard"))


def test_a_python_package_offers_what_its_own_file_takes_from_its_modules(bundle: Bundle) -> None:
    assert ["VERSION", "Gate"] == names(bundle, "py.yard")
    assert ["Gate"] == names(bundle, "py.yard", Kind.CLASS)


def test_each_thing_is_listed_once_and_by_kind_and_name(bundle: Bundle) -> None:
    look_ups = LookUps(bundle)
    assert [("class", "Box"), ("function", "open")] == [
        (each.kind, each.name) for each in look_ups.exports("yard").results if each.language == "cpp"
    ]
    (lid,) = look_ups.exports("lid").results
    assert lid.location is not None
    assert "c/lid.c" == lid.location.file_path


def test_a_page_is_some_of_all_and_knows_how_many_there_are(bundle: Bundle) -> None:
    look_ups = LookUps(bundle)
    found = look_ups.exports("jar", page=ResultPage(1, 5))
    assert (["New"], 2) == ([each.name for each in found.results], found.total)
    with pytest.raises(UsageError) as refused:
        look_ups.exports("jar", page=ResultPage(0, 0))
    assert "LIMIT_INVALID" == refused.value.code


def test_a_package_that_is_not_there_has_neighbours(bundle: Bundle) -> None:
    assert "jar" == similar_packages(bundle, "jra")[0]
    assert ("py.yard", "py.yard.gate") == tuple(each for each in similar_packages(bundle, "yard") if each.startswith("py."))
    assert ((), ()) == (exports(bundle, ""), similar_packages(bundle, "§"))
