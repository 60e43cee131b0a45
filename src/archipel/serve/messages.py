"""The messages of the WebSocket and of the HTTP interface, and nothing else.

JSON objects; those of the WebSocket are told apart by ``type``.  The client's TypeScript types and
the OpenAPI description are generated from these classes.  Limits are part of the types: what does
not fit is refused before anything looks at it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Language = Literal["en", "fr"]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Colour = Literal["white", "yellow", "sky", "vermilion", "blue", "black"]
Token = Annotated[str, Meta(min_length=20, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
RequestId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[A-Za-z0-9_-]+$")]
TableId = Annotated[str, Meta(min_length=8, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
SeatNumber = Annotated[int, Meta(ge=0, le=9)]
EventNumber = Annotated[int, Meta(ge=0, le=10_000_000)]
ActionNumber = Annotated[int, Meta(ge=0, le=100_000)]
Nonce = Annotated[str, Meta(max_length=64)]
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "oops", "hurry", "wait", "lucky", "again", "bye"
]


# ---- what a seat, a table and a position look like ----------------------------------------------


class Seat(Struct, frozen=True):
    """Who sits where. ``kind`` open: anyone may sit down; ``bot_plays``: a bot stands in for its
    owner until they return."""

    kind: Literal["open", "person", "bot"]
    name: str
    colour: Colour
    bot: str | None
    here: bool
    bot_plays: bool
    resigned: bool
    absent_for: int  # seconds since the person was last here; 0 while here
    clock_ms: int | None  # what is left of their time; None without clocks
    clock_runs: bool


class Clock(Struct, frozen=True):
    """Time to think: a store per seat and an increment per decision, in seconds."""

    kind: Literal["none", "live", "days"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=30 * 86_400)] = 0
    increment: Annotated[int, Meta(ge=0, le=86_400)] = 0


class Table(Struct, frozen=True):
    """All that everyone may know of a table beside the position."""

    id: str
    game: str
    options: dict[str, Any]
    stage: Literal["gathering", "playing", "over", "closed"]
    seats: list[Seat]
    spectators: int
    clock: Clock
    commitment: str  # SHA-256 of the secret that all chance comes from, in hexadecimal
    secret: str | None  # opened when the game is over
    rematch: str | None  # the table where it goes on
    hot_seat: bool
    created_at: float


class Cell(Struct, frozen=True):
    id: str
    kind: str
    properties: dict[str, Any]


class Piece(Struct, frozen=True):
    id: str
    kind: str
    cell: str
    seat: int | None
    properties: dict[str, Any]


class Choice(Struct, frozen=True):
    """A legal action of yours: what to tap for it, and its label as a sentence key."""

    action: int
    text: str
    key: str
    details: dict[str, Any]
    targets: list[str]
    final: bool


class Scene(Struct, frozen=True):
    cells: list[Cell]
    pieces: list[Piece]
    gauges: dict[str, Any]
    choices: list[Choice]  # empty unless it is the turn of this seat


class Happening(Struct, frozen=True):
    """One thing that happened, as the rules narrate it: a sentence key with its parameters."""

    key: str
    details: dict[str, Any]


class Result(Struct, frozen=True):
    ranks: list[int]
    scores: list[int]
    reason: str


class Position(Struct, frozen=True):
    """The game as one seat (or a spectator) sees it after event ``n``."""

    n: int
    seat: int | None  # whose eyes this is
    to_move: int | None
    question: Happening | None
    scene: Scene
    text: str  # the position in notation, for the text board
    result: Result | None
    may_take_back: bool
    take_back_asked_by: int | None  # a seat that asks for consent to undo


class LogEntry(Struct, frozen=True):
    """What one event of the table brought, for the log: tapping it shows the position at ``n``."""

    n: int
    seat: int | None
    kind: str  # played, taken_back, seat, chat, resigned, handed_over, returned, ended, closed
    happenings: list[Happening]
    at: float


class Problem(Struct, frozen=True):
    """Why something was refused: a code for programs, the rule where there is one, and words."""

    code: str
    message: str
    rule: str | None = None


# ---- from the browser ---------------------------------------------------------------------------


class Hello(Struct, tag="hello", frozen=True):
    """The first message: who I am and what I have seen. The seat's secret travels only here and in
    the Authorization header, never in an address."""

    token: Token | None = None
    after: EventNumber = 0
    language: Language = "en"


class Play(Struct, tag="play", frozen=True):
    """An action, for the position after event ``n``. A repeat with the same id gets the first
    answer, so a double tap is one move. ``seat`` is for tables on one device."""

    id: RequestId
    n: EventNumber
    action: ActionNumber
    seat: SeatNumber | None = None


class TakeBack(Struct, tag="take_back", frozen=True):
    id: RequestId
    n: EventNumber
    seat: SeatNumber | None = None


class AgreeToTakeBack(Struct, tag="agree_to_take_back", frozen=True):
    id: RequestId
    n: EventNumber
    agree: bool
    seat: SeatNumber | None = None


class Say(Struct, tag="say", frozen=True):
    id: RequestId
    phrase: Phrase
    seat: SeatNumber | None = None


class Resign(Struct, tag="resign", frozen=True):
    id: RequestId
    seat: SeatNumber | None = None


class HandOver(Struct, tag="hand_over", frozen=True):
    """Let a bot play for somebody who has been away for two minutes, or for oneself."""

    id: RequestId
    seat: SeatNumber


class ComeBack(Struct, tag="come_back", frozen=True):
    """Take my seat back from the bot."""

    id: RequestId
    seat: SeatNumber | None = None


class Rematch(Struct, tag="rematch", frozen=True):
    id: RequestId


class SetSeat(Struct, tag="set_seat", frozen=True):
    """The host fills a seat with a bot, or frees it."""

    id: RequestId
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=40)] | None = None


class SetOptions(Struct, tag="set_options", frozen=True):
    """The host chooses other options before the game begins; those not named stay."""

    id: RequestId
    options: dict[Annotated[str, Meta(max_length=40)], str | int | bool | None]


class AddNonce(Struct, tag="add_nonce", frozen=True):
    """Add something of my own to chance, before the game begins."""

    id: RequestId
    nonce: Nonce
    seat: SeatNumber | None = None


class Begin(Struct, tag="begin", frozen=True):
    """The host starts the game; open seats go to bots."""

    id: RequestId


class CloseTable(Struct, tag="close_table", frozen=True):
    id: RequestId


class LookAt(Struct, tag="look_at", frozen=True):
    """Show me the position after event ``n``, as I may see it; ``revealed``: as it truly was, once
    the game is over. ``seat`` is for tables on one device."""

    id: RequestId
    n: EventNumber
    seat: SeatNumber | None = None
    revealed: bool = False


class LookThrough(Struct, tag="look_through", frozen=True):
    """At a table on one device: from now on show what this seat sees. Answered by `Looked`."""

    id: RequestId
    seat: SeatNumber


class AskOdds(Struct, tag="ask_odds", frozen=True):
    """Estimate my chances in the position after event ``n`` by playouts."""

    id: RequestId
    n: EventNumber
    seat: SeatNumber | None = None


class Ping(Struct, tag="ping", frozen=True):
    pass


FromBrowser = (
    Hello
    | Play
    | TakeBack
    | AgreeToTakeBack
    | Say
    | Resign
    | HandOver
    | ComeBack
    | Rematch
    | SetSeat
    | SetOptions
    | AddNonce
    | Begin
    | CloseTable
    | LookAt
    | LookThrough
    | AskOdds
    | Ping
)


# ---- to the browser -----------------------------------------------------------------------------


class Welcome(Struct, tag="welcome", frozen=True):
    """The answer to hello: everything as of event ``n``, and the log entries after the number
    asked for."""

    table: Table
    seat: int | None
    host: bool
    position: Position | None  # None while people gather
    log: list[LogEntry]
    server_time: float
    n: int


class Update(Struct, tag="update", frozen=True):
    """Something happened: the new entries, and how everything stands after them."""

    n: int
    table: Table
    position: Position | None
    log: list[LogEntry]


class Presence(Struct, tag="presence", frozen=True):
    """Who is here changed; nothing else did."""

    seats: list[Seat]
    spectators: int


class Done(Struct, tag="done", frozen=True):
    """Your request was accepted and is kept for good: it is event ``n``."""

    id: str
    n: int
    table: str | None = None  # a rematch: where it goes on


class Refused(Struct, tag="refused", frozen=True):
    """Your request changed nothing."""

    id: str | None
    problem: Problem


class Looked(Struct, tag="looked", frozen=True):
    id: str
    position: Position | None  # None while people gathered


class Odds(Struct, tag="odds", frozen=True):
    """Estimated chances of a seat, each between 0 and 1, and how they were estimated."""

    id: str
    n: int
    playouts: int
    bot: str
    chances: dict[str, float]


class Pong(Struct, tag="pong", frozen=True):
    server_time: float


ToBrowser = Welcome | Update | Presence | Done | Refused | Looked | Odds | Pong


#: With which numbers, and when, the server closes a WebSocket; 1000 and below 4000 are standard.
CLOSE_CODES = {
    1009: "a message was too large",
    1012: "the server restarts: connect again in a moment",
    4400: "the first message was not a right hello",
    4401: "the token holds no seat here (any more)",
    4404: "there is no such table",
    4408: "no hello came in time",
    4409: "too slow to read: connect again and resume",
    4429: "too many messages",
    4500: "an error of the server: connect again",
}


# ---- HTTP ---------------------------------------------------------------------------------------


class OptionDescription(Struct, frozen=True):
    name: str
    choices: list[str | int | bool | None]
    default: str | int | bool | None
    rule: str


class GameDescription(Struct, frozen=True):
    name: str
    titles: dict[str, str]
    introductions: dict[str, str]
    fewest_seats: int
    most_seats: int
    options: list[OptionDescription]
    bots: list[str]
    rules_version: int


class RuleText(Struct, frozen=True):
    """A rule; ``sources``: R the rulebook, F a fact seen in its pictures, D a decision of ours."""

    id: str
    sources: list[str]
    text: str


class ChapterText(Struct, frozen=True):
    title: str
    rules: list[RuleText]


class Rules(Struct, frozen=True):
    """The rules of a game in one language, to read."""

    title: str
    introduction: str
    chapters: list[ChapterText]
    language: str


class Health(Struct, frozen=True):
    status: Literal["ok", "stopping"]
    version: str


class SeatWish(Struct, frozen=True):
    """How a seat begins: with a bot by name, or open; ``kept`` open seats need their invitation."""

    bot: Annotated[str, Meta(max_length=40)] | None = None
    kept: bool = False


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up. The maker sits down in ``my_seat`` (None: only watches and hosts)."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=10)]
    my_name: Name
    my_colour: Colour | None = None
    my_seat: SeatNumber | None = 0
    options: dict[Annotated[str, Meta(max_length=40)], str | int | bool | None] = {}
    clock: Clock = Clock()
    public: bool = False  # listed for anyone to watch
    hot_seat: bool = False  # every person's seat is played on the maker's device
    names: Annotated[list[Name], Meta(max_length=10)] = []  # for hot seats
    begin: bool = False  # start at once
    nonce: Nonce = ""  # something of the maker's own, mixed into chance


class Seated(Struct, frozen=True):
    """You have a seat (or host a table): the token is the secret of it, shown this once."""

    table: str
    seat: int | None
    token: str
    invitations: list[str] | UnsetType = UNSET  # for the host: one secret per open seat, in order


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    colour: Colour | None = None
    seat: SeatNumber | None = None  # None: any open one
    invitation: Token | None = None  # for a seat that is kept for its link
    nonce: Nonce = ""


class TableLine(Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    stage: str
    names: list[str]
    created_at: float
    last_at: float
