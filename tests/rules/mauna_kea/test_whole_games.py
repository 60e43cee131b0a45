"""Golden game records and perft counts."""

from __future__ import annotations

import json
import re

import pytest

from archipel.record import parse_record
from tests.rules.mauna_kea import golden

OPENINGS = json.loads(golden.COUNTED.read_text("utf-8"))


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_recorded_game_replays_to_its_recorded_end(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(parse_record(text).game) == text


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_kept_game_is_dealt_and_drawn_from_its_seed(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(golden.played(*golden.GAMES[name])) == text


def test_the_kept_games_have_something_of_everything() -> None:
    texts = [path.read_text("utf-8") for path in golden.RECORDS.glob("*.txt")]
    assert len(texts) == len(golden.GAMES)
    features = ("spend", "turn 1", "explorer 2", "north", "take white", "put white", "reject")
    cards = ("card jungle", "card earthquake", "card helicopter", "draw \\[", "end turn", "stop")
    for feature in (*features, *cards, "to [a-i][1-9]", "fork@", "straight@"):
        assert any(re.search(feature, text) for text in texts), feature


@pytest.mark.rule("MK-C5", "MK-T1", "MK-T2", "MK-A2", "MK-B1", "MK-X4")
@pytest.mark.parametrize("name", golden.OPENINGS)
def test_counted_positions(name: str) -> None:
    position, depth = golden.OPENINGS[name]
    assert OPENINGS[name]["position"] == position
    assert golden.counts(position, depth) == OPENINGS[name]["paths"]


@pytest.mark.rule("MK-T1", "MK-T4", "MK-T5", "MK-C5")
def test_a_count_by_hand() -> None:
    """Of three tiles two are alike, so there are two to lay and two to spend. Ending the play puts
    all three in the bag with two more of 3 points: of 3, 3, 3, 2 and 2 points one draws two of the
    first three (two ways), one of either kind and a 2 (two ways), or both 2s and one of either."""
    assert OPENINGS["laying and spending"]["paths"][0] == 2 + 2 + (2 + 2 + 2)
