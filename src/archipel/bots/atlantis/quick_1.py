"""quick-1: what can be seen of an action at a glance, weighed as greedy-1 would have it.

Distances come from tables; of the board only the spaces beside an action are looked at.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.atlantis.distances import FAR as FAR_AWAY
from archipel.bots.atlantis.distances import STEPS, TO_LANDING
from archipel.bots.atlantis.greedy_1 import exposed_to
from archipel.bots.hex_sea import quick_1 as shared
from archipel.bots.hex_sea.quick_1 import COUNTS, STEPS_TO_FETCH, WAYS, Sight, counted
from archipel.bots.quick import NO_TRAIT, quick_choice, together
from archipel.rules.atlantis.board import SHORE_OF, SPACES
from archipel.rules.atlantis.components import (
    FIRST_OF_KIND,
    KIND_OF,
    MONSTER,
    OCTOPUS,
    PER_TRIBE,
    SHARK,
    TRIBE_OF,
)
from archipel.rules.atlantis.moving import may_ride, may_step_ashore
from archipel.rules.atlantis.sea import SEA
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_PIECE,
    ANIMAL_STEP,
    BOAT,
    DOLPHIN_BIT,
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
from archipel.rules.hex_sea.boats import boat_in, controls, is_sea, load
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

KINDS: Final = 4  # of animals
ANYWHERE: Final = 0  # a space: whoever is at sea is not farther than far away from it
REACH: Final = 3  # steps within which an animal is near

# Traits, each counted on by what is said of it.
WORD: Final = 1  # enough, pass: by phase
WALKER: Final = WORD + 8
BESIDE: Final = WALKER + WAYS  # what is beside a walker
SWIMMER: Final = BESIDE + 4  # whether it may swim on, has a boat, way
LANDING: Final = SWIMMER + 4 * WAYS  # by boat, swimming, on a dolphin
PASSENGER: Final = LANDING + 3  # whether the boat is one's own, way
EMPTY_BOAT: Final = PASSENGER + 2 * WAYS
SAILING: Final = EMPTY_BOAT + WAYS
CREW: Final = SAILING + WAYS  # one's own and others
ASHORE: Final = CREW + COUNTS
RIDING: Final = ASHORE + 1
BOARDING: Final = RIDING + 1  # from land, water or boat
JOINED: Final = BOARDING + 3  # one's own and others aboard
BOARDED_AT: Final = JOINED + COUNTS
SWIM_TO: Final = BOARDED_AT + WAYS  # from land or water, nearer or farther, way
FEAR: Final = SWIM_TO + 9 * WAYS  # sharks and monsters near
THERE: Final = FEAR + 4  # a boat with room, a dolphin
WALK_TO: Final = THERE + 4  # nearer or farther, way
BESIDE_THERE: Final = WALK_TO + 3 * WAYS
COURSE: Final = BESIDE_THERE + 4  # loaded or not, nearer or farther, way
FEAR_AFLOAT: Final = COURSE + 6 * WAYS  # monsters and octopuses near
FETCH: Final = FEAR_AFLOAT + 4  # nearer to one's own or farther, steps
SUNK: Final = FETCH + 3 * STEPS_TO_FETCH  # one's own and others there
SUNK_AT: Final = SUNK + COUNTS  # what is beside it
BOATS_BESIDE: Final = SUNK_AT + 4
HOME: Final = BOATS_BESIDE + 4
HOME_BESIDE: Final = HOME + WAYS
CROWD: Final = HOME_BESIDE + 4
MOVED: Final = CROWD + 8  # whose person is placed elsewhere
MOVED_TO: Final = MOVED + 2  # whose, land or sea, way
MOVED_BESIDE: Final = MOVED_TO + 4 * WAYS  # whose, what is beside
SENT: Final = MOVED_BESIDE + 8  # kind, one's own and others near it
HIT: Final = SENT + KINDS * COUNTS  # kind, one's own and others in the water
HIT_BOAT: Final = HIT + KINDS * COUNTS
THREAT: Final = HIT_BOAT + KINDS * COUNTS
TRAITS: Final = THREAT + KINDS * COUNTS


# ---- what quick-1 sees alike in both games ------------------------------------------------------


@rule
def decider(s: State) -> int:
    return s.turn


@rule
def distance(one: int, other: int) -> int:
    return STEPS[one][other]


@rule
def steps_to_own(s: State, space: int) -> int:
    """To the nearest of one's own people on land."""
    least = SPACES
    for person in range(s.turn * PER_TRIBE, (s.turn + 1) * PER_TRIBE):
        place = s.place[person]
        if place < SPACES and not is_sea(s, place):
            least = min(least, STEPS[space][place])
    return least


SIGHT: Final = Sight(
    SEA,
    TO_SAFETY=TO_LANDING,
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
    """Where an animal is to be sent, those whom it concerns, as a set of bits."""
    if s.phase == ANIMAL:
        return exposed_to(s, s.spun, ANYWHERE, FAR_AWAY)
    if s.phase == ANIMAL_STEP:
        return exposed_to(s, KIND_OF[s.chosen - ANIMAL_PIECE], ANYWHERE, FAR_AWAY)
    return 0


@rule
def describe_1(s: State, seen: int, action: int) -> int:
    """The traits of an action in its phase."""
    if action == STOP:
        return WORD + s.phase
    if s.phase == MOVE:
        return describe_piece(s, action)
    if s.phase == MOVE_TO:
        return describe_destination(s, s.chosen, action)
    if s.phase == SINK:
        return describe_sinking(s, action)
    if s.phase == ANIMAL:
        animal = action - ANIMAL_PIECE
        return SENT + near_by(s, seen, KIND_OF[animal], s.creature[animal])
    if s.phase == ANIMAL_STEP:
        return describe_step(s, seen, KIND_OF[s.chosen - ANIMAL_PIECE], action)
    return describe_placing(s, action)


# ---- moving -------------------------------------------------------------------------------------


@rule_apart
def describe_piece(s: State, action: int) -> int:
    if action >= BOAT:
        return describe_boat(s, action - BOAT)
    person = action - PERSON
    place = s.place[person]
    if place >= ABOARD:
        space = s.boat[place - ABOARD]
        if SHORE_OF[space] >= 0:
            return LANDING
        own = WAYS if controls(s, place - ABOARD, s.turn) else 0
        return PASSENGER + own + way_from(space)
    if not is_sea(s, place):
        return together(WALKER + way_from(place), BESIDE + beside(s, place), NO_TRAIT, NO_TRAIT)
    if may_step_ashore(s, place):
        return LANDING + 1
    if may_ride(s, place):
        return LANDING + 2
    kind = 2 * (s.sea_stepped >> person & 1) + (1 if boat_with_room(s, place) else 0)
    return SWIMMER + kind * WAYS + way_from(place)


@rule_apart
def describe_destination(s: State, piece: int, action: int) -> int:
    if piece >= BOAT:
        return describe_course(s, piece - BOAT, action)
    place = s.place[piece - PERSON]
    if action >= BOAT:
        return describe_boarding(s, place, action - BOAT)
    if action >= RIDE:
        return RIDING
    if action >= ISLAND:
        return ASHORE
    start = s.boat[place - ABOARD] if place >= ABOARD else place
    step = nearer(start, action)
    if not is_sea(s, action):
        beside_there = BESIDE_THERE + beside(s, action)
        return together(WALK_TO + step * WAYS + way_from(action), beside_there, NO_TRAIT, NO_TRAIT)
    there = 1 if boat_with_room(s, action) else 0
    if s.space[action] & DOLPHIN_BIT != 0:
        there += 2
    return together(
        SWIM_TO + (3 * origin_of(s, place) + step) * WAYS + way_from(action),
        FEAR + fear(s, action, SHARK),
        THERE + there,
        NO_TRAIT,
    )


@rule
def fear(s: State, space: int, other_kind: int) -> int:
    """How many monsters, and animals of another kind, are near a space."""
    found = 0
    for animal in range(FIRST_OF_KIND[MONSTER], FIRST_OF_KIND[MONSTER + 1]):
        if s.creature[animal] < SPACES and STEPS[space][s.creature[animal]] <= REACH:
            found += 1
    for animal in range(FIRST_OF_KIND[other_kind], FIRST_OF_KIND[other_kind + 1]):
        if s.creature[animal] < SPACES and STEPS[space][s.creature[animal]] <= REACH:
            found += 1
    return min(3, found)


@rule
def describe_course(s: State, boat: int, space: int) -> int:
    if load(s, boat) == 0:
        return describe_empty_course(s, boat, space)
    mine = CREW + crew_of(s, boat) if nearer(s.boat[boat], space) == 0 else NO_TRAIT
    fear_there = FEAR_AFLOAT + fear(s, space, OCTOPUS)
    return together(course_to(s, boat, space), fear_there, mine, NO_TRAIT)


# ---- sinking and placing ------------------------------------------------------------------------


@rule
def people_at(s: State, place: int) -> int:
    if s.crowd[place] == 0:
        return 0
    mine = 0
    for person in range(s.turn * PER_TRIBE, (s.turn + 1) * PER_TRIBE):
        if s.place[person] == place:
            mine += 1
    return counted(mine, s.crowd[place] - mine)


@rule_apart
def describe_sinking(s: State, space: int) -> int:
    boats = boats_beside(s, space)
    there = SUNK + people_at(s, space)
    return together(there, SUNK_AT + beside(s, space), BOATS_BESIDE + boats, NO_TRAIT)


@rule_apart
def describe_placing(s: State, action: int) -> int:
    if s.phase == PLACE:
        return together(
            HOME + way_from(action),
            HOME_BESIDE + beside(s, action),
            CROWD + min(7, s.crowd[action]),
            NO_TRAIT,
        )
    if s.phase == RELOCATE:
        return MOVED + (1 if TRIBE_OF[action - PERSON] == s.turn else 0)
    mine = 1 if TRIBE_OF[s.chosen - PERSON] == s.turn else 0
    sea = 1 if is_sea(s, action) else 0
    return together(
        MOVED_TO + (2 * mine + sea) * WAYS + way_from(action),
        MOVED_BESIDE + 4 * mine + beside(s, action),
        NO_TRAIT,
        NO_TRAIT,
    )


# ---- animals ------------------------------------------------------------------------------------


@rule
def near_by(s: State, people: int, kind: int, space: int) -> int:
    """By kind of animal, how many of some people are near a space."""
    return kind * COUNTS + counted_among(s, people, space, REACH)


@rule_apart
def describe_step(s: State, people: int, kind: int, space: int) -> int:
    crew = 0
    boat = boat_in(s, space)
    if boat != NO_BOAT:
        crew = crew_of(s, boat)
    return together(
        HIT + kind * COUNTS + people_at(s, space),
        HIT_BOAT + kind * COUNTS + crew,
        THREAT + near_by(s, people, kind, space),
        NO_TRAIT,
    )


choose_quickly_1 = quick_choice("atlantis", "quick_1", describe_1, TRAITS, glance_1)
