"""Position texts of The Island and Atlantis: the fields and the checks that both games share.

A boat or creature is ``-`` in the stock and ``x`` out of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from archipel.rules.hex_sea.boats import is_sea, load, put_boat
from archipel.rules.hex_sea.names import SeaNames
from archipel.rules.hex_sea.places import ABOARD, BOAT_ROOM, GONE, IN_STOCK, LAND, LOST, WAITING
from archipel.rules.hex_sea.sea import TURNS_WITHOUT_EVENT, HasSea
from archipel.rules.position_fields import Field, Number, Reading, Written, listed, refuse
from archipel.rules.sentence import Sentence


def require(condition: bool, english: str, /, **parts: object) -> None:
    """Refuse a position in which a condition does not hold."""
    if not condition:
        refuse(english, parts)


@dataclass(frozen=True)
class SeaWords:
    """The names of a game's pieces, and the ids of its rules."""

    names: SeaNames
    a_person: str  # as in: R3 is not a person
    nothing: int  # in place of an action, if no piece is chosen
    rules: Mapping[str, str]

    # ---- names of places and pieces -------------------------------------------------------------

    def piece_text(self, space: int) -> str:
        """The place of a boat or a creature."""
        return {IN_STOCK: "-", GONE: "x"}.get(space) or self.names.space(space)

    def place_text(self, place: int) -> str:
        """The place of a person."""
        if place >= ABOARD:
            return {WAITING: "-", LOST: "lost"}.get(place) or f"boat{place - ABOARD + 1}"
        return self.names.place(place)

    def read_place(self, text: str) -> int | None:
        """The place of a person, or None if there is no such place."""
        return self._places.get(text)

    @cached_property
    def _places(self) -> dict[str, int]:
        names = self.names
        shores = range(names.board.size, names.board.size + len(names.islands))
        aboard = range(ABOARD, ABOARD + names.boat_count)
        places = (*range(names.board.size), *shores, *aboard, LOST, WAITING)
        return {self.place_text(place): place for place in places}

    def chosen_text(self, chosen: int) -> str:
        """A piece, by the action that chooses it; or a space."""
        if chosen == self.nothing:
            return "-"
        is_space = chosen < self.names.board.size
        return self.names.space(chosen) if is_space else self.names.piece(chosen)

    @cached_property
    def chosen(self) -> dict[str, int]:
        """The texts of chosen pieces and spaces, with the actions that choose them."""
        names = self.names
        pieces = range(names.first_person, names.first_creature + len(names.creatures))
        return {"-": self.nothing, **names.spaces, **{names.piece(p): p for p in pieces}}

    def creature_name(self, creature: int) -> Sentence:
        """``shark 2``, as a translatable sentence."""
        kind, _, number = self.names.creature(creature).partition(" ")
        return Sentence("{kind} {number}", kind=Sentence(kind), number=number)

    # ---- fields ---------------------------------------------------------------------------------

    def people_set(self, word: str, attribute: str, meaning: str, example: str) -> Field:
        """A set of people, kept as bits."""

        def write(s: Any, index: int) -> str:
            people = getattr(s, attribute)
            return listed(
                [name for name, number in self.names.people.items() if people >> number & 1]
            )

        def read(at: Reading[Any]) -> None:
            for part in at.parts:
                if part not in self.names.people:
                    known = list(self.names.people)
                    at.refuse(
                        "{name}: {part!r} is not {a_person}; they are {first} to {last}",
                        {"part": part, "first": known[0], "last": known[-1]},
                        a_person=Sentence(self.a_person),
                    )
                people = getattr(at.s, attribute) | 1 << self.names.people[part]
                setattr(at.s, attribute, people)

        return Field(word, Written(write, read), meaning, example=example)

    def idle_field(self, usual: Callable[[Any], int], land: str, needs: str, example: str) -> Field:
        return Field(
            "idle",
            Number("idle_turns", 0, lambda s: TURNS_WITHOUT_EVENT * int(s.seats)),
            f"turns in a row without an event; they count once no {land} is left",
            usual,
            "`0`; 1 where none is left",
            example,
            needs=(needs, "phase", "ending"),
        )

    def boats_field(self, needs: str) -> Field:
        def read(at: Reading[Any]) -> None:
            s = at.s
            for boat, space in enumerate(self._read_pieces(at, len(s.boat))):
                s.boat[boat] = space
                if space < len(s.space):
                    piece = Sentence("boat {number}", number=boat + 1)
                    self._require_sea(s, piece, space, self.rules["boats"])
                    if (other := s.boat.index(space)) < boat:
                        at.refuse(
                            "boats {other} and {boat} are both on {space} ({rule})",
                            {"other": other + 1, "boat": boat + 1, "rule": self.rules["boats"]},
                            space=self.names.space(space),
                        )
                    put_boat(s, boat, space)

        def write(s: Any, index: int) -> str:
            return ",".join(map(self.piece_text, s.boat))

        meaning = "places of the boats, in their order; `-` in stock, `x` out of the game"
        return Field("boats", Written(write, read), meaning, example="boats=a1,x", needs=(needs,))

    def creatures_field(
        self,
        word: str,
        numbers: range,
        put: Callable[[Any, int, int], None],
        usual: str = "-",
        example: str = "",
    ) -> Field:
        """The creatures of a kind; ``put`` sets one into a space."""

        def read(at: Reading[Any]) -> None:
            for creature, space in zip(numbers, self._read_pieces(at, len(numbers))):
                at.s.creature[creature] = space
                if space < len(at.s.space):
                    rule = self.rules["creatures"]
                    self._require_sea(at.s, self.creature_name(creature), space, rule)
                    put(at.s, creature, space)

        def write(s: Any, index: int) -> str:
            return ",".join(self.piece_text(s.creature[creature]) for creature in numbers)

        meaning = f"places of the {word}, like boats"
        example = example or f"{word}=a1"
        return Field(word, Written(write, read), meaning, usual, example=example, needs=("boats",))

    def _read_pieces(self, at: Reading[Any], count: int) -> list[int]:
        """Places separated by commas; those that are not given are in the stock."""
        parts = at.text.split(",")
        if len(parts) > count:
            given = {"given": len(parts), "count": count, "rule": self.rules["box"]}
            at.refuse("{name}: {given} places, but there are {count} ({rule})", given)
        places = {"-": IN_STOCK, "x": GONE, **self.names.spaces}
        for part in parts:
            if part not in places:
                at.refuse(
                    "{name}: {part!r} is not a space; write f7, - (stock) or x (gone)", part=part
                )
        return [places[part] for part in parts] + [IN_STOCK] * (count - len(parts))

    def _require_sea(self, s: HasSea, piece: Sentence, space: int, rule: str) -> None:
        if s.space[space] & LAND:
            parts = {"piece": piece, "space": self.names.space(space), "rule": rule}
            refuse("{piece} is on {space}, which is land ({rule})", parts)

    def put_person(self, s: HasSea, person: int, place: int, seat: int) -> None:
        """Put a person in a place; a boat must be on the board and have room."""
        s.place[person] = place
        boat = place - ABOARD
        if 0 <= boat < len(s.boat):
            parts = {"person": self.names.person(person), "boat": boat + 1}
            parts["rule"] = self.rules["crew"]
            if s.boat[boat] >= len(s.space):
                refuse("{person} is in boat {boat}, which is not on the board ({rule})", parts)
            if load(s, boat) == BOAT_ROOM:
                refuse("{person} is in boat {boat}, which has three aboard already ({rule})", parts)
            s.aboard[boat][seat] += 1

    # ---- which positions can occur --------------------------------------------------------------

    def check_placing(self, s: HasSea, people: int, placing: bool) -> None:
        """While people are placed they stand on land or wait; afterwards nobody waits."""
        for person, place in enumerate(s.place[:people]):
            parts = {"person": self.names.person(person), "rule": self.rules["placing"]}
            if place == WAITING and not placing:
                refuse("{person} is not placed yet, but play has begun ({rule})", parts)
            if place == WAITING or not placing:
                continue
            parts |= {"place": self.place_text(place), "space": self.place_text(place)}
            if place >= len(s.space):
                refuse(
                    "{person} is at {place}: while people are placed they stand on land ({rule})",
                    parts,
                )
            if is_sea(s, place):
                refuse("{person} is on {space}, which is under water ({rule})", parts)

    def check_land(self, s: HasSea, spaces: Iterable[int]) -> None:
        """Before play begins nothing has sunk."""
        for space in spaces:
            parts = {"space": self.names.space(space), "rule": self.rules["land"]}
            dry = not is_sea(s, space)
            require(dry, "{space} has sunk, but play has not begun ({rule})", **parts)

    def check_swimmers(self, s: HasSea, people: int, eaters: Iterable[int]) -> None:
        """Nobody swims in the space of one of these creatures, which eat swimmers."""
        spaces = {s.creature[creature]: creature for creature in eaters}
        for person, place in enumerate(s.place[:people]):
            if place < len(s.space) and place in spaces:
                refuse(
                    "{person} swims in {space}, where {creature} is ({rule})",
                    {"person": self.names.person(person), "space": self.names.space(place)},
                    creature=self.creature_name(spaces[place]),
                    rule=self.rules["swimmers"],
                )

    def check_idle(self, s: HasSea, playing: bool) -> None:
        """Turns are counted while there is no land; the last of them ends the game."""
        rule, most = self.rules["idle"], TURNS_WITHOUT_EVENT * s.seats
        counts = s.idle_turns == 0 or not any(s.land_left)
        require(counts, "idle: only with no land left ({rule})", rule=rule)
        require(
            s.idle_turns <= (most if playing else 0),
            "idle={idle}: with {seats} players the game ends after {most} such turns ({rule})",
            idle=s.idle_turns,
            seats=s.seats,
            most=most,
            rule=rule,
        )
