"""The rules that The Island and Atlantis share, and the parts that each game supplies to them.

A game makes one `Sea` of its board, its box, its phases and its actions, in its module ``sea``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from archipel.rules.hex_sea.boats import boat_in, has_room, is_sea, remove_boat
from archipel.rules.hex_sea.places import (
    ABOARD,
    FIRST_CREATURE_BIT,
    GONE,
    IN_STOCK,
    LAND,
    LOST,
    NO_BOAT,
    NO_CREATURE,
    WAITING,
)
from archipel.rules.hex_sea.swimmers import HasSwimmers
from archipel.rules.kit import rule, rule_apart

TURNS_WITHOUT_EVENT: Final = 12  # per player, with no land left


class HasSea(HasSwimmers, Protocol):
    """A state of islands, boats, people and creatures: see `archipel.rules.hex_sea.places`."""

    seats: int
    # The decision to make.
    phase: int
    turn: int  # the seat whose turn it is
    points: int  # movement points left
    chosen: int  # the piece, as the action that chose it
    steps: int  # spaces that the chosen piece may still go
    # The end of the game.
    idle_turns: int  # turns begun without land since anyone was saved or lost
    ending: int
    # The pieces.
    land_left: list[int]  # of each terrain, in the order in which they sink
    left: list[int]  # of each seat, people neither saved nor lost
    creature: list[int]  # per creature, its space


S = TypeVar("S", bound=HasSea)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sea(Generic[S]):
    """The shared rules, and the parts that a game supplies to them."""

    # The board.
    spaces: int
    islands: int
    first_near: list[int]  # see `HexBoard.first_near`
    near: list[int]
    shore_of: list[int]
    # The box.
    terrains: tuple[str, ...]
    most_seats: int
    people: int  # numbered colour by colour
    per_colour: int
    boats: int
    movement_points: int
    creatures: int  # numbered kind by kind
    creature_kinds: tuple[str, ...]
    first_of_kind: list[int]  # and one more for the end
    kind_of: list[int]
    # Phases.
    last_of_set_up: int  # the phases after it are turns
    move: int
    move_to: int
    over: int
    not_over: int  # the ending of a game that goes on
    first_automatic: int
    begin_sinking: int
    arrived: int
    turn_ends: int
    # Actions.
    island: int
    person: int
    boat: int
    creature_piece: int
    stop: int
    # Rules.
    colours_in_play: Callable[[S], int]
    """The number of colours in play; they belong to the seats in turn."""
    seat_of: Callable[[S, int], int]
    """The seat of a person."""
    take_up: Callable[[S, int], None]
    """Take a person off their space or boat; the caller sets the new place."""

    # ---- people ----------------------------------------------------------------------------------

    @rule
    def lose(self, s: S, person: int) -> None:
        """Remove a person from the game."""
        self.take_up(s, person)
        s.place[person] = LOST
        self.count_out(s, person)

    @rule
    def save(self, s: S, person: int, island: int) -> None:
        """Put a person ashore on a safe island for good."""
        self.take_up(s, person)
        s.place[person] = self.spaces + island
        self.count_out(s, person)

    @rule
    def count_out(self, s: S, person: int) -> None:
        """Reduce the seat's count of people left, and restart the count of idle turns."""
        s.left[self.seat_of(s, person)] -= 1
        s.idle_turns = 0

    @rule
    def is_saved(self, s: S, person: int) -> bool:
        return self.spaces <= s.place[person] < self.spaces + self.islands

    @rule
    def swims(self, s: S, person: int) -> bool:
        place = s.place[person]
        return place < self.spaces and is_sea(s, place)

    @rule_apart
    def lose_swimmers(self, s: S, space: int) -> None:
        """Lose everybody in a space, in the water or on land that has just sunk."""
        for person in range(self.people):
            if s.place[person] == space:
                self.lose(s, person)

    @rule_apart
    def lose_boat(self, s: S, boat: int) -> None:
        """Remove a boat and lose everybody aboard."""
        for person in range(self.people):
            if s.place[person] == ABOARD + boat:
                self.lose(s, person)
        remove_boat(s, boat)

    # ---- creatures -------------------------------------------------------------------------------

    @rule
    def put_creature(self, s: S, creature: int, space: int) -> None:
        s.creature[creature] = space
        s.space[space] |= FIRST_CREATURE_BIT << self.kind_of[creature]

    @rule_apart
    def take_up_creature(self, s: S, creature: int) -> None:
        """Take a creature off its space; another of its kind may remain there."""
        space = s.creature[creature]
        kind = self.kind_of[creature]
        s.creature[creature] = GONE
        if self.creature_in(s, kind, space) == NO_CREATURE:
            s.space[space] = s.space[space] & ~(FIRST_CREATURE_BIT << kind)

    @rule
    def move_creature(self, s: S, creature: int, space: int) -> None:
        self.take_up_creature(s, creature)
        self.put_creature(s, creature, space)

    @rule
    def creature_in(self, s: S, kind: int, space: int) -> int:
        """The first creature of a kind in a space, or `NO_CREATURE`."""
        for creature in range(self.first_of_kind[kind], self.first_of_kind[kind + 1]):
            if s.creature[creature] == space:
                return creature
        return NO_CREATURE

    @rule
    def next_in_stock(self, s: S, kind: int) -> int:
        """The next creature of a kind in the stock, or `NO_CREATURE`."""
        return self.creature_in(s, kind, IN_STOCK)

    @rule
    def is_on_board(self, s: S, creature: int) -> bool:
        return s.creature[creature] < self.spaces

    @rule
    def remove_creatures(self, s: S, space: int) -> None:
        """Remove all creatures in a space from the game."""
        for creature in range(self.creatures):
            if s.creature[creature] == space:
                self.take_up_creature(s, creature)

    @rule
    def step_creature(self, s: S, action: int) -> None:
        """Move the chosen creature by one space, or stop."""
        if action == self.stop:
            s.phase = self.turn_ends
            return
        self.move_creature(s, s.chosen - self.creature_piece, action)
        s.steps -= 1
        s.phase = self.arrived

    # ---- sinking ---------------------------------------------------------------------------------

    @rule
    def any_land_left(self, s: S) -> bool:
        for terrain in range(len(self.terrains)):
            if s.land_left[terrain] > 0:
                return True
        return False

    @rule
    def terrain_due(self, s: S) -> int:
        """The terrain that sinks next: the first one that is left."""
        terrain = 0
        while s.land_left[terrain] == 0:
            terrain += 1
        return terrain

    @rule
    def uncover(self, s: S, space: int, terrain: int) -> None:
        """Turn land of a terrain into sea."""
        s.space[space] = s.space[space] & ~LAND
        s.land_left[terrain] -= 1

    @rule
    def next_boat_in_stock(self, s: S) -> int:
        """Return the next boat of the stock, or `NO_BOAT`."""
        for boat in range(self.boats):
            if s.boat[boat] == IN_STOCK:
                return boat
        return NO_BOAT

    @rule_apart
    def whirlpool(self, s: S, space: int) -> None:
        """Remove everything in a space and on the adjacent sea."""
        self.swallow(s, space)
        for near in range(self.first_near[space], self.first_near[space + 1]):
            if is_sea(s, self.near[near]):
                self.swallow(s, self.near[near])

    @rule_apart
    def swallow(self, s: S, space: int) -> None:
        self.lose_swimmers(s, space)
        boat = boat_in(s, space)
        if boat != NO_BOAT:
            self.lose_boat(s, boat)
        if s.space[space] != 0:
            self.remove_creatures(s, space)

    # ---- set-up ----------------------------------------------------------------------------------

    @rule_apart
    def clear_board(self, s: S) -> None:
        """Make everybody wait, and put every boat and creature into the stock."""
        for space in range(self.spaces):
            s.space[space] = 0
        for person in range(self.people):
            s.place[person] = WAITING
        for boat in range(self.boats):
            s.boat[boat] = IN_STOCK
            for seat in range(self.most_seats):
                s.aboard[boat][seat] = 0
        for creature in range(self.creatures):
            s.creature[creature] = IN_STOCK
        for seat in range(self.most_seats):
            s.left[seat] = 0
        for colour in range(self.colours_in_play(s)):
            s.left[self.seat_of(s, colour * self.per_colour)] += self.per_colour

    @rule
    def next_to_place(self, s: S, colour: int) -> int:
        """Return the next person of a colour to place, or -1."""
        for person in range(colour * self.per_colour, (colour + 1) * self.per_colour):
            if s.place[person] == WAITING:
                return person
        return -1

    # ---- views -----------------------------------------------------------------------------------

    @rule
    def view_of_sea(self, s: S, seen: S) -> None:
        """Copy all public fields: the turn and the pieces."""
        seen.seats = s.seats
        seen.phase = s.phase
        seen.turn = s.turn
        seen.points = s.points
        seen.chosen = s.chosen
        seen.steps = s.steps
        seen.sea_stepped = s.sea_stepped
        seen.idle_turns = s.idle_turns
        seen.ending = s.ending
        for space in range(self.spaces):
            seen.space[space] = s.space[space]
        for terrain in range(len(self.terrains)):
            seen.land_left[terrain] = s.land_left[terrain]
        for person in range(self.people):
            seen.place[person] = s.place[person]
        for other in range(self.most_seats):
            seen.left[other] = s.left[other]
        for boat in range(self.boats):
            seen.boat[boat] = s.boat[boat]
            for other in range(self.most_seats):
                seen.aboard[boat][other] = s.aboard[boat][other]
        for creature in range(self.creatures):
            seen.creature[creature] = s.creature[creature]

    # ---- turns -----------------------------------------------------------------------------------

    @rule
    def next_seat(self, s: S, seat: int) -> int:
        """The next seat clockwise, without a division."""
        return seat + 1 if seat + 1 < s.seats else 0

    @rule
    def count_idle_turn(self, s: S) -> None:
        """Count a turn with no land left; the count restarts when somebody is saved or lost."""
        if not self.any_land_left(s):
            s.idle_turns += 1

    @rule
    def is_stalemate(self, s: S) -> bool:
        """Whether nobody was saved or lost for `TURNS_WITHOUT_EVENT` turns per player."""
        return s.idle_turns >= TURNS_WITHOUT_EVENT * s.seats

    # ---- reach -----------------------------------------------------------------------------------

    @rule
    def touches_sea(self, s: S, space: int) -> bool:
        for near in range(self.first_near[space], self.first_near[space + 1]):
            if s.space[self.near[near]] & LAND == 0:
                return True
        return False

    @rule
    def can_board(self, s: S, boat: int) -> bool:
        """Whether a boat exists and has room."""
        return boat != NO_BOAT and has_room(s, boat)

    @rule
    def boats_in_reach(self, s: S, space: int) -> int:
        """The set of boats with room on the adjacent spaces."""
        boats = 0
        for near in range(self.first_near[space], self.first_near[space + 1]):
            boat = boat_in(s, self.near[near])
            if self.can_board(s, boat):
                boats |= 1 << boat
        return boats
