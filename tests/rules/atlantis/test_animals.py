"""Animals, and the spinner that lets players move them."""

from __future__ import annotations

import pytest

from archipel.game import Game
from tests.rules.atlantis.tables import (
    actions,
    look,
    people,
    pieces,
    play,
    refused,
    sink,
    state_of,
    table,
)


def spun(shown: str, **words: object) -> Game:
    """A game at step 3, with a result of the spinner."""
    return table(**({"phase": "animal", "spun": shown} | words))


# ---- animals and prey ---------------------------------------------------------------------------


@pytest.mark.rule("AT-X1")
def test_a_monster_takes_swimmers_and_a_boat_with_all_aboard() -> None:
    game = spun(
        "monster-1", red="a2,boat1,g6", blue="a2,boat1,g6", boats="a2", monsters="a1", sharks="m7"
    )
    play(game, "monster 1", "to a2")
    assert people(game, "red", 3) == ["lost", "lost", "g6"]
    assert people(game, "blue", 3) == ["lost", "lost", "g6"]
    assert pieces(game, "boats") == ["x"]
    assert pieces(game, "monsters") == ["a2"]


@pytest.mark.rule("AT-X1", "AT-W2")
def test_a_monster_takes_an_empty_boat_and_stops() -> None:
    game = spun("monster-3", red="g6", blue="g7", boats="a2", monsters="a1")
    play(game, "monster 1", "to a2")
    assert pieces(game, "boats") == ["x"]
    assert (look(game, "turn"), look(game, "phase")) == ("2", "move")
    assert pieces(game, "monsters") == ["a2"]


@pytest.mark.rule("AT-X2")
def test_a_shark_takes_swimmers_and_leaves_boats_alone() -> None:
    game = spun("shark-2", red="a2,boat1,g6", blue="a2,boat1,g6", boats="a2", sharks="a1", turn=2)
    play(game, "shark 1", "to a2")
    assert people(game, "red", 3) == ["lost", "boat1", "g6"]
    assert people(game, "blue", 3) == ["lost", "boat1", "g6"]
    assert pieces(game, "boats") == ["a2"]
    assert look(game, "turn") == "1"  # it stopped there


@pytest.mark.rule("AT-X2", "AT-W2")
def test_a_shark_passes_a_boat() -> None:
    game = spun("shark-2", red="boat1,g6", boats="a2", sharks="a1")
    play(game, "shark 1", "to a2")
    assert look(game, "phase") == "animal_step"
    game.play("to a3")
    assert people(game, "red", 1) == ["boat1"]


@pytest.mark.rule("AT-X3")
def test_an_octopus_removes_an_occupied_boat() -> None:
    game = spun("octopus-3", red="boat1,boat1,g6", blue="boat1,a2,g6", boats="a2", octopuses="a1")
    play(game, "octopus 1", "to a2")
    assert people(game, "red", 2) == ["a2", "a2"]
    assert people(game, "blue", 2) == ["a2", "a2"]
    assert pieces(game, "boats") == ["x"]
    assert look(game, "turn") == "2"  # it stopped there
    assert state_of(game).aboard[0] == [0, 0, 0, 0]


@pytest.mark.rule("AT-X3")
def test_a_shark_eats_the_crew_of_a_boat_that_an_octopus_sinks() -> None:
    game = spun(
        "octopus-1", red="boat1,g6", blue="boat1,g6", boats="a2", octopuses="a1", sharks="a2"
    )
    play(game, "octopus 1", "to a2")
    assert (people(game, "red", 1), people(game, "blue", 1)) == (["lost"], ["lost"])


@pytest.mark.rule("AT-X3", "AT-B4")
def test_an_octopus_harms_neither_swimmers_nor_empty_boats() -> None:
    game = spun("octopus-2", red="a2,g6", boats="a2", octopuses="a1")
    play(game, "octopus 1", "to a2")
    assert look(game, "phase") == "animal_step"
    game.play("stop")
    assert (people(game, "red", 1), pieces(game, "boats")) == (["a2"], ["a2"])


@pytest.mark.rule("AT-X4")
def test_dolphins_harm_nobody() -> None:
    game = spun("dolphin-3", red="a2,boat1,g6", boats="a2", dolphins="a1")
    play(game, "dolphin 1", "to a2", "to a3", "to a4")
    assert people(game, "red", 2) == ["a2", "boat1"]
    assert pieces(game, "boats") == ["a2"]


@pytest.mark.rule("AT-X4")
def test_animals_share_spaces_and_never_go_on_land() -> None:
    game = spun("shark-2", red="g6", sharks="c4,b4", octopuses="b4", monsters="b4", dolphins="b4")
    game.play("shark 1")
    assert refused(game, "to d4") == "AT-X4"
    assert actions(game) == ["to b4", "to b5", "to c3", "to c5"]
    play(game, "to b4", "stop")
    assert pieces(game, "sharks") == ["b4", "b4"]


@pytest.mark.rule("AT-X4")
def test_a_second_shark_stays_in_the_space_when_the_first_leaves() -> None:
    game = spun("shark-1", red="a2,g6", sharks="a3,a3")
    play(game, "shark 1", "to a4")
    sink(game, "j7", "octopus-1")
    game.play("person R1")
    assert refused(game, "swim a3") == "AT-M10"


@pytest.mark.rule("AT-X5")
def test_the_turn_ends_after_moving_one_animal() -> None:
    game = spun("shark-1", red="g6", sharks="a3,a5")
    play(game, "shark 1", "to a2")
    assert (look(game, "turn"), look(game, "phase")) == ("2", "move")


@pytest.mark.rule("AT-X5")
def test_an_animal_placed_by_a_symbol_can_still_be_moved_by_the_spinner() -> None:
    game = table(red="g6", phase="sink", land="d4:shark")
    sink(game, "d4", "shark-1")
    assert actions(game) == ["shark 1", "pass"]


@pytest.mark.rule("AT-X6")
def test_animals_harm_only_when_they_arrive() -> None:
    # An octopus already in the space does not sink a boat that people board.
    game = table(red="d4,g6", boats="c4", octopuses="c4")
    play(game, "person R1", "board 1")
    sink(game, "j7", "shark-1")
    assert (people(game, "red", 1), pieces(game, "boats")) == (["boat1"], ["c4"])


@pytest.mark.rule("AT-X6")
def test_an_animal_also_harms_people_of_the_player_who_moves_it() -> None:
    game = spun("shark-1", red="a2,g6", sharks="a1")
    play(game, "shark 1", "to a2")
    assert people(game, "red", 1) == ["lost"]


# ---- the spinner --------------------------------------------------------------------------------


@pytest.mark.rule("AT-W1")
def test_the_player_moves_any_one_animal_of_the_kind_spun_or_passes() -> None:
    game = table(red="g6", phase="sink", sharks="a1,x,a5,-", octopuses="m7", land="d4:boat")
    game.play("sink d4", chance="shark-3")
    assert look(game, "spun") == "shark-3"
    assert actions(game) == ["shark 1", "shark 3", "pass"]
    assert refused(game, "octopus 1") == "AT-W1"
    assert refused(game, "shark 2") == "AT-W1"
    assert refused(game, "person R1") == "AT-W1"
    game.play("pass")
    assert look(game, "turn") == "2"
    assert pieces(game, "sharks") == ["a1", "x", "a5"]


@pytest.mark.rule("AT-W1")
@pytest.mark.parametrize("shown", ["monster-1", "shark-T", "octopus-3", "dolphin-2/3"])
def test_the_turn_passes_if_no_animal_of_the_kind_spun_is_on_the_board(shown: str) -> None:
    game = table(red="g6", phase="sink", land="d4:boat")
    game.play("sink d4", chance=shown)
    assert (look(game, "turn"), look(game, "phase")) == ("2", "move")
    assert look(game, "spun") == "-"


@pytest.mark.rule("AT-W2")
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_an_animal_moves_step_by_step_up_to_the_number_spun(steps: int) -> None:
    game = spun(f"shark-{steps}", red="g6", sharks="a1")
    game.play("shark 1")
    for number in range(steps):
        assert (look(game, "phase"), look(game, "steps")) == ("animal_step", str(steps - number))
        assert refused(game, "to m1") == "AT-W2"
        game.play(f"to a{number + 2}")
    assert look(game, "turn") == "2"


@pytest.mark.rule("AT-W2")
def test_an_animal_can_stop_before_its_last_step() -> None:
    game = spun("shark-3", red="g6", sharks="a1")
    play(game, "shark 1", "to a2", "stop")
    assert (pieces(game, "sharks"), look(game, "turn")) == (["a2"], "2")


@pytest.mark.rule("AT-W2")
def test_an_animal_cannot_return_to_the_space_it_started_from() -> None:
    game = spun("shark-3", red="g6", sharks="a1")
    play(game, "shark 1", "to a2")
    assert refused(game, "to a1") == "AT-W2"
    game.play("to b3")
    assert refused(game, "to a1") == "AT-W2"
    assert "to a2" in actions(game)


@pytest.mark.rule("AT-W2", "AT-T3")
def test_an_animal_in_a_dead_end_stops_automatically() -> None:
    # f7 and g6 are two ponds side by side in the middle of the mountains.
    game = spun("shark-3", red="g7", sunk="plains e5 f7 g6", sharks="g6")
    play(game, "shark 1", "to f7")
    assert (pieces(game, "sharks"), look(game, "turn")) == (["f7"], "2")


@pytest.mark.rule("AT-W2")
def test_an_animal_stops_where_it_first_harms_someone() -> None:
    game = spun("shark-3", red="a2,a3,g6", sharks="a1")
    play(game, "shark 1", "to a2")
    assert people(game, "red", 2) == ["lost", "a3"]
    assert look(game, "turn") == "2"


@pytest.mark.rule("AT-W2")
def test_an_animal_that_cannot_move_is_not_offered() -> None:
    pond = {"red": "g7", "sunk": "plains g6", "sharks": "g6"}
    game = table(**pond, phase="sink", land="e5:boat")
    game.play("sink e5", chance="shark-2")
    assert look(game, "turn") == "2"
    game = table(**{**pond, "sharks": "g6,a1"}, phase="sink", land="e5:boat")
    game.play("sink e5", chance="shark-2")
    assert actions(game) == ["shark 2", "pass"]
    assert refused(game, "shark 1") == "AT-W2"


@pytest.mark.rule("AT-W3")
def test_an_animal_with_t_goes_to_any_unoccupied_sea_space() -> None:
    game = spun(
        "shark-T",
        red="a2,boat1,g6",
        boats="a3,a4",
        sharks="a1",
        octopuses="a5",
        dolphins="a6",
        sunk="d4",
    )
    game.play("shark 1")
    free = {text.removeprefix("to ") for text in actions(game)}
    assert {"b1", "b10", "l1", "l10", "a7", "d4", "m7"} <= free
    for taken in ("a1", "a2", "a3", "a4", "a5", "a6", "m1"):
        assert refused(game, f"to {taken}") == "AT-W3"
    assert refused(game, "to g6") == "AT-X4"
    assert len(free) == 92 + 1 - 7
    game.play("to b1")
    assert (pieces(game, "sharks"), look(game, "turn")) == (["b1"], "2")


@pytest.mark.rule("AT-W3")
def test_an_animal_with_t_needs_no_path_and_harms_nobody() -> None:
    game = spun("monster-T", red="a2,g7", sunk="plains g6", monsters="g6")
    play(game, "monster 1", "to a3")
    assert people(game, "red", 1) == ["a2"]
    assert pieces(game, "monsters") == ["a3"]


@pytest.mark.rule("AT-X1", "AT-K5")
def test_a_monster_takes_the_last_person_of_the_last_tribe() -> None:
    """The person with the highest number of all is lost like any other."""
    ten = ",".join(["lost"] * 10)
    game = table(
        seats=4, green=f"{ten},g6,boat1", boats="a3", monsters="a2", phase="animal",
        spun="monster-1",
    )  # fmt: skip
    play(game, "monster 1", "to a3")
    assert state_of(game).place[47] == 250
    assert state_of(game).left[3] == 1
