"""Lava: the volcano, buried pieces and the quiet first round."""

from __future__ import annotations

import itertools

import pytest

from archipel.game import Game
from archipel.rules.mauna_kea.components import TILE_NUMBERS, Tile
from archipel.rules.mauna_kea.grid import (
    NOWHERE,
    SPACE_NUMBERS,
)
from archipel.rules.mauna_kea.lava import (
    NO_END,
    can_take,
    end_at,
    erupt,
    is_lava,
    landing,
    next_end,
)
from archipel.rules.mauna_kea.state import State
from tests.rules.mauna_kea.tables import blank, expert, gone, in_bag, look, play, table


def lay_lava(s: State, name: str, space: str, heading: str, before: int) -> None:
    """Put a tile of the northern flow on a space, legal or not."""
    node = s.flow_length[0]
    number = SPACE_NUMBERS[space]
    s.tile[number] = TILE_NUMBERS[f"north-{name}"]
    s.turn[number] = "nesw".index(heading)
    s.flow_space[0][node] = number
    s.flow_from[0][node] = before
    s.flow_length[0] = node + 1


# ---- lava and the volcano -----------------------------------------------------------------------


@pytest.mark.rule("MK-L2")
def test_a_flow_end_accepts_no_tile_pointing_at_the_volcano() -> None:
    s = blank()
    lay_lava(s, "left", "e1", "w", -1)  # it comes out southwards, three spaces from the volcano
    south = end_at(0, 2)
    assert not can_take(s, TILE_NUMBERS["north-straight"], south)
    assert can_take(s, TILE_NUMBERS["north-left"], south)
    assert can_take(s, TILE_NUMBERS["north-right"], south)
    assert can_take(s, TILE_NUMBERS["north-fork"], south)


@pytest.mark.rule("MK-L2")
def test_neither_arm_of_a_fork_may_point_at_the_volcano() -> None:
    s = blank()
    lay_lava(s, "left", "b4", "w", -1)  # it comes out southwards, onto the row of the volcano
    south = end_at(0, 2)
    assert can_take(s, TILE_NUMBERS["north-straight"], south)
    assert can_take(s, TILE_NUMBERS["north-right"], south)
    assert not can_take(s, TILE_NUMBERS["north-left"], south)
    assert not can_take(s, TILE_NUMBERS["north-fork"], south)


@pytest.mark.rule("MK-L4")
def test_lava_never_slides_onto_the_volcano() -> None:
    s = blank()
    lay_lava(s, "left", "e3", "w", -1)
    lay_lava(s, "straight", "e4", "s", 0)
    assert landing(s, 0, end_at(1, 2)) == NOWHERE
    for name in ("straight", "left", "right", "fork"):
        assert not can_take(s, TILE_NUMBERS[f"north-{name}"], end_at(1, 2))


@pytest.mark.rule("MK-L5", "MK-L6")
def test_a_tile_that_fits_neither_arm_leaves_the_game() -> None:
    s = blank()
    lay_lava(s, "left", "e4", "n", -1)
    lay_lava(s, "fork", "d4", "w", 0)  # its arms lead up and down column d, which is all lava
    for row in "12356789":
        s.tile[SPACE_NUMBERS[f"d{row}"]] = TILE_NUMBERS["west-straight"]
    kind = TILE_NUMBERS["north-right"]
    assert next_end(s, kind) == NO_END
    out = s.out[kind]
    erupt(s, kind)
    assert s.out[kind] == out + 1


@pytest.mark.rule("MK-L5")
def test_a_tile_goes_to_the_longer_arm_if_the_shorter_is_blocked() -> None:
    s = blank()
    lay_lava(s, "fork", "e4", "n", -1)
    lay_lava(s, "straight", "d4", "w", 0)
    for column in "fghi":
        s.tile[SPACE_NUMBERS[f"{column}4"]] = TILE_NUMBERS["west-straight"]
    assert next_end(s, TILE_NUMBERS["north-straight"]) == end_at(1, 3)


@pytest.mark.rule("MK-L5")
def test_forks_are_resolved_from_the_volcano_outwards() -> None:
    s = blank()
    lay_lava(s, "fork", "e4", "n", -1)
    lay_lava(s, "fork", "d4", "w", 0)  # its own arms go south (the dot) and north
    lay_lava(s, "straight", "f4", "e", 0)
    lay_lava(s, "straight", "g4", "e", 2)
    kind = TILE_NUMBERS["north-straight"]
    # West has one tile, east two. Then they are equal and the dot is west, where north is shorter.
    assert next_end(s, kind) == end_at(1, 2)
    lay_lava(s, "straight", "d5", "s", 1)
    assert next_end(s, kind) == end_at(1, 0)
    lay_lava(s, "straight", "d3", "n", 1)  # now west has three
    assert next_end(s, kind) == end_at(3, 1)


# ---- buried pieces ------------------------------------------------------------------------------


@pytest.mark.rule("MK-L3")
def test_lava_buries_tile_explorers_loads_and_artefacts() -> None:
    game = table(
        board="e3:jjjl3",
        north="straight@e4n^0",
        explorers1="e3nw,d5nw",
        explorers2="e3ne,f5nw",
        white="e3sw,1.1,d5ne",
        grey="2.1",
    )
    play(game, "end play [north-left jjjj3 jjll2]")
    assert look(game, "explorers1") == "lost,d5nw,lost,lost,lost"
    assert look(game, "explorers2") == "lost,f5nw,lost,lost,lost"
    assert look(game, "white") == "out,out,d5ne"
    assert look(game, "grey") == "-"
    assert gone(game) == ["jjjl3"]
    assert look(game, "board") == "-"


@pytest.mark.rule("MK-L3")
def test_lava_buries_explorers_on_a_printed_start_space() -> None:
    game = table(explorers1="e4nw,d5nw", explorers2="e4se,d5se", white="e4ne")
    play(game, "end play [north-straight jjjj3 jjll2]")
    assert look(game, "explorers1").startswith("lost,d5nw")
    assert look(game, "explorers2").startswith("lost,d5se")
    assert look(game, "white") == "-"
    assert gone(game) == []


@pytest.mark.rule("MK-L3")
def test_lava_beyond_the_edge_leaves_the_boats() -> None:
    game = table(
        north="straight@e4n^0,straight@e3n^1,straight@e2n^2,left@e1n^3,right@d1w^4",
        explorers1="d5nw",
        boats="n1,n2,e1,e2,s1,s2,w1,w2",
    )
    play(game, "end play [north-fork jjjj3 jjll2]")  # it would lie beyond the edge
    assert look(game, "boats") == "n1,n2,e1,e2,s1,s2,w1,w2"
    assert gone(game) == ["north-fork"]


@pytest.mark.rule("MK-L3")
def test_lava_beside_a_cove_leaves_the_boat() -> None:
    game = table(
        north="left@e4n^0,straight@d4w^1,right@c4w^2,straight@c3n^3,straight@c2n^4",
        board="c1:jjjj3,b1:jjjj3",
        explorers1="c1nw,d5nw",
    )
    play(game, "end play [north-fork jjjj3 jjll2]")
    assert look(game, "explorers1").startswith("lost")
    assert look(game, "boats").startswith("n1,")


@pytest.mark.rule("MK-L3", "MK-L4")
def test_lava_sliding_under_lava_buries_only_its_landing_space() -> None:
    game = table(
        east="left@f5e^0,straight@f4n^1",
        north="right@e4n^0",
        board="g4:jjjj3",
        explorers1="g4nw,d5nw",
    )
    play(game, "end play [north-straight jjjj3 jjll2]")
    assert look(game, "explorers1").startswith("lost,d5nw")
    assert look(game, "east") == "left@f5e^0,straight@f4n^1"


@pytest.mark.rule("MK-L3", "MK-A3")
def test_an_explorer_lost_to_lava_is_no_longer_active() -> None:
    game = expert(explorers1="e4nw,d5nw", white="e4nw", explorers2="e6nw")
    play(game, "end play", "explorer 1", "take white", "draw [north-left]")
    assert look(game, "active") == "-"
    assert look(game, "white") == "-"


@pytest.mark.rule("MK-L6")
def test_the_refill_continues_after_an_unplaceable_tile() -> None:
    game = table(
        north="straight@e4n^0,straight@e3n^1,straight@e2n^2,left@e1n^3,right@d1w^4",
        explorers1="d5nw",
    )
    move = game.play("end play", chance="north-fork jjjj3 jjll2")
    assert len(move.outcomes) == 3
    assert look(game, "front1") == "jjjj3,jjll2"
    assert not any(is_lava(tile) and tile == TILE_NUMBERS["north-fork"] for tile in game.state.tile)


# ---- a quiet first round ------------------------------------------------------------------------


@pytest.mark.rule("MK-L7")
def test_lava_returns_to_the_bag_in_a_quiet_first_round() -> None:
    game = table(quiet_first_round="on", explorers1="d5nw")
    for seat in range(2):
        assert look(game, "turn") == str(seat + 1)
        play(game, "end play [north-straight jjjj3 north-left jjll2]")
        assert look(game, "north") == "-"
        assert in_bag(game, "north-left") == 1
        assert in_bag(game, "north-straight") == 3
    play(game, "end play [north-right jjjj3 jjll2]")
    assert look(game, "north") == "right@e4n^0"


@pytest.mark.rule("MK-L7")
def test_an_option_sets_the_quiet_first_round() -> None:
    assert look(Game.new("mauna-kea", 2, seed=1), "quiet_first_round") == "-"
    quiet = Game.new("mauna-kea", 2, seed=1, quiet_first_round=True)
    assert look(quiet, "quiet_first_round") == "on"


@pytest.mark.rule("MK-L7")
def test_the_first_round_is_not_quiet_by_default() -> None:
    assert look(play(table(), "end play [east-left jjjj3 jjll2]"), "east") == "left@f5e^0"


@pytest.mark.rule("MK-L7")
def test_lava_set_aside_cannot_be_drawn_again_in_the_same_refill() -> None:
    game = expert(quiet_first_round="on")
    play(game, "end play", "draw [north-left]")
    assert look(game, "aside") == "north-left"
    assert in_bag(game, "north-left") == 0
    play(game, "draw [jjjj3]", "draw [jjll2]")
    assert look(game, "aside") == "north-left"
    play(game, "end turn")
    assert look(game, "aside") == "-"
    assert in_bag(game, "north-left") == 1


@pytest.mark.rule("MK-L7")
def test_earthquakes_erupt_even_in_a_quiet_first_round() -> None:
    game = expert(quiet_first_round="on", cards1="earthquake,lake,lake,1black")
    play(game, "end play", "card earthquake", "draw [north-left]")
    assert look(game, "north") == "left@e4n^0"


@pytest.mark.rule("MK-L2")
def test_the_shipped_tiles_never_point_at_the_volcano() -> None:
    """In any order of a flow's six tiles."""
    shapes = ("straight", "straight", "straight", "left", "right", "fork")
    for order in set(itertools.permutations(shapes)):
        s = blank()
        for space in range(81):
            if s.tile[space] < 62:
                s.tile[space] = Tile.EMPTY
        for shape in order:
            kind = TILE_NUMBERS[f"north-{shape}"]
            out = s.out[kind]
            erupt(s, kind)
            if s.out[kind] > out:  # unplaceable only if an arm has reached the edge
                ends = [s.flow_space[0][n] for n in range(s.flow_length[0])]
                assert any(n < 9 or n % 9 in (0, 8) for n in ends)
