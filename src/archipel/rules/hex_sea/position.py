"""The words of a position that both games have: people, boats and creatures, and where they are.

Of boats and creatures ``-`` is one in the stock and ``x`` one out of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.boats import HasBoats, load, put_boat
from archipel.rules.hex_sea.names import SeaNames
from archipel.rules.hex_sea.places import ABOARD, BOAT_ROOM, GONE, IN_STOCK, LAND, LOST, WAITING
from archipel.rules.position_words import PositionWords
from archipel.rules.sentence import Sentence

OFF_AND_ON: Mapping[str, int] = {"off": 0, "on": 1}


def name_of(names: Mapping[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


@dataclass(frozen=True)
class SeaWords:
    """The names of a game, where its actions for pieces begin, and the ids of the rules that say
    what can be where: what is in the box, boats, a boat's crew, and creatures."""

    names: SeaNames
    a_person: str  # as in: R3 is not a person
    person_action: int
    boat_action: int
    creature_action: int
    box_rule: str
    boat_rule: str
    crew_rule: str
    creature_rule: str

    # ---- writing --------------------------------------------------------------------------------

    def piece_text(self, space: int) -> str:
        """The place of a boat or a creature."""
        return {IN_STOCK: "-", GONE: "x"}.get(space) or self.names.space(space)

    def place_text(self, place: int) -> str:
        """The place of a person."""
        if place >= ABOARD:
            return {WAITING: "-", LOST: "lost"}.get(place) or self._boat_word(place - ABOARD)
        return self.names.place(place)

    def chosen_text(self, action: int) -> str:
        """A piece, by the action that chooses it."""
        if action < self.boat_action:
            return self.names.person(action - self.person_action)
        if action < self.creature_action:
            return self._boat_word(action - self.boat_action)
        return self.names.creature(action - self.creature_action).replace(" ", "")

    def people_text(self, people: int) -> str:
        """A set of people."""
        found = [name for name, number in self.names.people.items() if people >> number & 1]
        return ",".join(found) or "-"

    def _boat_word(self, boat: int) -> str:
        return f"boat{self.names.boat(boat)}"

    # ---- reading --------------------------------------------------------------------------------

    def read_chosen(self, text: str) -> int | None:
        """The action that chooses a piece, or None."""
        for first, numbers in (
            (self.person_action, self.names.people),
            (self.boat_action, self.names.boats),
            (self.creature_action, self.names.creatures),
        ):
            for number in numbers.values():
                if self.chosen_text(first + number) == text:
                    return first + number
        return None

    def read_people(self, words: PositionWords, name: str) -> int:
        """A set of people."""
        found = 0
        for part in words.parts(name):
            person = self.names.person_number(part)
            if person is None:
                known = list(self.names.people)
                raise NotationError(
                    Sentence(
                        "{name}: {part!r} is not {a_person}; they are {first} to {last}",
                        name=name,
                        part=part,
                        a_person=Sentence(self.a_person),
                        first=known[0],
                        last=known[-1],
                    )
                )
            found |= 1 << person
        return found

    def read_place(self, text: str) -> int | None:
        """Where a person can be, or None."""
        if text in self.names.spaces:
            return self.names.spaces[text]
        if text in self.names.islands:
            return len(self.names.spaces) + self.names.islands[text]
        for boat in self.names.boats.values():
            if text == self._boat_word(boat):
                return ABOARD + boat
        return {"lost": LOST, "-": WAITING}.get(text)

    def read_boats(self, s: HasBoats, words: PositionWords) -> None:
        """Onto the board, where the land already lies."""
        pieces = self.read_pieces("boats", words.text("boats", "-"), len(s.boat))
        for boat, space in enumerate(pieces):
            s.boat[boat] = space
            if space >= len(s.space):
                continue
            self._require_sea(s, Sentence("boat {number}", number=boat + 1), space, self.boat_rule)
            other = s.boat.index(space)
            if other < boat:
                raise NotationError(
                    Sentence(
                        "boats {other} and {boat} are both on {space} ({rule})",
                        other=other + 1,
                        boat=boat + 1,
                        space=self.names.space(space),
                        rule=self.boat_rule,
                    )
                )
            put_boat(s, boat, space)

    def read_creatures(
        self, s: HasBoats, words: PositionWords, word: str, first: int, count: int, default: str
    ) -> Sequence[int]:
        """The places of the creatures of a kind, off the land that already lies there."""
        pieces = self.read_pieces(word, words.text(word, default), count)
        for number, space in enumerate(pieces, first):
            if space < len(s.space):
                self._require_sea(s, self.creature_name(number), space, self.creature_rule)
        return pieces

    def _require_sea(self, s: HasBoats, piece: Sentence, space: int, rule: str) -> None:
        if s.space[space] & LAND:
            raise NotationError(
                Sentence(
                    "{piece} is on {space}, which is land ({rule})",
                    piece=piece,
                    space=self.names.space(space),
                    rule=rule,
                )
            )

    def creature_name(self, creature: int) -> Sentence:
        """``shark 2``, in the language asked for."""
        kind, _, number = self.names.creature(creature).partition(" ")
        return Sentence("{kind} {number}", kind=Sentence(kind), number=number)

    def read_pieces(self, name: str, text: str, count: int) -> list[int]:
        """Places separated by commas; those that are not given are in the stock."""
        parts = text.split(",")
        if len(parts) > count:
            raise NotationError(
                Sentence(
                    "{name}: {given} places, but there are {count} ({rule})",
                    name=name,
                    given=len(parts),
                    count=count,
                    rule=self.box_rule,
                )
            )
        spaces = []
        for part in parts:
            if part not in self.names.spaces and part not in ("-", "x"):
                raise NotationError(
                    Sentence(
                        "{name}: {part!r} is not a space; write f7, - (stock) or x (gone)",
                        name=name,
                        part=part,
                    )
                )
            spaces.append({"-": IN_STOCK, "x": GONE}.get(part) or self.names.spaces.get(part, 0))
        return spaces + [IN_STOCK] * (count - len(parts))

    def take_aboard(self, s: HasBoats, person: int, place: int, seat: int) -> None:
        """Count a person in whose place is a boat, which must be there and have room."""
        boat = place - ABOARD
        if not 0 <= boat < len(s.boat):
            return
        if s.boat[boat] >= len(s.space):
            raise NotationError(
                Sentence(
                    "{person} is in boat {boat}, which is not on the board ({rule})",
                    person=self.names.person(person),
                    boat=boat + 1,
                    rule=self.crew_rule,
                )
            )
        if load(s, boat) == BOAT_ROOM:
            raise NotationError(
                Sentence(
                    "{person} is in boat {boat}, which has three aboard already ({rule})",
                    person=self.names.person(person),
                    boat=boat + 1,
                    rule=self.crew_rule,
                )
            )
        s.aboard[boat][seat] += 1
