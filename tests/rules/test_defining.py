"""`define` finds the parts of a game in modules named by convention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from archipel.rules import course
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition
from archipel.rules.deep_sea import definition, narration, round_end, state, turn
from archipel.rules.deep_sea.state import State
from archipel.rules.defining import DefinitionError, define
from archipel.rules.metrics import Metrics
from archipel.rules.the_island import knowledge

OWN: dict[str, Any] = {"end": "round_end", "question": "narration"}


def defined(**modules: Any) -> Definition[State]:
    return define("trial", definition.__name__, State, **{**OWN, **modules})


def test_parts_are_found_by_convention() -> None:
    game = defined()
    assert game.name == "trial"
    assert game.package == "archipel.rules.deep_sea"
    assert game.seats == range(2, 7)
    assert game.legal is turn.legal
    assert game.to_move is state.seat_to_move
    assert game.blank is definition.blank


def test_a_game_may_name_other_modules() -> None:
    game = defined(question=("turn", "narration"))
    assert game.score is round_end.score
    assert game.question is narration.question


def test_optional_parts() -> None:
    assert defined().goals == ("home",)
    assert defined(goals="turn").goals == ()
    assert defined().recall is None
    assert game_named("the-island").recall is knowledge.recall


def test_former_names_work_and_warn() -> None:
    with pytest.warns(DeprecationWarning, match="goals="):
        assert defined(hopes="turn").goals == ()
    with pytest.warns(DeprecationWarning, match=r"Definition.hopes is now Definition.goals"):
        assert defined().hopes == ("home",)
    with pytest.warns(DeprecationWarning, match=r"archipel.rules.metrics.Metrics"):
        assert course.Course is Metrics
    with pytest.warns(DeprecationWarning, match=r"state.DIVE is now .*state.Action.DIVE"):
        assert state.DIVE == state.Action.DIVE  # type: ignore[attr-defined]


def test_missing_parts_are_named() -> None:
    with pytest.raises(DefinitionError, match=r"^trial: there is no module .*deep_sea\.end$"):
        defined(end="end")
    with pytest.raises(DefinitionError, match=r"^trial: archipel.rules.deep_sea.turn has no narr"):
        defined(narration="turn")
    with pytest.raises(DefinitionError, match=r"deep_sea.turn or archipel.*setup has no score$"):
        defined(end=("turn", "setup"))
    with pytest.raises(DefinitionError, match=r"^trial: the convention knows no module ending$"):
        defined(ending="round_end")


def test_another_state_class_is_refused() -> None:
    @dataclass
    class Other:
        seats: int = 0

    with pytest.raises(DefinitionError, match="is not the state given"):
        define("trial", definition.__name__, Other, **OWN)


def test_import_errors_of_other_modules_pass_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def import_module(name: str) -> object:
        raise ModuleNotFoundError(name="numpy")

    monkeypatch.setattr("archipel.rules.defining.import_module", import_module)
    with pytest.raises(ModuleNotFoundError):
        defined()
