"""Named access to a position of Mauna Kea."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from archipel.rules import positions
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.artefacts import artefacts_with
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.notation import ENDINGS, PHASES, cards_played
from archipel.rules.mauna_kea.position import EXPLORER_NAMES
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    NOBODY,
    OWNED,
    UNKNOWN,
    ArtefactPlace,
    ExplorerPlace,
    State,
    explorers_each,
    terrain_at,
)
from archipel.rules.position_fields import name_of

GROUNDS: Final = ("jungle", "lake", "mountain", None, "lava", "volcano")


@dataclass(frozen=True)
class Cell:
    """A quarter of a space.

    Rows and columns of cells count from 0 in the north-west. ``terrain`` is None without a tile.
    ``neighbours`` maps directions to cells.
    """

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
    """A place for a tile. ``turns`` are quarter turns, or the heading of lava."""

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
    """A boat in a cove or, once boarded, in front of a seat."""

    name: str
    colour: str
    places: int
    cove: str | None
    seat: int | None
    artefacts: tuple[str, ...]


class Position(positions.Position):
    """The island, the explorers and their loads, boats, tiles and cards.

    ``position["1.2"]`` is the second explorer of the first seat, ``position["e4nw"]`` a cell,
    ``position["e4"]`` a space, ``position["boat3"]`` a boat.
    """

    state: State
    examples: ClassVar[str] = "an explorer (1.2), a cell (e4nw), a space (e4) or boat1"

    @property
    def phase(self) -> str:
        """The decision to make, as position texts name it."""
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
        return None if self.state.held == Tile.NONE else box.TILE_NAMES[self.state.held]

    @property
    def spaces(self) -> tuple[Space, ...]:
        return tuple(map(self._space, range(grid.SPACES)))

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(map(self._cell, range(grid.CELLS)))

    @property
    def flows(self) -> dict[str, tuple[str, ...]]:
        """The spaces of each lava flow, in the order in which they were covered."""
        s = self.state
        return {
            name: tuple(map(grid.space_name, s.flow_space[flow][: s.flow_length[flow]]))
            for flow, name in enumerate(box.FLOW_NAMES)
        }

    @property
    def explorers(self) -> tuple[Explorer, ...]:
        """All explorers, seat by seat."""
        seats, each = range(self.state.seats), range(explorers_each(self.state))
        return tuple(self._explorer(seat, number) for seat in seats for number in each)

    @property
    def boats(self) -> tuple[Boat, ...]:
        return tuple(map(self._boat, range(box.BOATS)))

    @property
    def fronts(self) -> tuple[tuple[str, ...], ...]:
        """The tiles in front of each seat."""
        fronts = self.state.front[: self.state.seats]
        return tuple(tuple(box.TILE_NAMES[t] for t in row if t != Tile.NONE) for row in fronts)

    @property
    def bag(self) -> dict[str, int]:
        """The number of tiles of each kind in the bag, which is public."""
        return {box.TILE_NAMES[kind]: count for kind, count in enumerate(self.state.bag) if count}

    @property
    def hands(self) -> tuple[tuple[str | None, ...], ...]:
        """The cards of each seat; hidden ones are None."""
        return tuple(map(self._cards, self.state.hand[: self.state.seats]))

    @property
    def rejected(self) -> tuple[tuple[str | None, ...], ...]:
        """The cards that each seat has rejected."""
        return tuple(map(self._cards, self.state.rejected[: self.state.seats]))

    @property
    def played(self) -> tuple[str, ...]:
        """The action cards that have been played."""
        return cards_played(self.state)

    def _named(self, name: str) -> Explorer | Cell | Space | Boat | None:
        if name in grid.CELL_NUMBERS:
            return self._cell(grid.CELL_NUMBERS[name])
        if name in grid.SPACE_NUMBERS:
            return self._space(grid.SPACE_NUMBERS[name])
        things: tuple[Explorer | Boat, ...] = (*self.explorers, *self.boats)
        return next((thing for thing in things if thing.name == name), None)

    def _artefacts(self, place: int) -> tuple[str, ...]:
        artefacts = artefacts_with(self.state, place)
        return tuple(box.COLOUR_NAMES[box.COLOUR[artefact]] for artefact in artefacts)

    def _cell(self, cell: int) -> Cell:
        s = self.state
        return Cell(
            grid.cell_name(cell),
            space=grid.space_name(cell // grid.QUARTERS),
            terrain=GROUNDS[terrain_at(s, cell)],
            row=grid.CELL_ROW[cell],
            column=grid.CELL_COLUMN[cell],
            neighbours=_neighbours(cell, grid.NEXT_CELL, grid.cell_name),
            explorers=tuple(one.name for one in self.explorers if one.cell == grid.cell_name(cell)),
            artefacts=self._artefacts(cell),
        )

    def _space(self, space: int) -> Space:
        tile = self.state.tile[space]
        first = space * grid.QUARTERS
        return Space(
            grid.space_name(space),
            tile=box.TILE_NAMES[tile] if tile < box.KINDS else None,
            turns=self.state.turn[space],
            is_lava=is_lava(tile),
            cells=tuple(grid.cell_name(first + quarter) for quarter in range(grid.QUARTERS)),
            neighbours=_neighbours(space, grid.NEXT_SPACE, grid.space_name),
        )

    def _explorer(self, seat: int, number: int) -> Explorer:
        place = self.state.explorer[seat][number]
        return Explorer(
            seat,
            number + 1,
            place=EXPLORER_NAMES[place],
            cell=grid.cell_name(place) if place >= 0 else None,
            artefacts=self._artefacts(ArtefactPlace.CARRIED + box.MOST_EXPLORERS * seat + number),
            is_saved=place in (ExplorerPlace.SAVED, ExplorerPlace.LIFTED),
            is_lost=place == ExplorerPlace.LOST,
        )

    def _boat(self, boat: int) -> Boat:
        place = self.state.boat[boat]
        coves = box.COVE_NAMES[self.state.layout]
        return Boat(
            f"boat{boat + 1}",
            colour=box.BOAT_COLOURS[box.BOAT_COLOUR[boat]],
            places=box.PLACES[boat],
            cove=coves[place] if place < OWNED else None,
            seat=place - OWNED if place >= OWNED else None,
            artefacts=self._artefacts(ArtefactPlace.ABOARD + boat),
        )

    def lifted(self, seat: int) -> tuple[str, ...]:
        """The artefacts on a seat's helicopter card."""
        return self._artefacts(ArtefactPlace.ON_CARD + seat)

    def _cards(self, cards: list[int]) -> tuple[str | None, ...]:
        held = [card for card in cards if card != NO_CARD]
        return tuple(None if card == UNKNOWN else box.CARD_NAMES[card] for card in held)


def _neighbours(place: int, beside: list[list[int]], name: Callable[[int], str]) -> dict[str, str]:
    """The names of the neighbours of a cell or space, by direction."""
    found = zip(grid.DIRECTION_NAMES, (row[place] for row in beside), strict=True)
    return {direction: name(other) for direction, other in found if other != grid.NOWHERE}
