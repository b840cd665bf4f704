"""Imports: the file and symbol each leads to, and that what comes from outside is not taken for a namesake inside."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from source_files import source_file

from hardtack.build.relations.exports import Exports
from hardtack.build.relations.modules import Modules
from hardtack.build.relations.names import SymbolNames
from hardtack.build.relations.packages import Packages
from hardtack.build.workers.analyse import analyse
from hardtack.nouns.projects import Project
from hardtack.nouns.relations import Import, RelationKind

Write = Callable[..., Any]
GO = Project(path="go.mod", directory="", ecosystem="go", name="x.org/shop", prefixes=(("x.org/shop", ""),))


def test_a_name_that_is_imported_means_what_it_was_imported_from(write: Write) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/jar.py": "def open(): pass\n",
        "shop/lid.py": "def open(): pass\n",
        "shop/use.py": "from shop.jar import open\nfrom .lid import open as lift\n<<open>>()\n<<lift>>()\n",
    }
    assert write(files).meanings() == ["shop/jar.py open exact", "shop/lid.py open exact"]


def test_a_module_is_gone_through_by_its_alias_or_by_its_whole_name(write: Write) -> None:
    files = {
        "shop/__init__.py": "def close(): pass\n",
        "shop/jar.py": "def open(): pass\n",
        "a.py": "import shop.jar\nimport shop.jar as j\nshop.jar.<<open>>()\nj.<<open>>()\nshop.<<close>>()\n",
    }
    assert write(files).meanings() == ["shop/jar.py open exact", "shop/jar.py open exact", "shop/__init__.py close exact"]


def test_what_comes_from_outside_is_not_taken_for_a_namesake_inside(write: Write) -> None:
    files = {
        "jar.py": "class Jar:\n    def get(self): pass\ndef get(): pass\n",
        "use.py": "import requests\nfrom requests import get\nfrom requests import Jar\nrequests.<<get>>()\n<<get>>()\n"
        "def f(jar: Jar):\n    jar.<<get>>()\n    requests.Session().<<get>>()\n",
    }
    assert write(files).meanings() == ["nothing"] * 4


def test_names_are_followed_through_the_files_that_hand_them_on(write: Write) -> None:
    files = {
        "src/core.ts": "export function open() {}\nexport function close() {}\nexport function lift() {}\n",
        "src/middle.ts": "export { open as unlock } from './core'\nexport * from './core'\n",
        "src/index.ts": "export * from './middle'\n",
        "src/use.ts": "import { unlock, close as shut } from './index'\n<<unlock>>()\n<<shut>>()\n",
    }
    assert write(files).meanings() == ["src/core.ts open exact", "src/core.ts close exact"]


def test_a_default_export_is_what_the_module_names_as_it(write: Write) -> None:
    files = {
        "jar.js": "const Jar = () => 1\nexport default Jar\n",
        "lid.js": "export default function Lid() {}\n",
        "use.js": "import Pot from './jar'\nimport Rim from './lid'\n<<Pot>>()\n<<Rim>>()\n",
    }
    assert write(files).meanings() == ["jar.js Jar exact", "lid.js Lid exact"]


def test_exporting_by_another_name_is_no_import(write: Write) -> None:
    repository = write({"jar.js": "const Jar = () => 1\nexport default Jar\nexport { Jar as Pot }\n"})
    assert repository.ties(RelationKind.IMPORTS) == []


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ("export { a } from './b'\n", "export { a } from './a'\nimport { a as c } from './a'\n<<c>>()\n", "nothing"),
        ("export { x as y }\nexport { y as x }\n", "import { x } from './a'\n<<x>>()\n", "a.ts x exact"),
        ("export * from './b'\n", "export * from './a'\nimport { a } from './a'\n<<a>>()\n", "nothing"),
    ],
)
def test_modules_that_hand_on_each_other_come_to_an_end(write: Write, one: str, other: str, wanted: str) -> None:
    assert write({"a.ts": one, "b.ts": other, "c.ts": "class K { a() {} x() {} }\n"}).meanings() == [wanted]


def test_what_is_imported_whole_gives_its_names(write: Write) -> None:
    files = {
        "jar.py": "def open(): pass\n",
        "use.py": "from jar import *\n<<open>>()\n",
        "shop/Jar.java": "package shop;\npublic class Jar { public static void open() {} }\n",
        "shop/use/Use.java": "package shop.use;\nimport shop.*;\nimport static shop.Jar.*;\n"
        "class Use { void f() { <<Jar>>.<<open>>(); <<open>>(); } }\n",
    }
    assert write(files).meanings() == [
        "shop/Jar.java Jar exact",
        "shop/Jar.java Jar.open exact",
        "shop/Jar.java Jar.open exact",
        "jar.py open exact",
    ]


def test_a_declaration_of_the_file_goes_before_what_it_imports_whole(write: Write) -> None:
    files = {"jar.py": "def open(): pass\n", "use.py": "from jar import *\ndef open(): pass\n<<open>>()\n"}
    assert write(files).meanings() == ["use.py open exact"]


def test_a_package_is_called_what_its_files_declare_not_what_its_path_ends_in(write: Write) -> None:
    files = {
        "lid/v2/lid.go": "package lid\nfunc Open() {}\n",
        "main.go": 'package main\nimport "x.org/shop/lid/v2"\nimport "y.org/pot/v3"\nfunc f() { lid.<<Open>>(); pot.<<Open>>() }\n',
    }
    assert write(files, GO).meanings() == ["lid/v2/lid.go Open exact", "nothing"]


def test_a_use_declaration_of_php_names_one_class_of_a_namespace(write: Write) -> None:
    files = {
        "Jar.php": "<?php\nnamespace Shop;\nclass Jar { public static function make() {} }\n",
        "Other.php": "<?php\nnamespace Other;\nclass Jar { public static function make() {} }\n",
        "use.php": "<?php\nnamespace App;\nuse Shop\\Jar as Pot;\n<<Pot>>::<<make>>();\n\\Other\\<<Jar>>::<<make>>();\n",
    }
    assert write(files).meanings() == [
        "Jar.php Jar exact",
        "Jar.php Jar.make exact",
        "Other.php Jar exact",
        "Other.php Jar.make exact",
    ]


def test_imports_tie_files_to_files_and_symbols_or_to_the_world_outside(write: Write) -> None:
    files = {"jar.py": "def open(): pass\n", "use.py": "import os\nimport jar\nfrom jar import open\n"}
    assert write(files).ties(RelationKind.IMPORTS) == ["use.py -> [os] exact", "use.py -> jar.py exact", "use.py -> open exact"]


def test_a_module_found_by_the_end_of_its_path_is_likely(write: Write) -> None:
    files = {"deep/down/shop/jar.py": "def open(): pass\n", "use.py": "import shop.jar\n"}
    assert write(files).ties(RelationKind.IMPORTS) == ["use.py -> deep/down/shop/jar.py likely"]


def test_files_of_one_folder_may_mean_different_modules_by_one_name(write: Write) -> None:
    """Whoever asked first decided for the whole folder, until 2026-11: the parent of a ``mod.rs`` is not that of its neighbours."""
    files = {
        "src/lib.rs": "mod m;\npub fn one() {}\n",
        "src/m/mod.rs": "mod x;\nuse super::one;\npub fn two() { <<one>>() }\n",
        "src/m/x.rs": "use super::two;\npub fn three() { <<two>>() }\n",
    }
    assert write(files).meanings() == ["src/lib.rs one exact", "src/m/mod.rs two exact"]


STATEMENTS = st.one_of(
    st.integers(0, 5).map("from m{} import *\n".format),
    st.tuples(st.integers(0, 5), st.sampled_from("abc"), st.sampled_from("abc")).map(
        lambda each: "from m{} import {} as {}\n".format(*each)
    ),
    st.sampled_from("abc").map("def {}(): pass\n".format),
)


@given(st.lists(st.lists(STATEMENTS, max_size=4), min_size=6, max_size=6), st.sampled_from([2, 100]))
def test_the_way_that_is_found_once_leads_where_following_each_name_leads(modules: list[list[str]], most: int) -> None:
    names = SymbolNames()
    for number, statements in enumerate(modules):
        indexed = analyse(source_file(f"m{number}.py", "".join(statements).encode()), None)
        imported = [Import(*row) for row in indexed.imported]
        names.add(f"m{number}.py", "python", indexed.package, indexed.symbols, indexed.details, imported)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hardtack.build.relations.exports.MAX_MODULES", most)
        exports = Exports(names, Modules(names, ()), Packages(names))
        for number, name in product(range(6), ["a", "b", "c", "d", "default"]):
            assert exports._followed((number,), name) == exports.exported((number,), name)


def test_a_module_of_rust_lies_where_its_path_attribute_says(write: Write) -> None:
    files = {
        "src/lib.rs": '#[cfg(unix)]\n#[path = "sys/unix.rs"]\n#[allow(unused)]\npub mod sys;\nfn f() { sys::<<boot>>(); }\n',
        "src/api.rs": '#[path = "../deep/well.rs"]\nmod deep;\nuse crate::sys::boot;\nfn g() { <<boot>>(); deep::<<dig>>(); }\n',
        "src/sys/unix.rs": "pub fn boot() {}\n",
        "deep/well.rs": "pub fn dig() { crate::sys::<<boot>>(); }\n",
    }
    crate = Project(path="Cargo.toml", directory="", ecosystem="cargo", name="x", prefixes=(("x", "src/"),))
    boot = "src/sys/unix.rs boot exact"
    assert [boot, boot, "deep/well.rs dig exact", boot] == write(files, crate).meanings()


def test_self_before_two_colons_is_the_module_and_before_a_dot_the_value(write: Write) -> None:
    files = {
        "src/lib.rs": "mod jar;\nfn pour() {}\nfn f() { self::<<pour>>(); self::jar::<<open>>(); }\n",
        "src/jar.rs": "pub fn open() {}\nstruct Jar;\nimpl Jar {\n"
        "  fn shut(&self) { self::<<open>>(); self.<<fill>>(); }\n  fn fill(&self) {}\n}\n",
    }
    told = ["src/jar.rs open exact", "src/jar.rs Jar.fill exact", "src/lib.rs pour exact", "src/jar.rs open exact"]
    assert told == write(files).meanings()
