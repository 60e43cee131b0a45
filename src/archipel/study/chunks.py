"""Games of a study, in chunks: a task says which, its answer is all that the study keeps of them.

Rules that choose play in compiled games; where a bot searches, the same games are played step by
step.  Chance and choices are drawn alike (see `archipel.study.kernel`).
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any

import msgspec
import numpy
from msgspec import Struct

from archipel.bots import Bot, Level, bot_named, player_named
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition
from archipel.rules.course import ROUNDS_BEGUN, TURNS, WHOLE_GAME, Course
from archipel.rules.kit import Stream, stream_key
from archipel.rules.kit.program import Backend
from archipel.rules.options import Options, Value
from archipel.study.kernel import (
    BLANK,
    DECISIONS,
    OF_THE_GAME,
    RANKS,
    STATES,
    SURVIVOR_ROWS,
    UNFINISHED,
    note_survivors,
)
from archipel.study.programs import course_backend

#: By its name a worker finds the work (`archipel.study.crew`).
WORK = "archipel.study.chunks:play_chunk"

#: Games of a chunk, where all bots are rules, and where one searches.
PLAYED_AT_ONCE = 2000
SEARCHED_AT_ONCE = 4

#: Rounds whose survivors are counted; no game is meant to come near so many.
MOST_ROUNDS = 100

#: No game is meant to come near this; one that does is reported instead of played for ever.
MOST_DECISIONS = 100_000

#: Of a game that does not tell its course.
NO_COURSE_ROOM = 1


class Task(Struct, frozen=True):
    """Games number ``first`` and following of a table."""

    game: str
    seats: int
    options: dict[str, Value]
    bots: tuple[str, ...]
    rotate: bool
    seed: int
    first: int
    games: int


class Chunk(Struct, frozen=True):
    """What is kept of some games: the rows of `archipel.study.kernel`, a column per game, as 32-bit
    numbers; survivors by round; and how many were lost in each place."""

    first: int
    games: int
    packed: bytes
    survivors: list[list[int]]
    lost: list[int]

    def rows(self) -> Any:
        """The rows as an array."""
        data = numpy.frombuffer(zlib.decompress(self.packed), "<i4")
        return data.reshape(-1, self.games)


class GameDidNotEnd(Exception):
    """A game that would not end."""


_TASKS = msgspec.msgpack.Decoder(Task)
_CHUNKS = msgspec.msgpack.Decoder(Chunk)


def task_bytes(task: Task) -> bytes:
    return msgspec.msgpack.encode(task)


def read_chunk(data: bytes) -> Chunk:
    """Raises `msgspec.DecodeError`."""
    return _CHUNKS.decode(data)


def play_chunk(task: bytes) -> bytes:
    """The work of a crew."""
    return msgspec.msgpack.encode(played(_TASKS.decode(task)))


def searches(game: str, bots: tuple[str, ...]) -> bool:
    return any(isinstance(player_named(game, bot), Level) for bot in bots)


def chunk_size(game: str, bots: tuple[str, ...]) -> int:
    return SEARCHED_AT_ONCE if searches(game, bots) else PLAYED_AT_ONCE


def played(task: Task, backend: Backend | None = None) -> Chunk:
    """Play the games; by rules only, and then with this backend if one is given."""
    definition = game_named(task.game)
    options = definition.make_options(task.seats, **task.options)
    if backend is None and searches(task.game, task.bots):
        rows, survivors, lost = _stepwise(definition, options, task)
    else:
        backend = backend or course_backend(task.game)
        rows, survivors, lost = _at_once(definition, options, task, backend)
    if (rows[DECISIONS] == UNFINISHED).any():
        number = task.first + int((rows[DECISIONS] == UNFINISHED).argmax())
        raise GameDidNotEnd(
            f"game {number} of {task.game} did not end within {MOST_DECISIONS} decisions"
        )
    packed = zlib.compress(rows.astype("<i4").tobytes(), 1)
    return Chunk(task.first, task.games, packed, survivors, lost)


def _sizes(definition: Definition[Any], seats: int) -> tuple[int, int, int, int, int]:
    """Rows of results, figures, room of the course, rounds to note, places."""
    course = definition.course
    if course is None:
        return RANKS + 2 * seats, 0, NO_COURSE_ROOM, 0, 1
    rows = RANKS + 2 * seats + OF_THE_GAME + len(course.figures) * seats
    return rows, len(course.figures), course.room, MOST_ROUNDS, max(1, len(course.places))


def _at_once(
    definition: Definition[Any], options: Options, task: Task, backend: Backend
) -> tuple[Any, list[list[int]], list[int]]:
    rows, figures, room, rounds, places = _sizes(definition, task.seats)
    states = backend.states(STATES)
    backend.write(states, BLANK, definition.blank(options))
    bots = backend.numbers(task.seats)
    for seat, name in enumerate(task.bots):
        bots[seat] = bot_named(task.game, name).index
    results = backend.numbers(rows, task.games)
    survivors = backend.numbers(SURVIVOR_ROWS, max(1, rounds))
    lost = backend.numbers(places)
    backend.play_games(
        states,
        backend.numbers(definition.most_legal),
        bots,
        backend.stream(0),
        backend.stream(0),
        task.seats,
        int(task.rotate),
        0,
        MOST_DECISIONS,
        task.seed,
        task.first,
        task.games,
        results,
        figures,
        backend.numbers(room),
        survivors,
        rounds,
        lost,
    )
    kept = [[int(number) for number in row] for row in survivors]
    return numpy.asarray(results), kept, [int(number) for number in lost]


# ---- step by step -------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _bot(game: str, name: str) -> Bot:
    return Bot.named(game, name)


def _stepwise(
    definition: Definition[Any], options: Options, task: Task
) -> tuple[Any, list[list[int]], list[int]]:
    rows, figures, room, rounds, places = _sizes(definition, task.seats)
    results = numpy.zeros((rows, task.games), "<i8")
    survivors = [[0] * max(1, rounds) for _ in range(SURVIVOR_ROWS)]
    lost = [0] * places
    for column in range(task.games):
        noted = [0] * room
        state, decisions = _one_game(definition, options, task, column, noted, survivors, lost)
        results[DECISIONS][column] = decisions
        shift = _shift(task, column)
        seats = task.seats
        for entrant in range(seats):
            sits = (entrant + shift) % seats
            results[RANKS + entrant][column] = definition.rank(state, sits)
            results[RANKS + seats + entrant][column] = definition.score(state, sits)
        if definition.course is not None:
            own = RANKS + 2 * seats
            of_game = _of_the_game(definition.course, state, noted)
            results[own : own + OF_THE_GAME, column] = of_game
            for which in range(figures):
                for entrant in range(seats):
                    row = own + OF_THE_GAME + which * seats + entrant
                    sits = (entrant + shift) % seats
                    results[row][column] = definition.course.figure(state, noted, sits, which)
    return results, survivors, lost


def _shift(task: Task, column: int) -> int:
    return (task.first + column) * task.rotate % task.seats


def _of_the_game(course: Course, state: Any, noted: list[int]) -> list[int]:
    return [noted[TURNS], noted[ROUNDS_BEGUN], course.figure(state, noted, WHOLE_GAME, 0)]


def _one_game(
    definition: Definition[Any],
    options: Options,
    task: Task,
    column: int,
    noted: list[int],
    survivors: list[list[int]],
    lost: list[int],
) -> tuple[Any, int]:
    """The last position, and how many decisions led there."""
    game, shift = task.first + column, _shift(task, column)
    chance = Stream(stream_key(task.seed, game))
    choices_key = stream_key(stream_key(task.seed, game), 1)
    state = definition.new(options, chance)
    follow = definition.course.follow if definition.course is not None else None
    if follow is not None:
        follow(state, noted, lost)
    decisions = begun = 0
    while (seat := definition.to_move(state)) >= 0 and decisions < MOST_DECISIONS:
        bot = _bot(task.game, task.bots[(seat - shift) % task.seats])
        choices = Stream(stream_key(choices_key, decisions))
        view = definition.recalled(state, seat)
        action = bot.choose(view, definition.legal_actions(state), chance=choices)
        definition.apply(state, action, chance)
        decisions += 1
        if follow is not None:
            follow(state, noted, lost)
            while begun < min(MOST_ROUNDS, noted[ROUNDS_BEGUN]):
                note_survivors(noted, survivors, begun, 1)
                begun += 1
    if follow is not None:
        for later in range(begun, MOST_ROUNDS):
            note_survivors(noted, survivors, later, 0)
    return state, decisions if definition.to_move(state) < 0 else UNFINISHED
