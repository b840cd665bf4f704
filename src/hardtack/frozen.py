"""Classes of fixed fields that nothing changes, made while a search starts: the few that no named tuple can be.

They are what ``dataclass(frozen=True, slots=True, kw_only=True)`` would make of the same lines. That writes each class's methods as
source text and compiles it, and loads the modules that read source to do so, which took a twentieth of a cold search.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardtack.hints import TYPE_CHECKING, Any, Final, Self, dataclass_transform

if TYPE_CHECKING:
    from typing import TypeVar

    _Class = TypeVar("_Class", bound="type[Frozen]")  # made in earnest, it would have the compiler loaded: two milliseconds

_NO_FIELDS: Final[Mapping[str, Any]] = {}


class Frozen:
    """Base of a class of fields; its subclasses are decorated with :func:`frozen`."""

    __slots__ = ()

    _puts = _NO_FIELDS
    """What sets each field, in order; for who makes many, since the constructor asks for names."""
    _defaults = _NO_FIELDS

    def __init__(self, **values: Any) -> None:
        if values.keys() - self._puts or self._puts.keys() - values - self._defaults.keys():
            wrong = values.keys() ^ self._puts.keys()
            raise TypeError(f"{type(self).__name__}() does not take, or lacks: {', '.join(sorted(wrong - self._defaults.keys()))}")
        for name, put in self._puts.items():
            put(self, values[name] if name in values else self._defaults[name])
        self._check()

    def _check(self) -> None:
        """Refuse values that cannot be meant."""

    def _replace(self, **values: Any) -> Self:
        """The same with other values of these fields."""
        return type(self)(**{**self._as_dict(), **values})

    def _as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._puts}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be taken away.")

    def __eq__(self, other: object) -> bool:
        return self._as_dict() == other._as_dict() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((*self._as_dict().values(),))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in self._as_dict().items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (type(self), self._as_dict())


def _made(kind: type[Frozen], values: dict[str, Any]) -> Frozen:
    """What :mod:`pickle` and :mod:`copy` call."""
    return kind(**values)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def frozen(made: _Class) -> _Class:
    """The class with a slot for each of its own annotations; what they are set to is their default."""
    names = tuple(made.__annotations__)
    body = {name: value for name, value in vars(made).items() if name not in ("__dict__", "__weakref__", *names)}
    defaults = {name: vars(made)[name] for name in names if name in vars(made)}
    whole: Any = type(made.__name__, made.__bases__, {**body, "__slots__": names, "_defaults": defaults})
    whole._puts = {name: vars(whole)[name].__set__ for name in names}
    return whole  # type: ignore[no-any-return]
