"""Scenes of both games: cells, boats, people, and the choices for them.

Spaces have their position in ``at``: half spaces from the left, and the row.  A person aboard a
boat is in the boat's space and names the boat.  Choices warn: if people or a boat would be lost at
once, ``lost`` and ``sunk`` name them.  The seat to move also gets a list of the pieces it cannot
choose now (``not_now``), with their refusals (``not_now_why``) and rules (``not_now_rules``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Generic, NamedTuple

from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.contract import Refusal
from archipel.rules.hex_sea.boats import controls, is_sea
from archipel.rules.hex_sea.narration import SeaEvents, aboard, lost
from archipel.rules.hex_sea.places import ABOARD, LAND, LOST, WAITING
from archipel.rules.hex_sea.sea import S
from archipel.rules.kit import Chance, ChanceError, Tape, clone
from archipel.rules.position_fields import name_of
from archipel.rules.scene import MOST_PATHS, NOT_NOW, Cell, Choice, Path, Piece, Property, Scene

About = Callable[[int], Mapping[str, Property]]

#: The phases in which a chosen piece takes a step.
STEPS: Final = ("move_to", "tile_step", "creature_step", "animal_step")


class _Way(NamedTuple):
    """The actions of a piece on its way, their texts, and the position before the next step."""

    actions: tuple[int, ...]
    texts: tuple[str, ...]
    state: Any


def _cache(capacity: int) -> Any:
    return field(default_factory=lambda: BoundedCache(capacity), init=False)


@dataclass(frozen=True)
class SeaScene(Generic[S]):
    """The parts of scenes that both games have, made from a game's words and rules."""

    events: SeaEvents
    shore: str  # the kind of a safe island's cell
    phases: Mapping[str, int]
    endings: Mapping[str, int]
    legal_actions: Callable[[S], list[int]]
    act: Callable[[S, int], None]
    apply: Callable[[S, int, Chance], None]
    finds_prey: Callable[[S, int], bool]
    harm: Callable[[S, int], None]
    refusal: Callable[[S, int], Refusal]
    _phase_keys: dict[int, str] = field(default_factory=dict, init=False)
    _spaces: BoundedCache[Cell] = _cache(4_096)
    _cells: BoundedCache[tuple[Cell, ...]] = _cache(1_024)
    _fleets: BoundedCache[tuple[Piece, ...]] = _cache(2_048)
    _people: BoundedCache[Piece] = _cache(32_768)
    _choices: BoundedCache[Choice] = _cache(8_192)

    def __post_init__(self) -> None:
        self._phase_keys.update({number: f"phase.{name}" for name, number in self.phases.items()})

    # ---- cells ----------------------------------------------------------------------------------

    def cells(
        self, s: S, others: Hashable, make: Callable[[], tuple[Cell, ...]]
    ) -> tuple[Cell, ...]:
        """All cells: they depend on the land, on the number of players, and on ``others``."""
        land = tuple([space & LAND for space in s.space])
        return self._cells.get_or_make((land, s.seats, others), make)

    def space(self, space: int, kind: str, properties: Mapping[str, Property]) -> Cell:
        def make() -> Cell:
            at = (names.board.half_columns[space], names.board.rows[space])
            return Cell(names.space(space), kind, {"at": at, **properties})

        names = self.events.names
        return self._spaces.get_or_make((space, kind, *properties.values()), make)

    def shores(self) -> list[Cell]:
        names = self.events.names
        return [
            Cell(name, self.shore, {"exits": tuple(map(names.space, exits))})
            for name, exits in zip(names.board.shores, names.board.exits, strict=True)
        ]

    def of_each_seat(self, s: S, kind: str) -> list[Cell]:
        return [Cell(f"{kind}{seat + 1}", kind) for seat in range(s.seats)]

    # ---- pieces ---------------------------------------------------------------------------------

    def piece_id(self, action: int) -> str:
        """A piece, by the action that chooses it."""
        return self.events.names.piece(action, "-")

    def afloat(self, s: S) -> tuple[Piece, ...]:
        """The boats and creatures on the board."""

        def make() -> tuple[Piece, ...]:
            spaces = len(s.space)
            boats = [self._boat(s, boat) for boat, space in enumerate(s.boat) if space < spaces]
            places = enumerate(s.creature)
            return (*boats, *[self._creature(c, space) for c, space in places if space < spaces])

        return self._fleets.get_or_make((*map(tuple, (s.boat, s.creature, s.place)), s.seats), make)

    def _boat(self, s: S, boat: int) -> Piece:
        """A boat with its crew, and the seats that may move it."""

        def make() -> Piece:
            names = self.events.names
            properties: dict[str, Property] = {
                "number": boat + 1,
                "crew": tuple(map(names.person, crew)),
                "control": tuple(seat for seat in range(s.seats) if controls(s, boat, seat)),
            }
            identity = self.piece_id(names.first_boat + boat)
            return Piece(identity, "boat", names.space(s.boat[boat]), properties=properties)

        crew = tuple(aboard(s, boat))
        return self._people.get_or_make((boat, s.boat[boat], crew, s.seats), make)

    def _creature(self, creature: int, space: int) -> Piece:
        def make() -> Piece:
            names = self.events.names
            identity = self.piece_id(names.first_creature + creature)
            properties = {"number": names.creature_number(creature)}
            return Piece(identity, names.kind(creature), names.space(space), properties=properties)

        return self._people.get_or_make(("creature", creature, space), make)

    def people(
        self, s: S, others: Hashable, make: Callable[[], tuple[Piece, ...]]
    ) -> tuple[Piece, ...]:
        """All people: they depend on the places of all pieces, and on ``others``."""
        where = (tuple(s.place), tuple(s.boat), tuple(s.space), s.sea_stepped, s.seats)
        return self._fleets.get_or_make((where, others), make)

    def everybody(
        self, s: S, seats: Sequence[int], others: Sequence[Hashable], about: About
    ) -> tuple[Piece, ...]:
        """All people on the board, ashore or lost, with their seats and the properties that the
        game gives each (``about``), which depend on ``others``."""
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
            key = (person, seats[person], place, under, stepped >> person & 1, others[person])
            piece = self._people.get(key)
            if piece is None:
                make = partial(self._person, s, person, seats[person], about)
                piece = self._people.get_or_make(key, make)
            found.append(piece)
        return tuple(found)

    def _person(self, s: S, person: int, seat: int, about: About) -> Piece:
        names, place = self.events.names, s.place[person]
        boat = place - ABOARD
        is_aboard = 0 <= boat < len(s.boat)
        if place == LOST:
            cell = f"lost{seat + 1}"
        else:
            cell = names.space(s.boat[boat]) if is_aboard else names.place(place)
        properties: dict[str, Property] = {
            **about(person),
            "swimming": place < len(s.space) and is_sea(s, place),
            "boat": self.piece_id(names.first_boat + boat) if is_aboard else None,
            "swam": bool(s.sea_stepped >> person & 1),
        }
        return Piece(names.person(person), self.events.person, cell, seat, properties)

    # ---- gauges ---------------------------------------------------------------------------------

    def gauges(self, s: S, full_points: int, terrain_due: str | None) -> dict[str, Property]:
        """The gauges of both games; the terrain is the one that sinks next."""
        is_over = s.phase == self.phases["over"]
        return {
            "phase": self._phase_keys[s.phase],
            "over": is_over,
            "ending": f"end.{name_of(self.endings, s.ending)}" if is_over else None,
            "turn": s.turn,
            "points": s.points,
            "full_points": full_points,
            "steps": s.steps,
            "chosen": self._chosen(s),
            "due": terrain_due,
            "left": tuple(s.left[: s.seats]),
        }

    def _chosen(self, s: S) -> str | None:
        names = self.events.names
        if 0 <= s.chosen < len(s.space):
            return names.space(s.chosen)
        is_piece = names.first_person <= s.chosen < names.first_creature + len(s.creature)
        return self.piece_id(s.chosen) if is_piece else None

    def _not_now(self, s: S, people: Iterable[int]) -> dict[str, Property]:
        """Of these people and all boats, those that cannot be chosen, and why."""
        names, last = self.events.names, ABOARD + len(s.boat)
        ashore = range(len(s.space), len(s.space) + len(names.islands))
        movable = [p for p in people if s.place[p] < last and s.place[p] not in ashore]
        afloat = [boat for boat, space in enumerate(s.boat) if space < len(s.space)]
        possible = self.legal_actions(s)
        refused = {
            self.piece_id(action): self.refusal(s, action)
            for first, pieces in ((names.first_person, movable), (names.first_boat, afloat))
            for action in (first + piece for piece in pieces)
            if action not in possible
        }
        reasons = [(why.key, why.rule) for why in refused.values()]
        keys, rules = zip(*reasons, strict=True) if reasons else ((), ())
        return dict(zip(NOT_NOW, (tuple(refused), keys, rules), strict=True))

    # ---- choices --------------------------------------------------------------------------------

    def for_seat_to_move(
        self, s: S, known: Scene, people: Iterable[int], choice: Callable[[S, int], Choice]
    ) -> Scene:
        """A scene with the choices of the seat to move, whose people these are."""
        gauges = known.gauges
        if s.phase == self.phases["move"]:
            gauges = {**gauges, **self._not_now(s, people)}
        choices = tuple(choice(s, action) for action in self.legal_actions(s))
        paths = self._paths(s, choices, choice)
        return Scene(known.cells, known.pieces, gauges, choices, paths)

    def way_word(self, s: S, space: int) -> str:
        """The word for the chosen piece's way to a space."""
        names = self.events.names
        if s.chosen >= names.first_creature:
            return "to"
        if s.chosen >= names.first_boat:
            return "sail"
        return self.events.way(s, s.chosen - names.first_person, space)

    def piece_choice(self, action: int, text: str, word: str, boards: bool) -> Choice:
        """A piece to choose: ``word`` is the word for choosing a person; ``boards`` says that an
        action that names a boat means to board it."""

        def make() -> Choice:
            names, key = self.events.names, word
            details: dict[str, object]
            if action < names.first_boat:
                details = {self.events.person: names.person(action - names.first_person)}
            elif action < names.first_creature:
                key = "board" if boards else "boat"
                details = {"boat": names.boat(action - names.first_boat)}
            else:
                key = names.kind(action - names.first_creature)
                details = {"number": names.creature_number(action - names.first_creature)}
            return Choice(action, text, f"action.{key}", details, (self.piece_id(action),))

        return self._choices.get_or_make((action, text, word, boards), make)

    def space_choice(
        self, s: S, space: int, text: str, word: str, final: bool, forecast: bool
    ) -> Choice:
        """A space to tap, with the losses that going there causes if a forecast is wanted."""

        def make() -> Choice:
            name = self.events.names.space(space)
            details = {"space": name, **losses}
            return Choice(space, text, f"action.{word}", details, (name,), final)

        losses = self._losses(s, space) if forecast else {}
        return make() if losses else self._choices.get_or_make((space, text, word, final), make)

    def _losses(self, s: S, space: int) -> dict[str, object]:
        """The people and boats that would be lost if nobody defends, from public information."""
        if space not in s.place and space not in s.boat and space not in s.creature:
            return {}
        names, after = self.events.names, clone(s)
        self.act(after, space)
        creature = after.chosen - names.first_creature
        if 0 <= creature < len(s.creature) and self.finds_prey(after, creature):
            self.harm(after, creature)
        spaces = len(s.space)
        drowned = lost(s, after)
        sunk = [b for b in range(len(s.boat)) if s.boat[b] < spaces <= after.boat[b]]
        found: dict[str, object] = {}
        if drowned:
            found["lost"] = tuple(map(names.person, drowned))
        if sunk:
            found["sunk"] = tuple(self.piece_id(names.first_boat + boat) for boat in sunk)
        return found

    # ---- paths ----------------------------------------------------------------------------------

    def _paths(
        self, s: S, near: Sequence[Choice], choice: Callable[[S, int], Choice]
    ) -> tuple[Path, ...]:
        """The targets of the chosen piece beyond its next step: it stays on land or in the water
        until the last step, passes no danger, and each shortest way leads to the same position."""
        start = self._space_of_chosen(s)
        if start is None or all(s.phase != self.phases.get(name) for name in STEPS):
            return ()
        found: list[Path] = []
        taken = {target for each in near for target in each.targets}
        seen = {start, *(each.action for each in near)}
        ways = [
            way
            for each in near
            if (way := self._go_on(s, _Way((), (), s), each, self._after(s, each.action), choice))
        ]
        steps = 1
        while ways and len(found) < MOST_PATHS:
            steps += 1
            ends: dict[int, list[tuple[_Way, S | None]]] = {}
            for way in ways:
                for action in self.legal_actions(way.state):
                    if action not in seen:
                        end = (way, self._after(way.state, action))
                        ends.setdefault(action, []).append(end)
            seen.update(ends)
            ways = []
            for action, reached in ends.items():
                way, after = reached[0]
                last = choice(way.state, action)
                if not last.targets or not taken.isdisjoint(last.targets):
                    continue
                if after is None or any(other != after for _, other in reached):
                    continue
                taken.update(last.targets)
                found.append(_path(way, last, steps))
                if (onward := self._go_on(s, way, last, after, choice)) is not None:
                    ways.append(onward)
        return tuple(found[:MOST_PATHS])

    def _space_of_chosen(self, s: S) -> int | None:
        """The space of the chosen piece; None if it is aboard a boat, or no piece is chosen."""
        names = self.events.names
        pieces = (
            (names.first_creature, s.creature),
            (names.first_boat, s.boat),
            (names.first_person, s.place),
        )
        for first, places in pieces:
            if first <= s.chosen < first + len(places):
                space = places[s.chosen - first]
                return space if space < len(s.space) else None
        return None

    def _after(self, s: S, action: int) -> S | None:
        """The position after an action; None if the action draws chance."""
        after = clone(s)
        try:
            self.apply(after, action, Tape(()))
        except ChanceError:
            return None
        return after

    def _go_on(
        self, s: S, way: _Way, step: Choice, after: S | None, choice: Callable[[S, int], Choice]
    ) -> _Way | None:
        """The way beyond a step, if the piece that was chosen in ``s`` can pass there."""
        spaces = len(s.space)
        start = self._space_of_chosen(s)
        if after is None or start is None or after.turn != s.turn or step.action >= spaces:
            return None
        if is_sea(s, step.action) != is_sea(s, start) or step.final:
            return None
        sunk = any(now >= spaces > then for then, now in zip(s.boat, after.boat, strict=True))
        if sunk or lost(s, after):
            return None
        actions, texts = (*way.actions, step.action), (*way.texts, step.text)
        if after.phase == s.phase and after.chosen == s.chosen:
            return _Way(actions, texts, after)
        if after.phase != self.phases["move"] or s.chosen not in self.legal_actions(after):
            return None
        piece = choice(after, s.chosen)
        self.act(after, s.chosen)
        return _Way((*actions, s.chosen), (*texts, piece.text), after)


def _path(way: _Way, last: Choice, steps: int) -> Path:
    text = ", ".join((*way.texts, last.text))
    details = {**last.details, "steps": steps}
    first, *then = *way.actions, last.action
    return Path(first, text, last.key, details, last.targets, last.final, tuple(then))
