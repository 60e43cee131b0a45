"""Play the games and puzzles of a benchmark in several processes, into a resumable folder."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

import archipel
from archipel.bots import Bot, Level, player_named
from archipel.bots.external.bot_program import BotProgram
from archipel.bots.search.search import search_program
from archipel.game import Game
from archipel.puzzles import Puzzle
from archipel.puzzles.puzzle_library import puzzles_of
from archipel.puzzles.puzzle_validation import position_of
from archipel.record import Record
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, stream_key
from archipel.rules.play_out import MAX_DECISIONS
from archipel.study.benchmark.players import Entrant
from archipel.study.benchmark.specification import LANGUAGE, OPEN, Setting, Specification
from archipel.study.benchmark.submission import (
    LINES,
    MANIFEST,
    MANIFEST_SCHEMA,
    Answer,
    Curve,
    GameTotals,
    Line,
    Machine,
    Manifest,
    PlayedGame,
    SubmissionError,
    games_file,
    head_of,
    read_manifest,
    totals_of,
    write_manifest,
)
from archipel.study.executors.executor import PROCESSES, WorkFailed, open_executor
from archipel.study.matches.rotation import EntrantFailed
from archipel.study.progress import OnProgress, Progress, compile_first, silent
from archipel.study.resumable_file import VERSION

#: Name by which a worker finds its function.
WORK = "archipel.study.benchmark.play:play_task"


@dataclass(frozen=True)
class Entry:
    """An entrant of a benchmark and its budget. Without a program it is a bot or level by name."""

    name: str
    program: BotProgram | None = None
    track: str = "search"
    budget: str = OPEN
    curves: tuple[Curve, ...] = ()

    def name_in(self, game: str) -> str:
        """The exact version that plays a game; raises `UnknownBotError`."""
        return self.name if self.program else player_named(game, self.name).name


class Task(Struct, frozen=True):
    """Part of a run, as sent to a worker: a rotation of a setting, or the puzzles of a game."""

    game: str
    entrant: str
    program: BotProgram | None
    tries: int
    setting: Setting | None
    rotation: int = 0
    puzzles: tuple[int, ...] = ()


def run_benchmark(
    folder: Path,
    entry: Entry,
    specification: Specification,
    *,
    games: Sequence[str] = (),
    rotations: int | None = None,
    workers: int | None = None,
    on_progress: OnProgress = silent,
) -> Manifest:
    """Play what is missing in a folder, and write its manifest at the end.

    ``games`` and ``rotations`` choose a part; a later call can add to it. Raises `SubmissionError`,
    `OSError`, `EntrantFailed` or `UnknownBotError`; what was played is kept.
    """
    chosen = tuple(games or specification.games)
    count = specification.rotations if rotations is None else rotations
    folder.mkdir(parents=True, exist_ok=True)
    before = _manifest_so_far(folder, entry, specification)
    found: dict[str, GameTotals] = dict(before.games) if before else {}
    work = {game: _planned(entry, specification, game, count) for game in chosen}
    everything = sum(len(_keys(task)) for tasks in work.values() for task in tasks)
    done = 0
    for game, tasks in work.items():
        _check_rules(specification, game)
        name, path = entry.name_in(game), games_file(folder, game)
        with LINES.open(path, head_of(specification, game, name)) as (lines, file):
            missing = list(_missing(tasks, lines))
            done += sum(len(_keys(task)) for task in tasks if task not in missing)
            on_progress(Progress(done, everything))
            if missing and _any_search(game, missing):
                compile_first(search_program(game), everything, on_progress)
            there = {line.key for line in lines}
            with closing(_played(missing, workers)) as played:
                for made in played:
                    for line in made:
                        if line.key not in there:
                            file.append(line)
                            lines.append(line)
                    done += len(made)
                    on_progress(Progress(done, everything))
        found[game] = totals_of(path, name, count, lines)
    manifest = Manifest(
        schema=MANIFEST_SCHEMA,
        version=VERSION,
        benchmark=specification.name,
        specification=specification.digest,
        archipel=archipel.__version__,
        entrant=entry.name,
        command=entry.program.command if entry.program else (),
        track=entry.track,
        budget=entry.budget,
        games=found,
        machine=before.machine if before else this_machine(),
        curves=entry.curves,
    )
    write_manifest(folder, manifest)
    return manifest


def _manifest_so_far(folder: Path, entry: Entry, specification: Specification) -> Manifest | None:
    if not (folder / MANIFEST).exists():
        return None
    found = read_manifest(folder)
    if (found.specification, found.entrant) != (specification.digest, entry.name):
        raise SubmissionError("other", file=folder / MANIFEST)
    return found


def _check_rules(specification: Specification, game: str) -> None:
    settings, definition = specification.games[game], game_named(game)
    if (settings.rules_version, settings.board) != (definition.rules_version, definition.board):
        raise SubmissionError("rules", file=game)


def _planned(entry: Entry, specification: Specification, game: str, rotations: int) -> list[Task]:
    """All tasks of a game: the rotations of each line-up in turn, then the puzzles one by one."""
    tries = specification.tries if entry.track == LANGUAGE else 0
    name = entry.name_in(game)
    given = game, name, entry.program, tries
    settings = specification.settings(game, name)
    played = [Task(*given, setting, r) for r in range(rotations) for setting in settings]
    count = min(specification.puzzles, len(puzzles_of(game)))
    return played + [Task(*given, None, puzzles=(k,)) for k in range(1, count + 1)]


def _missing(tasks: Sequence[Task], lines: Sequence[Line]) -> Iterator[Task]:
    """Tasks that have no lines yet. A rotation that was interrupted is played as a whole again."""
    there = {line.key for line in lines}
    for task in tasks:
        if not there.issuperset(_keys(task)):
            yield task


def _keys(task: Task) -> list[tuple[int, ...]]:
    """Keys of the lines that a task makes."""
    if task.setting is None:
        return [(number,) for number in task.puzzles]
    return [(task.setting.number, task.rotation, seat) for seat in range(task.setting.seats)]


def _any_search(game: str, tasks: Sequence[Task]) -> bool:
    """Whether a player of these tasks is one of our levels."""
    names = {name for task in tasks if task.setting for name in task.setting.opponents}
    names |= {task.entrant for task in tasks if task.program is None}
    return any(isinstance(player_named(game, name), Level) for name in names)


def _played(tasks: Sequence[Task], workers: int | None) -> Generator[list[Line], None, None]:
    data = (msgspec.json.encode(task) for task in tasks)
    try:
        with (
            open_executor(PROCESSES, workers) as executor,
            closing(executor.map(WORK, data)) as answers,
        ):
            for answer in answers:
                yield msgspec.json.decode(answer, type=list[Line])
    except WorkFailed as failure:
        raise EntrantFailed(str(failure)) from None
    finally:
        _close_entrant()


#: The entrant of this worker's last task: the next one usually has the same.
_ENTRANT: dict[tuple[str, str], Entrant] = {}


def play_task(data: bytes) -> bytes:
    task = msgspec.json.decode(data, type=Task)
    key = task.game, task.entrant
    if key not in _ENTRANT:
        _close_entrant()
        _ENTRANT[key] = Entrant(task.game, task.entrant, task.program, task.tries)
    entrant = _ENTRANT[key]
    lines: list[Line] = [answer_puzzle(task.game, number, entrant) for number in task.puzzles]
    if (setting := task.setting) is not None:
        seats = range(setting.seats)
        lines += [play_game(setting, task.rotation, s, task.entrant, entrant) for s in seats]
    return msgspec.json.encode(lines)


def _close_entrant() -> None:
    while _ENTRANT:
        _ENTRANT.popitem()[1].close()


@cache
def our_bot(game: str, name: str) -> Bot:
    """A bot or level; cached, because a search allocates its memory once."""
    return Bot.named(game, name)


def play_game(
    setting: Setting, rotation: int, seat: int, name: str, entrant: Entrant
) -> PlayedGame:
    """Play the game of a rotation in which the entrant has this seat."""
    game, key = setting.begin(rotation), setting.choices_key(rotation, seat)
    names = setting.players(name, seat)
    bots = {other: our_bot(setting.game, other) for other in setting.opponents}
    while (to_move := game.to_move) is not None and len(game.moves) < MAX_DECISIONS:
        player = entrant if to_move == seat else bots[names[to_move]]
        game.play(chosen_by(player, game, key))
    outcome = game.outcome
    if outcome is None:
        raise EntrantFailed(f"{name}: no end after {MAX_DECISIONS} decisions")
    text = str(Record(game, names))
    return PlayedGame(
        setting.number, rotation, seat, outcome.ranks, outcome.scores, entrant.effort(), text
    )


def chosen_by(player: Bot | Entrant, game: Game, key: int) -> int:
    """The action that a player chooses, with its own random numbers for every decision; a player
    is not asked for a forced move."""
    assert game.to_move is not None
    legal = game.definition.legal_actions(game.state)
    if len(legal) == 1:
        return legal[0]
    view = game.definition.recalled(game.state, game.to_move)
    return player.choose(view, legal, chance=Stream(stream_key(key, len(game.moves))))


def answer_puzzle(game: str, number: int, entrant: Entrant) -> Answer:
    """Let the entrant choose in a puzzle, which counts from 1."""
    puzzle = puzzles_of(game)[number - 1]
    text = puzzle_choice(game, number, puzzle, entrant)
    return Answer(number, text, puzzle.is_right(text), entrant.effort())


def puzzle_choice(game: str, number: int, puzzle: Puzzle, player: Bot | Entrant) -> str:
    definition = game_named(game)
    view = definition.recalled(position_of(game, puzzle), puzzle.seat)
    legal = definition.legal_actions(view)
    return definition.action_text(view, player.choose(view, legal, chance=Stream(number)))


def this_machine(seconds: float = 0.5) -> Machine:
    """This machine, and its speed in interpreted random play."""
    decisions, chance, begun = 0, Stream(1), time.process_time()
    definition = game_named("deep-sea")
    while time.process_time() - begun < seconds:
        state = definition.new(definition.make_options(2), chance)
        while definition.to_move(state) >= 0:
            legal = definition.legal_actions(state)
            definition.apply(state, legal[chance.draw(len(legal))], chance)
            decisions += 1
    speed = decisions / (time.process_time() - begun)
    return Machine(_processor(), os.cpu_count() or 1, round(speed))


def _processor() -> str:
    if sys.platform == "linux":
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
