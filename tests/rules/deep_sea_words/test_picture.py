"""The text picture of a position: at most 80 columns wide, without hidden values."""

from __future__ import annotations

import pytest

from archipel import Game
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.picture import picture
from archipel.rules.kit import Stream
from tests.rules.deep_sea_words.random_games import LANGUAGES, all_positions, view

WIDTH = 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_are_printable_and_at_most_80_columns_wide(language: str) -> None:
    for s in all_positions():
        for seen in (s, view(s, 0)):
            lines = picture(seen, language).split("\n")
            assert max(map(len, lines)) <= WIDTH
            assert all(line.isprintable() and line == line.rstrip() for line in lines)


def test_the_picture_of_a_view_shows_no_hidden_value() -> None:
    """Two worlds with equal views have equal pictures."""
    for number, s in enumerate(all_positions()):
        other_world = DEEP_SEA.resample(s, 1, Stream(number))
        assert picture(view(s, 1), "en") == picture(view(other_world, 1), "en")


def test_the_picture_of_an_example_position() -> None:
    game = Game.from_position(
        "deep-sea",
        seats=3,
        round=2,
        air=13,
        turn=2,
        line="a1,o,o,b1+b2+c1,c2-c8,d2-d8",
        diver1="2<[a3?,a4?+a5?]",
        diver2="5>",
        diver3="home[d1:15]",
        treasure1="a2:0,b3:4",
        treasure2="a6:1,a7:2,a8:3,b4:5,b5:6,b6:7,b7:7,b8:6",
        seed=1,
    )
    assert picture(game.view(2).state, "en").split("\n") == PICTURE.split("\n")
    assert str(game.view(2)) == PICTURE
    assert "13 █" in picture(game.view().state, "fr")
    assert "case 5, vers le large" in picture(game.view().state, "fr")
    assert "IV?" in str(game.view(0))  # only diver 3 knows


PICTURE = """\
  Round 2 of 3
  Air 13 ██████████████████████████░░░░░░░░░░░░░░░░░░░░░░░░
  <Submarine|  (3)

  [I]      ( )◀1    ( )      {3}      [III]2▶  [III]    [III]    [III]
   1        2        3        4        5        6        7        8
  [III]    [III]    [III]    [IV]     [IV]     [IV]     [IV]     [IV]
   9        10       11       12       13       14       15       16
  [IV]     [IV]
   17       18

  Piles  4=II?+II?+III?

  1  4 points     space 2, heading home  holds 1·I?  2·I?+I?  treasure 0 4
→ 2  37 points    space 5, going out  treasure 1 2 3 5 6 7 7 6
  3  0 points     home for this round  holds 1·IV:15"""
