"""Refusals: each illegal action names the rule it breaks, with a sentence in both languages."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.booklet import LANGUAGES
from archipel.rules.kit import Stream
from tests.rules.atlantis.tables import play, table

NO_LAND = "plains hills mountains"

#: By name: a position, the actions to play first, and refusals (action, rule, key).
CASES: dict[str, tuple[dict[str, object], tuple[str, ...], list[tuple[str, str, str]]]] = {
    "placing": (
        {"phase": "place", "turn": 2, "red": "d4,g6", "blue": "g6"},
        (),
        [
            ("place d4", "AT-S3", "plain_taken"),
            ("place a1", "AT-S3", "not_a_piece"),
            ("person B1", "AT-S3", "place"),
            ("stop", "AT-S3", "place"),
        ],
    ),
    "a full mountain": (
        {"phase": "place", "turn": 2, "red": "g6,g6", "blue": "g6"},
        (),
        [("place g6", "AT-S3", "piece_full")],
    ),
    "choosing what to move": (
        {
            "red": "g6,nw,lost,a1,boat2",
            "blue": "boat1,boat1,boat3,d4",
            "boats": "m7,b1,g2,x,b2,c1",
            "sharks": "a2,b2,b3,m7",
        },
        (),
        [
            ("person B1", "AT-M9", "not_your_person"),
            ("person R2", "AT-M7", "saved"),
            ("person R3", "AT-K4", "lost"),
            ("person R4", "AT-M10", "shut_in_water"),
            ("boat 1", "AT-B3", "not_your_boat"),
            ("boat 2", "AT-B2", "boat_shut_in"),
            ("boat 4", "AT-K4", "no_such_boat"),
            ("to g5", "AT-T1", "move"),
            ("shark 1", "AT-T1", "move"),
            ("ashore nw", "AT-T1", "move"),
        ],
    ),
    "shut in on land": (
        {
            "seats": 3,
            "red": "d4,c1",
            "blue": "d5,d5,d5,e4,e4,e4",
            "yellow": "e5,e5,e5",
            "sharks": "c3,c4,d3",
        },
        (),
        [("person R1", "AT-M1", "shut_in_land")],
    ),
    "walking": (
        {"red": "d4,d5,d5", "blue": "d5", "sharks": "c4", "monsters": "c3", "boats": "x,a1"},
        ("person R1",),
        [
            ("to d5", "AT-M1", "piece_full"),
            ("to g6", "AT-M1", "not_adjacent"),
            ("swim a1", "AT-M4", "not_adjacent"),
            ("swim c4", "AT-M10", "shark_in_water"),
            ("swim c3", "AT-M10", "monster_in_water"),
            ("board 1", "AT-K4", "no_such_boat"),
            ("board 2", "AT-M2", "board_adjacent"),
            ("ride nw", "AT-M8", "no_dolphin"),
            ("ashore nw", "AT-C3", "not_its_landing"),
            ("stop", "AT-T4", "move_to"),
            ("person R2", "AT-T4", "move_to"),
        ],
    ),
    "sailing": (
        {"red": "g6", "boats": "c4,c3", "octopuses": "c5", "monsters": "b4"},
        ("boat 1",),
        [
            ("to a1", "AT-B1", "boat_adjacent"),
            ("to d4", "AT-B2", "boat_on_land"),
            ("to c3", "AT-B2", "boat_there"),
            ("to c5", "AT-B2", "octopus_there"),
            ("to b4", "AT-B2", "monster_there"),
            ("ashore nw", "AT-T4", "move_to"),
            ("board 2", "AT-T4", "move_to"),
        ],
    ),
    "swimming": (
        {"red": "b1,g6", "boats": "b2,m7", "swimmers_land": "off", "sharks": "c1"},
        ("person R1",),
        [
            ("ashore nw", "AT-M7", "swimmers_stay_out"),
            ("swim c1", "AT-M10", "shark_in_water"),
            ("swim a1", "AT-M5", "swim_adjacent"),
            ("to d4", "AT-M9", "no_way_back"),
            ("board 1", "AT-M6", "board_own_space"),
        ],
    ),
    "after a sea step": (
        {"red": "a2,g6", "boats": "a3", "dolphins": "a3"},
        ("person R1", "swim a3", "person R1"),
        [
            ("swim a4", "AT-M5", "sea_step_spent"),
            ("ride nw", "AT-M8", "ride_too_late"),
        ],
    ),
    "in a boat": (
        {"red": "boat1,g6", "blue": "boat2,boat2,boat2", "boats": "c4,c5,a1"},
        ("person R1",),
        [
            ("to d4", "AT-M9", "no_way_back"),
            ("swim c3", "AT-M4", "overboard_only"),
            ("board 2", "AT-M2", "boat_full"),
            ("board 3", "AT-M3", "board_adjacent"),
        ],
    ),
    "sinking": (
        {"red": "g6", "phase": "sink", "sunk": "plains"},
        (),
        [
            ("sink d4", "AT-K1", "no_piece_there"),
            ("sink g6", "AT-K1", "due.hill"),
            ("stop", "AT-T1", "sink"),
        ],
    ),
    "placing those who flee": (
        {"red": "d4,d4,g6,g6,g6", "phase": "sink"},
        ("sink d4",),
        [("person R3", "AT-K2", "relocate"), ("to e5", "AT-K2", "relocate")],
    ),
    "where to": (
        {"red": "d4,g6,g6,g6", "phase": "sink"},
        ("sink d4",),
        [
            ("to g6", "AT-K2", "piece_full"),
            ("to d4", "AT-K2", "sinking_piece"),
            ("swim c4", "AT-K2", "room_left"),
            ("stop", "AT-K2", "relocate_to"),
        ],
    ),
    "where to dive": (
        {"red": "h7,g6,g6", "blue": "g6", "phase": "sink",
         "sunk": "plains hills f6 f7 g5 g7 h6", "sharks": "g7"},
        ("sink h7",),
        [("swim g7", "AT-K3", "shark_in_water"), ("swim a1", "AT-K3", "dive_adjacent")],
    ),
    "choosing an animal": (
        {"red": "g7", "phase": "animal", "spun": "shark-2", "sunk": "plains g6",
         "sharks": "g6,a1,x", "octopuses": "a2"},
        (),
        [
            ("octopus 1", "AT-W1", "spun.shark"),
            ("shark 3", "AT-W1", "no_such_animal"),
            ("shark 1", "AT-W2", "animal_shut_in"),
            ("to a2", "AT-W1", "animal"),
        ],
    ),
    "moving an animal": (
        {"red": "g6", "phase": "animal", "spun": "shark-2", "sharks": "c4"},
        ("shark 1", "to c3"),
        [
            ("to d4", "AT-X4", "animal_on_land"),
            ("to c4", "AT-W2", "not_back"),
            ("to a7", "AT-W2", "animal_adjacent"),
            ("board 1", "AT-T4", "animal_step"),
        ],
    ),
    "an animal that dives": (
        {"red": "g6", "phase": "animal", "spun": "shark-T", "sharks": "c4"},
        ("shark 1",),
        [
            ("to c4", "AT-W3", "not_free"),
            ("to m1", "AT-W3", "not_free"),
            ("to g6", "AT-X4", "animal_on_land"),
            ("stop", "AT-T4", "first_step"),
        ],
    ),
}  # fmt: skip


@pytest.mark.rule(
    *("AT-S3", "AT-T1", "AT-T4", "AT-M1", "AT-M2", "AT-M3", "AT-M4", "AT-M5", "AT-M6", "AT-M7"),
    *("AT-M8", "AT-M9", "AT-M10", "AT-B1", "AT-B2", "AT-B3", "AT-C3", "AT-K1", "AT-K2", "AT-K3"),
    *("AT-K4", "AT-W1", "AT-W2", "AT-W3", "AT-X4"),
)
@pytest.mark.parametrize("name", CASES)
def test_refusals_name_the_rule_and_the_reason(name: str) -> None:
    words, moves, expected = CASES[name]
    game = table(**words)
    play(game, *moves)
    legal = ATLANTIS.legal_actions(game.state)
    for text, rule, key in expected:
        action = ATLANTIS.parse_action(game.state, text)
        assert action not in legal, text
        why = ATLANTIS.refusal(game.state, action)
        assert (why.rule, why.key) == (rule, f"refuse.{key}"), text


@pytest.mark.rule("AT-E1")
def test_every_action_is_refused_after_the_end() -> None:
    game = table(red="boat1", blue="g6", boats="b1")
    play(game, "person R1", "ashore nw")
    assert {ATLANTIS.refusal(game.state, action).rule for action in range(ATLANTIS.actions)} == {
        "AT-E1"
    }


def test_every_refusal_occurs_and_has_a_sentence_in_each_language() -> None:
    reached = {f"refuse.{key}" for _, _, cases in CASES.values() for _, _, key in cases}
    for seed in range(3):
        game = Game.new("atlantis", 2 + seed, seed=seed, swimmers_land=seed != 1)
        choice = Stream(seed)
        for number in range(400):
            if game.is_over:
                break
            legal = ATLANTIS.legal_actions(game.state)
            if number % 7 == 0:
                for action in set(range(ATLANTIS.actions)) - set(legal):
                    why = ATLANTIS.refusal(game.state, action)
                    reached.add(why.key)
                    assert ATLANTIS.booklet("en").rule(why.rule)
            game.play(legal[choice.draw(len(legal))])
    for language in LANGUAGES:
        known = {k for k in ATLANTIS.catalogue(language).sentences if k.startswith("refuse.")}
        assert reached <= known
        assert known - reached <= {
            *("refuse.over", "refuse.due.plain", "refuse.due.mountain"),
            *("refuse.spun.monster", "refuse.spun.octopus", "refuse.spun.dolphin"),
        }
