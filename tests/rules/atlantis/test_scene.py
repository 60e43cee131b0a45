"""The scene: cells, pieces, gauges and choices for the browser."""

from __future__ import annotations

from typing import Any

from archipel.game import Game
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.scene import Cell, Choice, Piece, Scene
from tests.rules.atlantis.tables import play, table


def scene_of(game: Game, seat: int = 0) -> Scene:
    return ATLANTIS.scene(game.view(None if seat < 0 else seat).state, seat)


def piece(scene: Scene, name: str) -> Piece:
    return next(found for found in scene.pieces if found.id == name)


def cell(scene: Scene, name: str) -> Cell:
    return next(found for found in scene.cells if found.id == name)


def choice(scene: Scene, text: str) -> Choice:
    return next(found for found in scene.choices if found.text == text)


def as_texts(gauge: Any) -> tuple[str, ...]:
    assert isinstance(gauge, tuple)
    return gauge


def test_cells_have_terrain_landings_and_shown_symbols() -> None:
    scene = scene_of(table(red="g6", sunk="d4:boat"))
    assert cell(scene, "g6").kind == "mountain"
    assert cell(scene, "g6").properties["centre"] is True
    assert cell(scene, "b1").properties["landing"] == "nw"
    assert cell(scene, "nw").properties["exits"] == ("b1",)
    assert cell(scene, "d4").kind == "sea"
    assert cell(scene, "d4").properties["symbol"] == "boat"
    assert "symbol" not in cell(scene, "d5").properties


def test_people_appear_on_land_in_water_in_boats_ashore_or_lost() -> None:
    scene = scene_of(table(red="g6,a2,boat1,nw,lost", boats="a3"))
    assert piece(scene, "R1").cell == "g6"
    assert piece(scene, "R2").properties["swimming"] is True
    assert (piece(scene, "R3").cell, piece(scene, "R3").properties["boat"]) == ("a3", "boat-1")
    assert (piece(scene, "R4").cell, piece(scene, "R5").cell) == ("nw", "lost1")
    assert piece(scene, "boat-1").properties["control"] == (0,)
    assert piece(scene, "boat-1").properties["crew"] == ("R3",)


def test_pieces_that_cannot_be_chosen_are_listed_with_the_rule() -> None:
    game = table(red="g6,a1", blue="boat1", boats="a7", sharks="a2,b2,b3")
    gauges = scene_of(game).gauges
    refused = dict(zip(as_texts(gauges["not_now"]), as_texts(gauges["not_now_rules"]), strict=True))
    assert refused == {"R2": "AT-M10", "boat-1": "AT-B3"}
    assert "not_now" not in scene_of(game, 1).gauges


def test_gauges_show_the_spinner_and_the_unseen_symbols() -> None:
    game = table(red="g6", sharks="a1", phase="animal", spun="shark-T", sunk="d4:boat")
    gauges = scene_of(game, -1).gauges
    assert (gauges["spun"], gauges["part"], gauges["due"]) == ("shark", "T", "plain")
    assert gauges["unseen"] == (3, 4, 3, 4, 3, 0)
    assert gauges["pieces_left"] == (17, 12, 7)


def test_choices_name_their_targets_and_predict_losses() -> None:
    game = table(red="g6", blue="boat1,a2,g7", boats="a2", monsters="a1", phase="animal",
                 spun="monster-2")  # fmt: skip
    assert choice(scene_of(game), "monster 1").targets == ("monster-1",)
    assert choice(scene_of(game), "pass").targets == ()
    game.play("monster 1")
    step = choice(scene_of(game), "to a2")
    assert step.targets == ("a2",)
    assert (step.details["lost"], step.details["sunk"]) == (("B1", "B2"), ("boat-1",))
    assert "lost" not in choice(scene_of(game), "to b2").details


def test_choices_that_reveal_a_symbol_are_final() -> None:
    game = table(red="d4,d4,g6")
    assert not choice(scene_of(game), "stop").final
    game.play("stop")
    assert all(found.final for found in scene_of(game).choices)
    game.play("sink d4")
    assert not any(found.final for found in scene_of(game).choices)
    play(game, "person R1", "to e5")
    assert all(found.final for found in scene_of(game).choices)
    assert scene_of(game).gauges["sinking"] == "d4"


def test_rides_and_landings_have_the_coral_island_as_target() -> None:
    game = table(red="b1,g6", dolphins="b1", swimmers_land="on")
    game.play("person R1")
    assert choice(scene_of(game), "ashore nw").targets == ("nw",)
    assert choice(scene_of(game), "ride se").targets == ("se",)
    assert choice(scene_of(game), "ride se").key == "action.ride"
