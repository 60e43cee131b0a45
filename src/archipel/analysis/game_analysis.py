"""Analyse a finished game: a coarse analysis first, then a finer one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import asdict

from archipel.analysis import arithmetic
from archipel.analysis.arithmetic import (
    Measures,
    MoveFacts,
    Point,
    PositionMeasure,
    SeatSum,
    Span,
    Summary,
    TurnMeasure,
)
from archipel.analysis.decision_analysis import (
    PairedRollouts,
    PositionRollouts,
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
from archipel.analysis.turn_analysis import TurnEvaluation
from archipel.bots import roster_of
from archipel.bots.rollouts import NONE
from archipel.frames import Tabular
from archipel.game import Game, Move
from archipel.record import Record
from archipel.rules.contract import SPECTATOR, Definition
from archipel.rules.deprecation import former_attribute
from archipel.rules.kit import Tape, clone, stream_key
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.kit.core.machine_record import from_bytes, to_bytes
from archipel.rules.kit.core.program import Backend


@dataclass(frozen=True)
class PlayedMove:
    """A move with the position before it, and what is known of that position to at least one seat.

    ``ends_step``: chance was drawn, something was revealed (``outcome``), or another seat decides.
    """

    number: int
    move: Move
    before: Any
    known: Any
    options: int
    ends_step: bool
    outcome: bool

    @property
    def facts(self) -> MoveFacts:
        return MoveFacts(self.move.seat, self.options, self.ends_step, self.outcome)


@dataclass(frozen=True)
class Timeline:
    """The moves of a game and the positions between them."""

    game: Game
    moments: tuple[PlayedMove, ...]
    end: Any
    """The last position."""
    end_known: Any

    @property
    def points(self) -> list[Point]:
        return arithmetic.points_of([moment.facts for moment in self.moments])

    @property
    def turns(self) -> list[Span]:
        return arithmetic.turns_of([moment.facts for moment in self.moments])

    def known_at(self, after: int) -> Any:
        """What at least one seat knew of the position after a number of moves."""
        return self.moments[after].known if after < len(self.moments) else self.end_known

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
    known = known_to_anybody(definition, state, game.seats)
    for number, move in enumerate(game.moves):
        before, options = clone(state), len(definition.legal_actions(state))
        definition.apply(state, int(move.action), Tape(move.outcomes))
        following = known_to_anybody(definition, state, game.seats)
        outcome = bool(move.outcomes) or _reveals(before, known, state, following)
        ends = outcome or definition.to_move(state) != move.seat
        moments.append(PlayedMove(number, move, before, known, options, ends, outcome))
        known = following
    return Timeline(game, tuple(moments), state, known)


def known_to_anybody(definition: Definition[Any], state: Any, seats: int) -> Any:
    """Return the position with only those hidden things filled in that at least one seat knows.

    Byte by byte: a byte that some seat sees otherwise than a spectator is as it truly is.
    """
    spectator = to_bytes(definition.seen(state, SPECTATOR))
    views = [to_bytes(definition.recalled(state, seat)) for seat in range(seats)]
    known = bytes(
        true if any(one != byte for one in others) else byte
        for true, byte, *others in zip(to_bytes(state), spectator, *views, strict=True)
    )
    return from_bytes(type(state), known)


def _reveals(before: Any, known: Any, after: Any, following: Any) -> bool:
    """Whether something that nobody knew is known after a move."""
    was, now = (
        zip(to_bytes(one), to_bytes(two), strict=True)
        for one, two in ((before, known), (after, following))
    )
    return any(
        old != seen and new == told for (old, seen), (new, told) in zip(was, now, strict=True)
    )


#: Fraction of the worlds that the coarse analysis uses.
COARSE = 1 / 8
# First stream numbers of the turns and the positions.
TURNS = 0
POSITIONS = 1 << 20

OnStep = Callable[[int, int], None]


class NothingToAnalyse(ValueError):
    """The game has no moves."""


@dataclass(frozen=True, repr=False)
class Analysis(Tabular):
    """The result of analysing a game; its rows are the seats."""

    game: Game
    timeline: Timeline
    evaluations: Evaluations
    corrections: Corrections
    seed: int
    measures: Measures
    summary: Summary
    turns: list[TurnEvaluation]
    """Turns with something to decide, in the order of ``measures.turns``."""

    @property
    def seats(self) -> list[SeatSum]:
        return self.summary.seats

    @property
    def mistakes(self) -> list[int]:
        """Numbers of turns, the worst mistake first."""
        return self.summary.mistakes

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per seat: ``result`` = ``start`` + ``luck`` + ``own`` + ``others``."""
        return [{"seat": seat, **asdict(found)} for seat, found in enumerate(self.seats)]

    def turn_rows(self) -> list[dict[str, Any]]:
        """One row per turn: its moves from ``first`` to before ``until``, and its loss."""
        return [asdict(turn) for turn in self.measures.turns]

    def __repr__(self) -> str:
        game = self.game
        return f"<Analysis of {game.name}, {game.seats} seats, {len(game.moves)} moves>"

    course = former_attribute("Analysis.course", "timeline")


def analyse(
    game: Game | Record,
    *,
    budget: Budget | None = None,
    seed: int = 1,
    backend: Backend | None = None,
    on_step: OnStep | None = None,
) -> Analysis:
    """Analyse a game or a record as finely as the budget allows; raises `NothingToAnalyse`.

    Equal seeds give equal results. ``on_step`` gets the finished and total steps.
    """
    *_, last = analysing(game, budget=budget, seed=seed, backend=backend, on_step=on_step)
    return last


def analysing(
    game: Game | Record,
    *,
    budget: Budget | None = None,
    seed: int = 1,
    backend: Backend | None = None,
    on_step: OnStep | None = None,
) -> Iterator[Analysis]:
    """Yield the coarse analysis, then the fine one; raises `NothingToAnalyse`."""
    if isinstance(game, Record):
        game = game.game
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
        self._positions = PositionRollouts(roster, self._evaluations.position, game.seats, backend)
        self._seed = seed
        moments = self._timeline.moments
        self._turns = [
            TurnEvaluation(
                turn,
                [
                    self._definition.recalled(moment.before, turn.seat)
                    for moment in moments[turn.first : turn.until]
                ],
                [int(moment.move.action) for moment in moments[turn.first : turn.until]],
                [moment.options for moment in moments[turn.first : turn.until]],
                stream_key(seed, TURNS + turn.first),
            )
            for turn in self._timeline.turns
        ]
        self._on_step = on_step
        self._done = 0
        self._all = 2 * (len(self._timeline.points) + len(self._turns))

    def analysis(self, budget: Budget) -> Analysis:
        points: list[PositionMeasure] = []
        for point in self._timeline.points:
            points.append(self._evaluate_position(point, budget.position))
            self._tick()
        turns: list[TurnMeasure] = []
        for turn in self._turns:
            correction = self._corrections.decision
            turns.append(turn.evaluate(self._definition, self._rollouts, budget, correction))
            self._tick()
        measures = Measures(self._timeline.game.seats, points, turns)
        return Analysis(
            self._timeline.game,
            self._timeline,
            self._evaluations,
            self._corrections,
            self._seed,
            measures,
            arithmetic.sum_up(measures),
            self._turns,
        )

    def _tick(self) -> None:
        self._done += 1
        self._on_step(self._done, self._all)

    def _evaluate_position(self, point: Point, worlds: int) -> PositionMeasure:
        """Evaluate a point: the result at the end, and rollouts before it."""
        result, moments = self._timeline.result, self._timeline.moments
        if result is not None and point.after == len(moments):
            return arithmetic.position_measure(point, arithmetic.certain(result))
        opening = int(moments[point.after].move.action) if point.chosen else NONE
        known = self._timeline.known_at(point.after)
        seed = stream_key(self._seed, POSITIONS)
        sums = self._positions.evaluate(known, seed, worlds, opening)
        found = arithmetic.chances_of(self._corrections.position, sums)
        return arithmetic.position_measure(point, found)
