"""Rotations between bots that are rules, all at once in compiled code."""

from __future__ import annotations

from archipel.bots import bot_named
from archipel.rules.all_games import game_named
from archipel.rules.kit.program import Backend
from archipel.study.arena import MOST_DECISIONS, EntrantFailed, Match, Rotation
from archipel.study.kernel import BLANK, DECISIONS, RANKS, STATES, UNFINISHED
from archipel.study.programs import without_course


def rotations_at_once(match: Match, piece: range, backend: Backend) -> list[Rotation]:
    """The rotations of these numbers. Raises `EntrantFailed`."""
    definition, seats = game_named(match.game), match.seats
    states = backend.states(STATES)
    backend.write(states, BLANK, definition.blank(match.options))
    bots = backend.numbers(seats)
    for seat, name in enumerate(match.bots):
        bots[seat] = bot_named(match.game, name).index
    results = backend.numbers(RANKS + 2 * seats, len(piece) * seats)
    backend.play_games(
        states,
        backend.numbers(definition.most_legal),
        bots,
        backend.stream(0),
        backend.stream(0),
        seats,
        1,
        1,
        MOST_DECISIONS,
        match.seed,
        piece.start * seats,
        len(piece) * seats,
        results,
        *without_course(backend),
    )
    rows = [[int(value) for value in row] for row in results]
    return [_rotation(rows, k * seats, seats) for k in range(len(piece))]


def _rotation(rows: list[list[int]], first: int, seats: int) -> Rotation:
    columns = range(first, first + seats)
    decisions = tuple(rows[DECISIONS][column] for column in columns)
    if UNFINISHED in decisions:
        raise EntrantFailed(f"a game did not end within {MOST_DECISIONS} decisions")
    return Rotation(
        tuple(tuple(rows[RANKS + e][column] for e in range(seats)) for column in columns),
        tuple(tuple(rows[RANKS + seats + e][column] for e in range(seats)) for column in columns),
        decisions,
    )
