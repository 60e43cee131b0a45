"""Position texts of The Island and Atlantis: the fields and the checks that both games share.

Of boats and creatures ``-`` is one in the stock and ``x`` one out of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from archipel.rules.hex_sea.boats import is_sea, load, put_boat
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.names import SeaNames
from archipel.rules.hex_sea.places import ABOARD, BOAT_ROOM, GONE, IN_STOCK, LAND, LOST, WAITING
from archipel.rules.hex_sea.turn import TURNS_WITHOUT_EVENT
from archipel.rules.position_fields import Field, Number, Reading, Written, listed, refuse
from archipel.rules.sentence import Sentence


@dataclass(frozen=True)
class SeaWords:
    """The names of a game's pieces, the actions that choose them, and the ids of its rules."""

    names: SeaNames
    a_person: str  # as in: R3 is not a person
    person_action: int
    boat_action: int
    creature_action: int
    nothing: int  # instead of an action, where no piece is chosen
    rules: Mapping[str, str]

    # ---- names of places and pieces -------------------------------------------------------------

    def piece_text(self, space: int) -> str:
        """The place of a boat or a creature."""
        return {IN_STOCK: "-", GONE: "x"}.get(space) or self.names.space(space)

    def place_text(self, place: int) -> str:
        """The place of a person."""
        if place >= ABOARD:
            return {WAITING: "-", LOST: "lost"}.get(place) or self._boat_word(place - ABOARD)
        return self.names.place(place)

    def read_place(self, text: str) -> int | None:
        """The place of a person, or None if there is no such place."""
        if text in self.names.spaces:
            return self.names.spaces[text]
        if text in self.names.islands:
            return len(self.names.spaces) + self.names.islands[text]
        for boat in self.names.boats.values():
            if text == self._boat_word(boat):
                return ABOARD + boat
        return {"lost": LOST, "-": WAITING}.get(text)

    def chosen_text(self, chosen: int) -> str:
        """A piece, by the action that chooses it; or a space."""
        if chosen == self.nothing:
            return "-"
        if chosen < len(self.names.spaces):
            return self.names.space(chosen)
        if chosen < self.boat_action:
            return self.names.person(chosen - self.person_action)
        if chosen < self.creature_action:
            return self._boat_word(chosen - self.boat_action)
        return self.names.creature(chosen - self.creature_action).replace(" ", "")

    def read_chosen(self, text: str) -> int | None:
        """The action that chooses a piece, or the number of a space; None if there is neither."""
        if text == "-":
            return self.nothing
        if text in self.names.spaces:
            return self.names.spaces[text]
        for first, numbers in (
            (self.person_action, self.names.people),
            (self.boat_action, self.names.boats),
            (self.creature_action, self.names.creatures),
        ):
            for number in numbers.values():
                if self.chosen_text(first + number) == text:
                    return first + number
        return None

    def creature_name(self, creature: int) -> Sentence:
        """``shark 2``, in the language of the reader."""
        kind, _, number = self.names.creature(creature).partition(" ")
        return Sentence("{kind} {number}", kind=Sentence(kind), number=number)

    def _boat_word(self, boat: int) -> str:
        return f"boat{self.names.boat(boat)}"

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
            if place == WAITING:
                if not placing:
                    refuse("{person} is not placed yet, but play has begun ({rule})", parts)
            elif placing and place >= len(s.space):
                refuse(
                    "{person} is at {place}: while people are placed they stand on land ({rule})",
                    parts,
                    place=self.place_text(place),
                )
            elif placing and is_sea(s, place):
                space = self.names.space(place)
                refuse(
                    "{person} stands on {space}, which is under water ({rule})", parts, space=space
                )

    def check_land(self, s: HasSea, spaces: Iterable[int]) -> None:
        """Before play begins nothing has sunk."""
        for space in spaces:
            if is_sea(s, space):
                parts = {"space": self.names.space(space), "rule": self.rules["land"]}
                refuse("{space} has sunk, but play has not begun ({rule})", parts)

    def check_swimmers(self, s: HasSea, people: int, eaters: Iterable[int]) -> None:
        """Nobody swims beside a creature that eats swimmers; ``eaters`` are those that do, less one
        whose harm can still be turned away."""
        spaces = {s.creature[creature]: creature for creature in eaters}
        for person, place in enumerate(s.place[:people]):
            if place < len(s.space) and place in spaces:
                parts = {"person": self.names.person(person), "space": self.names.space(place)}
                refuse(
                    "{person} swims in {space}, where {creature} is ({rule})",
                    parts,
                    creature=self.creature_name(spaces[place]),
                    rule=self.rules["swimmers"],
                )

    def check_idle(self, s: HasSea, playing: bool) -> None:
        """Turns are counted while there is no land; the last of them ends the game."""
        rule, most = self.rules["idle"], TURNS_WITHOUT_EVENT * s.seats
        if any(s.land_left) and s.idle_turns > 0:
            refuse("idle: only with no land left ({rule})", rule=rule)
        if s.idle_turns > most or (s.idle_turns > 0 and not playing):
            parts = {"idle": s.idle_turns, "seats": s.seats, "most": most, "rule": rule}
            refuse(
                "idle={idle}: with {seats} players the game ends after {most} such turns ({rule})",
                parts,
            )
