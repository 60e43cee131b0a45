"""The record of a table names people by the letters that its players saw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from archipel.game import Game
from archipel.lessons.lesson_library import read_lessons
from archipel.record import Record, RecordError, parse_record
from archipel.tables.log.records import piece_letters, record_of
from tests.lessons.pupil import Pupil


def letters_of(game: str, *names: str) -> tuple[str, ...]:
    """The letters at a table of two with these names, in white and yellow."""
    table = Pupil(read_lessons(game)[0]).table
    named = zip(table.seats, names, strict=True)
    return piece_letters(
        replace(table, seats=tuple(replace(seat, name=name) for seat, name in named))
    )


def test_letters_are_initials_if_they_differ() -> None:
    assert letters_of("atlantis", "Ana", "élodie") == ("A", "É")
    assert letters_of("atlantis", "Ana", "Alba") == ("W", "Y")
    assert letters_of("atlantis", "Player 1", "Player 2") == ("W", "Y")
    # A player of The Island may have a second side, sky or vermilion.
    assert letters_of("the-island", "Ana", "Ben") == ("A", "B", "S", "V")
    assert letters_of("the-island", "Ana", "Sam") == ("W", "Y", "S", "V")
    assert letters_of("deep-sea", "Ana", "Ben") == ()


@pytest.mark.parametrize(
    ("game", "position", "move", "shown"),
    [
        ("atlantis", "red=f4 blue=f9 boats=g2,g10", "person R1", "1 person B1"),
        ("the-island", "white=d4:5 yellow=d7:2 boats=c4", "explorer w1", "1 explorer B1"),
    ],
)
def test_moves_are_written_and_read_with_the_letters(
    game: str, position: str, move: str, shown: str
) -> None:
    played = Game.from_position(game, position, seed=1)
    played.play(move)
    written = str(Record(played, ("Ben", "Wim"), letters=("B", "W")))
    assert "\nletter 1: B\nletter 2: W\n" in written
    assert f"\n  {shown}\n" in written
    record = parse_record(written)
    assert record.letters == ("B", "W")
    assert [each.action for each in record.game.moves] == [each.action for each in played.moves]
    assert str(record) == written
    # An older record has the letters of the notation.
    older = str(Record(played, ("Ben", "Wim")))
    assert f"  1 {move}\n" in older
    assert parse_record(older).game.moves == record.game.moves


@pytest.mark.parametrize("letters", ["letter 1: A\nletter 2: A", "letter 1: ab", "letter 2: A"])
def test_wrong_letters_are_refused(letters: str) -> None:
    played = Game.from_position("atlantis", "red=f4 blue=f9 boats=g2,g10", seed=1)
    text = str(Record(played, ("Ana", "Ben"))).replace("\nstart:", f"\n{letters}\nstart:")
    with pytest.raises(RecordError, match="letter"):
        parse_record(text)


def test_a_game_without_letters_refuses_them() -> None:
    text = str(Record(Game.new("deep-sea", seats=2, seed=1)))
    with pytest.raises(RecordError, match="at most 0 sides"):
        parse_record(text.replace("\nstart:", "\nletter 1: A\nstart:"))


def test_the_record_of_a_table_has_its_letters() -> None:
    """The lesson of Atlantis ends at sea: Zoé's swimmer rode on a dolphin."""
    (lesson,) = read_lessons("atlantis")
    pupil = Pupil(lesson)
    while not pupil.is_over:
        pupil.goes_on()
    record = record_of(pupil.table)
    assert record.letters[0] == "Z"
    assert "\n  1 person Z11\n" in str(record)
    assert str(parse_record(str(record))) == str(record)
