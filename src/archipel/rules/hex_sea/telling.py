"""What the narrations of both games have in common: who moved how, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import HasBoats, is_sea, load, space_of
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.names import SeaPieces
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.kit import Chance, Tape, clone

S = TypeVar("S", bound=HasSea)


def one_or_many(pieces: Sequence[int]) -> str:
    return "one" if len(pieces) == 1 else "many"


def replayed(
    s: S,
    action: int,
    outcomes: tuple[int, ...],
    act: Callable[[S, int], None],
    go_on_once: Callable[[S, Chance], None],
    first_automatic: int,
) -> Iterator[tuple[S, S]]:
    """An action played again in a position, and each thing that the engine does by itself after it:
    what was before, and what is then."""
    earlier = clone(s)
    act(s, action)
    yield earlier, s
    tape = Tape(outcomes)
    while s.phase >= first_automatic:
        earlier = clone(s)
        go_on_once(s, tape)
        yield earlier, s


@dataclass(frozen=True)
class SeaTelling:
    """How a game calls its people and creatures in keys and details, and its pieces by name."""

    pieces: SeaPieces
    person: str
    people: str
    creature: str
    creatures: str

    # ---- parts of events ------------------------------------------------------------------------

    def named(self, people: Sequence[int]) -> dict[str, Any]:
        names = [self.pieces.names.person(person) for person in people]
        return {self.people: names, "names": ", ".join(names), "count": len(names)}

    def boat(self, s: HasBoats, boat: int) -> dict[str, Any]:
        names = self.pieces.names
        return {"boat": names.boat(boat), "space": names.space(s.boat[boat]), "load": load(s, boat)}

    def beast(self, s: HasSea, creature: int) -> dict[str, Any]:
        names = self.pieces.names
        return {
            self.creature: names.creature(creature),
            "number": names.creature_number(creature),
            "space": names.space(s.creature[creature]),
        }

    def sunk(self, earlier: HasBoats, boat: int) -> dict[str, Any]:
        """A boat that is no more, and who was aboard."""
        names = self.pieces.names
        crew = self.named(aboard(earlier, boat))
        return {"boat": names.boat(boat), "space": names.space(earlier.boat[boat]), **crew}

    # ---- events ---------------------------------------------------------------------------------

    def chosen(self, s: HasSea, seat: int, action: int) -> Event:
        """A piece is chosen."""
        pieces = self.pieces
        if action >= pieces.creature:
            creature = action - pieces.creature
            kind = pieces.names.kind(creature)
            return Event(f"choose.{kind}", {"seat": seat, **self.beast(s, creature)})
        if action >= pieces.boat:
            return Event("choose.boat", {"seat": seat, **self.boat(s, action - pieces.boat)})
        person = action - pieces.person
        space = pieces.names.space(space_of(s, person))
        details = {"seat": seat, self.person: pieces.names.person(person), "space": space}
        return Event(f"choose.{self.person}", details)

    def way(self, s: HasSea, person: int, action: int) -> str:
        """How somebody goes where they go."""
        place = s.place[person]
        is_aboard = place >= ABOARD
        swimming = not is_aboard and is_sea(s, place)
        if action >= self.pieces.boat:
            return "change_boat" if is_aboard else "climb" if swimming else "board"
        if action >= self.pieces.island:
            return "ashore_from_boat" if is_aboard else "ashore_swimming"
        if not is_sea(s, action):
            return "walk"
        return "overboard" if is_aboard else "swim" if swimming else "dive"

    def move(self, s: HasSea, seat: int, person: int, action: int) -> dict[str, Any]:
        """Who goes where from where; a boat is named where one is left or boarded."""
        pieces, names = self.pieces, self.pieces.names
        details: dict[str, Any] = {
            "seat": seat,
            self.person: names.person(person),
            "start": names.space(space_of(s, person)),
        }
        if s.place[person] >= ABOARD:
            details["from_boat"] = names.boat(s.place[person] - ABOARD)
        if action >= pieces.boat:
            boat = action - pieces.boat
            return details | {"boat": names.boat(boat), "space": names.space(s.boat[boat])}
        if action >= pieces.island:
            island = names.island(action - pieces.island)
            return details | {"island": island, "space": island}
        return details | {"space": names.space(action)}

    def sailing(self, earlier: HasSea, seat: int, space: int, points: int, how: str) -> Event:
        """The chosen boat goes to a space with all aboard."""
        boat = earlier.chosen - self.pieces.boat
        crew = aboard(earlier, boat)
        details: dict[str, Any] = {
            "seat": seat,
            **self.boat(earlier, boat),
            "start": self.pieces.names.space(earlier.boat[boat]),
            "space": self.pieces.names.space(space),
            **self.named(crew),
            "points": points,
        }
        return Event(f"{how}.{'occupied' if crew else 'empty'}", details)

    def creature_move(self, s: HasSea, seat: int, creature: int, space: int) -> dict[str, Any]:
        names = self.pieces.names
        start = names.space(s.creature[creature])
        moved = {"start": start, "space": names.space(space)}
        return {"seat": seat, **self.beast(s, creature), **moved}

    def eaten(self, by: str, people: Sequence[int], space: int) -> list[Event]:
        if not people:
            return []
        details = {"space": self.pieces.names.space(space), **self.named(people)}
        return [Event(f"eaten.{by}.{one_or_many(people)}", details)]

    def whirlpool(self, earlier: HasSea, s: HasSea, space: int) -> list[Event]:
        """All that went down, at once."""
        names = self.pieces.names
        drowned = lost(earlier, s)
        boats = [b for b in range(len(s.boat)) if earlier.boat[b] != s.boat[b]]
        beasts = [c for c in range(len(s.creature)) if earlier.creature[c] != s.creature[c]]
        details: dict[str, Any] = {
            "space": names.space(space),
            **self.named(drowned),
            "boats": [names.boat(boat) for boat in boats],
            "boat_count": len(boats),
            self.creatures: [names.creature(creature) for creature in beasts],
            f"{self.creature}_count": len(beasts),
        }
        taken = {self.people: drowned, "boats": boats, self.creatures: beasts}
        return [
            Event(f"whirlpool.{word}.{one_or_many(found)}", details)
            for word, found in taken.items()
            if found
        ] or [Event("whirlpool.nothing", details)]


def aboard(s: HasBoats, boat: int) -> list[int]:
    place = ABOARD + boat
    if place not in s.place:
        return []
    return [person for person, where in enumerate(s.place) if where == place]


def lost(earlier: HasBoats, s: HasBoats) -> list[int]:
    return [p for p in range(len(s.place)) if s.place[p] == LOST != earlier.place[p]]


def winners(ranks: Sequence[int], scores: Sequence[int], counted: str) -> list[Event]:
    """Who won, alone or together; ``counted`` is what the score is called in the sentence."""
    first = [seat for seat, rank in enumerate(ranks) if rank == 0]
    key = "win.alone" if len(first) == 1 else "win.shared"
    return [Event(key, {"seat": seat, counted: scores[seat]}) for seat in first]
