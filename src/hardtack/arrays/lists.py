"""The part of numpy's arrays that one search by keyword asks for, over plain lists: loaded in a hundredth of numpy's time.

A search from the command line ranks some hundred files by some thousand postings. The arithmetic takes a few milliseconds either
way, and loading numpy takes ten times as long, so such a search takes its arrays from here (:mod:`hardtack.arrays` says when).
Names, arguments and results are numpy's, whose documentation holds for them; what is not here raises as any missing name does. Two
things differ, and nothing that takes its arrays from either may rely on them: no array is a view of another, and sums of floating
point numbers are added up in order, so that they may differ from numpy's in the last bits.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Sequence

from hardtack.arrays.array import RANK, Array, DType, Shape, dtype_of
from hardtack.arrays.array import bool_ as bool_
from hardtack.arrays.array import float64 as float64
from hardtack.arrays.array import int64 as int64
from hardtack.arrays.array import object_ as object_
from hardtack.arrays.array import uint8 as uint8
from hardtack.arrays.array import uint32 as uint32
from hardtack.arrays.array import uint64 as uint64
from hardtack.hints import Any, Final

inf: Final = math.inf

_CODES: Final = {"<u4": uint32}
_FORMATS: Final = {"B": uint8, "I": uint32}


# -- operations over two arrays -----------------------------------------------------------------------------------------------


class _Operation:
    """As numpy's ufuncs are."""

    __slots__ = ("_of_all", "_of_two")

    def __init__(self, of_two: Callable[[Any, Any], Any], of_all: Callable[[Any], Any]) -> None:
        """Take what makes one number of two, and what makes one of a list."""
        self._of_two, self._of_all = of_two, of_all

    def __call__(self, one: Array, other: Any, *, out: Array | None = None) -> Array:
        found = one.with_each(self._of_two, other)
        return found if out is None else out.take_over(found)

    def reduce(self, array: Array, *, axis: int) -> Array:
        """One number a row (1) or a column (0)."""
        return array.along(axis, self._of_all)

    def reduceat(self, array: Array, firsts: Array) -> Array:
        """One number a stretch: from each of these places to the next."""
        data, starts = array.data, firsts.data
        ends = [*starts[1:], len(data)]  # one too many where there are no stretches
        return Array([self._of_all(data[start:end]) for start, end in zip(starts, ends, strict=False)], array.dtype)


class _Greatest(_Operation):
    __slots__ = ()

    def at(self, array: Array, places: Array, numbers: Array) -> None:
        """Bring each number to its place, however often that comes."""
        data = array.data
        for place, number in zip(places.data, numbers.data, strict=True):
            if number > data[place]:
                data[place] = number


def _all_bits(numbers: Iterable[int]) -> int:
    first, *rest = numbers
    for number in rest:
        first &= number
    return first


add: Final = _Operation(operator.add, sum)
maximum: Final = _Greatest(lambda one, two: two if two > one else one, max)
minimum: Final = _Operation(lambda one, two: two if two < one else one, min)
bitwise_and: Final = _Operation(operator.and_, _all_bits)


# -- functions ----------------------------------------------------------------------------------------------------------------


def array(numbers: Sequence[Any], dtype: DType | None = None) -> Array:
    """The array of a list of numbers, or of lists of equally many."""
    is_nested = len(numbers) and isinstance(numbers[0], list)
    flat = [*itertools.chain.from_iterable(numbers)] if is_nested else [*numbers]
    dtype = dtype or max(map(dtype_of, flat), key=RANK, default=float64)
    return Array(dtype.over(flat), dtype, (len(numbers), len(numbers[0])) if is_nested else None)


def asarray(numbers: Any, dtype: DType | None = None) -> Array:
    """The same; a mapped column is left where it is."""
    return Array(numbers, _FORMATS[numbers.format]) if isinstance(numbers, memoryview) else array(numbers, dtype)


def frombuffer(buffer: Any, *, dtype: DType | str, count: int | None = None, offset: int = 0) -> Array:
    """A stretch of memory as an array, left where it is; of numbers in this machine's order."""
    kind = _CODES[dtype] if isinstance(dtype, str) else dtype
    end = None if count is None else offset + count * kind.mask.bit_length() // 8
    return Array(memoryview(buffer)[offset:end].cast("I" if kind is uint32 else "B"), kind)


def full(shape: int | Shape, number: Any, dtype: DType | None = None) -> Array:
    """The same number everywhere."""
    kind, whole = dtype or dtype_of(number), (shape,) if isinstance(shape, int) else shape
    return Array(kind.over((number,)) * math.prod(whole), kind, whole)


def zeros(shape: int | Shape, dtype: DType = float64) -> Array:
    """So many zeros."""
    return full(shape, 0, dtype)


empty: Final = zeros


def ones(shape: int | Shape, dtype: DType = float64) -> Array:
    """So many ones."""
    return full(shape, 1, dtype)


def zeros_like(array: Array) -> Array:
    """Zeros of the same shape and kind."""
    return full(array.shape, 0, array.dtype)


def arange(start: int, stop: int | None = None, step: int = 1, dtype: DType = int64) -> Array:
    """Whole numbers, so far apart, up to the last before ``stop``."""
    return Array([*(range(start) if stop is None else range(start, stop, step))], dtype)


def concatenate(arrays: Sequence[Array]) -> Array:
    """One after another."""
    dtype = max((each.dtype for each in arrays), key=RANK)
    numbers = [each.data if each.dtype is dtype else dtype.over(each.data) for each in arrays]
    return Array([*itertools.chain.from_iterable(numbers)], dtype, (sum(map(len, arrays)), *arrays[0].shape[1:]))


def where(flags: Array, one: Array, other: float) -> Array:
    """The number of the one where its flag is set, else the other."""
    return Array([number if flag else other for flag, number in zip(flags.data, one.data, strict=True)], one.dtype)


def bincount(places: Array, weights: Array | None = None, minlength: int = 0) -> Array:
    """How often each place comes, or the sum of its weights."""
    found: list[Any] = [0 if weights is None else 0.0] * max(max(places.data, default=-1) + 1, minlength)
    for place, weight in zip(places.data, itertools.repeat(1) if weights is None else weights.data, strict=False):
        found[place] += weight
    return Array(found, int64 if weights is None else float64)


def partition(numbers: Array, _: int) -> Array:
    """The numbers in an order in which the one at a place is that which sorting brings there: in order."""
    return Array(sorted(numbers.data), numbers.dtype)


def triu_indices(count: int, above: int) -> tuple[Array, Array]:
    """Rows and columns of what stands so far above the diagonal of a square, or further."""
    pairs = [(row, column) for row in range(count) for column in range(row + above, count)]
    return Array([row for row, _ in pairs], int64), Array([column for _, column in pairs], int64)


def _each(function: Callable[[Any], float]) -> Callable[[Array], Array]:
    return lambda numbers: Array([*map(float, map(function, numbers.data))], float64, numbers.shape)


exp: Final = _each(math.exp)
log1p: Final = _each(math.log1p)
rint: Final = _each(round)
