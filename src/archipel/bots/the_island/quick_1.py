"""quick-1: what can be seen of an action at a glance, weighed as greedy-1 would have it.

Distances come from tables and the formula of `distances`; of the board only the spaces beside an
action are looked at.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.people_sets import first_of
from archipel.bots.quick import NO_TRAIT, quick_choice, together
from archipel.bots.the_island.creatures import exposed_to, space_of, swimmers
from archipel.bots.the_island.distances import TO_EXIT, distance
from archipel.bots.the_island.prospects import danger
from archipel.rules.hex_sea.boats import boat_in, controls, is_sea, load
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SHORE_OF, SPACES, TILE_OF
from archipel.rules.the_island.components import (
    CREATURE_STEPS,
    EXPLORERS,
    KIND_OF,
    PER_COLOUR,
    SHARK,
    SYMBOLS,
    WHALE,
)
from archipel.rules.the_island.state import (
    BOAT,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    EATERS,
    EXPLORER,
    FILL_BOAT,
    ISLAND,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    PLACE_BOAT,
    PLACE_EXPLORER,
    PLAY_TILE,
    REMOVE,
    SERPENT_BIT,
    STOP,
    TILE_PIECE,
    TILE_STEP,
    VALUE,
    WHALE_BIT,
    State,
    colours_in_play,
    owner,
)

FAR: Final = 9  # steps to an exit: beyond, they are all alike
WAYS: Final = FAR + 1
COUNTS: Final = 16  # two numbers from 0 to 3

# Traits, each counted on by what is said of it.
WORD: Final = 1  # enough, pass, yes: by phase
PIECE_VALUE: Final = WORD + 16  # of an explorer: on land, in the water, in a boat
WALKER: Final = PIECE_VALUE + 3 * 8  # terrain, way
BESIDE: Final = WALKER + 3 * WAYS  # what is beside a walker
SWIMMER: Final = BESIDE + 4  # whether it may swim on, has a boat, way
PASSENGER: Final = SWIMMER + 4 * WAYS  # whether the boat is one's own, way
LANDING: Final = PASSENGER + 2 * WAYS  # by boat or swimming
EMPTY_BOAT: Final = LANDING + 2
SAILING: Final = EMPTY_BOAT + WAYS
CREW: Final = SAILING + WAYS  # one's own and others
ASHORE: Final = CREW + COUNTS
BOARDING: Final = ASHORE + 1  # from land, water or boat
JOINED: Final = BOARDING + 3  # one's own and others aboard
BOARDED_AT: Final = JOINED + COUNTS
EATEN: Final = BOARDED_AT + WAYS
SWIM_TO: Final = EATEN + 1  # from where, nearer or farther, way
FEAR: Final = SWIM_TO + 9 * WAYS
BOAT_THERE: Final = FEAR + 4
WALK_TO: Final = BOAT_THERE + 2
WALK_ON: Final = WALK_TO + 3 * WAYS  # terrain
BESIDE_THERE: Final = WALK_ON + 3
COURSE: Final = BESIDE_THERE + 4  # loaded or not, nearer or farther, way
SUNK: Final = COURSE + 6 * WAYS  # by a serpent or a whale, loaded or not
FEAR_AFLOAT: Final = SUNK + 4
FETCH: Final = FEAR_AFLOAT + 4  # nearer to one's own or farther, steps
REMOVED: Final = FETCH + 3 * 8  # one's own and others there
BOATS_BESIDE: Final = REMOVED + COUNTS
SENT: Final = BOATS_BESIDE + 4  # kind, one's own and others in its reach
HIT_BOAT: Final = SENT + 3 * COUNTS  # kind, one's own and others
HIT_SWIMMERS: Final = HIT_BOAT + 3 * COUNTS
THREAT: Final = HIT_SWIMMERS + 3 * COUNTS
TILE: Final = THREAT + 3 * COUNTS
TILE_FOR: Final = TILE + len(SYMBOLS)
TILE_COURSE: Final = TILE_FOR + len(SYMBOLS) * WAYS  # nearer or farther, way
FILLED: Final = TILE_COURSE + 3 * WAYS
BOAT_START: Final = FILLED + 8
START_BESIDE: Final = BOAT_START + WAYS
HOME: Final = START_BESIDE + COUNTS
SEA_BESIDE: Final = HOME + 3 * WAYS
NAMED: Final = SEA_BESIDE + 7
TRAITS: Final = NAMED + 12

ON_LAND: Final = 0
IN_WATER: Final = 1
IN_BOAT: Final = 2


@rule_apart
def glance_1(s: State) -> int:
    """Where a creature is to be sent, those whom it can harm at all, as a set of bits."""
    if s.phase == CREATURE:
        return exposed_to(s, s.die)
    if (s.phase == CREATURE_STEP or s.phase == TILE_STEP) and s.chosen >= CREATURE_PIECE:
        return exposed_to(s, KIND_OF[s.chosen - CREATURE_PIECE])
    return 0


@rule
def describe_1(s: State, seen: int, action: int) -> int:
    """The traits of an action in its phase."""
    if action >= STOP:
        return WORD + s.phase
    if s.phase == MOVE:
        return describe_piece(s, action)
    if s.phase == MOVE_TO:
        return describe_destination(s, s.chosen, action)
    if s.phase == REMOVE:
        return describe_removal(s, action)
    if s.phase == CREATURE:
        creature = action - CREATURE_PIECE
        return SENT + reached(s, seen, KIND_OF[creature], s.creature[creature])
    if s.phase == CREATURE_STEP:
        return describe_creature_step(s, seen, KIND_OF[s.chosen - CREATURE_PIECE], action)
    return describe_rest(s, seen, action)


@rule
def way_from(space: int) -> int:
    return min(FAR, TO_EXIT[space])


@rule
def nearer(start: int, end: int) -> int:
    """0 for nearer to an exit, 1 for as near, 2 for farther."""
    return max(-1, min(1, TO_EXIT[end] - TO_EXIT[start])) + 1


@rule
def counted(mine: int, others: int) -> int:
    return min(3, mine) * 4 + min(3, others)


@rule
def crew_of(s: State, boat: int) -> int:
    mine = s.aboard[boat][s.to_move]
    return counted(mine, load(s, boat) - mine)


# ---- step 2 -------------------------------------------------------------------------------------


@rule_apart
def describe_piece(s: State, action: int) -> int:
    if action >= BOAT:
        boat = action - BOAT
        crew = crew_of(s, boat)
        if crew == 0:
            return EMPTY_BOAT + way_from(s.boat[boat])
        return together(SAILING + way_from(s.boat[boat]), CREW + crew, NO_TRAIT, NO_TRAIT)
    explorer = action - EXPLORER
    place = s.place[explorer]
    value = PIECE_VALUE + max(0, s.value[explorer])
    if place >= ABOARD:
        boat = place - ABOARD
        space = s.boat[boat]
        if SHORE_OF[space] >= 0:
            return together(LANDING, value + 8 * IN_BOAT, NO_TRAIT, NO_TRAIT)
        own = WAYS if controls(s, boat, s.to_move) else 0
        return together(PASSENGER + own + way_from(space), value + 8 * IN_BOAT, NO_TRAIT, NO_TRAIT)
    if is_sea(s, place):
        return together(swimmer_trait(s, explorer, place), value + 8 * IN_WATER, NO_TRAIT, NO_TRAIT)
    walker = WALKER + s.terrain[TILE_OF[place]] * WAYS + way_from(place)
    return together(walker, value + 8 * ON_LAND, BESIDE + beside(s, place), NO_TRAIT)


@rule
def swimmer_trait(s: State, explorer: int, space: int) -> int:
    if SHORE_OF[space] >= 0:
        return LANDING + 1
    kind = 2 * (s.sea_stepped >> explorer & 1)
    boat = boat_in(s, space)
    if boat != NO_BOAT and load(s, boat) < 3:
        kind += 1
    return SWIMMER + kind * WAYS + way_from(space)


@rule
def beside(s: State, space: int) -> int:
    """What is beside a space: 0 for only land, 1 for sea, 2 for a boat with room, 3 for one with
    nobody else aboard."""
    found = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            found = max(found, 1)
            boat = boat_in(s, NEAR[near])
            if boat != NO_BOAT and load(s, boat) < 3:
                found = max(found, 3 if load(s, boat) == s.aboard[boat][s.to_move] else 2)
    return found


@rule_apart
def describe_destination(s: State, piece: int, action: int) -> int:
    if piece >= BOAT:
        return describe_course(s, piece - BOAT, action)
    if action >= BOAT:
        boat = action - BOAT
        place = s.place[piece - EXPLORER]
        return together(
            BOARDING + origin_of(s, place),
            JOINED + crew_of(s, boat),
            BOARDED_AT + way_from(s.boat[boat]),
            NO_TRAIT,
        )
    if action >= ISLAND:
        return ASHORE
    place = s.place[piece - EXPLORER]
    start = s.boat[place - ABOARD] if place >= ABOARD else place
    step = nearer(start, action)
    if not is_sea(s, action):
        return together(
            WALK_TO + step * WAYS + way_from(action),
            WALK_ON + s.terrain[TILE_OF[action]],
            BESIDE_THERE + beside(s, action),
            NO_TRAIT,
        )
    if s.space[action] & EATERS != 0:
        return EATEN
    boat = boat_in(s, action)
    found = 1 if boat != NO_BOAT and load(s, boat) < 3 else 0
    return together(
        SWIM_TO + (3 * origin_of(s, place) + step) * WAYS + way_from(action),
        FEAR + min(3, danger(s, action, False) // 100),
        BOAT_THERE + found,
        NO_TRAIT,
    )


@rule
def origin_of(s: State, place: int) -> int:
    if place >= ABOARD:
        return IN_BOAT
    return IN_WATER if is_sea(s, place) else ON_LAND


@rule
def describe_course(s: State, boat: int, space: int) -> int:
    here = s.boat[boat]
    loaded = 1 if load(s, boat) > 0 else 0
    course = COURSE + (3 * loaded + nearer(here, space)) * WAYS + way_from(space)
    if loaded == 0:
        away = steps_to_own(s, space)
        change = max(-1, min(1, away - steps_to_own(s, here))) + 1
        return together(course, FETCH + 8 * change + min(7, away), NO_TRAIT, NO_TRAIT)
    sunk = NO_TRAIT
    if s.space[space] & SERPENT_BIT != 0:
        sunk = SUNK
    elif s.space[space] & WHALE_BIT != 0:
        sunk = SUNK + 1
    return together(course, FEAR_AFLOAT + min(3, danger(s, space, True) // 60), sunk, NO_TRAIT)


@rule
def steps_to_own(s: State, space: int) -> int:
    """To the nearest of one's own who is in no boat."""
    least = SPACES
    for colour in range(s.to_move, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if s.place[explorer] < SPACES:
                least = min(least, distance(s.place[explorer], space))
    return least


# ---- steps 3 and 4 ------------------------------------------------------------------------------


@rule_apart
def describe_removal(s: State, space: int) -> int:
    boats = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        boat = boat_in(s, NEAR[near])
        if boat != NO_BOAT:
            mine = s.aboard[boat][s.to_move]
            if mine > 0:
                boats |= 1
            elif load(s, boat) > 0:
                boats |= 2
    there = REMOVED + people_at(s, space)
    return together(there, BOATS_BESIDE + boats, NO_TRAIT, NO_TRAIT)


@rule
def people_at(s: State, place: int) -> int:
    mine = 0
    others = 0
    for explorer in range(EXPLORERS):
        if s.place[explorer] == place:
            if owner(s, explorer) == s.to_move:
                mine += 1
            else:
                others += 1
    return counted(mine, others)


@rule_apart
def counted_among(s: State, people: int, space: int, reach: int) -> int:
    """How many of some people are no farther from a space than this: one's own and others."""
    mine = 0
    others = 0
    rest = people
    while rest != 0:
        explorer = first_of(rest)
        rest = rest & (rest - 1)
        if distance(space_of(s, explorer), space) <= reach:
            if owner(s, explorer) == s.to_move:
                mine += 1
            else:
                others += 1
    return counted(mine, others)


@rule
def reached(s: State, people: int, kind: int, space: int) -> int:
    """By kind of creature, how many it could come to from a space."""
    return kind * COUNTS + counted_among(s, people, space, CREATURE_STEPS[kind])


@rule_apart
def describe_creature_step(s: State, people: int, kind: int, space: int) -> int:
    crew = 0
    boat = boat_in(s, space)
    if boat != NO_BOAT and kind != SHARK:
        crew = crew_of(s, boat)
    swimming = 0
    if kind != WHALE:
        swimming = counted_among(s, people & swimmers(s), space, 0)
    return together(
        HIT_BOAT + kind * COUNTS + crew,
        HIT_SWIMMERS + kind * COUNTS + swimming,
        THREAT + reached(s, people, kind, space),
        NO_TRAIT,
    )


# ---- tiles and set-up ---------------------------------------------------------------------------


@rule_apart
def describe_rest(s: State, seen: int, action: int) -> int:
    if s.phase == PLAY_TILE:
        return TILE + max(0, s.back[TILE_OF[action]])
    if s.phase == TILE_PIECE:
        return TILE_FOR + s.playing * WAYS + way_from(place_of_piece(s, action))
    if s.phase == TILE_STEP:
        if s.chosen >= CREATURE_PIECE:
            return THREAT + reached(s, seen, KIND_OF[s.chosen - CREATURE_PIECE], action)
        step = nearer(place_of_piece(s, s.chosen), action)
        fear = FEAR + min(3, danger(s, action, False) // 100)
        if s.chosen >= BOAT:
            fear = FEAR_AFLOAT + min(3, danger(s, action, True) // 60)
        return together(TILE_COURSE + step * WAYS + way_from(action), fear, NO_TRAIT, NO_TRAIT)
    if s.phase == FILL_BOAT:
        explorer = action - EXPLORER
        mine = owner(s, explorer) == s.to_move
        return FILLED + (max(0, s.value[explorer]) if mine else 7)
    if s.phase == PLACE_BOAT:
        return together(
            BOAT_START + way_from(action),
            START_BESIDE + beside_start(s, action),
            NO_TRAIT,
            NO_TRAIT,
        )
    if s.phase == NAME_VALUE:
        return NAMED + action - VALUE
    if s.phase == PLACE_EXPLORER:
        home = HOME + s.terrain[TILE_OF[action]] * WAYS + way_from(action)
        return together(home, SEA_BESIDE + sea_beside(s, action), NO_TRAIT, NO_TRAIT)
    return NO_TRAIT


@rule
def place_of_piece(s: State, piece: int) -> int:
    """The space of a piece that a tile can move."""
    if piece >= CREATURE_PIECE:
        return s.creature[piece - CREATURE_PIECE]
    return s.boat[piece - BOAT] if piece >= BOAT else s.place[piece - EXPLORER]


@rule
def beside_start(s: State, space: int) -> int:
    mine = 0
    others = 0
    for explorer in range(EXPLORERS):
        if s.place[explorer] < SPACES and distance(s.place[explorer], space) <= 1:
            if owner(s, explorer) == s.to_move:
                mine += 1
            else:
                others += 1
    return counted(mine, others)


@rule
def sea_beside(s: State, space: int) -> int:
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            count += 1
    return count


choose_quickly_1 = quick_choice("the-island", "quick_1", describe_1, TRAITS, glance_1)
