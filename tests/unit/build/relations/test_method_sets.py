"""Go's types and the interfaces that they implement without saying so; and what other languages declare outright."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardtack.nouns.relations import RelationKind

Write = Callable[..., Any]


def implements(write: Write, text: str) -> list[str]:
    return [each.removesuffix(" exact") for each in write({"a.go": f"package jar\n{text}"}).ties(RelationKind.IMPLEMENTS)]


def test_a_type_implements_an_interface_whose_methods_it_has(write: Write) -> None:
    text = "type Opener interface{ Open(force int) error }\ntype Jar struct{}\nfunc (j *Jar) Open(n int) error { return nil }\n"
    assert implements(write, text) == ["Jar -> Opener"]


def test_a_method_of_other_parameters_or_results_does_not_implement(write: Write) -> None:
    text = "type Opener interface{ Open(force int) error }\ntype Jar struct{}\nfunc (j Jar) Open(n string) error { return nil }\n"
    assert implements(write, text) == []


def test_methods_of_what_is_embedded_count(write: Write) -> None:
    text = (
        "type Both interface { Lifter; Open() }\ntype Lifter interface{ Lift() }\ntype Lid struct{}\nfunc (l Lid) Lift() {}\n"
        "type Jar struct{ Lid }\nfunc (j Jar) Open() {}\n"
    )
    assert sorted(implements(write, text)) == ["Both -> Lifter", "Jar -> Both", "Jar -> Lifter", "Lid -> Lifter"]


def test_interfaces_of_the_standard_library_count(write: Write) -> None:
    text = (
        'type Jar struct{}\nfunc (j Jar) Error() string { return "" }\nfunc (j Jar) Read(p []byte) (int, error) { return 0, nil }\n'
    )
    assert implements(write, text) == ["Jar -> [error]", "Jar -> [io.Reader]"]


def test_a_method_that_is_not_exported_counts_in_its_own_package_alone(write: Write) -> None:
    files = {
        "jar/a.go": "package jar\ntype opener interface{ open() }\ntype Jar struct{}\nfunc (j Jar) open() {}\n",
        "pot/a.go": "package pot\ntype Pot struct{}\nfunc (p Pot) open() {}\n",
    }
    assert write(files).ties(RelationKind.IMPLEMENTS) == ["Jar -> opener exact"]


def test_types_that_embed_each_other_come_to_an_end(write: Write) -> None:
    text = "type A struct{ *B }\ntype B struct{ *A }\ntype I interface{ J }\ntype J interface{ I; Open() }\nfunc (b *B) Open() {}\n"
    assert "B -> J" in implements(write, text)


def test_declared_supertypes_are_ties_and_those_from_outside_keep_their_name(write: Write) -> None:
    files = {
        "Jar.java": "package shop;\nimport java.io.Closeable;\nclass Jar extends Pot implements Opener, Closeable {}\n",
        "Pot.java": "package shop;\nclass Pot {}\ninterface Opener {}\n",
    }
    repository = write(files)
    assert repository.ties(RelationKind.INHERITS) == ["Jar -> Pot exact"]
    assert [each.rpartition(" ")[0] for each in repository.ties(RelationKind.IMPLEMENTS)] == ["Jar -> [Closeable]", "Jar -> Opener"]
