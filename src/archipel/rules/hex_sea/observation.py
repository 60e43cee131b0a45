"""The parts of an observation that the sea games share (`archipel.rules.kit.core.observations`)."""

from __future__ import annotations

from archipel.rules.hex_sea.places import ABOARD, BOAT_BITS, GONE, IN_STOCK, LOST, WAITING
from archipel.rules.hex_sea.sea import TURNS_WITHOUT_EVENT
from archipel.rules.kit.core.encodings import Bits, Number, Range, Ranges
from archipel.rules.kit.core.observations import Seen


def spaces_seen(creature_kinds: tuple[str, ...]) -> Seen:
    boat = tuple(f"bit {bit} of the boat" for bit in range(BOAT_BITS.bit_length()))
    return Seen(
        "space",
        Bits((*boat, "land", *creature_kinds)),
        "what each space holds; the boat's number plus 1 bit by bit, low ones first",
    )


def people_seen(spaces: int, islands: int, boats: int, who: str) -> Seen:
    places = Ranges(
        (
            Range("on a space", 0, spaces),
            Range("saved on an island", spaces, islands),
            Range("aboard", ABOARD, boats),
            Range("lost", LOST),
            Range("waiting", WAITING),
        )
    )
    return Seen("place", places, f"where each of the {who} is, numbered as actions name them")


def pieces_seen(field: str, spaces: int, meaning: str) -> Seen:
    places = Ranges(
        (
            Range("on a space", 0, spaces),
            Range("in stock", IN_STOCK),
            Range("out of the game", GONE),
        )
    )
    return Seen(field, places, meaning)


def crews_seen(room: int) -> Seen:
    return Seen("aboard", Number(room), "people aboard each boat, by seat", per_seat="columns")


def idle_turns_seen(most_seats: int) -> Seen:
    most = Number(TURNS_WITHOUT_EVENT * most_seats)
    return Seen("idle_turns", most, "turns without land in which nobody was saved")


def chosen_seen(spaces: int, pieces: tuple[tuple[str, int, int], ...]) -> Ranges:
    """An action that chose something, by what it names."""
    named = tuple(Range(name, first, count) for name, first, count in pieces)
    return Ranges((Range("a space", 0, spaces), *named))
