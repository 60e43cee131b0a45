"""Analysing a game: a coarse account first, then a finer one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from archipel.analysis.course import Course, course_of
from archipel.analysis.evaluation import (
    Budget,
    Corrections,
    Evaluations,
    corrections_of,
    evaluations_of,
    usual_budget,
)
from archipel.analysis.programs import analysis_program
from archipel.analysis.scales import Scales, Tally
from archipel.analysis.summing import (
    MISTAKE_LOSS,
    Chances,
    Measures,
    PositionMeasure,
    SeatSum,
    Summary,
    sum_up,
)
from archipel.analysis.weighed import Weighed
from archipel.bots import Roster, roster_of
from archipel.game import Game
from archipel.rules.contract import SPECTATOR
from archipel.rules.kit import Stream, stream_key
from archipel.rules.kit.loading import load_backend
from archipel.rules.kit.program import Backend

#: The coarse account is made with this part of the worlds.
COARSE = 1 / 8
#: What looks like a mistake is measured again, in so many times as many worlds.
CONFIRM = 4
#: Worlds for each deal at the start.
PER_DEAL = 4

# Streams of an analysis: one for each decision, one for each position, one for the deals.
DECISIONS = 0
POSITIONS = 1 << 20
DEALS = 1 << 40

OnStep = Callable[[int, int], None]


class NothingToAnalyse(ValueError):
    """A game in which nothing was played."""


@dataclass(frozen=True)
class Analysis:
    """What was found out about a game."""

    game: Game
    course: Course
    evaluations: Evaluations
    corrections: Corrections
    seed: int
    measures: Measures
    summary: Summary
    weighed: dict[int, Weighed]
    """The decisions that were decisions, by the number of their move."""

    @property
    def seats(self) -> list[SeatSum]:
        return self.summary.seats

    @property
    def mistakes(self) -> list[int]:
        return self.summary.mistakes


def analyse(
    game: Game,
    *,
    budget: Budget | None = None,
    seed: int = 1,
    backend: Backend | None = None,
    on_step: OnStep | None = None,
) -> Analysis:
    """The account of a game, as fine as the budget allows. Equal seeds: equal accounts.

    Raises `NothingToAnalyse`.
    """
    *_, last = analysing(game, budget=budget, seed=seed, backend=backend, on_step=on_step)
    return last


def analysing(
    game: Game,
    *,
    budget: Budget | None = None,
    seed: int = 1,
    backend: Backend | None = None,
    on_step: OnStep | None = None,
) -> Iterator[Analysis]:
    """First the coarse account, then the fine one."""
    if not game.moves:
        raise NothingToAnalyse("nothing was played")
    roster = roster_of(game.name)
    work = _Work(
        game,
        roster,
        load_backend(analysis_program(game.name)) if backend is None else backend,
        seed % 2**64,
        on_step or (lambda done, of: None),
    )
    whole = budget or usual_budget()
    yield work.account(whole.times(COARSE))
    yield work.account(whole)


class _Work:
    """What was weighed so far."""

    def __init__(
        self,
        game: Game,
        roster: Roster,
        backend: Backend,
        seed: int,
        on_step: OnStep,
    ) -> None:
        self._game = game
        self._definition = roster.definition
        self._course = course_of(game)
        self._evaluations = evaluations_of(roster)
        self._corrections = corrections_of(roster, game.seats)
        self._scales = Scales(roster, self._evaluations.decision, game.seats, backend)
        self._to_the_end = Scales(roster, self._evaluations.position, game.seats, backend)
        self._seed = seed
        self._positions: dict[int, Tally] = {}
        self._start: list[Tally] = []
        self._decisions = {
            moment.number: Weighed(
                moment.number,
                moment.move.seat,
                self._definition.recalled(moment.before, moment.move.seat),
                int(moment.move.action),
                stream_key(seed, DECISIONS + moment.number),
                self._course.turn_goes_on(moment.number),
            )
            for moment in self._course.moments
            if moment.options > 1
        }
        self._on_step = on_step
        self._done = 0
        self._all = 2 * (len(list(self._course.points)) + len(self._decisions))

    def account(self, budget: Budget) -> Analysis:
        self._deal(budget)
        for after, state in self._course.points:
            self._weigh_position(after, state, budget.position)
            self._tick()
        for decision in self._decisions.values():
            self._weigh_decision(decision, budget)
            self._tick()
        measures = self._measures()
        return Analysis(
            self._game,
            self._course,
            self._evaluations,
            self._corrections,
            self._seed,
            measures,
            sum_up(measures),
            self._decisions,
        )

    def _tick(self) -> None:
        self._done += 1
        self._on_step(self._done, self._all)

    def _deal(self, budget: Budget) -> None:
        """The start as anybody could see it: a few worlds in each of many deals."""
        seen = self._definition.seen(self._course.moments[0].before, SPECTATOR)
        for number in range(len(self._start), budget.deals):
            chance = Stream(stream_key(self._seed, DEALS + number))
            world = self._definition.looked_back(seen, seen, SPECTATOR)
            self._definition.deal_unseen(world, chance)
            seed = stream_key(self._seed, DEALS + (1 << 20) + number)
            self._start.append(self._weigh_state(world, seed, 0, PER_DEAL))

    def _weigh_position(self, after: int, state: Any, worlds: int) -> None:
        if self._definition.to_move(state) < 0:
            return
        have = self._positions.get(after)
        first = 0 if have is None else have.worlds
        if worlds > first:
            seed = stream_key(self._seed, POSITIONS + after)
            more = self._weigh_state(state, seed, first, worlds - first)
            self._positions[after] = more if have is None else have + more

    def _weigh_state(self, state: Any, seed: int, first: int, worlds: int) -> Tally:
        """A whole position: the seat to move does as the policy would, knowing its view alone."""
        seat = self._definition.to_move(state)
        _, advice = self._to_the_end.begin(self._definition.recalled(state, seat), seed)
        return self._to_the_end.weigh(state, seed, [advice], first, worlds)[0]

    def _weigh_decision(self, decision: Weighed, budget: Budget) -> None:
        decision.choose(self._scales, budget.selection)
        done = max((tally.worlds for tally in decision.measured.values()), default=0)
        if budget.measure > done:
            decision.measure(self._scales, budget.measure - done)
        found = decision.result(self._corrections.decision)
        if found.gap > max(MISTAKE_LOSS, 2 * found.gap_error):
            decision.measure(self._scales, CONFIRM * budget.measure)

    def _measures(self) -> Measures:
        seats = self._game.seats
        points = [self._point(after) for after, _ in self._course.points]
        return Measures(
            seats,
            self._starting_chances(),
            points,
            [decision.result(self._corrections.decision) for decision in self._decisions.values()],
        )

    def _starting_chances(self) -> Chances:
        """Deals differ more than worlds of one deal do: the error is told by the deals."""
        deals = len(self._start)
        means = [tally.means for tally in self._start]
        chances = [sum(mean[seat] for mean in means) / deals for seat in range(self._game.seats)]
        errors = [
            (sum((mean[seat] - chance) ** 2 for mean in means) / (deals * (deals - 1))) ** 0.5
            for seat, chance in enumerate(chances)
        ]
        return Chances(*self._corrected(chances, errors))

    def _point(self, after: int) -> PositionMeasure:
        tally = self._positions.get(after)
        if tally is None:
            result = self._course.result
            assert result is not None
            return PositionMeasure(after, result, [0.0] * self._game.seats)
        errors = [tally.error(seat) for seat in range(self._game.seats)]
        return PositionMeasure(after, *self._corrected(tally.means, errors))

    def _corrected(
        self, chances: list[float], errors: list[float]
    ) -> tuple[list[float], list[float]]:
        correction = self._corrections.position
        slopes = [correction.slope(chances, seat) for seat in range(self._game.seats)]
        stretched = [slope * error for slope, error in zip(slopes, errors, strict=True)]
        return correction.apply(chances), stretched
