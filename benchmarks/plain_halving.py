"""The yardstick of searching players: plain halving over playouts of greedy, without appraisals.

Sequential halving of all candidates, each simulation played on by the policy in every seat, to the
end of the game or until so many decisions were taken: then what the seats lead by in points is all
that counts.  What the policy would choose has an advance of ``trust``, divided by the root of its
visits.  No tree, no shortlist, nobody leaves the race early.  When the simulations are spent the
search ends, even in the middle of the race.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from archipel.bots import Roster
from archipel.bots.search.kernel import (
    CHANCE,
    CHOICES,
    DEALING,
    DEALT,
    MOST_STEPS,
    ROOT,
    WORLD,
    begin,
    halve,
    note,
    options,
    play,
    use_stream,
)
from archipel.bots.search.plan import Plan, set_field
from archipel.bots.search.policy import ask
from archipel.bots.search.rewards import reward_ending, reward_prospects
from archipel.bots.search.searcher import Room
from archipel.bots.search.thinking import Thinking
from archipel.rules.kit import Stream
from archipel.rules.kit.copying import copy_state
from archipel.rules.kit.marking import rule_apart
from archipel.rules.kit.program import Backend
from archipel.rules.slots import GameState, deal_unseen, to_move


@dataclass(frozen=True)
class PlainHalving:
    """How it plays: what it may simulate, and what counts in the end."""

    simulations: int
    #: Decisions of the policy between several actions before a simulation is cut; 0: none is.
    cut: int = 0
    trust: float = 0.7
    margin: float = 0.0
    scale: float = 12.0

    def plan(self, policy: str) -> Plan:
        """As far as a plan can say it: a simulation is cut after turns there, not decisions."""
        return Plan(
            self.simulations, policy, trust=self.trust, margin=self.margin, scale=self.scale
        )


@rule_apart
def simulate_plainly(
    states: list[GameState],
    actions: list[int],
    features: list[float],
    t: Thinking,
    candidate: int,
    cut: int,
    chance: Stream,
    choices: Stream,
) -> None:
    """Play a candidate in the world at hand and let the policy play on."""
    s = states[WORLD]
    play(s, t.candidate[candidate], chance)
    mover = to_move(s)
    steps = 1
    asked = 0
    while mover >= 0 and steps < MOST_STEPS and (cut == 0 or asked < cut):
        count = options(s, actions)
        action = actions[0]
        if count > 1:
            action = ask(s, t.policy, actions, count, choices)
            asked += 1
        play(s, action, chance)
        steps += 1
        mover = to_move(s)
    if mover < 0:
        reward_ending(s, t)
    else:
        reward_prospects(s, t, features)
    note(t, candidate, 0)


@rule_apart
def decide_plainly(
    states: list[GameState],
    actions: list[int],
    features: list[float],
    strands: list[Thinking],
    cut: int,
    chance: Stream,
    choices: Stream,
) -> int:
    """The action for the view at ROOT, of which there are several. There is one strand."""
    begin(states, actions, strands, 1, choices)
    t = strands[0]
    spent = 0
    going_on = True
    while going_on:
        while t.world < t.until:
            use_stream(chance, t, t.world, DEALING)
            copy_state(states, ROOT, DEALT)
            deal_unseen(states[DEALT], chance)
            for place in range(t.alive):
                use_stream(chance, t, t.world, CHANCE)
                use_stream(choices, t, t.world, CHOICES)
                copy_state(states, DEALT, WORLD)
                simulate_plainly(states, actions, features, t, t.order[place], cut, chance, choices)
                spent += 1
            t.world += 1
        going_on = halve(strands, 1) and spent < t.simulations
    return t.candidate[t.order[0]]


class PlainPlayer:
    """Plain halving at a table; the backend has `decide_plainly` among its entries."""

    def __init__(self, roster: Roster, backend: Backend, how: PlainHalving, seats: int) -> None:
        self._backend, self._cut = backend, how.cut
        self._strands = backend.records(Thinking, 1)
        self._room = Room(backend, roster.definition.most_legal)
        policy = roster.named("greedy").name
        how.plan(policy).write(self._strands, roster.number_of, ())
        set_field(self._strands[0], "seats", seats)

    @property
    def record(self) -> Any:
        """What it noted about the candidates of its last decision."""
        return self._strands[0]

    def choose(self, seen: Any, actions: object, seed: int) -> int:
        set_field(self._strands[0], "seed", seed)
        room = self._room
        room.states[ROOT] = seen
        return int(
            self._backend.decide_plainly(
                room.states,
                room.actions,
                room.features,
                self._strands,
                self._cut,
                room.chance,
                room.choices,
            )
        )
