"""Verify a submission: replay every game, and repeat the decisions of all players that are ours.

The chance of a game follows from the benchmark, so a record is compared as a whole with the record
that its actions give.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from archipel.bots import BotInfo, roster_of
from archipel.puzzles.puzzle_library import puzzles_of
from archipel.record import Record, RecordError, parse_record
from archipel.rules.all_games import games
from archipel.rules.contract import NotationError, RuleError
from archipel.study.benchmark.play import chosen_by, our_bot, puzzle_choice
from archipel.study.benchmark.specification import Setting, Specification
from archipel.study.benchmark.submission import (
    Answer,
    GameTotals,
    Line,
    Manifest,
    PlayedGame,
    Submission,
    file_hash,
    games_file,
    keeps_budget,
    read_submission,
    totals_of,
)
from archipel.study.executors.executor import PROCESSES, WorkFailed, open_executor
from archipel.study.progress import OnProgress, Progress, silent

#: Name by which a worker finds its function.
WORK = "archipel.study.benchmark.verify:verify_task"


class Problem(Struct, frozen=True):
    """Something wrong in a submission; ``key`` names it, ``line`` counts from 1, 0 for none."""

    key: str
    file: str
    line: int = 0
    details: dict[str, Any] = {}


class Check(Struct, frozen=True):
    """A line to verify, as sent to a worker; ``ours`` are the players whose moves are repeated."""

    file: str
    number: int
    game: str
    entrant: str
    line: Line
    setting: Setting | None
    ours: tuple[str, ...]


def verify(
    folder: Path,
    specification: Specification,
    *,
    sample: int | None = None,
    workers: int | None = None,
    on_progress: OnProgress = silent,
) -> list[Problem]:
    """Return what is wrong with a submission; nothing if it is valid.

    Every game is replayed. The decisions of our own players are repeated in all games, or in
    ``sample`` games of each file, evenly spread. Raises `SubmissionError` or `OSError`.
    """
    submission = read_submission(folder)
    manifest = submission.manifest
    if (manifest.benchmark, manifest.specification) != (specification.name, specification.digest):
        return [Problem("benchmark", "manifest.json", details={"found": manifest.benchmark})]
    problems = list(_manifest_problems(manifest, specification))
    checks: list[Check] = []
    for game in manifest.games:
        if game not in specification.games:
            problems.append(Problem("unknown_game", "manifest.json", details={"game": game}))
            continue
        problems += _file_problems(submission, game, specification)
        checks += _checks(submission, game, specification, sample)
    on_progress(Progress(0, len(checks)))
    data = (msgspec.json.encode(check) for check in checks)
    try:
        with (
            open_executor(PROCESSES, workers) as executor,
            closing(executor.map(WORK, data)) as answers,
        ):
            for done, answer in enumerate(answers, 1):
                problems += msgspec.json.decode(answer, type=list[Problem])
                on_progress(Progress(done, len(checks)))
    except WorkFailed as failure:
        problems.append(Problem("failed", str(folder), details={"why": str(failure)}))
    return problems


def _manifest_problems(manifest: Manifest, specification: Specification) -> Iterator[Problem]:
    where = "manifest.json"
    if manifest.track not in specification.tracks:
        yield Problem("track", where, details={"found": manifest.track})
    if not keeps_budget(manifest, specification):
        yield Problem("budget", where, details={"track": manifest.track, "budget": manifest.budget})
    for game, totals in manifest.games.items():
        known = {bot.name for bot in _players(game)}
        named = {name for bot in _players(game) for name in (bot.name, bot.family)}
        if manifest.is_program and (totals.entrant in named or manifest.entrant in named):
            yield Problem("reserved", where, details={"name": manifest.entrant})
        elif totals.entrant not in ({manifest.entrant} if manifest.is_program else known):
            yield Problem("entrant", where, details={"name": totals.entrant})


def _players(game: str) -> Sequence[BotInfo]:
    return roster_of(game).players if game in {each.name for each in games()} else ()


def _file_problems(
    submission: Submission, game: str, specification: Specification
) -> Iterator[Problem]:
    """Problems of a file as a whole: its hash, missing and surplus lines, the totals."""
    totals, lines = submission.manifest.games[game], submission.lines[game]
    path = games_file(submission.folder, game)
    if file_hash(path) != totals.sha256:
        yield Problem("hash", path.name)
    if totals_of(path, totals.entrant, totals.rotations, lines) != msgspec.structs.replace(
        totals, sha256=file_hash(path)
    ):
        yield Problem("totals", path.name)
    expected = _expected(totals, game, specification)
    seen: set[tuple[int, ...]] = set()
    for number, line in enumerate(lines, 2):
        if line.key not in expected:
            yield Problem("surplus", path.name, number)
        elif line.key in seen:
            yield Problem("twice", path.name, number)
        seen.add(line.key)
    if missing := expected - seen:
        yield Problem("missing", path.name, details={"count": len(missing)})


def _expected(totals: GameTotals, game: str, specification: Specification) -> set[tuple[int, ...]]:
    """Keys of all lines of a file."""
    rotations = range(totals.rotations)
    settings = specification.settings(game, totals.entrant)
    games = {(s.number, r, seat) for s in settings for r in rotations for seat in range(s.seats)}
    count = min(specification.puzzles, len(puzzles_of(game)))
    return games | {(number,) for number in range(1, count + 1)}


def _checks(
    submission: Submission, game: str, specification: Specification, sample: int | None
) -> Iterator[Check]:
    manifest, lines = submission.manifest, submission.lines[game]
    entrant = manifest.games[game].entrant
    expected = _expected(manifest.games[game], game, specification)
    own = () if manifest.is_program else (entrant,)
    settings = {setting.number: setting for setting in specification.settings(game, entrant)}
    repeated = _sample(len(lines), sample)
    for index, line in enumerate(lines):
        if line.key not in expected:
            continue
        setting = settings[line.setting] if isinstance(line, PlayedGame) else None
        opponents = setting.opponents if setting else ()
        ours = (*own, *opponents) if index in repeated else ()
        file = games_file(submission.folder, game).name
        yield Check(file, index + 2, game, entrant, line, setting, ours)


def _sample(count: int, sample: int | None) -> set[int]:
    if sample is None or sample >= count:
        return set(range(count))
    return {index * count // sample for index in range(sample)}


def verify_task(data: bytes) -> bytes:
    check = msgspec.json.decode(data, type=Check)
    if isinstance(check.line, Answer):
        found = _answer_problem(check, check.line)
    else:
        found = _game_problem(check, check.line)
    return msgspec.json.encode([] if found is None else [found])


def _answer_problem(check: Check, answer: Answer) -> Problem | None:
    puzzle = puzzles_of(check.game)[answer.puzzle - 1]
    if answer.action not in [choice.action for choice in puzzle.choices]:
        return _problem(check, "illegal", action=answer.action)
    if answer.right != puzzle.is_right(answer.action):
        return _problem(check, "answer")
    if check.entrant in check.ours:
        bot = our_bot(check.game, check.entrant)
        again = puzzle_choice(check.game, answer.puzzle, puzzle, bot)
        if again != answer.action:
            return _problem(check, "choice", name=check.entrant, found=answer.action, again=again)
    return None


def _game_problem(check: Check, line: PlayedGame) -> Problem | None:
    """Replay a game with the chance that the benchmark prescribes."""
    setting = check.setting
    assert setting is not None
    names = setting.players(check.entrant, line.seat)
    try:
        given = parse_record(line.record)
    except RecordError as error:
        return _problem(check, "record", why=str(error))
    game, key = setting.begin(line.rotation), setting.choices_key(line.rotation, line.seat)
    bots = {name: our_bot(check.game, name) for name in check.ours}
    own = 0
    for number, move in enumerate(given.game.moves, 1):
        seat = game.to_move
        if seat is None:
            return _problem(check, "goes_on")
        own += seat == line.seat and len(game.definition.legal_actions(game.state)) > 1
        if names[seat] in bots:
            again = chosen_by(bots[names[seat]], game, key)
            if again != move.action:
                text = game.definition.action_text(game.state, again)
                details = {"name": names[seat], "found": move.action.text, "again": text}
                return _problem(check, "move", move=number, **details)
        try:
            game.play(int(move.action))
        except (RuleError, NotationError) as error:
            return _problem(check, "record", why=f"{number}: {error}")
    outcome = game.outcome
    if outcome is None:
        return _problem(check, "unfinished")
    expected = str(Record(game, names)).splitlines()
    for number, (found, right) in enumerate(zip_longest(line.record.splitlines(), expected), 1):
        if found != right:
            return _problem(check, "differs", number=number, found=found, expected=right)
    if (outcome.ranks, outcome.scores) != (line.ranks, line.scores):
        return _problem(check, "result")
    if line.effort.decisions != own:
        return _problem(check, "decisions", found=line.effort.decisions, right=own)
    return None


def _problem(check: Check, key: str, **details: Any) -> Problem:
    return Problem(key, check.file, check.number, details)
