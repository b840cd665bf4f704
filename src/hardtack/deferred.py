"""A class whose objects may leave some of their fields to be made when the first of them is read.

A search finds more than its reader looks at: a renderer shows what a budget holds, a program may want paths alone. What an object
is made with is there at once, the rest comes all at a time, once, and stays; to who reads it nothing tells the two apart.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from hardtack.frozen import Frozen
from hardtack.hints import TYPE_CHECKING, Any, Final


class Deferred(Frozen):
    """Base of a frozen class. Threads may share an object: what two make at once they make alike."""

    __slots__ = ("_rest",)

    if not TYPE_CHECKING:  # to a type checker all fields are there, and no others

        def __getattr__(self, name):
            """The field of that name, which is not there yet, or never will be."""
            try:
                rest = _REST.__get__(self)
            except AttributeError:
                return object.__getattribute__(self, name)  # another thread has just made it, or there is none
            rest(self)
            with contextlib.suppress(AttributeError):
                _REST.__delete__(self)
            return object.__getattribute__(self, name)


_REST: Final[Any] = Deferred.__dict__["_rest"]


def defer(deferred: Deferred, rest: Callable[[Any], None]) -> None:
    """Leave the fields that ``deferred`` lacks to ``rest``, which sets all of them on the object that it is given.

    Whatever ``rest`` raises is raised to who reads the first of them, and to the next who tries.
    """
    _REST.__set__(deferred, rest)
