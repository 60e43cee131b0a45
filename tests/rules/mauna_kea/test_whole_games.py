"""Golden game records and perft counts."""

from __future__ import annotations

import json
import re

import pytest

from archipel.record import parse_record
from tests.rules.mauna_kea import golden

OPENINGS = json.loads(golden.COUNTED.read_text("utf-8"))


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_record_replays_to_its_final_position(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(parse_record(text).game) == text


@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_game_is_reproduced_from_its_seed(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(golden.played(*golden.GAMES[name])) == text


def test_the_golden_games_cover_every_kind_of_action() -> None:
    texts = [path.read_text("utf-8") for path in golden.RECORDS.glob("*.txt")]
    assert len(texts) == len(golden.GAMES)
    features = ("spend", "turn 1", "explorer 2", "north", "take white", "put white", "reject")
    cards = ("card jungle", "card earthquake", "card helicopter", "draw \\[", "end turn", "stop")
    for feature in (*features, *cards, "to [a-i][1-9]", "fork@", "straight@"):
        assert any(re.search(feature, text) for text in texts), feature


@pytest.mark.rule("MK-C5", "MK-T1", "MK-T2", "MK-A2", "MK-B1", "MK-X4")
@pytest.mark.parametrize("name", golden.OPENINGS)
def test_perft_counts_match_the_stored_counts(name: str) -> None:
    position, depth = golden.OPENINGS[name]
    assert OPENINGS[name]["position"] == position
    assert golden.counts(position, depth) == OPENINGS[name]["paths"]


@pytest.mark.rule("MK-T1", "MK-T4", "MK-T5", "MK-C5")
def test_a_perft_count_matches_a_count_by_hand() -> None:
    """Two of the three tiles are equal: 2 ways to lay and 2 to spend. Ending play returns all three
    to a bag with two more 3s. From 3, 3, 3, 2 and 2 points, of two kinds of 3, the refill draws two
    3s (2 ways), a 3 and a 2 (2 ways), or both 2s and a 3 (2 ways)."""
    assert OPENINGS["laying and spending"]["paths"][0] == 2 + 2 + (2 + 2 + 2)
