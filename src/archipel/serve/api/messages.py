"""The messages of the WebSocket and of the HTTP interface that the tables do not define.

Commands come from `archipel.tables.commands`, payloads of tables from
`archipel.tables.publishing.payloads`.  Messages are JSON objects; those of the WebSocket are told
apart by ``type``.  The client's TypeScript types and the OpenAPI description are generated from
these classes.  Limits are part of the types.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from archipel.tables.commands import Command, EventNumber, RequestId, SeatNumber, Token, Value
from archipel.tables.problems import Problem
from archipel.tables.publishing.payloads import (
    LogEntry,
    Position,
    Presence,
    Seen,
    Update,
    Welcome,
    Why,
)

#: The version of what is said over a WebSocket. 1: every update told everything anew. 2: an update
#: tells what is different.
PROTOCOL = 2

Language = Literal["en", "fr"]


# ---- from the browser ---------------------------------------------------------------------------


class Hello(Struct, tag="hello", frozen=True):
    """The first message: who I am and what I have seen. The seat's secret travels only here and in
    the Authorization header, never in an address.

    ``after`` is the last event I know; ``at``, of the last line of my log, tells whether it is the
    same past still: after a backup was restored it may be another.  ``hurried``: bots need not wait
    for me to follow what they do.  ``protocol`` is the version that I speak; nobody said so before
    there was a second one."""

    token: Token | None = None
    after: EventNumber = 0
    at: float | None = None
    language: Language = "en"
    hurried: bool = False
    protocol: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class LookAt(Struct, tag="look_at", frozen=True):
    """Show me the position after event ``n``, as I may see it; ``revealed``: as it truly was, once
    the game is over. ``seat`` is for tables on one device."""

    id: RequestId
    n: EventNumber
    seat: SeatNumber | None = None
    revealed: bool = False


class ReadLog(Struct, tag="read_log", frozen=True):
    """Tell me what happened before event ``before``: one page of it, the nearest. Answered by
    `LogPage`."""

    id: RequestId
    before: EventNumber
    seat: SeatNumber | None = None


class LookThrough(Struct, tag="look_through", frozen=True):
    """At a table on one device: from now on show what this seat sees. Answered by `Looked`."""

    id: RequestId
    seat: SeatNumber


class AskView(Struct, tag="ask_view", frozen=True):
    """What my seat sees after event ``n``, which is now, as the engine takes it: for a ``hint``
    (where the table's ``hints`` say so), or for my ``odds``. Answered by `ViewSeen`."""

    id: RequestId
    n: EventNumber
    purpose: Literal["hint", "odds"]
    seat: SeatNumber | None = None


class AskWhy(Struct, tag="ask_why", frozen=True):
    """After the game: why did a bot play the action of event ``n``? Answered by `Reason`."""

    id: RequestId
    n: EventNumber


class Ping(Struct, tag="ping", frozen=True):
    pass


#: Messages that change nothing at a table.
Query = Hello | LookAt | ReadLog | LookThrough | AskView | AskWhy | Ping

FromBrowser = Command | Query


# ---- to the browser -----------------------------------------------------------------------------


class Done(Struct, tag="done", frozen=True):
    """Your request was accepted and is kept for good: it is event ``n``."""

    id: str
    n: int
    table: str | None = None  # a rematch, or what if: where it goes on


class Refused(Struct, tag="refused", frozen=True):
    """Your request changed nothing."""

    id: str | None
    problem: Problem


class Looked(Struct, tag="looked", frozen=True):
    id: str
    position: Position | None  # None while people gathered


class LogPage(Struct, tag="log_page", frozen=True):
    """The lines of the events after number ``log_from`` and before the one asked for."""

    id: str
    log: list[LogEntry]
    log_from: int


class ViewSeen(Struct, tag="view_seen", frozen=True):
    """What a seat sees, for the engine."""

    id: str
    seen: Seen


class Reason(Struct, tag="reason", frozen=True):
    """Why a bot moved as it did."""

    id: str
    why: Why


class Pong(Struct, tag="pong", frozen=True):
    server_time: float


ToBrowser = (
    Welcome | Update | Presence | Done | Refused | Looked | LogPage | ViewSeen | Reason | Pong
)


#: With which numbers, and when, the server closes a WebSocket; 1000 and below 4000 are standard.
CLOSE_CODES = {
    1009: "a message was too large",
    1012: "the server restarts: connect again in a moment",
    4400: "the first message was not a right hello",
    4401: "the token holds no seat here (any more)",
    4404: "there is no such table",
    4406: "another version of the protocol is spoken here: load the page anew",
    4408: "no hello came in time",
    4409: "too slow to read: connect again and resume",
    4429: "too many messages, or too many hellos from one address",
    4500: "an error of the server: connect again",
}


# ---- HTTP ---------------------------------------------------------------------------------------


class OptionDescription(Struct, frozen=True):
    name: str
    choices: list[str | int | bool | None]
    default: str | int | bool | None
    rule: str


class LessonTitle(Struct, frozen=True):
    name: str
    titles: dict[str, str]


class GameDescription(Struct, frozen=True):
    name: str
    titles: dict[str, str]
    introductions: dict[str, str]
    fewest_seats: int
    most_seats: int
    options: list[OptionDescription]
    bots: list[str]
    rules_version: int
    lessons: list[LessonTitle]
    puzzles: int  # how many there are: puzzle-1, puzzle-2...
    engine: str | None  # the address of its engine (WebAssembly), where it is there


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


class AnswerText(Struct, frozen=True):
    """An answer to choose. What is said to a wrong one comes with its refusal."""

    label: str
    right: bool
    reply: str


class StepText(Struct, frozen=True):
    """What a step says; ``look`` are the ids of pieces and cells to be ringed; without ``answers``
    and without anything to do it is just read."""

    said: str
    look: list[str]
    answers: list[AnswerText]


class LessonText(Struct, frozen=True):
    """A lesson in one language. ``seats`` and ``options`` are those of the first game after it."""

    name: str
    title: str
    steps: list[StepText]
    remember: list[str]
    seats: int
    options: dict[str, Value]


class Occasion(Struct, frozen=True):
    """Something that is told with this key, and with this detail where it is named."""

    key: str
    name: str
    value: str


class Remark(Struct, frozen=True):
    """What a guide says once, in a first game, when one of its occasions comes."""

    occasions: list[Occasion]
    text: str


class Lessons(Struct, frozen=True):
    """How a game is taught, in one language."""

    lessons: list[LessonText]
    guide: list[Remark]


class SolvingChoice(Struct, frozen=True):
    """A choice, as notation, as a sentence key, and what to tap for it."""

    text: str
    key: str
    details: dict[str, Any]
    targets: list[str]


class Change(Struct, frozen=True):
    """Something of a seat after the best choice and after the next: its points at the end, or how
    often the hope of this name comes true."""

    name: str
    seat: int
    best: float
    next: float


class PuzzleSolution(Struct, frozen=True):
    """A puzzle's solution. ``same`` are choices that do the same as the best with another piece;
    ``then`` is what is done with the piece that was chosen; chances are those of winning. ``own``,
    ``rival``, ``hope`` and ``risk`` say why, where they do."""

    name: str
    seats: int
    best: SolvingChoice
    next: SolvingChoice
    then: list[SolvingChoice]
    same: list[str]
    chance: float
    next_chance: float
    own: Change | None
    rival: Change | None
    hope: Change | None
    risk: Change | None


class Puzzles(Struct, frozen=True):
    """The puzzles of a game, in their order: `lesson` of a new table names one."""

    puzzles: list[PuzzleSolution]


class Health(Struct, frozen=True):
    status: Literal["ok", "stopping"]
    version: str
