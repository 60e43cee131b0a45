"""Step 2: explorers."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError, RuleError
from tests.rules.the_island.tables import actions, look, play, table, where


def refused(game: Game, text: str, rule: str) -> None:
    with pytest.raises(RuleError) as found:
        game.play(text)
    assert found.value.rule == rule, found.value


def moves_of(game: Game, piece: str) -> list[str]:
    """Return the actions after choosing a piece."""
    game.play(piece)
    found = actions(game)
    game.undo()
    return found


# ---- on land ------------------------------------------------------------------------------------


@pytest.mark.rule("IS-M1")
def test_an_explorer_walks_to_neighbouring_land() -> None:
    game = table(land="f5f f6f e5f", white="f5", yellow="f6,f6,f6,f6")
    play(game, "explorer w1", "to f6")
    assert where(game, "w1") == "f6"
    assert look(game, "points") == "2"


@pytest.mark.rule("IS-M1")
def test_an_explorer_walks_one_space_only() -> None:
    game = table(land="f5f f6f f7f", white="f5", yellow="a1")
    game.play("explorer w1")
    refused(game, "to f7", "IS-M1")
    refused(game, "to a1", "IS-M1")


@pytest.mark.rule("IS-M1", "IS-M4", "IS-M2")
def test_an_explorer_on_land_may_walk_swim_or_board() -> None:
    game = table(land="f5f f6f e5f", white="f5", yellow="a1", boats="e4,g4")
    assert moves_of(game, "explorer w1") == [
        *("swim e4", "to e5", "swim f4", "to f6", "swim g4", "swim g5", "board 1", "board 2")
    ]


# ---- boarding -----------------------------------------------------------------------------------


@pytest.mark.rule("IS-M2")
def test_an_explorer_boards_an_adjacent_boat_from_land() -> None:
    game = table(land="f5f", white="f5", yellow="boat1,boat1", boats="e4,a3")
    game.play("explorer w1")
    refused(game, "board 2", "IS-M2")
    refused(game, "board 3", "IS-K11")
    game.play("board 1")
    assert where(game, "w1") == "boat1"
    assert look(game, "points") == "2"


@pytest.mark.rule("IS-M2")
def test_three_explorers_of_any_colour_fill_a_boat() -> None:
    game = table(3, land="f5f", white="f5,boat1", yellow="boat1", sky="boat1", boats="e4")
    game.play("explorer w1")
    assert "board 1" not in actions(game)
    refused(game, "board 1", "IS-M2")


@pytest.mark.rule("IS-M3")
def test_an_explorer_changes_to_an_adjacent_boat() -> None:
    game = table(land="f5f", white="boat1", yellow="boat2,boat2,boat3", boats="a1,a2,b3,a4")
    assert moves_of(game, "explorer w1") == ["overboard", "board 2", "board 3"]
    play(game, "explorer w1", "board 2")
    assert where(game, "w1") == "boat2"
    assert look(game, "points") == "2"
    # Boat 2 is full now.
    play(game, "stop", "remove f5", die="shark")
    assert "board 2" not in moves_of(game, "explorer y3")


@pytest.mark.rule("IS-M3", "IS-M12")
def test_changing_boats_is_repeatable_and_does_not_use_the_sea_step() -> None:
    game = table(land="f5f", white="boat1", yellow="a1", boats="a2,a3,a4,a5")
    play(game, "explorer w1", "board 2", "explorer w1", "board 3", "explorer w1", "board 4")
    assert where(game, "w1") == "boat4"
    assert look(game, "swam") == "-"


# ---- into the water -----------------------------------------------------------------------------


@pytest.mark.rule("IS-M4")
def test_an_explorer_dives_from_land() -> None:
    game = table(land="f5f", white="f5,f5", yellow="a1")
    play(game, "explorer w1", "swim e4")
    assert where(game, "w1") == "e4"
    assert look(game, "points") == "2"
    assert look(game, "swam") == "w1"


@pytest.mark.rule("IS-M4")
@pytest.mark.parametrize("crew", ["boat1,boat1,boat1", "boat1"])
def test_an_explorer_may_dive_next_to_a_boat(crew: str) -> None:
    game = table(land="f5f", white="f5", yellow=crew, boats="e4")
    play(game, "explorer w1", "swim e4")
    assert where(game, "w1") == "e4"


@pytest.mark.rule("IS-M5")
def test_an_explorer_goes_overboard() -> None:
    game = table(land="f5f", white="boat1", yellow="a1", boats="e4")
    assert moves_of(game, "explorer w1") == ["overboard"]
    play(game, "explorer w1", "overboard")
    assert where(game, "w1") == "e4"
    assert look(game, "swam") == "w1"
    assert look(game, "points") == "2"


@pytest.mark.rule("IS-M5")
def test_an_explorer_goes_overboard_into_the_space_of_the_boat() -> None:
    game = table(land="f5f", white="boat1", yellow="a1", boats="e4")
    game.play("explorer w1")
    refused(game, "swim e3", "IS-M5")


@pytest.mark.rule("IS-M6")
def test_a_swimmer_swims_to_a_neighbouring_sea_space() -> None:
    game = table(land="f5f", white="e4,f5", yellow="e3,e3,e3,e3")
    assert moves_of(game, "explorer w1") == ["swim d3", "swim d4", "swim e3", "swim e5", "swim f4"]
    play(game, "explorer w1", "swim e3")
    assert where(game, "w1") == "e3"
    assert look(game, "points") == "2"
    assert look(game, "swam") == "w1"


@pytest.mark.rule("IS-M6", "IS-M12")
def test_each_swimmer_has_one_sea_step_per_turn() -> None:
    game = table(land="f5f", white="e4,e4", yellow="a1")
    play(game, "explorer w1", "swim e3")
    refused(game, "explorer w1", "IS-M12")
    play(game, "explorer w2", "swim e3")
    # Nothing else can move, so step 2 is over although a point is left.
    assert look(game, "phase") == "remove"


@pytest.mark.rule("IS-M6")
def test_a_swimmer_cannot_walk_ashore_or_swim_two_spaces() -> None:
    game = table(land="f5f", white="e4", yellow="a1")
    game.play("explorer w1")
    refused(game, "to f5", "IS-M9")
    refused(game, "swim a1", "IS-M6")


@pytest.mark.rule("IS-M7")
def test_a_swimmer_climbs_into_a_boat_on_the_same_space() -> None:
    game = table(land="f5f", white="e4", yellow="boat1,boat1", boats="e4,e3")
    game.play("explorer w1")
    assert "board 2" not in actions(game)
    refused(game, "board 2", "IS-M7")
    game.play("board 1")
    assert where(game, "w1") == "boat1"
    assert look(game, "points") == "2"
    assert look(game, "swam") == "-"


@pytest.mark.rule("IS-M7")
def test_a_swimmer_cannot_climb_into_a_full_boat() -> None:
    game = table(land="f5f", white="e4", yellow="boat1,boat1,boat1", boats="e4")
    game.play("explorer w1")
    refused(game, "board 1", "IS-M2")


@pytest.mark.rule("IS-M7", "IS-M12")
def test_a_swimmer_may_climb_aboard_after_a_sea_step() -> None:
    game = table(land="f5f", white="f5", yellow="a1", boats="e4")
    play(game, "explorer w1", "swim e4")
    assert moves_of(game, "explorer w1") == ["board 1"]
    play(game, "explorer w1", "board 1")
    assert where(game, "w1") == "boat1"
    # Boarding does not bring the sea step back.
    refused(game, "explorer w1", "IS-M12")
    assert actions(game) == ["boat 1", "stop"]


@pytest.mark.rule("IS-M7", "IS-M8")
def test_strict_swimming_allows_one_move_in_or_out_of_the_water() -> None:
    game = table(land="f5f", white="f5,e4,c1,c2", yellow="a1", boats="e4", strict_swimming="on")
    play(game, "explorer w1", "swim e4")
    refused(game, "explorer w1", "IS-M7")
    play(game, "explorer w2", "board 1")
    assert look(game, "wet") == "w1,w2"
    refused(game, "explorer w2", "IS-M7")  # going overboard would be a second move
    play(game, "explorer w3", "ashore nw")
    assert where(game, "w3") == "nw"
    game = table(land="f5f", white="c2,e4", yellow="a1", boats="e4", strict_swimming="on")
    play(game, "explorer w1", "swim c1")
    refused(game, "explorer w1", "IS-M7")
    game.play("explorer w2")
    game.play("swim e3")
    refused(game, "explorer w2", "IS-M7")


@pytest.mark.rule("IS-M7")
def test_strict_swimming_does_not_limit_moves_between_boats() -> None:
    game = table(land="f5f", white="boat1", yellow="a1", boats="c3,c2", strict_swimming="on")
    play(game, "explorer w1", "board 2", "boat 2", "to c1", "explorer w1", "ashore nw")
    assert where(game, "w1") == "nw"


@pytest.mark.rule("IS-M7")
def test_strict_swimming_allows_changing_boats_after_climbing_aboard() -> None:
    game = table(land="f5f", white="e4", yellow="a1", boats="e4,e3", strict_swimming="on")
    play(game, "explorer w1", "board 1")
    assert moves_of(game, "explorer w1") == ["board 2"]
    game.play("explorer w1")
    refused(game, "overboard", "IS-M7")


@pytest.mark.rule("IS-M7", "IS-M12", "IS-B4")
def test_strict_swimming_does_not_count_capsizing_as_a_move() -> None:
    game = table(
        land="f5f", white="boat1", yellow="a1", boats="e4,e3", whales="e3", strict_swimming="on"
    )
    # The empty boat 2 moves out of the way of boat 1 first.
    play(game, "boat 2", "to d2", "boat 1", "to e3")
    assert where(game, "w1") == "e3"
    assert (look(game, "swam"), look(game, "wet")) == ("w1", "-")
    refused(game, "explorer w1", "IS-M12")


# ---- going ashore -------------------------------------------------------------------------------


@pytest.mark.rule("IS-M8")
@pytest.mark.parametrize(
    ("space", "island"),
    [
        *(("b1", "nw"), ("c1", "nw"), ("b10", "ne"), ("c11", "ne")),
        *(("k1", "sw"), ("l1", "sw"), ("k11", "se"), ("l10", "se")),
    ],
)
def test_explorers_land_from_each_exit_by_boat_or_swimming(space: str, island: str) -> None:
    game = table(land="f5f", white=f"boat1,{space},f5", yellow="boat1", boats=space)
    for explorer in ("w1", "w2"):
        play(game, f"explorer {explorer}", f"ashore {island}")
        assert where(game, explorer) == island
    assert look(game, "points") == "1"
    assert look(game, "boats").startswith(space)  # the boat stays
    assert where(game, "y1") == "boat1"


@pytest.mark.rule("IS-M8")
def test_explorers_land_only_from_an_exit_of_the_island() -> None:
    game = table(land="f5f", white="b2,boat1", yellow="a1", boats="c2")
    for explorer in ("w1", "w2"):
        game.play(f"explorer {explorer}")
        refused(game, "ashore nw", "IS-M8")
        refused(game, "ashore se", "IS-M8")
        game.undo()


@pytest.mark.rule("IS-M8", "IS-M12")
def test_landing_does_not_use_the_sea_step() -> None:
    game = table(land="f5f", white="a1,c2,a3,f5", yellow="a5", swam="w1,w3", wet="w1,w3")
    play(game, "explorer w2", "swim c1")
    assert (look(game, "swam"), look(game, "wet")) == ("w1,w2,w3", "w1,w2,w3")
    play(game, "explorer w2", "ashore nw")
    assert where(game, "w2") == "nw"
    # The marks of a saved explorer are cleared.
    assert (look(game, "swam"), look(game, "wet")) == ("w1,w3", "w1,w3")


@pytest.mark.rule("IS-M8", "IS-M10")
def test_an_explorer_lands_from_a_boat_that_an_opponent_commands() -> None:
    game = table(land="f5f", white="boat1", yellow="boat1,boat1", boats="c1")
    assert "boat 1" not in actions(game)
    play(game, "explorer w1", "ashore nw")
    assert where(game, "w1") == "nw"


# ---- forbidden moves ----------------------------------------------------------------------------


@pytest.mark.rule("IS-M9")
def test_nobody_returns_to_the_island() -> None:
    game = table(land="f5f f6f", white="e4,boat1", yellow="a1", boats="e5")
    assert not any(text.startswith("to ") for text in moves_of(game, "explorer w1"))
    assert not any(text.startswith("to ") for text in moves_of(game, "explorer w2"))
    game.play("explorer w2")
    refused(game, "to f5", "IS-M9")


@pytest.mark.rule("IS-M9")
def test_nobody_leaves_a_safe_island() -> None:
    game = table(land="f5f", white="nw,f5", yellow="a1", boats="c1")
    assert "explorer w1" not in actions(game)
    refused(game, "explorer w1", "IS-M9")


@pytest.mark.rule("IS-M10")
def test_a_player_moves_only_their_own_explorers() -> None:
    game = table(land="f5f", white="f5", yellow="f5,e4,boat1", boats="e5")
    assert not any("explorer y" in text for text in actions(game))
    for name in ("y1", "y2", "y3"):
        refused(game, f"explorer {name}", "IS-M10")


@pytest.mark.rule("IS-M10", "IS-B3")
def test_explorers_may_board_and_leave_any_boat() -> None:
    game = table(land="f5f", white="f5,boat2", yellow="boat1,boat1,boat2,boat2", boats="e4,a3")
    assert [text for text in actions(game) if "boat" in text] == []
    play(game, "explorer w1", "board 1", "explorer w2", "overboard")
    assert (where(game, "w1"), where(game, "w2")) == ("boat1", "a3")


# ---- dangers ------------------------------------------------------------------------------------


@pytest.mark.rule("IS-M11")
@pytest.mark.parametrize("creature", ["serpents", "sharks"])
@pytest.mark.parametrize(
    ("start", "move"), [("f5", "swim e4"), ("boat1", "overboard"), ("e3", "swim e4")]
)
def test_sharks_and_serpents_eat_explorers_who_enter_the_water(
    creature: str, start: str, move: str
) -> None:
    given = {creature: "e4"}
    game = table(land="f5f", white=f"{start},f5", yellow="a1", boats="e4", **given)
    play(game, "explorer w1", move)
    assert where(game, "w1") == "lost"
    assert look(game, "points") == "2"
    assert look(game, "swam") == "-"


@pytest.mark.rule("IS-M11")
def test_whales_do_not_harm_swimmers() -> None:
    game = table(land="f5f", white="f5", yellow="a1", whales="e4")
    play(game, "explorer w1", "swim e4")
    assert where(game, "w1") == "e4"


@pytest.mark.rule("IS-M11")
def test_a_position_cannot_have_a_swimmer_with_a_shark_or_serpent() -> None:
    for creature in ("serpents", "sharks"):
        with pytest.raises(NotationError, match="IS-M11"):
            table(land="f5f", white="e4", yellow="a1", **{creature: "e4"})


# ---- the sea step -------------------------------------------------------------------------------


@pytest.mark.rule("IS-M12", "IS-M5")
def test_each_explorer_has_a_sea_step() -> None:
    game = table(land="f5f", white="boat1,boat1", yellow="a1", boats="e4")
    play(game, "explorer w1", "overboard")
    assert moves_of(game, "explorer w2") == ["overboard"]
    assert moves_of(game, "explorer w1") == ["board 1"]


@pytest.mark.rule("IS-M12")
def test_the_sea_step_returns_each_turn() -> None:
    game = table(land="f5f f6f", white="e4,f5", yellow="a1", boats="-")
    play(game, "explorer w1", "swim e3", "stop")
    assert (look(game, "swam"), look(game, "wet")) == ("-", "-")
    play(game, "remove f6", die="whale")
    play(game, "stop", "remove f5", die="whale")
    assert game.to_move == 0
    play(game, "pass", "explorer w1", "swim e4")
    assert where(game, "w1") == "e4"


@pytest.mark.rule("IS-M12", "IS-B4")
def test_capsizing_in_step_two_uses_the_sea_step() -> None:
    game = table(land="f5f", white="boat1,boat1", yellow="boat1", boats="e4,e5", whales="e3")
    play(game, "boat 1", "to e3")
    assert (where(game, "w1"), where(game, "y1")) == ("e3", "e3")
    assert look(game, "swam") == "w1,w2,y1"
    refused(game, "explorer w1", "IS-M12")


@pytest.mark.rule("IS-M12")
def test_an_explorer_may_board_and_sail_after_the_sea_step() -> None:
    game = table(land="f5f", white="f5", yellow="a1", boats="e4")
    play(game, "explorer w1", "swim e4", "explorer w1", "board 1", "boat 1", "to e3")
    assert look(game, "boats").startswith("e3")
    assert look(game, "phase") == "remove"
