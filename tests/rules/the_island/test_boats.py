"""Step 2: boats."""

from __future__ import annotations

import pytest

from archipel.rules.contract import NotationError
from tests.rules.the_island.tables import actions, look, play, table, where
from tests.rules.the_island.test_moving import moves_of, refused


@pytest.mark.rule("IS-B1")
def test_any_player_moves_an_empty_boat_one_space_per_point() -> None:
    game = table(land="f5f", white="f5", yellow="a1", boats="e4")
    play(game, "boat 1", "to e3", "boat 1", "to e2", "boat 1", "to e1")
    assert look(game, "boats").startswith("e1")
    assert look(game, "phase") == "remove"


@pytest.mark.rule("IS-B1")
def test_a_boat_moves_one_space_at_a_time() -> None:
    game = table(land="f5f", white="f5", yellow="a1", boats="e4")
    game.play("boat 1")
    refused(game, "to e2", "IS-B1")


@pytest.mark.rule("IS-B2")
def test_a_sea_space_holds_one_boat_and_land_none() -> None:
    game = table(land="f5f", white="f5", yellow="a1", boats="e4,e3")
    assert moves_of(game, "boat 1") == ["to d3", "to d4", "to e5", "to f4"]
    game.play("boat 1")
    refused(game, "to e3", "IS-B2")
    refused(game, "to f5", "IS-B2")


@pytest.mark.rule("IS-B2")
def test_an_enclosed_boat_cannot_be_chosen() -> None:
    game = table(white="f5", yellow="a1", boats="g6,a7")
    assert "boat 1" not in actions(game)
    refused(game, "boat 1", "IS-B2")


@pytest.mark.rule("IS-B2")
def test_a_position_cannot_have_two_boats_on_a_space_or_one_on_land() -> None:
    with pytest.raises(NotationError, match="IS-B2"):
        table(boats="e3,e3", white="f5")
    with pytest.raises(NotationError, match="IS-B2"):
        table(boats="f5", white="f5")


CREWS = [
    # white, yellow and sky explorers aboard; seats in command
    ("1", "0", "0", [0]),
    ("0", "1", "0", [1]),
    ("2", "1", "0", [0]),
    ("1", "2", "0", [1]),
    ("1", "1", "0", [0, 1]),
    ("1", "1", "1", [0, 1, 2]),
    ("0", "1", "1", [1, 2]),
    ("1", "0", "2", [2]),
    ("3", "0", "0", [0]),
]


@pytest.mark.rule("IS-B3")
@pytest.mark.parametrize(("white", "yellow", "sky", "command"), CREWS)
def test_the_player_with_most_explorers_aboard_commands(
    white: str, yellow: str, sky: str, command: list[int]
) -> None:
    for seat in range(3):
        game = table(
            3,
            land="f5f",
            turn=seat + 1,
            boats="e4",
            white=",".join(["f5"] + ["boat1"] * int(white)),
            yellow=",".join(["f5"] + ["boat1"] * int(yellow)),
            sky=",".join(["f5"] + ["boat1"] * int(sky)),
        )
        assert ("boat 1" in actions(game)) == (seat in command)
        if seat not in command:
            refused(game, "boat 1", "IS-B3")


@pytest.mark.rule("IS-B3")
def test_command_is_recounted_at_every_step() -> None:
    game = table(land="f5f", white="boat1,f5", yellow="boat1,boat1", boats="e4")
    assert "boat 1" not in actions(game)
    game = table(land="f5f", white="boat1,f5", yellow="boat1", boats="e4")
    play(game, "explorer w2", "board 1", "boat 1", "to e3", "explorer w1", "overboard")
    # One explorer each again: yellow may also move the boat.
    play(game, "remove f5", die="whale")
    assert game.to_move == 1
    assert "boat 1" in actions(game)


@pytest.mark.rule("IS-B3")
def test_leaving_a_boat_can_cost_the_command() -> None:
    game = table(land="f5f", white="boat1,f5", yellow="boat1", boats="e4")
    play(game, "explorer w1", "overboard")
    assert "boat 1" not in actions(game)


@pytest.mark.rule("IS-B4")
def test_a_serpent_destroys_the_boat_and_its_crew() -> None:
    game = table(land="f5f", white="boat1,f5", yellow="boat1", boats="e4", serpents="e3")
    play(game, "boat 1", "to e3")
    assert look(game, "boats").startswith("x")
    assert (where(game, "w1"), where(game, "y1")) == ("lost", "lost")
    assert look(game, "serpents").startswith("e3")


@pytest.mark.rule("IS-B4")
def test_a_whale_capsizes_the_boat() -> None:
    game = table(land="f5f", white="boat1,f5", yellow="boat1", boats="e4", whales="e3")
    play(game, "boat 1", "to e3")
    assert look(game, "boats").startswith("x")
    assert (where(game, "w1"), where(game, "y1")) == ("e3", "e3")


@pytest.mark.rule("IS-B4")
@pytest.mark.parametrize("other", ["sharks", "serpents"])
def test_a_whale_with_a_shark_or_serpent_kills_the_crew(other: str) -> None:
    given = {other: "e3"}
    game = table(land="f5f", white="boat1,f5", yellow="boat1", boats="e4", whales="e3", **given)
    play(game, "boat 1", "to e3")
    assert (where(game, "w1"), where(game, "y1")) == ("lost", "lost")
    assert look(game, "boats").startswith("x")
    assert look(game, "swam") == "-"


@pytest.mark.rule("IS-B5")
@pytest.mark.parametrize("creature", ["serpents", "whales"])
def test_an_empty_boat_is_not_harmed(creature: str) -> None:
    given = {creature: "e3"}
    game = table(land="f5f", white="f5", yellow="a1", boats="e4", **given)
    play(game, "boat 1", "to e3")
    assert look(game, "boats").startswith("e3")


@pytest.mark.rule("IS-B5")
def test_an_empty_boat_gives_passage_at_a_guarded_exit() -> None:
    game = table(land="f5f", white="boat1", yellow="a1", boats="c2,c1", serpents="c1")
    play(game, "explorer w1", "board 2")
    assert where(game, "w1") == "boat2"
    play(game, "explorer w1", "ashore nw")
    assert where(game, "w1") == "nw"


@pytest.mark.rule("IS-B5")
def test_a_boat_boarded_next_to_a_whale_can_sail_away() -> None:
    game = table(land="f5f", white="f5", yellow="a1", boats="e4", whales="e4")
    play(game, "explorer w1", "board 1", "boat 1", "to e3")
    assert (where(game, "w1"), look(game, "boats")[:2]) == ("boat1", "e3")


@pytest.mark.rule("IS-B6")
def test_sharks_do_nothing_to_boats() -> None:
    game = table(land="f5f", white="boat1", yellow="boat1", boats="e4", sharks="e3")
    play(game, "boat 1", "to e3")
    assert (where(game, "w1"), look(game, "boats")[:2]) == ("boat1", "e3")


@pytest.mark.rule("IS-B7")
def test_boats_do_not_pick_up_or_carry_swimmers() -> None:
    game = table(land="f5f", white="boat1,e3,e4", yellow="e3", boats="e4")
    play(game, "boat 1", "to e3")
    assert [where(game, name) for name in ("w1", "w2", "w3", "y1")] == ["boat1", "e3", "e4", "e3"]
    play(game, "boat 1", "to e2")
    assert [where(game, name) for name in ("w1", "w2", "w3", "y1")] == ["boat1", "e3", "e4", "e3"]
