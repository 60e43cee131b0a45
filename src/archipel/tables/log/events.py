"""The event types of a table's log, from which everything else is derived, and their encoding.

Each event is stored as JSON in an envelope with its time and the request it answers.  The first
event names the format of the log; a log of an unknown format is refused.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from archipel.tables.commands import Clock, Colour, Phrase, Value

#: 1: the secret of chance was fixed with the table; nonces were added openly.
#: 2: people seal their nonces first; the secret is fixed when the game begins.
#: 3: as 2, and the game starts from a given position instead of a deal.
#: 4: as 2, and draws are numbered by purpose, so that other tables can play the same deal.
FORMAT = 2
FROM_POSITION = 3
DUPLICATE = 4
NEWEST_FORMAT = 4
OLDEST_FORMAT = 1


class UnreadableLog(ValueError):
    """A log that this version cannot read; the message names the event and the reason."""


def _tag(class_name: str) -> str:
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", class_name).lower()


class Event(Struct, frozen=True, forbid_unknown_fields=True, tag=_tag):
    """The base of all events; a subclass is stored under its name, in snake case."""


class SeatEvent(Event, frozen=True):
    """The base of the events of one seat."""

    seat: int


class Created(Event, frozen=True):
    """The table was created: always event 1."""

    format: int
    table: str
    game: str
    rules_version: int
    seats: int
    options: dict[str, Value]
    clock: Clock
    hot_seat: bool
    public: bool
    kept: list[int]  # open seats that need their invitation
    commitment: str  # empty since format 2, where the secret is fixed later
    follows: str | None  # the table of which this is the rematch
    board: str = ""  # the name of the board, if the game has several
    position: str = ""  # the position to start from; its unknown parts are dealt
    what_if: str = ""  # the table that the position comes from...
    what_if_n: int = 0  # ...and after which of its events
    hints: bool = True  # whether hints are possible at all
    # On a player's device, whose owner can look at everything hidden. Not in other logs, so that
    # older versions can read them.
    on_device: bool | UnsetType = UNSET


class DuplicateOf(Event, frozen=True):
    """The table plays the deal of another one, ``origin``, whose secret and nonces are fixed."""

    origin: str
    seals: list[str]
    nonces: list[str]


class DuplicateAdded(Event, frozen=True):
    """Another table plays the deal of this one."""

    table: str


class DuplicateFinished(Event, frozen=True):
    """A table that plays this deal is done. A table that was closed has neither ranks nor scores.

    ``people`` are the seats that people had to the end; at an origin itself, ``table`` is its own.
    """

    table: str
    names: list[str]
    people: list[int]
    ranks: list[int]
    scores: list[int]


class SecretOpened(Event, frozen=True):
    """The secret of chance is published: no table plays this deal any more."""

    secret: str


class OptionsSet(Event, frozen=True):
    """The options changed. Newer logs have `SetUpChanged` instead."""

    options: dict[str, Value]


class SetUpChanged(Event, frozen=True):
    """The host changed the game before it began; all values are named, also unchanged ones."""

    seats: int
    options: dict[str, Value]
    clock: Clock


class PersonSeated(SeatEvent, frozen=True, tag="seated"):
    """A person sat down, before the game or in an open seat during it."""

    name: str
    colour: Colour
    nonce: str
    seal: str = ""


class SeatFreed(SeatEvent, frozen=True):
    """The seat became open. During a game ``bot`` plays it meanwhile."""

    bot: str | None


class BotSeated(SeatEvent, frozen=True):
    """A bot of kind ``bot`` got the seat, under a display name."""

    bot: str
    name: str


class NonceAdded(SeatEvent, frozen=True):
    nonce: str


class NonceSealed(SeatEvent, frozen=True):
    """The seat committed to a nonce: ``seal`` is its SHA-256."""

    seal: str


#: Why a person has no share in chance: they were away, their browser sealed none, or a draw had
#: failed because of them or before they sat down.
NoShare = Literal["away", "none", "late"]


class DrawBegun(Event, frozen=True, omit_defaults=True):
    """The secret of chance was fixed. These seals are to be opened; empty ones do not count.

    ``without``: the people without a share, by seat.
    """

    commitment: str
    seals: list[str]
    without: dict[int, NoShare] = {}


class NonceOpened(SeatEvent, frozen=True):
    nonce: str


class DrawVoided(Event, frozen=True):
    """These seats did not open their seals in time, so this secret is not used."""

    missing: list[int]


class Begun(Event, frozen=True):
    """The game was dealt with these outcomes, which are draws 0 and up."""

    nonces: list[str]
    outcomes: list[int]


class Played(SeatEvent, frozen=True):
    """A move; its outcomes are the draws from ``first_draw`` on.

    ``bot`` is the bot that chose the move, which may be a lighter one while that of the seat is
    being compiled.  It is empty for people, random moves and old logs.
    """

    action: int
    outcomes: list[int]
    first_draw: int
    by: Literal["person", "bot"]
    bot: str = ""


class TakenBack(SeatEvent, frozen=True):
    """The last ``moves`` moves were undone, for a seat."""

    moves: int


class TakeBackAsked(SeatEvent, frozen=True):
    moves: int


class TakeBackAnswered(SeatEvent, frozen=True):
    agree: bool


class CloseAsked(Event, frozen=True):
    """The host proposes to close the table during the game; ``seat`` is theirs."""

    seat: int | None


class SeatAsked(SeatEvent, frozen=True):
    """Somebody asks for a seat in a game that has begun."""

    name: str


class HintsAsked(SeatEvent, frozen=True):
    """A player proposes hints for everybody."""


class HintsAllowed(Event, frozen=True):
    """All players agreed to hints."""


class ProposalAnswered(SeatEvent, frozen=True):
    """An answer to the pending proposal; one refusal ends it."""

    agree: bool


class Said(SeatEvent, frozen=True):
    phrase: Phrase


class Wrote(SeatEvent, frozen=True):
    """A text of a player; only players may read it."""

    text: str


class ChatSet(Event, frozen=True):
    """The host allowed players to write to each other, or no longer allows it."""

    allowed: bool


class Resigned(SeatEvent, frozen=True):
    """The player gave up and is ranked last; ``bot`` plays the seat on."""

    bot: str


class HandedOver(SeatEvent, frozen=True):
    """``bot`` plays the seat until its owner returns; ``by``: who asked, None: the clock."""

    bot: str
    by: int | None


class BotReplaced(SeatEvent, frozen=True):
    """The bot of the seat, ``failed``, gave no legal answer in time and was replaced by ``bot``."""

    failed: str
    bot: str


class Returned(SeatEvent, frozen=True):
    """The player plays the seat again instead of its bot."""


class ClockFlagged(SeatEvent, frozen=True):
    """The time of the seat ran out. A `HandedOver` follows."""


class ClocksRestarted(Event, frozen=True):
    """The server was down or suspended, so no live clock ran; ``spent`` is the time used before
    (milliseconds). A clock by days is topped up to a share of its time."""

    spent: int = 0


class Nudged(SeatEvent, frozen=True):
    """The player reminded the one to move, in seat ``to``."""

    to: int


class Planned(SeatEvent, frozen=True):
    """The player answered decisions in advance. Nobody else is told."""

    answers: dict[str, str]


class VacationTaken(SeatEvent, frozen=True):
    """No clock by days of this person runs until ``until`` (Unix milliseconds), which may also
    end an earlier vacation."""

    until: int


class SecretsReplaced(Event, frozen=True):
    """A device of a person was lost: its token is that of these seats no more, nor the host's."""

    seats: list[int]
    host: bool


class Ended(Event, frozen=True):
    """The game is over; the secret of chance is published, unless other tables may still play the
    same deal (see `SecretOpened`)."""

    ranks: list[int]
    scores: list[int]
    reason: str
    secret: str


class Closed(Event, frozen=True):
    """The table was closed; the secret is published if a game was under way."""

    secret: str | None


class MovedAway(Event, frozen=True):
    """The table continues on the server of this address, under the same id; it is closed here."""

    address: str


class Rematched(Event, frozen=True):
    """A rematch was created."""

    table: str


class PlayedOn(Event, frozen=True):
    """A what-if table was created that starts from the position after event ``n``."""

    table: str
    n: int
    seat: int | None  # the seat that asked; None for a host without one


class LessonBegun(Event, frozen=True):
    """The table plays a lesson: chance and the other seats follow this edition of its script."""

    lesson: str
    edition: str


class StepBegun(Event, frozen=True):
    """The next step of the lesson began, from this position if it names one."""

    step: int
    position: str | None


class LessonEnded(Event, frozen=True):
    """The lesson is complete."""


EVENTS = {*Event.__subclasses__(), *SeatEvent.__subclasses__()} - {SeatEvent}
if TYPE_CHECKING:
    AnyEvent = Event
else:  # msgspec tells the subclasses apart by their tags if it is given their union.
    AnyEvent = reduce(or_, EVENTS)


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event with its time (Unix milliseconds) and the request it answers, if any."""

    at: int
    event: AnyEvent
    request: str | None = None


class _Type(Struct):
    type: str
    format: int = 0


class _AnyEntry(Struct):
    event: _Type


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Entry)
_ANY_DECODER = msgspec.json.Decoder(_AnyEntry)
KNOWN_TYPES = frozenset(kind.__struct_config__.tag for kind in EVENTS)


def encode(entry: Entry) -> bytes:
    return _ENCODER.encode(entry)


def decode(n: int, body: bytes) -> Entry:
    """Decode event number ``n`` of a log; raises `UnreadableLog`."""
    try:
        outline = _ANY_DECODER.decode(body).event
    except msgspec.DecodeError as error:
        raise UnreadableLog(f"event {n} is not an event: {error}") from None
    if outline.type == "created" and not OLDEST_FORMAT <= outline.format <= NEWEST_FORMAT:
        raise UnreadableLog(
            f"the table's log has format {outline.format}, "
            f"this Archipel knows format {NEWEST_FORMAT}: "
            + ("upgrade first" if outline.format > NEWEST_FORMAT else "it is older than any")
        )
    if outline.type not in KNOWN_TYPES:
        raise UnreadableLog(
            f"event {n} is of a type this Archipel does not know: {outline.type!r}; upgrade first"
        )
    try:
        return _DECODER.decode(body)
    except msgspec.DecodeError as error:
        raise UnreadableLog(f"event {n} ({outline.type}) is damaged: {error}") from None
