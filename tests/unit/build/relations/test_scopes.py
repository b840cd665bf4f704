"""Bare names: which of several declarations a place sees, and which it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Write = Callable[..., Any]


def test_the_nearest_scope_that_declares_a_name_gives_its_meaning(write: Write) -> None:
    text = "def open(): pass\ndef outer():\n    def open(): pass\n    <<open>>()\n<<open>>()\n"
    assert write({"a.py": text}).meanings() == ["a.py outer.open exact", "a.py open exact"]


def test_a_parameter_or_variable_hides_what_is_declared_outside(write: Write) -> None:
    text = "def jar(): pass\ndef lid(jar):\n    <<jar>>()\ndef rim():\n    jar = 1\n    return <<jar>>\ndef pot(): <<jar>>()\n"
    assert write({"a.py": text}).meanings() == ["nothing", "nothing", "a.py jar exact"]


def test_a_closure_sees_the_variables_of_the_function_around_it(write: Write) -> None:
    text = "def jar(): pass\ndef lid(jar):\n    def rim():\n        return <<jar>>\n    return rim\n"
    assert write({"a.py": text}).meanings() == ["nothing"]


def test_a_bare_name_in_python_is_no_member_of_the_class_around_its_method(write: Write) -> None:
    text = "def open(): pass\nclass Jar:\n    def open(self): pass\n    def use(self):\n        <<open>>()\n"
    assert write({"a.py": text}).meanings() == ["a.py open exact"]


def test_the_body_of_a_python_class_sees_what_it_declares(write: Write) -> None:
    text = "class Jar:\n    size = 1\n    double = <<size>> * 2\n"
    assert write({"a.py": text}).meanings() == ["a.py Jar.size exact"]


def test_a_bare_name_in_java_may_be_a_member_inherited_or_of_the_class_around(write: Write) -> None:
    files = {
        "Jar.java": "package shop;\nclass Jar extends Pot {\n  void open() {}\n"
        "  class Lid { void lift() { <<open>>(); <<boil>>(); } }\n}\n",
        "Pot.java": "package shop;\nclass Pot { void boil() {} }\n",
    }
    assert write(files).meanings() == ["Jar.java Jar.open exact", "Pot.java Pot.boil exact"]


def test_keys_of_an_object_are_not_names_of_the_place_they_stand_in(write: Write) -> None:
    text = "function open() {}\nconst jar = (open2) => ({ open: () => <<open>>(), lid: 1 });\nuse({ open: <<open>> });\n"
    assert write({"a.js": text}).meanings() == ["a.js open exact", "a.js open exact"]


def test_fields_of_a_structure_inside_a_function_are_no_bare_names(write: Write) -> None:
    text = "package jar\ntype Lid string\nfunc open() {\n\tvar s struct {\n\t\tLid <<Lid>>\n\t}\n\t_ = s\n}\n"
    assert write({"a.go": text}).meanings() == ["a.go Lid exact"]


def test_a_name_is_seen_in_all_files_of_its_package_and_at_most_possible_in_another(write: Write) -> None:
    files = {
        "jar/a.go": "package jar\nfunc open() {}\n",
        "jar/b.go": "package jar\nfunc use() { <<open>>() }\n",
        "pot/a.go": "package pot\nfunc use() { <<open>>() }\n",
    }
    assert write(files).meanings() == ["jar/a.go open exact", "jar/a.go open possible"]


def test_what_a_package_declares_once_for_each_platform_is_one_thing(write: Write) -> None:
    files = {
        "a_linux.go": "package jar\nfunc open() {}\n",
        "a_windows.go": "package jar\nfunc open() {}\n",
        "b.go": "package jar\nfunc use() { <<open>>() }\n",
    }
    assert write(files).meanings() == ["a_linux.go open exact"]


def test_where_names_reach_everywhere_the_only_one_is_likely_and_one_of_two_is_several(write: Write) -> None:
    files = {"a.sh": "jar() { :; }\nlid() { :; }\n", "b.sh": "lid() { :; }\n", "c.sh": "<<jar>>\n<<lid>>\n"}
    assert write(files).meanings() == ["a.sh jar likely", "several"]


def test_a_name_that_no_symbol_has_means_nothing(write: Write) -> None:
    assert write({"a.py": "def jar(): pass\n<<print>>(<<len>>)\n"}).meanings() == ["nothing", "nothing"]


def test_languages_of_different_families_do_not_see_each_other(write: Write) -> None:
    assert write({"a.py": "def jar(): pass\n", "b.sh": "<<jar>>\n"}).meanings() == ["nothing"]


def test_a_namespace_of_csharp_sees_what_the_namespaces_around_it_declare(write: Write) -> None:
    files = {
        "Jar.cs": "namespace Shop { public partial class Jar : Pot { } public class Lid { } }\n",
        "More.cs": "namespace Shop { public partial class Jar { void F() { <<Boil>>(); } } }\n",
        "Pot.cs": "namespace Shop { public class Pot { protected void Boil() { } } }\n",
        "Use.cs": "namespace Shop.Tests { class Use { void F() { new <<Lid>>(); } } }\n",
    }
    assert write(files).meanings() == ["Pot.cs Pot.Boil exact", "Jar.cs Lid exact"]


def test_a_type_declared_in_parts_or_opened_again_is_one_thing(write: Write) -> None:
    files = {
        "a.cs": "namespace Shop { public partial class Pot { } }\n",
        "b.cs": "namespace Shop { public partial class Pot { } }\n",
        "c.cs": "namespace Shop { class Use { <<Pot>> pot; } }\n",
        "d.rb": "class Jar\nend\n",
        "e.rb": "class Jar\nend\n",
        "f.rb": "<<Jar>>.new\n",
        "g.php": "<?php\nclass Lid {}\n",
        "h.php": "<?php\nclass Lid {}\n",
        "i.php": "<?php\nnew <<Lid>>();\n",
    }
    assert write(files).meanings() == ["a.cs Pot exact", "d.rb Jar likely", "several"]


def test_what_an_impl_block_of_rust_has_is_no_bare_name(write: Write) -> None:
    text = "pub struct Error;\nstruct Jar;\nimpl TryFrom<u8> for Jar {\n    type Error = <<Error>>;\n"
    text += "    fn try_from(a: u8) -> Result<Jar, <<Error>>> { Err(<<Error>>) }\n}\n"
    assert ["a.rs Error exact"] * 3 == write({"a.rs": text}).meanings()


def test_a_wildcard_import_in_a_function_counts_there_first(write: Write) -> None:
    text = "pub enum Ripe { Soft, Dark }\npub enum Raw { Soft, Pale }\n"
    text += "fn f(a: Ripe) {\n    use self::Ripe::*;\n    match a { <<Soft>> => 1, Dark => 2 };\n}\n"
    text += "fn g(a: Raw) {\n    use self::Raw::*;\n    match a { <<Soft>> => 1, Pale => 2 };\n}\n"
    assert ["a.rs Ripe.Soft exact", "a.rs Raw.Soft exact"] == write({"a.rs": text}).meanings()
