"""Defence tiles (chapter Defence tiles), played on another player's turn."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import boat_in, controls, is_sea
from archipel.rules.kit import rule, rule_apart
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import TILES
from archipel.rules.the_island.sea import SEA, next_seat
from archipel.rules.the_island.state import NOBODY, OUT, Action, Phase, State, hand_size, owner

take_up_creature = SEA.take_up_creature  # IS-X1: another of its kind may remain


@rule
def ask_next(s: State, creature: int) -> bool:
    """IS-D3: ask the next threatened seat; False if all have declined."""
    seat = next_seat(s, s.to_move)
    while seat != s.turn:
        if is_asked(s, creature, seat):
            s.to_move = seat
            s.phase = Phase.DEFEND
            return True
        seat = next_seat(s, seat)
    s.to_move = s.turn
    return False


@rule_apart
def is_asked(s: State, creature: int, seat: int) -> bool:
    """IS-D3: whether a seat is threatened and holds any tile; never by a serpent (IS-D4)."""
    space = s.creature[creature]
    if box.KIND_OF[creature] == box.SHARK:
        return has_swimmer_in(s, space, seat) and hand_size(s, seat) > 0
    if box.KIND_OF[creature] == box.WHALE:
        return controls(s, boat_in(s, space), seat) and hand_size(s, seat) > 0
    return False


@rule
def has_swimmer_in(s: State, space: int, seat: int) -> bool:
    for explorer in range(box.EXPLORERS):
        if s.place[explorer] == space and owner(s, explorer) == seat:
            return is_sea(s, space)
    return False


@rule
def defence_tile(s: State) -> int:
    """The tile that the seat to move can defend with, the first if there are several (IS-D5)."""
    wanted = (
        box.REPEL_SHARK if box.KIND_OF[s.chosen - Action.CREATURE] == box.SHARK else box.REPEL_WHALE
    )
    for tile in range(TILES):
        if s.holder[tile] == s.to_move and s.back[tile] == wanted:
            return tile
    return NOBODY


@rule
def legal_answers(s: State, actions: list[int]) -> int:
    """IS-D3: fill in no, and yes if the seat has the right tile."""
    actions[0] = Action.STOP
    if defence_tile(s) == NOBODY:
        return 1
    actions[1] = Action.YES
    return 2


@rule
def answer(s: State, action: int) -> None:
    """IS-D1, IS-D2: yes removes the creature from the game and ends its move."""
    if action == Action.STOP:
        s.phase = Phase.ARRIVED
        return
    s.holder[defence_tile(s)] = OUT
    take_up_creature(s, s.chosen - Action.CREATURE)
    s.to_move = s.turn
    s.phase = Phase.TURN_ENDS
