"""Illegal actions are refused with the rule that they break."""

from __future__ import annotations

import pytest

from archipel.rules.deep_sea.definition import DEEP_SEA
from tests.rules.deep_sea.tables import table

PUTS = [f"put {place}" for place in range(1, 7)]
LAYS = [f"lay {place}" for place in range(1, 7)]
THROWS = ["dive", "turn back", "swim on"]

CASES: dict[str, tuple[dict[str, object], dict[str, list[str]]]] = {
    "first turn, empty-handed": (
        {"diver1": "sub>"},
        {
            "DS-T2": ["turn back"],
            "DS-T10": ["swim on", "nothing", "take", *PUTS],
            "DS-E8": LAYS,
        },
    ),
    "going out with a unit": (
        {"diver1": "4>[a1]"},
        {"DS-T10": ["swim on", "nothing", "take", *PUTS], "DS-E8": LAYS},
    ),
    "on the way home": (
        {"diver1": "4<[a1]"},
        {
            "DS-T2": ["dive", "turn back"],
            "DS-T10": ["nothing", "take", *PUTS],
            "DS-E8": LAYS,
        },
    ),
    "on a unit": (
        {"diver1": "4>[a1,a2]", "phase": "search"},
        {"DS-T6": [*THROWS, *PUTS], "DS-E8": LAYS},
    ),
    "on a disc with two units": (
        {"line": "o,o,o,o,...", "diver1": "4>[a1,a2]", "phase": "search"},
        {"DS-T6": [*THROWS, "take"], "DS-T11": PUTS[2:], "DS-E8": LAYS},
    ),
    "on a disc with two units, on the way home": (
        {"line": "o,o,o,o,...", "diver1": "4<[a1,a2]", "phase": "search"},
        {"DS-T6": [*THROWS, "take"], "DS-T11": PUTS[2:], "DS-E8": LAYS},
    ),
    "on a disc with six units": (
        {"line": "o,o,o,o,...", "diver1": "4>[a1,a2,a3,a4,a5,a6]", "phase": "search"},
        {"DS-T6": [*THROWS, "take"], "DS-E8": LAYS},
    ),
    "laying down": (
        {"drop_order": "chosen", "diver1": "4>[a1,a2,a3]", "phase": "lay", "air": 0},
        {"DS-T11": LAYS[3:], "DS-E8": [*THROWS, "nothing", "take", *PUTS]},
    ),
    "over": (
        {"phase": "over", "air": 0, "round": 3},
        {"DS-G1": [*THROWS, "nothing", "take", *PUTS, *LAYS]},
    ),
}


@pytest.mark.rule("DS-T2", "DS-T6", "DS-T10", "DS-T11", "DS-E8", "DS-G1")
@pytest.mark.parametrize("name", CASES)
def test_a_refusal_names_the_broken_rule(name: str) -> None:
    words, expected = CASES[name]
    game = table(**words)
    legal = DEEP_SEA.legal_actions(game.state)
    refused: dict[str, list[str]] = {}
    for action in range(DEEP_SEA.actions):
        if action not in legal:
            rule = DEEP_SEA.refusal(game.state, action).rule
            refused.setdefault(rule, []).append(DEEP_SEA.action_text(game.state, action))
    assert refused == expected


@pytest.mark.rule("DS-T7")
def test_putting_down_the_last_unit_on_the_way_home_breaks_ds_t7() -> None:
    # DS-T13 skips this search, so no position text gives it: set the phase directly.
    s = table(line="o,o,o,o,...", diver1="4<[a1]").state
    s.phase = 1
    assert DEEP_SEA.legal_actions(s) == [3]
    assert DEEP_SEA.refusal(s, DEEP_SEA.parse_action(s, "put 1")).rule == "DS-T7"
    assert DEEP_SEA.refusal(s, DEEP_SEA.parse_action(s, "put 2")).rule == "DS-T11"


@pytest.mark.rule("DS-T2", "DS-T6", "DS-T7", "DS-T10", "DS-T11", "DS-E8", "DS-G1")
def test_every_rule_named_by_a_refusal_is_in_the_booklet() -> None:
    booklet = DEEP_SEA.booklet("en")
    for words, expected in CASES.values():
        for rule in expected:
            assert booklet.rule(rule), words
