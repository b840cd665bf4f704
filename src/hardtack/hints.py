"""The words of :mod:`typing` where a search loads them: to type checkers they are typing's, and to a running program nothing.

Loading typing takes a twenty-fifth of a cold search, which asks no annotation for anything. What does ask one takes typing itself.
"""

from __future__ import annotations

TYPE_CHECKING = False  # which type checkers know better

if TYPE_CHECKING:
    from typing import Any as Any
    from typing import Final as Final
    from typing import Generic as Generic
    from typing import Literal as Literal
    from typing import NoReturn as NoReturn
    from typing import Protocol as Protocol
    from typing import Self as Self
    from typing import TypedDict as TypedDict
    from typing import TypeVar as TypeVar
    from typing import Unpack as Unpack
    from typing import cast as cast
    from typing import dataclass_transform as dataclass_transform
    from typing import overload as overload
else:

    class _Word:
        """Stands for any of them: in brackets, beside others, and as a base that adds nothing to a class."""

        def __call__(self, *_, **__):
            return self

        def __getitem__(self, _):
            return self

        def __or__(self, _):
            return self

        __ror__ = __or__

        def __mro_entries__(self, _):
            return (_Plain,)

    class _Plain:
        __slots__ = ()

        def __class_getitem__(cls, _):
            return cls

    class TypedDict(dict):
        """A dictionary, whose subclasses say what may be in it."""

        def __init_subclass__(cls, *, total=True):
            """Take what is said of its keys."""

    Any = Final = Generic = Literal = NoReturn = Protocol = Self = TypeVar = Unpack = _Word()

    def cast(_, value):
        """The value."""
        return value

    def overload(function):
        """A signature, which what is defined last of that name takes the place of."""
        return function

    def dataclass_transform(**_):
        """What leaves a class as it is."""
        return lambda made: made
