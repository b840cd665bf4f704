"""Lambdas with a receiver: bare names in them are its members first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]

LAMBDAS = {
    "with": "with(jar) { <<shut>>() }",
    "apply": "Jar().apply { <<shut>>() }",
    "run": "jar.run { <<shut>>() }",
    "nested": "jar.run { listOf(1).forEach { <<shut>>() } }",
}


@pytest.mark.parametrize("case", LAMBDAS)
def test_a_bare_name_is_a_member_of_the_receiver_before_one_of_the_class_around(write: Write, case: str) -> None:
    text = f"class Jar {{ fun shut() = 1 }}\nclass Pot(val jar: Jar) {{\n  fun shut() = 2\n  fun f() = {LAMBDAS[case]}\n}}\n"
    assert write({"a.kt": text}).meanings() == ["a.kt Jar.shut exact"]


def test_a_block_that_ruby_evaluates_in_an_object_has_that_object_as_self(write: Write) -> None:
    text = (
        "class Jar\n  def shut; end\nend\nclass Pot\n  def shut; end\n"
        "  def f\n    jar = Jar.new\n    jar.instance_eval { <<shut>>() }\n  end\nend\n"
    )
    assert write({"a.rb": text}).meanings() == ["a.rb Jar.shut exact"]


def test_what_a_known_receiver_lacks_means_what_it_means_outside(write: Write) -> None:
    text = "class Jar\nfun lift() {}\nclass Pot(val jar: Jar) {\n  fun f() = with(jar) { <<lift>>() }\n}\n"
    assert write({"a.kt": text}).meanings() == ["a.kt lift exact"]


def test_a_member_outside_is_no_more_than_possible_where_the_receiver_is_unknown(write: Write) -> None:
    text = "fun lift() {}\nclass Pot(val jar: Lid) {\n  fun shut() = 2\n  fun f() = with(jar) { <<shut>>(); <<lift>>() }\n}\n"
    assert write({"a.kt": text}).meanings() == ["a.kt Pot.shut possible", "a.kt lift likely"]
