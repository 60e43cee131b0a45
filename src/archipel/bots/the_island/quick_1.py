"""quick-1: what can be seen of an action at a glance, weighed as greedy-1 would have it.

Distances come from tables and the formula of `distances`; of the board only the spaces beside an
action are looked at.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.hex_sea import quick_1 as shared
from archipel.bots.hex_sea.quick_1 import (
    COUNTS,
    IN_BOAT,
    IN_WATER,
    ON_LAND,
    STEPS_TO_FETCH,
    WAYS,
    Sight,
    counted,
)
from archipel.bots.quick import NO_TRAIT, quick_choice, together
from archipel.bots.the_island.creatures import exposed_to, swimmers
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
from archipel.rules.the_island.sea import SEA
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
REMOVED: Final = FETCH + 3 * STEPS_TO_FETCH  # one's own and others there
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


# ---- what quick-1 sees alike in both games ------------------------------------------------------


@rule
def decider(s: State) -> int:
    return s.to_move


@rule
def steps_to_own(s: State, space: int) -> int:
    """To the nearest of one's own who is in no boat."""
    least = SPACES
    for colour in range(s.to_move, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if s.place[explorer] < SPACES:
                least = min(least, distance(s.place[explorer], space))
    return least


SIGHT: Final = Sight(
    SEA,
    TO_SAFETY=TO_EXIT,
    EMPTY_BOAT=EMPTY_BOAT,
    SAILING=SAILING,
    CREW=CREW,
    BOARDING=BOARDING,
    JOINED=JOINED,
    BOARDED_AT=BOARDED_AT,
    COURSE=COURSE,
    FETCH=FETCH,
    decider=decider,
    distance=distance,
    steps_to_own=steps_to_own,
)

beside = SIGHT(shared.beside)
boat_with_room = SIGHT(shared.boat_with_room)
boats_beside = SIGHT(shared.boats_beside)
counted_among = SIGHT(shared.counted_among)
course_to = SIGHT(shared.course_to)
crew_of = SIGHT(shared.crew_of)
describe_boarding = SIGHT(shared.describe_boarding)
describe_boat = SIGHT(shared.describe_boat)
describe_empty_course = SIGHT(shared.describe_empty_course)
nearer = SIGHT(shared.nearer)
origin_of = SIGHT(shared.origin_of)
way_from = SIGHT(shared.way_from)


# ---- what is seen of a position, and of an action -----------------------------------------------


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


# ---- step 2 -------------------------------------------------------------------------------------


@rule_apart
def describe_piece(s: State, action: int) -> int:
    if action >= BOAT:
        return describe_boat(s, action - BOAT)
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
    if boat_with_room(s, space):
        kind += 1
    return SWIMMER + kind * WAYS + way_from(space)


@rule_apart
def describe_destination(s: State, piece: int, action: int) -> int:
    if piece >= BOAT:
        return describe_course(s, piece - BOAT, action)
    place = s.place[piece - EXPLORER]
    if action >= BOAT:
        return describe_boarding(s, place, action - BOAT)
    if action >= ISLAND:
        return ASHORE
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
    found = 1 if boat_with_room(s, action) else 0
    return together(
        SWIM_TO + (3 * origin_of(s, place) + step) * WAYS + way_from(action),
        FEAR + min(3, danger(s, action, False) // 100),
        BOAT_THERE + found,
        NO_TRAIT,
    )


@rule
def describe_course(s: State, boat: int, space: int) -> int:
    if load(s, boat) == 0:
        return describe_empty_course(s, boat, space)
    sunk = NO_TRAIT
    if s.space[space] & SERPENT_BIT != 0:
        sunk = SUNK
    elif s.space[space] & WHALE_BIT != 0:
        sunk = SUNK + 1
    fear = FEAR_AFLOAT + min(3, danger(s, space, True) // 60)
    return together(course_to(s, boat, space), fear, sunk, NO_TRAIT)


# ---- steps 3 and 4 ------------------------------------------------------------------------------


@rule_apart
def describe_removal(s: State, space: int) -> int:
    there = REMOVED + people_at(s, space)
    return together(there, BOATS_BESIDE + boats_beside(s, space), NO_TRAIT, NO_TRAIT)


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
