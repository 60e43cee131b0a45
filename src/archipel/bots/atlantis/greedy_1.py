"""greedy-1: makes the one move that brings its people nearest to safety, and the others' farthest.

It looks one move ahead by what places are worth (`archipel.bots.atlantis.worth`); when it sinks a
piece it uses the placing of people to carry its own to the boats and the others' away from them;
and it sends animals where they do others more harm than itself.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.atlantis.distances import FAR, STEPS
from archipel.bots.atlantis.worth import (
    SAVED,
    worth_aboard,
    worth_on_land,
    worth_swimming,
)
from archipel.rules.atlantis.board import (
    FIRST_NEAR,
    NEAR,
    PIECE_SPACES,
    PIECES,
    SHORE_OF,
    SPACES,
)
from archipel.rules.atlantis.components import (
    BOATS,
    DOLPHIN,
    KIND_OF,
    MONSTER,
    OCTOPUS,
    PEOPLE,
    PER_TRIBE,
    PLAIN,
    SHARK,
    TRIBE_OF,
    T,
)
from archipel.rules.atlantis.moving import (
    boats_in_reach,
    can_board,
    is_open_to_boats,
    is_open_to_walkers,
    is_safe_water,
    may_ride,
    may_step_ashore,
)
from archipel.rules.atlantis.sinking import is_refuge, terrain_due
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_PIECE,
    ANIMAL_STEP,
    BOAT,
    ISLAND,
    MOVE,
    MOVE_TO,
    PERSON,
    PLACE,
    RELOCATE,
    RIDE,
    SINK,
    STOP,
    State,
)
from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.hex_sea.swimmers import has_sea_step
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

WORST: Final = -100_000
NO_SPACE: Final = -1

# An empty boat that comes a space nearer to people on land who could use it.
FETCH: Final = 14

# What one of the others' is worth to it, in hundredths of one of its own.
OTHERS: Final = 60

# What a rescue costs beside the person saved: two more points that are then gone.
RIDE_COST: Final = 60

# Of a hundred, how many pieces that sink now hide a whirlpool, roughly, once the plains are gone.
WHIRLPOOLS: Final = 25


@rule_apart
def choose_greedily_1(s: State, actions: list[int], count: int) -> int:
    """The choice of greedy-1."""
    if count == 1:
        return actions[0]
    if s.phase == MOVE:
        return choose_piece(s, actions, count)
    if s.phase == ANIMAL:
        return choose_animal(s, actions, count)
    best = actions[0]
    best_value = WORST
    for index in range(count):
        value = value_of(s, actions[index])
        if value > best_value:
            best = actions[index]
            best_value = value
    return best


@rule_apart
def value_of(s: State, action: int) -> int:
    """Of an action that is not the choice of a piece to move."""
    if s.phase == MOVE_TO:
        return gain(s, s.chosen, action)
    if s.phase == SINK:
        return value_of_sinking(s, action)
    if s.phase == PLACE:
        return worth_on_land(s, action) - 3 * s.crowd[action]
    if s.phase == RELOCATE:
        return value_of_relocating(s, action - PERSON)
    if s.phase == ANIMAL_STEP:
        return value_of_step(s, action)
    mine = TRIBE_OF[s.chosen - PERSON] == s.turn
    worth = worth_in(s, action)
    return worth if mine else -worth


@rule
def worth_in(s: State, space: int) -> int:
    return worth_swimming(s, space) if is_sea(s, space) else worth_on_land(s, space)


# ---- moving -------------------------------------------------------------------------------------


@rule_apart
def choose_piece(s: State, actions: list[int], count: int) -> int:
    """The piece whose best move gains most; or enough, if none gains anything."""
    best = STOP
    best_gain = 0
    for index in range(count):
        if actions[index] == STOP:
            continue
        gained = best_of_piece(s, actions[index])
        if gained > best_gain:
            best = actions[index]
            best_gain = gained
    return best


@rule_apart
def best_of_piece(s: State, chosen: int) -> int:
    """The gain of the best move of a piece."""
    if chosen >= BOAT:
        return best_course(s, chosen)
    person = chosen - PERSON
    place = s.place[person]
    space = s.boat[place - ABOARD] if place >= ABOARD else place
    best = WORST
    boats = boats_in_reach(s, space)
    if place >= ABOARD:
        if has_sea_step(s, person) and is_safe_water(s, space):
            best = gain(s, chosen, space)
        if SHORE_OF[space] >= 0:
            best = max(best, gain(s, chosen, ISLAND))
    elif is_sea(s, place):
        boats = 1 << boat_in(s, space) if can_board(s, boat_in(s, space)) else 0
        if may_step_ashore(s, space):
            best = gain(s, chosen, ISLAND)
        if may_ride(s, space):
            best = max(best, gain(s, chosen, RIDE))
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if place < ABOARD and may_enter(s, person, place, NEAR[near]):
            best = max(best, gain(s, chosen, NEAR[near]))
    for boat in range(BOATS):
        if boats >> boat & 1 != 0:
            best = max(best, gain(s, chosen, BOAT + boat))
    return best


@rule
def may_enter(s: State, person: int, place: int, space: int) -> bool:
    if is_sea(s, place):
        return has_sea_step(s, person) and is_safe_water(s, space)
    return is_open_to_walkers(s, space)


@rule
def best_course(s: State, chosen: int) -> int:
    space = s.boat[chosen - BOAT]
    best = WORST
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            best = max(best, gain(s, chosen, NEAR[near]))
    return best


@rule_apart
def gain(s: State, chosen: int, action: int) -> int:
    """How much better a move makes things for the player whose turn it is."""
    if chosen >= BOAT:
        return gain_of_sailing(s, chosen - BOAT, action)
    now = worth_now(s, chosen - PERSON)
    if action >= BOAT:
        return worth_aboard(s, s.boat[action - BOAT]) - now
    if action >= RIDE:
        return SAVED - RIDE_COST - now
    if action >= ISLAND:
        return SAVED - now
    return worth_in(s, action) - now


@rule
def worth_now(s: State, person: int) -> int:
    """Of somebody where they are."""
    place = s.place[person]
    if place >= ABOARD:
        return worth_aboard(s, s.boat[place - ABOARD])
    return worth_in(s, place)


@rule
def gain_of_sailing(s: State, boat: int, space: int) -> int:
    """For those aboard, one's own more than the others'; an empty boat goes where it is needed."""
    here = s.boat[boat]
    mine = s.aboard[boat][s.turn]
    if load(s, boat) == 0:
        return FETCH * (steps_to_passengers(s, here) - steps_to_passengers(s, space))
    better = worth_aboard(s, space) - worth_aboard(s, here)
    others = load(s, boat) - mine
    return mine * better - others * better * OTHERS // 100 // 2


@rule
def steps_to_passengers(s: State, space: int) -> int:
    """From a space to the nearest of one's own people on land, at least one."""
    nearest = FAR
    for person in range(s.turn * PER_TRIBE, (s.turn + 1) * PER_TRIBE):
        place = s.place[person]
        if place < SPACES and not is_sea(s, place):
            nearest = min(nearest, STEPS[space][place])
    return max(1, nearest)


# ---- sinking ------------------------------------------------------------------------------------


@rule_apart
def value_of_sinking(s: State, space: int) -> int:
    """What can be won by placing its people, and who would go down in a whirlpool beside it."""
    value = 0
    if s.crowd[space] > 0:
        best = best_refuge(s, space, 1)
        worst = -best_refuge(s, space, -1)
        here = worth_on_land(s, space)
        for person in range(PEOPLE):
            if s.place[person] == space:
                if TRIBE_OF[person] == s.turn:
                    value += best - here
                else:
                    value += (here - worst) * OTHERS // 100
    if terrain_due(s) != PLAIN:
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_sea(s, NEAR[near]):
                value += loss_of_others(s, NEAR[near], True, True) * WHIRLPOOLS // 100
    return value


@rule
def best_refuge(s: State, sinking: int, sign: int) -> int:
    """The most (or, with a minus, the least) that another piece with room is worth."""
    best = WORST
    for piece in range(PIECES):
        space = PIECE_SPACES[piece]
        if space != sinking and is_refuge(s, space):
            best = max(best, sign * worth_on_land(s, space))
    return best if best > WORST else sign * worth_swimming(s, sinking)


@rule
def value_of_relocating(s: State, person: int) -> int:
    """One's own first, while the best places are free."""
    return 1 if TRIBE_OF[person] == s.turn else 0


# ---- animals ------------------------------------------------------------------------------------


@rule_apart
def loss_of_others(s: State, space: int, swimmers: bool, crew: bool) -> int:
    """What the others lose, less what oneself loses, if those in the water or the boat of a space
    are taken."""
    mine = 0
    all_there = 0
    if swimmers and s.crowd[space] > 0:
        all_there += s.crowd[space]
        for person in range(s.turn * PER_TRIBE, (s.turn + 1) * PER_TRIBE):
            if s.place[person] == space:
                mine += 1
    boat = boat_in(s, space)
    if crew and boat != NO_BOAT:
        all_there += load(s, boat)
        mine += s.aboard[boat][s.turn]
    return (all_there - mine) * SAVED * OTHERS // 100 - mine * SAVED


@rule_apart
def value_of_arriving(s: State, kind: int, space: int) -> int:
    """What an animal does to the others where it arrives, and where it then lies in wait."""
    value = 0
    if kind == MONSTER:
        value = loss_of_others(s, space, True, True)
    elif kind == SHARK:
        value = loss_of_others(s, space, True, False)
    elif kind == OCTOPUS:
        value = loss_of_others(s, space, False, True) // 2
    return value + threat(s, kind, space)


@rule_apart
def threat(s: State, kind: int, space: int) -> int:
    """For whom a space is a bad neighbour: swimmers and boats of the others near it, less one's
    own. A dolphin is a good one."""
    value = 0
    for person in range(PEOPLE):
        place = s.place[person]
        at = NO_SPACE
        if ABOARD <= place < ABOARD + BOATS:
            at = s.boat[place - ABOARD] if kind != SHARK and kind != DOLPHIN else NO_SPACE
        elif place < SPACES and is_sea(s, place) and kind != OCTOPUS:
            at = place
        if at != NO_SPACE:
            near = max(0, 4 - STEPS[space][at])
            if kind == DOLPHIN and near < 4:
                near = 0
            if TRIBE_OF[person] == s.turn:
                value -= 6 * near
            else:
                value += 3 * near
    return -20 * value if kind == DOLPHIN else value


@rule_apart
def choose_animal(s: State, actions: list[int], count: int) -> int:
    """The one that can do most; or none, if none does any good."""
    best = STOP
    best_value = 0
    for index in range(count):
        if actions[index] == STOP:
            continue
        animal = actions[index] - ANIMAL_PIECE
        stays = threat(s, KIND_OF[animal], s.creature[animal])
        value = best_arrival(s, animal, s.part) - stays
        if value > best_value:
            best = actions[index]
            best_value = value
    return best


@rule
def best_arrival(s: State, animal: int, part: int) -> int:
    """The most that an animal can do within its reach."""
    here = s.creature[animal]
    best = WORST
    for space in range(SPACES):
        if is_reached(s, here, space, part):
            best = max(best, value_of_arriving(s, KIND_OF[animal], space))
    return best


@rule
def is_reached(s: State, here: int, space: int, part: int) -> bool:
    """Roughly: as if nothing were in the way."""
    if not is_sea(s, space) or space == here:
        return False
    if part == T:
        return s.space[space] == 0 and s.crowd[space] == 0
    return STEPS[here][space] <= part


@rule
def value_of_step(s: State, action: int) -> int:
    """Of a step, or of stopping: what it does at once, or where it leads."""
    animal = s.chosen - ANIMAL_PIECE
    kind = KIND_OF[animal]
    if action == STOP:
        return threat(s, kind, s.creature[animal])
    value = value_of_arriving(s, kind, action)
    if s.part == T or s.steps <= 1 or stops_at(s, kind, action):
        return value
    for space in range(SPACES):
        if space != s.origin and is_reached(s, action, space, s.steps - 1):
            value = max(value, value_of_arriving(s, kind, space) - 1)
    return value


@rule
def stops_at(s: State, kind: int, space: int) -> bool:
    if kind == SHARK or kind == MONSTER:
        if s.crowd[space] > 0:
            return True
    return kind != SHARK and kind != DOLPHIN and boat_in(s, space) != NO_BOAT
