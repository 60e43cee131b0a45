"""The invariants detect any missing or extra tile, artefact, boat, card or explorer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from archipel.game import Game
from archipel.rules.kit import clone
from archipel.rules.mauna_kea.components import (
    ARTEFACTS,
    BOATS,
    COUNT,
    KINDS,
    TILE_NUMBERS,
    CardKind,
    Tile,
)
from archipel.rules.mauna_kea.grid import CELLS, SPACE_NUMBERS
from archipel.rules.mauna_kea.invariants import FAULTS, fault
from archipel.rules.mauna_kea.state import NO_CARD, OWNED, ArtefactPlace, ExplorerPlace, State
from tests.rules.mauna_kea.tables import expert, play


def game_in_progress() -> Game:
    """A game in progress with lava, boats taken, loads, a helicopter and tiles held."""
    game = expert(
        board="b1:jjjj3,c1:jjll2,d4:s01,f4:jjjl3.1",
        north="straight@e4n^0",
        explorers1="d5nw,b1nw,saved,lifted",
        explorers2="f5nw,saved,lost",
        boats="1,n2,2,e2,s1,s2,w1,w2",
        white="1.1,boat1,helicopter1,d5ne",
        grey="boat3,2.1",
        black="d4nw",
        front1="jjjl3,jjmm2",
        front2="jjjj3,jmmj2",
        cards1="jungle,earthquake,1black",
        rejected1="lake,lake",
        cards2="mountain,2grey,3white,no-penalty",
        rejected2="helicopter,lake",
        played="helicopter",
        out="south-left",
        pool=2,
    )
    assert fault(game.state) == 0
    return game


def test_118_tiles_25_artefacts_8_boats() -> None:
    assert sum(COUNT) == 118
    assert (ARTEFACTS, BOATS) == (25, 8)


@pytest.mark.rule("MK-C1")
@pytest.mark.parametrize("kind", range(KINDS))
@pytest.mark.parametrize("by", [-1, 1])
def test_a_missing_or_extra_tile_is_detected(kind: int, by: int) -> None:
    s = game_in_progress().state
    if kind < Tile.FIRST_START:
        s.bag[kind] += by
    else:
        s.out[kind] += by
    assert FAULTS[fault(s)].startswith("a tile is in two places or in none")


def put_tile(name: str, tile: int) -> Callable[[State], None]:
    def change(s: State) -> None:
        s.tile[SPACE_NUMBERS[name]] = tile

    return change


def setting(field: str, *path: int) -> Callable[[State], None]:
    """Set the number at a path of indices."""

    def change(s: State) -> None:
        target = getattr(s, field)
        for step in path[:-2]:
            target = target[step]
        target[path[-2]] = path[-1]

    return change


def drop_first_tile(s: State) -> None:
    s.front[0][:] = [*s.front[0][1:], Tile.NONE]


def swap_tiles(s: State) -> None:
    s.front[0][0], s.front[0][1] = s.front[0][1], s.front[0][0]


def drop_card(s: State) -> None:
    s.hand[0][:] = [*s.hand[0][1:], NO_CARD]


def drop_lava(s: State) -> None:
    s.flow_length[0] = 0


def overload_explorer(s: State) -> None:
    for artefact in range(3):
        s.artefact[artefact + 5] = ArtefactPlace.CARRIED


CASES: list[tuple[str, Callable[[State], None]]] = [
    ("a tile is in two", put_tile("a1", 0)),
    ("a tile is in two", put_tile("b1", Tile.EMPTY)),
    ("a tile is in two", put_tile("b1", Tile.FIRST_START + 5)),
    ("a tile is in two", drop_first_tile),
    ("the board holds", put_tile("e5", Tile.EMPTY)),
    ("the board holds", put_tile("a1", Tile.VOLCANO)),
    ("the board holds", put_tile("d5", Tile.EMPTY)),
    ("the board holds", setting("turn", SPACE_NUMBERS["b1"], 3)),
    ("an explorer is missing", setting("explorer", 0, 0, ExplorerPlace.UNPLACED)),
    ("an explorer is missing", setting("explorer", 0, 0, CELLS)),
    ("an explorer is missing", setting("explorer", 0, 0, ExplorerPlace.LIFTED - 1)),
    ("an explorer is missing", setting("explorer", 0, 0, 4 * SPACE_NUMBERS["a1"])),
    ("an explorer is missing", setting("explorer", 0, 0, 4 * SPACE_NUMBERS["e4"])),
    ("an explorer is missing", setting("explorer", 2, 0, 4 * SPACE_NUMBERS["e6"])),
    ("two explorers share", setting("explorer", 0, 0, 4 * SPACE_NUMBERS["f5"])),
    ("an artefact is where", setting("artefact", 0, -2)),
    ("an artefact is where", setting("artefact", 0, ArtefactPlace.ON_CARD + 2)),
    ("an artefact is where", setting("artefact", 0, 4 * SPACE_NUMBERS["a1"])),
    ("an artefact is where", setting("artefact", 0, ArtefactPlace.CARRIED + 2)),
    ("an artefact is where", setting("artefact", 0, ArtefactPlace.ABOARD + 1)),
    ("an artefact is where", setting("artefact", 0, ArtefactPlace.ON_CARD + 1)),
    ("an artefact is where", overload_explorer),
    ("a boat and its explorer", setting("boat", 1, 3)),
    ("a boat and its explorer", setting("boat", 1, OWNED + 1)),
    ("a boat and its explorer", setting("boat", 1, -1)),
    ("a boat and its explorer", setting("boat", 1, OWNED + 2)),
    ("a boat and its explorer", setting("explorer", 1, 2, ExplorerPlace.SAVED)),
    ("a card is in two", drop_card),
    ("a card is in two", setting("hand", 0, 3, 0)),
    ("a card is in two", setting("hand", 2, 0, 0)),
    ("a card is in two", setting("hand", 0, 0, 1)),
    ("a card is in two", setting("rejected", 0, 0, NO_CARD)),
    ("a card is in two", setting("played", 0, 1)),
    ("a card is in two", setting("played", CardKind.HELICOPTER, 0)),
    ("an artefact is where", setting("explorer", 0, 3, ExplorerPlace.LOST)),
    ("the lava on the board", drop_lava),
    ("the lava on the board", setting("flow_space", 0, 0, SPACE_NUMBERS["e3"])),
    ("the lava on the board", setting("flow_from", 0, 0, 0)),
    ("tiles in front", swap_tiles),
]


@pytest.mark.rule("MK-C1", "MK-C2", "MK-M1", "MK-S2", "MK-A1", "MK-B1", "MK-B2", "MK-X1", "MK-L1")
@pytest.mark.parametrize("number", range(len(CASES)))
def test_every_inconsistency_is_detected(number: int) -> None:
    words, change = CASES[number]
    s = clone(game_in_progress().state)
    change(s)
    assert FAULTS[fault(s)].startswith(words)


@pytest.mark.rule("MK-T4")
def test_too_many_tiles_in_front_are_detected() -> None:
    s = game_in_progress().state
    s.front[0][:3] = sorted([TILE_NUMBERS["jjjj3"], *s.front[0][:2]])
    s.bag[TILE_NUMBERS["jjjj3"]] -= 1
    assert FAULTS[fault(s)].startswith("tiles in front of a player are too many")


@pytest.mark.rule("MK-E3", "MK-T3")
@pytest.mark.parametrize(("field", "value"), [("pool", -1), ("pool", 16), ("quiet_turns", -1)])
def test_clock_or_points_out_of_range_are_detected(field: str, value: int) -> None:
    s = game_in_progress().state
    setattr(s, field, value)
    assert FAULTS[fault(s)].startswith("the clock or the points")


def test_a_reach_left_over_after_a_move_is_detected() -> None:
    game = play(game_in_progress(), "card jungle", "explorer 1")
    s = game.state
    assert any(s.reach)
    play(game, "to " + next(a.text for a in game.legal).removeprefix("to "))
    after = game.state
    assert fault(after) == 0
    after.reach[3] = 1
    assert FAULTS[fault(after)].startswith("something is left over")
