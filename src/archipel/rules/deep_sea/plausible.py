"""Whether a position written by hand can be met in a game: who and where, if it cannot."""

from __future__ import annotations

from archipel.rules.contract import NotationError
from archipel.rules.deep_sea.components import (
    LONGEST_LINE,
    MOST_UNITS_HELD,
    PILE,
    ROUNDS,
)
from archipel.rules.deep_sea.invariants import FAULTS, fault
from archipel.rules.deep_sea.knowledge import deal_unseen
from archipel.rules.deep_sea.notation import chips_in
from archipel.rules.deep_sea.state import (
    AS_CHOSEN,
    DISC,
    LAY,
    NOBODY,
    OVER,
    SEARCH,
    SUBMARINE,
    State,
    divers_not_home,
    farthest_out,
    is_occupied,
)
from archipel.rules.deep_sea.turn import may_search
from archipel.rules.kit import Stream, clone
from archipel.rules.sentence import Sentence


def check_position(s: State) -> None:
    """`NotationError` if this cannot be met."""
    for diver in range(s.seats):
        _check_place(s, diver)
        _check_hand(s, diver)
    if s.phase == OVER:
        _check_over(s)
    elif s.phase == LAY:
        _check_laying(s)
    else:
        _check_turn(s)
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(FAULTS[number])


def _require(holds: bool, complaint: str, /, **parts: object) -> None:
    if not holds:
        raise NotationError(Sentence(complaint, **parts))


# ---- divers -------------------------------------------------------------------------------------


def _check_place(s: State, diver: int) -> None:
    place = s.place[diver]
    _require(
        place < s.line_length,
        "diver {diver} is on space {space}, beyond the end of the line, which has {length}",
        diver=diver + 1,
        space=place + 1,
        length=s.line_length,
    )
    for other in range(diver if place != SUBMARINE else 0):
        _require(
            s.place[other] != place,
            "divers {other} and {diver} are both on space {space} (DS-T4)",
            other=other + 1,
            diver=diver + 1,
            space=place + 1,
        )


def _check_hand(s: State, diver: int) -> None:
    place, load = s.place[diver], s.load[diver]
    if place != SUBMARINE:
        _require(
            s.turned[diver] <= load,
            "diver {diver} has turned back on space {space} with nothing (DS-T2)",
            diver=diver + 1,
            space=place + 1,
        )
        _require(
            load < MOST_UNITS_HELD or s.line[place] == DISC,
            "diver {diver} holds six units and stands on a seventh, on space {space} (DS-T11)",
            diver=diver + 1,
            space=place + 1,
        )
    elif s.home[diver] == 0:
        back = s.phase in (LAY, OVER)  # from where they were when the round ended
        _require(
            load == 0 and (s.turned[diver] == 0 or back),
            "diver {diver} is in the submarine, but not home: there one holds nothing and has not "
            "turned back; write home[...] for one who came back (DS-T8)",
            diver=diver + 1,
        )


# ---- what is asked ------------------------------------------------------------------------------


def _check_turn(s: State) -> None:
    """In the middle of a round."""
    diver = s.to_move
    _require(
        s.home[diver] == 0,
        "turn={diver}: diver {diver} is home, and this round is over for them (DS-T8)",
        diver=diver + 1,
    )
    _check_length(s)
    not_home = divers_not_home(s)
    _require(
        s.idle_turns < not_home,
        "idle={idle}: with {count} divers not home, the round is over (DS-E7)",
        idle=s.idle_turns,
        count=not_home,
    )
    _require(
        s.starter == NOBODY or s.home[s.starter] != 0,
        "starter={diver}: that is who came home last, but diver {diver} is not home (DS-E6)",
        diver=s.starter + 1,
    )
    if s.phase == SEARCH:
        _check_search(s, diver)
        return
    _require(s.line_length > 0, "line=-: a round with an empty line is not played (DS-E9)")
    _require(s.air > 0, "air=0: the round is over (DS-E1)")


def _check_length(s: State) -> None:
    """DS-E3: everything that may still be lost must find room beyond the line. Without more discs
    than units were taken it does."""
    outside = [diver for diver in range(s.seats) if s.home[diver] == 0]
    held = sum(s.load[diver] for diver in outside)
    if s.phase != LAY:
        on_line = s.line_length - s.line[: s.line_length].count(DISC)
        held = min(held + on_line, MOST_UNITS_HELD * len(outside))
    piles = -(-max(0, held - s.pile_room) // PILE)
    _require(
        s.line_length + piles <= LONGEST_LINE,
        "line: with {length} spaces, {discs} of them white discs, there is no room for what may be "
        "lost: fewer units were taken (DS-T6, DS-E3)",
        length=s.line_length,
        discs=s.line[: s.line_length].count(DISC),
    )


def _check_search(s: State, diver: int) -> None:
    _require(
        may_search(s, diver),
        "phase=search: diver {diver} has nothing to search (DS-T6, DS-T13)",
        diver=diver + 1,
    )
    beyond = range(s.place[diver] + 1, s.line_length)
    stuck = s.load[diver] == 0 and all(is_occupied(s, space) for space in beyond)
    _require(
        s.stirred != 0 or stuck,
        "stirred=0: diver {diver} used air or moved in this turn (DS-E7)",
        diver=diver + 1,
    )


def _check_laying(s: State) -> None:
    """DS-E3, DS-E8: the round is over, and somebody lays down units one by one."""
    diver = s.to_move
    _require(
        s.drop_order == AS_CHOSEN and s.round_number < ROUNDS - 1 and s.load[diver] > 1,
        "phase=lay: diver {diver} is not asked to lay units (DS-E8, DS-E11)",
        diver=diver + 1,
    )
    farthest = farthest_out(s)
    _require(
        diver == farthest,
        "phase=lay: diver {diver} is not the farthest outside, diver {farthest} is (DS-E3)",
        diver=diver + 1,
        farthest=farthest + 1,
    )
    _require(
        s.air == 0 or s.idle_turns >= divers_not_home(s),
        "phase=lay air={air}: the round is not over (DS-E1, DS-E7)",
        air=s.air,
    )
    for other in range(s.seats):
        _require(
            s.home[other] == 0 or s.load[other] == 0,
            "diver {diver} is home: once the round is over, what they brought is in "
            "treasure{diver} (DS-E2)",
            diver=other + 1,
        )
    back = s.starter != NOBODY and s.home[s.starter] == 0 and s.place[s.starter] == SUBMARINE
    _require(
        s.starter == diver or back,
        "starter: in phase=lay that is who was the farthest outside (DS-E6)",
    )
    _check_piles(s)


def _check_piles(s: State) -> None:
    last = s.line_length - 1
    if s.pile_room > 0:
        _require(
            len(chips_in(s.line[last])) >= PILE - s.pile_room and not is_occupied(s, last),
            "pile_room={room}: the last space, {space}, is not such a pile (DS-E3)",
            room=s.pile_room,
            space=last + 1,
        )
    _check_length(s)


def _check_over(s: State) -> None:
    _require(
        s.round_number == ROUNDS - 1 or s.line_length == 0,
        "phase=over: the game ends after round {rounds}, or with nothing left on the line (DS-E9)",
        rounds=ROUNDS,
    )
    for diver in range(s.seats):
        _require(
            s.place[diver] == SUBMARINE and s.load[diver] == 0,
            "phase=over: diver {diver} is back and holds nothing any more (DS-E3)",
            diver=diver + 1,
        )
