"""What becomes of people: saved, lost, in the water."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import is_sea, remove_boat
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.hex_sea.sea_parts import S, SeaParts
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart


class People(SeaParts[S]):
    """What becomes of people: saved, lost, in the water."""

    @rule
    def lose(self, s: S, person: int) -> None:
        """Out of the game for good."""
        self.take_up(s, person)
        s.place[person] = LOST
        self.count_out(s, person)

    @rule
    def save(self, s: S, person: int, island: int) -> None:
        """Ashore on a safe island, and never to leave."""
        self.take_up(s, person)
        s.place[person] = self.spaces + island
        self.count_out(s, person)

    @rule
    def count_out(self, s: S, person: int) -> None:
        """Update the seat's count of people left, and restart the count of idle turns."""
        s.left[self.seat_of(s, person)] -= 1
        s.idle_turns = 0

    @rule
    def is_saved(self, s: S, person: int) -> bool:
        return self.spaces <= s.place[person] < self.spaces + self.shores

    @rule
    def swims(self, s: S, person: int) -> bool:
        place = s.place[person]
        return place < self.spaces and is_sea(s, place)

    @rule_apart
    def lose_swimmers(self, s: S, space: int) -> None:
        """Lose everybody in a space, in the water or on land that has just sunk."""
        for person in range(self.people):
            if s.place[person] == space:
                self.lose(s, person)

    @rule_apart
    def lose_boat(self, s: S, boat: int) -> None:
        """Remove a boat and lose everybody aboard."""
        for person in range(self.people):
            if s.place[person] == ABOARD + boat:
                self.lose(s, person)
        remove_boat(s, boat)
