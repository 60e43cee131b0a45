"""Square root, logarithm and exponential by table: their errors are small."""

from __future__ import annotations

import math

import pytest

from archipel.rules.kit.core.numbers import LOWEST, TABLED, decay, logarithm, root


@pytest.mark.parametrize("number", [1, 2, 10, TABLED - 1])
def test_numbers_of_the_table_are_exact(number: int) -> None:
    assert logarithm(number) == pytest.approx(math.log(number), abs=1e-12)
    assert root(number) == pytest.approx(math.sqrt(number), abs=1e-12)


LARGE = [*range(TABLED, 5 * TABLED), 10**6, 10**9 + 7, 2**40 - 1, 2**40, 10**15]


def test_large_numbers_have_small_errors() -> None:
    for number in LARGE:
        assert logarithm(number) == pytest.approx(math.log(number), abs=1e-5)
        assert root(number) == pytest.approx(math.sqrt(number), rel=1e-5)


def test_functions_are_monotonic() -> None:
    for number in LARGE:
        assert logarithm(number) <= logarithm(number + 1)
        assert root(number) <= root(number + 1)


def test_zero() -> None:
    assert logarithm(0) == 0
    assert root(0) == 0


def test_decay() -> None:
    for step in range(2000):
        amount = step * LOWEST / 2000
        assert decay(amount) == pytest.approx(math.exp(-amount), rel=1 / 30_000)
    assert decay(0.0) == 1
    assert decay(LOWEST - 1e-9) > 0
    assert decay(1 - 1e-12) >= decay(1.0) >= decay(1 + 1e-12)
    assert decay(LOWEST) == decay(1e9) == 0
