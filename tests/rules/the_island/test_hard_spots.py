"""Positions in which several rules interact."""

from __future__ import annotations

import pytest

from archipel.rules.the_island.definition import THE_ISLAND
from tests.rules.the_island.tables import actions, look, play, state_of, table, where
from tests.rules.the_island.test_moving import refused


@pytest.mark.rule("IS-X4", "IS-X3", "IS-X2", "IS-B3")
def test_whale_shark_and_serpent_attack_a_mixed_crew_in_turn() -> None:
    """The whale capsizes the boat, the shark eats its three explorers, and the serpent then
    destroys the second boat."""
    game = table(
        3,
        land="f5f f6f f7f h6f",
        white="boat1,f5",
        yellow="boat1,f6",
        sky="boat1,boat2,f7",
        boats="c5,b5",
        whales="c4",
        sharks="c7",
        serpents="a4",
        phase="creature",
        die="whale",
    )
    play(game, "whale 1", "to c5")
    assert [where(game, name) for name in ("w1", "y1", "s1")] == ["c5", "c5", "c5"]
    assert look(game, "boats").startswith("x,b5")
    play(game, "stop", "remove f5", die="shark")
    play(game, "shark 1", "to c6", "to c5")
    assert [where(game, name) for name in ("w1", "y1", "s1")] == ["lost", "lost", "lost"]
    play(game, "stop", "remove f6", die="serpent")
    play(game, "serpent 1", "to b5")
    assert where(game, "s2") == "lost"
    assert look(game, "boats").startswith("x,x")
    assert state_of(game).left[:3] == [1, 1, 1]


@pytest.mark.rule("IS-B3", "IS-M10", "IS-M3")
def test_command_of_a_mixed_crew_changes_as_explorers_leave() -> None:
    """Yellow commands boat 1 until one explorer changes boats; then white shares command."""
    game = table(
        land="f5f", white="boat1,f5", yellow="boat1,boat1", boats="c5,c6", turn=2, phase="move"
    )
    assert "boat 1" in actions(game)
    play(game, "explorer y2", "board 2")
    assert {"boat 1", "boat 2"} <= set(actions(game))
    play(game, "boat 1", "to b5")
    assert [where(game, name) for name in ("w1", "y1", "y2")] == ["boat1", "boat1", "boat2"]
    play(game, "explorer y1", "overboard")
    play(game, "remove f5", die="shark")
    assert game.to_move == 0
    assert "boat 1" in actions(game)
    refused(game, "boat 2", "IS-B3")


@pytest.mark.rule("IS-K3", "IS-K2", "IS-K1")
def test_removing_one_beach_opens_the_next() -> None:
    """Only f6 touches the sea (the lake); its removal opens f5."""
    forests = "e4f e5f e6f f4f g4f g5f f7f g7f"
    game = table(2, land=f"{forests} f5b f6b h6f h7f", white="a1", yellow="m7", phase="remove")
    assert actions(game) == ["remove f6"]  # f6 touches the lake
    play(game, "remove f6", die="shark")
    play(game, "stop")
    assert actions(game) == ["remove f5"]
    refused(game, "remove e4", "IS-K1")


@pytest.mark.rule("IS-K9", "IS-K4", "IS-C6")
def test_a_coastal_whirlpool_takes_a_mixed_crew_and_spares_the_land() -> None:
    game = table(
        3,
        land="d4f:whirlpool d5f e4f",
        white="d4,boat1,d5,nw",
        yellow="boat1,c4,e4",
        sky="boat1,d4,c3",
        boats="c5,d3",
        serpents="d3",
        whales="c4",
        phase="remove",
    )
    play(game, "remove d4", die="shark")
    assert [where(game, f"w{n}") for n in (1, 2, 3, 4)] == ["lost", "lost", "d5", "nw"]
    assert [where(game, f"y{n}") for n in (1, 2, 3)] == ["lost", "lost", "e4"]
    assert [where(game, f"s{n}") for n in (1, 2, 3)] == ["lost", "lost", "c3"]
    assert look(game, "boats").startswith("x,x")
    assert (look(game, "serpents")[0], look(game, "whales")[0]) == ("x", "x")
    assert state_of(game).left[:3] == [1, 1, 1]


@pytest.mark.rule("IS-K8", "IS-B3", "IS-K11")
def test_the_last_boat_in_stock_rescues_three_of_five_explorers() -> None:
    game = table(
        3,
        land="f5f:boat f6f",
        white="f5,f5",
        yellow="f5,f5",
        sky="f5,m7",
        boats="x,x,x,x,x,x,x,x,x,x,x,-",
        phase="remove",
    )
    play(game, "remove f5", "explorer y1", "explorer s1")
    assert look(game, "chosen") == "boat12"
    play(game, "explorer y2", die="shark")
    assert [where(game, name) for name in ("w1", "w2", "y1", "y2", "s1")] == [
        *("f5", "f5", "boat12", "boat12", "boat12")
    ]
    assert "boat 12" in actions(game)  # yellow has two of the three explorers aboard


@pytest.mark.rule("IS-K8", "IS-T4")
def test_a_full_boat_clears_the_chosen_piece() -> None:
    game = table(
        2, land="f5f:boat f6f", white="f5,f5,f5,f5", yellow="m7", sharks="a1", phase="remove"
    )
    play(game, "remove f5", "explorer w1", "explorer w2", "explorer w3", die="shark")
    assert (look(game, "phase"), look(game, "chosen")) == ("creature", "-")


@pytest.mark.rule("IS-X2", "IS-B4", "IS-K9")
def test_the_tenth_explorer_of_the_fourth_colour_sinks_with_the_boat() -> None:
    """It has the highest index of all explorers."""
    ten = ",".join(["lost"] * 9)
    game = table(
        4,
        land="f5f f6f",
        white="f5",
        yellow="f6",
        sky="m7",
        vermilion=f"{ten},boat1",
        boats="c5",
        serpents="c4",
        phase="creature",
        die="serpent",
    )
    assert where(game, "v10") == "boat1"
    play(game, "serpent 1", "to c5")
    assert where(game, "v10") == "lost"
    assert state_of(game).left[3] == 0


@pytest.mark.rule("IS-D1", "IS-D3")
@pytest.mark.parametrize("repels", [1, 2, 3])
def test_any_threatened_player_may_defend_for_all(repels: int) -> None:
    """The first yes saves all swimmers; the players asked earlier said no."""
    tiles = {f"hand{seat + 1}": f"{space}f:dolphin" for seat, space in ((1, "d4"), (2, "d5"))}
    tiles["hand4"] = "d6m:repel_shark" if repels == 3 else "d6b:wind"
    if repels < 3:
        space = {1: "d4", 2: "d5"}[repels]
        tiles[f"hand{repels + 1}"] = f"{space}f:repel_shark"
        tiles[f"hand{3 - repels + 1}"] = "e4b:wind"
        tiles["hand4"] = "d6b:wind"
    else:
        tiles["hand2"], tiles["hand3"] = "d4b:wind", "e4b:wind"
    game = table(
        4,
        land="f5f f6f",
        white="m7",
        yellow="c5,f5",
        sky="c5",
        vermilion="c5",
        sharks="c4",
        phase="creature",
        die="shark",
        **tiles,
    )
    play(game, "shark 1", "to c5")
    for seat in range(1, repels):
        assert game.to_move == seat
        assert actions(game) == ["no"]
        game.play("no")
    assert game.to_move == repels
    game.play("yes")
    assert [where(game, name) for name in ("y1", "s1", "v1")] == ["c5", "c5", "c5"]
    assert look(game, "sharks").startswith("x")
    assert game.to_move == 1


@pytest.mark.rule("IS-K1", "IS-T3")
def test_after_the_last_tile_of_a_terrain_the_next_terrain_sinks() -> None:
    game = table(2, land="d4b d5f e4m", white="d4,d5", yellow="e4", phase="remove")
    assert actions(game) == ["remove d4"]
    play(game, "remove d4", die="shark")
    assert where(game, "w1") == "d4"
    play(game, "stop")
    assert actions(game) == ["remove d5"]
    play(game, "remove d5", die="shark")
    play(game, "pass", "stop")  # white holds the tile of d4
    assert "remove e4" in actions(game)


@pytest.mark.rule("IS-T2", "IS-T7", "IS-M10")
def test_the_tenth_explorer_alone_has_a_step_two() -> None:
    nine = ",".join(["lost"] * 9)
    game = table(
        2, land="f5f f6f", white=f"{nine},f5", yellow="f6", turn=2, phase="remove", hand1="-"
    )
    play(game, "remove f6", die="shark")
    assert look(game, "phase") == "move"
    assert actions(game) == ["explorer w10", "stop"]


@pytest.mark.rule("IS-E3")
def test_the_end_of_the_game_clears_unused_points() -> None:
    game = table(2, land="f5f", white="b1", yellow="lost", phase="move", points=3)
    play(game, "explorer w1", "ashore nw")
    assert game.is_over
    assert look(game, "points") == "0"


@pytest.mark.rule("IS-T1", "IS-I1")
@pytest.mark.parametrize(("hand", "count"), [("d4b:wind", 1), ("d4b:wind,d5b:dolphin", 2)])
def test_the_question_gives_the_hand_size(hand: str, count: int) -> None:
    game = table(2, land="f5f f6f", white="f5", yellow="f6", hand1=hand, phase="play_tile")
    assert THE_ISLAND.question(game.state).details["count"] == count
