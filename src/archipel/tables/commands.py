"""Requests to tables: creating one, joining one, and the commands of the people at it.

These structs are the wire format: a server decodes them straight from JSON, told apart by ``type``.
Limits are part of the types, so that malformed requests are refused before any code sees them.
`archipel.tables.decisions` says for each command who may send it and what it does.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

Value = str | int | bool | None
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Nonce = Annotated[str, Meta(max_length=64)]
#: The SHA-256 of a nonce, in hexadecimal; or empty.
Seal = Annotated[str, Meta(max_length=64, pattern="^([0-9a-f]{64})?$")]
SeatNumber = Annotated[int, Meta(ge=0, le=9)]
#: The secret of a seat, or of an invitation to one.
Token = Annotated[str, Meta(min_length=20, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
TableId = Annotated[str, Meta(min_length=8, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
OptionName = Annotated[str, Meta(max_length=40)]
LessonName = Annotated[str, Meta(max_length=40)]
BotName = Annotated[str, Meta(max_length=40)]
RequestId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[A-Za-z0-9_-]+$")]
#: Idempotency key of a request whose answer holds a secret: long enough that nobody can guess it.
Unguessable = Annotated[str, Meta(max_length=64, pattern="^([A-Za-z0-9_-]{16,64})?$")]
EventNumber = Annotated[int, Meta(ge=0, le=10_000_000)]
ActionNumber = Annotated[int, Meta(ge=0, le=100_000)]
Colour = Literal["white", "yellow", "sky", "vermilion", "blue", "black"]
COLOURS: tuple[Colour, ...] = ("white", "yellow", "sky", "vermilion", "blue", "black")
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "oops", "hurry", "wait", "lucky", "again", "bye"
]


#: Longest text that a player may write, in characters.
LONGEST_TEXT = 240


class Clock(Struct, frozen=True):
    """Time to think, in seconds.

    ``live``: a budget of ``seconds`` per seat, plus ``increment`` for each decision.
    ``days``: ``seconds`` for each decision.
    """

    kind: Literal["none", "live", "days"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=30 * 86_400)] = 0
    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0


# ---- creating and joining a table ---------------------------------------------------------------


class SeatWish(Struct, frozen=True):
    """How a seat starts: with a bot, or open. A ``kept`` open seat needs its invitation."""

    bot: BotName | None = None
    kept: bool = False


#: Longest accepted position text; real ones are far shorter.
MOST_POSITION = 8_000


class FromMoment(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a finished game: the position after event ``n`` of a table."""

    table: TableId
    n: EventNumber


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to create. Its maker hosts it and sits down in ``my_seat`` (None: only hosts).

    At a hot-seat table the maker's token plays every seat without a bot; ``names`` are the names of
    those seats in order and ``my_seat`` is ignored.  ``seal`` is the SHA-256 of a nonce that the
    maker opens when the game begins.  A repeat with the same ``request`` returns the same table.
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
    hints: bool = True  # hints are possible: against bots always, among people if all agree
    seal: Seal = ""
    request: Unguessable = ""
    lesson: LessonName = ""  # play this lesson or puzzle of the game instead of a deal
    what_if: FromMoment | None = None  # start from this moment of a finished game
    position: Annotated[str, Meta(max_length=MOST_POSITION)] = ""  # or from this position text
    duplicate: bool = False  # other tables can play the same deal
    duplicate_of: TableId | None = None  # play the deal of this table, with its options and bots


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down: in a given open seat, in that of an invitation, or in any open one.

    A repeat with the same ``request`` returns the same seat.
    """

    name: Name
    colour: Colour | None = None
    seat: SeatNumber | None = None  # None: any open one
    invitation: Token | None = None  # for a seat that is kept for its invitation
    seal: Seal = ""
    request: Unguessable = ""


# ---- commands at the table ----------------------------------------------------------------------


class _Command(Struct, frozen=True):
    """``id`` is the idempotency key: a repeat with the same id gets the first answer.

    Where a command has an ``n``, it was made for the position after that event.
    """

    id: RequestId


class _SeatCommand(_Command, frozen=True, kw_only=True):
    """``seat`` acts, where one token plays several (None: the only one, or the seat to move)."""

    seat: SeatNumber | None = None


class Play(_SeatCommand, frozen=True, tag="play"):
    """Play an action in the position after event ``n``."""

    n: EventNumber
    action: ActionNumber


class TakeBack(_SeatCommand, frozen=True, tag="take_back"):
    """Take back my last actions: at once if they are free, else by consent of the other players.

    ``moves`` is their number, for example that of a path.
    """

    n: EventNumber
    moves: Annotated[int, Meta(ge=1, le=100)] = 1


class AgreeToTakeBack(_SeatCommand, frozen=True, tag="agree_to_take_back"):
    """Answer a request to take back; the requester withdraws it by not agreeing."""

    n: EventNumber
    agree: bool


class AnswerProposal(_SeatCommand, frozen=True, tag="answer_proposal"):
    """Answer the table's ``proposal``: closing, a new player, or hints."""

    n: EventNumber
    agree: bool


class AskForHints(_SeatCommand, frozen=True, tag="ask_for_hints"):
    """Propose that the engine gives hints to everybody at this table."""


class Say(_SeatCommand, frozen=True, tag="say"):
    """Say one of the fixed phrases."""

    phrase: Phrase


class Write(_SeatCommand, frozen=True, tag="write"):
    """Say something in one's own words, which only the players read."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]


class AllowChat(_Command, frozen=True, tag="allow_chat"):
    """Switch `Write` on or off for this table."""

    allow: bool


class Resign(_SeatCommand, frozen=True, tag="resign"):
    """Give up; a bot plays the seat to the end."""


class HandOver(_Command, frozen=True, tag="hand_over"):
    """Let a bot play ``seat``: one's own, or one whose player has been away for two minutes."""

    seat: SeatNumber


class ComeBack(_SeatCommand, frozen=True, tag="come_back"):
    """Take my seat back from the bot."""


class Nudge(_SeatCommand, frozen=True, tag="nudge"):
    """By days: gently remind the player to move, once per turn and after a quarter of the time."""


class Plan(_SeatCommand, frozen=True, tag="plan"):
    """By days: answer decisions of my next turn in advance, each once. Replaces an earlier plan.

    ``answers``: keys of the game's sentences by the names of the decisions; empty: no plan."""

    answers: dict[OptionName, OptionName]


class Rematch(_Command, frozen=True, tag="rematch"):
    """Create a table for the same people, seats rotated. Only the first request creates one."""

    seal: Seal = ""


class PlayOn(_Command, frozen=True, tag="play_on"):
    """Create a table for the same people in their seats, from the position after event ``n`` of
    this finished game. Only the first request per moment creates one."""

    n: EventNumber
    seal: Seal = ""


class SetSeat(_Command, frozen=True, tag="set_seat"):
    """Fill ``seat`` with a bot, or free it (None)."""

    seat: SeatNumber
    bot: BotName | None = None


class SetOptions(_Command, frozen=True, tag="set_options"):
    """Change the game before it begins; options that are not named stay, and so do the clock and
    the number of seats (None). Seats are added and removed at the end."""

    options: dict[OptionName, Value] = {}
    clock: Clock | None = None
    seats: Annotated[int, Meta(ge=1, le=10)] | None = None


class SealNonce(_SeatCommand, frozen=True, tag="seal_nonce"):
    """Commit to a nonce before the game begins: ``seal`` is its SHA-256, in hexadecimal."""

    seal: Seal


class OpenNonce(_SeatCommand, frozen=True, tag="open_nonce"):
    """Reveal the sealed nonce, once the table's commitment is published."""

    nonce: Nonce


class Begin(_Command, frozen=True, tag="begin"):
    """Start the game; open seats go to bots."""


class CloseTable(_Command, frozen=True, tag="close_table"):
    """End the table for good; during a game only with the consent of the others."""


class MoveAway(_Command, frozen=True, tag="move_away"):
    """Close a table of a player's device, because a server has its log up to event ``n``, the last.

    It continues there."""

    n: EventNumber


class GoOn(_Command, frozen=True, tag="go_on"):
    """In a lesson: continue after reading a step, or choose this ``answer``. A wrong answer is
    refused, and the refusal says why."""

    n: EventNumber
    answer: SeatNumber | None = None


_KINDS = (*_SeatCommand.__subclasses__(), *_Command.__subclasses__())
if TYPE_CHECKING:
    Command = _Command
else:  # msgspec tells the subclasses apart by their tags if it is given their union.
    Command = reduce(or_, (kind for kind in _KINDS if kind is not _SeatCommand))
