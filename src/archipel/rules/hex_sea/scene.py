"""What the scenes of both games have in common: cells, boats, people, and the choices for them.

Spaces say where they lie (``at``): how many half spaces from the left, and in which row.  Somebody
aboard a boat is in the boat's space and names its boat.  Choices foretell: where people or a boat
would be lost at once, ``lost`` and ``sunk`` name them.  The gauges hold, for the seat to move, its
pieces that cannot be chosen now (``not_now``), each with its refusal (``not_now_why``) and rule
(``not_now_rules``), in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.contract import Refusal
from archipel.rules.hex_sea.board import HexBoard
from archipel.rules.hex_sea.boats import controls, is_sea
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.names import SeaPieces
from archipel.rules.hex_sea.places import ABOARD, LAND, LOST, WAITING
from archipel.rules.hex_sea.telling import SeaTelling, aboard, lost
from archipel.rules.position_fields import name_of
from archipel.rules.scene import NOT_NOW, Cell, Choice, Piece, Property

S = TypeVar("S", bound=HasSea)


def _cache(capacity: int) -> Any:
    return field(default_factory=lambda: BoundedCache(capacity), init=False)


@dataclass(frozen=True)
class SeaScene(Generic[S]):
    """A game's board and pieces, and its own words and rules where a scene needs them."""

    telling: SeaTelling
    board: HexBoard
    shore: str  # the kind of a safe island's cell
    phases: Mapping[str, int]
    endings: Mapping[str, int]
    full_points: int
    over: int  # the phase
    nothing: int  # where nothing is chosen
    most_legal: int
    legal: Callable[[S, list[int]], int]
    refusal: Callable[[S, int], Refusal]
    # What was made before.
    _phase_keys: dict[int, str] = field(init=False)
    _spaces: BoundedCache[Cell] = _cache(4_096)
    _cells: BoundedCache[tuple[Cell, ...]] = _cache(1_024)
    _fleets: BoundedCache[tuple[Piece, ...]] = _cache(2_048)
    _people: BoundedCache[Piece] = _cache(32_768)
    _choices: BoundedCache[Choice] = _cache(8_192)

    def __post_init__(self) -> None:
        keys = {number: f"phase.{name}" for name, number in self.phases.items()}
        object.__setattr__(self, "_phase_keys", keys)

    @property
    def pieces(self) -> SeaPieces:
        return self.telling.pieces

    # ---- cells ----------------------------------------------------------------------------------

    def cells(
        self, s: S, others: Hashable, make: Callable[[], tuple[Cell, ...]]
    ) -> tuple[Cell, ...]:
        """All cells: they depend on where there is land, on how many play, and on ``others``."""
        land = tuple([space & LAND for space in s.space])
        return self._cells.get_or_make((land, s.seats, others), make)

    def space(self, space: int, kind: str, properties: Mapping[str, Property]) -> Cell:
        known = (space, kind, *properties.values())
        return self._spaces.get_or_make(known, lambda: self._space(space, kind, properties))

    def _space(self, space: int, kind: str, properties: Mapping[str, Property]) -> Cell:
        at = (self.board.half_columns[space], self.board.rows[space])
        return Cell(self.pieces.names.space(space), kind, {"at": at, **properties})

    def shores(self) -> list[Cell]:
        return [
            Cell(name, self.shore, {"exits": tuple(map(self.pieces.names.space, exits))})
            for name, exits in zip(self.board.shores, self.board.exits, strict=True)
        ]

    def of_each_seat(self, s: S, kind: str) -> list[Cell]:
        return [Cell(f"{kind}{seat + 1}", kind) for seat in range(s.seats)]

    # ---- pieces ---------------------------------------------------------------------------------

    def piece_id(self, action: int) -> str:
        """A piece, by the action that chooses it."""
        pieces = self.pieces
        if action < pieces.boat:
            return pieces.names.person(action - pieces.person)
        if action < pieces.creature:
            return f"boat-{pieces.names.boat(action - pieces.boat)}"
        return pieces.names.creature(action - pieces.creature).replace(" ", "-")

    def afloat(self, s: S) -> tuple[Piece, ...]:
        """The boats and creatures on the board."""
        things = (tuple(s.boat), tuple(s.creature), tuple(s.place), s.seats)
        return self._fleets.get_or_make(things, lambda: self._afloat(s))

    def _afloat(self, s: S) -> tuple[Piece, ...]:
        spaces = len(s.space)
        boats = [self._boat(s, boat) for boat in range(len(s.boat)) if s.boat[boat] < spaces]
        creatures = [self._creature(s, c) for c in range(len(s.creature)) if s.creature[c] < spaces]
        return (*boats, *creatures)

    def _boat(self, s: S, boat: int) -> Piece:
        """A boat with its crew, and who may move it."""
        crew = tuple(aboard(s, boat))
        things = (boat, s.boat[boat], crew, s.seats)
        return self._people.get_or_make(things, lambda: self._boat_with(s, boat, crew))

    def _boat_with(self, s: S, boat: int, crew: tuple[int, ...]) -> Piece:
        names = self.pieces.names
        properties: dict[str, Property] = {
            "number": boat + 1,
            "crew": tuple(map(names.person, crew)),
            "control": tuple(seat for seat in range(s.seats) if controls(s, boat, seat)),
        }
        identity = self.piece_id(self.pieces.boat + boat)
        return Piece(identity, "boat", names.space(s.boat[boat]), properties=properties)

    def _creature(self, s: S, creature: int) -> Piece:
        things = ("creature", creature, s.creature[creature])
        return self._people.get_or_make(things, lambda: self._creature_at(s, creature))

    def _creature_at(self, s: S, creature: int) -> Piece:
        names = self.pieces.names
        identity = self.piece_id(self.pieces.creature + creature)
        properties: dict[str, Property] = {"number": names.creature_number(creature)}
        cell = names.space(s.creature[creature])
        return Piece(identity, names.kind(creature), cell, properties=properties)

    def people(
        self, s: S, others: Hashable, make: Callable[[], tuple[Piece, ...]]
    ) -> tuple[Piece, ...]:
        """All people: they depend on where everything is, and on ``others``."""
        where = (tuple(s.place), tuple(s.boat), tuple(s.space), s.sea_stepped, s.seats)
        return self._fleets.get_or_make((where, others), make)

    def everybody(
        self,
        s: S,
        seats: Sequence[int],
        others: Sequence[Hashable],
        about: Callable[[int], Mapping[str, Property]],
    ) -> tuple[Piece, ...]:
        """All who are on the board, ashore or lost: whose they are, and what the game itself says
        of each (``about``), which depends on ``others``."""
        found: list[Piece] = []
        boats, spaces, stepped = s.boat, s.space, s.sea_stepped
        for person, place in enumerate(s.place):
            if place == WAITING:
                continue
            boat = place - ABOARD
            if 0 <= boat < len(boats):
                under = boats[boat]
            else:
                under = place < len(spaces) and spaces[place] & LAND
            things = (person, seats[person], place, under, stepped >> person & 1, others[person])
            piece = self._people.get(things)
            if piece is None:
                piece = self._people.get_or_make(
                    things, partial(self._person, s, person, seats, about)
                )
            found.append(piece)
        return tuple(found)

    def _person(
        self,
        s: S,
        person: int,
        seats: Sequence[int],
        about: Callable[[int], Mapping[str, Property]],
    ) -> Piece:
        names, seat, properties = self.pieces.names, seats[person], about(person)
        place = s.place[person]
        boat = place - ABOARD
        is_aboard = 0 <= boat < len(s.boat)
        if place == LOST:
            cell = f"lost{seat + 1}"
        else:
            cell = names.space(s.boat[boat]) if is_aboard else names.place(place)
        how: dict[str, Property] = {
            "swimming": place < len(s.space) and is_sea(s, place),
            "boat": self.piece_id(self.pieces.boat + boat) if is_aboard else None,
            "swam": bool(s.sea_stepped >> person & 1),
        }
        kind = self.telling.person
        return Piece(names.person(person), kind, cell, seat, {**properties, **how})

    # ---- gauges ---------------------------------------------------------------------------------

    def gauges(self, s: S, terrain_due: str | None) -> dict[str, Property]:
        """What there is to read off in both games; the terrain is the one that sinks next."""
        is_over = s.phase == self.over
        return {
            "phase": self._phase_keys[s.phase],
            "over": is_over,
            "ending": f"end.{name_of(self.endings, s.ending)}" if is_over else None,
            "turn": s.turn,
            "points": s.points,
            "full_points": self.full_points,
            "steps": s.steps,
            "chosen": self._chosen(s),
            "due": terrain_due,
            "left": tuple(s.left[: s.seats]),
        }

    def _chosen(self, s: S) -> str | None:
        if s.chosen == self.nothing:
            return None
        if s.chosen < self.pieces.island:
            return self.pieces.names.space(s.chosen)
        return self.piece_id(s.chosen)

    def not_now(self, s: S, people: Iterable[int]) -> dict[str, Property]:
        """Of these people and all boats, those that cannot be chosen, and why."""
        last = ABOARD + len(s.boat)
        ashore = range(len(s.space), len(s.space) + len(self.board.shores))
        thinkable = [
            self.pieces.person + person
            for person in people
            if s.place[person] < last and s.place[person] not in ashore
        ]
        thinkable += [
            self.pieces.boat + boat for boat in range(len(s.boat)) if s.boat[boat] < len(s.space)
        ]
        possible = self.legal_actions(s)
        refused = {
            self.piece_id(action): self.refusal(s, action)
            for action in thinkable
            if action not in possible
        }
        reasons = refused.values()
        told = (
            tuple(refused),
            tuple(why.key for why in reasons),
            tuple(why.rule for why in reasons),
        )
        return dict(zip(NOT_NOW, told, strict=True))

    # ---- choices --------------------------------------------------------------------------------

    def legal_actions(self, s: S) -> list[int]:
        actions = [0] * self.most_legal
        return actions[: self.legal(s, actions)]

    def way_word(self, s: S, space: int) -> str:
        """How the chosen piece goes to a space."""
        if s.chosen >= self.pieces.creature:
            return "to"
        if s.chosen >= self.pieces.boat:
            return "sail"
        return self.telling.way(s, s.chosen - self.pieces.person, space)

    def piece_choice(self, s: S, action: int, text: str, word: str, boards: bool) -> Choice:
        """A piece to choose: ``word`` is what choosing somebody is called, and a boat may be one to
        board."""
        things = (action, text, word, boards)
        return self._choices.get_or_make(things, lambda: self._piece_choice(*things))

    def space_choice(self, action: int, text: str, key: str, space: int, final: bool) -> Choice:
        """A space to tap, with nothing to foretell."""
        name = self.pieces.names.space(space)
        return self._choices.get_or_make(
            (action, text, key, final),
            lambda: Choice(action, text, key, {"space": name}, (name,), final),
        )

    def _piece_choice(self, action: int, text: str, word: str, boards: bool) -> Choice:
        pieces, names = self.pieces, self.pieces.names
        details: dict[str, object]
        if action < pieces.boat:
            details = {self.telling.person: names.person(action - pieces.person)}
        elif action < pieces.creature:
            word = "board" if boards else "boat"
            details = {"boat": names.boat(action - pieces.boat)}
        else:
            word = names.kind(action - pieces.creature)
            details = {"number": names.creature_number(action - pieces.creature)}
        return Choice(action, text, f"action.{word}", details, (self.piece_id(action),))

    def is_empty(self, s: S, space: int) -> bool:
        """Whether nobody and nothing is there, so that no harm can come of going there."""
        return space not in s.place and space not in s.boat and space not in s.creature

    def foretold(self, before: S, after: S) -> dict[str, object]:
        """Who would be lost, and which boats."""
        spaces = len(before.space)
        drowned = lost(before, after)
        sunk = [b for b in range(len(before.boat)) if before.boat[b] < spaces <= after.boat[b]]
        found: dict[str, object] = {}
        if drowned:
            found["lost"] = tuple(map(self.pieces.names.person, drowned))
        if sunk:
            found["sunk"] = tuple(self.piece_id(self.pieces.boat + boat) for boat in sunk)
        return found
