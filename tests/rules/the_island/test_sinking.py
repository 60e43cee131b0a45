"""Step 3: removing a tile, and the effect of its back."""

from __future__ import annotations

import pytest

from archipel.game import Game
from tests.rules.the_island.tables import actions, look, play, state_of, table, where
from tests.rules.the_island.test_moving import refused


def removing(land: str, white: str = "a1", yellow: str = "m7", **words: object) -> Game:
    seats = 3 if "sky" in words else 2
    return table(seats, land=land, white=white, yellow=yellow, phase="remove", **words)


# ---- choosing a tile ----------------------------------------------------------------------------


@pytest.mark.rule("IS-K1")
def test_beaches_sink_before_forests_and_forests_before_mountains() -> None:
    game = removing("d4b d5b e4f e5f f5m")
    assert actions(game) == ["remove d4", "remove d5"]
    refused(game, "remove e4", "IS-K1")
    refused(game, "remove f5", "IS-K1")
    game = removing("e4f e5f f5m")
    assert actions(game) == ["remove e4", "remove e5"]
    refused(game, "remove f5", "IS-K1")
    game = removing("f5m")
    assert actions(game) == ["remove f5", "remove j7"]


@pytest.mark.rule("IS-K1")
def test_forests_sink_after_the_last_beach() -> None:
    game = removing("d4b d5b e4f", yellow="e4")
    for tile in ("d4", "d5"):
        assert not any("e4" in text for text in actions(game))
        play(game, f"remove {tile}", die="whale")
        if look(game, "phase") == "play_tile":
            game.play("pass")
        game.play("stop")
    assert actions(game) == ["remove e4"]


@pytest.mark.rule("IS-K2")
def test_a_removed_tile_must_touch_the_sea() -> None:
    ring = "e4f e5b e6f f4f f5b f6f g4f g5f"  # f5 is enclosed, e5 touches d4 and d5
    game = removing(ring)
    assert actions(game) == ["remove e5"]
    refused(game, "remove f5", "IS-K2")


@pytest.mark.rule("IS-K2")
def test_the_lake_and_uncovered_spaces_are_sea() -> None:
    whole = "f6b f7f g5f g7f h6f h7f e5f e6f f5f"
    game = removing(whole)  # f6 touches only the lake
    assert actions(game) == ["remove f6"]
    game = removing("f5b e4f f4f g4f e5f f6f")  # f5 touches g5, which has no tile
    assert actions(game) == ["remove f5"]


@pytest.mark.rule("IS-K3")
def test_an_enclosed_tile_sinks_only_if_none_of_its_terrain_touches_the_sea() -> None:
    ring = "e4f e5f f4f f6f g4f g5f h5f f5b"
    game = removing(ring)
    assert actions(game) == ["remove f5"]
    game = removing("e4f e5f e6f f4f f7f g4f g5f f5b f6b g7f h6f h7f")
    assert actions(game) == ["remove f6"]  # f6 touches the lake; f5 is enclosed


@pytest.mark.rule("IS-K3")
def test_a_forest_enclosed_by_mountains_sinks_first() -> None:
    game = removing("e4m e5m f4m f6m g4m g5m:volcano f5f")
    assert actions(game) == ["remove f5"]


# ---- explorers on the tile, and its back --------------------------------------------------------


@pytest.mark.rule("IS-K4")
def test_explorers_on_a_removed_tile_become_swimmers() -> None:
    game = removing("f5f:dolphin f6f", white="f5,f6", yellow="f5")
    play(game, "remove f5", die="whale")
    assert (where(game, "w1"), where(game, "y1"), where(game, "w2")) == ("f5", "f5", "f6")
    assert "f5" not in look(game, "land")
    # White's turn is over; yellow's explorer swims from f5.
    game.play("explorer y1")
    assert "swim f4" in actions(game)
    assert "to f6" not in actions(game)


@pytest.mark.rule("IS-K5")
def test_a_red_tile_goes_face_down_into_the_hand() -> None:
    for symbol in ("dolphin", "move_serpent", "move_shark", "move_whale", "repel_shark"):
        game = removing(f"f5f:{symbol} f6f")
        play(game, "remove f5", die="whale")
        assert look(game, "hand1", 0) == f"f5f:{symbol}"
        for watcher in (None, 1):
            assert look(game, "hand1", watcher) == "f5f?"
        assert "f5" not in look(game, "out")


@pytest.mark.rule("IS-K5", "IS-I1")
@pytest.mark.parametrize("symbol", ["shark", "whale", "boat", "whirlpool"])
def test_a_green_tile_is_revealed_and_leaves_the_game(symbol: str) -> None:
    game = removing(f"f5f:{symbol} f6f")
    play(game, "remove f5", die="serpent")
    for watcher in (None, 0, 1):
        assert f"f5f:{symbol}" in look(game, "out", watcher)
    assert look(game, "hand1") == "-"


@pytest.mark.rule("IS-K6")
def test_a_new_shark_eats_the_explorers_who_fell() -> None:
    game = removing("f5f:shark f6f", white="f5,f6", yellow="f5,m7", hand2="d4b:repel_shark")
    play(game, "remove f5", die="whale")
    assert look(game, "sharks").startswith("f5,-")
    assert (where(game, "w1"), where(game, "y1"), where(game, "w2")) == ("lost", "lost", "f6")
    # IS-D4: nobody was asked.
    assert look(game, "phase") == "play_tile"


@pytest.mark.rule("IS-K7")
def test_a_new_whale_harms_nobody() -> None:
    game = removing("f5f:whale f6f", white="f5", yellow="f5,m7")
    play(game, "remove f5", die="shark")
    assert look(game, "whales").startswith("f5,-")
    assert (where(game, "w1"), where(game, "y1")) == ("f5", "f5")


@pytest.mark.rule("IS-K8")
@pytest.mark.parametrize(("white", "yellow"), [("f5", "m7"), ("f5,f5", "f5"), ("a1", "m7")])
def test_a_new_boat_takes_up_to_three_explorers_aboard(white: str, yellow: str) -> None:
    game = removing("f5f:boat f6f", white=white, yellow=yellow)
    play(game, "remove f5", die="shark")
    assert look(game, "boats").startswith("f5,-")
    for colour, places in (("w", white), ("y", yellow)):
        for number, place in enumerate(places.split(","), 1):
            assert where(game, f"{colour}{number}") == ("boat1" if place == "f5" else place)
    assert look(game, "phase") == "move"
    assert state_of(game).aboard[0][:2] == [white.count("f5"), yellow.count("f5")]


@pytest.mark.rule("IS-K8")
def test_with_more_than_three_the_player_picks_exactly_three() -> None:
    game = removing("f5f:boat f6f", white="f5,f5", yellow="f5,m7", sky="f5,f5")
    game.play("remove f5")
    assert (game.to_move, look(game, "phase"), look(game, "chosen")) == (0, "fill_boat", "boat1")
    assert actions(game) == [f"explorer {name}" for name in ("w1", "w2", "y1", "s1", "s2")]
    refused(game, "stop", "IS-K8")
    refused(game, "explorer y2", "IS-K8")
    game.play("explorer s1")
    assert actions(game) == [f"explorer {name}" for name in ("w1", "w2", "y1", "s2")]
    game.play("explorer w2")
    play(game, "explorer y1", die="shark")
    assert [where(game, name) for name in ("w1", "w2", "y1", "s1", "s2")] == [
        *("f5", "boat1", "boat1", "boat1", "f5")
    ]
    assert (game.to_move, look(game, "phase"), look(game, "chosen")) == (1, "move", "-")


@pytest.mark.rule("IS-K8")
def test_with_four_explorers_the_player_picks_three() -> None:
    game = removing("f5f:boat f6f", white="f5,f5,f5,f5")
    game.play("remove f5")
    assert look(game, "phase") == "fill_boat"


# ---- whirlpool ----------------------------------------------------------------------------------


@pytest.mark.rule("IS-K9")
def test_a_whirlpool_takes_everything_on_adjacent_sea_spaces() -> None:
    game = removing(
        "d4f:whirlpool d5f",
        white="d4,e4,boat1,d5,b4",
        yellow="boat1,boat2,d4",
        boats="d3,c5,b5",
        serpents="c4,b3",
        sharks="c5,a1",
        whales="d3,e5",
    )
    play(game, "remove d4", die="whale")
    assert [where(game, f"w{n}") for n in range(1, 6)] == ["lost", "lost", "lost", "d5", "b4"]
    assert [where(game, f"y{n}") for n in range(1, 4)] == ["lost", "lost", "lost"]
    assert look(game, "boats").startswith("x,x,b5")
    assert look(game, "serpents").startswith("x,b3")
    assert look(game, "sharks").startswith("x,a1")
    assert look(game, "whales").startswith("x,x")
    assert state_of(game).left[:2] == [2, 0]


@pytest.mark.rule("IS-K9")
def test_a_whirlpool_spares_land_and_safe_islands() -> None:
    game = removing("d4f:whirlpool d5f e4m", white="d5,e4,nw", yellow="m7")
    play(game, "remove d4", die="whale")
    assert [where(game, f"w{n}") for n in range(1, 4)] == ["d5", "e4", "nw"]


@pytest.mark.rule("IS-K9", "IS-C6")
def test_a_whirlpool_near_a_safe_island_spares_saved_explorers() -> None:
    """No tile is adjacent to an exit; f3 is one of the nearest, three spaces away."""
    game = removing("f3f:whirlpool f4f", white="nw,e2,f2", yellow="m7", boats="g2,e3")
    play(game, "remove f3", die="whale")
    assert [where(game, f"w{n}") for n in range(1, 4)] == ["nw", "lost", "lost"]
    assert look(game, "boats").startswith("x,x")


@pytest.mark.rule("IS-K9")
def test_a_whirlpool_does_not_reach_two_spaces_away() -> None:
    game = removing("d4f:whirlpool d5f", white="c3,b4,e6", boats="d2", whales="c6")
    play(game, "remove d4", die="shark")
    assert [where(game, f"w{n}") for n in range(1, 4)] == ["c3", "b4", "e6"]
    assert look(game, "boats").startswith("d2")
    assert look(game, "whales").startswith("c6")


# ---- volcano and stock --------------------------------------------------------------------------


@pytest.mark.rule("IS-K10", "IS-E1")
def test_the_volcano_ends_the_game() -> None:
    game = removing("f5m:volcano f6m", white="f5,nw:3")
    game.play("remove f5")
    assert game.is_over
    assert look(game, "ending") == "eruption"


@pytest.mark.rule("IS-K11")
def test_removed_pieces_never_return() -> None:
    game = removing("f5f:shark f6f:whale f7f:boat", sharks="x,a5", whales="x", boats="x,x,a3")
    play(game, "remove f5", die="serpent")
    assert look(game, "sharks").startswith("x,a5,f5,-")
    play(game, "stop", "remove f6", die="serpent")
    assert look(game, "whales").startswith("x,f6,-")
    play(game, "stop", "remove f7", die="serpent")
    assert look(game, "boats").startswith("x,x,a3,f7,-")


@pytest.mark.rule("IS-K11")
def test_an_empty_stock_places_no_piece() -> None:
    gone = {"sharks": "x,x,x,x,x,x", "whales": "x,x,x,x,x", "boats": ",".join(["x"] * 12)}
    game = removing("f5f:shark f6f:whale f7f:boat f8f", white="f5,f6,f7,f8", **gone)
    play(game, "remove f5", die="serpent")
    assert where(game, "w1") == "f5"  # no shark was placed
    play(game, "stop", "remove f6", die="serpent")
    play(game, "stop", "remove f7", die="serpent")
    for word, text in gone.items():
        assert look(game, word) == text
    assert where(game, "w3") == "f7"
