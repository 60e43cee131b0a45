"""The course of a game: its positions, and the decisions that were made in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from archipel.game import Game, Move
from archipel.rules.contract import Definition
from archipel.rules.kit import Tape, clone


@dataclass(frozen=True)
class Moment:
    """A move, the position it was made in, and whether the course has a point after it."""

    number: int
    move: Move
    before: Any
    options: int
    ends_step: bool


@dataclass(frozen=True)
class Course:
    definition: Definition[Any]
    seats: int
    moments: tuple[Moment, ...]
    end: Any
    """The last position."""

    @property
    def points(self) -> Iterator[tuple[int, Any]]:
        """Where chances are weighed: after so many moves, the position. A step ends where chance
        came in or somebody else decides."""
        yield 0, self.moments[0].before
        for moment, following in zip(self.moments, self.moments[1:], strict=False):
            if moment.ends_step:
                yield moment.number + 1, following.before
        yield len(self.moments), self.end

    def turn_goes_on(self, number: int) -> bool:
        """Whether another real decision follows in the same step."""
        while not self.moments[number].ends_step:
            number += 1
            if self.moments[number].options > 1:
                return True
        return False

    @property
    def result(self) -> list[float] | None:
        """Everybody's share of first place, or None if the game was not finished."""
        outcome = self.definition.outcome(self.end)
        if outcome is None:
            return None
        share = 1 / len(outcome.winners)
        return [share if seat in outcome.winners else 0.0 for seat in range(self.seats)]


def course_of(game: Game) -> Course:
    """The positions of a game, one before each move, and the last."""
    definition, state = game.definition, clone(game.start.state)
    moments: list[Moment] = []
    for number, move in enumerate(game.moves):
        before = clone(state)
        options = len(definition.legal_actions(state))
        definition.apply(state, int(move.action), Tape(move.outcomes))
        following = definition.to_move(state)
        ends = bool(move.outcomes) or following != move.seat
        moments.append(Moment(number, move, before, options, ends))
    return Course(definition, game.seats, tuple(moments), state)
