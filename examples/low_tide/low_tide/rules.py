"""The rules: what lies where, and what a turn does to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import Chance, array, draw, rule, scalar, state

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
SHELLS: Final = 8  # worth 1 to 8 (LT-C1)
WAVE_FACES: Final = 6
HIGH_WAVES: Final = 2  # of them take a shell (LT-T3)

# Phases, and whom nobody is.
PLAY: Final = 0
OVER: Final = 1
NOBODY: Final = -1

# Actions: a shell to look at, or to take.
LOOK: Final = 0
TAKE: Final = LOOK + SHELLS
ACTIONS: Final = TAKE + SHELLS
MOST_LEGAL: Final = ACTIONS

# Where a shell is: with a seat, on the beach, or gone with a wave.
BEACH: Final = -1
GONE: Final = MOST_SEATS
UNKNOWN: Final = 0  # the worth of a shell in a view


@state
@dataclass(slots=True)
class State:
    """Shells are numbered by their place on the beach, the first one nearest to the sea."""

    seats: int = scalar("i1")
    phase: int = scalar("i1")
    to_move: int = scalar("i1", NOBODY)
    worth: list[int] = array("i1", SHELLS, fill=UNKNOWN)
    holder: list[int] = array("i1", SHELLS, fill=BEACH)
    looked: list[int] = array("i2", MOST_SEATS)  # per seat, a set of shells (LT-T1)


@rule
def seat_to_move(s: State) -> int:
    return NOBODY if s.phase == OVER else s.to_move


# ---- set-up and turns ---------------------------------------------------------------------------


@rule
def set_up(s: State, chance: Chance) -> None:
    """LT-S1, LT-S2: nobody knows a shell, and somebody begins."""
    if s.to_move == NOBODY:
        s.to_move = draw(chance, s.seats)
    deal_unseen(s, chance)


@rule
def legal(s: State, actions: list[int]) -> int:
    """LT-T1: look at a shell that one does not know, or take one."""
    count = 0
    if s.phase == PLAY:
        for shell in range(SHELLS):
            if s.holder[shell] == BEACH and s.looked[s.to_move] >> shell & 1 == 0:
                actions[count] = LOOK + shell
                count += 1
        for shell in range(SHELLS):
            if s.holder[shell] == BEACH:
                actions[count] = TAKE + shell
                count += 1
    return count


@rule
def apply(s: State, action: int, chance: Chance) -> None:
    if action >= TAKE:
        s.holder[action - TAKE] = s.to_move  # LT-T2
    else:
        s.looked[s.to_move] |= 1 << action - LOOK
    if first_on_beach(s) != SHELLS and draw(chance, WAVE_FACES) < HIGH_WAVES:
        s.holder[first_on_beach(s)] = GONE  # LT-T3
    if first_on_beach(s) == SHELLS:
        s.phase = OVER  # LT-E1
    else:
        s.to_move = s.to_move + 1 if s.to_move + 1 < s.seats else 0


@rule
def first_on_beach(s: State) -> int:
    """The shell nearest to the sea, or as many as there are shells if none is left."""
    shell = 0
    while shell < SHELLS and s.holder[shell] != BEACH:
        shell += 1
    return shell


# ---- the end ------------------------------------------------------------------------------------


@rule
def score(s: State, seat: int) -> int:
    """LT-E2: what one's shells are worth."""
    points = 0
    for shell in range(SHELLS):
        if s.holder[shell] == seat:
            points += s.worth[shell]
    return points


@rule
def rank(s: State, seat: int) -> int:
    """LT-E2: most points win, equals share."""
    better = 0
    for other in range(s.seats):
        if score(s, other) > score(s, seat):
            better += 1
    return better


# ---- knowledge ----------------------------------------------------------------------------------


@rule
def knows(s: State, seat: int, shell: int) -> bool:
    """LT-I1: what is one's own, one has looked at, or a wave has turned up; all at the end."""
    if s.phase == OVER or s.holder[shell] == GONE:
        return True
    if seat == NOBODY:
        return False
    return s.holder[shell] == seat or s.looked[seat] >> shell & 1 != 0


@rule
def view(s: State, seat: int, seen: State) -> None:
    """A white list: every field is written."""
    seen.seats = s.seats
    seen.phase = s.phase
    seen.to_move = s.to_move
    for shell in range(SHELLS):
        seen.worth[shell] = s.worth[shell] if knows(s, seat, shell) else UNKNOWN
        seen.holder[shell] = s.holder[shell]
    for other in range(MOST_SEATS):
        seen.looked[other] = s.looked[other]


@rule
def deal_unseen(s: State, chance: Chance) -> None:
    """LT-S1: the shells that are not seen are equally likely to lie in any order."""
    for shell in range(SHELLS):
        if s.worth[shell] == UNKNOWN:
            nth = draw(chance, unseen(s))
            worth = 1
            while is_seen(s, worth) or nth > 0:
                if not is_seen(s, worth):
                    nth -= 1
                worth += 1
            s.worth[shell] = worth


@rule
def unseen(s: State) -> int:
    count = 0
    for shell in range(SHELLS):
        if s.worth[shell] == UNKNOWN:
            count += 1
    return count


@rule
def is_seen(s: State, worth: int) -> bool:
    for shell in range(SHELLS):
        if s.worth[shell] == worth:
            return True
    return False


# ---- what holds in every position ---------------------------------------------------------------

FAULTS: Final = (
    "",
    "the shells are not worth 1 to 8, each once (LT-C1)",
    "a shell is nowhere (LT-C1)",
    "somebody has looked at a shell that there is not (LT-T1)",
    "it is nobody's turn, or shells are left when the game is over (LT-E1)",
)


@rule
def fault(s: State) -> int:
    """0, or the number of the first fault in `FAULTS`."""
    for worth in range(1, SHELLS + 1):
        if not is_seen(s, worth):
            return 1
    for shell in range(SHELLS):
        if s.holder[shell] < BEACH or s.seats <= s.holder[shell] < GONE or s.holder[shell] > GONE:
            return 2
    for seat in range(MOST_SEATS):
        if s.looked[seat] >> SHELLS != 0 or (seat >= s.seats and s.looked[seat] != 0):
            return 3
    if s.to_move < 0 or s.to_move >= s.seats:
        return 4
    if (s.phase == OVER) != (first_on_beach(s) == SHELLS):
        return 4
    return 0
