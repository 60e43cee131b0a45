"""The log of a table: what is kept for good, and from which everything else is derived.

Each event is kept as JSON in an envelope with its time and the request it answers.  The first
event says which format the log is written in: a log of a newer format is refused, never guessed at.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from archipel.tables.commands import Clock, Colour, Phrase, Value

#: 1: the secret of chance was fixed with the table, and nonces were added openly.
#: 2: people seal their nonces first, the secret is fixed when the game begins.
#: 3: as 2, and the game begins with a position that was given, not with its deal.
FORMAT = 2
FROM_POSITION = 3
NEWEST_FORMAT = 3
OLDEST_FORMAT = 1


class UnreadableLog(ValueError):
    """A log that this Archipel cannot continue: which event, and why in words."""


class Created(Struct, frozen=True, tag="created", forbid_unknown_fields=True):
    """A table is set up: always event 1."""

    format: int
    table: str
    game: str
    rules_version: int
    seats: int
    options: dict[str, Value]
    clock: Clock
    hot_seat: bool
    public: bool
    kept: list[int]  # open seats that wait for their invitation
    commitment: str  # empty since format 2: the secret is not fixed yet
    follows: str | None  # the table this is the rematch of
    board: str = ""  # the name of the board's data, where a game has boards to choose from
    position: str = ""  # what the game begins with instead of its deal; the unknown is dealt
    what_if: str = ""  # the table that the position is from...
    what_if_n: int = 0  # ...and after which of its events
    hints: bool = True  # whether the engine may help here at all


class OptionsSet(Struct, frozen=True, tag="options_set", forbid_unknown_fields=True):
    options: dict[str, Value]


class Seated(Struct, frozen=True, tag="seated", forbid_unknown_fields=True):
    """A person sat down, before the game or in an open seat during it."""

    seat: int
    name: str
    colour: Colour
    nonce: str
    seal: str = ""


class SeatFreed(Struct, frozen=True, tag="seat_freed", forbid_unknown_fields=True):
    """The seat is open. ``bot`` plays it meanwhile when the game has begun."""

    seat: int
    bot: str | None


class BotSeated(Struct, frozen=True, tag="bot_seated", forbid_unknown_fields=True):
    """A bot of the kind ``bot`` sat down, under a name of its own."""

    seat: int
    bot: str
    name: str


class NonceAdded(Struct, frozen=True, tag="nonce_added", forbid_unknown_fields=True):
    seat: int
    nonce: str


class NonceSealed(Struct, frozen=True, tag="nonce_sealed", forbid_unknown_fields=True):
    """The seat is bound to a nonce that nobody else knows yet: ``seal`` is its SHA-256."""

    seat: int
    seal: str


class DrawBegun(Struct, frozen=True, tag="draw_begun", forbid_unknown_fields=True):
    """The secret of chance is fixed. The seals that count are to be opened now; for the other seats
    they are empty."""

    commitment: str
    seals: list[str]


class NonceOpened(Struct, frozen=True, tag="nonce_opened", forbid_unknown_fields=True):
    seat: int
    nonce: str


class DrawVoided(Struct, frozen=True, tag="draw_voided", forbid_unknown_fields=True):
    """These seats did not open their seals in time: nothing is dealt from this secret."""

    missing: list[int]


class Begun(Struct, frozen=True, tag="begun", forbid_unknown_fields=True):
    """The game was dealt with these outcomes: draws 0 and up."""

    nonces: list[str]
    outcomes: list[int]


class Played(Struct, frozen=True, tag="played", forbid_unknown_fields=True):
    """An action; its outcomes are the draws from ``first_draw`` on.

    ``bot`` found it, which need not be the bot of the seat: another answers while that one is not
    ready. Empty for people, for what was played at random for want of an answer, and in old logs.
    """

    seat: int
    action: int
    outcomes: list[int]
    first_draw: int
    by: Literal["person", "bot"]
    bot: str = ""


class TakenBack(Struct, frozen=True, tag="taken_back", forbid_unknown_fields=True):
    """The last ``moves`` actions are undone, for a seat."""

    seat: int
    moves: int


class TakeBackAsked(Struct, frozen=True, tag="take_back_asked", forbid_unknown_fields=True):
    seat: int
    moves: int


class TakeBackAnswered(Struct, frozen=True, tag="take_back_answered", forbid_unknown_fields=True):
    seat: int
    agree: bool


class CloseAsked(Struct, frozen=True, tag="close_asked", forbid_unknown_fields=True):
    """The host would like to end the table in the middle of the game; ``seat`` is theirs."""

    seat: int | None


class SeatAsked(Struct, frozen=True, tag="seat_asked", forbid_unknown_fields=True):
    """Somebody would like to sit down in a seat of a game that has begun."""

    seat: int
    name: str


class HintsAsked(Struct, frozen=True, tag="hints_asked", forbid_unknown_fields=True):
    """Somebody would like the engine to help everybody here."""

    seat: int


class HintsAllowed(Struct, frozen=True, tag="hints_allowed", forbid_unknown_fields=True):
    """All agreed to that."""


class ProposalAnswered(Struct, frozen=True, tag="proposal_answered", forbid_unknown_fields=True):
    """An answer to what was asked for last; one who does not agree ends it."""

    seat: int
    agree: bool


class Said(Struct, frozen=True, tag="said", forbid_unknown_fields=True):
    seat: int
    phrase: Phrase


class Resigned(Struct, frozen=True, tag="resigned", forbid_unknown_fields=True):
    """The seat is out of the ranking; ``bot`` plays on for it."""

    seat: int
    bot: str


class HandedOver(Struct, frozen=True, tag="handed_over", forbid_unknown_fields=True):
    """``bot`` plays the seat until its owner returns; ``by`` is who asked, None for the clock."""

    seat: int
    bot: str
    by: int | None


class BotReplaced(Struct, frozen=True, tag="bot_replaced", forbid_unknown_fields=True):
    """The bot of a seat, ``failed``, had no answer in time, or none that is legal: from now on
    ``bot`` plays there."""

    seat: int
    failed: str
    bot: str


class Returned(Struct, frozen=True, tag="returned", forbid_unknown_fields=True):
    seat: int


class ClockFlagged(Struct, frozen=True, tag="clock_flagged", forbid_unknown_fields=True):
    """The seat's time ran out. A `HandedOver` follows."""

    seat: int


class ClocksRestarted(Struct, frozen=True, tag="clocks_restarted", forbid_unknown_fields=True):
    """The server was away. No live clock ran meanwhile; ``spent`` is what was used of it before
    (milliseconds). By days whoever is on the move has a share of their time left."""

    spent: int = 0


class Ended(Struct, frozen=True, tag="ended", forbid_unknown_fields=True):
    """The game is over, and the secret of its chance is opened."""

    ranks: list[int]
    scores: list[int]
    reason: str
    secret: str


class Closed(Struct, frozen=True, tag="closed", forbid_unknown_fields=True):
    """The host ended the table; the secret is opened if a game was under way."""

    secret: str | None


class Rematched(Struct, frozen=True, tag="rematched", forbid_unknown_fields=True):
    """It goes on at another table."""

    table: str


class PlayedOn(Struct, frozen=True, tag="played_on", forbid_unknown_fields=True):
    """What if: somebody plays on from the position after event n, at another table."""

    table: str
    n: int
    seat: int | None  # who asked; the host need not have one


class LessonBegun(Struct, frozen=True, tag="lesson_begun", forbid_unknown_fields=True):
    """The table is one for learning: chance and the other seats follow the lesson of this name, as
    it stands in this edition."""

    lesson: str
    edition: str


class StepBegun(Struct, frozen=True, tag="step_begun", forbid_unknown_fields=True):
    """The next step of the lesson, from this position where it names one."""

    step: int
    position: str | None


class LessonEnded(Struct, frozen=True, tag="lesson_ended", forbid_unknown_fields=True):
    """Nothing is left to learn here."""


Event = (
    Created
    | OptionsSet
    | Seated
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
    """Event number n of a log; raises `UnreadableLog`."""
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
