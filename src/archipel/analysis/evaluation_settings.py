"""How the analysis of each game evaluates positions: rollout policy, budget and calibration.

The displayed chances are calibrated against the outcomes of self-play games
(`archipel.study.fitting.calibrate` fits the corrections).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct, convert, field
from msgspec.structs import astuple

from archipel.analysis.arithmetic import Correction
from archipel.bots.contract import Roster
from archipel.bots.engine.engine_program import engine_config
from archipel.bots.search.config import SearchConfig


class Evaluation(Struct, frozen=True):
    """The rollout policy, and when rollouts are cut and evaluated (see `bots.search.config`)."""

    policy: str
    horizon: int = 0
    weights: str = field(default="", name="appraisal")
    """Version of the evaluation weights. Reports keep its former name."""

    def config(self) -> SearchConfig:
        return SearchConfig(
            1, policy=self.policy, horizon=self.horizon, evaluation=self.weights, prior_weight=0.0
        )


class Evaluations(Struct, frozen=True):
    """How decisions and positions are evaluated.

    Candidates are compared by short rollouts with an evaluation at the cut: fast, with low
    variance. Positions are played to the end, because an evaluation gives the same game another
    value one turn later, and that difference would be counted as luck.
    """

    decision: Evaluation
    position: Evaluation


class Corrections(Struct, frozen=True):
    """The calibrations of both evaluations."""

    decision: Correction = Correction()
    position: Correction = Correction()


class Budget(Struct, frozen=True):
    """How many worlds each measurement uses."""

    selection: int
    """Per candidate in the first round of selecting the best."""
    measure: int
    """For the played turn and the best other turn."""
    position: int
    """Per point of the timeline."""

    def times(self, factor: float) -> Budget:
        return Budget(*(max(2, round(factor * worlds)) for worlds in astuple(self)))


@cache
def _data(name: str) -> Any:
    file = files("archipel.analysis") / "data" / name
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def evaluations_of(roster: Roster) -> Evaluations:
    """Return the evaluations of a game: the policy and weights of its engine.

    A game without an engine is played to the end by the last of its bots.
    """
    if not roster.levels:
        to_the_end = Evaluation(roster.bots[-1].name)
        return Evaluations(to_the_end, to_the_end)
    config = engine_config(roster)
    horizon = _data("evaluation.json")["horizons"].get(roster.definition.name, config.horizon)
    decision = Evaluation(config.policy, horizon, config.evaluation)
    return Evaluations(decision, Evaluation(config.policy))


def version_of(evaluations: Evaluations) -> str:
    """The label of an evaluation. A correction applies only to chances with the same label."""
    by = evaluations.decision
    # Recorded games and corrections have the former name of the weights.
    weights = by.weights.replace("evaluation_", "appraisal_")
    return f"{_data('evaluation.json')['version']} {by.policy} {by.horizon} {weights}".strip()


def usual_budget() -> Budget:
    return convert(_data("evaluation.json")["budget"], Budget)


def corrections_of(roster: Roster, seats: int) -> Corrections:
    """Return the calibrations of a game; the identity if none were fitted."""
    found: Mapping[str, Any] = _data(f"correction.{roster.definition.name}.json")
    if found.get("evaluation") != version_of(evaluations_of(roster)):
        return Corrections()
    return convert(found["seats"].get(str(seats), {}), Corrections)
