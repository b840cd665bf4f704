"""Named tuples, made while a search starts: what ``typing.NamedTuple`` would make of the same lines, in a fifth of the time.

That compiles each annotation, and writes a constructor as source text and compiles it, for each of the fifty such classes that a
search loads, which took a twentieth of a cold one. Here annotations stay as they are written, and a constructor is compiled once
for all classes of as many fields. A class that is generic as well takes typing's own.
"""

from __future__ import annotations

from hardtack.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple  # noqa: TID251 - whose rules type checkers know
else:
    from collections import namedtuple
    from functools import cache
    from types import FunctionType

    _MOST_FIELDS = 24

    _places = namedtuple("_places", [f"at_{number}" for number in range(_MOST_FIELDS)])
    _READERS = [vars(_places)[name] for name in _places._fields]
    """What reads each place of a tuple: the standard library's, which no property of ours is as fast as."""

    class _Named(tuple):
        """What all named tuples can do."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            """The tuple of these values, one for each field."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **values):
            """The same with other values of these fields."""
            made = self._make(map(values.pop, self._fields, self))
            if values:
                raise ValueError(f"Got unexpected field names: {list(values)!r}")
            return made

        def _asdict(self):
            """The values by the names of their fields."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            told = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({', '.join(told)})"

        def __getnewargs__(self):
            """What :mod:`pickle` and :mod:`copy` make the same of."""
            return tuple(self)

    @cache
    def _constructor_of(count):
        """What makes a tuple of so many places, whatever they are called."""
        places = "".join(f"at_{number}, " for number in range(count))
        known = {"_made": tuple.__new__, "__builtins__": {}, "__name__": __name__}
        return eval(f"lambda _class, {places}: _made(_class, ({places}))", known)  # noqa: S307 - as collections makes it

    def _constructor(fields, defaults):
        """The same by the names of fields: one that is called by position and by name at the speed of any function."""
        made = _constructor_of(len(fields))
        code = made.__code__.replace(co_varnames=("_class", *fields))
        return FunctionType(code, made.__globals__, "__new__", tuple(defaults.values()))

    class _Maker(type):
        """Makes a named tuple of a class statement, and gives no other sign of itself."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if len(fields) > _MOST_FIELDS:
                raise TypeError(f"{name} has more than {_MOST_FIELDS} fields")
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name} has a field without a default after one that has one")
            own = {
                "__slots__": (),
                "__new__": _constructor(fields, defaults),
                "_fields": fields,
                "_field_defaults": defaults,
                "__match_args__": fields,
            }
            return type(name, (_Named,), {**body, **dict(zip(fields, _READERS, strict=False)), **own})

    class NamedTuple(metaclass=_Maker):
        """Base of a class of fields, as typing's."""
