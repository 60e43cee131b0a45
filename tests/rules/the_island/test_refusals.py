"""Every illegal action is refused with the rule that it breaks."""

from __future__ import annotations

import pytest

from archipel.rules.the_island.definition import THE_ISLAND
from archipel.rules.the_island.state import Action
from tests.rules.the_island.tables import table

KINDS = {
    "space": range(Action.ISLAND),
    "island": range(Action.ISLAND, Action.EXPLORER),
    "explorer": range(Action.EXPLORER, Action.BOAT),
    "boat": range(Action.BOAT, Action.CREATURE),
    "creature": range(Action.CREATURE, Action.VALUE),
    "value": range(Action.VALUE, Action.STOP),
    "stop": range(Action.STOP, Action.YES),
    "yes": range(Action.YES, Action.YES + 1),
}

CASES: dict[str, tuple[dict[str, object], dict[str, set[str]]]] = {
    "placing an explorer": (
        {"phase": "place_explorer", "white": "d4", "yellow": "d5"},
        {kind: {"IS-S5"} for kind in KINDS},
    ),
    "naming it": (
        {"phase": "name_value", "white": "d4:6", "yellow": "d5", "chosen": "f5"},
        {kind: {"IS-C2"} if kind == "value" else {"IS-S8"} for kind in KINDS},
    ),
    "placing a boat": (
        {
            "phase": "place_boat",
            "white": "d4,d5,d6,d7,e4,e5,e6,e7,e8,f3",
            "yellow": "f4,f5,f6,f7,f8,f9,f10,g3,g4,g5",
        },
        {kind: {"IS-S6"} for kind in KINDS},
    ),
    "step 1": (
        {"land": "f5f", "white": "f5", "yellow": "a1", "hand1": "d4b:wind", "phase": "play_tile"},
        {kind: {"IS-T1", "IS-H4"} if kind == "space" else {"IS-T1"} for kind in KINDS}
        | {"stop": set()},
    ),
    "step 2": (
        {
            "land": "f5f",
            "white": "f5,nw,lost,e4",
            "yellow": "boat2,a1",
            "boats": "e4,a3",
            "swam": "w4",
        },
        {kind: {"IS-T2"} for kind in KINDS}
        | {
            "stop": set(),
            "explorer": {"IS-M9", "IS-M10", "IS-M11"},
            "boat": {"IS-B3", "IS-K11"},
        },
    ),
    "step 2, an explorer on land": (
        {
            "land": "f5f",
            "white": "f5",
            "yellow": "boat2,boat2,boat2",
            "boats": "a3,e4",
            "phase": "move_to",
            "chosen": "w1",
        },
        {kind: {"IS-T8"} for kind in KINDS}
        | {"space": {"IS-M1"}, "island": {"IS-M8"}, "boat": {"IS-M2", "IS-K11"}},
    ),
    "step 3": (
        {"land": "d4b e4f", "white": "a1", "yellow": "a2", "phase": "remove"},
        {kind: {"IS-T3"} for kind in KINDS} | {"space": {"IS-T3", "IS-K1"}},
    ),
    "step 4": (
        {
            "land": "f5f",
            "white": "a1",
            "yellow": "a2",
            "sharks": "c4",
            "phase": "creature",
            "die": "shark",
        },
        {kind: {"IS-T4"} for kind in KINDS} | {"stop": set()},
    ),
    "step 4, on its way": (
        {
            "land": "f5f",
            "white": "a1",
            "yellow": "a2",
            "sharks": "c4",
            "phase": "creature_step",
            "die": "shark",
            "chosen": "shark1",
            "steps": 2,
        },
        {kind: {"IS-T8"} for kind in KINDS} | {"space": {"IS-X6"}},
    ),
    "defence": (
        {
            "land": "f5f",
            "white": "m7",
            "yellow": "c4",
            "sharks": "c4",
            "phase": "defend",
            "die": "shark",
            "chosen": "shark1",
            "steps": 1,
            "asked": 2,
            "hand2": "d4b:wind",
        },
        {kind: {"IS-D3"} for kind in KINDS} | {"stop": set()},
    ),
    "over": (
        {"land": "f5f", "phase": "over", "ending": "nobody_left", "white": "nw"},
        {kind: {"IS-E1"} for kind in KINDS},
    ),
}


@pytest.mark.rule("IS-S5", "IS-S6", "IS-S8", "IS-T1", "IS-T2", "IS-T3", "IS-T4", "IS-T8", "IS-E1")
@pytest.mark.parametrize("name", CASES)
def test_refusals_name_the_rule(name: str) -> None:
    words, expected = CASES[name]
    game = table(**words)
    legal = THE_ISLAND.legal_actions(game.state)
    booklet = {rule.id for rule in THE_ISLAND.booklet("en")}
    for kind, numbers in KINDS.items():
        rules = set()
        for action in numbers:
            if action not in legal:
                refused = THE_ISLAND.refusal(game.state, action)
                rules.add(refused.rule)
                for language in ("en", "fr"):
                    assert THE_ISLAND.refuse(game.state, action, language).reason
        assert rules == expected[kind], kind
        assert rules <= booklet


def test_every_refusal_sentence_is_used() -> None:
    """The source contains every refusal key of the catalogue."""
    from importlib.resources import files

    source = files("archipel.rules.the_island").joinpath("refusals.py").read_text("utf-8")
    for key in THE_ISLAND.catalogue("en").sentences:
        if key.startswith("refuse."):
            stem = key.split(".")[1]
            known = f"refuse.{stem}" in source or f'"{stem}' in source
            assert known or stem.startswith("move_"), key
