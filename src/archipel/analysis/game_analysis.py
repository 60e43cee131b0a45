"""Analyse a finished game: a coarse analysis first, then a finer one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from archipel.analysis import arithmetic
from archipel.analysis.arithmetic import (
    DecisionMeasure,
    Measures,
    PositionMeasure,
    RolloutSums,
    SeatSum,
    Summary,
)
from archipel.analysis.decision_analysis import (
    DecisionEvaluation,
    PairedRollouts,
    analysis_program,
)
from archipel.analysis.evaluation_settings import (
    Budget,
    Corrections,
    Evaluations,
    corrections_of,
    evaluations_of,
    usual_budget,
)
from archipel.bots import roster_of
from archipel.game import Game, Move
from archipel.rules.contract import SPECTATOR
from archipel.rules.deprecation import warn_renamed
from archipel.rules.kit import Stream, Tape, clone, stream_key
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.kit.core.program import Backend


@dataclass(frozen=True)
class PlayedMove:
    """A move with the position before it; ``ends_step``: the timeline has a point after it."""

    number: int
    move: Move
    before: Any
    options: int
    ends_step: bool


@dataclass(frozen=True)
class Timeline:
    """The moves of a game and the positions between them."""

    game: Game
    moments: tuple[PlayedMove, ...]
    end: Any
    """The last position."""

    @property
    def points(self) -> Iterator[tuple[int, Any]]:
        """The positions to evaluate, each with the number of moves before it.

        A step ends where chance was drawn or another seat decides.
        """
        yield 0, self.moments[0].before
        for moment, following in zip(self.moments, self.moments[1:], strict=False):
            if moment.ends_step:
                yield moment.number + 1, following.before
        yield len(self.moments), self.end

    def turn_goes_on(self, number: int) -> bool:
        """Whether another decision with several options follows in the same step."""
        while not self.moments[number].ends_step:
            number += 1
            if self.moments[number].options > 1:
                return True
        return False

    @property
    def result(self) -> list[float] | None:
        """Each seat's share of first place, or None if the game was not finished."""
        outcome = self.game.definition.outcome(self.end)
        if outcome is None:
            return None
        share = 1 / len(outcome.winners)
        return [share if seat in outcome.winners else 0.0 for seat in range(self.game.seats)]


def timeline_of(game: Game) -> Timeline:
    definition, state = game.definition, clone(game.start.state)
    moments: list[PlayedMove] = []
    for number, move in enumerate(game.moves):
        before, options = clone(state), len(definition.legal_actions(state))
        definition.apply(state, int(move.action), Tape(move.outcomes))
        ends = bool(move.outcomes) or definition.to_move(state) != move.seat
        moments.append(PlayedMove(number, move, before, options, ends))
    return Timeline(game, tuple(moments), state)


#: Fraction of the worlds that the coarse analysis uses.
COARSE = 1 / 8
#: Worlds per deal of the start.
PER_DEAL = 4

# First stream numbers of the decisions, positions and deals.
DECISIONS = 0
POSITIONS = 1 << 20
DEALS = 1 << 40

OnStep = Callable[[int, int], None]


class NothingToAnalyse(ValueError):
    """The game has no moves."""


@dataclass(frozen=True)
class Analysis:
    """The result of analysing a game."""

    game: Game
    timeline: Timeline
    evaluations: Evaluations
    corrections: Corrections
    seed: int
    measures: Measures
    summary: Summary
    decisions: dict[int, DecisionEvaluation]
    """Decisions with several options, by the number of their move."""

    @property
    def seats(self) -> list[SeatSum]:
        return self.summary.seats

    @property
    def mistakes(self) -> list[int]:
        return self.summary.mistakes

    @property
    def course(self) -> Timeline:
        """Former name of ``timeline``."""
        warn_renamed("Analysis.course", "Analysis.timeline")
        return self.timeline

    @property
    def weighed(self) -> dict[int, DecisionEvaluation]:
        """Former name of ``decisions``."""
        warn_renamed("Analysis.weighed", "Analysis.decisions")
        return self.decisions


def analyse(
    game: Game,
    *,
    budget: Budget | None = None,
    seed: int = 1,
    backend: Backend | None = None,
    on_step: OnStep | None = None,
) -> Analysis:
    """Analyse a game as finely as the budget allows; raises `NothingToAnalyse`.

    Equal seeds give equal results. ``on_step`` gets the finished and total steps.
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
    """Yield the coarse analysis, then the fine one; raises `NothingToAnalyse`."""
    if not game.moves:
        raise NothingToAnalyse("nothing was played")
    work = _Work(
        game,
        load_backend(analysis_program(game.name)) if backend is None else backend,
        seed % 2**64,
        on_step or (lambda done, of: None),
    )
    whole = budget or usual_budget()
    yield work.analysis(whole.times(COARSE))
    yield work.analysis(whole)


class _Work:
    """The evaluations made so far."""

    def __init__(self, game: Game, backend: Backend, seed: int, on_step: OnStep) -> None:
        roster = roster_of(game.name)
        self._definition = roster.definition
        self._timeline = timeline_of(game)
        self._evaluations = evaluations_of(roster)
        self._corrections = corrections_of(roster, game.seats)
        self._rollouts = PairedRollouts(roster, self._evaluations.decision, game.seats, backend)
        self._to_the_end = PairedRollouts(roster, self._evaluations.position, game.seats, backend)
        self._seed = seed
        self._positions: dict[int, RolloutSums] = {}
        self._start: list[RolloutSums] = []
        self._decisions = {
            moment.number: DecisionEvaluation(
                moment.number,
                moment.move.seat,
                self._definition.recalled(moment.before, moment.move.seat),
                int(moment.move.action),
                stream_key(seed, DECISIONS + moment.number),
                self._timeline.turn_goes_on(moment.number),
            )
            for moment in self._timeline.moments
            if moment.options > 1
        }
        self._on_step = on_step
        self._done = 0
        self._all = 2 * (len(list(self._timeline.points)) + len(self._decisions))

    def analysis(self, budget: Budget) -> Analysis:
        self._deal(budget)
        points = []
        for after, state in self._timeline.points:
            points.append(self._evaluate_position(after, state, budget.position))
            self._tick()
        decisions = []
        for decision in self._decisions.values():
            decisions.append(self._evaluate_decision(decision, budget))
            self._tick()
        start = arithmetic.start_chances(self._corrections.position, self._start)
        measures = Measures(self._timeline.game.seats, start, points, decisions)
        return Analysis(
            self._timeline.game,
            self._timeline,
            self._evaluations,
            self._corrections,
            self._seed,
            measures,
            arithmetic.sum_up(measures),
            self._decisions,
        )

    def _tick(self) -> None:
        self._done += 1
        self._on_step(self._done, self._all)

    def _deal(self, budget: Budget) -> None:
        """Evaluate the start as a spectator sees it: a few worlds in each of many deals."""
        seen = self._definition.seen(self._timeline.moments[0].before, SPECTATOR)
        for number in range(len(self._start), budget.deals):
            chance = Stream(stream_key(self._seed, DEALS + number))
            world = self._definition.looked_back(seen, seen, SPECTATOR)
            self._definition.deal_unseen(world, chance)
            seed = stream_key(self._seed, DEALS + (1 << 20) + number)
            self._start.append(self._evaluate_state(world, seed, 0, PER_DEAL))

    def _evaluate_position(self, after: int, state: Any, worlds: int) -> PositionMeasure:
        if self._definition.to_move(state) < 0:
            result = self._timeline.result
            assert result is not None
            return PositionMeasure(after, result, [0.0] * len(result))
        sums = self._positions.get(after)
        first = 0 if sums is None else sums.worlds
        if worlds > first:
            seed = stream_key(self._seed, POSITIONS + after)
            more = self._evaluate_state(state, seed, first, worlds - first)
            self._positions[after] = more if sums is None else sums + more
        found = arithmetic.position_chances(self._corrections.position, self._positions[after])
        return PositionMeasure(after, found.chances, found.errors)

    def _evaluate_state(self, state: Any, seed: int, first: int, worlds: int) -> RolloutSums:
        """Evaluate a full position; the seat to move plays the policy's choice in its view."""
        seat = self._definition.to_move(state)
        _, advice = self._to_the_end.begin(self._definition.recalled(state, seat), seed)
        return self._to_the_end.evaluate(state, seed, [advice], first, worlds)[0]

    def _evaluate_decision(self, decision: DecisionEvaluation, budget: Budget) -> DecisionMeasure:
        decision.choose(self._rollouts, budget.selection)
        done = max((sums.worlds for sums in decision.measured.values()), default=0)
        if budget.measure > done:
            decision.measure(self._rollouts, budget.measure - done)
        if arithmetic.needs_confirmation(decision.result(self._corrections.decision)):
            decision.measure(self._rollouts, arithmetic.CONFIRMATION * budget.measure)
        return decision.result(self._corrections.decision)
