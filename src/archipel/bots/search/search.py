"""Search one decision from a view, in slices, on several cores where there are any."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from archipel.bots.all_bots import roster_of
from archipel.bots.contract import Roster
from archipel.bots.search.config import SearchConfig, get_field, set_field
from archipel.bots.search.search_state import (
    MOST_CANDIDATES,
    MOST_FEATURES,
    MOST_SEATS,
    SearchState,
)
from archipel.bots.search.seq_halving import ROOT, STATES, SequentialHalving, conclude, halve
from archipel.bots.search.tree_reuse import Subtree, subtree_after
from archipel.frames import Tabular
from archipel.rules.kit import Program
from archipel.rules.kit.core.loading import Warming, load_backend
from archipel.rules.kit.core.program import Backend

#: Target duration of a slice of compiled work, which is also the latency of a stop.
SLICE_SECONDS = 0.004
FIRST_SLICE = 4
LARGEST_SLICE = 4096


@dataclass(frozen=True)
class Candidate:
    """The search statistics of one action."""

    action: int
    visits: int
    chance: float
    """Estimated win probability; a shared first place counts in shares."""
    error: float
    """Standard error of the mean reward; 0 without visits."""
    reward: float
    """Mean reward: the win probability, mixed with the margin where the settings say so."""


@dataclass(frozen=True)
class SearchResult(Tabular):
    """The outcome of a search; the best candidate first."""

    action: int
    candidates: tuple[Candidate, ...]
    simulations: int
    complete: bool
    """False if the search was stopped before it spent its budget."""
    subtree: Subtree | None = None
    """Statistics of the seat's next decision, if it follows at once: pass them to the next
    `Searcher.search`."""

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per candidate."""
        return [asdict(candidate) for candidate in self.candidates]


def search_entries(roster: Roster) -> Program:
    search = SequentialHalving(roster.definition.rules, roster.rules)
    return roster.definition.program(search.begin, search.explore, halve, conclude)


@cache
def search_program(game: str) -> Program:
    """The search program of a game, importable by name from another process."""
    return search_entries(roster_of(game))


@cache
def search_backend(game: str) -> Backend:
    """The search of a game, compiled if possible; the first call may compile for a minute."""
    return load_backend(search_program(game))


def warm_search(game: str) -> Warming:
    """A search that starts interpreted and switches to compiled code when it is ready."""
    return Warming(search_program(game), f"{__name__}:{search_program.__name__}", game)


class Searcher:
    """Searches decisions of one game with fixed settings.

    Searches one decision at a time; make several searchers to search several at once.
    """

    def __init__(self, roster: Roster, config: SearchConfig, backend: Backend) -> None:
        definition = roster.definition
        if definition.most_legal > MOST_CANDIDATES or definition.seats[-1] > MOST_SEATS:
            raise ValueError(f"{definition.name} is too large to be searched")
        self.config = config
        self._roster = roster
        self._definition = definition
        self._backend = backend
        self._threads = backend.records(SearchState, config.threads)
        self._buffers = [Buffers(backend, definition.most_legal) for _ in range(config.threads)]
        self._seats = 0

    def search(
        self,
        view: Any,
        *,
        seed: int,
        cores: int = 1,
        milliseconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        subtree: Subtree | None = None,
    ) -> SearchResult:
        """Search the decision of the seat to move in its view.

        Equal view, seed and subtree give an equal result on any number of cores, unless the search
        runs out of ``milliseconds`` or ``stop`` returns True: then the result is the best so far.
        """
        legal = self._definition.legal_actions(view)
        if len(legal) == 1:
            only = Candidate(legal[0], 0, 0.0, 0.0, 0.0)
            return SearchResult(legal[0], (only,), 0, complete=True)
        end = None if milliseconds is None else time.monotonic() + milliseconds / 1000

        def is_over() -> bool:
            late = end is not None and time.monotonic() >= end
            return late or (stop is not None and stop())

        self._begin(view, seed % 2**64)
        count = self.config.threads
        if subtree is not None and subtree.view == view:
            subtree.add_to(self._threads, count)
        workers = min(cores, count) if self._backend.compiled else 1
        complete = True
        with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
            while complete:
                if pool is None:
                    done = [self._run_round(k, is_over) for k in range(count)]
                else:
                    work = [pool.submit(self._run_round, k, is_over) for k in range(count)]
                    done = [future.result() for future in work]
                complete = all(done)
                if not self._backend.halve(self._threads, count):
                    break
        return self._result(view, complete)

    def _begin(self, view: Any, seed: int) -> None:
        seats = self._definition.read_options(view).seats
        if seats != self._seats:
            self._seats = seats
            weights = self._roster.evaluation(self.config.evaluation, seats)
            self.config.write(self._threads, self._roster.number_of, weights)
        for thread in range(self.config.threads):
            set_field(self._threads[thread], "seed", seed)
            set_field(self._threads[thread], "seats", seats)
            self._backend.write(self._buffers[thread].states, ROOT, view)
        lead = self._buffers[0]
        self._backend.begin(
            lead.states, lead.actions, self._threads, self.config.threads, lead.choices
        )

    def _run_round(self, thread: int, is_over: Callable[[], bool]) -> bool:
        """Run a thread's share of the round; False if it was interrupted."""
        buffers, count = self._buffers[thread], self.config.threads
        slice_size = FIRST_SLICE if self._backend.compiled else 1
        t = self._threads[thread]
        first = thread == 0 and not any(get_field(t, "visits")[: int(get_field(t, "count"))])
        while True:
            if is_over() and not first:
                return False
            first = False
            begun = time.perf_counter()
            made = self._backend.explore(
                *buffers.memory, self._threads, thread, count, *buffers.streams, slice_size
            )
            if made < slice_size:
                return True
            if self._backend.compiled:
                took = max(1e-6, time.perf_counter() - begun)
                slice_size = max(1, min(LARGEST_SLICE, round(slice_size * SLICE_SECONDS / took)))

    def _result(self, view: Any, complete: bool) -> SearchResult:
        lead, threads = self._threads[0], self.config.threads
        chosen = self._backend.conclude(self._threads, threads, self._buffers[0].choices)
        count = int(get_field(lead, "count"))
        order = [int(number) for number in get_field(lead, "order")[:count]]
        candidates = tuple(self._candidate(number) for number in order)
        action = int(get_field(lead, "candidate")[chosen])
        simulations = sum(candidate.visits for candidate in candidates)
        below = subtree_after(self._definition, view, action, self._threads, threads, chosen)
        return SearchResult(action, candidates, simulations, complete, below)

    def _candidate(self, number: int) -> Candidate:
        visits = int(sum(self._column("visits", number)))
        action = int(get_field(self._threads[0], "candidate")[number])
        if visits == 0:
            return Candidate(action, 0, 0.0, 0.0, 0.0)
        reward = sum(self._column("worth", number)) / visits
        variance = max(0.0, sum(self._column("squares", number)) / visits - reward * reward)
        return Candidate(
            action=action,
            visits=visits,
            chance=sum(self._column("won", number)) / visits,
            error=(variance / visits) ** 0.5,
            reward=reward,
        )

    def _column(self, name: str, number: int) -> Iterator[float]:
        for thread in range(self.config.threads):
            yield get_field(self._threads[thread], name)[number].__float__()


class Buffers:
    """The memory that one search thread works in."""

    def __init__(self, backend: Backend, most_legal: int) -> None:
        self.states = backend.states(STATES)
        self.actions = backend.numbers(most_legal)
        self.features = backend.fractions(MOST_FEATURES)
        self.chance, self.choices = backend.stream(0), backend.stream(0)
        self.memory = self.states, self.actions, self.features
        self.streams = self.chance, self.choices
