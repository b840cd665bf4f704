"""Frozen classes are to their users what frozen dataclasses with slots would be."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass

import pytest

from hardtack.frozen import Frozen, frozen


@frozen
class Jar(Frozen):
    """A jar."""

    label: str
    size: int = 1
    lids: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.label} {self.size}"


@frozen
class Checked(Frozen):
    size: int

    def _check(self) -> None:
        if self.size < 0:
            raise ValueError("less than nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    label: str
    size: int = 1
    lids: tuple[str, ...] = ()


def test_fields_are_what_was_given_or_their_defaults() -> None:
    jar = Jar(label="plum")
    assert ("plum", 1, (), "plum 1", "A jar.") == (jar.label, jar.size, jar.lids, jar.title, Jar.__doc__)
    assert repr(Oracle(label="plum")).replace("Oracle", "Jar") == repr(jar)
    assert not hasattr(jar, "__dict__")


@pytest.mark.parametrize("values", [{}, {"size": 1}, {"label": "plum", "color": "red"}])
def test_what_is_lacking_or_unknown_is_refused(values: dict[str, object]) -> None:
    for kind in (Jar, Oracle):
        with pytest.raises(TypeError):
            kind(**values)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Jar("plum")  # type: ignore[misc]


def test_equal_values_of_one_class_are_equal_and_hash_alike() -> None:
    one, same, other = Jar(label="plum"), Jar(label="plum", size=1), Jar(label="plum", size=2)
    assert one == same != other
    assert len({one, same, other}) == 2
    assert one != Oracle(label="plum")


@pytest.mark.parametrize("name", ["label", "size", "unknown"])
def test_nothing_can_be_changed_or_taken_away(name: str) -> None:
    jar = Jar(label="plum")
    with pytest.raises(AttributeError):
        setattr(jar, name, "pear")
    with pytest.raises(AttributeError):
        delattr(jar, name)
    assert Jar(label="plum") == jar


def test_others_are_made_of_one() -> None:
    jar = Jar(label="plum", lids=("tin",))
    assert Jar(label="plum", size=3, lids=("tin",)) == jar._replace(size=3)
    with pytest.raises(TypeError):
        jar._replace(color="red")
    assert (jar, jar, jar) == (copy.copy(jar), copy.deepcopy(jar), pickle.loads(pickle.dumps(jar)))


def test_values_that_cannot_be_meant_are_refused_however_they_come() -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        Checked(size=-1)
    with pytest.raises(ValueError, match="less than nothing"):
        Checked(size=1)._replace(size=-1)
