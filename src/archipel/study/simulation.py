"""Games between bots, many of them: equal seed, equal result, however many threads play them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from archipel.bots import BotInfo, bot_named
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition
from archipel.rules.kit.program import Backend
from archipel.rules.options import OptionError, Options
from archipel.rules.sentence import Sentence
from archipel.study.backends import OnProgress, Progress, backend_for, silent
from archipel.study.kernel import BLANK, DECISIONS, RANKS, STATES, UNFINISHED
from archipel.study.programs import simulation_program, without_course
from archipel.study.result import SimulationResult
from archipel.study.tally import Tally
from archipel.study.threads import in_pieces, usable_cores

#: Games played in one go. Small enough that Ctrl-C and progress are quick, whatever the bots.
PIECE = 250

#: No game is meant to come near this; one that does is reported instead of played for ever.
MOST_DECISIONS = 100_000


class UnfinishedGameError(RuntimeError):
    """A game that would not end."""


def simulate(
    game: str,
    bots: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    options: Options | Mapping[str, object] | None = None,
    rotate: bool = True,
    jobs: int | None = None,
    on_progress: OnProgress = silent,
    compiled: bool | None = None,
) -> SimulationResult:
    """Play games between bots, one per seat, and count what comes of them.

    Seats rotate from game to game, so that none has the better one; ``rotate=False`` keeps the bots
    where they are named.  ``compiled=None`` compiles where Numba is installed.  ``jobs`` is the
    number of threads (all cores by default); it changes nothing but the time.  Ctrl-C ends it
    within a moment.

    Raises `UnknownGameError`, `UnknownBotError`, `OptionError` or `ValueError`.
    """
    definition = game_named(game)
    entrants = tuple(bot_named(game, name) for name in bots)
    if games < 1:
        raise ValueError(f"{games} games: at least one has to be played")
    if jobs is not None and jobs < 1:
        raise ValueError(f"{jobs} jobs: at least one thread has to play")
    chosen = _options(definition, len(entrants), options)
    begun = time.perf_counter()
    backend = backend_for(simulation_program(game), compiled, games, on_progress)
    table = _Table(definition, backend, chosen, entrants, seed % 2**64, rotate)
    tally = Tally(chosen.seats)
    # Interpreted threads would only take turns.
    threads = (jobs or usable_cores()) if backend.compiled else 1
    with closing(in_pieces(_pieces(games), table.play, threads)) as played:
        for piece, results in played:
            table.count(piece, results, tally)
            on_progress(Progress(tally.games, games))
    return SimulationResult(
        game=game,
        rules_version=definition.rules_version,
        board=definition.board,
        options=chosen,
        bots=tuple(bot.name for bot in entrants),
        seed=seed,
        rotate=rotate,
        tally=tally,
        compiled=backend.compiled,
        seconds=time.perf_counter() - begun,
    )


def _options(
    definition: Definition[Any], seats: int, options: Options | Mapping[str, object] | None
) -> Options:
    if isinstance(options, Options):
        if options.seats != seats:
            raise OptionError(
                Sentence(
                    "{bots} bots for {seats} seats: name one for each",
                    bots=seats,
                    seats=options.seats,
                )
            )
        return options
    return definition.make_options(seats, **(options or {}))


def _pieces(games: int) -> Iterator[range]:
    """The numbers of the games, in pieces of fixed size."""
    for first in range(0, games, PIECE):
        yield range(first, min(first + PIECE, games))


@dataclass(frozen=True)
class _Table:
    """All that stays the same from game to game."""

    definition: Definition[Any]
    backend: Backend
    options: Options
    entrants: tuple[BotInfo, ...]
    seed: int
    rotate: bool

    def play(self, piece: range) -> list[list[int]]:
        """The results of some games, in the rows of `archipel.study.kernel`."""
        seats, backend = self.options.seats, self.backend
        states = backend.states(STATES)
        backend.write(states, BLANK, self.definition.blank(self.options))
        bots = backend.numbers(seats)
        for seat, bot in enumerate(self.entrants):
            bots[seat] = bot.index
        results = backend.numbers(RANKS + 2 * seats, len(piece))
        backend.play_games(
            states,
            backend.numbers(self.definition.most_legal),
            bots,
            backend.stream(0),
            backend.stream(0),
            seats,
            int(self.rotate),
            0,
            MOST_DECISIONS,
            self.seed,
            piece.start,
            len(piece),
            results,
            *without_course(backend),
        )
        return [list(row) for row in (results.tolist() if backend.compiled else results)]

    def count(self, piece: range, results: list[list[int]], tally: Tally) -> None:
        seats, lengths = self.options.seats, results[DECISIONS]
        if UNFINISHED in lengths:
            number = piece[lengths.index(UNFINISHED)]
            raise UnfinishedGameError(
                f"game {number} of seed {self.seed} did not end within {MOST_DECISIONS} decisions "
                f"({self.definition.name}, {self.options})"
            )
        shifts = [number * self.rotate % seats for number in piece]
        tally.add(shifts, lengths, results[RANKS : RANKS + seats], results[RANKS + seats :])
