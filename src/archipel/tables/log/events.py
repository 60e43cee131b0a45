"""The event types of a table's log, from which everything else is derived, and their encoding.

Each event is stored as JSON in an envelope with its time and the request it answers.  The first
event names the format of the log; a log of an unknown format is refused.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from archipel.tables.commands import Clock, Colour, Phrase, Value

#: 1: the secret of chance was fixed with the table; nonces were added openly.
#: 2: people seal their nonces first; the secret is fixed when the game begins.
#: 3: as 2, and the game starts from a given position instead of a deal.
FORMAT = 2
FROM_POSITION = 3
NEWEST_FORMAT = 3
OLDEST_FORMAT = 1


class UnreadableLog(ValueError):
    """A log that this version cannot read; the message names the event and the reason."""


class Created(Struct, frozen=True, tag="created", forbid_unknown_fields=True):
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


class OptionsSet(Struct, frozen=True, tag="options_set", forbid_unknown_fields=True):
    options: dict[str, Value]


class PersonSeated(Struct, frozen=True, tag="seated", forbid_unknown_fields=True):
    """A person sat down, before the game or in an open seat during it."""

    seat: int
    name: str
    colour: Colour
    nonce: str
    seal: str = ""


class SeatFreed(Struct, frozen=True, tag="seat_freed", forbid_unknown_fields=True):
    """The seat became open. During a game ``bot`` plays it meanwhile."""

    seat: int
    bot: str | None


class BotSeated(Struct, frozen=True, tag="bot_seated", forbid_unknown_fields=True):
    """A bot of kind ``bot`` got the seat, under a display name."""

    seat: int
    bot: str
    name: str


class NonceAdded(Struct, frozen=True, tag="nonce_added", forbid_unknown_fields=True):
    seat: int
    nonce: str


class NonceSealed(Struct, frozen=True, tag="nonce_sealed", forbid_unknown_fields=True):
    """The seat committed to a nonce: ``seal`` is its SHA-256."""

    seat: int
    seal: str


class DrawBegun(Struct, frozen=True, tag="draw_begun", forbid_unknown_fields=True):
    """The secret of chance was fixed. These seals are to be opened; empty ones do not count."""

    commitment: str
    seals: list[str]


class NonceOpened(Struct, frozen=True, tag="nonce_opened", forbid_unknown_fields=True):
    seat: int
    nonce: str


class DrawVoided(Struct, frozen=True, tag="draw_voided", forbid_unknown_fields=True):
    """These seats did not open their seals in time, so this secret is not used."""

    missing: list[int]


class Begun(Struct, frozen=True, tag="begun", forbid_unknown_fields=True):
    """The game was dealt with these outcomes, which are draws 0 and up."""

    nonces: list[str]
    outcomes: list[int]


class Played(Struct, frozen=True, tag="played", forbid_unknown_fields=True):
    """A move; its outcomes are the draws from ``first_draw`` on.

    ``bot`` is the bot that chose the move, which may be a lighter one while that of the seat is
    being compiled.  It is empty for people, random moves and old logs.
    """

    seat: int
    action: int
    outcomes: list[int]
    first_draw: int
    by: Literal["person", "bot"]
    bot: str = ""


class TakenBack(Struct, frozen=True, tag="taken_back", forbid_unknown_fields=True):
    """The last ``moves`` moves were undone, for a seat."""

    seat: int
    moves: int


class TakeBackAsked(Struct, frozen=True, tag="take_back_asked", forbid_unknown_fields=True):
    seat: int
    moves: int


class TakeBackAnswered(Struct, frozen=True, tag="take_back_answered", forbid_unknown_fields=True):
    seat: int
    agree: bool


class CloseAsked(Struct, frozen=True, tag="close_asked", forbid_unknown_fields=True):
    """The host proposes to close the table during the game; ``seat`` is theirs."""

    seat: int | None


class SeatAsked(Struct, frozen=True, tag="seat_asked", forbid_unknown_fields=True):
    """Somebody asks for a seat in a game that has begun."""

    seat: int
    name: str


class HintsAsked(Struct, frozen=True, tag="hints_asked", forbid_unknown_fields=True):
    """A player proposes hints for everybody."""

    seat: int


class HintsAllowed(Struct, frozen=True, tag="hints_allowed", forbid_unknown_fields=True):
    """All players agreed to hints."""


class ProposalAnswered(Struct, frozen=True, tag="proposal_answered", forbid_unknown_fields=True):
    """An answer to the pending proposal; one refusal ends it."""

    seat: int
    agree: bool


class Said(Struct, frozen=True, tag="said", forbid_unknown_fields=True):
    seat: int
    phrase: Phrase


class Resigned(Struct, frozen=True, tag="resigned", forbid_unknown_fields=True):
    """The player gave up and is ranked last; ``bot`` plays the seat on."""

    seat: int
    bot: str


class HandedOver(Struct, frozen=True, tag="handed_over", forbid_unknown_fields=True):
    """``bot`` plays the seat until its owner returns; ``by``: who asked, None: the clock."""

    seat: int
    bot: str
    by: int | None


class BotReplaced(Struct, frozen=True, tag="bot_replaced", forbid_unknown_fields=True):
    """The bot of the seat, ``failed``, gave no legal answer in time and was replaced by ``bot``."""

    seat: int
    failed: str
    bot: str


class Returned(Struct, frozen=True, tag="returned", forbid_unknown_fields=True):
    seat: int


class ClockFlagged(Struct, frozen=True, tag="clock_flagged", forbid_unknown_fields=True):
    """The time of the seat ran out. A `HandedOver` follows."""

    seat: int


class ClocksRestarted(Struct, frozen=True, tag="clocks_restarted", forbid_unknown_fields=True):
    """The server was down or suspended, so no live clock ran; ``spent`` is the time used before
    (milliseconds). A clock by days is topped up to a share of its time."""

    spent: int = 0


class Ended(Struct, frozen=True, tag="ended", forbid_unknown_fields=True):
    """The game is over; the secret of chance is published."""

    ranks: list[int]
    scores: list[int]
    reason: str
    secret: str


class Closed(Struct, frozen=True, tag="closed", forbid_unknown_fields=True):
    """The table was closed; the secret is published if a game was under way."""

    secret: str | None


class Rematched(Struct, frozen=True, tag="rematched", forbid_unknown_fields=True):
    """A rematch was created."""

    table: str


class PlayedOn(Struct, frozen=True, tag="played_on", forbid_unknown_fields=True):
    """A what-if table was created that starts from the position after event ``n``."""

    table: str
    n: int
    seat: int | None  # the seat that asked; None for a host without one


class LessonBegun(Struct, frozen=True, tag="lesson_begun", forbid_unknown_fields=True):
    """The table plays a lesson: chance and the other seats follow this edition of its script."""

    lesson: str
    edition: str


class StepBegun(Struct, frozen=True, tag="step_begun", forbid_unknown_fields=True):
    """The next step of the lesson began, from this position if it names one."""

    step: int
    position: str | None


class LessonEnded(Struct, frozen=True, tag="lesson_ended", forbid_unknown_fields=True):
    """The lesson is complete."""


Event = (
    Created
    | OptionsSet
    | PersonSeated
    | SeatFreed
    | BotSeated
    | NonceAdded
    | NonceSealed
    | DrawBegun
    | NonceOpened
    | DrawVoided
    | Begun
    | Played
    | TakenBack
    | TakeBackAsked
    | TakeBackAnswered
    | CloseAsked
    | SeatAsked
    | HintsAsked
    | HintsAllowed
    | ProposalAnswered
    | Said
    | Resigned
    | HandedOver
    | BotReplaced
    | Returned
    | ClockFlagged
    | ClocksRestarted
    | Ended
    | Closed
    | Rematched
    | PlayedOn
    | LessonBegun
    | StepBegun
    | LessonEnded
)


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event with its time (Unix milliseconds) and the request it answers, if any."""

    at: int
    event: Event
    request: str | None = None


class _Type(Struct):
    type: str
    format: int = 0


class _AnyEntry(Struct):
    event: _Type


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Entry)
_ANY_DECODER = msgspec.json.Decoder(_AnyEntry)
KNOWN_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in Event.__args__)


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
