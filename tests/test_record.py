"""Records: round trips, hand-written records, and errors with their line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from archipel import Game, RecordError, load_record, parse_record
from archipel.record import HEADING, MOST_CHARACTERS, Record


def play_at_random(seed: int, moves: int) -> Game:
    order = ("piled", "taken", "chosen")[seed % 3]
    game = Game.new("deep-sea", 2 + seed % 5, seed=seed, drop_order=order)
    chooser = random.Random(seed)
    while not game.is_over and len(game.moves) < moves:
        game.play(chooser.choice(game.legal))
    return game


@pytest.mark.parametrize("moves", [0, 1, 25, 10_000])
@pytest.mark.parametrize("seed", range(5))
def test_round_trip(seed: int, moves: int) -> None:
    game = play_at_random(seed, moves)
    record = Record(game, tuple(f"Player {seat}" for seat in range(game.seats)))
    again = parse_record(str(record))
    assert str(again) == str(record)
    assert again.players == record.players
    assert again.game.position == game.position
    assert again.game.start == game.start
    assert again.game.moves == game.moves
    assert again.game.options == game.options
    assert again.game.outcome == game.outcome


def test_the_text_of_a_record() -> None:
    game = Game.from_position("deep-sea", seats=2, round=3, air=1, diver1="3>[a8:0]", seed=1)
    game.play("dive", dice="1 1")
    game.play("nothing")
    lines = str(Record(game, ("Ana", "greedy-1"))).split("\n")
    assert lines[:9] == [
        "archipel record 1",
        "game: deep-sea",
        "rules: 2",
        "seats: 2",
        "first: drawn",
        "drop_order: piled",
        "player 1: Ana",
        "player 2: greedy-1",
        "start:",
    ]
    assert lines[-5:] == ["play:", "  1 dive [1 1]", "  1 nothing", "end: 0 0", ""]


def test_a_record_written_by_hand() -> None:
    """Comments, blank lines and spaces are free; unknown parts of the start are dealt."""
    record = parse_record(
        """
        archipel record 1   # a comment
        game: deep-sea
        rules: 1
        seats: 2

        start:
            seats=2 air=9 turn=2
            diver2=7>[a1?,b2:5]
        play:
            2   TURN   BACK [ 3, 3 ]   # a good throw
        end: unfinished
        """,
        seed=1,
    )
    assert record.players == ()
    assert record.game.state.place[1] == 2
    assert record.game.state.air == 7


@pytest.mark.parametrize("name", ["a # b", "two\nlines", "end: 3 4", "\x1b[31m", "", "start:", "é"])
def test_names_cannot_break_a_record(name: str) -> None:
    game = Game.new("deep-sea", 2, seed=1)
    again = parse_record(str(Record(game, (name, "Bob"))))
    assert again.players[1] == "Bob"
    assert "\n" not in again.players[0]


def test_saving_and_loading(tmp_path: Path) -> None:
    game = play_at_random(1, 30)
    file = tmp_path / "game.txt"
    Record(game).save(file)
    assert load_record(file).game.position == game.position
    game.play(game.legal[0])
    Record(game).save(file)
    assert len(load_record(file).game.moves) == 31
    assert [found.name for found in tmp_path.iterdir()] == ["game.txt"]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.txt"
    record = Record(play_at_random(1, 3))
    record.save(file)
    before = file.read_bytes()

    def fail(*arguments: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        Record(play_at_random(1, 4)).save(file)
    assert file.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["game.txt"]


def test_invalid_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_record(tmp_path / "nothing")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match=r"binary: not a text file \(byte 0\)"):
        load_record(binary)
    large = tmp_path / "large"
    large.write_bytes(b" " * (MOST_CHARACTERS + 1))
    with pytest.raises(RecordError, match="large: too large"):
        load_record(large)
    with pytest.raises(RecordError, match="too large"):
        parse_record(" " * (MOST_CHARACTERS + 1))


GOOD = f"""\
{HEADING}
game: deep-sea
rules: 1
seats: 2
drop_order: taken
player 1: Ana
player 2: Bob
start:
  seats=2
play:
  1 dive [2 3]
  1 take
end: unfinished
"""


def test_the_valid_record_is_accepted() -> None:
    assert len(parse_record(GOOD).game.moves) == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (HEADING, "archipel record 2", 1, "not a record"),
        ("game: deep-sea", "game: xyzzy", 2, "there are: deep-sea"),
        ("game: deep-sea", "spiel: deep-sea", 2, "expected 'game: ...'"),
        ("rules: 1", "rules: 7", 3, "rules version 7; this is version 2"),
        ("seats: 2", "seats: 9", 4, "2 to 6 players, not 9"),
        ("seats: 2", "seats: two", 4, "2 to 6 players, not two"),
        ("seats: 2", "seats: " + "9" * 5000, 4, "2 to 6 players"),
        ("seats: 2", "seats: 3", 8, "expected the lines player 1, player 2, player 3"),
        ("drop_order: taken", "drop_order: odd", 5, "DS-E8"),
        ("drop_order: taken", "colour: red", 5, "expected an option, a player or 'start:'"),
        ("player 2: Bob\n", "", 7, "expected the lines player 1, player 2"),
        ("  seats=2", "  seats=3", 10, "the start position has 3 seats, not 2"),
        ("  seats=2", "  seats=2 air=99", 10, "the start position above: air=99"),
        ("1 dive [2 3]", "dive", 11, "expected 'seat action"),
        ("1 dive [2 3]", "2 dive [2 3]", 11, "turn of seat 1"),
        ("1 dive [2 3]", "1 dive [2 9]", 11, "1, 2 or 3, not 9"),
        ("1 dive [2 3]", "1 dive [2]", 11, "outcome 2"),
        ("1 dive [2 3]", "1 take", 11, "DS-T10"),
        ("1 take", "1 take [1]", 12, "chance was asked only 0 times"),
        ("1 take", "1 jump", 12, "'jump' is not an action"),
        ("end: unfinished", "end: 0 0", 13, "the record says '0 0', the rules give 'unfinished'"),
        ("end: unfinished\n", "", 12, "breaks off here"),
        ("end: unfinished\n", "end: unfinished\n1 dive\n", 14, "nothing may follow"),
    ],
)
def test_errors_name_their_line(old: str, new: str, line: int, message: str) -> None:
    assert old in GOOD
    with pytest.raises(RecordError, match=rf"^line {line}: ") as caught:
        parse_record(GOOD.replace(old, new, 1))
    assert message in str(caught.value)


def test_moves_after_the_end_of_the_game() -> None:
    game = Game.from_position("deep-sea", seats=2, round=3, air=1, diver1="3>[a8]", seed=1)
    game.play("dive", dice="1 1")
    game.play("nothing")
    text = str(Record(game)).replace("end: 0 0", "  1 dive [1 1]\nend: 0 0")
    with pytest.raises(RecordError, match="already over"):
        parse_record(text)


def test_files_may_be_named_by_strings(tmp_path: Path) -> None:
    record = Record(play_at_random(1, 5))
    record.save(f"{tmp_path}/game.txt")
    assert str(load_record(f"{tmp_path}/game.txt")) == str(record)
