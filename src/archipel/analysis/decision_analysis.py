"""Evaluate candidates and positions by rollouts in common worlds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from archipel.analysis import arithmetic
from archipel.analysis.arithmetic import BatchSums, RolloutSums
from archipel.analysis.evaluation_settings import Evaluation
from archipel.bots import roster_of
from archipel.bots.contract import Roster
from archipel.bots.rollouts import NONE, STATES, VIEW, WIN, Rollouts
from archipel.bots.search.config import get_field, set_field
from archipel.bots.search.search import Buffers
from archipel.bots.search.search_state import MOST_CANDIDATES, MOST_SEATS, SearchState
from archipel.bots.search.seq_halving import PARTS, ROOT, SequentialHalving
from archipel.rules.kit import Program
from archipel.rules.kit.core.program import Backend
from archipel.rules.play_out import MAX_DECISIONS


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
        weights = roster.evaluation(evaluation.weights, seats)
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

    def evaluate_last(
        self, view: Any, seed: int, action: int, first: int, worlds: int
    ) -> BatchSums:
        """Evaluate one action in worlds of a view, by batch."""
        actions, _ = self.begin(view, seed)
        number, size = actions.index(action), batch_size(worlds)
        starts = (first + batch * size for batch in range(arithmetic.BATCHES))
        found = (self.evaluate(view, seed, [number], start, size)[0] for start in starts)
        return BatchSums(size, [sums.shares for sums in found])

    def _start_from(self, state: Any, seed: int) -> None:
        set_field(self._threads[0], "seed", seed)
        self._backend.write(self._buffers.states, ROOT, state)


class PositionRollouts:
    """Rollouts to the end of the game with the policy in every seat, from partly known positions.

    All positions are evaluated with the same random numbers, so that their differences are known
    better than their values.
    """

    def __init__(
        self, roster: Roster, evaluation: Evaluation, seats: int, backend: Backend
    ) -> None:
        self._seats = seats
        self._backend = backend
        self._states = backend.states(STATES)
        self._given = (
            backend.numbers(roster.definition.most_legal),
            roster.number_of(evaluation.policy),
        )
        self._streams = backend.stream(0), backend.stream(0)
        self._unused = backend.numbers(1, seats)

    def evaluate(self, position: Any, seed: int, worlds: int, opening: int = NONE) -> BatchSums:
        """Evaluate a position, in which the seat to move starts with ``opening``, if given."""
        self._backend.write(self._states, VIEW, position)
        size = batch_size(worlds)
        shares: list[list[float]] = []
        for batch in range(arithmetic.BATCHES):
            counts = self._backend.numbers(1, self._seats)
            limits = self._seats, 0, MAX_DECISIONS, seed, batch * size, size
            self._backend.roll_out(
                self._states, *self._given, opening, *self._streams, *limits, self._unused, counts
            )
            shares.append([int(count) / WIN for count in counts[0]])
        return BatchSums(size, shares)


def batch_size(worlds: int) -> int:
    """The number of worlds in each batch."""
    return max(1, round(worlds / arithmetic.BATCHES))


@cache
def analysis_program(game: str) -> Program:
    """The rollout program of a game, importable by name from another process."""
    roster = roster_of(game)
    rules, bots = roster.definition.rules, roster.rules
    paired = SequentialHalving(rules, bots)
    return roster.definition.program(
        paired.begin, paired.evaluate_candidates, Rollouts(rules, bots).roll_out
    )
