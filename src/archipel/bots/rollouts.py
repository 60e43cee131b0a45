"""Rollouts for any game: one bot plays every seat to the end, in worlds sampled from a view.

The results depend on the view alone, so nothing that the seat cannot know changes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from archipel.bots.all_bots import roster_of
from archipel.bots.contract import BotInfo, BotRules
from archipel.rules.game_rules import GOAL_OPEN, GOAL_REACHED, GameRules, GameState
from archipel.rules.kit import U64, Program, Stream, rule, stream_key
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.kit.core.program import Backend
from archipel.rules.play_out import MAX_DECISIONS

# The states that a rollout needs.
VIEW: Final = 0  # the given view
START: Final = 1  # a world sampled from it
PLAYED: Final = 2
SEEN: Final = 3
STATES: Final = 4

# Rows of the counts, one column per seat.
WINS: Final = 0
GOALS: Final = 1  # one row per goal

#: No opening action: the bot chooses.
NONE: Final = -1

#: The count of a first place: divisible by 1 to 10, so shares are exact.
WIN: Final = 2520


@dataclass(frozen=True)
class Rollouts:
    """Plays games to the end from a view, with a bot in every seat."""

    game: GameRules
    bots: BotRules

    @rule
    def roll_out(
        self,
        states: list[GameState],
        actions: list[int],
        bot: int,
        opening: int,
        chance: Stream,
        choices: Stream,
        seats: int,
        goals: int,
        most_decisions: int,
        seed: U64,
        first: int,
        rollouts: int,
        undecided: list[list[int]],
        counts: list[list[int]],
    ) -> None:
        """Add up the results of the rollouts of a seed from number ``first`` on.

        Each rollout has one random stream for its world and chance, and one for its bots. The
        first action is ``opening`` unless that is `NONE`. Nobody wins a rollout that does not end.
        ``undecided`` is a buffer with one number per goal and seat.
        """
        for rollout in range(first, first + rollouts):
            chance.key = stream_key(seed, rollout)
            chance.counter = 0
            choices_key = stream_key(chance.key, 1)
            copy_state(states, VIEW, START)
            self.game.deal_unseen(states[START], chance)
            copy_state(states, START, PLAYED)
            s = states[PLAYED]
            for goal in range(goals):
                for seat in range(seats):
                    undecided[goal][seat] = 1
            self.count_goals(s, states[START], seats, goals, undecided, counts)
            decisions = 0
            mover = self.game.to_move(s)
            while mover >= 0 and decisions < most_decisions:
                count = self.game.legal(s, actions)
                self.game.recall(s, mover, states[SEEN])
                choices.key = stream_key(choices_key, decisions)
                choices.counter = 0
                action = opening
                if decisions > 0 or opening == NONE:
                    action = self.bots.choose(states[SEEN], bot, actions, count, choices)
                self.game.apply(s, action, chance)
                decisions += 1
                self.count_goals(s, states[START], seats, goals, undecided, counts)
                mover = self.game.to_move(s)
            winners = 0
            for seat in range(seats):
                winners += 1 if mover < 0 and self.game.rank(s, seat) == 0 else 0
            for seat in range(seats):
                if winners > 0 and self.game.rank(s, seat) == 0:
                    counts[WINS][seat] += WIN // winners

    @rule
    def count_goals(
        self,
        s: GameState,
        start: GameState,
        seats: int,
        goals: int,
        undecided: list[list[int]],
        counts: list[list[int]],
    ) -> None:
        """Count the goals that a seat has reached, and drop those that are decided."""
        for goal in range(goals):
            for seat in range(seats):
                if undecided[goal][seat] != 0:
                    answer = self.game.goal_status(s, start, seat, goal)
                    if answer != GOAL_OPEN:
                        undecided[goal][seat] = 0
                    if answer == GOAL_REACHED:
                        counts[GOALS + goal][seat] += 1


@cache
def rollout_program(game: str) -> Program:
    """The rollout program of a game, importable by name from another process."""
    roster = roster_of(game)
    return roster.definition.program(Rollouts(roster.definition.rules, roster.rules).roll_out)


class RolloutRun:
    """Rollouts from a view with one bot in every seat, by a backend of `rollout_program`.

    ``counts`` has a row of wins (in parts of `WIN`) and one row per goal, by seat.
    """

    def __init__(
        self, backend: Backend, bot: BotInfo, view: Any, seed: int, opening: int = NONE
    ) -> None:
        definition = roster_of(bot.game).definition
        seats, goals = definition.read_options(view).seats, len(definition.goals)
        self._backend = backend
        self._states = backend.states(STATES)
        backend.write(self._states, VIEW, view)
        self._before = backend.numbers(definition.most_legal), bot.index, opening
        self._limits = backend.stream(0), backend.stream(0), seats, goals, MAX_DECISIONS, seed
        self._undecided = backend.numbers(GOALS + goals, seats)
        self.counts = backend.numbers(GOALS + goals, seats)
        self._done = 0

    def run(self, rollouts: int) -> None:
        """Make more rollouts."""
        which = *self._limits, self._done, rollouts
        self._backend.roll_out(self._states, *self._before, *which, self._undecided, self.counts)
        self._done += rollouts

    def final_state(self) -> Any:
        """A copy of the position at the end of the last rollout."""
        return self._backend.read(self._states, PLAYED)
