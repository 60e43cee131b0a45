"""The events of a club's log and their encoding."""

from __future__ import annotations

import re
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from archipel.tables.commands import Clock, Value

FORMAT = 1
Role = Literal["owner", "organiser", "member"]
#: Round robin and Swiss are for games of two; rotation for tables of three to six.
System = Literal["round_robin", "swiss", "rotation"]


def _tag(class_name: str) -> str:
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", class_name).lower()


class Event(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag=_tag):
    """The base of all events."""


class Opened(Event, frozen=True):
    """The club was opened by its first member, the owner."""

    format: int
    name: str
    owner: str


class Joined(Event, frozen=True):
    member: int
    name: str


class Left(Event, frozen=True):
    """A member left, or ``by`` removed them. Their results stay, without their name."""

    member: int
    by: int | None = None


class RoleSet(Event, frozen=True):
    member: int
    role: Role


class SeasonBegun(Event, frozen=True):
    name: str


class Proposed(Event, frozen=True):
    """A member proposes a game; a ``standing`` table stays listed and can be opened again."""

    proposal: int
    member: int
    game: str
    seats: int
    options: dict[str, Value] = {}
    clock: Clock = Clock()
    starts: str = ""  # a date (ISO 8601), or empty
    note: str = ""
    standing: bool = False


class Answered(Event, frozen=True):
    proposal: int
    member: int
    comes: bool


class Withdrawn(Event, frozen=True):
    proposal: int


class TableOpened(Event, frozen=True):
    """A table of the club; at a tournament the members have their seats already."""

    table: str
    game: str
    member: int
    seats: list[int | None]  # by seat, the member it is kept for
    proposal: int | None = None
    tournament: int | None = None
    round: int = 0


class Seated(Event, frozen=True):
    table: str
    seat: int
    member: int


class Finished(Event, frozen=True):
    """A game of the club is over: by seat, the member or the bot, the rank and the score.

    A seat with neither belonged to somebody who is no member. A closed table has no ranks.
    ``entered``: by an organiser, who gives no scores.
    """

    table: str
    members: list[int | None]
    bots: list[str | None]
    ranks: list[int]
    scores: list[int]
    entered: bool = False


class DealAdded(Event, frozen=True):
    """A member plays the deal of a day at a table; ``deal``: the id of its origin."""

    table: str
    deal: str
    member: int


class TournamentOpened(Event, frozen=True):
    tournament: int
    name: str
    game: str
    system: System
    seats: int
    rounds: int
    options: dict[str, Value] = {}
    clock: Clock = Clock()
    starts: str = ""  # the date of the first round (ISO 8601), or empty
    days: int = 7  # from one round to the next


class Entered(Event, frozen=True):
    tournament: int
    member: int
    enters: bool = True


class RoundDrawn(Event, frozen=True):
    """The tables of a round, each a list of members by seat, and who has a bye."""

    tournament: int
    groups: list[list[int]]
    byes: list[int]


EVENTS = frozenset(Event.__subclasses__())
if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = reduce(or_, Event.__subclasses__())


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event with its time (Unix milliseconds)."""

    at: int
    event: AnyEvent


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    return _ENCODER.encode(entry)


def decode(body: bytes) -> Entry:
    """Raises `msgspec.DecodeError`."""
    return _DECODER.decode(body)
