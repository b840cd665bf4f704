"""Exact sums in, unit rows out."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hardtack.encoders.unit import MAX_DIMENSION, MAX_EXACT, mixed_rows, unit_rows

WHOLE = st.integers(-(MAX_EXACT - 1), MAX_EXACT - 1)


@given(st.lists(WHOLE, min_size=1, max_size=8))
def test_rows_are_the_exact_direction_to_float32_precision(row: list[int]) -> None:
    found = unit_rows(np.array([row], dtype=np.float64))[0]
    length = math.isqrt(sum(number**2 for number in row) << 64)
    for number, value in zip(row, found.tolist(), strict=True):
        wanted = Fraction(number << 32, length) if length else Fraction(0)
        assert abs(wanted - Fraction(value)) <= Fraction(1, 1 << 24)


def test_a_row_of_zeros_stays_zero() -> None:
    assert np.zeros((1, 4), dtype=np.float32).tobytes() == unit_rows(np.zeros((1, 4))).tobytes()


def test_no_rows_and_no_columns_are_no_error() -> None:
    assert unit_rows(np.zeros((0, 4))).shape == (0, 4)
    assert unit_rows(np.zeros((2, 0))).shape == (2, 0)


def test_the_largest_sums_do_not_overflow() -> None:
    row = unit_rows(np.full((1, MAX_DIMENSION), float(MAX_EXACT - 1)))[0]
    assert [np.float32(1 / math.sqrt(MAX_DIMENSION))] == sorted(set(row.tolist()))


@given(st.lists(st.lists(WHOLE, min_size=8, max_size=8), min_size=2, max_size=4))
def test_a_row_is_the_same_alone_and_among_others(rows: list[list[int]]) -> None:
    sums = np.array(rows, dtype=np.float64)
    assert unit_rows(sums).tobytes() == b"".join(unit_rows(row[None]).tobytes() for row in sums)


@given(st.permutations(range(16)), st.lists(WHOLE, min_size=16, max_size=16))
def test_the_order_of_the_columns_does_not_change_a_bit(order: list[int], row: list[int]) -> None:
    sums = np.array([row], dtype=np.float64)
    assert unit_rows(sums)[:, order].tobytes() == unit_rows(sums[:, order]).tobytes()


@given(st.lists(WHOLE, min_size=12, max_size=12), st.lists(st.integers(0, 1 << 20), min_size=3, max_size=3))
def test_a_mixture_is_the_sum_in_its_shares_at_length_one_in_any_order(numbers: list[int], shares: list[int]) -> None:
    parts = [unit_rows(np.array([numbers[start : start + 4]], dtype=np.float64)) for start in (0, 4, 8)]
    exact = sum(np.rint(part.astype(np.float64) * 2**24) * share for part, share in zip(parts, shares, strict=True))
    mixed = mixed_rows(parts, shares)
    np.testing.assert_allclose(mixed, exact / (np.linalg.norm(exact) or 1.0), atol=1e-7)
    assert mixed.tobytes() == mixed_rows(parts[::-1], shares[::-1]).tobytes()
