"""greedy-1: makes the move that gains most safety for its people and costs opponents most.

It looks one move ahead and compares the values of places (`rescue_values`). When it sinks a piece,
it moves its own people towards boats and opponents away from them. It sends animals where they harm
opponents more than itself.

Frozen: results refer to it by name, so a bot that plays differently gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.atlantis import rescue_values as values
from archipel.bots.people_sets import first_of
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
    FIRST_OF_KIND,
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
    can_board,
    is_open_to_boats,
    is_open_to_walkers,
    is_safe_water,
    may_ride,
    may_step_ashore,
)
from archipel.rules.atlantis.sinking import is_refuge, terrain_due
from archipel.rules.atlantis.state import Action, Phase, State
from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.hex_sea.swimmers import has_sea_step
from archipel.rules.kit import Chance, rule
from archipel.rules.kit.core.decorators import rule_apart

WORST: Final = -100_000
NO_SPACE: Final = -1

# Value of an empty boat moving a step nearer to people who could use it.
FETCH: Final = 14

# Weight of an opponent's person, in hundredths of one's own.
OTHERS: Final = 60

# Cost of a rescue: the two extra points that it takes.
RIDE_COST: Final = 60

# Rough percentage of whirlpools among sinking pieces once the plains are gone.
WHIRLPOOLS: Final = 25

# An animal counts as near within fewer steps than this.
NEAREST: Final = 4


@rule_apart
def choose_greedily_1(s: State, actions: list[int], count: int, chance: Chance) -> int:
    if count == 1:
        return actions[0]
    boats = values.roomy_boats(s)
    known = 0  # computed once for the values of all actions
    least = 0
    if s.phase == Phase.ANIMAL_STEP:
        known = in_reach(s, s.chosen - Action.ANIMAL, s.steps)
    elif s.phase == Phase.SINK:
        known = best_refuge(s, boats, NO_SPACE, 1)
        least = best_refuge(s, boats, NO_SPACE, -1)
    best = actions[0]
    best_value = WORST
    if s.phase == Phase.MOVE or s.phase == Phase.ANIMAL:
        best = Action.STOP  # unless something gains
        best_value = 0
    for index in range(count):
        value = value_of(s, boats, known, least, actions[index], best_value)
        if value > best_value:
            best = actions[index]
            best_value = value
    return best


@rule_apart
def value_of(s: State, boats: int, known: int, least: int, action: int, enough: int) -> int:
    """The value of an action in its phase, or WORST if it cannot exceed ``enough``."""
    if s.phase == Phase.MOVE:
        return best_of_piece(s, boats, action, enough)
    if s.phase == Phase.MOVE_TO:
        return gain(s, boats, s.chosen, action)
    if s.phase == Phase.ANIMAL:
        return value_of_animal(s, action)
    if s.phase == Phase.ANIMAL_STEP:
        return value_of_step(s, known, action)
    if s.phase == Phase.SINK:
        return value_of_sinking(s, boats, action, known, least)
    if s.phase == Phase.PLACE:
        return values.on_land(s, boats, action) - 3 * s.crowd[action]
    if s.phase == Phase.RELOCATE:  # one's own person first, while the best places are free
        return 1 if TRIBE_OF[action - Action.PERSON] == s.turn else 0
    worth = worth_in(s, boats, action)
    return worth if TRIBE_OF[s.chosen - Action.PERSON] == s.turn else -worth


@rule
def worth_in(s: State, boats: int, space: int) -> int:
    return values.swimming(s, space) if is_sea(s, space) else values.on_land(s, boats, space)


# ---- moving -------------------------------------------------------------------------------------


@rule
def best_of_piece(s: State, boats: int, chosen: int, enough: int) -> int:
    """The gain of a piece's best move, or WORST if it cannot exceed ``enough``."""
    if chosen == Action.STOP:
        return WORST
    if chosen >= Action.BOAT:
        return best_course(s, chosen - Action.BOAT, enough)
    place = s.place[chosen - Action.PERSON]
    if place >= ABOARD:
        return best_from_boat(s, chosen - Action.PERSON, place - ABOARD)
    if is_sea(s, place):
        return best_from_water(s, chosen - Action.PERSON, place)
    return best_from_land(s, boats, place, enough)


@rule_apart
def best_from_land(s: State, boats: int, place: int, enough: int) -> int:
    """An upper bound: a step comes at most one space nearer to boats and landings."""
    far = values.without_boat(s)
    wet = most_beside(s, place)
    if max(values.BOARDING, wet - far) <= enough:
        return WORST  # with any boats
    by_boat = values.by_boat(s, boats, place)
    now = max(far, by_boat)
    if max(far, by_boat + values.BOARDING, wet) - now <= enough:
        return WORST
    after = best_boat_beside(s, place)
    for near in range(FIRST_NEAR[place], FIRST_NEAR[place + 1]):
        if is_open_to_walkers(s, NEAR[near]):
            after = max(after, worth_in(s, boats, NEAR[near]))
    return after - now


@rule
def most_beside(s: State, space: int) -> int:
    """An upper bound of the value of swimming next to a space, without boats."""
    most = values.LEAST_SWIMMING
    if s.swimmers_land != 0:
        most = max(most, values.SWIMMING - values.SWIM * max(0, values.TO_LANDING[space] - 1))
    for animal in range(FIRST_OF_KIND[DOLPHIN], FIRST_OF_KIND[DOLPHIN + 1]):
        if s.creature[animal] < SPACES and values.STEPS[space][s.creature[animal]] <= 1:
            most = max(most, values.WITH_DOLPHIN)
    return most


@rule
def best_boat_beside(s: State, space: int) -> int:
    best = WORST
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if can_board(s, boat_in(s, NEAR[near])):
            best = max(best, values.aboard(s, NEAR[near]))
    return best


@rule_apart
def best_from_boat(s: State, person: int, boat: int) -> int:
    space = s.boat[boat]
    now = values.aboard(s, space)
    if SHORE_OF[space] >= 0:
        return values.SAVED - now  # nothing is better
    after = best_boat_beside(s, space)
    if has_sea_step(s, person) and is_safe_water(s, space):
        after = max(after, values.swimming(s, space))
    return after - now


@rule_apart
def best_from_water(s: State, person: int, space: int) -> int:
    now = values.swimming(s, space)
    if may_step_ashore(s, space):
        return values.SAVED - now
    if may_ride(s, space):
        return values.SAVED - RIDE_COST - now
    after = WORST
    if can_board(s, boat_in(s, space)):
        after = values.aboard(s, space)
    if has_sea_step(s, person):
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_safe_water(s, NEAR[near]):
                after = max(after, values.swimming(s, NEAR[near]))
    return after - now


@rule_apart
def best_course(s: State, boat: int, enough: int) -> int:
    space = s.boat[boat]
    here = values.aboard(s, space)
    most = FETCH
    if load(s, boat) > 0:
        nearest = values.ABOARD_WORTH - values.SAIL * max(0, values.TO_LANDING[space] - 1)
        most = load(s, boat) * max(0, nearest - here)
    if most <= enough:
        return WORST
    best = WORST
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            best = max(best, gain_of_sailing(s, boat, NEAR[near]))
    return best


@rule_apart
def gain(s: State, boats: int, chosen: int, action: int) -> int:
    """The gain of a move for the seat to move."""
    if chosen >= Action.BOAT:
        return gain_of_sailing(s, chosen - Action.BOAT, action)
    place = s.place[chosen - Action.PERSON]
    now = values.aboard(s, s.boat[place - ABOARD]) if place >= ABOARD else worth_in(s, boats, place)
    if action >= Action.BOAT:
        return values.aboard(s, s.boat[action - Action.BOAT]) - now
    if action >= Action.RIDE:
        return values.SAVED - RIDE_COST - now
    if action >= Action.ISLAND:
        return values.SAVED - now
    return worth_in(s, boats, action) - now


@rule
def gain_of_sailing(s: State, boat: int, space: int) -> int:
    """The gain of a boat move for all aboard; an empty boat moves to people who need it."""
    here = s.boat[boat]
    mine = s.aboard[boat][s.turn]
    if load(s, boat) == 0:
        return FETCH * (steps_to_passengers(s, here) - steps_to_passengers(s, space))
    better = values.aboard(s, space) - values.aboard(s, here)
    others = load(s, boat) - mine
    return mine * better - others * better * OTHERS // 100 // 2


@rule
def steps_to_passengers(s: State, space: int) -> int:
    """Steps from a space to the nearest of one's people on land, at least 1."""
    nearest = values.FAR
    for person in range(s.turn * PER_TRIBE, (s.turn + 1) * PER_TRIBE):
        place = s.place[person]
        if place < SPACES and not is_sea(s, place):
            nearest = min(nearest, values.STEPS[space][place])
    return max(1, nearest)


# ---- sinking ------------------------------------------------------------------------------------


@rule_apart
def value_of_sinking(s: State, boats: int, space: int, most: int, least: int) -> int:
    """The gain of sinking a piece: its people move, and a whirlpool may take those beside it."""
    value = 0
    if s.crowd[space] > 0:
        here = values.on_land(s, boats, space)
        best = refuge_beside(s, boats, space, 1, most)
        worst = -refuge_beside(s, boats, space, -1, least)
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
def refuge_beside(s: State, boats: int, sinking: int, sign: int, best: int) -> int:
    """The best value among other pieces with room; in the water if there is none."""
    if is_refuge(s, sinking) and sign * values.on_land(s, boats, sinking) == best:
        best = best_refuge(s, boats, sinking, sign)
    return best if best > WORST else sign * values.swimming(s, sinking)


@rule_apart
def best_refuge(s: State, boats: int, sinking: int, sign: int) -> int:
    """The best value (with sign -1 the worst) among other pieces with room, or WORST."""
    best = WORST
    for piece in range(PIECES):
        space = PIECE_SPACES[piece]
        if space != sinking and is_refuge(s, space):
            best = max(best, sign * values.on_land(s, boats, space))
    return best


# ---- animals ------------------------------------------------------------------------------------


@rule_apart
def loss_of_others(s: State, space: int, swimmers: bool, crew: bool) -> int:
    """The gain if an animal takes the swimmers or the boat of a space."""
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
    return (all_there - mine) * values.SAVED * OTHERS // 100 - mine * values.SAVED


@rule_apart
def exposed_to(s: State, kind: int, here: int, reach: int) -> int:
    """The people whom animals of a kind can affect within ``reach`` of a space, as a bit set."""
    found = 0
    for person in range(PEOPLE):
        place = s.place[person]
        at = NO_SPACE
        if ABOARD <= place < ABOARD + BOATS:
            at = s.boat[place - ABOARD] if kind != SHARK and kind != DOLPHIN else NO_SPACE
        elif place < SPACES and is_sea(s, place) and kind != OCTOPUS:
            at = place
        if at != NO_SPACE and values.STEPS[here][at] <= reach:
            found |= 1 << person
    return found


@rule_apart
def value_of_arriving(s: State, people: int, kind: int, space: int) -> int:
    """The value of an animal arriving in a space: its prey there and its later threat."""
    value = 0
    if kind == MONSTER:
        value = loss_of_others(s, space, True, True)
    elif kind == SHARK:
        value = loss_of_others(s, space, True, False)
    elif kind == OCTOPUS:
        value = loss_of_others(s, space, False, True) // 2
    return value + threat(s, people, kind, space)


@rule_apart
def threat(s: State, people: int, kind: int, space: int) -> int:
    """The threat of an animal in a space to swimmers and boats near it; a dolphin helps them."""
    value = 0
    rest = people
    while rest != 0:
        person = first_of(rest)
        rest = rest & (rest - 1)
        place = s.place[person]
        at = s.boat[place - ABOARD] if place >= ABOARD else place
        near = max(0, NEAREST - values.STEPS[space][at])
        if kind == DOLPHIN and near < NEAREST:
            near = 0
        if TRIBE_OF[person] == s.turn:
            value -= 6 * near
        else:
            value += 3 * near
    return -20 * value if kind == DOLPHIN else value


@rule
def in_reach(s: State, animal: int, steps: int) -> int:
    """The people whom an animal can harm or threaten within its steps."""
    far = values.FAR if s.part == T else steps + NEAREST - 1
    return exposed_to(s, KIND_OF[animal], s.creature[animal], far)


@rule_apart
def value_of_animal(s: State, action: int) -> int:
    """The best gain of moving an animal within its reach; 0 if it can affect nobody."""
    animal = action - Action.ANIMAL
    if action == Action.STOP:
        return WORST
    people = in_reach(s, animal, s.part)
    if people == 0:
        return 0
    kind = KIND_OF[animal]
    here = s.creature[animal]
    best = WORST
    for space in range(SPACES):
        if is_reached(s, here, space, s.part):
            best = max(best, value_of_arriving(s, people, kind, space))
    return best - threat(s, people, kind, here)


@rule
def is_reached(s: State, here: int, space: int, part: int) -> bool:
    """An estimate that ignores obstacles."""
    if not is_sea(s, space) or space == here:
        return False
    if part == T:
        return s.space[space] == 0 and s.crowd[space] == 0
    return values.STEPS[here][space] <= part


@rule_apart
def value_of_step(s: State, people: int, action: int) -> int:
    """The value of a step or of stopping: the immediate gain, or the next spaces."""
    animal = s.chosen - Action.ANIMAL
    kind = KIND_OF[animal]
    if action == Action.STOP:
        return threat(s, people, kind, s.creature[animal])
    value = value_of_arriving(s, people, kind, action)
    stops = (kind == SHARK or kind == MONSTER) and s.crowd[action] > 0
    if kind != SHARK and kind != DOLPHIN and boat_in(s, action) != NO_BOAT:
        stops = True
    if s.part == T or s.steps <= 1 or stops:
        return value
    for space in range(SPACES):
        if space != s.origin and is_reached(s, action, space, s.steps - 1):
            value = max(value, value_of_arriving(s, people, kind, space) - 1)
    return value
