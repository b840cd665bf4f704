"""What stands for typing in a search has all the words that type checkers are told of, and can stand wherever they do."""

from __future__ import annotations

import ast
import inspect

import pytest

from hardtack import hints


def test_a_running_program_has_every_word_that_a_type_checker_has() -> None:
    told = {
        alias.asname
        for node in ast.walk(ast.parse(inspect.getsource(hints)))
        if isinstance(node, ast.ImportFrom) and node.module == "typing"
        for alias in node.names
    }
    assert told
    assert set() == {name for name in told if name is None or not hasattr(hints, name)}


def test_words_stand_in_brackets_beside_others_and_as_bases() -> None:
    class Shape(hints.Protocol):
        sides: int

    class Box(hints.Generic[hints.TypeVar("T")]):  # type: ignore[misc, valid-type]
        pass

    class Options(hints.TypedDict, total=False):
        lid: str

    assert hints.Literal["a"] | None
    assert None | hints.Any  # type: ignore[operator]
    assert isinstance(Shape(), Shape)  # type: ignore[misc]
    assert isinstance(Box[int](), Box)  # type: ignore[misc]
    assert {"lid": "on"} == Options(lid="on")


def test_what_is_called_leaves_things_as_they_are() -> None:
    @hints.dataclass_transform(frozen_default=True)
    def kept(made: type) -> type:
        return made

    assert int is kept(int)
    assert 7 == hints.cast(str, 7)
    assert len is hints.overload(len)


@pytest.mark.parametrize("name", ["Any", "Final", "Self"])
def test_words_that_mean_nothing_can_be_called_and_subscripted(name: str) -> None:
    word = getattr(hints, name)
    assert word[int] is word is word()
