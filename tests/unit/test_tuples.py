"""Our named tuples are typing's: whatever one does, the other does."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing
from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from hardtack import tuples


def _place(base: Any, called: str) -> Any:
    """The same class, made by one or by the other."""

    class Place(base):
        """A place."""

        path: str
        line: int
        """From 1."""
        tags: tuple[str, ...] = ()
        length: int = 0

        @property
        def end(self) -> int:
            """Its last line."""
            return self.line + self.length

    Place.__name__ = Place.__qualname__ = called  # where pickle looks for it
    return Place


Ours = _place(tuples.NamedTuple, "Ours")
Typings = _place(typing.NamedTuple, "Typings")


class Further(Ours):
    """One that goes on from another."""

    __slots__ = ()


class Empty(tuples.NamedTuple):
    """Nothing."""


class Single(tuples.NamedTuple):
    """One field."""

    only: str


DOES: dict[str, Callable[[Any], Any]] = {
    "is made by place": lambda kind: tuple(kind("a", 1, ("x",), 2)),
    "is made by name": lambda kind: tuple(kind(line=1, path="a", length=4)),
    "is made with defaults": lambda kind: tuple(kind("a", 1)),
    "is made of what is iterated": lambda kind: tuple(kind._make(iter(("a", 1, (), 2)))),
    "has its fields": lambda kind: (kind("a", 1).path, kind("a", 1).line, kind("a", 1).tags, kind("a", 1, length=2).end),
    "says what its fields are": lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__),
    "is replaced": lambda kind: tuple(kind("a", 1)._replace(line=2)),
    "is told as a dictionary": lambda kind: kind("a", 1)._asdict(),
    "is put into words": lambda kind: repr(kind("a", 1)).replace(kind.__name__, ""),
    "is a tuple": lambda kind: (kind("a", 1) == ("a", 1, (), 0), hash(kind("a", 1)) == hash(("a", 1, (), 0)), kind.__mro__[-2:]),
    "is packed as one": lambda kind: msgpack.packb(kind("a", 1)),
    "is copied": lambda kind: (copy.copy(kind("a", 1)) == kind("a", 1), copy.deepcopy(kind("a", 1)) == kind("a", 1)),
    "is pickled": lambda kind: (
        type(pickle.loads(pickle.dumps(kind("a", 1)))) is kind,
        pickle.loads(pickle.dumps(kind("a", 1)))[1],
    ),
    "has no room for more": lambda kind: hasattr(kind("a", 1), "__dict__"),
    "knows its types": lambda kind: typing.get_type_hints(kind),
    "shows how it is made": lambda kind: [*inspect.signature(kind.__new__).parameters][1:],
    "is of no kind of class": lambda kind: type(kind),
}


@pytest.mark.parametrize("does", DOES)
def test_ours_does_what_typings_does(does: str) -> None:
    assert DOES[does](Ours) == DOES[does](Typings)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda kind: kind("a"),
        lambda kind: kind("a", 1, (), 2, 3),
        lambda kind: kind("a", 1, size=2),
        lambda kind: kind("a", 1)._replace(size=2),
        lambda kind: kind._make(("a",)),
        lambda kind: setattr(kind("a", 1), "line", 2),
        lambda kind: setattr(kind("a", 1), "size", 2),
    ],
    ids=["too little", "too much", "an unknown field", "replaced by an unknown field", "made of too little", "changed", "added to"],
)
def test_ours_refuses_what_typings_refuses(wrong: Callable[[Any], Any]) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)) as theirs:
        wrong(Typings)
    with pytest.raises(theirs.type):
        wrong(Ours)


def test_a_default_comes_last() -> None:
    with pytest.raises(TypeError, match="Wrong has a field without a default after one that has one"):
        type(tuples.NamedTuple)("Wrong", (tuples.NamedTuple,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})


def test_more_fields_than_can_be_read_are_refused() -> None:
    many = {f"field_{number}": "int" for number in range(100)}
    with pytest.raises(TypeError, match="Wide has more than"):
        type(tuples.NamedTuple)("Wide", (tuples.NamedTuple,), {"__annotations__": many})


def test_a_class_may_go_on_from_one() -> None:
    class First(tuples.NamedTuple):
        one: int

    class Second(First):
        __slots__ = ()

    assert (Second(1).one, type(Second(1)), type(First(2)), First(2).one) == (1, Second, First, 2)
    assert type(Further("a", 1)._replace(line=2)) is Further


def test_none_and_one_are_fields_enough() -> None:
    assert (Empty(), Single("a"), Single("a").only) == ((), ("a",), "a")
