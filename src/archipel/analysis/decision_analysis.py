"""Evaluate the candidates of one decision by paired rollouts.

The best candidate is selected in one set of worlds and its advantage is measured in another. With
one set for both, the best of many would look better than it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from archipel.analysis import arithmetic
from archipel.analysis.arithmetic import Correction, DecisionMeasure, RolloutSums
from archipel.analysis.evaluation_settings import Evaluation
from archipel.bots import roster_of
from archipel.bots.contract import Roster
from archipel.bots.search.config import get_field, set_field
from archipel.bots.search.search import Buffers
from archipel.bots.search.search_state import MOST_CANDIDATES, MOST_SEATS, SearchState
from archipel.bots.search.seq_halving import PARTS, ROOT, SequentialHalving
from archipel.rules.kit import Program
from archipel.rules.kit.core.program import Backend


class PairedRollouts:
    """Evaluates positions and candidates by rollouts in common worlds.

    Equal seeds give equal sums on every machine.
    """

    def __init__(
        self, roster: Roster, evaluation: Evaluation, seats: int, backend: Backend
    ) -> None:
        definition = roster.definition
        if definition.most_legal > MOST_CANDIDATES or seats > MOST_SEATS:
            raise ValueError(f"{definition.name} is too large to be evaluated")
        self._definition = definition
        self._seats = seats
        self._backend = backend
        self._threads = backend.records(SearchState, 1)
        self._buffers = Buffers(backend, definition.most_legal)
        weights = roster.weights(evaluation.weights, seats)
        evaluation.config().write(self._threads, roster.number_of, weights)
        set_field(self._threads[0], "seats", seats)

    def begin(self, view: Any, seed: int) -> tuple[list[int], int]:
        """Return the candidates in a view, and the number of the policy's choice among them."""
        lead, buffers = self._threads[0], self._buffers
        self._start_from(view, seed)
        self._backend.begin(buffers.states, buffers.actions, self._threads, 1, buffers.choices)
        candidates = get_field(lead, "candidate")[: int(get_field(lead, "count"))]
        return [int(action) for action in candidates], int(get_field(lead, "advice"))

    def evaluate(
        self, root: Any, seed: int, numbers: Sequence[int], first: int, worlds: int
    ) -> list[RolloutSums]:
        """Evaluate candidates of the view passed to `begin`, in worlds of a view or a position."""
        self._start_from(root, seed)
        count, seats, buffers = len(numbers), self._seats, self._buffers
        wanted = self._backend.numbers(count)
        for place, number in enumerate(numbers):
            wanted[place] = number
        sums = self._backend.fractions(count + 1, PARTS * seats)
        memory, streams = buffers.memory, buffers.streams
        self._backend.evaluate_candidates(
            *memory, self._threads, wanted, count, *streams, first, worlds, sums
        )
        found = []
        for row in ([float(value) for value in each] for each in sums[:count]):
            parts = (row[part * seats : (part + 1) * seats] for part in range(PARTS))
            found.append(RolloutSums(worlds, *parts))
        return found

    def _start_from(self, state: Any, seed: int) -> None:
        set_field(self._threads[0], "seed", seed)
        self._backend.write(self._buffers.states, ROOT, state)


@dataclass
class DecisionEvaluation:
    """A decision of the game, and what is known about its candidates so far."""

    number: int
    seat: int
    view: Any
    played: int
    seed: int
    goes_on: bool
    actions: list[int] = field(default_factory=list)
    advice: int = 0
    best: int = 0
    chosen_in: int = 0
    choice: dict[int, RolloutSums] = field(default_factory=dict)
    """By number of candidate, in the worlds of the selection."""
    measured: dict[int, RolloutSums] = field(default_factory=dict)
    """In fresh worlds: the played candidate, the policy's choice and the best."""

    def choose(self, rollouts: PairedRollouts, worlds: int) -> None:
        """Select the best candidate by sequential halving, doubling the worlds in each round."""
        self.actions, self.advice = rollouts.begin(self.view, self.seed)
        mine = self.actions.index(self.played)
        racing = list(range(len(self.actions)))
        while True:
            found = rollouts.evaluate(self.view, self.seed, racing, self.chosen_in, worlds)
            _add_all(self.choice, racing, found)
            self.chosen_in += worlds
            means = [self.choice[number].mean(self.seat) for number in range(len(self.actions))]
            racing = arithmetic.ranked(racing, means)
            if len(racing) <= arithmetic.FINALISTS:
                break
            racing = arithmetic.better_half(racing)
            worlds *= 2
        # A candidate that is level with the best counts as the best if it was played.
        best = mine if means[racing[0]] <= means[mine] else racing[0]
        if best != self.best:
            self.measured.clear()
        self.best = best

    def measure(self, rollouts: PairedRollouts, worlds: int) -> None:
        """Evaluate the candidates that matter in more fresh worlds."""
        # The played candidate comes first: differences are measured from it.
        numbers = list(dict.fromkeys((self.actions.index(self.played), self.advice, self.best)))
        if len(numbers) == 1:
            return
        rollouts.begin(self.view, self.seed)
        first = arithmetic.FRESH_WORLDS + (self.measured[numbers[0]].worlds if self.measured else 0)
        found = rollouts.evaluate(self.view, self.seed, numbers, first, worlds)
        _add_all(self.measured, numbers, found)

    def result(self, correction: Correction) -> DecisionMeasure:
        """Return the advantage of the best candidate, and the effect of the decision."""
        mine = self.actions.index(self.played)
        seats = len(self.choice[mine].shares)
        blank = arithmetic.unmeasured(self.number, self.seat, seats, self.goes_on)
        if not self.measured:
            return blank
        return arithmetic.measured(
            blank, correction, *(self.measured[k] for k in (mine, self.best, self.advice))
        )

    def ranked(self) -> list[tuple[int, RolloutSums]]:
        """All candidates with their best estimate: the best first, then by number of worlds."""
        found = {**self.choice, **self.measured}
        order = sorted(
            found, key=lambda k: (k != self.best, -found[k].worlds, -found[k].mean(self.seat), k)
        )
        return [(self.actions[number], found[number]) for number in order]


def _add_all(
    known: dict[int, RolloutSums], numbers: Sequence[int], found: Sequence[RolloutSums]
) -> None:
    for number, sums in zip(numbers, found, strict=True):
        known[number] = known[number] + sums if number in known else sums


@cache
def analysis_program(game: str) -> Program:
    """The rollout program of a game, importable by name from another process."""
    roster = roster_of(game)
    rollouts = SequentialHalving(roster.definition.rules, roster.rules)
    return roster.definition.program(rollouts.begin, rollouts.evaluate_candidates)
