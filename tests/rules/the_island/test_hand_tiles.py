"""Step 1: playing a tile from the hand."""

from __future__ import annotations

import pytest

from archipel.game import Game
from tests.rules.the_island.tables import actions, look, play, table, where
from tests.rules.the_island.test_moving import refused


def holding(hand: str, white: str = "a1", yellow: str = "m7", **words: object) -> Game:
    given = {"land": "f5f", "phase": "play_tile"} | words
    return table(white=white, yellow=yellow, hand1=hand, **given)


# ---- dolphin ------------------------------------------------------------------------------------


@pytest.mark.rule("IS-H1")
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_dolphin_carries_a_swimmer_one_to_three_spaces(steps: int) -> None:
    game = holding("d4b:dolphin", white="c4,f5")
    play(game, "play dolphin", "explorer w1")
    for number in range(steps):
        assert ("stop" in actions(game)) == (number > 0)
        game.play(f"swim c{5 + number}")
    if steps < 3:
        game.play("stop")
    assert where(game, "w1") == f"c{4 + steps}"
    assert (look(game, "phase"), look(game, "points"), look(game, "playing")) == ("move", "3", "-")


@pytest.mark.rule("IS-H1")
def test_a_dolphin_helps_only_the_players_own_swimmers() -> None:
    game = holding("d4b:dolphin", white="c4,f5,boat1,a4", yellow="c4", boats="d3")
    game.play("play dolphin")
    assert actions(game) == ["explorer w1", "explorer w4"]
    for name in ("w2", "w3", "y1"):
        refused(game, f"explorer {name}", "IS-H1")


@pytest.mark.rule("IS-H1", "IS-M11")
def test_a_dolphin_ride_is_dangerous_on_every_space() -> None:
    game = holding("d4b:dolphin", white="c4,f5", sharks="c6")
    play(game, "play dolphin", "explorer w1", "swim c5", "swim c6")
    assert where(game, "w1") == "lost"
    assert look(game, "phase") == "move"


@pytest.mark.rule("IS-H1")
def test_a_dolphin_passes_boats_and_whales_and_may_return() -> None:
    game = holding("d4b:dolphin", white="c4,f5", boats="c5", whales="c6")
    play(game, "play dolphin", "explorer w1", "swim c5", "swim c6")
    assert "swim c5" in actions(game)
    game.play("swim c5")
    assert where(game, "w1") == "c5"


@pytest.mark.rule("IS-H1")
def test_a_dolphin_ride_ends_in_the_water() -> None:
    game = holding("d4b:dolphin", white="c2,f5", boats="c1")
    play(game, "play dolphin", "explorer w1", "swim c1")
    assert not any("board" in text or "ashore" in text for text in actions(game))
    refused(game, "board 1", "IS-H1")
    refused(game, "ashore nw", "IS-H1")
    refused(game, "to f5", "IS-M9")


@pytest.mark.rule("IS-H1", "IS-M12")
def test_a_dolphin_ride_does_not_use_the_sea_step() -> None:
    game = holding("d4b:dolphin", white="c4", strict_swimming="on")
    play(game, "play dolphin", "explorer w1", "swim c5", "stop", "explorer w1", "swim c6")
    assert where(game, "w1") == "c6"


# ---- wind ---------------------------------------------------------------------------------------


@pytest.mark.rule("IS-H2")
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_wind_drives_a_boat_one_to_three_spaces(steps: int) -> None:
    game = holding("d4b:wind", white="boat1,f5", boats="c4")
    play(game, "play wind", "boat 1")
    for number in range(steps):
        assert ("stop" in actions(game)) == (number > 0)
        game.play(f"to c{5 + number}")
    if steps < 3:
        game.play("stop")
    assert look(game, "boats").startswith(f"c{4 + steps}")
    assert (look(game, "phase"), look(game, "points")) == ("move", "3")


@pytest.mark.rule("IS-H2")
def test_wind_drives_only_occupied_boats_that_the_player_commands() -> None:
    game = holding(
        "d4b:wind",
        white="boat1,boat2,boat3",
        yellow="boat1,boat2,boat2,boat4",
        boats="c4,a2,a4,a6,m4",
    )
    game.play("play wind")
    assert actions(game) == ["boat 1", "boat 3"]
    for boat in (2, 4, 5):
        refused(game, f"boat {boat}", "IS-H2")


@pytest.mark.rule("IS-H2", "IS-B2")
def test_wind_does_not_drive_a_boat_through_another() -> None:
    game = holding("d4b:wind", white="boat1,f5", boats="c4,c5")
    play(game, "play wind", "boat 1")
    assert "to c5" not in actions(game)
    refused(game, "to c5", "IS-B2")


@pytest.mark.rule("IS-H2", "IS-B4", "IS-M12")
def test_capsizing_ends_the_wind_and_does_not_use_the_sea_step() -> None:
    game = holding("d4b:wind", white="boat1,f5", boats="c4", whales="c6")
    play(game, "play wind", "boat 1", "to c5", "to c6")
    assert look(game, "boats").startswith("x")
    assert where(game, "w1") == "c6"
    assert look(game, "phase") == "move"
    play(game, "explorer w1", "swim c7")
    assert where(game, "w1") == "c7"


@pytest.mark.rule("IS-H2", "IS-B4")
def test_a_serpent_sinks_a_boat_driven_by_wind() -> None:
    game = holding("d4b:wind", white="boat1,f5", yellow="boat1", boats="c4", serpents="c5")
    play(game, "play wind", "boat 1", "to c5")
    assert (where(game, "w1"), where(game, "y1")) == ("lost", "lost")


@pytest.mark.rule("IS-H2")
def test_wind_may_drive_a_boat_back() -> None:
    game = holding("d4b:wind", white="boat1,f5", boats="c4")
    play(game, "play wind", "boat 1", "to c5", "to c4", "to c5")
    assert look(game, "boats").startswith("c5")


# ---- moving a creature --------------------------------------------------------------------------


@pytest.mark.rule("IS-H3")
@pytest.mark.parametrize("kind", ["serpent", "shark", "whale"])
def test_a_creature_moves_to_any_unoccupied_sea_space(kind: str) -> None:
    places = {"serpents": "a1", "sharks": "a2", "whales": "a3"}
    game = holding(f"d4b:move_{kind}", white="c4,f5,boat1", boats="c6,c7", **places)
    game.play(f"play move_{kind}")
    assert actions(game) == [f"{kind} 1"]
    refused(game, "boat 1", "IS-H3")
    game.play(f"{kind} 1")
    spaces = {text.removeprefix("to ") for text in actions(game)}
    # Not free: two tiles (one is the volcano), three creatures, two boats, w1 and y1.
    assert len(spaces) == 133 - 2 - 3 - 2 - 2
    assert {"b1", "c1", "g6", "m1", "f6"} <= spaces
    for taken in ("a1", "a2", "a3", "c4", "c6", "c7", "f5", "m7"):
        assert taken not in spaces
        refused(game, f"to {taken}", "IS-H3")
    game.play("to m4")
    assert look(game, f"{kind}s").startswith("m4")
    assert look(game, "phase") == "move"


@pytest.mark.rule("IS-H3")
def test_only_creatures_on_the_board_can_be_chosen() -> None:
    game = holding("d4b:move_shark", sharks="b3,x,b5,-")
    game.play("play move_shark")
    assert actions(game) == ["shark 1", "shark 3"]


@pytest.mark.rule("IS-H3", "IS-X1")
def test_a_creature_leaves_the_others_on_its_space() -> None:
    game = holding("d4b:move_shark", white="b4", sharks="b3,b3")
    play(game, "play move_shark", "shark 1", "to m1")
    # The other shark is still on b3 and eats the swimmer.
    play(game, "explorer w1", "swim b3")
    assert where(game, "w1") == "lost"


# ---- no target ----------------------------------------------------------------------------------


@pytest.mark.rule("IS-H4")
@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("d4b:dolphin", {"white": "f5", "boats": "c4"}),
        ("d4b:dolphin", {"white": "f5,boat1,nw,lost", "boats": "c4"}),
        ("d4b:wind", {"white": "f5,c4", "boats": "c4"}),
        ("d4b:wind", {"white": "f5,boat1", "yellow": "boat1,boat1", "boats": "c4"}),
        ("d4b:move_serpent", {"sharks": "a5", "whales": "a6"}),
        ("d4b:move_shark", {"serpents": "a5", "whales": "a6"}),
        ("d4b:move_whale", {"sharks": "a5", "serpents": "a6", "whales": "x"}),
    ],
)
def test_a_tile_without_a_target_cannot_be_played(hand: str, words: dict[str, str]) -> None:
    game = holding(hand, **words)
    assert actions(game) == ["pass"]
    refused(game, "play d4", "IS-H4")
    game.play("pass")
    assert look(game, "hand1") == hand


@pytest.mark.rule("IS-H4")
def test_an_enclosed_swimmer_or_boat_is_no_target() -> None:
    around = " ".join(f"{name}f" for name in ("f6", "f7", "g5", "g7", "h6", "h7"))
    game = holding("d4b:dolphin d5b:wind", white="g6,boat1", boats="g6", land=around)
    assert actions(game) == ["pass"]


@pytest.mark.rule("IS-H4")
def test_a_tile_may_be_played_even_if_it_only_harms() -> None:
    sharks = "b3,b4,c3,c5,d3,d4"
    game = holding("d5b:dolphin", white="c4", sharks=sharks)
    game.play("play dolphin")
    play(game, "explorer w1", "swim b3")
    assert where(game, "w1") == "lost"
