"""Named access to positions of both games: spaces, people, boats and creatures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from archipel.rules import positions
from archipel.rules.hex_sea.boats import boat_in, controls, is_sea
from archipel.rules.hex_sea.names import SeaNames, pieces_in
from archipel.rules.hex_sea.narration import aboard
from archipel.rules.hex_sea.places import ABOARD, GONE, LOST, NO_BOAT
from archipel.rules.hex_sea.position import SeaWords
from archipel.rules.hex_sea.sea import HasSea
from archipel.rules.position_fields import name_of


@dataclass(frozen=True)
class Space:
    """A space of the board.

    ``column`` counts half spaces from the left, ``row`` from the top, both from 0.  ``landing`` is
    the safe island that is reached from here; ``terrain`` is None on the sea; ``under`` is the
    underside of the tile or piece that lies or lay here, if it is known.
    """

    name: str
    terrain: str | None
    under: str | None
    landing: str | None
    row: int
    column: int
    neighbours: tuple[str, ...]
    people: tuple[str, ...]
    boat: str | None
    creatures: tuple[str, ...]

    @property
    def is_sea(self) -> bool:
        return self.terrain is None


@dataclass(frozen=True)
class SafeIsland:
    """A safe island: its exits, and the people saved there."""

    name: str
    exits: tuple[str, ...]
    people: tuple[str, ...]


@dataclass(frozen=True)
class Boat:
    """A boat; ``space`` is None if it is in the stock or out of the game."""

    name: str
    space: str | None
    is_gone: bool
    crew: tuple[str, ...]
    controlled_by: tuple[int, ...]


@dataclass(frozen=True)
class Creature:
    """A creature, such as ``shark 2``; ``space`` is None if it is not on the board."""

    name: str
    kind: str
    space: str | None
    is_gone: bool


@dataclass(frozen=True)
class Person:
    """A person; ``place`` is a space, a boat, a safe island, ``lost``, or ``-`` before placement;
    ``space`` is their space on the board, in a boat or not."""

    name: str
    seat: int
    colour: str
    place: str
    space: str | None
    boat: str | None
    is_swimming: bool
    is_saved: bool
    is_lost: bool


class SeaPosition(positions.Position):
    """The parts of positions that both games have."""

    state: Any
    _words: ClassVar[SeaWords]
    _colours: ClassVar[tuple[str, ...]]
    _terrains: ClassVar[tuple[str, ...]]
    _phases: ClassVar[dict[str, int]]
    _endings: ClassVar[dict[str, int]]

    # ---- supplied by each game ------------------------------------------------------------------

    def _seat_of(self, person: int) -> int:
        raise NotImplementedError

    def _terrain(self, space: int) -> str | None:
        """The terrain of a space that is land."""
        raise NotImplementedError

    def _under(self, space: int) -> str | None:
        raise NotImplementedError

    # ---- the turn -------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """The decision to make, by its word in position texts."""
        return name_of(self._phases, self._s.phase)

    @property
    def ending(self) -> str | None:
        """The reason why the game ended."""
        name = name_of(self._endings, self._s.ending)
        return None if name == "-" else name

    @property
    def turn(self) -> int:
        """The seat whose turn it is; another seat may be the one to decide (`to_move`)."""
        return self._s.turn

    @property
    def points(self) -> int:
        """Movement points left."""
        return self._s.points

    @property
    def steps(self) -> int:
        """The number of spaces that the chosen piece may still go."""
        return self._s.steps

    @property
    def chosen(self) -> str | None:
        """The piece that is being moved."""
        chosen = self._words.chosen_text(self._s.chosen)
        return None if chosen == "-" else chosen

    @property
    def land_left(self) -> dict[str, int]:
        """The numbers of tiles or pieces left of each terrain, in the order they sink."""
        return dict(zip(self._terrains, self._s.land_left))

    # ---- pieces ---------------------------------------------------------------------------------

    @property
    def spaces(self) -> tuple[Space, ...]:
        return tuple(self._space(space) for space in range(len(self._s.space)))

    @property
    def safe_islands(self) -> tuple[SafeIsland, ...]:
        return tuple(self._island(island) for island in range(len(self._names.board.shores)))

    @property
    def boats(self) -> tuple[Boat, ...]:
        return tuple(self._boat(boat) for boat in range(len(self._s.boat)))

    @property
    def creatures(self) -> tuple[Creature, ...]:
        return tuple(self._creature(creature) for creature in range(len(self._s.creature)))

    def _named(self, name: str) -> object | None:
        names = self._names
        if name in names.spaces:
            return self._space(names.spaces[name])
        if name in names.islands:
            return self._island(names.islands[name])
        if name in names.people:
            return self._person(names.people[name])
        if name in (boats := [self._boat_name(boat) for boat in range(len(self._s.boat))]):
            return self._boat(boats.index(name))
        creatures = {called.replace(" ", ""): number for called, number in names.creatures.items()}
        creature = creatures.get(name.replace(" ", ""))
        return None if creature is None else self._creature(creature)

    @property
    def _s(self) -> HasSea:
        state: HasSea = self.state
        return state

    @property
    def _names(self) -> SeaNames:
        return self._words.names

    def _boat_name(self, boat: int) -> str:
        return f"boat{self._names.boat(boat)}"

    def _on_board(self, space: int) -> str | None:
        return self._names.space(space) if space < len(self._s.space) else None

    def _people_at(self, place: int) -> tuple[str, ...]:
        return tuple(map(self._names.person, pieces_in(self._s.place, place)))

    def _space(self, space: int) -> Space:
        names, s = self._names, self._s
        board = names.board
        boat = boat_in(s, space)
        landing = board.shore_of[space]
        return Space(
            names.space(space),
            terrain=None if is_sea(s, space) else self._terrain(space),
            under=self._under(space),
            landing=None if landing < 0 else names.island(landing),
            row=board.rows[space],
            column=board.half_columns[space],
            neighbours=tuple(map(names.space, board.neighbours[space])),
            people=self._people_at(space),
            boat=None if boat == NO_BOAT else self._boat_name(boat),
            creatures=tuple(map(names.creature, pieces_in(s.creature, space))),
        )

    def _island(self, island: int) -> SafeIsland:
        exits = tuple(map(self._names.space, self._names.board.exits[island]))
        people = self._people_at(len(self._s.space) + island)
        return SafeIsland(self._names.island(island), exits, people)

    def _boat(self, boat: int) -> Boat:
        s = self._s
        return Boat(
            self._boat_name(boat),
            space=self._on_board(s.boat[boat]),
            is_gone=s.boat[boat] == GONE,
            crew=tuple(map(self._names.person, aboard(s, boat))),
            controlled_by=tuple(seat for seat in range(s.seats) if controls(s, boat, seat)),
        )

    def _creature(self, creature: int) -> Creature:
        place = self._s.creature[creature]
        names = self._names
        return Creature(
            names.creature(creature), names.kind(creature), self._on_board(place), place == GONE
        )

    def _person(self, person: int) -> Person:
        return Person(**self._person_parts(person))

    def _person_parts(self, person: int) -> dict[str, Any]:
        s, names = self._s, self._names
        place = s.place[person]
        boat = place - ABOARD if ABOARD <= place < ABOARD + len(s.boat) else NO_BOAT
        colour = person * len(self._colours) // len(s.place)
        return {
            "name": names.person(person),
            "seat": self._seat_of(person),
            "colour": self._colours[colour],
            "place": self._words.place_text(place),
            "space": self._on_board(place if boat == NO_BOAT else s.boat[boat]),
            "boat": None if boat == NO_BOAT else self._boat_name(boat),
            "is_swimming": place < len(s.space) and is_sea(s, place),
            "is_saved": len(s.space) <= place < ABOARD,
            "is_lost": place == LOST,
        }
