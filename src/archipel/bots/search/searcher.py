"""Thinking about one decision, from what the seat sees: in pieces, on threads if there are any."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from archipel.bots.contract import Roster
from archipel.bots.search.kept import Kept, keep
from archipel.bots.search.kernel import ROOT, STATES, begin, conclude, decide, explore, halve
from archipel.bots.search.plan import Plan, get_field, set_field
from archipel.bots.search.thinking import MOST_CANDIDATES, MOST_FEATURES, MOST_SEATS, Thinking
from archipel.rules.kit import Program
from archipel.rules.kit.program import Backend

#: How long a piece of work should take, compiled: whoever wants to stop it waits that long.
PIECE_SECONDS = 0.004
FIRST_PIECE = 4
MOST_IN_A_PIECE = 4096


@dataclass(frozen=True)
class Candidate:
    """What a search found out about an action."""

    action: int
    visits: int
    chance: float
    """Of winning, in shares of first place, as the search sees it."""
    error: float
    """The standard error of what was simulated; 0 where nothing was."""
    reward: float
    """What the search went by: the chance, and whatever else its plan counts."""


@dataclass(frozen=True)
class Thought:
    """The outcome of thinking about a decision; candidates with the best first."""

    action: int
    candidates: tuple[Candidate, ...]
    simulations: int
    complete: bool
    """False where it was stopped before its budget was spent."""
    kept: Kept | None = None
    """What it found out about the next decision, if that is the same seat's and nothing comes in
    between: give it to the next `Searcher.think`."""


def search_entries(roster: Roster) -> Program:
    """The rules of searching a game."""
    return roster.definition.program(begin, explore, halve, conclude, decide, extra=roster.bindings)


class Searcher:
    """Thinks about decisions of a game by a plan. One decision at a time, in one thread; for
    several at once make several."""

    def __init__(self, roster: Roster, plan: Plan, backend: Backend) -> None:
        definition = roster.definition
        if definition.most_legal > MOST_CANDIDATES or definition.seats[-1] > MOST_SEATS:
            raise ValueError(f"{definition.name} is too large to be searched")
        self.plan = plan
        self._roster = roster
        self._definition = definition
        self._backend = backend
        self._strands = backend.records(Thinking, plan.strands)
        self._rooms = [Room(backend, definition.most_legal) for _ in range(plan.strands)]
        self._seats = 0

    def think(
        self,
        view: Any,
        *,
        seed: int,
        threads: int = 1,
        milliseconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        kept: Kept | None = None,
    ) -> Thought:
        """What to do in a view of the seat to move.

        Equal view, seed and what was kept: equal thought, however many threads, unless it runs out
        of ``milliseconds`` or ``stop`` says so: then the best is taken of what was found so far.
        """
        legal = self._definition.legal_actions(view)
        if len(legal) == 1:
            only = Candidate(legal[0], 0, 0.0, 0.0, 0.0)
            return Thought(legal[0], (only,), 0, complete=True)
        end = None if milliseconds is None else time.monotonic() + milliseconds / 1000

        def is_over() -> bool:
            late = end is not None and time.monotonic() >= end
            return late or (stop is not None and stop())

        self._begin(view, seed % 2**64)
        if kept is not None and kept.view == view:
            kept.give(self._strands, self.plan.strands)
        workers = min(threads, self.plan.strands) if self._backend.compiled else 1
        complete = True
        with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
            while complete:
                if pool is None:
                    done = [self._go_through_round(k, is_over) for k in range(self.plan.strands)]
                else:
                    work = [
                        pool.submit(self._go_through_round, strand, is_over)
                        for strand in range(self.plan.strands)
                    ]
                    done = [future.result() for future in work]
                complete = all(done)
                if not self._backend.halve(self._strands, self.plan.strands):
                    break
        return self._thought(view, complete)

    def _begin(self, view: Any, seed: int) -> None:
        seats = self._definition.read_options(view).seats
        if seats != self._seats:
            self._seats = seats
            weights = self._roster.weights(self.plan.appraisal, seats)
            self.plan.write(self._strands, self._roster.number_of, weights)
        for strand in range(self.plan.strands):
            set_field(self._strands[strand], "seed", seed)
            set_field(self._strands[strand], "seats", seats)
            self._backend.write(self._rooms[strand].states, ROOT, view)
        room = self._rooms[0]
        self._backend.begin(
            room.states, room.actions, self._strands, self.plan.strands, room.choices
        )

    def _go_through_round(self, strand: int, is_over: Callable[[], bool]) -> bool:
        """A strand's part of the round; whether it was finished."""
        room = self._rooms[strand]
        piece = FIRST_PIECE if self._backend.compiled else 1
        first = strand == 0 and self._visits_of(strand) == 0
        while True:
            if is_over() and not first:
                return False
            first = False
            begun = time.perf_counter()
            made = self._backend.explore(
                room.states,
                room.actions,
                room.features,
                self._strands,
                strand,
                self.plan.strands,
                room.chance,
                room.choices,
                piece,
            )
            if made < piece:
                return True
            if self._backend.compiled:
                took = max(1e-6, time.perf_counter() - begun)
                piece = max(1, min(MOST_IN_A_PIECE, round(piece * PIECE_SECONDS / took)))

    def _visits_of(self, strand: int) -> int:
        t = self._strands[strand]
        return int(sum(get_field(t, "visits")[: int(get_field(t, "count"))]))

    def _thought(self, view: Any, complete: bool) -> Thought:
        lead = self._strands[0]
        chosen = self._backend.conclude(self._strands, self.plan.strands, self._rooms[0].choices)
        count = int(get_field(lead, "count"))
        order = [int(number) for number in get_field(lead, "order")[:count]]
        candidates = tuple(self._candidate(number) for number in order)
        action = int(get_field(lead, "candidate")[chosen])
        simulations = sum(candidate.visits for candidate in candidates)
        following = keep(self._definition, view, action, self._strands, self.plan.strands, chosen)
        return Thought(action, candidates, simulations, complete, following)

    def _candidate(self, number: int) -> Candidate:
        visits = int(sum(self._column("visits", number)))
        action = int(get_field(self._strands[0], "candidate")[number])
        if visits == 0:
            return Candidate(action, 0, 0.0, 0.0, 0.0)
        reward = sum(self._column("worth", number)) / visits
        spread = max(0.0, sum(self._column("squares", number)) / visits - reward * reward)
        return Candidate(
            action=action,
            visits=visits,
            chance=sum(self._column("won", number)) / visits,
            error=(spread / visits) ** 0.5,
            reward=reward,
        )

    def _column(self, name: str, number: int) -> Iterator[float]:
        for strand in range(self.plan.strands):
            yield get_field(self._strands[strand], name)[number].__float__()


class Room:
    """What a strand works in."""

    def __init__(self, backend: Backend, most_legal: int) -> None:
        self.states = backend.states(STATES)
        self.actions = backend.numbers(most_legal)
        self.features = backend.fractions(MOST_FEATURES)
        self.chance, self.choices = backend.stream(0), backend.stream(0)
