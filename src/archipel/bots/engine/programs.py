"""The engine of each game as a program."""

from __future__ import annotations

from functools import cache

from archipel.bots.all_bots import roster_of
from archipel.bots.contract import Roster
from archipel.bots.engine import own
from archipel.bots.engine.kernel import begin_thinking, choose_as_policy, tell
from archipel.bots.playout_kernel import play_on
from archipel.bots.search.kernel import explore, halve
from archipel.bots.search.plan import Plan
from archipel.bots.weighing import begin_weighing, weigh
from archipel.rules import slots
from archipel.rules.kit import Program
from archipel.rules.kit.adoption import Adoption
from archipel.rules.kit.marking import apart

#: Rules of the game that the engine calls from several places: one copy of each will do.
SHARED = (slots.legal, slots.apply, slots.deal_unseen, slots.view, slots.recall, slots.rank)

#: Rules of the game that can be called one by one.
RULES = (*SHARED[:4], slots.to_move, slots.rank, slots.score)


def engine_plan(roster: Roster) -> Plan:
    """How the engine thinks: as the strongest level does, for as long as it is let."""
    return roster.levels[-1].plan


@cache
def engine_program(game: str) -> Program:
    """The engine of a game that has levels, as another process can find it too."""
    roster = roster_of(game)
    definition = roster.definition
    adopt = _adoption(roster)
    bindings = {**definition.bindings(), **roster.bindings}
    bindings |= {each: apart(bindings[each]) for each in SHARED}
    bindings[slots.choose] = apart(adopt(choose_as_policy))
    beginnings = (adopt(begin_thinking), adopt(begin_weighing))
    entries = (*beginnings, explore, halve, tell, weigh, play_on, *RULES)
    return Program(definition.name, definition.state, entries, bindings)


def _adoption(roster: Roster) -> Adoption:
    plan = engine_plan(roster)
    most = roster.definition.seats[-1]
    known = {seats: roster.weights(plan.appraisal, seats) for seats in roster.definition.seats}
    features = max(len(weights) for weights in known.values())
    nothing = (0.0,) * max(1, features)
    return Adoption(
        own,
        {
            **{name.upper(): roster.number_of(bot) for name, bot in plan.bots().items()},
            "HORIZON": plan.horizon,
            "DEPTH": plan.depth,
            "RIVALS": int(plan.rivals),
            "BY_HABIT": int(plan.habit),
            "SHORTLIST": plan.shortlist,
            "EXPLORE": plan.explore,
            "WIDEN": plan.widen,
            "TRUST": plan.trust,
            "MARGIN": plan.margin,
            "SCALE": plan.scale,
            "SURE": plan.sure,
            "FEATURES": features,
            "WEIGHTS": [list(known.get(seats) or nothing) for seats in range(most + 1)],
            "any_bot": roster.choose,
        },
    )
