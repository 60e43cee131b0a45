"""Moving explorers, carrying artefacts, boarding boats."""

from __future__ import annotations

import pytest

from archipel.rules.contract import NotationError, RuleError
from tests.rules.mauna_kea.tables import actions, expert, look, play, table

STEPS = ("north", "east", "south", "west")


def steps(**words: object) -> list[str]:
    """The directions in which the first explorer can step."""
    game = table(**words)
    if "explorer 1" not in actions(game):
        return []
    return [text for text in actions(play(game, "explorer 1")) if text in STEPS]


# ---- steps --------------------------------------------------------------------------------------


@pytest.mark.rule("MK-M1")
def test_a_step_goes_to_a_neighbouring_cell() -> None:
    assert steps(explorers1="e4nw", pool=9) == ["east", "south"]
    game = play(table(explorers1="e4nw", pool=9), "explorer 1", "south")
    assert look(game, "explorers1").startswith("e4sw")
    play(game, "east", "north", "west")
    assert look(game, "explorers1").startswith("e4nw")


@pytest.mark.rule("MK-M1")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, ["east", "south"]),  # no tile to the north or west
        ({"board": "e3:jjjj3,d4:jjjj3"}, ["north", "east", "south", "west"]),
        ({"board": "e3:jjmm2,d4:jmmm1"}, ["east", "south"]),  # mountains
        ({"board": "d4:jjjj3", "explorers2": "d4ne"}, ["east", "south"]),  # an opponent
        ({"explorers1": "e4nw,e4ne"}, ["south"]),  # an explorer of the same seat
        ({"board": "a1:jjjj3", "explorers1": "a1nw"}, ["east", "south"]),  # the edge
        ({"explorers1": "e4se"}, ["north", "west"]),  # to the south is the volcano
        ({"north": "straight@e4n^0", "board": "d4:jjjj3", "explorers1": "d4ne"}, ["south", "west"]),
    ],
)
def test_explorers_cannot_enter_a_blocked_cell(words: dict[str, str], expected: list[str]) -> None:
    assert steps(**({"explorers1": "e4nw", "pool": 9} | words)) == expected


@pytest.mark.rule("MK-M1")
def test_an_explorer_cannot_jump_over_another() -> None:
    game = play(table(explorers1="e4nw,e4ne", board="f4:jjjj3", pool=9), "explorer 1")
    with pytest.raises(RuleError, match="MK-M1"):
        game.play("east")


@pytest.mark.rule("MK-M2")
@pytest.mark.parametrize(("tile", "cost"), [("jjjj3", 1), ("llll1", 2)])
def test_jungle_costs_one_and_lake_two(tile: str, cost: int) -> None:
    words = {"board": f"e3:{tile}", "explorers1": "e4nw"}
    game = play(table(**words, pool=5), "explorer 1", "north")
    assert look(game, "pool") == str(5 - cost)
    assert "north" in steps(**words, pool=cost)
    assert "north" not in steps(**words, pool=cost - 1)


@pytest.mark.rule("MK-M2")
def test_a_load_or_a_printed_cell_does_not_change_the_step_cost() -> None:
    game = table(explorers1="e4nw", white="1.1,1.1", grey="1.1", pool=5)
    play(game, "explorer 1", "east")
    assert look(game, "pool") == "4"


# ---- artefacts ----------------------------------------------------------------------------------


@pytest.mark.rule("MK-A1")
def test_taking_and_putting_down_artefacts_is_free_between_steps() -> None:
    game = table(explorers1="e4nw", white="e4ne", grey="e4ne", pool=3)
    play(game, "explorer 1", "east", "take white", "south", "put white", "north", "take grey")
    assert look(game, "pool") == "-"
    assert (look(game, "white"), look(game, "grey")) == ("e4se", "1.1")


@pytest.mark.rule("MK-A1")
def test_an_explorer_carries_at_most_three_artefacts() -> None:
    game = table(explorers1="e4nw", white="1.1,1.1,e4nw,e4nw", grey="e4nw")
    play(game, "explorer 1")
    assert actions(game) == ["take white", "take grey", "put white"]
    play(game, "take grey")
    assert [text for text in actions(game) if text.startswith("take")] == []
    with pytest.raises(RuleError, match="MK-A1"):
        game.play("take white")
    with pytest.raises(NotationError, match="MK-A1"):
        table(white="1.1,1.1,1.1,1.1")


@pytest.mark.rule("MK-A1")
def test_a_cell_holds_any_number_of_artefacts_and_none_are_handed_over() -> None:
    game = table(explorers1="e4nw,e4ne", white="e4nw,e4nw,e4nw,1.1,1.2")
    play(game, "explorer 1", "put white")
    assert look(game, "white") == "e4nw,e4nw,e4nw,e4nw,1.2"
    assert "take white" not in actions(game)
    play(game, "explorer 2")
    assert actions(game) == ["put white"]


@pytest.mark.rule("MK-A1")
def test_explorers_of_other_players_cannot_handle_artefacts() -> None:
    game = table(explorers1="e4nw", explorers2="e6nw", white="e6nw,2.1")
    assert actions(game) == ["end play"]


@pytest.mark.rule("MK-A2")
def test_an_artefact_taken_on_a_cell_cannot_be_put_down_there() -> None:
    game = table(explorers1="e4nw", white="e4nw,1.1", grey="1.1", pool=2)
    play(game, "explorer 1", "take white")
    assert [text for text in actions(game) if " " in text] == ["end play", "put grey"]
    with pytest.raises(RuleError, match="MK-A2"):
        game.play("put white")


@pytest.mark.rule("MK-A2")
def test_an_artefact_put_down_on_a_cell_cannot_be_taken_there() -> None:
    game = table(explorers1="e4nw", white="e4nw,1.1", grey="1.1", pool=2)
    play(game, "explorer 1", "put white", "put grey")
    assert [text for text in actions(game) if " " in text] == ["end play"]
    with pytest.raises(RuleError, match="MK-A2"):
        game.play("take white")


@pytest.mark.rule("MK-A2")
def test_a_step_or_a_new_turn_begins_a_new_stay() -> None:
    game = table(explorers1="e4nw", white="e4nw", pool=2)
    play(game, "explorer 1", "take white", "east", "west")
    assert "put white" in actions(game)
    game = table(explorers1="e4nw,e4ne", white="e4nw")
    play(game, "explorer 1", "take white", "end play [jjjj3 jjll2]", "end play [jjjj3 jjll2]")
    assert look(game, "handled") == "-"
    play(game, "explorer 1")
    assert "put white" in actions(game)


@pytest.mark.rule("MK-A2")
def test_each_explorer_has_its_own_stay() -> None:
    game = table(explorers1="e4nw,e4ne", white="e4nw,e4ne,1.1,1.2")
    play(game, "explorer 1", "take white", "explorer 2", "put white")
    assert look(game, "handled") == "1+w,2-w"
    assert actions(game) == ["end play"]


@pytest.mark.rule("MK-A3", "MK-X4")
def test_artefacts_can_be_handled_between_draws_in_the_expert_game() -> None:
    game = expert(explorers1="e4nw,e4ne", white="e4nw", front1="jjjj3")
    play(game, "spend 1", "end play")
    assert "explorer 1" in actions(game)
    play(game, "explorer 1")
    assert actions(game) == ["take white"]
    play(game, "take white", "draw [jjjj3]", "draw [jjll2]")
    assert look(game, "phase") == "refill"
    assert look(game, "white") == "1.1"


# ---- boats --------------------------------------------------------------------------------------


def at_boat(**words: object) -> dict[str, object]:
    """The first explorer beside cove n1, with boat 1 (three places)."""
    return {"board": "b1:jjjj3,c1:jjjj3", "explorers1": "b1nw,e4nw", "pool": 3} | words


@pytest.mark.rule("MK-B1")
@pytest.mark.parametrize("cell", ["b1nw", "b1ne", "c1nw", "c1ne"])
def test_boarding_from_the_four_cells_of_a_cove_costs_one_point(cell: str) -> None:
    game = play(table(**at_boat(explorers1=f"{cell},e4nw")), "explorer 1", "board")
    assert look(game, "pool") == "2"
    assert look(game, "explorers1").startswith("saved")
    assert look(game, "boats").startswith("1,")


@pytest.mark.rule("MK-B1")
@pytest.mark.parametrize("cell", ["b1sw", "c1se", "d1nw", "a1ne"])
def test_a_boat_cannot_be_boarded_from_other_cells(cell: str) -> None:
    board = "a1:jjjj3,b1:jjjj3,c1:jjjj3,d1:jjjj3"
    game = table(**at_boat(explorers1=f"{cell},e4nw", board=board))
    assert "board" not in actions(play(game, "explorer 1"))
    with pytest.raises(RuleError, match="MK-B1"):
        game.play("board")


@pytest.mark.rule("MK-B1")
def test_a_boat_cannot_be_boarded_without_a_point() -> None:
    game = table(**at_boat(pool=0, white="b1nw"))
    assert actions(play(game, "explorer 1")) == ["take white"]
    with pytest.raises(RuleError, match="MK-B1"):
        game.play("board")


@pytest.mark.rule("MK-B1")
def test_the_owner_chooses_the_artefacts_that_stay_behind() -> None:
    # Boat 2 in cove n1 has two places.
    boats = "n2,n1,e1,e2,s1,s2,w1,w2"
    game = table(**at_boat(boats=boats, white="1.1,1.1", grey="1.1"))
    play(game, "explorer 1", "board")
    assert look(game, "phase") == "leave"
    assert look(game, "pool") == "2"
    assert actions(game) == ["leave white", "leave grey"]
    play(game, "leave white")
    assert (look(game, "white"), look(game, "grey")) == ("b1nw,boat2", "boat2")
    assert look(game, "phase") == "play"


@pytest.mark.rule("MK-B1", "MK-C5")
def test_artefacts_of_one_colour_are_left_without_asking() -> None:
    # Boat 4 in cove n1 has one place.
    boats = "n2,e1,e2,n1,s1,s2,w1,w2"
    game = table(**at_boat(boats=boats, white="1.1,1.1,1.1"))
    play(game, "explorer 1", "board")
    assert look(game, "white") == "b1nw,b1nw,boat4"
    game = table(**at_boat(boats=boats, white="1.1,1.1", grey="1.1"))
    play(game, "explorer 1", "board", "leave grey")
    assert (look(game, "white"), look(game, "grey")) == ("b1nw,boat4", "b1nw")


@pytest.mark.rule("MK-B1")
def test_a_mountain_beside_a_cove_does_not_block_its_other_cells() -> None:
    game = table(**at_boat(board="b1:jmmm1", explorers1="b1nw,e4nw"))
    play(game, "explorer 1", "board")
    assert look(game, "boats").startswith("1,")


@pytest.mark.rule("MK-B2")
def test_a_boarded_boat_leaves_its_cove_with_explorer_and_load() -> None:
    game = table(**at_boat(explorers1="b1nw,b1ne,e4nw", white="1.1"))
    play(game, "explorer 1", "board")
    assert look(game, "boats") == "1,n2,e1,e2,s1,s2,w1,w2"
    assert look(game, "white") == "boat1"
    play(game, "explorer 2")
    assert "board" not in actions(game)
    with pytest.raises(NotationError, match="MK-B2"):
        table(boats="1,n2,e1,e2,s1,s2,w1,w2")


@pytest.mark.rule("MK-B2")
def test_an_explorer_that_boarded_is_no_longer_active() -> None:
    game = play(table(**at_boat()), "explorer 1", "board")
    assert look(game, "active") == "-"
    assert "explorer 1" not in actions(game)


@pytest.mark.rule("MK-B2")
def test_the_boat_goes_to_the_seat_that_boarded_it() -> None:
    words = {"board": "b1:jjjj3", "explorers2": "b1nw,e6nw", "turn": 2, "pool": 1}
    game = play(table(**words), "explorer 1", "board")
    assert look(game, "boats").startswith("2,")


@pytest.mark.rule("MK-M1")
@pytest.mark.parametrize(
    ("cell", "ways"),
    [
        ("a1nw", {"east", "south"}),
        ("i1ne", {"south", "west"}),
        ("a9sw", {"north", "east"}),
        ("i9se", {"north", "west"}),
    ],
)
def test_an_explorer_cannot_step_over_the_edge(cell: str, ways: set[str]) -> None:
    corners = ",".join(f"{space}:jjjj3" for space in ("a1", "i1", "a9", "i9"))
    game = play(table(board=corners, explorers1=f"{cell},e4nw", pool=3), "explorer 1")
    assert {text for text in actions(game) if text in STEPS} == ways


@pytest.mark.rule("MK-B1")
def test_a_scene_gives_the_cheapest_way_onto_each_boat() -> None:
    words = {"board": "b1:jjjj3,c1:jjjj3,c2:jjjj3", "explorers1": "c2sw,e4nw"}

    def ways(**more: object) -> list[str]:
        game = play(table(**(words | more)), "explorer 1")
        scene = game.definition.scene(game.definition.seen(game.state, 0), 0)
        found = []
        for path in scene.paths:
            if "boat" in path.targets[-1]:
                way = game.copy()
                texts = []
                for action in (path.action, *path.then):
                    texts.append(way.definition.action_text(way.state, action))
                    way.play(action)
                found.append(", ".join(texts))
        return found

    assert ways(pool=4) == ["north, north, north, board"]
    assert ways(pool=3) == []  # boarding costs a point too
    assert ways(pool=4, boats="1,n2,e1,e2,s1,s2,w1,w2", explorers1="c2sw,saved") == []
    assert ways(pool=4, explorers1="c1nw,e4nw") == []  # offered as a separate choice
