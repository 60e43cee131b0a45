"""`archipel bench verify` rejects tampered submissions."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from archipel.record import Record, parse_record
from archipel.rules.all_games import game_named
from archipel.study.benchmark.play import Entry, run_benchmark
from archipel.study.benchmark.submission import (
    LINES,
    Answer,
    Effort,
    Line,
    PlayedGame,
    games_file,
    read_manifest,
    totals_of,
    write_manifest,
)
from archipel.study.benchmark.verify import verify
from tests.study.benchmark.specs import TINY

GAME = "deep-sea"
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("submissions") / "random"
    run_benchmark(folder, Entry("greedy"), TINY, workers=1)
    return folder


@pytest.fixture
def copied(honest: Path, tmp_path: Path) -> Path:
    return shutil.copytree(honest, tmp_path / "copy")


def keys(folder: Path) -> set[str]:
    return {problem.key for problem in verify(folder, TINY, workers=1)}


def write_lines(folder: Path, lines: list[Line]) -> None:
    """Write other lines, with a manifest that fits them."""
    path = games_file(folder, GAME)
    head, _ = LINES.read(path)
    path.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in (head, *lines)))
    manifest = read_manifest(folder)
    totals = manifest.games[GAME]
    totals = totals_of(path, totals.entrant, totals.rotations, lines)
    write_manifest(folder, replace(manifest, games={GAME: totals}))


def lines_of(folder: Path) -> list[Line]:
    return LINES.read(games_file(folder, GAME))[1]


def first_game(lines: list[Line]) -> tuple[int, PlayedGame]:
    return next((k, line) for k, line in enumerate(lines) if isinstance(line, PlayedGame))


def with_record(change: Callable[[str], str]) -> Callable[[list[Line]], None]:
    """Change the record of the first game."""

    def tamper(lines: list[Line]) -> None:
        index, line = first_game(lines)
        changed = change(line.record)
        assert changed != line.record
        lines[index] = replace(line, record=changed)

    return tamper


def other_outcome(record: str) -> str:
    """Change a throw of the dice."""
    return re.sub(r"\[(\d) (\d)\]", lambda m: f"[{4 - int(m[1])} {m[2]}]", record, count=1)


def other_player(record: str) -> str:
    return record.replace(": random\n", ": greedy-1\n", 1)


def other_option(record: str) -> str:
    return record.replace("drop_order: taken", "drop_order: piled").replace("=taken", "=piled")


def more_points(record: str) -> str:
    head, _, scores = record.rpartition("end: ")
    first, *others = scores.split()
    return f"{head}end: {' '.join([str(int(first) + 20), *others])}\n"


def cut_short(record: str) -> str:
    """Leave out the second half of the moves."""
    lines = record.splitlines()
    return "\n".join([*lines[: len(lines) // 2], "end: unfinished"]) + "\n"


def other_start(record: str) -> str:
    return re.sub(r"air=25", "air=24", record, count=1)


def replayed(record: str, seat_to_change: str) -> str:
    """Let a player deviate once, and play on at random by fair chance."""
    parsed = parse_record(record)
    (setting,) = TINY.settings(GAME, "greedy-1")
    game = setting.begin(0)
    deviated = False
    for move in parsed.game.moves:
        if game.to_move is None:
            break
        legal = [int(action) for action in game.legal]
        action = int(move.action)
        mine = parsed.players[game.to_move] == seat_to_change
        if not deviated and mine and len(legal) > 1:
            action = next(other for other in legal if other != action)
            deviated = True
        game.play(action if action in legal else legal[0])
    while game.to_move is not None:
        game.play(int(game.legal[0]))
    assert deviated
    return str(Record(game, parsed.players))


def own_result(lines: list[Line], name: str) -> None:
    """Replace the first game by one with a deviation, and results that fit."""
    index, line = first_game(lines)
    record = replayed(line.record, name)
    outcome = parse_record(record).game.outcome
    assert outcome is not None
    lines[index] = replace(line, record=record, ranks=outcome.ranks, scores=outcome.scores)


def opponent_deviates(lines: list[Line]) -> None:
    own_result(lines, "random")


def entrant_deviates(lines: list[Line]) -> None:
    own_result(lines, "greedy-1")


def drop_a_game(lines: list[Line]) -> None:
    del lines[first_game(lines)[0]]


def repeat_a_game(lines: list[Line]) -> None:
    lines.append(first_game(lines)[1])


def more_games(lines: list[Line]) -> None:
    line = first_game(lines)[1]
    lines.append(replace(line, rotation=7))


def best_rotation_twice(lines: list[Line]) -> None:
    """Present the game of a rotation as that of another."""
    _, line = first_game(lines)
    other = next(
        k
        for k, each in enumerate(lines)
        if isinstance(each, PlayedGame)
        and each.rotation != line.rotation
        and each.seat == line.seat
    )
    found = lines[other]
    assert isinstance(found, PlayedGame)
    lines[other] = replace(line, rotation=found.rotation)


def claim_the_win(lines: list[Line]) -> None:
    index, line = first_game(lines)
    lines[index] = replace(line, ranks=line.ranks[::-1])


def fewer_decisions(lines: list[Line]) -> None:
    index, line = first_game(lines)
    lines[index] = replace(line, effort=Effort(decisions=1))


def change_answer(lines: list[Line], **changed: Any) -> None:
    index, line = next((k, each) for k, each in enumerate(lines) if isinstance(each, Answer))
    lines[index] = replace(line, **changed)


def claim_a_puzzle(lines: list[Line]) -> None:
    line = next(each for each in lines if isinstance(each, Answer))
    change_answer(lines, right=not line.right)


def answer_illegally(lines: list[Line]) -> None:
    change_answer(lines, action="swim to the moon")


def drop_a_puzzle(lines: list[Line]) -> None:
    lines.remove(next(each for each in lines if isinstance(each, Answer)))


@pytest.mark.parametrize(
    ("tamper", "key"),
    [
        (with_record(other_outcome), {"record", "move", "differs"}),
        (with_record(other_player), {"differs"}),
        (with_record(other_option), {"record", "differs", "move"}),
        (with_record(more_points), {"record"}),
        (with_record(cut_short), {"unfinished"}),
        (with_record(other_start), {"record", "differs", "move"}),
        (opponent_deviates, {"move"}),
        (entrant_deviates, {"move"}),
        (drop_a_game, {"missing"}),
        (repeat_a_game, {"twice"}),
        (more_games, {"surplus"}),
        (best_rotation_twice, {"record", "move", "differs"}),
        (claim_the_win, {"result"}),
        (fewer_decisions, {"decisions"}),
        (claim_a_puzzle, {"answer"}),
        (answer_illegally, {"illegal"}),
        (drop_a_puzzle, {"missing"}),
    ],
)
def test_tampered_games_are_rejected(
    copied: Path, tamper: Callable[[list[Line]], None], key: set[str]
) -> None:
    lines = lines_of(copied)
    write_lines(copied, lines)
    assert keys(copied) == set(), "writing the same lines changes nothing"
    tamper(lines)
    write_lines(copied, lines)
    found = keys(copied)
    assert found
    assert found <= key


def test_file_must_be_that_of_the_manifest(copied: Path) -> None:
    file = games_file(copied, GAME)
    file.write_bytes(file.read_bytes().replace(b'"seconds":', b'"seconds": ', 1))
    assert keys(copied) == {"hash"}


def change_manifest(folder: Path, **changed: Any) -> None:
    write_manifest(folder, replace(read_manifest(folder), **changed))


def test_totals_must_follow_from_the_games(copied: Path) -> None:
    totals = read_manifest(copied).games[GAME]
    change_manifest(copied, games={GAME: replace(totals, wins=totals.wins + 1)})
    assert keys(copied) == {"totals"}


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"budget": "1us"}, {"budget"}),
        ({"budget": "unheard-of"}, {"budget"}),
        ({"track": "unheard-of"}, {"track"}),
        ({"benchmark": "tinier"}, {"benchmark"}),
        ({"command": ("python3", "mine.py")}, {"reserved"}),
    ],
)
def test_tampered_manifests_are_rejected(
    copied: Path, changed: dict[str, Any], key: set[str]
) -> None:
    change_manifest(copied, **changed)
    assert keys(copied) == key


def test_entrant_must_be_the_one_that_played(copied: Path) -> None:
    totals = read_manifest(copied).games[GAME]
    change_manifest(copied, games={GAME: replace(totals, entrant="random")})
    assert "move" in keys(copied) or "surplus" in keys(copied)


def test_sample_still_replays_every_game(copied: Path) -> None:
    lines = lines_of(copied)
    entrant_deviates(lines)
    write_lines(copied, lines)
    assert verify(copied, TINY, sample=0, workers=1) == []
    with_record(more_points)(lines)
    write_lines(copied, lines)
    assert [p.key for p in verify(copied, TINY, sample=0, workers=1)] == ["record"]
    assert game_named(GAME).rules_version == TINY.games[GAME].rules_version
