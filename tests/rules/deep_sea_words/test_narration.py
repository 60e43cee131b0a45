"""Narration is complete, in order, in both languages, and reveals nothing hidden."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from archipel import Game
from archipel.rules.contract import SEAT_DETAILS, SPECTATOR, Event
from archipel.rules.deep_sea.components import CHIPS
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.narration import narrate, question
from archipel.rules.deep_sea.notation import chip_name
from archipel.rules.deep_sea.state import UNKNOWN, State
from tests.rules.deep_sea_words.random_games import (
    LANGUAGES,
    NAMES,
    all_positions,
    finished_games,
    steps,
    view,
)


def narrated(game: Game, language: str = "en") -> list[str]:
    names = list(NAMES.values())[: game.seats]
    return game.narrate(language=language, names=names)


def keys(events: list[Event]) -> list[str]:
    return [event.key for event in events]


# Random games


def test_every_event_has_a_sentence_in_both_languages() -> None:
    for game in finished_games():
        for index in range(len(game.moves)):
            events = game.events(index)
            assert events
            for event in events:
                for language in LANGUAGES:
                    sentence = DEEP_SEA.tell(event, language, NAMES)
                    assert sentence
                    for name in SEAT_DETAILS & set(event.details):
                        if name in DEEP_SEA.catalogue(language).parameters(event.key):
                            assert NAMES[event.details[name]] in sentence
                    assert not re.search(r"[{}\[\]]", sentence)


def test_every_question_has_a_sentence_in_both_languages() -> None:
    for s in all_positions():
        event = question(s)
        for language in LANGUAGES:
            assert DEEP_SEA.tell(event, language, NAMES)


def test_random_games_use_every_common_sentence() -> None:
    """A sentence that random games never use is dead or needs its own test."""
    reached = {
        event.key
        for game in finished_games()
        for index in range(len(game.moves))
        for event in game.events(index)
    }
    reached |= {question(s).key for s in all_positions()}
    rare = {  # tested one by one below
        "ask.put.one.last",
        "blocked.submarine",
        "game_over.empty_line",
        "lay.pile",
        "line_closed.one",
        "round_end.stalemate",
        "win.shared",
        "win.tie_break",
    }
    others = ("action.", "option.", "choice.", "phase.", "refuse.", "end.", "picture.", "typed.")
    for key in DEEP_SEA.catalogue("en").sentences:
        if not key.startswith(others) and key not in rare:
            assert key in reached, key


def test_event_details_are_json_data() -> None:
    for game in finished_games():
        for index in range(len(game.moves)):
            for event in game.events(index):
                details = dict(event.details)
                assert json.loads(json.dumps(details)) == details


def test_no_event_reveals_a_value_unknown_to_its_readers() -> None:
    for game in finished_games():
        for before, action, outcomes, after in steps(game):
            for event in narrate(before, action, outcomes, after):
                readers = [SPECTATOR, *range(after.seats)]
                for reader in readers:
                    if event.visible_to(reader) or (reader == SPECTATOR and not event.seen_by):
                        assert_values_are_known(event, view(after, reader))


def assert_values_are_known(event: Event, seen: State) -> None:
    if "values" not in event.details:
        # Other details leak no value: they name only the levels of chips.
        assert not {"points", "addition", "total"} & set(event.details) or event.key.startswith(
            "win."
        )
        return
    chips = {chip_name(chip): chip for chip in range(CHIPS)}
    for name, value in zip(event.details["chips"], event.details["values"], strict=True):
        assert seen.value[chips[name]] != UNKNOWN
        assert seen.value[chips[name]] == value


def test_narration_from_views_equals_the_events_visible_to_the_seat() -> None:
    """A client with only views can produce the same narration."""
    for game in finished_games()[:10]:
        for before, action, outcomes, after in steps(game):
            whole = narrate(before, action, outcomes, after)
            for seat in range(after.seats):
                from_views = narrate(view(before, seat), action, outcomes, view(after, seat))
                visible = [event for event in whole if event.visible_to(seat)]
                assert from_views == visible


def test_narration_does_not_change_positions() -> None:
    game = finished_games()[1]
    for before, action, outcomes, after in steps(game):
        copies = DEEP_SEA.position_text(before), DEEP_SEA.position_text(after)
        narrate(before, action, outcomes, after)
        question(before)
        assert copies == (DEEP_SEA.position_text(before), DEEP_SEA.position_text(after))


def test_swim_events_describe_a_contiguous_path() -> None:
    """Every path starts at the diver's space; each space on it is entered or jumped."""
    for game in finished_games():
        for before, action, outcomes, after in steps(game):
            for event in narrate(before, action, outcomes, after):
                if event.key.startswith(("swim.", "home.")):
                    details = event.details
                    assert details["start"] == before.place[details["seat"]] + 1
                    assert details["path"][-1] == details["space"]
                    assert details["count"] == len(details["jumped"])
                    assert not set(details["path"]) & set(details["jumped"])
                    ways = sorted(details["path"] + details["jumped"])
                    assert ways == list(range(ways[0], ways[-1] + 1))


def test_points_in_the_narration_add_up_to_the_final_score() -> None:
    for game in finished_games():
        points = [0] * game.seats
        for index in range(len(game.moves)):
            for event in game.events(index):
                if event.key.startswith("treasure."):
                    points[event.details["seat"]] += event.details["points"]
                    assert event.details["total"] == points[event.details["seat"]]
        assert points == game.state.points[: game.seats]


# Single events


#: All chips in order, face up.
TURNED_UP = [f"{'abcd'[level]}{n + 1}:{4 * level + n // 2}" for level in range(4) for n in range(8)]


def position(**words: object) -> Game:
    text = " ".join(f"{word}={value}" for word, value in words.items())
    return Game.from_position("deep-sea", text, seed=1)


def test_a_throw_narrates_breath_dice_and_destination() -> None:
    game = position(seats=2, air=9, diver1="7>[a1,b2]")
    game.play("dive", dice=(2, 3))
    assert narrated(game) == [
        "Ana breathes with 2 chips in hand: air 9 → 7.",
        "Ana rolls 2 + 3, minus 2 for the load: 3 steps.",
        "Ana dives to space 10.",
    ]
    assert game.events()[2].details == {
        "seat": 0,
        "start": 7,
        "space": 10,
        "path": [8, 9, 10],
        "jumped": [],
        "count": 0,
    }


def test_a_jump_names_the_diver_who_is_passed() -> None:
    game = position(seats=2, diver1="3>", diver2="5>")
    game.play("dive", dice=(1, 1))
    assert narrated(game)[-1] == "Ana dives past Bob to space 6."
    assert game.events()[-1].details["path"] == [4, 6]
    assert game.events()[-1].details["jumped"] == [5]
    assert game.events()[-1].details["other"] == 1


def test_a_diver_stopped_by_the_end_of_the_line_loses_steps() -> None:
    game = position(seats=2, diver1="30>", diver2="32>")
    game.play("dive", dice=(2, 3))
    assert narrated(game)[1:] == [
        "Ana dives to space 31.",
        "Ana has to stop there: there is no free space ahead, and 4 steps are lost.",
    ]


def test_blocked_divers_are_narrated_until_the_stalemate() -> None:
    game = position(seats=2, line="d8", diver2="1>", treasure1=",".join(TURNED_UP[:31]))
    game.play("dive", dice=(1, 1))
    assert narrated(game) == [
        "Ana rolls 1 + 1: 2 steps.",
        "Ana finds no free space on the line and stays in the submarine.",
    ]
    game.play("dive", dice=(1, 1))
    assert keys(game.events()) == ["throw.free", "blocked.line"]
    game.play("nothing")
    assert keys(game.events())[:2] == ["nothing", "round_end.stalemate"]


def test_coming_home_shows_the_chips_only_to_their_owner() -> None:
    game = position(seats=3, diver1="1<[a1:3,b1:7]", diver2="9>", diver3="12>")
    game.play("swim on", dice=(3, 3))
    home, look = game.events()[-2:]
    assert home.key == "home.many"
    assert home.details["path"] == [0]
    assert look.seen_by == frozenset({0})
    assert DEEP_SEA.tell(look, "en", NAMES) == (
        "For your eyes only: the chips you brought home are worth 3 + 7 = 10."
    )
    assert not any("10" in sentence for sentence in narrated(game))


def test_the_last_diver_home_ends_the_round() -> None:
    game = position(seats=2, diver1="1<[a1:3]", diver2="home[b1:7,c1:8]")
    game.play("swim on", dice=(3, 3))
    assert narrated(game)[2:] == [
        "Ana is back in the submarine with 1 chip.",
        "Everyone is home: round 1 is over.",
        "Ana turns over a chip worth 3: the score is now 3.",
        "Bob turns over 7 + 8 = 15: the score is now 15.",
        "3 white discs are removed and the line closes up: it now has 29 spaces.",
        "Round 2 begins with 25 air: Ana goes first.",
    ]


def test_drowned_divers_lose_their_units_farthest_first() -> None:
    game = position(seats=2, air=2, diver1="5>[a1,a2]", diver2="8>[b1,b2]", line=LINE_WITHOUT_4)
    game.play("dive", dice=(1, 1))
    game.play("nothing")
    assert keys(game.events()) == [
        "nothing",
        "round_end.air",
        "lose.round.many",
        "lose.round.many",
        "line_closed.many",
        "round_start",
    ]
    lost = [event.details for event in game.events() if event.key == "lose.round.many"]
    assert [details["seat"] for details in lost] == [1, 0]
    assert lost[0]["units"] == [["b1"], ["b2"]]
    assert lost[0]["onto"] == [33, 33]
    assert lost[1]["onto"] == [33, 34]


LINE_WITHOUT_4 = "o,o,a3-a8,o,o,b3-b8,c1-c8,d1-d8"


def test_laying_by_choice_is_narrated_unit_by_unit() -> None:
    line = "o,o,a3-a8,o,b2-b8,c1-c8,d1-d8"
    game = position(seats=2, drop_order="chosen", air=3, diver1="5>[a1,a2,b1]", line=line)
    game.play("dive", dice=(1, 1))
    game.play("nothing")
    assert keys(game.events()) == ["nothing", "round_end.air", "lose.asked"]
    game.play("lay 3")
    assert narrated(game) == ["Ana adds a level 2 chip to the pile on space 33."]
    game.play("lay 1")
    assert narrated(game)[:2] == [
        "Ana adds a level 1 chip to the pile on space 33.",
        "Ana adds a level 1 chip to the pile on space 33.",
    ]
    assert keys(game.events())[2:] == ["line_closed.many", "round_start"]


def test_laying_a_pile_and_closing_a_single_gap_are_narrated() -> None:
    line = "a4-a8,o,b1-b8,c1-c8,d1-d8"
    game = position(seats=2, drop_order="chosen", air=2, diver1="5>[a1,a2+a3]", line=line)
    game.play("dive", dice=(1, 1))
    game.play("nothing")
    game.play("lay 2")
    assert keys(game.events()) == ["lay.pile", "lay.chip", "line_closed.one", "round_start"]
    assert narrated(game)[0] == "Ana adds a pile of 2 chips (levels 1, 1) to the pile on space 31."


@pytest.mark.parametrize(
    ("treasures", "key", "level"),
    [
        ({"treasure1": "d1:12", "treasure2": "a1:0"}, "win.alone", None),
        ({"treasure1": "d1:12", "treasure2": "c1:8,b1:4"}, "win.tie_break", 4),
        ({"treasure1": "d1:12", "treasure2": "d2:12"}, "win.shared", None),
        ({"treasure1": "a1:0,b1:4", "treasure2": "b2:4"}, "win.tie_break", 1),
    ],
)
def test_win_events_name_tie_breaks(treasures: dict[str, str], key: str, level: int | None) -> None:
    game = position(seats=2, round=3, air=1, diver1="3>[a8]", **treasures)
    game.play("dive", dice=(1, 1))
    game.play("nothing")
    event: Any = game.events()[-1]
    assert event.key == key
    assert event.details.get("level") == level
    assert game.events()[-2].key == ("game_over.rounds" if key != "win.shared" else "win.shared")


def test_an_empty_line_ends_the_game() -> None:
    treasure = ",".join(TURNED_UP[1:])
    game = position(seats=2, line="o", diver1="1<[a1:0]", diver2="home", treasure2=treasure)
    game.play("swim on", dice=(3, 3))
    assert "game_over.empty_line" in keys(game.events())


# Questions


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ({}, "You are in the submarine with empty hands. Roll the dice and dive."),
        (
            {"diver1": "3>[a1,a2,b1]", "air": 21},
            "You hold 3 chips: this turn uses 3 of the 21 air left. Dive on or turn back?",
        ),
        (
            {"diver1": "3<[a1]", "air": 21},
            "You are heading home with 1 chip: this turn uses 1 of the 21 air left. Roll the dice.",
        ),
        (
            {"diver1": "3<[a1,a2]", "air": 2},
            (
                "You are heading home with 2 chips: this turn uses up the air (2 left) "
                "and ends the round. Roll the dice."
            ),
        ),
        (
            {"diver1": "3>", "phase": "search"},
            "There is a level 1 chip here, on space 3. Take it? Your next turn would use 1 air.",
        ),
        (
            {"diver1": "1>[a1]", "air": 0, "phase": "search", "line": "o,a2-a8,b1-b8,c1-c8,d1-d8"},
            (
                "You are on a white disc, space 1, and the round ends now. "
                "Put your only chip down, or keep it?"
            ),
        ),
    ],
)
def test_questions_describe_the_choice(words: dict[str, object], asked: str) -> None:
    game = position(seats=2, **words)
    assert DEEP_SEA.tell(question(game.state), "en", NAMES) == asked


def test_every_refusal_has_a_reason_in_both_languages() -> None:
    for s in all_positions():
        legal = DEEP_SEA.legal_actions(s)
        for action in range(DEEP_SEA.actions):
            if action not in legal:
                for language in LANGUAGES:
                    refused = DEEP_SEA.refuse(s, action, language)
                    assert refused.reason
                    assert refused.rule
