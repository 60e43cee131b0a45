"""The scene: pieces to draw and choices to tap."""

from __future__ import annotations

from archipel.game import Game
from archipel.rules.kit import Stream
from archipel.rules.scene import Choice, Piece, Scene
from archipel.rules.the_island.definition import THE_ISLAND
from tests.rules.the_island.tables import play, table


def scene_of(game: Game, seat: int) -> Scene:
    return THE_ISLAND.scene(game.view(None if seat < 0 else seat).state, seat)


def piece(scene: Scene, name: str) -> Piece:
    return next(found for found in scene.pieces if found.id == name)


def choice(scene: Scene, text: str) -> Choice:
    return next(found for found in scene.choices if found.text == text)


def test_pieces_have_the_cells_of_their_places() -> None:
    game = table(
        land="f5f", white="f5,e4,boat1,nw,lost", yellow="boat1", boats="e3", sharks="a1",
        hand1="d4b:wind",
    )  # fmt: skip
    scene = scene_of(game, 0)
    cells = {name: piece(scene, name).cell for name in ("w1", "w2", "w3", "w4", "w5")}
    assert cells == {"w1": "f5", "w2": "e4", "w3": "e3", "w4": "nw", "w5": "lost1"}
    assert piece(scene, "w2").properties["swimming"]
    assert piece(scene, "w3").properties["boat"] == "boat-1"
    boat = piece(scene, "boat-1").properties
    assert boat["crew"] == ("w3", "y1")
    assert boat["control"] == (0, 1)
    assert piece(scene, "shark-1").cell == "a1"
    assert piece(scene, "tile-d4").properties["symbol"] == "wind"
    assert piece(scene_of(game, 1), "tile-d4").properties["symbol"] is None
    assert next(cell for cell in scene.cells if cell.id == "f5").kind == "forest"
    assert next(cell for cell in scene.cells if cell.id == "c1").properties["exit"] == "nw"


def test_values_visible_only_to_the_owner_are_marked_secret() -> None:
    game = table(land="f5f", white="f5:6", yellow="a1", memory="1")
    mine = piece(scene_of(game, 0), "w1").properties
    theirs = piece(scene_of(game, 1), "w1").properties
    assert (mine["value"], mine["secret"]) == (6, True)
    assert (theirs["value"], theirs["secret"]) == (None, False)


def test_explorers_show_no_value_under_all_equal() -> None:
    game = table(land="f5f", white="f5", yellow="a1", all_equal="on")
    assert "value" not in piece(scene_of(game, 0), "w1").properties


def test_a_choice_targets_its_piece_or_cell() -> None:
    game = table(land="f5f", white="f5", yellow="boat1", boats="e4")
    assert choice(scene_of(game, 0), "explorer w1").targets == ("w1",)
    game.play("explorer w1")
    scene = scene_of(game, 0)
    assert choice(scene, "swim e4").targets == ("e4",)
    assert choice(scene, "board 1").targets == ("boat-1",)
    assert scene.gauges["chosen"] == "w1"


def test_a_choice_previews_its_losses() -> None:
    game = table(land="f5f f6f", white="f5,boat1", yellow="boat1", boats="e3", serpents="e4")
    game.play("explorer w1")
    assert choice(scene_of(game, 0), "swim e4").details["lost"] == ("w1",)
    assert "lost" not in choice(scene_of(game, 0), "to f6").details
    game.undo()
    game.play("boat 1")
    preview = choice(scene_of(game, 0), "to e4").details
    assert preview["lost"] == ("w2", "y1")
    assert preview["sunk"] == ("boat-1",)


def test_a_creature_step_previews_its_victims() -> None:
    game = table(
        land="f5f", white="m7", yellow="c5,c5,f5", sharks="c4", phase="creature", die="shark",
        hand2="d4b:repel_shark",
    )  # fmt: skip
    game.play("shark 1")
    assert choice(scene_of(game, 0), "to c5").details["lost"] == ("y1", "y2")


def test_pieces_that_cannot_be_chosen_are_listed_with_their_rule() -> None:
    game = table(land="f5f", white="e4,f5", yellow="boat1", boats="c4", swam="w1", points=2)
    gauges = scene_of(game, 0).gauges
    refused = dict(zip(gauges["not_now"], gauges["not_now_rules"], strict=True))
    assert refused == {"w1": "IS-M12", "boat-1": "IS-B3"}


def test_the_tray_shows_the_values_left_to_place() -> None:
    game = Game.new("the-island", 2, seed=1, first=1)
    play(game, "place f5", "white 6", "place d4", "yellow 1")
    assert scene_of(game, 0).gauges["values"] == (1, 1, 1, 2, 2, 3, 3, 4, 5)
    assert scene_of(game, 1).gauges["values"] == (1, 1, 2, 2, 3, 3, 4, 5, 6)
    assert scene_of(game, -1).gauges["values"] == ()
    assert scene_of(game, 0).gauges["waiting"] == (9, 9)


def test_every_phase_has_a_help_text() -> None:
    game = Game.new("the-island", 3, seed=2)
    random = Stream(4)
    for number, decision in enumerate(game):
        if number % 9 == 0:
            scene = scene_of(game, decision.seat)
            for language in ("en", "fr"):
                sentences = THE_ISLAND.catalogue(language).sentences
                assert {str(scene.gauges["phase"]), f"{scene.gauges['phase']}.help"} <= set(
                    sentences
                )
        game.play(decision.legal[random.draw(len(decision.legal))])
    over = scene_of(game, 0)
    assert over.gauges["over"]
    assert over.gauges["scores"] == (0, 0, 0)
    assert not over.choices
