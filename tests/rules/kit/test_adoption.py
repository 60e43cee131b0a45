"""Shared rules as games have them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pytest

from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.hex_sea import own
from archipel.rules.kit import Program, array, rule, state
from archipel.rules.kit.adoption import Adoption, AdoptionError, copies_of
from archipel.rules.kit.compiling import CHECKED, compile_program
from archipel.rules.kit.loading import can_compile
from archipel.rules.kit.marking import AnyRule, is_apart, is_rule
from archipel.rules.kit.program import globals_used
from tests.rules.kit import open_names
from tests.rules.kit.counting_rules import step, step_all, total


@state
@dataclass(slots=True)
class Counters:
    counters: list[int] = array("i1", 3)


@rule
def no_bonus(s: Counters, index: int) -> int:
    return 0


@rule
def place_as_bonus(s: Counters, index: int) -> int:
    return index


FEW = Adoption(open_names, {"STEPS": [1, 2, 3], "LIMIT": 2, "bonus": no_bonus})
MANY = Adoption(open_names, {"STEPS": [5, 5, 5], "LIMIT": 100}).and_also(bonus=place_as_bonus)

step_few = FEW(step_all)
step_many = MANY(step_all)


def test_each_game_has_its_own_names_in_the_same_rule() -> None:
    few, many = Counters(), Counters()
    assert (step_few(few), step_few(few)) == (5, 6)
    assert (step_many(many), step_many(many)) == (18, 36)
    assert (few.counters, many.counters) == ([2, 2, 2], [10, 12, 14])


def test_a_rule_with_nothing_open_is_the_same_for_all() -> None:
    assert FEW(total) is MANY(total) is total


def test_a_copy_is_made_once() -> None:
    assert FEW(step_all) is step_few
    assert FEW.and_also(LIMIT=2)(step) is FEW(step)
    assert step_few is not step_many
    assert {step_few, step_many} <= set(copies_of(step_all))
    assert copies_of(total) == ()


def test_a_copy_is_a_rule_like_the_one_it_is_of() -> None:
    for copy, original in ((step_few, step_all), (FEW(step), step)):
        assert is_rule(copy)
        assert is_apart(copy) == is_apart(original)
        assert copy.__name__ == original.__name__
        assert copy.__doc__ == original.__doc__
        assert copy.__code__ is original.__code__


def test_what_is_still_open_is_named() -> None:
    with pytest.raises(AdoptionError, match="rule step needs STEPS, which is still open"):
        Adoption(open_names, {"LIMIT": 2})(step_all)
    with pytest.raises(AdoptionError, match="leaves no SPEED open"):
        Adoption(open_names, {"SPEED": 2})
    with pytest.raises(NotImplementedError):
        open_names.bonus(Counters(), 0)


@pytest.mark.parametrize("entry", [step_few, step_many], ids=["few", "many"])
def test_compiled_like_interpreted(entry: AnyRule) -> None:
    if not can_compile():
        pytest.skip("NUMBA IS NOT INSTALLED: nothing was compiled")
    plain = Counters()
    compiled = compile_program(Program("counters", Counters, (entry,)), CHECKED)
    states = compiled.states(1)
    for _ in range(3):
        assert getattr(compiled, entry.__name__)(states[0]) == entry(plain)
    assert compiled.read(states, 0) == plain


@pytest.mark.parametrize("definition", list(games()), ids=lambda definition: definition.name)
def test_no_game_plays_by_a_placeholder(definition: Definition[Any]) -> None:
    entries: list[AnyRule] = [definition.apply, definition.legal, definition.set_up]
    entries += [definition.fault, definition.view, definition.deal_unseen]
    entries += [definition.score, definition.rank]
    for function in Program(definition.name, definition.state, tuple(entries)).rules():
        if function.__globals__ is sys.modules[function.__module__].__dict__:
            if function.__module__.startswith("archipel.rules.hex_sea"):
                for name, value in globals_used(function):
                    assert vars(own).get(name, definition) is not value, (
                        f"{function.__name__} was not adopted: {name} is open"
                    )
