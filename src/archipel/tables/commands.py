"""What people at a table may ask for. Names and fields are those of the wire protocol."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Value = str | int | bool | None
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
    seconds: int = 0
    increment: int = 0


# ---- making and joining a table -----------------------------------------------------------------


class SeatWish(Struct, frozen=True):
    """How a seat begins: with a bot, or open; ``kept`` open seats need their invitation."""

    bot: str | None = None
    kept: bool = False


class NewTable(Struct, frozen=True):
    """A table to set up. The maker hosts it and sits down in ``my_seat`` (None: only hosts).

    At a hot-seat table every seat without a bot is played by the maker's token; ``names`` are the
    names of those seats in order, ``my_seat`` means nothing.  ``nonce`` is mixed into chance.
    """

    game: str
    seats: list[SeatWish]
    my_name: str
    my_colour: Colour | None = None
    my_seat: int | None = 0
    options: dict[str, Value] = {}
    clock: Clock = Clock()
    public: bool = False
    hot_seat: bool = False
    names: list[str] = []
    begin: bool = False
    nonce: str = ""


class Join(Struct, frozen=True):
    """Sit down: in a given open seat, in that of an invitation, or in any open one."""

    name: str
    colour: Colour | None = None
    seat: int | None = None
    invitation: str | None = None
    nonce: str = ""


# ---- at the table -------------------------------------------------------------------------------


class SetSeat(Struct, frozen=True):
    """The host fills a seat with a bot, or frees it (None); a person may free their own."""

    seat: int
    bot: str | None = None


class SetOptions(Struct, frozen=True):
    """The host chooses other options before the game begins; those not named stay."""

    options: dict[str, Value]


class AddNonce(Struct, frozen=True):
    """A person adds something of their own to chance, before the game begins."""

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


class CloseTable(Struct, frozen=True):
    """The host ends the table for good."""


Command = (
    SetSeat
    | SetOptions
    | AddNonce
    | Begin
    | Play
    | TakeBack
    | AgreeToTakeBack
    | Say
    | Resign
    | HandOver
    | ComeBack
    | Rematch
    | CloseTable
)
