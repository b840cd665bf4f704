"""Arrays of lists do what numpy's do: each operation is told once and done with both."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.arrays import lists

Operation = Callable[..., Any]

NUMBERS = st.integers(-(1 << 20), 1 << 20)


def told(result: Any) -> Any:
    """Numbers and what they are, of either sort of arrays."""
    if isinstance(result, tuple):
        return [told(each) for each in result]
    if isinstance(result, numpy.ndarray | lists.Array):
        return list(result.shape), told(result.tolist())
    if isinstance(result, list):
        return [told(each) for each in result]
    if isinstance(result, numpy.generic):
        return told(result.item())
    return (type(result).__name__, pytest.approx(result, rel=1e-12, abs=1e-12) if isinstance(result, float) else result)


def are_alike(operation: Operation, *values: Any) -> None:
    """Do it with numpy and with lists, from the same numbers."""
    assert told(operation(numpy, *values)) == told(operation(lists, *values))


def changed(array: Any, index: Any, value: Any) -> Any:
    array[index] = value
    return array


def after(array: Any, change: Callable[[Any], object]) -> Any:
    change(array)
    return array


ELEMENTS: dict[str, Operation] = {
    "sum": lambda np, a, b: a + b,
    "difference": lambda np, a, b: a - b,
    "product": lambda np, a, b: a * b,
    "quotient": lambda np, a, b: a / (b * b + 1),
    "with a number": lambda np, a, b: (a + 1, 1 + a, a - 2, 2 - a, 3 * a, a * 2.5, 7 / (a * a + 1), a / 4, 1.5 - a),
    "bits": lambda np, a, b: (a & b, a | b, a ^ b, a & 7, a >> 3, a << 5, ~a),
    "order": lambda np, a, b: (a < b, a <= b, a > b, a >= b, a == b, a != b, a == 3, a < 0.5),
    "flags": lambda np, a, b: ((a < b) & (a > 0), (a < b) | (a > 0), ~(a < b), (a > 0) / 2, (a > 0).sum(), 0.5 * (a > b)),
    "negative": lambda np, a, b: -a,
    "greatest and least": lambda np, a, b: (np.maximum(a, b), np.minimum(a, b), np.maximum(a, 0), np.minimum(b / 2, 1.0)),
    "put into another": lambda np, a, b: np.minimum(a, 5, out=b),
    "kinds": lambda np, a, b: [a.astype(kind) for kind in (np.float64, np.int64, np.bool_, np.uint64, np.uint32, np.uint8)],
    "whole numbers of others": lambda np, a, b: (a / 3).astype(np.int64),
    "functions": lambda np, a, b: (np.exp(a / (1 << 20)), np.log1p(a * a), np.rint(a / 2)),
    "chosen": lambda np, a, b: np.where(a > b, a / 2, 0.0),
    "of all": lambda np, a, b: (a.sum(), (a / 2).sum(), a.max(initial=-9), (a / 2).min(initial=0.0), a.any(), a.all(), len(a)),
    "running sum": lambda np, a, b: (a.cumsum(), (a > 0).cumsum(), (a / 2).cumsum()),
    "not zero": lambda np, a, b: (a.nonzero(), (a > b).nonzero()),
    "sorted": lambda np, a, b: (a.argsort(kind="stable"), (-b / 3).argsort(kind="stable"), after(a, lambda each: each.sort())),
    "repeated": lambda np, a, b: (a.repeat(b & 3), a.repeat((b & 1).tolist())),
    "joined": lambda np, a, b: (np.concatenate((a, b)), np.concatenate([a, b / 2, a > 0]), np.concatenate((a > 0, b > 0))),
    "a copy": lambda np, a, b: (after(a.copy(), lambda each: each.sort()), a),
    "slices": lambda np, a, b: (a[1:], a[:-1], a[::-1], a[2:5], a[-1:], a[:0], a[1:] > a[:-1]),
    "some by flags": lambda np, a, b: (a[a > b], a[~(a > b)], b[b == b]),
    "changed in place": lambda np, a, b: [after(a.copy(), each) for each in IN_PLACE],
    "set": lambda np, a, b: (
        *(changed(a.copy(), index, 7) for index in (slice(None), slice(1, None), slice(None, -1), a > b)),
        *(changed(a.copy(), slice(1, None), b[1:]), changed(a / 2, slice(None), b), changed(a > b, slice(None), True)),
        *(changed(a.copy(), a > b, b[a > b]), changed(b / 2, slice(None, None, -1), a / 4)),
    ),
    "counted": lambda np, a, b: (np.bincount(a & 7), np.bincount(a & 7, b / 3), np.bincount(a & 7, minlength=12)),
    "as they were": lambda np, a, b: (
        a.tolist(),
        [*a],
        np.asarray(a.tolist(), dtype=np.int64),
        np.array(a.tolist(), dtype=np.float64),
    ),
    "an outer sum": lambda np, a, b: a[:, None] + b[:3],
}
IN_PLACE: list[Callable[[Any], object]] = [
    *(lambda each: each.__iadd__(3), lambda each: each.__isub__(each), lambda each: each.__imul__(2)),
    *(lambda each: each.__ilshift__(2), lambda each: each.__irshift__(2), lambda each: each.__iand__(6)),
    *(lambda each: each.__ior__(9), lambda each: each.__ixor__(5)),
]


@pytest.mark.parametrize("name", ELEMENTS)
@given(pairs=st.lists(st.tuples(NUMBERS, NUMBERS), max_size=12))
def test_rows_of_numbers(name: str, pairs: list[tuple[int, int]]) -> None:
    def with_arrays(np: Any, pairs: list[tuple[int, int]]) -> Any:
        one, other = (np.array([pair[place] for pair in pairs], dtype=np.int64) for place in (0, 1))
        return ELEMENTS[name](np, one, other)

    are_alike(with_arrays, pairs)


SOME: dict[str, Operation] = {
    "places": lambda np, a, p: (a[p], a[p - len(a)], a[p.tolist()], a.take(p), a[p[:0]], a[p[0]], a[-1], a.item(0)),
    "set": lambda np, a, p: (
        changed(a, p, p / 2),
        changed(a, p, 9),
        changed(a, -1, 4),
        changed(a, p.item(0), True),
        changed(a, p[:0], 1),
    ),
    "found": lambda np, a, p: (
        np.array(sorted(a.tolist())).searchsorted(a - 1),
        np.array(sorted(a.tolist())).searchsorted(p, side="right"),
    ),
    "one found": lambda np, a, p: (p.searchsorted(3), p.searchsorted(3, side="right")),
    "stretches": lambda np, a, p: (np.add.reduceat(a, _firsts(np, p)), np.add.reduceat(a / 3, _firsts(np, p))),
    "the greatest of stretches": lambda np, a, p: (
        np.maximum.reduceat(a, _firsts(np, p)),
        np.maximum.reduceat(a / 3, _firsts(np, p)),
    ),
    "the greatest at each place": lambda np, a, p: after(np.zeros(len(a)), lambda each: np.maximum.at(each, p, a[p] / 3)),
    "the nth": lambda np, a, p: [np.partition(a, -count)[-count] for count in range(1, len(a) + 1)],
    "the mean": lambda np, a, p: (a.mean(), a.max(), a.min()),
    "in two dimensions": lambda np, a, p: (a.reshape(1, len(a)), a.reshape(len(a), 1).ravel(), a[p.reshape(len(p), 1)]),
}


def _firsts(np: Any, places: Any) -> Any:
    """Some places in ascending order, each once."""
    return np.array(sorted(set(places.tolist())), dtype=np.int64)


@pytest.mark.parametrize("name", SOME)
@given(numbers=st.lists(NUMBERS, min_size=1, max_size=9), data=st.data())
def test_some_of_the_numbers(name: str, numbers: list[int], data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(numbers) - 1), min_size=1, max_size=12))
    are_alike(lambda np, *both: SOME[name](np, *(np.array(each, dtype=np.int64) for each in both)), numbers, places)


TABLES: dict[str, Operation] = {
    "turned": lambda np, t, v: t.T,
    "rows": lambda np, t, v: (t[0], t[-1], t[1:], t[np.array([0, 0])], t[np.array([True] * len(t))], [*t], len(t)),
    "columns": lambda np, t, v: (t[:, 0], t[:, -1], t[:, np.array([0, 0])], t[:, :-1], t[1:, 0]),
    "cells": lambda np, t, v: (
        t[0, 0],
        t[np.array([0, -1]), np.array([0, 0])],
        t[np.array([True] * len(t)), 0],
        t[np.array([0]), -1],
    ),
    "over rows and columns": lambda np, t, v: (
        t.sum(axis=0),
        t.sum(axis=1),
        t.sum(),
        np.add.reduce(t, axis=1),
        (t > 0).sum(axis=0),
    ),
    "all bits": lambda np, t, v: np.bitwise_and.reduce(t, axis=0),
    "beside a row": lambda np, t, v: (t + v, v - t, (t - v) / (v * v + 1) * v, t > v),
    "beside a column": lambda np, t, v: (t + t[:, 0][:, None], t[:, -1][:, None] * t),
    "times a row": lambda np, t, v: (t @ (v / 2), (t > 0) @ (v / 2), (t / 3) @ (v / 2)),
    "not zero": lambda np, t, v: t.nonzero(),
    "set rows": lambda np, t, v: (
        changed(t, 0, v),
        changed(t, slice(1, None), 3),
        changed(t, -1, v.tolist()),
        changed(t, np.array([0]), 5),
    ),
    "set columns": lambda np, t, v: (
        changed(t, (slice(None), 0), 8),
        changed(t, (slice(None), (0, -1)), 2),
        changed(t, (0, -1), 6),
    ),
    "set cells": lambda np, t, v: changed(t, (np.array([0, -1]), np.array([0, -1])), np.array([4, 5])),
    "flat": lambda np, t, v: (t.ravel(), -t, np.concatenate((t, t)), t.astype(np.float64), np.exp(t / (1 << 20)), t.tolist()),
    "set rows at an end": lambda np, t, v: changed(np.zeros((len(t) + 1, len(v))), slice(len(t), None), t[:1] / 2),
}


@pytest.mark.parametrize("name", TABLES)
@given(rows=st.integers(1, 4), columns=st.integers(1, 4), seed=st.integers(0, 1 << 16))
def test_tables_of_numbers(name: str, rows: int, columns: int, seed: int) -> None:
    choose = random.Random(seed)
    table = [[choose.randrange(-9, 9) for _ in range(columns)] for _ in range(rows)]
    vector = [choose.randrange(-9, 9) for _ in range(columns)]
    are_alike(lambda np, *both: TABLES[name](np, *(np.array(each, dtype=np.int64) for each in both)), table, vector)


@given(sizes=st.tuples(*[st.integers(1, 3)] * 3), seed=st.integers(0, 1 << 16))
def test_tables_of_tables(sizes: tuple[int, int, int], seed: int) -> None:
    numbers = [random.Random(seed).randrange(-9, 9) for _ in range(sizes[0] * sizes[1] * sizes[2])]

    def with_arrays(np: Any) -> Any:
        cube = np.array(numbers, dtype=np.float64).reshape(*sizes)
        weights = np.array(range(sizes[2]), dtype=np.float64)
        first = cube[:, :-1]
        return [*cube], cube[:1], cube @ weights, first, first @ weights, changed(cube.copy(), 0, cube[-1] / 2), cube[0] > 0

    are_alike(with_arrays)


@given(numbers=st.lists(st.integers(0, (1 << 32) - 1), max_size=9), factor=st.integers(0, (1 << 64) - 1))
def test_unsigned_numbers_wrap_around(numbers: list[int], factor: int) -> None:
    def with_arrays(np: Any) -> Any:
        words = np.array(numbers, dtype=np.uint32)
        wide = words.astype(np.uint64)
        wide <<= 32
        wide |= words
        mixed = after(wide ^ (wide >> 30), lambda each: each.__imul__(factor))
        small = (words & 255).astype(np.uint8)
        told = (
            words + words,
            words * words,
            words - words[::-1],
            words << 7,
            mixed,
            (mixed >> 32).astype(np.uint32),
            ~words,
            small,
        )
        return [*told, small >> (words & 7).astype(np.uint8), small + small, words[1:] == words[:-1], words.max(initial=0)]

    are_alike(with_arrays)


@given(numbers=st.lists(st.integers(0, (1 << 32) - 1), max_size=20), skipped=st.integers(0, 3))
def test_what_is_mapped_is_left_where_it_is(numbers: list[int], skipped: int) -> None:
    packed = memoryview(bytes(skipped) + b"".join(number.to_bytes(4, "little") for number in numbers) + b"more")

    def with_arrays(np: Any) -> Any:
        words = np.frombuffer(packed, dtype="<u4", count=len(numbers), offset=skipped)
        column = np.asarray(packed[skipped : skipped + 4 * len(numbers)].cast("I"))
        bytes_ = np.frombuffer(packed, dtype=np.uint8, offset=skipped)
        return words, words[1:].astype(np.int64), column, column[np.arange(len(numbers))[::-1]], bytes_, np.asarray(packed)[:3]

    are_alike(with_arrays)


MADE: dict[str, Operation] = {
    "zeros": lambda np: (np.zeros(3), np.zeros((2, 3)), np.zeros(2, dtype=np.bool_), np.zeros(0), np.zeros_like(np.array([1, 2]))),
    "ones": lambda np: (np.ones(3), np.ones(2, dtype=np.bool_)),
    "the same": lambda np: (
        np.full(3, -1),
        np.full((2, 2), 0.5),
        np.full(2, 0, dtype=np.float64),
        np.full(2, "", dtype=np.object_),
    ),
    "room": lambda np: [len(np.empty(3)), np.empty((2, 0)), np.empty(0, dtype=np.int64)],
    "a range": lambda np: (np.arange(4), np.arange(1, 5), np.arange(0, 9, 4), np.arange(3, dtype=np.uint32), np.arange(0)),
    "lists": lambda np: (np.array([1, 2]), np.array([1, 2.5]), np.array([True, False]), np.array([]), np.array([[1], [2]])),
    "twos": lambda np: [np.triu_indices(count, 1) for count in range(5)],
    "the least of all": lambda np: -np.inf,
    "nothing counted": lambda np: (
        np.bincount(np.array([], dtype=np.int64)),
        np.bincount(np.array([], dtype=np.int64), minlength=3),
    ),
    "rows of nothing": lambda np: (
        np.zeros((3, 0)) @ np.zeros(0),
        np.zeros((0, 3)).sum(axis=1),
        np.array([[1], [2]]) + np.zeros(0),
    ),
    "tables of nothing": lambda np: [
        *(
            np.zeros((2, 3, 0))[:, :-1],
            np.zeros((2, 3, 0))[:, :-1] @ np.zeros(0),
            np.zeros((2, 1, 4))[:, :-1],
            [*np.zeros((2, 3, 0))],
        ),
        *(np.zeros((3, 0)).sum(axis=1), np.zeros((3, 0)).sum(axis=0), np.zeros((3, 0)).T, np.zeros((3, 0)) > 0),
        *((np.zeros((3, 0)) > 0).nonzero(), np.zeros((3, 2))[:, np.array([], dtype=np.int64)], np.maximum(np.zeros((3, 0)), 1.0)),
    ],
}


@pytest.mark.parametrize("name", MADE)
def test_arrays_that_are_made(name: str) -> None:
    are_alike(MADE[name])


REFUSED: dict[str, Operation] = {
    "another length": lambda np: np.array([1, 2]) + np.array([1, 2, 3]),
    "a place beyond the last": lambda np: np.array([1, 2])[np.array([2])],
    "a number beyond the last": lambda np: np.array([1, 2])[2],
    "too many numbers": lambda np: changed(np.array([1, 2]), slice(None), np.array([1, 2, 3])),
    "too few numbers": lambda np: changed(np.array([1, 2, 3]), np.array([0, 1]), np.array([1, 2, 3])),
    "no such shape": lambda np: np.array([1, 2, 3]).reshape(2, 2),
    "no such product": lambda np: np.ones((2, 3)) @ np.ones(2),
    "halves among whole numbers": lambda np: after(np.array([1, 2]), lambda each: each.__iadd__(0.5)),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("np", [numpy, lists], ids=["numpy", "lists"])
def test_what_numpy_refuses_is_refused(np: ModuleType, name: str) -> None:
    with pytest.raises((ValueError, IndexError, TypeError)):
        REFUSED[name](np)
