"""Narration, questions and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from archipel.cli.game_text import action_labels
from archipel.game import Game
from archipel.rules.catalogue import load_catalogue
from archipel.rules.contract import SPECTATOR, Event
from archipel.rules.kit import Stream
from archipel.rules.the_island.definition import THE_ISLAND
from archipel.rules.the_island.state import State
from tests.rules.the_island.tables import play, table
from tests.rules.the_island.test_setup import TEN_A, TEN_B


def event_keys(game: Game) -> list[str]:
    return [event.key for event in game.events()]


def details(game: Game, key: str) -> dict[str, Any]:
    return dict(next(event for event in game.events() if event.key == key).details)


def test_a_move_event_gives_start_and_destination() -> None:
    game = table(land="f5f f6f", white="f5,e4", yellow="a1", boats="e4,e3", sharks="f4")
    play(game, "explorer w1", "to f6")
    assert event_keys(game) == ["move.walk"]
    assert details(game, "move.walk") == {
        "seat": 0,
        "explorer": "w1",
        "start": "f5",
        "space": "f6",
        "points": 2,
    }
    play(game, "explorer w2", "board 1")
    assert details(game, "move.climb")["boat"] == "1"
    play(game, "explorer w2", "board 2")
    assert event_keys(game) == ["move.change_boat"]
    assert details(game, "move.change_boat")["from_boat"] == "1"


def test_a_fatal_move_event_names_the_explorer_and_the_space() -> None:
    game = table(land="f5f f6f", white="f5,e4", yellow="a1", sharks="f4")
    play(game, "explorer w1", "swim f4")
    assert event_keys(game) == ["move.dive", "eaten.shark.one"]
    assert details(game, "eaten.shark.one")["explorers"] == ["w1"]
    assert details(game, "eaten.shark.one")["space"] == "f4"


def test_sailing_into_a_serpent_narrates_every_effect() -> None:
    game = table(land="f5f", white="boat1,f5", yellow="boat1", boats="e4", serpents="e3")
    play(game, "boat 1", "to e3")
    assert event_keys(game) == ["sail.occupied", "capsize.serpent.many", "eaten.serpent.many"]
    assert details(game, "eaten.serpent.many")["names"] == "w1, y1"


def test_a_removal_narrates_every_effect() -> None:
    game = table(
        land="f5f:whirlpool f6f", white="f5,e4,f6", yellow="boat1,m7", boats="f4", sharks="g4",
        phase="remove",
    )  # fmt: skip
    play(game, "remove f5", die="whale")
    assert event_keys(game) == [
        "remove.forest",
        "fall.one",
        "reveal.whirlpool",
        "whirlpool.explorers.many",
        "whirlpool.boats.one",
        "whirlpool.creatures.one",
        "die.whale.nothing",
        "turn",
    ]
    swallowed = details(game, "whirlpool.explorers.many")
    assert swallowed["explorers"] == ["w1", "w2", "y1"]
    assert swallowed["creatures"] == ["shark 1"]
    assert swallowed["boats"] == ["1"]


def test_a_kept_tile_is_named_to_its_holder_only() -> None:
    game = table(land="f5f:dolphin f6f", white="f6", yellow="m7", phase="remove")
    play(game, "remove f5", die="whale")
    keep = [event for event in game.events() if event.key.startswith("keep")]
    assert [(event.key, event.seen_by) for event in keep] == [
        ("keep", None),
        ("keep.dolphin", frozenset({0})),
    ]
    assert "symbol" not in keep[0].details


def test_an_empty_stock_is_narrated() -> None:
    game = table(
        land="f5f:shark f6f", white="f6", sharks="x,x,x,x,x,x", yellow="m7", phase="remove"
    )
    play(game, "remove f5", die="whale")
    assert "reveal.shark_not_left" in event_keys(game)


def test_a_defence_question_and_its_answer_are_narrated() -> None:
    game = table(
        land="f5f", white="m7", yellow="c5,f5", sharks="c4", phase="creature", die="shark",
        hand2="d4b:repel_shark",
    )  # fmt: skip
    play(game, "shark 1", "to c5")
    assert event_keys(game) == ["creature.shark", "asked.shark"]
    game.play("yes")
    assert event_keys(game) == ["defend.shark", "turn"]
    assert details(game, "defend.shark")["tile"] == "d4"


@pytest.mark.parametrize(("language", "where"), [("en", "north-west"), ("fr", "nord-ouest")])
def test_safe_islands_are_named_by_direction(language: str, where: str) -> None:
    game = table(land="f5f", white="c1:2,f5", yellow="f5")
    game.play("explorer w1")
    labels = action_labels(game, load_catalogue("archipel", language))
    assert [f" {where}" in label for _, label in labels] == [False, False, False, True]
    game.play("ashore nw")
    [line] = game.narrate(language=language, names=["Ana", "Bo"])
    assert f" {where}" in line
    game.play("stop")
    assert game.narrate(language=language, names=["nw", "Bo"])[0].startswith("nw "), "a player"


def test_the_end_is_narrated_with_scores_and_winners() -> None:
    game = table(
        3, land="f5m:volcano", white="nw:6,ne:1,f5", yellow="se:4", sky="lost", phase="remove"
    )
    game.play("remove f5")
    assert event_keys(game) == [
        *("remove.mountain", "fall.one", "reveal.volcano", "over.eruption"),
        *("score.many", "score.one", "score.nobody", "win.alone"),
    ]
    assert details(game, "score.many")["values"] == [6, 1]
    assert game.narrate(language="fr", names=["Ana", "Bo", "Cy"])[-1] == (
        "Ana gagne avec un score de 7."
    )


def test_automatic_turns_are_narrated_one_by_one() -> None:
    """Yellow has no explorer and there is no tile, so only the die is rolled."""
    game = table(last_one="on", land="-", white="a1", yellow="nw")
    play(game, "stop", die="whale whale")
    assert event_keys(game) == [
        "move.enough",
        *("remove.none_left", "die.whale.nothing", "turn"),
        *("move.nobody", "remove.none_left", "die.whale.nothing", "turn"),
    ]
    assert game.to_move == 0


# ---- random games -------------------------------------------------------------------------------


def random_games(count: int) -> Iterator[tuple[Game, Stream]]:
    for seed in range(count):
        options: dict[str, Any] = {
            "last_one": seed % 3 == 0,
            "crowded": seed % 2 == 0,
            "strict_swimming": seed % 4 == 1,
            "auto_setup": seed % 2 == 1,
        }
        yield (
            Game.new("the-island", 2 + seed % 3, seed=seed, **options),
            Stream(1000 + seed),
        )


def test_narration_reveals_no_secret_to_any_seat() -> None:
    """Narration from a seat's views equals the full narration filtered by visibility to that
    seat."""
    for game, choice in random_games(6):
        for _ in range(300):
            if game.is_over:
                break
            before: State = game.state
            move = game.play(game.legal[choice.draw(len(game.legal))])
            whole = game.events()
            for seat in (SPECTATOR, *range(game.seats)):
                seen = THE_ISLAND.narrate(
                    THE_ISLAND.seen(before, seat),
                    move.action,
                    move.outcomes,
                    THE_ISLAND.seen(game.state, seat),
                )
                visible = [event for event in whole if event.visible_to(seat)]
                assert [comparable(event) for event in seen if event.visible_to(seat)] == [
                    comparable(event) for event in visible
                ]


def comparable(event: Event) -> tuple[str, dict[str, Any]]:
    return event.key, dict(event.details)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_event_sentence_is_used(language: str) -> None:
    """The first part of each catalogue key appears in the source."""
    from importlib.resources import files

    own, shared = files("archipel.rules.the_island"), files("archipel.rules.hex_sea")
    modules = (
        *("narration.py", "question.py", "scene.py", "refusals.py", "picture.py"),
        *("definition.py", "position.py", "components.py"),
    )
    source = "".join(own.joinpath(name).read_text("utf-8") for name in modules)
    source += "".join(
        shared.joinpath(name).read_text("utf-8") for name in ("narration.py", "scene.py")
    )
    for key in THE_ISLAND.catalogue(language).sentences:
        stem = key.split(".")[0]
        assert stem in source or stem in ("option", "choice", "typed"), key


# ---- questions and pictures ---------------------------------------------------------------------


def test_every_phase_has_a_question_for_a_view() -> None:
    keys = set()
    for game, choice in random_games(8):
        while not game.is_over:
            assert game.to_move is not None
            question = THE_ISLAND.question(game.view(game.to_move).state)
            keys.add(question.key.split(".")[1])
            for language in ("en", "fr"):
                assert THE_ISLAND.tell(question, language, {n: str(n) for n in range(4)})
            game.play(game.legal[choice.draw(len(game.legal))])
    assert THE_ISLAND.question(game.state).key == "ask.over"
    assert {"place_explorer", "name_value", "place_boat", "play_tile", "tile_piece"} <= keys
    assert {"tile_step", "move", "move_to", "remove", "creature", "creature_step"} <= keys
    assert "defend" in keys


@pytest.mark.parametrize("language", ["en", "fr"])
def test_pictures_are_narrow_and_show_only_visible_values(language: str) -> None:
    for game, choice in random_games(4):
        for number in range(200):
            if game.is_over:
                break
            if number % 20 == 0:
                for seat in (None, 0):
                    text = THE_ISLAND.picture(game.view(seat).state, language)
                    assert max(len(line) for line in text.splitlines()) <= 100
                    assert THE_ISLAND.drawing(game.view(seat).state, language).startswith("<svg")
            game.play(game.legal[choice.draw(len(game.legal))])
    game = table(land="f5f:shark", white="nw:6,f5", yellow="m7,se:5", hand1="d4b:wind")
    text = THE_ISLAND.picture(game.view(1).state, language)
    assert ":6" not in text
    assert ":5" not in text
    assert ("wind" if language == "en" else "vent") not in text
    assert ("wind" if language == "en" else "vent") in THE_ISLAND.picture(
        game.view(0).state, language
    )
    drawn = THE_ISLAND.drawing(game.view(1).state, language)
    assert "(6)" not in drawn
    assert "(5)" not in drawn


def test_a_picture_shows_every_piece_on_the_board() -> None:
    game = table(
        land="f5f",
        white="f5,f5,f5,boat1",
        yellow="boat1,boat1",
        boats="e4",
        whales="c4",
        sharks="a1",
    )
    text = str(game)
    assert "B1(w4 y1 y2)" in text
    assert "f5: w1 w2 w3" in text
    assert " W" in text


@pytest.mark.parametrize(
    ("options", "is_secret"),
    [({}, True), ({"memory": "2"}, True), ({"memory": "12"}, False), ({"all_equal": "on"}, False)],
)
def test_the_start_of_play_announces_hidden_values(
    options: dict[str, str], is_secret: bool
) -> None:
    game = table(phase="place_boat", white=TEN_A, yellow=TEN_B, serpents="g6", **options)
    play(game, "place e3", "place d3", "place c4", "place c5")
    assert "play_begins" in event_keys(game)
    assert ("play_begins.secret" in event_keys(game)) == is_secret
