"""Rules give equal results in C++ and in Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

from archipel.rules.all_games import games
from archipel.rules.kit import Program
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.core.layout import layout
from archipel.rules.kit.core.rule_analysis import public_fields
from archipel.rules.kit.cuda.c_rules import TranslationError
from archipel.rules.kit.cuda.c_types import I32, I64, VIEW, Record, Type
from archipel.rules.kit.cuda.cplusplus import Translation
from tests.rules.kit import rules_for_gpus as rules
from tests.support.cplusplus import WATCHED, compiled_here, needs_compiler

SHELF = Record("Shelf")


def shelf(**fields: Any) -> rules.Shelf:
    usual: dict[str, Any] = {"count": 3, "small": 2, "words": [2**32 - 1, 5, 2**31, 0]}
    usual |= {"grid": [[1, -2, 3], [0, 5, -6]], "secret": [4, 3, 2, 1]}
    return rules.Shelf(**(usual | fields))


def record_of(plain: rules.Shelf) -> Any:
    record = numpy.zeros(1, layout(rules.Shelf))
    for name in record.dtype.names or ():
        record[0][name] = getattr(plain, name)
    return record


NUMBERS: list[tuple[AnyRule, Sequence[tuple[int, ...]]]] = [
    (rules.floored, [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, 3), (-8, 4)]),
    (rules.looked_up, [(0, 0), (0, 1), (1, 2)]),
    (rules.far_below, [(3,), (9,)]),
    (rules.steps, [(0, 12, 1), (3, 100, 7), (9, -9, -3), (5, 5, 1)]),
    (rules.chosen, [(1, 9), (2, 0), (4, 4), (-3, 9), (1, 10)]),
    (rules.shifted, [(3,), (45,)]),
]


def entries(
    program_of: Sequence[AnyRule], kinds: Sequence[tuple[Type, ...]], **more: Any
) -> tuple[str, list[str]]:
    """Return the source of some rules with exported callers, and the names of the functions."""
    program = Program("shelf", rules.Shelf, tuple(program_of))
    made = Translation(program, **more)
    found = [made.entry(rule, kind) for rule, kind in zip(program_of, kinds, strict=True)]
    calls = []
    for function, kind in zip(found, kinds, strict=True):
        types = ["Shelf*" if each == SHELF else str(each) for each in kind]
        given = ", ".join(f"{each} a{place}" for place, each in enumerate(types))
        passed = ", ".join(f"a{place}" for place in range(len(types)))
        calls.append(
            f'extern "C" int64_t out_{function.rule.__name__}({given}) '
            f"{{ return {function.name}({passed}); }}"
        )
    return "\n".join([made.head(), made.source(), *calls]), [f.name for f in found]


@needs_compiler
def test_arithmetic_is_that_of_python(tmp_path: Path) -> None:
    kinds: list[tuple[Type, ...]] = [(I32,) * len(cases[0]) for _, cases in NUMBERS]
    source, _ = entries([rule for rule, _ in NUMBERS], kinds)
    library = compiled_here(source, tmp_path, *WATCHED)
    for rule, cases in NUMBERS:
        function = library[f"out_{rule.__name__}"]
        function.restype = ctypes.c_int64
        for case in cases:
            assert function(*case) == rule(*case), (rule.__name__, case)


@needs_compiler
def test_the_order_of_evaluation_is_that_of_python(tmp_path: Path) -> None:
    tried = [rules.in_order, rules.arguments_in_order, rules.wide_sum]
    source, _ = entries(tried, [(SHELF,)] * 3)
    library = compiled_here(source, tmp_path, *WATCHED)
    for rule in tried:
        function = library[f"out_{rule.__name__}"]
        function.restype = ctypes.c_int64
        there = record_of(shelf())
        assert function(there.ctypes.data_as(ctypes.c_void_p)) == rule(shelf()), rule.__name__


@needs_compiler
def test_unsigned_fields_can_be_subtracted(tmp_path: Path) -> None:
    source, _ = entries([rules.unsigned_difference], [(SHELF, I64)])
    library = compiled_here(source, tmp_path, *WATCHED)
    there = record_of(shelf(small=2))
    function = library.out_unsigned_difference
    function.restype = ctypes.c_int64
    assert function(there.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(5)) == -3


@needs_compiler
def test_quotients_are_exactly_rounded(tmp_path: Path) -> None:
    """For all numbers of 8 and 16 bits and all divisors of observations."""
    made = Translation(Program("shelf", rules.Shelf, (rules.floored,)))
    call = """
extern "C" int64_t differing(int32_t least, int32_t most, int32_t by) {
    volatile float divisor = (float)by, one = 1.0f;
    int64_t found = 0;
    for (int32_t number = least; number <= most; number++) {
        volatile float plain = (float)number / divisor;
        found += share_of((float)number, (float)by, one / divisor) != plain;
    }
    return found;
}
"""
    library = compiled_here("\n".join([made.head(), call]), tmp_path)
    library.differing.restype = ctypes.c_int64
    for by in (3, 7, 22, 24, 25, 48, 81, 100, 324, 601):
        assert library.differing(-(2**15), 2**16 - 1, by) == 0
    for by in range(1, 512):
        assert library.differing(-600, 600, by) == 0


@needs_compiler
def test_a_view_stores_only_changed_fields(tmp_path: Path) -> None:
    program = Program("shelf", rules.Shelf, (rules.shown, rules.all_seen))
    made = Translation(program, veil=rules.shown)
    assert made.public == {"count", "small", "words", "grid"}
    view = Record(VIEW)
    shown = made.entry(rules.shown, (SHELF, I32, view))
    seen = made.entry(rules.all_seen, (view,))
    call = (
        'extern "C" int64_t look(Shelf* s, int32_t seat) { View view{{*s}}; '
        f"{shown.name}(s, seat, &view); return {seen.name}(&view); }}"
    )
    library = compiled_here("\n".join([made.head(), made.source(), call]), tmp_path, *WATCHED)
    library.look.restype = ctypes.c_int64
    for seat in range(4):
        whole = rules.Shelf()
        rules.shown(shelf(), seat, whole)
        there = record_of(shelf())
        found = library.look(there.ctypes.data_as(ctypes.c_void_p), seat)
        assert found == rules.all_seen(whole)


def test_public_fields_of_a_view_are_read_only() -> None:
    made = Translation(
        Program("shelf", rules.Shelf, (rules.shown, rules.spoiling)), veil=rules.shown
    )
    with pytest.raises(TranslationError, match=r"spoiling.*public in a view.*s\.count"):
        made.entry(rules.spoiling, (Record(VIEW),))


def test_an_order_that_cpp_cannot_express_is_refused() -> None:
    made = Translation(Program("shelf", rules.Shelf, (rules.conditional_order,)))
    with pytest.raises(TranslationError, match=r"conditional_order: the order of calls"):
        made.entry(rules.conditional_order, (SHELF,))


@pytest.mark.parametrize("definition", list(games()), ids=lambda definition: str(definition.name))
def test_games_hide_few_fields(definition: Any) -> None:
    """Otherwise views are as large as states, and slow on a GPU."""
    recall = definition.recall or definition.view
    hidden = {f for f in definition.state.__dataclass_fields__} - public_fields(recall)
    assert 0 < len(hidden) <= 4, hidden
