"""Golden game records, perft counts, and random games compared with the reference."""

from __future__ import annotations

import json
import re

import pytest

from archipel.game import Game
from archipel.record import parse_record
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream
from tests.rules.deep_sea import golden
from tests.rules.deep_sea.reference import Reference
from tests.rules.deep_sea.scripted_chance import throws
from tests.rules.deep_sea.tables import actions

OPENINGS = json.loads(golden.COUNTED.read_text("utf-8"))


# ---- golden records -----------------------------------------------------------------------------


@pytest.mark.rule("DS-G1", "DS-E8")
@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_record_replays_to_its_final_position(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(parse_record(text).game) == text


@pytest.mark.rule("DS-S1", "DS-S2")
@pytest.mark.parametrize("name", golden.GAMES)
def test_a_golden_game_is_reproduced_from_its_seed(name: str) -> None:
    text = (golden.RECORDS / f"{name}.txt").read_text("utf-8")
    assert golden.record_text(golden.played(*golden.GAMES[name])) == text


def test_the_golden_games_cover_every_kind_of_action() -> None:
    texts = [path.read_text("utf-8") for path in golden.RECORDS.glob("*.txt")]
    assert len(texts) == len(golden.GAMES)
    for feature in (r"turn back \[", r"swim on \[", " put 1", " lay 2", r"\+", "nothing"):
        assert any(re.search(feature, text) for text in texts), feature


# ---- perft counts -------------------------------------------------------------------------------


@pytest.mark.rule("DS-C2", "DS-T10", "DS-T6")
@pytest.mark.parametrize("name", golden.OPENINGS)
def test_perft_counts_match_the_stored_counts(name: str) -> None:
    position, depth = golden.OPENINGS[name]
    assert OPENINGS[name]["position"] == position
    assert golden.counts(position, depth) == OPENINGS[name]["paths"]


def paths(seats: int, past: list[tuple[str, tuple[int, ...]]], depth: int) -> int:
    """The perft count of the reference, which replays every path from the start."""
    if depth == 0:
        return 1
    reference = Reference(seats, 0, "piled", {})
    for action, dice in past:
        reference.play(action, dice)
    outcomes = throws([3, 3]) if reference.phase == "throw" else [()]
    return sum(
        paths(seats, [*past, (action, tuple(face + 1 for face in outcome))], depth - 1)
        for action in reference.legal()
        for outcome in outcomes
    )


@pytest.mark.rule("DS-C2", "DS-T3", "DS-T6", "DS-T10")
def test_shallow_perft_counts_match_the_reference() -> None:
    counted = OPENINGS["two at the submarine"]["paths"]
    assert [paths(2, [], depth) for depth in range(1, 5)] == counted[:4]
    assert counted[:2] == [9, 9 * 2]  # nine throws; then take or not
    assert counted[2] == 9 * 2 * 9  # then a throw of the other diver


# ---- random games -------------------------------------------------------------------------------


@pytest.mark.rule(
    *("DS-T1", "DS-T2", "DS-T3", "DS-T4", "DS-T5", "DS-T6", "DS-T7", "DS-T8", "DS-T11", "DS-T13"),
    *(
        "DS-E1",
        "DS-E2",
        "DS-E3",
        "DS-E4",
        "DS-E5",
        "DS-E6",
        "DS-E8",
        "DS-E9",
        "DS-E11",
        "DS-E12",
        "DS-G1",
    ),
)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("drop_order", ["piled", "taken", "chosen"])
def test_random_games_match_the_reference(seats: int, drop_order: str) -> None:
    for seed in range(4):
        game = Game.new("deep-sea", seats, seed=seed, drop_order=drop_order)
        words = dict(word.split("=", 1) for word in game.position.text.split())
        values = {chip: int(value) for chip, value in re.findall(r"(\w\d):(\d+)", words["line"])}
        reference = Reference(seats, game.state.to_move, drop_order, values)
        choices = Stream(1000 + seed)
        while not game.is_over:
            assert actions(game) == reference.legal()
            move = game.play(game.legal[choices.draw(len(game.legal))])
            reference.play(move.action.text, tuple(outcome + 1 for outcome in move.outcomes))
            words = dict(word.split("=", 1) for word in game.position.text.split())
            expected = reference.words()
            assert {word: words[word] for word in expected} == expected
            assert DEEP_SEA.fault(game.state) == 0
        assert reference.phase == "over"
        assert game.outcome is not None
        assert game.outcome.scores == reference.scores()
        assert game.outcome.ranks == reference.ranks()
