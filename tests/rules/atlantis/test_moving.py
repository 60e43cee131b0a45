"""Step 1: moving people and boats."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from tests.rules.atlantis.tables import actions, look, people, pieces, play, refused, sink, table


def destinations(person: str = "R1", **words: object) -> list[str]:
    game = table(**words)
    game.play(f"person {person}")
    return actions(game)


# ---- on land ------------------------------------------------------------------------------------


@pytest.mark.rule("AT-M1")
def test_a_person_walks_to_an_adjacent_piece_with_fewer_than_three_people() -> None:
    assert destinations(red="g6") == ["to f6", "to f7", "to g5", "to g7", "to h6", "to h7"]
    game = table(red="g6,f6,f6", blue="f6,f7,f7")
    game.play("person R1")
    assert actions(game) == ["to f7", "to g5", "to g7", "to h6", "to h7"]
    assert refused(game, "to f6") == "AT-M1"
    assert refused(game, "to e5") == "AT-M1"
    game.play("to f7")
    assert people(game, "red", 1) == ["f7"]


@pytest.mark.rule("AT-M1")
def test_walking_does_not_use_the_sea_step() -> None:
    game = table(red="e5")
    play(game, "person R1", "to d4", "person R1", "swim c4")
    assert people(game, "red", 1) == ["c4"]


@pytest.mark.rule("AT-M2")
def test_a_person_on_land_boards_an_adjacent_boat() -> None:
    game = table(red="d4", blue="boat1,boat1", boats="c4,c6")
    game.play("person R1")
    assert "board 1" in actions(game)
    assert refused(game, "board 2") == "AT-M2"
    game.play("board 1")
    assert people(game, "red", 1) == ["boat1"]
    assert look(game, "points") == "2"
    assert look(game, "swam") == "-"


@pytest.mark.rule("AT-M2")
def test_a_boat_holds_three_people_at_most() -> None:
    game = table(red="d4", blue="boat1,boat1,boat1", boats="c4")
    game.play("person R1")
    assert refused(game, "board 1") == "AT-M2"
    with pytest.raises(NotationError, match="three aboard"):
        table(red="boat1,boat1", blue="boat1,boat1", boats="c4")


@pytest.mark.rule("AT-M2")
def test_animals_in_its_space_do_not_prevent_boarding_a_boat() -> None:
    for animal in ("sharks", "octopuses", "dolphins"):
        game = table(red="d4", boats="c4", **{animal: "c4"})
        play(game, "person R1", "board 1")
        assert people(game, "red", 1) == ["boat1"]
        assert pieces(game, "boats") == ["c4"]


@pytest.mark.rule("AT-M3")
def test_a_person_in_a_boat_boards_an_adjacent_boat() -> None:
    game = table(red="boat1", blue="boat2,boat2", boats="a1,a2,a4")
    game.play("person R1")
    assert [text for text in actions(game) if "board" in text] == ["overboard", "board 2"]
    assert refused(game, "board 3") == "AT-M3"
    assert refused(game, "board 1") == "AT-M3"
    game.play("board 2")
    assert people(game, "red", 1) == ["boat2"]
    full = table(red="boat1", blue="boat2,boat2,boat2", boats="a1,a2")
    full.play("person R1")
    assert refused(full, "board 2") == "AT-M2"


# ---- into the water -----------------------------------------------------------------------------


@pytest.mark.rule("AT-M4")
def test_a_person_on_land_dives_into_an_adjacent_sea_space() -> None:
    assert [text for text in destinations(red="d4") if "swim" in text] == [
        *("swim c3", "swim c4", "swim d3")
    ]
    game = table(red="d4,g6")
    play(game, "person R1", "swim c3")
    assert people(game, "red", 1) == ["c3"]
    assert (look(game, "points"), look(game, "swam")) == ("2", "R1")
    game = table(red="g6")
    game.play("person R1")
    assert refused(game, "swim c3") == "AT-M4"


@pytest.mark.rule("AT-M4")
def test_a_person_overboard_swims_in_the_space_of_the_boat() -> None:
    game = table(red="boat1", boats="a3")
    game.play("person R1")
    assert actions(game) == ["overboard"]
    assert refused(game, "swim a2") == "AT-M4"
    game.play("overboard")
    assert people(game, "red", 1) == ["a3"]
    assert pieces(game, "boats") == ["a3"]
    assert (look(game, "points"), look(game, "swam")) == ("2", "R1")


@pytest.mark.rule("AT-M5")
def test_a_person_has_one_sea_step_per_turn() -> None:
    game = table(red="a3,g6")
    play(game, "person R1", "swim a4")
    assert refused(game, "person R1") == "AT-M5"
    assert (look(game, "points"), look(game, "swam")) == ("2", "R1")


@pytest.mark.rule("AT-M5")
@pytest.mark.parametrize(
    ("words", "moves"),
    [
        ({"red": "d4,g6", "boats": "c3"}, ("swim c4",)),
        ({"red": "boat1,g6", "boats": "a3"}, ("overboard",)),
    ],
)
def test_entering_water_uses_the_sea_step(words: dict[str, object], moves: tuple[str, ...]) -> None:
    game = table(**words)
    play(game, "person R1", *moves)
    action = game.definition.parse_action(game.state, "person R1")
    if action in game.definition.legal_actions(game.state):
        game.play("person R1")
        assert all("swim" not in text for text in actions(game))
    else:
        assert refused(game, "person R1") == "AT-M5"


@pytest.mark.rule("AT-M5")
def test_boarding_a_boat_does_not_restore_the_sea_step() -> None:
    game = table(red="a2,g6", boats="a3")
    play(game, "person R1", "swim a3", "person R1", "board 1")
    assert refused(game, "person R1") == "AT-M5"
    # With a second boat beside it the person can go, but not overboard.
    game = table(red="a2,g6", boats="a3,a4")
    play(game, "person R1", "swim a3", "person R1", "board 1", "person R1")
    assert actions(game) == ["board 2"]
    assert refused(game, "overboard") == "AT-M5"


@pytest.mark.rule("AT-M5")
def test_each_person_regains_the_sea_step_every_turn() -> None:
    game = table(red="a3,a5,g6", blue="m1,g6")
    play(game, "person R1", "swim a4", "person R2", "swim a6")
    assert look(game, "swam") == "R1,R2"
    sink(game, "j7")
    assert look(game, "swam") == "-"
    sink(game, "j6")
    play(game, "person R1", "swim a3")
    assert people(game, "red", 1) == ["a3"]


@pytest.mark.rule("AT-M5", "AT-K3")
def test_diving_from_a_sinking_piece_does_not_use_the_sea_step() -> None:
    game = table(red="h7", blue="a7", sunk="plains hills f6 f7 g5 g6 g7 h6", land="h7:dolphin")
    game.play("stop")
    game.play("sink h7")
    game.play("swim h6", chance="shark-1")
    assert look(game, "swam") == "-"
    game.play("stop", chance="shark-1")
    play(game, "person R1")
    assert any("swim" in text for text in actions(game))


@pytest.mark.rule("AT-M6")
def test_a_swimmer_climbs_into_a_boat_in_the_same_space() -> None:
    game = table(red="a3", boats="a3,a4")
    game.play("person R1")
    assert "board 1" in actions(game)
    assert refused(game, "board 2") == "AT-M6"
    game.play("board 1")
    assert people(game, "red", 1) == ["boat1"]
    play(game, "boat 1", "to a2")
    assert pieces(game, "boats") == ["a2", "a4"]
    full = table(red="a3", blue="boat1,boat1,boat1", boats="a3")
    full.play("person R1")
    assert refused(full, "board 1") == "AT-M2"


@pytest.mark.rule("AT-M6")
def test_climbing_is_allowed_after_a_sea_step() -> None:
    game = table(red="a2", boats="a3")
    play(game, "person R1", "swim a3", "person R1", "board 1", "boat 1", "to a4")
    assert (people(game, "red", 1), pieces(game, "boats")) == (["boat1"], ["a4"])


# ---- ashore -------------------------------------------------------------------------------------


@pytest.mark.rule("AT-M7")
@pytest.mark.parametrize("option", ["on", "off"])
def test_a_passenger_goes_ashore_from_a_landing_without_controlling_the_boat(option: str) -> None:
    game = table(red="boat1,g6", blue="boat1,boat1", boats="b1", swimmers_land=option)
    play(game, "person R1", "ashore nw")
    assert people(game, "red", 1) == ["nw"]
    assert (pieces(game, "boats"), look(game, "points")) == (["b1"], "2")
    assert refused(game, "person R1") == "AT-M7"


@pytest.mark.rule("AT-M7")
def test_a_swimmer_can_go_ashore_after_a_sea_step() -> None:
    game = table(red="b2,g6", swimmers_land="on")
    play(game, "person R1", "swim b1", "person R1", "ashore nw")
    assert people(game, "red", 1) == ["nw"]
    assert look(game, "points") == "1"
    assert game.definition.score(game.state, 0) == 1


@pytest.mark.rule("AT-M7")
def test_swimmers_cannot_go_ashore_without_the_option() -> None:
    assert Game.new("atlantis", 2, seed=1).options["swimmers_land"] is False
    game = table(red="b1,g6")
    assert look(game, "swimmers_land") == "off"
    game.play("person R1")
    assert refused(game, "ashore nw") == "AT-M7"
    assert actions(game) == ["swim b2", "swim c1"]
    shut_in = table(red="b1,g6", sharks="b2,c1")
    assert refused(shut_in, "person R1") == "AT-M10"
    allowed = table(red="b1,g6", swimmers_land="on", sharks="b2,c1")
    assert "person R1" in actions(allowed)


@pytest.mark.rule("AT-M7", "AT-M8", "AT-M6")
def test_a_swimmer_comes_ashore_by_dolphin_or_by_boat() -> None:
    game = table(red="b1,g6", dolphins="b1", boats="b1")
    game.play("person R1")
    assert actions(game) == [
        *("swim b2", "swim c1", "ride nw", "ride ne", "ride sw", "ride se", "board 1")
    ]
    play(game, "board 1", "person R1", "ashore nw")
    assert people(game, "red", 1) == ["nw"]
    assert look(game, "points") == "1"


@pytest.mark.rule("AT-M7", "AT-C3")
def test_a_landing_leads_only_to_its_own_coral_island() -> None:
    game = table(red="boat1", boats="b1")
    game.play("person R1")
    assert refused(game, "ashore ne") == "AT-C3"
    inland = table(red="g6")
    inland.play("person R1")
    assert refused(inland, "ashore nw") == "AT-C3"


# ---- dolphins -----------------------------------------------------------------------------------


@pytest.mark.rule("AT-M8")
def test_a_rescue_goes_to_any_coral_island_and_costs_all_points() -> None:
    for island, landing in (("nw", "b1"), ("ne", "b10"), ("sw", "l1"), ("se", "l10")):
        game = table(red="k4,g6", dolphins="a1,k4")
        play(game, "person R1", f"ride {island}")
        assert people(game, "red", 1) == [island]
        assert pieces(game, "dolphins") == ["a1", landing]
        assert (look(game, "phase"), look(game, "points")) == ("sink", "0")


@pytest.mark.rule("AT-M8")
def test_a_dolphin_can_go_to_an_occupied_landing() -> None:
    game = table(
        red="k4,g6", blue="boat1,g7", boats="b1", dolphins="k4", monsters="b10", sharks="l1"
    )
    for island in ("nw", "ne", "sw"):
        again = game.copy()
        play(again, "person R1", f"ride {island}")
        assert people(again, "red", 1) == [island]
        assert people(again, "blue", 1) == ["boat1"]


@pytest.mark.rule("AT-M8")
def test_a_rescue_needs_all_points_and_a_swimmer_with_a_dolphin() -> None:
    game = table(red="k4,g6", dolphins="k4")
    play(game, "person R2", "to f6", "person R1")
    assert refused(game, "ride nw") == "AT-M8"
    for words in ({"red": "k4"}, {"red": "boat1", "boats": "k4", "dolphins": "k4"}, {"red": "g6"}):
        other = table(**words)
        other.play("person R1")
        assert refused(other, "ride nw") == "AT-M8"


@pytest.mark.rule("AT-M8")
def test_a_rescue_needs_no_path_by_sea() -> None:
    # The swimmer is in a pond in the middle of the island, and cannot swim anywhere.
    game = table(red="g6,g5", sunk="plains hills g6", dolphins="g6")
    game.play("person R1")
    assert actions(game) == ["ride nw", "ride ne", "ride sw", "ride se"]


@pytest.mark.rule("AT-M8", "AT-X5")
def test_the_spinner_can_still_move_the_dolphin_of_a_rescue() -> None:
    game = table(red="k4,g6", dolphins="k4")
    play(game, "person R1", "ride nw")
    sink(game, "j7", "dolphin-2/1")
    assert actions(game)[0] == "dolphin 1"


@pytest.mark.rule("AT-M11")
def test_the_lowest_numbered_dolphin_in_the_space_carries_the_swimmer() -> None:
    game = table(red="k4,g6", dolphins="a1,k4,k4")
    play(game, "person R1", "ride ne")
    assert pieces(game, "dolphins") == ["a1", "b10", "k4"]


@pytest.mark.rule("AT-M11")
def test_riding_and_stepping_ashore_are_different_actions() -> None:
    game = table(red="b1,g6", dolphins="b1", swimmers_land="on")
    game.play("person R1")
    assert [t for t in actions(game) if "swim" not in t] == [
        *("ashore nw", "ride nw", "ride ne", "ride sw", "ride se")
    ]
    riding = game.copy()
    game.play("ashore nw")
    assert look(game, "points") == "2"
    riding.play("ride nw")
    assert look(riding, "points") == "0"


@pytest.mark.rule("AT-M11", "AT-S3")
def test_people_are_numbered_in_order_of_placement() -> None:
    game = table(phase="place")
    play(game, "place g6", "place g7", "place f6", "place f7")
    assert people(game, "red", 3) == ["g6", "f6", "-"]
    assert people(game, "blue", 3) == ["g7", "f7", "-"]


# ---- forbidden moves ----------------------------------------------------------------------------


@pytest.mark.rule("AT-M9")
def test_players_move_only_their_own_people() -> None:
    game = table(red="g6", blue="g7")
    assert refused(game, "person B1") == "AT-M9"
    assert actions(game) == ["person R1", "stop"]


@pytest.mark.rule("AT-M9")
def test_nobody_returns_to_the_island_from_the_sea() -> None:
    for words in ({"red": "c4"}, {"red": "boat1", "boats": "c4"}):
        game = table(**words)
        game.play("person R1")
        assert refused(game, "to d4") == "AT-M9"
        assert not any(text.startswith("to ") for text in actions(game))


@pytest.mark.rule("AT-M10")
@pytest.mark.parametrize("animal", ["sharks", "monsters"])
def test_nobody_dives_or_swims_to_a_shark_or_a_monster(animal: str) -> None:
    dive = table(red="d4", **{animal: "c4"})
    dive.play("person R1")
    assert refused(dive, "swim c4") == "AT-M10"
    swim = table(red="a2", **{animal: "a3"})
    swim.play("person R1")
    assert refused(swim, "swim a3") == "AT-M10"


@pytest.mark.rule("AT-M10")
def test_nobody_goes_overboard_where_a_shark_is() -> None:
    game = table(red="boat1,g6", boats="a3,m7", sharks="a3")
    assert refused(game, "person R1") == "AT-M10"
    near = table(red="boat1,g6", boats="a3,a4", sharks="a3")
    near.play("person R1")
    assert refused(near, "overboard") == "AT-M10"
    assert actions(near) == ["board 2"]


@pytest.mark.rule("AT-M10")
def test_swimmers_share_a_space_with_people_boats_octopuses_and_dolphins() -> None:
    game = table(
        red="a2,a3,a3", blue="a3,a3,boat1,boat1", boats="a3", octopuses="a3", dolphins="a3"
    )
    play(game, "person R1", "swim a3")
    assert people(game, "red", 3) == ["a3", "a3", "a3"]
    assert people(game, "blue", 4) == ["a3", "a3", "boat1", "boat1"]


# ---- boats --------------------------------------------------------------------------------------


@pytest.mark.rule("AT-B1")
def test_a_boat_carries_its_crew_and_can_move_repeatedly() -> None:
    game = table(red="boat1,boat1,a3", blue="boat1", boats="a3")
    play(game, "boat 1", "to a4", "boat 1", "to a5", "boat 1", "to a6")
    assert pieces(game, "boats") == ["a6"]
    assert people(game, "red", 3) == ["boat1", "boat1", "a3"]  # the swimmer stays behind
    assert people(game, "blue", 1) == ["boat1"]
    assert look(game, "phase") == "sink"


@pytest.mark.rule("AT-B1")
def test_any_player_moves_an_empty_boat() -> None:
    for turn in (1, 2):
        game = table(red="g6", blue="g7", boats="a3", turn=turn)
        play(game, "boat 1", "to a4")
        assert pieces(game, "boats") == ["a4"]
        game.play("boat 1")
        assert refused(game, "to a7") == "AT-B1"


@pytest.mark.rule("AT-B2")
@pytest.mark.parametrize("crew", ["boat1", "g6"])
def test_boats_do_not_enter_boats_octopuses_monsters_or_land(crew: str) -> None:
    game = table(red=crew, boats="c4,c3", octopuses="c5", monsters="b4")
    game.play("boat 1")
    assert actions(game) == ["to b5"]
    for barred in ("c3", "c5", "b4", "d4", "d5"):
        assert refused(game, f"to {barred}") == "AT-B2"


@pytest.mark.rule("AT-B2")
def test_boats_share_spaces_with_sharks_dolphins_and_swimmers() -> None:
    game = table(red="boat1", blue="a4,a5", boats="a3", sharks="a6", dolphins="a4")
    play(game, "boat 1", "to a4", "boat 1", "to a5", "boat 1", "to a6")
    assert pieces(game, "boats") == ["a6"]


@pytest.mark.rule("AT-B2")
def test_a_boat_with_nowhere_to_go_cannot_be_chosen() -> None:
    game = table(red="g6", boats="b1,b2,c1")
    assert refused(game, "boat 1") == "AT-B2"
    game = table(red="g6", boats="b1", octopuses="b2", monsters="c1")
    assert refused(game, "boat 1") == "AT-B2"


@pytest.mark.rule("AT-B3")
@pytest.mark.parametrize(
    ("crew", "controllers"),
    [
        ((1, 0, 0), {0}),
        ((3, 0, 0), {0}),
        ((2, 1, 0), {0}),
        ((1, 2, 0), {1}),
        ((1, 1, 0), {0, 1}),
        ((0, 1, 1), {1, 2}),
        ((1, 1, 1), {0, 1, 2}),
    ],
)
def test_the_largest_crew_controls_a_boat(crew: tuple[int, ...], controllers: set[int]) -> None:
    tribes = ("red", "blue", "yellow")
    words = {t: ",".join(["boat1"] * n + ["g6"]) for t, n in zip(tribes, crew, strict=True)}
    for seat in range(3):
        game = table(seats=3, turn=seat + 1, boats="a3", **words)
        assert ("boat 1" in actions(game)) == (seat in controllers)
        if seat not in controllers:
            assert refused(game, "boat 1") == "AT-B3"


@pytest.mark.rule("AT-B3")
def test_control_of_a_boat_is_recounted_for_each_move() -> None:
    game = table(red="boat1,d4", blue="boat1,boat1", boats="c4,b4")
    assert refused(game, "boat 1") == "AT-B3"
    game = table(red="d4", blue="boat1,g6", boats="c4")
    assert refused(game, "boat 1") == "AT-B3"
    play(game, "person R1", "board 1", "boat 1", "to b4", "person R1", "overboard")
    assert people(game, "red", 1) == ["b4"]


@pytest.mark.rule("AT-B3")
def test_passengers_can_leave_a_boat_they_do_not_control() -> None:
    game = table(red="boat1,g6", blue="boat1,boat1", boats="b1,b2")
    game.play("person R1")
    assert actions(game) == ["overboard", "ashore nw", "board 2"]


@pytest.mark.rule("AT-B4")
def test_a_boat_in_the_space_of_an_octopus_can_be_boarded_and_sailed_away() -> None:
    game = table(red="d4", boats="c4", octopuses="c4")
    play(game, "person R1", "board 1", "boat 1", "to b4")
    assert (people(game, "red", 1), pieces(game, "boats")) == (["boat1"], ["b4"])
    empty = table(red="d4", boats="c4", octopuses="c4")
    play(empty, "boat 1", "to b4", "boat 1")
    assert refused(empty, "to c4") == "AT-B2"  # but not back


@pytest.mark.rule("AT-M2", "AT-M10")
def test_a_boat_can_be_the_only_way_off_the_island() -> None:
    """With sharks all around nobody can dive, but a boat in a space with a shark can be boarded."""
    around = "f6,f7,g5,g7,h6,h7"
    words = {"red": "g6", "sharks": around, "land": "g6:whirlpool"}
    sunk = "plains hills f6 f7 g5 g7 h6 h7"
    game = table(**words, sunk=sunk, boats="g5")
    assert actions(game) == ["person R1", "boat 1", "stop"]
    game.play("person R1")
    assert actions(game) == ["board 1"]
    assert "person R1" not in actions(table(**words, sunk=sunk, boats="m7"))
