"""A position of Mauna Kea, by the names of what is in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from archipel.rules import positions
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    BOAT_COLOUR,
    BOAT_COLOURS,
    BOATS,
    CARD_NAMES,
    COLOUR,
    COLOUR_NAMES,
    COVE_NAMES,
    FLOW_NAMES,
    KINDS,
    MOST_EXPLORERS,
    NO_TILE,
    PLACES,
    TILE_NAMES,
)
from archipel.rules.mauna_kea.geometry import (
    CELL_COLUMN,
    CELL_NUMBERS,
    CELL_ROW,
    CELLS,
    DIRECTION_NAMES,
    NEXT_CELL,
    NEXT_SPACE,
    NOWHERE,
    QUARTERS,
    SPACE_NUMBERS,
    SPACES,
    cell_name,
    space_name,
)
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.position_names import ENDINGS, PHASES, explorer_text, name_of
from archipel.rules.mauna_kea.state import (
    ABOARD,
    CARRIED,
    LIFTED,
    LOST,
    NO_CARD,
    NOBODY,
    ON_CARD,
    OWNED,
    SAVED,
    UNKNOWN,
    State,
    explorers_each,
    terrain_at,
)

GROUNDS: Final = ("jungle", "lake", "mountain", None, "lava", "volcano")


@dataclass(frozen=True)
class Cell:
    """A quarter of a space. Columns and rows of cells count from 0, from the north-west; its
    ``terrain`` is None where no tile lies; ``neighbours`` are found by direction."""

    name: str
    space: str
    terrain: str | None
    row: int
    column: int
    neighbours: dict[str, str]
    explorers: tuple[str, ...]
    artefacts: tuple[str, ...]


@dataclass(frozen=True)
class Space:
    """A place for a tile: its name in notation, how far it is turned (for lava: its heading), and
    what lies in each direction."""

    name: str
    tile: str | None
    turns: int
    is_lava: bool
    cells: tuple[str, ...]
    neighbours: dict[str, str]


@dataclass(frozen=True)
class Explorer:
    """``place`` is a cell, ``saved``, ``lifted`` or ``lost``, or ``-`` before it is placed."""

    seat: int
    number: int
    place: str
    cell: str | None
    artefacts: tuple[str, ...]
    is_saved: bool
    is_lost: bool

    @property
    def name(self) -> str:
        return f"{self.seat + 1}.{self.number}"


@dataclass(frozen=True)
class Boat:
    """It lies in a cove until somebody boards it; then it is in front of a seat."""

    name: str
    colour: str
    places: int
    cove: str | None
    seat: int | None
    artefacts: tuple[str, ...]


class Position(positions.Position):
    """The island, the explorers and what they carry, boats, tiles and cards.

    ``position["1.2"]`` is the second explorer of the first seat, ``position["e4nw"]`` a cell,
    ``position["e4"]`` a space, ``position["boat3"]`` a boat.
    """

    state: State
    examples: ClassVar[str] = "an explorer (1.2), a cell (e4nw), a space (e4) or boat1"

    # ---- the course of the game -----------------------------------------------------------------

    @property
    def phase(self) -> str:
        """What is asked, by the word that positions have for it."""
        return name_of(PHASES, self.state.phase)

    @property
    def ending(self) -> str | None:
        """Why the game is ending or has ended."""
        name = name_of(ENDINGS, self.state.ending)
        return None if name == "-" else name

    @property
    def pool(self) -> int:
        """Movement points of the tiles spent in this turn."""
        return self.state.pool

    @property
    def turn_number(self) -> int:
        """Turns finished since the set-up."""
        return self.state.turn_number

    @property
    def quiet_turns(self) -> int:
        return self.state.quiet_turns

    @property
    def active(self) -> str | None:
        """The explorer named last in this turn."""
        s = self.state
        return None if s.active == NOBODY else f"{s.to_move + 1}.{s.active + 1}"

    @property
    def held(self) -> str | None:
        """The tile that is being laid."""
        return None if self.state.held == NO_TILE else TILE_NAMES[self.state.held]

    # ---- the island -----------------------------------------------------------------------------

    @property
    def spaces(self) -> tuple[Space, ...]:
        return tuple(map(self._space, range(SPACES)))

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(map(self._cell, range(CELLS)))

    @property
    def flows(self) -> dict[str, tuple[str, ...]]:
        """The spaces of each lava flow, in the order in which they were covered."""
        s = self.state
        return {
            name: tuple(map(space_name, s.flow_space[flow][: s.flow_length[flow]]))
            for flow, name in enumerate(FLOW_NAMES)
        }

    # ---- pieces ---------------------------------------------------------------------------------

    @property
    def explorers(self) -> tuple[Explorer, ...]:
        """Seat by seat."""
        each = range(explorers_each(self.state))
        return tuple(
            self._explorer(seat, number) for seat in range(self.state.seats) for number in each
        )

    @property
    def boats(self) -> tuple[Boat, ...]:
        return tuple(map(self._boat, range(BOATS)))

    # ---- tiles and cards ------------------------------------------------------------------------

    @property
    def fronts(self) -> tuple[tuple[str, ...], ...]:
        """The tiles in front of each seat."""
        return tuple(
            tuple(TILE_NAMES[tile] for tile in self.state.front[seat] if tile != NO_TILE)
            for seat in range(self.state.seats)
        )

    @property
    def bag(self) -> dict[str, int]:
        """How many tiles of each kind the bag still holds, which everyone can count."""
        return {TILE_NAMES[kind]: count for kind, count in enumerate(self.state.bag) if count}

    @property
    def hands(self) -> tuple[tuple[str | None, ...], ...]:
        """The cards of each seat; one that is not seen is None."""
        return tuple(map(self._cards, self.state.hand[: self.state.seats]))

    @property
    def rejected(self) -> tuple[tuple[str | None, ...], ...]:
        """The cards that each seat has rejected."""
        return tuple(map(self._cards, self.state.rejected[: self.state.seats]))

    @property
    def played(self) -> tuple[str, ...]:
        """The action cards that have been played."""
        counts = self.state.played
        return tuple(CARD_NAMES[kind] for kind in range(ACTION_KINDS) for _ in range(counts[kind]))

    # ---- inside ---------------------------------------------------------------------------------

    def _named(self, name: str) -> Explorer | Cell | Space | Boat | None:
        if name in CELL_NUMBERS:
            return self._cell(CELL_NUMBERS[name])
        if name in SPACE_NUMBERS:
            return self._space(SPACE_NUMBERS[name])
        things: tuple[Explorer | Boat, ...] = (*self.explorers, *self.boats)
        return next((thing for thing in things if thing.name == name), None)

    def _artefacts(self, place: int) -> tuple[str, ...]:
        where = self.state.artefact
        return tuple(COLOUR_NAMES[COLOUR[a]] for a in range(len(where)) if where[a] == place)

    def _cell(self, cell: int) -> Cell:
        s = self.state
        return Cell(
            cell_name(cell),
            space=space_name(cell // QUARTERS),
            terrain=GROUNDS[terrain_at(s, cell)],
            row=CELL_ROW[cell],
            column=CELL_COLUMN[cell],
            neighbours={
                name: cell_name(NEXT_CELL[direction][cell])
                for direction, name in enumerate(DIRECTION_NAMES)
                if NEXT_CELL[direction][cell] != NOWHERE
            },
            explorers=tuple(one.name for one in self.explorers if one.cell == cell_name(cell)),
            artefacts=self._artefacts(cell),
        )

    def _space(self, space: int) -> Space:
        tile = self.state.tile[space]
        first = space * QUARTERS
        return Space(
            space_name(space),
            tile=TILE_NAMES[tile] if tile < KINDS else None,
            turns=self.state.turn[space],
            is_lava=is_lava(tile),
            cells=tuple(cell_name(first + quarter) for quarter in range(QUARTERS)),
            neighbours={
                name: space_name(NEXT_SPACE[direction][space])
                for direction, name in enumerate(DIRECTION_NAMES)
                if NEXT_SPACE[direction][space] != NOWHERE
            },
        )

    def _explorer(self, seat: int, number: int) -> Explorer:
        place = self.state.explorer[seat][number]
        return Explorer(
            seat,
            number + 1,
            place=explorer_text(place),
            cell=cell_name(place) if place >= 0 else None,
            artefacts=self._artefacts(CARRIED + MOST_EXPLORERS * seat + number),
            is_saved=place in (SAVED, LIFTED),
            is_lost=place == LOST,
        )

    def _boat(self, boat: int) -> Boat:
        place = self.state.boat[boat]
        coves = COVE_NAMES[self.state.layout]
        return Boat(
            f"boat{boat + 1}",
            colour=BOAT_COLOURS[BOAT_COLOUR[boat]],
            places=PLACES[boat],
            cove=coves[place] if place < OWNED else None,
            seat=place - OWNED if place >= OWNED else None,
            artefacts=self._artefacts(ABOARD + boat),
        )

    def lifted(self, seat: int) -> tuple[str, ...]:
        """The artefacts that a seat's helicopter has taken away."""
        return self._artefacts(ON_CARD + seat)

    def _cards(self, cards: list[int]) -> tuple[str | None, ...]:
        return tuple(
            None if card == UNKNOWN else CARD_NAMES[card] for card in cards if card != NO_CARD
        )
