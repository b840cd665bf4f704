"""Numbers in rows: the class of the arrays that :mod:`hardtack.arrays.lists` makes, whose methods are numpy's."""

from __future__ import annotations

import itertools
import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from hardtack.hints import Any, Final

Index = Any
"""A place, a slice, an array of places or of flags; or two of them, for rows and columns."""
Shape = tuple[int, ...]


class DType:
    """What numbers an array has."""

    __slots__ = ("cast", "mask", "rank")

    def __init__(self, rank: int, cast: Callable[[Any], Any], bits: int = 0) -> None:
        """Of two kinds of numbers, results are of the one with the greater ``rank``; unsigned ones have so many ``bits``."""
        self.rank, self.cast, self.mask = rank, cast, (1 << bits) - 1

    def over(self, numbers: Iterable[Any]) -> list[Any]:
        """These numbers, each made one of this kind."""
        if mask := self.mask:
            return [int(number) & mask for number in numbers]
        return [*map(self.cast, numbers)]


bool_: Final = DType(0, bool)
uint8: Final = DType(1, int, bits=8)
uint32: Final = DType(2, int, bits=32)
uint64: Final = DType(3, int, bits=64)
int64: Final = DType(4, int)
float64: Final = DType(5, float)
object_: Final = DType(6, lambda each: each)

RANK: Final = operator.attrgetter("rank")
_STAY_WITHIN: Final = frozenset({operator.and_, operator.or_, operator.xor, operator.rshift})
"""What makes no number of more bits than it is given."""


def dtype_of(number: Any) -> DType:
    """What a number that is none of an array counts as."""
    return bool_ if isinstance(number, bool) else int64 if isinstance(number, int) else float64


def _binary(operation: Callable[[Any, Any], Any], dtype: DType | None = None) -> Callable[[Any, Any], Any]:
    return lambda self, other: self.with_each(operation, other, dtype)


def _in_place(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: self.take_over(self.with_each(operation, other))


class Array:
    """Numbers in one, two or three dimensions, the last one running fastest."""

    __slots__ = ("data", "dtype", "shape")

    def __init__(self, data: Any, dtype: DType, shape: Shape | None = None) -> None:
        """Take numbers of that kind as they are, and as they are laid out; a shape of None is one dimension."""
        self.data: Any = data
        self.dtype = dtype
        self.shape: Shape = (len(data),) if shape is None else shape

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data) if len(self.shape) == 1 else map(self._rows, range(self.shape[0]))

    # -- places -----------------------------------------------------------------------------------------------------------------

    def __getitem__(self, index: Index) -> Any:
        if isinstance(index, tuple):
            return self._at(*index)
        if len(self.shape) > 1:
            return self._rows(index)
        data = self.data
        if isinstance(index, Array):
            if index.dtype is bool_:
                return Array([*itertools.compress(data, index.data)], self.dtype)
            return Array(_picked(data, index.data), self.dtype, index.shape)
        if isinstance(index, list):
            return Array(_picked(data, index), self.dtype)
        return Array(data[index], self.dtype) if isinstance(index, slice) else data[index]

    def _rows(self, index: Index) -> Array:
        """Some of the first dimension."""
        rest, data = self.shape[1:], self.data
        size, places = math.prod(rest), _places(index, self.shape[0])
        if isinstance(places, int):
            return Array(data[places * size : places * size + size], self.dtype, rest)
        rows = [data[place * size : place * size + size] for place in places]
        return Array([*itertools.chain.from_iterable(rows)], self.dtype, (len(rows), *rest))

    def _at(self, first: Index, second: Index) -> Any:
        """Some of the first two dimensions."""
        if second is None:  # a further dimension, of one
            some = self[first]
            return Array(some.data, some.dtype, (*some.shape, 1))
        if not isinstance(first, slice):
            places = self._meeting(first, second)
            return self.data[places] if isinstance(places, int) else Array(_picked(self.data, places), self.dtype)
        some = self if first == slice(None) else self._rows(first)
        rows, columns, *rest = some.shape
        size, places = math.prod(rest), _places(second, columns)
        chosen, shape = ((places,), (rows, *rest)) if isinstance(places, int) else (places, (rows, len(places), *rest))
        starts = [(row * columns + place) * size for row in range(rows) for place in chosen]
        pieces = [some.data[start : start + size] for start in starts]
        return Array([*itertools.chain.from_iterable(pieces)], self.dtype, shape)

    def _meeting(self, first: Index, second: Index) -> Any:
        """Where in the data of two dimensions these rows and columns meet, each with its like; one place where both are numbers."""
        rows, columns = self.shape
        one, other = _places(first, rows), _places(second, columns)
        if isinstance(other, int):
            return one * columns + other if isinstance(one, int) else [row * columns + other for row in one]
        return [row * columns + column for row, column in zip(one, other, strict=True)]

    def __setitem__(self, index: Index, value: Any) -> None:
        data, dtype = self.data, self.dtype
        places: Any
        if isinstance(index, int) and len(self.shape) == 1:  # one at a time, as what is read of files is noted
            data[index] = dtype.cast(value)
            return
        if not isinstance(index, tuple):
            places = _places(index, self.shape[0])
            if len(self.shape) > 1:
                size = math.prod(self.shape[1:])
                if isinstance(places, int):
                    places = range(places * size, places * size + size)
                else:
                    places = [place for start in places for place in range(start * size, start * size + size)]
        elif isinstance(index[0], slice):
            rows, columns = self.shape
            wanted = _places(index[1], columns)
            chosen = (wanted,) if isinstance(wanted, int) else wanted
            places = [row * columns + column for row in _places(index[0], rows) for column in chosen]
        else:
            places = self._meeting(*index)
        if isinstance(places, int):
            data[places] = dtype.over((value,))[0]
            return
        if isinstance(value, Array):
            numbers = value.data if value.dtype is dtype else dtype.over(value.data)
        else:
            numbers = dtype.over(value if isinstance(value, list) else (value,) * len(places))
        if len(numbers) != len(places):
            raise ValueError(f"{len(numbers)} numbers for {len(places)} places")
        if isinstance(places, range) and places.step == 1:
            data[places.start : places.stop] = numbers
            return
        for place, number in zip(places, numbers, strict=True):
            data[place] = number

    # -- arithmetic -----------------------------------------------------------------------------------------------------------

    def with_each(self, operation: Callable[[Any, Any], Any], other: Any, dtype: DType | None = None) -> Array:
        """The operation over every number and its like in ``other``, of whichever dtype has room for both or is asked for."""
        shape, one = self.shape, self.data
        if isinstance(other, Array):
            two = other.data
            if shape != other.shape:
                shape = _common(shape, other.shape)
                one, two = _spread(self, shape), _spread(other, shape)
            dtype = dtype or max(self.dtype, other.dtype, key=RANK)
        else:
            two = itertools.repeat(other)
            if dtype is None:
                scalar = dtype_of(other)
                dtype = max(self.dtype, scalar, key=RANK) if scalar is float64 or self.dtype is bool_ else self.dtype
        if (mask := dtype.mask) and operation not in _STAY_WITHIN:
            return Array([number & mask for number in map(operation, one, two)], dtype, shape)
        return Array([*map(operation, one, two)], dtype, shape)

    def take_over(self, changed: Array) -> Array:
        """Let the numbers be those of another, for which there must be room."""
        if changed.shape != self.shape or changed.dtype.rank > self.dtype.rank:
            raise TypeError("the result has no room in the array that it is for")
        self.data = changed.data if changed.dtype is self.dtype else self.dtype.over(changed.data)
        return self

    __add__ = __radd__ = _binary(operator.add)
    __sub__ = _binary(operator.sub)
    __rsub__ = _binary(lambda one, two: two - one)
    __mul__ = __rmul__ = _binary(operator.mul)
    __truediv__ = _binary(operator.truediv, float64)
    __rtruediv__ = _binary(lambda one, two: two / one, float64)
    __lshift__ = _binary(operator.lshift)
    __rshift__ = _binary(operator.rshift)
    __and__ = _binary(operator.and_)
    __or__ = _binary(operator.or_)
    __xor__ = _binary(operator.xor)

    __iadd__ = _in_place(operator.add)
    __isub__ = _in_place(operator.sub)
    __imul__ = _in_place(operator.mul)
    __ilshift__ = _in_place(operator.lshift)
    __irshift__ = _in_place(operator.rshift)
    __iand__ = _in_place(operator.and_)
    __ior__ = _in_place(operator.or_)
    __ixor__ = _in_place(operator.xor)

    __lt__ = _binary(operator.lt, bool_)
    __le__ = _binary(operator.le, bool_)
    __gt__ = _binary(operator.gt, bool_)
    __ge__ = _binary(operator.ge, bool_)
    __eq__ = _binary(operator.eq, bool_)
    __ne__ = _binary(operator.ne, bool_)
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Array:
        return Array([*map(operator.neg, self.data)], self.dtype, self.shape)

    def __invert__(self) -> Array:
        inverted = operator.not_ if self.dtype is bool_ else operator.invert
        return Array(self.dtype.over(map(inverted, self.data)), self.dtype, self.shape)

    def __matmul__(self, other: Array) -> Any:
        """The product with a vector, over the last dimension."""
        *rest, size = self.shape
        data, factors = self.data, other.data
        if other.shape != (size,):
            raise ValueError(f"{other.shape} does not match {self.shape}")
        starts = range(0, len(data), size) if size else itertools.repeat(0, math.prod(rest))
        found = [sum(map(operator.mul, data[at : at + size], factors), 0.0) for at in starts]
        return Array(found, float64, tuple(rest)) if rest else found[0]

    # -- methods --------------------------------------------------------------------------------------------------------------

    @property
    def T(self) -> Array:  # noqa: N802 - as numpy has it
        """Rows as columns."""
        rows, columns = self.shape
        turned = [self.data[column::columns] for column in range(columns)]
        return Array([*itertools.chain.from_iterable(turned)], self.dtype, (columns, rows))

    def astype(self, dtype: DType, *, copy: bool = True) -> Array:
        """The same numbers as others of that kind."""
        if dtype is self.dtype and not copy:
            return self
        is_room = self.dtype is dtype or bool_.rank < self.dtype.rank < dtype.rank < float64.rank
        return Array([*self.data] if is_room else dtype.over(self.data), dtype, self.shape)

    def copy(self) -> Array:
        """The same again."""
        return self.astype(self.dtype)

    def ravel(self) -> Array:
        """In one dimension."""
        return Array(self.data, self.dtype)

    def reshape(self, *shape: int) -> Array:
        """In others."""
        if math.prod(shape) != len(self.data):
            raise ValueError(f"{len(self.data)} numbers have no shape {shape}")
        return Array(self.data, self.dtype, shape)

    def tolist(self) -> list[Any]:
        """As nested lists."""
        return [*self.data] if len(self.shape) == 1 else [row.tolist() for row in self]

    def item(self, place: int) -> Any:
        """One number."""
        return self.data[place]

    def sort(self) -> None:
        """Ascending, in place."""
        self.data = sorted(self.data)

    def argsort(self, *, kind: str) -> Array:
        """The places of the numbers in ascending order, equal ones in order of place."""
        assert kind == "stable"
        return Array(sorted(range(len(self.data)), key=self.data.__getitem__), int64)

    def searchsorted(self, wanted: Any, side: str = "left") -> Any:
        """Where among ascending numbers others would stand."""
        found, data = (bisect_left if side == "left" else bisect_right), self.data
        if isinstance(wanted, Array):
            return Array([found(data, each) for each in wanted.data], int64)
        return found(data, wanted)

    def cumsum(self) -> Array:
        """The sum of each number and all before it."""
        if self.dtype is bool_:
            return self.astype(int64).cumsum()
        return Array([*itertools.accumulate(self.data)], self.dtype)

    def nonzero(self) -> tuple[Array, ...]:
        """Where numbers are not zero: their places, one array a dimension."""
        places = [*itertools.compress(range(len(self.data)), self.data)]
        if len(self.shape) == 1:
            return (Array(places, int64),)
        columns = self.shape[1]
        return Array([place // columns for place in places], int64), Array([place % columns for place in places], int64)

    def repeat(self, times: Array | Sequence[int]) -> Array:
        """Each number as many times as it says."""
        counts = times.data if isinstance(times, Array) else times
        return Array([*itertools.chain.from_iterable(map(itertools.repeat, self.data, counts))], self.dtype)

    def take(self, places: Array) -> Any:
        """The numbers at these places."""
        return self[places]

    def max(self, *, initial: Any = None) -> Any:
        """The greatest number, or ``initial``."""
        return max(self.data) if initial is None else max(itertools.chain((initial,), self.data))

    def min(self, *, initial: Any = None) -> Any:
        """The least number, or ``initial``."""
        return min(self.data) if initial is None else min(itertools.chain((initial,), self.data))

    def sum(self, *, axis: int | None = None) -> Any:
        """The sum of all, or of each row (1) or column (0)."""
        return sum(self.data, 0.0 if self.dtype is float64 else 0) if axis is None else self.along(axis, sum)

    def along(self, axis: int, of_all: Callable[[Any], Any]) -> Array:
        """One number a row (1) or a column (0): what ``of_all`` makes of it."""
        rows, columns = self.shape
        data, count = self.data, rows if axis else columns
        lists = [data[place * columns : place * columns + columns] if axis else data[place::columns] for place in range(count)]
        kind = int64 if self.dtype is bool_ else self.dtype
        return Array(kind.over(map(of_all, lists)), kind)

    def mean(self) -> float:
        """The sum by the count."""
        return float(sum(self.data) / len(self.data))

    def any(self) -> bool:
        """Whether any number is not zero."""
        return any(self.data)

    def all(self) -> bool:
        """Whether no number is zero."""
        return all(self.data)


def _picked(data: Any, places: Sequence[int]) -> list[Any]:
    """The numbers at these places: by one call, which takes half as long as a call for each."""
    return [*operator.itemgetter(*places)(data)] if len(places) > 1 else [data[place] for place in places]


def _places(index: Index, length: int) -> Any:
    """The places that an index means in so many: one for a number, else a sequence of them."""
    if isinstance(index, int | slice):
        return range(length)[index]
    if isinstance(index, Array):
        if index.dtype is bool_:
            return [*itertools.compress(range(length), index.data)]
        index = index.data
    return [place + length if place < 0 else place for place in index]


def _common(one: Shape, other: Shape) -> Shape:
    """The shape that two shapes are broadcast to."""
    length = max(len(one), len(other))
    one, other = (1,) * (length - len(one)) + one, (1,) * (length - len(other)) + other
    if any(a != b and 1 not in (a, b) for a, b in zip(one, other, strict=True)):
        raise ValueError(f"{one} cannot be broadcast with {other}")
    return tuple(b if a == 1 else a for a, b in zip(one, other, strict=True))


def _spread(array: Array, shape: Shape) -> Any:
    """The numbers of an array that is broadcast to a shape."""
    if array.shape == shape:
        return array.data
    data, size = [*array.data], 1
    padded = (1,) * (len(shape) - len(array.shape)) + array.shape
    for has, wants in zip(reversed(padded), reversed(shape), strict=True):  # from the last dimension on
        if has != wants:
            data = [number for at in range(0, len(data), size) for number in data[at : at + size] * wants] if data else []
        size *= wants
    return data
