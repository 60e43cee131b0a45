"""What is asked in a position, and whether the game could have got there and not have ended."""

from __future__ import annotations

from typing import Final

from archipel.rules.mauna_kea.cards import can_turn
from archipel.rules.mauna_kea.components import (
    CLOCK_ROUNDS,
    COVES,
    EARTHQUAKE,
    EMPTY,
    EXPLORER_SPACE,
    FIRST_START,
    HELICOPTER,
    MOST_TILES,
    NO_TILE,
    ORIENTATIONS,
    SPACE_KIND,
)
from archipel.rules.mauna_kea.end import check_bag
from archipel.rules.mauna_kea.end import check_end as end_if_need_be
from archipel.rules.mauna_kea.geometry import NOWHERE, cell_name, space_name
from archipel.rules.mauna_kea.moving import (
    NO_BOAT,
    boat_at,
    can_choose_what_to_leave,
    must_leave_some,
)
from archipel.rules.mauna_kea.position_names import ENDINGS, PHASES, name_of, require
from archipel.rules.mauna_kea.reach import somebody_can_leave
from archipel.rules.mauna_kea.state import (
    ACTIONS,
    CARD_CELL,
    CARD_EXPLORER,
    CHOOSE,
    CLOCK,
    EMPTY_BAG,
    EXPLORER,
    JUST_STIRRED,
    LEAVE,
    NO_CARD,
    NO_EXPLORER,
    NO_WAY_OUT,
    NOBODY,
    NOT_YET,
    OVER,
    PLACE,
    PLAY,
    QUAKE_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    REFILL,
    SPACE,
    TURN,
    UNPLACED,
    State,
    explorers_each,
    explorers_on_island,
)
from archipel.rules.mauna_kea.tiles import points_in_front, tiles_in_bag
from archipel.rules.mauna_kea.turn import legal

_QUAKING: Final = (QUAKE_SPACE, QUAKE_TURN, QUAKE_DRAW)
_WITH_CARD: Final = (CARD_EXPLORER, CARD_CELL, *_QUAKING)
_LAYING: Final = (SPACE, TURN)
#: Stages that go back to where they were begun.
_ON_THE_WAY: Final = (EXPLORER, *_WITH_CARD, *_LAYING)


def check_stage(s: State) -> None:
    """Only what belongs to a phase is there, and there is something to decide."""
    phase = name_of(PHASES, s.phase)
    _check_words(s, phase)
    if s.phase in (CHOOSE, PLACE):
        _check_set_up(s)
        return
    _check_refill(s, phase)
    _check_points(s)
    if s.phase == LEAVE:
        _check_leaving(s)
    elif s.phase in _LAYING:
        _check_laying(s, phase)
    elif s.phase in _WITH_CARD:
        _check_card(s, phase)
    require(
        s.phase == OVER or legal(s, [0] * ACTIONS) > 0,
        "phase={phase}: there is nothing to decide for seat {seat} (MK-T1)",
        phase=phase,
        seat=s.to_move + 1,
    )


def _check_words(s: State, phase: str) -> None:
    require(
        (s.held != NO_TILE) == (s.phase in _LAYING),
        "phase={phase}: held is the tile being laid (MK-T2)",
        phase=phase,
    )
    require(
        (s.chosen != NOWHERE) == (s.phase in (TURN, QUAKE_TURN)),
        "phase={phase}: chosen is the space of the tile (MK-T2, MK-X7)",
        phase=phase,
    )
    require(
        s.phase not in _WITH_CARD or s.card != NO_CARD,
        "phase={phase}: card is the card being played (MK-X4)",
        phase=phase,
    )
    require(
        s.card == NO_CARD or s.phase in (*_WITH_CARD, *_LAYING),
        "phase={phase}: no card is being played (MK-X4)",
        phase=phase,
    )
    require(
        s.active == NOBODY or s.explorer[s.to_move][s.active] >= 0,
        "active={number}: explorer {seat}.{number} is not on the island (MK-M1)",
        seat=s.to_move + 1,
        number=s.active + 1,
    )
    require(
        s.active != NOBODY or s.phase not in (EXPLORER, LEAVE),
        "phase={phase}: active is the explorer meant (MK-T1)",
        phase=phase,
    )
    require(
        s.expert != 0 or s.phase not in (CHOOSE, REFILL, *_WITH_CARD),
        "phase={phase}: only in the expert game (MK-X4)",
        phase=phase,
    )
    idle = s.phase in (CHOOSE, PLACE, OVER)
    require(
        not idle or (s.active == NOBODY and not any(s.handled)),
        "phase={phase}: nobody acts now, so active and handled say nothing (MK-T1)",
        phase=phase,
    )
    require(
        not any(s.handled[explorers_each(s) :]),
        "handled: with {seats} players there are {each} explorers each (MK-C1)",
        seats=s.seats,
        each=explorers_each(s),
    )


def _check_refill(s: State, phase: str) -> None:
    """MK-X4: between the draws of a refill; what was left of the play is gone (MK-T5)."""
    require(
        s.resume == PLAY or s.phase in _ON_THE_WAY,
        "phase={phase}: there is nothing to resume (MK-X4)",
        phase=phase,
    )
    refilling = REFILL in (s.phase, s.resume)
    require(
        not refilling or s.expert != 0,
        "resume=refill: only in the expert game (MK-X4)",
    )
    require(
        not refilling or s.pool == 0,
        "pool={pool}: points that are left are lost before a refill (MK-T5)",
        pool=s.pool,
    )
    drawn = s.card == EARTHQUAKE and s.phase in _LAYING
    require(
        not refilling or s.ending == NOT_YET or drawn,
        "ending={ending}: nobody refills once the game is ending (MK-E2, MK-X3)",
        ending=name_of(ENDINGS, s.ending),
    )
    quiet = s.quiet_first_round != 0 and s.turn_number < s.seats
    require(
        not any(s.aside) or (refilling and quiet),
        "aside: lava waits beside the board only in the refill of a quiet first round (MK-L7)",
    )


def _check_points(s: State) -> None:
    most = 3 * MOST_TILES
    require(
        s.pool + points_in_front(s, s.to_move) <= most and (s.phase != OVER or s.pool == 0),
        "pool={pool}: points come from the tiles that were in front, {most} in all at most (MK-T3)",
        pool=s.pool,
        most=most,
    )


def _check_leaving(s: State) -> None:
    cell = s.explorer[s.to_move][s.active]
    boat = boat_at(s, cell)
    require(
        boat != NO_BOAT
        and must_leave_some(s, s.to_move, s.active)
        and can_choose_what_to_leave(s, s.to_move, s.active),
        "phase=leave: explorer {seat}.{number} on {cell} need not choose what to leave (MK-B1)",
        seat=s.to_move + 1,
        number=s.active + 1,
        cell=cell_name(cell),
    )


def _check_laying(s: State, phase: str) -> None:
    require(
        s.card in (NO_CARD, EARTHQUAKE),
        "phase={phase}: of the cards only the earthquake brings a tile (MK-X7)",
        phase=phase,
    )
    require(
        s.card != NO_CARD or s.resume == PLAY,
        "resume=refill phase={phase}: tiles in front are laid in the play (MK-T2)",
        phase=phase,
    )
    if s.phase == TURN:
        require(
            s.tile[s.chosen] == EMPTY and ORIENTATIONS[s.held] > 1,
            "phase=turn: {space} is not empty, or the tile looks the same all round (MK-T2, MK-C5)",
            space=space_name(s.chosen),
        )


def _check_card(s: State, phase: str) -> None:
    require(
        (s.card == EARTHQUAKE) == (s.phase in _QUAKING),
        "phase={phase}: not for the card that is played (MK-X4)",
        phase=phase,
    )
    if s.phase == QUAKE_TURN:
        require(
            can_turn(s, s.chosen),
            "chosen={space}: no tile that can be turned lies there (MK-X7)",
            space=space_name(s.chosen),
        )
    require(
        s.phase != QUAKE_DRAW or tiles_in_bag(s) > 0,
        "phase=quake-draw: the bag is empty (MK-X7)",
    )
    require(
        s.card != HELICOPTER or explorers_on_island(s, s.to_move) > 1,
        "card=helicopter: it does not lift the last explorer of seat {seat} (MK-X8)",
        seat=s.to_move + 1,
    )


# ---- before the first turn ----------------------------------------------------------------------


def _check_set_up(s: State) -> None:
    """MK-S1 to MK-S3, MK-X1: nothing has been played yet."""
    untouched = (
        not any(s.flow_length)
        and not any(s.out[:FIRST_START])
        and not any(s.aside)
        and all(tile == NO_TILE for front in s.front for tile in front)
        and (s.turn_number, s.pool, s.stirred, s.quiet_turns) == (0, 0, 0, 0)
        and all(boat < COVES for boat in s.boat)
        and s.resume == PLAY
    )
    require(
        untouched and s.ending == NOT_YET,
        "phase={phase}: nothing is drawn, spent, flooded or boarded before the first turn (MK-S3)",
        phase=name_of(PHASES, s.phase),
    )
    order = [(s.first - step) % s.seats for step in range(s.seats)]
    for seat in order:
        _check_start(s, seat)
    placed = [explorers_on_island(s, seat) for seat in order]
    turn = order.index(s.to_move)
    if s.phase == CHOOSE:
        require(not any(placed), "phase=choose: explorers are placed after the cards (MK-X1)")
        return
    expected = [placed[turn] + (1 if step < turn else 0) for step in range(s.seats)]
    require(
        placed == expected and placed[turn] < explorers_each(s),
        "explorers are placed one at a time, counter-clockwise (MK-S2)",
    )


def _check_start(s: State, seat: int) -> None:
    """MK-S2: on start cells, in the order of their numbers."""
    waiting = False
    for explorer in range(explorers_each(s)):
        cell = s.explorer[seat][explorer]
        waiting = waiting or cell == UNPLACED
        on_start = cell >= 0 and SPACE_KIND[s.layout][cell // 4] == EXPLORER_SPACE
        require(
            cell == UNPLACED or (on_start and not waiting),
            "explorers{seat}: explorer {seat}.{number} is placed on a start cell beside the "
            "volcano, after those with lower numbers (MK-S2)",
            seat=seat + 1,
            number=explorer + 1,
        )


# ---- the end ------------------------------------------------------------------------------------


def check_end(s: State, world: State) -> None:
    """MK-E1 to MK-E3, MK-X3: an end that must have begun has, and no other."""
    if s.phase in (CHOOSE, PLACE):
        return
    limit = CLOCK_ROUNDS * s.seats
    require(
        s.expert != 0 or s.quiet_turns < limit or s.ending == CLOCK,
        "quiet={quiet}: with {seats} players the game ends after {limit} such turns (MK-E3)",
        quiet=s.quiet_turns,
        seats=s.seats,
        limit=limit,
    )
    if s.ending == NOT_YET:
        require(s.phase != OVER, "phase=over: say why it ended, as in ending=no-explorer (MK-E1)")
        _check_no_end(s, world)
        return
    possible = {
        NO_EXPLORER: any(explorers_on_island(s, seat) == 0 for seat in range(s.seats)),
        NO_WAY_OUT: s.expert == 0 and not somebody_can_leave(world),
        CLOCK: s.expert == 0 and s.phase == OVER and s.quiet_turns == limit,
        EMPTY_BAG: s.expert != 0 and tiles_in_bag(s) == 0,
    }
    require(
        possible[s.ending],
        "ending={ending}: the game cannot be ending like this here (MK-E1, MK-E3, MK-X3)",
        ending=name_of(ENDINGS, s.ending),
    )
    require(
        s.expert == 0 or s.closer == s.to_move,
        "closer={closer}: in the expert game only the turn that ends it is played on (MK-X3)",
        closer=s.closer + 1,
    )


def _check_no_end(s: State, world: State) -> None:
    world.stirred = JUST_STIRRED
    end_if_need_be(world)
    check_bag(world)
    require(
        world.ending == NOT_YET,
        "ending: by now the game is ending ({ending}): {rule}",
        ending=name_of(ENDINGS, world.ending),
        rule="MK-X3" if s.expert else "MK-E1",
    )
