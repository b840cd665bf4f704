"""What a place of a file sees: the imports of the function or namespace around it, and the symbols of its own namespaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardtack.nouns.relations import RelationKind

Write = Callable[..., Any]


def test_a_function_sees_what_it_imports_itself(write: Write) -> None:
    files = {
        "a.py": "def shut(): pass\n",
        "b.py": "def shut(): pass\n",
        "c.py": "from a import shut\ndef f():\n    <<shut>>()\ndef g():\n    from b import shut\n    <<shut>>()\n<<shut>>()\n",
        "d.py": "def f():\n    import a as it\n    it.<<shut>>()\ndef g():\n    import b as it\n    it.<<shut>>()\n",
    }
    assert write(files).meanings() == [f"{name}.py shut exact" for name in "abaab"]


def test_what_one_function_imports_is_no_more_than_possible_in_another(write: Write) -> None:
    files = {"a.py": "def shut(): pass\n", "b.py": "def f():\n    from a import shut\ndef g():\n    <<shut>>()\n"}
    assert write(files).meanings() == ["a.py shut possible"]


def test_a_module_inside_a_file_has_imports_of_its_own(write: Write) -> None:
    text = (
        "mod jar { pub struct Lid; }\nmod pot { pub struct Lid; }\nuse jar::Lid;\nfn f(it: <<Lid>>) {}\n"
        "mod tests { use super::pot::Lid; fn f(it: <<Lid>>) {} }\nmod more { use super::*; fn f(it: <<Lid>>) {} }\n"
    )
    assert write({"src/lib.rs": text}).lines_meant() == ["1 exact", "2 exact", "1 exact"]


def test_what_a_module_inside_a_file_imports_is_no_export_of_the_file(write: Write) -> None:
    files = {
        "src/lib.rs": "pub mod jar;\npub mod pot;\npub mod face;\n",
        "src/jar.rs": "pub fn shut() {}\n",
        "src/pot.rs": "pub fn shut() {}\n",
        "src/face.rs": "mod tests {\n    use crate::jar::shut;\n}\npub use crate::pot::shut;\n",
        "src/use.rs": "use crate::face::shut;\nfn f() { <<shut>>(); }\n",
    }
    assert write(files).meanings() == ["src/pot.rs shut exact"]


def test_a_wildcard_import_counts_in_its_own_module_alone(write: Write) -> None:
    text = (
        "defmodule Jar do\n  def shut(it), do: it\nend\ndefmodule Pot do\n  import Jar\n  def f(it), do: <<shut>>(it)\nend\n"
        "defmodule Pan do\n  def f(it), do: <<shut>>(it)\nend\n"
    )
    assert write({"lib/a.ex": text}).lines_meant() == ["2 exact", "2 possible"]


@pytest.mark.parametrize(("path", "inside"), [("self::", "nothing"), ("crate::", "2 possible"), ("", "2 possible")])
def test_a_path_to_a_file_does_not_lead_into_the_modules_inside_it(write: Write, path: str, inside: str) -> None:
    inner = "mod inner { pub fn shut() {} pub fn lift() {} }\n"
    text = f"pub fn shut() {{}}\n{inner}fn f() {{ {path}<<shut>>(); {path}<<lift>>(); }}\n"
    assert write({"src/lib.rs": text}).lines_meant() == ["1 exact", inside]


def test_a_name_is_not_that_of_a_namespace_elsewhere_in_the_file(write: Write) -> None:
    text = (
        "namespace Jar { export function shut() {} }\nfunction shut() {}\n<<shut>>();\n"
        "namespace Pot { <<shut>>(); Jar.<<shut>>(); }\n"
    )
    assert write({"a.ts": text}).lines_meant() == ["2 exact", "2 exact", "1 exact"]
    files = {
        "a.cpp": '#include "b.h"\nnamespace a { namespace jar {} }\nvoid f() { <<jar>>::shut(); }\n',
        "b.h": "namespace jar { void shut(); }\n",
    }
    assert write(files).meanings() == ["b.h jar exact"]
    text = "namespace jar { void shut(); }\nvoid shut();\nvoid f() { <<shut>>(); jar::<<shut>>(); }\n"
    assert write({"a.cpp": text}).lines_meant() == ["2 exact", "1 exact"]


def test_types_of_one_name_in_several_packages_of_a_file_are_several(write: Write) -> None:
    text = (
        "namespace A { class Jar { void Shut() {} }\n class Lid {} }\n"
        "namespace B { class Jar { void Shut() {} }\n class Pot { void F(<<Jar>> jar, <<Lid>> lid) { jar.<<Shut>>(); } } }\n"
        "namespace C { using A; class Pan { void F(<<Jar>> jar, <<Lid>> lid) { jar.<<Shut>>(); } } }\n"
    )
    wanted = ["3 exact", "2 possible", "3 exact", "1 exact", "2 exact", "1 exact"]
    assert write({"a.cs": text}).lines_meant() == wanted
    text = (
        "<?php\nnamespace A { class Jar { function shut() {} }\nfunction lift() {} }\n"
        "namespace B { class Jar { function shut() {} }\nfunction f(<<Jar>> $jar) { $jar-><<shut>>(); <<lift>>(); } }\n"
    )
    assert write({"a.php": text}).lines_meant() == ["4 exact", "4 exact", "3 possible"]


def test_other_files_see_each_package_of_a_file(write: Write) -> None:
    files = {
        "a.cs": "namespace A { class Jar {} }\nnamespace B { namespace C { class Pot {} } }\nclass Pan {}\n",
        "b.cs": "using A;\nnamespace B.C { class Lid { void F(<<Jar>> jar, <<Pot>> pot, <<Pan>> pan) {} } }\n",
        "c.cs": "class Lid { void F(<<Pan>> pan, <<Pot>> pot) {} }\n",
    }
    found = write(files).meanings()
    assert found[:2] == ["a.cs Jar exact", "a.cs Pot exact"]
    assert found[-1] == "a.cs Pot possible"


def test_a_class_has_the_methods_of_the_modules_that_it_includes(write: Write) -> None:
    files = {
        "help.rb": "module Help\n  def shut; end\nend\n",
        "jar.rb": "class Jar\n  include Help\n  def f; <<shut>>; end\nend\nclass Lid < Jar\n  def f; <<shut>>; end\nend\n"
        "class Pot\n  def f; <<shut>>; end\nend\nJar.new.<<shut>>\n",
    }
    exact, possible = "help.rb Help.shut exact", "help.rb Help.shut possible"
    assert write(files).meanings() == [exact, exact, possible, exact]
    assert write(files).ties(RelationKind.USES) == ["Jar -> Help likely"]


def test_what_is_included_from_outside_is_nothing_of_its_name_inside(write: Write) -> None:
    files = {"a.cpp": '#include <locale>\n#include "b.h"\n', "b.h": "namespace jar { class locale {}; }\n"}
    assert write(files).ties(RelationKind.IMPORTS) == ["a.cpp -> [locale *] exact", "a.cpp -> b.h exact"]


def test_what_is_imported_from_outside_is_nothing_that_others_in_the_file_see(write: Write) -> None:
    text = (
        "mod jar { pub struct Lid; }\nuse jar::Lid;\nmod tests { use other::Lid; fn f(it: <<Lid>>) {} }\n"
        "mod more { use other::Pot; impl Pot { fn shut() {} } fn f(it: <<Pot>>) {} }\n"
    )
    assert write({"src/lib.rs": text}).meanings() == ["nothing", "nothing"]


@pytest.mark.parametrize("path", ["self::pot", "pot"])
def test_the_path_of_an_import_begins_in_the_module_around_it(write: Write, path: str) -> None:
    text = (
        f"mod jar {{\n    use {path}::*;\n    use {path}::Lid as Top;\n    mod pot {{ pub struct Lid; }}\n"
        "    fn f(it: <<Lid>>, top: <<Top>>) {}\n}\nmod pot { pub struct Lid; }\n"
    )
    assert write({"src/lib.rs": text}).lines_meant() == ["4 exact", "4 exact"]


def test_a_type_that_the_bundle_only_adds_to_is_no_more_than_possible(write: Write) -> None:
    text = "impl Lid for Vec { fn shut() {} }\nfn f(it: <<Vec>>) {}\nmod tests { use super::*; fn f(it: <<Vec>>) {} }\n"
    assert write({"src/lib.rs": text}).lines_meant() == ["1 possible", "1 possible"]
