"""How rotations get played: compiled where all bots are rules, else by a crew.

Which way, where and by how many workers makes no difference to what comes of them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import groupby

from archipel.bots import Level, player_named
from archipel.bots.search.programs import search_program
from archipel.rules.kit.loading import can_compile
from archipel.study.arena import EntrantFailed, Match, Rotation
from archipel.study.arena_compiled import rotations_at_once
from archipel.study.arena_worker import PLAYER, WORK, read_rotations, task_bytes
from archipel.study.backends import OnProgress, backend_for, compile_first, silent
from archipel.study.crew import PROCESSES, WorkFailed, crew_on
from archipel.study.programs import simulation_program
from archipel.study.threads import in_pieces, usable_cores

#: Rotations that are played in one go where they are compiled.
PIECE = 50

Played = Generator[tuple[int, Rotation], None, None]


def play_rotations(
    match: Match,
    numbers: Sequence[int],
    *,
    processes: int | None = None,
    on: str = PROCESSES,
    on_progress: OnProgress = silent,
) -> Played:
    """The rotations of these numbers, each with its number, in ascending order.

    ``on`` is one of `archipel.study.crew.PLACES`.  Raises `EntrantFailed` or `NoRayError`.
    Whatever comes, closing it ends the processes.
    """
    if not numbers:
        return
    jobs = processes or usable_cores()
    at_once = can_compile() and all(_is_rule(match, name) for name in match.bots)
    if at_once and on == PROCESSES:
        played = _compiled(match, numbers, jobs, on_progress)
    else:
        if at_once:
            backend_for(simulation_program(match.game), None, len(numbers), on_progress)
        else:
            _compile_searches(match, len(numbers), on_progress)
        played = _by_crew(match, numbers, on, processes, at_once)
    with closing(played):
        yield from played


def _is_rule(match: Match, name: str) -> bool:
    return name not in match.programs and not isinstance(player_named(match.game, name), Level)


def _compile_searches(match: Match, rotations: int, on_progress: OnProgress) -> None:
    house = [player_named(match.game, name) for name in match.bots if name not in match.programs]
    if any(isinstance(bot, Level) for bot in house):
        compile_first(search_program(match.game), rotations * match.seats, on_progress)


def _by_crew(
    match: Match, numbers: Sequence[int], on: str, workers: int | None, at_once: bool
) -> Played:
    pieces = list(_pieces(numbers, PIECE if at_once else 1))
    most = min(workers or usable_cores(), len(pieces)) if on == PROCESSES else workers
    tasks = (task_bytes(match, piece, at_once) for piece in pieces)
    try:
        with crew_on(on, most) as crew, closing(crew.do(WORK, tasks)) as answers:
            for piece, answer in zip(pieces, answers, strict=True):
                yield from zip(piece, read_rotations(answer), strict=True)
    except WorkFailed as failure:
        raise EntrantFailed(str(failure)) from None
    finally:
        PLAYER.close()


def _compiled(match: Match, numbers: Sequence[int], jobs: int, on_progress: OnProgress) -> Played:
    backend = backend_for(simulation_program(match.game), None, len(numbers), on_progress)
    pieces = list(_pieces(numbers, PIECE))
    waiting: dict[int, list[Rotation]] = {}

    def play(piece: range) -> list[Rotation]:
        return rotations_at_once(match, piece, backend)

    given = iter(pieces)
    with closing(in_pieces(pieces, play, jobs)) as done:
        following = next(given)
        for piece, rotations in done:
            waiting[piece.start] = rotations
            while following and following.start in waiting:
                yield from zip(following, waiting.pop(following.start), strict=True)
                following = next(given, range(0))


def _pieces(numbers: Sequence[int], most: int) -> Iterator[range]:
    """Runs of numbers, none too long."""
    for _, run in groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        for first in range(found[0], found[-1] + 1, most):
            yield range(first, min(first + most, found[-1] + 1))
