"""Events of both games: the moves of pieces, and their consequences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from archipel.rules.contract import Event
from archipel.rules.hex_sea.boats import HasBoats, is_sea, load, space_of
from archipel.rules.hex_sea.names import SeaNames, pieces_in
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.hex_sea.sea import HasSea, S
from archipel.rules.kit import Chance, Tape, clone


def one_or_many(pieces: Sequence[int]) -> str:
    return "one" if len(pieces) == 1 else "many"


def replay(
    s: S,
    action: int,
    outcomes: tuple[int, ...],
    act: Callable[[S, int], None],
    go_on_once: Callable[[S, Chance], None],
    first_automatic: int,
) -> Iterator[tuple[S, S]]:
    """Play an action and the automatic steps after it; yield the state before and after each."""
    earlier = clone(s)
    act(s, action)
    yield earlier, s
    tape = Tape(outcomes)
    while s.phase >= first_automatic:
        earlier = clone(s)
        go_on_once(s, tape)
        yield earlier, s


@dataclass(frozen=True)
class SeaEvents:
    """The names of a game's pieces, and its words for people and creatures in keys and details."""

    names: SeaNames
    person: str
    people: str
    creature: str
    creatures: str

    # ---- details of events ----------------------------------------------------------------------

    def named(self, people: Sequence[int]) -> dict[str, Any]:
        names = [self.names.person(person) for person in people]
        return {self.people: names, "names": ", ".join(names), "count": len(names)}

    def boat(self, s: HasBoats, boat: int) -> dict[str, Any]:
        space = self.names.space(s.boat[boat])
        return {"boat": self.names.boat(boat), "space": space, "load": load(s, boat)}

    def one_creature(self, s: HasSea, creature: int) -> dict[str, Any]:
        return {
            self.creature: self.names.creature(creature),
            "number": self.names.creature_number(creature),
            "space": self.names.space(s.creature[creature]),
        }

    def sunk(self, earlier: HasBoats, boat: int) -> dict[str, Any]:
        """A boat that was removed, and its crew."""
        space = self.names.space(earlier.boat[boat])
        return {"boat": self.names.boat(boat), "space": space, **self.named(aboard(earlier, boat))}

    # ---- events ---------------------------------------------------------------------------------

    def chosen(self, s: HasSea, seat: int, action: int) -> Event:
        """A piece is chosen."""
        names = self.names
        if action >= names.first_creature:
            creature = action - names.first_creature
            details = {"seat": seat, **self.one_creature(s, creature)}
            return Event(f"choose.{names.kind(creature)}", details)
        if action >= names.first_boat:
            return Event("choose.boat", {"seat": seat, **self.boat(s, action - names.first_boat)})
        person = action - names.first_person
        space = names.space(space_of(s, person))
        details = {"seat": seat, self.person: names.person(person), "space": space}
        return Event(f"choose.{self.person}", details)

    def way(self, s: HasSea, person: int, action: int) -> str:
        """The word for a person's move."""
        place = s.place[person]
        is_aboard = place >= ABOARD
        swimming = not is_aboard and is_sea(s, place)
        if action >= self.names.first_boat:
            return "change_boat" if is_aboard else "climb" if swimming else "board"
        if action >= len(s.space):
            return "ashore_from_boat" if is_aboard else "ashore_swimming"
        if not is_sea(s, action):
            return "walk"
        return "overboard" if is_aboard else "swim" if swimming else "dive"

    def move(self, s: HasSea, seat: int, person: int, action: int) -> dict[str, Any]:
        """A person's start and goal, and the boats that they leave and board."""
        names = self.names
        start = names.space(space_of(s, person))
        details: dict[str, Any] = {"seat": seat, self.person: names.person(person), "start": start}
        if s.place[person] >= ABOARD:
            details["from_boat"] = names.boat(s.place[person] - ABOARD)
        if action >= names.first_boat:
            boat = action - names.first_boat
            return details | {"boat": names.boat(boat), "space": names.space(s.boat[boat])}
        if action >= len(s.space):
            details["island"] = names.place(action)
        return details | {"space": names.place(action)}

    def sailing(self, earlier: HasSea, seat: int, space: int, points: int, how: str) -> Event:
        """The chosen boat goes to a space with its crew."""
        boat = earlier.chosen - self.names.first_boat
        crew = aboard(earlier, boat)
        details: dict[str, Any] = {
            "seat": seat,
            **self.boat(earlier, boat),
            "start": self.names.space(earlier.boat[boat]),
            "space": self.names.space(space),
            **self.named(crew),
            "points": points,
        }
        return Event(f"{how}.{'occupied' if crew else 'empty'}", details)

    def creature_move(self, s: HasSea, seat: int, creature: int, space: int) -> dict[str, Any]:
        moved = {"start": self.names.space(s.creature[creature]), "space": self.names.space(space)}
        return {"seat": seat, **self.one_creature(s, creature), **moved}

    def eaten(self, by: str, people: Sequence[int], space: int) -> Iterator[Event]:
        if people:
            details = {"space": self.names.space(space), **self.named(people)}
            yield Event(f"eaten.{by}.{one_or_many(people)}", details)

    def whirlpool(self, earlier: HasSea, s: HasSea, space: int) -> Iterator[Event]:
        """Everything that a whirlpool takes."""
        drowned = lost(earlier, s)
        boats = [b for b in range(len(s.boat)) if earlier.boat[b] != s.boat[b]]
        creatures = [c for c in range(len(s.creature)) if earlier.creature[c] != s.creature[c]]
        details: dict[str, Any] = {
            "space": self.names.space(space),
            **self.named(drowned),
            "boats": list(map(self.names.boat, boats)),
            "boat_count": len(boats),
            self.creatures: list(map(self.names.creature, creatures)),
            f"{self.creature}_count": len(creatures),
        }
        taken = {self.people: drowned, "boats": boats, self.creatures: creatures}
        for word, found in taken.items():
            if found:
                yield Event(f"whirlpool.{word}.{one_or_many(found)}", details)
        if not any(taken.values()):
            yield Event("whirlpool.nothing", details)


def aboard(s: HasBoats, boat: int) -> list[int]:
    return pieces_in(s.place, ABOARD + boat)


def lost(earlier: HasBoats, s: HasBoats) -> list[int]:
    return [p for p in range(len(s.place)) if s.place[p] == LOST != earlier.place[p]]


def winners(
    s: S, rank: Callable[[S, int], int], score: Callable[[S, int], int], counted: str
) -> list[Event]:
    """The winners; ``counted`` is the name of the score in the sentence."""
    first = [seat for seat in range(s.seats) if rank(s, seat) == 0]
    key = "win.alone" if len(first) == 1 else "win.shared"
    return [Event(key, {"seat": seat, counted: score(s, seat)}) for seat in first]
