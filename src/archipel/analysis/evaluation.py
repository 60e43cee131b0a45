"""How positions are weighed in each game, and how often: data, of a version that never changes.

What is shown as a chance is the weighed one, corrected by what became of positions with such
chances (`archipel.study.calibrate` makes the corrections).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct, convert

from archipel.analysis.correction import Correction
from archipel.bots.contract import Roster
from archipel.bots.engine.programs import engine_plan
from archipel.bots.search.plan import Plan


class Evaluation(Struct, frozen=True):
    """Who plays on, and when a simulation is cut and appraised (see `bots.search.plan`)."""

    policy: str
    horizon: int = 0
    appraisal: str = ""

    def plan(self) -> Plan:
        return Plan(
            1, policy=self.policy, horizon=self.horizon, appraisal=self.appraisal, trust=0.0
        )


class Evaluations(Struct, frozen=True):
    """Candidates are compared by what is quick and varies little.  Positions are played to their
    end: what an appraisal thinks of the same game one turn later is not the same, and would be
    taken for luck."""

    decision: Evaluation
    position: Evaluation


class Corrections(Struct, frozen=True):
    """Of the chances that each evaluation gives."""

    decision: Correction = Correction()
    position: Correction = Correction()


class Budget(Struct, frozen=True):
    """How many worlds each thing is weighed in."""

    selection: int
    """For each candidate, in each round of choosing the best."""
    measure: int
    """For what was played, what the policy would have, and the best."""
    position: int
    """For each position of the course."""
    deals: int
    """Deals at the start, each weighed in a few worlds."""

    def times(self, factor: float) -> Budget:
        return Budget(
            *(max(2, round(factor * worlds)) for worlds in (self.selection, self.measure)),
            *(max(2, round(factor * worlds)) for worlds in (self.position, self.deals)),
        )


@cache
def _data(name: str) -> Any:
    file = files("archipel.analysis") / "data" / name
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def evaluations_of(roster: Roster) -> Evaluations:
    """The policy and the appraisal are those of the engine that a browser has.  A game without one
    is played to its end by the last of its bots."""
    if not roster.levels:
        to_the_end = Evaluation(roster.bots[-1].name)
        return Evaluations(to_the_end, to_the_end)
    plan = engine_plan(roster)
    horizon = _data("evaluation.json")["horizons"].get(roster.definition.name, plan.horizon)
    return Evaluations(Evaluation(plan.policy, horizon, plan.appraisal), Evaluation(plan.policy))


def version_of(evaluations: Evaluations) -> str:
    """What corrections belong to: chances of another evaluation would need others."""
    by = evaluations.decision
    return f"{_data('evaluation.json')['version']} {by.policy} {by.horizon} {by.appraisal}".strip()


def usual_budget() -> Budget:
    return convert(_data("evaluation.json")["budget"], Budget)


def corrections_of(roster: Roster, seats: int) -> Corrections:
    """The corrections of a game's chances; none where none were measured."""
    found: Mapping[str, Any] = _data(f"correction.{roster.definition.name}.json")
    if found.get("evaluation") != version_of(evaluations_of(roster)):
        return Corrections()
    return convert(found["seats"].get(str(seats), {}), Corrections)
