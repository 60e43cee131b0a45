"""Simulate many games between rule-based bots; equal seeds give equal results."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing

from archipel.bots import bot_named
from archipel.rules.all_games import game_named
from archipel.rules.options import Options
from archipel.study.executors.threads import batches_of, run_in_threads, usable_cores
from archipel.study.progress import OnProgress, Progress, load_program, silent
from archipel.study.simulation.game_kernel import DECISIONS, RANKS
from archipel.study.simulation.game_programs import options_for, run_games, simulation_program
from archipel.study.simulation.simulation_result import SimulationResult, Tally

#: Games per batch: small enough that Ctrl-C and the progress bar respond quickly.
BATCH = 250


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
    """Play games between bots, one bot per seat, and count the results.

    Seats rotate from game to game; ``rotate=False`` keeps every bot in its seat.
    ``compiled=None`` compiles if Numba is installed.  ``jobs`` is the number of threads (default:
    all cores) and does not affect the result.

    Raises `UnknownGameError`, `UnknownBotError`, `OptionError`, `UnfinishedGameError` or
    `ValueError`.
    """
    definition = game_named(game)
    entrants = tuple(bot_named(game, name) for name in bots)
    if games < 1:
        raise ValueError(f"{games} games: play at least one")
    if jobs is not None and jobs < 1:
        raise ValueError(f"{jobs} jobs: use at least one thread")
    chosen = options_for(definition, len(entrants), options)
    started = time.perf_counter()
    backend = load_program(simulation_program(game), compiled, games, on_progress)
    seats, tally = chosen.seats, Tally(chosen.seats)

    def play(numbers: range) -> list[list[int]]:
        indices = [bot.index for bot in entrants]
        rows = run_games(backend, game, chosen, indices, seed % 2**64, numbers, rotate=rotate).rows
        return [list(row) for row in (rows.tolist() if backend.compiled else rows)]

    # Interpreted threads would only wait for each other.
    threads = (jobs or usable_cores()) if backend.compiled else 1
    with closing(run_in_threads(batches_of(range(games), BATCH), play, threads)) as played:
        for numbers, rows in played:
            offsets = [number * rotate % seats for number in numbers]
            ranks, scores = rows[RANKS : RANKS + seats], rows[RANKS + seats :]
            tally.add(offsets, rows[DECISIONS], ranks, scores)
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
        seconds=time.perf_counter() - started,
    )
