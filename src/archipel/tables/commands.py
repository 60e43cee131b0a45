"""What people at a table may ask for. Names and fields are those of the wire protocol.

What makes and joins a table is read off the wire as it is: its limits are part of the types, and
what does not fit them is refused before anything looks at it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Value = str | int | bool | None
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Nonce = Annotated[str, Meta(max_length=64)]
#: The SHA-256 of a nonce, in hexadecimal; or none.
Seal = Annotated[str, Meta(max_length=64, pattern="^([0-9a-f]{64})?$")]
SeatNumber = Annotated[int, Meta(ge=0, le=9)]
#: The secret of a seat, or of the link to one.
Token = Annotated[str, Meta(min_length=20, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
OptionName = Annotated[str, Meta(max_length=40)]
LessonName = Annotated[str, Meta(max_length=40)]
BotName = Annotated[str, Meta(max_length=40)]
#: Of a request that is to be done once; its sender chooses it, so that nobody can guess it.
Unguessable = Annotated[str, Meta(max_length=64, pattern="^([A-Za-z0-9_-]{16,64})?$")]
Colour = Literal["white", "yellow", "sky", "vermilion", "blue", "black"]
COLOURS: tuple[Colour, ...] = ("white", "yellow", "sky", "vermilion", "blue", "black")
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "oops", "hurry", "wait", "lucky", "again", "bye"
]


class Clock(Struct, frozen=True):
    """Time to think, in seconds.

    ``live``: a store of ``seconds`` per seat, and ``increment`` more for each decision.
    ``days``: ``seconds`` for each decision, whatever was used before.
    """

    kind: Literal["none", "live", "days"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=30 * 86_400)] = 0
    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0


# ---- making and joining a table -----------------------------------------------------------------


class SeatWish(Struct, frozen=True):
    """How a seat begins: with a bot, or open; ``kept`` open seats need their invitation."""

    bot: BotName | None = None
    kept: bool = False


#: No position of a game is nearly as long.
MOST_POSITION = 8_000


class FromMoment(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a game that is over: the position after event ``n`` at another table."""

    table: Annotated[str, Meta(min_length=8, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
    n: Annotated[int, Meta(ge=0, le=10_000_000)]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up. The maker hosts it and sits down in ``my_seat`` (None: only hosts).

    At a hot-seat table every seat without a bot is played by the maker's token; ``names`` are the
    names of those seats in order, ``my_seat`` means nothing.  ``seal`` is the SHA-256 of a nonce
    that the maker will open when the game begins, to be mixed into chance.  Asked for again with
    the same ``request``, it is one table.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=10)]
    my_name: Name
    my_colour: Colour | None = None
    my_seat: SeatNumber | None = 0
    options: dict[OptionName, Value] = {}
    clock: Clock = Clock()
    public: bool = False  # listed for anyone to watch
    hot_seat: bool = False  # every person's seat is played on the maker's device
    names: Annotated[list[Name], Meta(max_length=10)] = []  # for hot seats
    begin: bool = False  # start at once
    hints: bool = True  # the engine may help whoever plays bots alone, and people if all agree
    seal: Seal = ""
    request: Unguessable = ""
    lesson: LessonName = ""  # one of the game: it says who sits there, and what is dealt
    what_if: FromMoment | None = None  # play on from there
    position: Annotated[str, Meta(max_length=MOST_POSITION)] = ""  # or from this one, in notation


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down: in a given open seat, in that of an invitation, or in any open one.

    Asked for again with the same ``request``, it is one seat.
    """

    name: Name
    colour: Colour | None = None
    seat: SeatNumber | None = None  # None: any open one
    invitation: Token | None = None  # for a seat that is kept for its link
    seal: Seal = ""
    request: Unguessable = ""


# ---- at the table -------------------------------------------------------------------------------


class SetSeat(Struct, frozen=True):
    """The host fills a seat with a bot, or frees it (None); a person may free their own."""

    seat: int
    bot: str | None = None


class SetOptions(Struct, frozen=True):
    """The host chooses other options before the game begins; those not named stay."""

    options: dict[str, Value]


class SealNonce(Struct, frozen=True):
    """A person binds themselves to a nonce before the game begins: this is its SHA-256."""

    seal: str


class OpenNonce(Struct, frozen=True):
    """The nonce that was sealed, as soon as the secret of the table is fixed."""

    nonce: str


class Begin(Struct, frozen=True):
    """The host starts the game; open seats go to bots."""


class Play(Struct, frozen=True):
    """An action, for the position after event ``n``."""

    n: int
    action: int


class TakeBack(Struct, frozen=True):
    """Take back my last action: at once where that is free, else ask those who decided since."""

    n: int


class AgreeToTakeBack(Struct, frozen=True):
    n: int
    agree: bool


class AnswerProposal(Struct, frozen=True):
    """Whether I agree to what was asked for in or before event ``n``: closing, a newcomer, or
    hints."""

    n: int
    agree: bool


class AskForHints(Struct, frozen=True):
    """Let the engine help everybody here: as soon as all who play agree."""


class Say(Struct, frozen=True):
    phrase: Phrase


class Resign(Struct, frozen=True):
    pass


class HandOver(Struct, frozen=True):
    """Let a bot play for somebody who has been away for two minutes, or for oneself."""

    seat: int


class ComeBack(Struct, frozen=True):
    """Take my seat back from the bot."""


class Rematch(Struct, frozen=True):
    """The same people once more, seats rotated; the asker hosts. Asked twice, it is one table."""

    seal: str = ""


class PlayOn(Struct, frozen=True):
    """What if: the same people once more, in their seats, from the position after event n of the
    game that is over; the asker hosts. Asked twice for one moment, it is one table."""

    n: int
    seal: str = ""


class CloseTable(Struct, frozen=True):
    """The host ends the table for good; in the middle of a game, with the consent of the others."""


class GoOn(Struct, frozen=True):
    """In a lesson: I have read this step, or choose the answer of this number."""

    n: int
    answer: int | None = None


Command = (
    SetSeat
    | SetOptions
    | SealNonce
    | OpenNonce
    | Begin
    | Play
    | TakeBack
    | AgreeToTakeBack
    | AnswerProposal
    | AskForHints
    | Say
    | Resign
    | HandOver
    | ComeBack
    | Rematch
    | PlayOn
    | CloseTable
    | GoOn
)
