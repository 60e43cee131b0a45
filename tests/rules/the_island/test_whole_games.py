"""Golden game records and path counts. (`tests/study` plays many more games.)"""

from __future__ import annotations

import json
import re

import pytest

from archipel.bots.random_play import GREEDY_1
from archipel.record import parse_record
from archipel.rules.the_island.definition import THE_ISLAND
from tests.rules.the_island import golden

OPENINGS = json.loads(golden.COUNTED.read_text("utf-8"))


@pytest.mark.rule("IS-E1", "IS-E2", "IS-V2", "IS-V4")
@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_game_replays_to_the_same_end(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(parse_record(text).game) == text


@pytest.mark.rule("IS-S2", "IS-S4", "IS-S9")
@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_game_is_reproduced_from_its_seed(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(golden.played(*golden.GAMES[name])) == text


def test_the_golden_games_cover_every_kind_of_action() -> None:
    texts = [path.read_text("utf-8") for path in golden.RECORDS.glob("*.txt")]
    assert len(texts) == len(golden.GAMES)
    for feature in (
        *(" ashore ", " board ", " swim ", " overboard", " play dolphin", " play wind"),
        *(" play move_", " yes", " no", " remove ", r"\[shark\]", r"\[serpent\]", r"\[whale\]"),
        *(" pass", " stop", " place ", " white 6", " vermilion 5"),
    ):
        assert any(re.search(feature, text) for text in texts), feature


@pytest.mark.rule("IS-S5", "IS-M1", "IS-M6", "IS-B1", "IS-K2", "IS-X6", "IS-C4")
@pytest.mark.parametrize("name", golden.OPENINGS)
def test_path_counts_equal_the_stored_counts(name: str) -> None:
    position, depth = golden.OPENINGS[name]
    assert OPENINGS[name]["position"] == position
    assert golden.counts(position, depth) == OPENINGS[name]["paths"]


@pytest.mark.rule("IS-S5", "IS-S8")
def test_the_first_path_count_equals_the_hand_calculation() -> None:
    """40 tiles, six values, 39 tiles."""
    counted = OPENINGS["two about to place the first explorer"]["paths"]
    assert counted == [40, 40 * 6, 40 * 6 * 39]


def test_games_of_greedy_bots_break_no_invariant() -> None:
    """Random play saves few explorers, so the greedy bot plays."""
    saved = 0
    for seed in range(4):
        game = golden.played(
            *(2 + seed % 3, seed, {"auto_setup": True, "last_one": seed % 2 == 0}),
            (GREEDY_1,) * (2 + seed % 3),
        )
        saved += sum(133 <= place < 137 for place in game.state.place)
        while game.moves:
            fault = THE_ISLAND.fault(game.state)
            assert fault == 0, THE_ISLAND.faults[fault]
            game.undo()
    assert saved > 15
