"""Messages of the WebSocket and of the HTTP API that the tables do not define.

Commands are in `archipel.tables.commands`, payloads of tables in
`archipel.tables.publishing.payloads`. Messages are JSON objects; ``type`` names the kind of a
WebSocket message. The client's TypeScript types and the OpenAPI description are generated from
these classes. Limits are part of the types.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from archipel.tables.commands import Command, EventNumber, RequestId, SeatNumber, Token, Value
from archipel.tables.problems import Problem
from archipel.tables.publishing.payloads import (
    Label,
    LogEntry,
    PlannedMoves,
    Position,
    Presence,
    Seen,
    Update,
    Welcome,
    Why,
)

#: Version of the WebSocket protocol. 1: updates are complete. 2: updates are differences.
PROTOCOL = 2

Language = Literal["en", "fr"]


class ArrivingTable(Struct, frozen=True):
    """A table of a player's device, as a file of the device's page, in base64."""

    file: bytes


class Arrived(Struct, frozen=True):
    """The table is stored here, under the same id."""

    table: str


# ---- from the browser ---------------------------------------------------------------------------


class Hello(Struct, tag="hello", frozen=True):
    """The first message of a socket. The seat's token is sent only here and in the Authorization
    header, never in an address. If it opens nothing, the ``session`` of a profile opens the seats
    that the profile has claimed.

    ``after`` is the last event that the client knows; ``at`` is the time of the last line of its
    log, which shows whether a restored backup has replaced the past. ``hurried``: bots need not
    wait until the client has shown their moves. ``protocol`` is the client's version; clients of
    version 1 did not send it."""

    token: Token | None = None
    #: The session of a profile, which opens the seats that it has claimed.
    session: Token | None = None
    after: EventNumber = 0
    at: float | None = None
    language: Language = "en"
    hurried: bool = False
    protocol: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class LookAt(Struct, tag="look_at", frozen=True):
    """Ask for the position after event ``n`` as the seat sees it; ``revealed``: with everything
    hidden, once the game is over. ``seat`` is for tables on one device. Answered by `Looked`."""

    id: RequestId
    n: EventNumber
    seat: SeatNumber | None = None
    revealed: bool = False


class ReadLog(Struct, tag="read_log", frozen=True):
    """Ask for the last page of the log before event ``before``. Answered by `LogPage`."""

    id: RequestId
    before: EventNumber
    seat: SeatNumber | None = None


class LookThrough(Struct, tag="look_through", frozen=True):
    """At a table on one device: send this seat's view from now on. Answered by `Looked`."""

    id: RequestId
    seat: SeatNumber


class AskView(Struct, tag="ask_view", frozen=True):
    """Ask for the seat's view after the current event ``n``, as bytes for the engine: for a
    ``hint`` (if the table allows hints) or for the ``odds``. Answered by `ViewSeen`."""

    id: RequestId
    n: EventNumber
    purpose: Literal["hint", "odds"]
    seat: SeatNumber | None = None


#: The actions of a turn.
Line = Annotated[list[Annotated[int, Meta(ge=0, le=99_999_999)]], Meta(max_length=24)]


class AskLines(Struct, tag="ask_lines", frozen=True):
    """Ask for labels of lines that the seat to move could play after the current event ``n``, for a
    hint. Answered by `LinesTold`."""

    id: RequestId
    n: EventNumber
    lines: Annotated[list[Line], Meta(max_length=4)]
    seat: SeatNumber | None = None


class AskWhy(Struct, tag="ask_why", frozen=True):
    """Ask why a bot played the action of event ``n``: after the game as the bot saw it, before its
    end as the seat could see it, if the table allows hints. Answered by `Reason`."""

    id: RequestId
    n: EventNumber
    seat: SeatNumber | None = None


class AskPlan(Struct, tag="ask_plan", frozen=True):
    """Ask which decisions can be planned here, and for one's own plan. Answered by `PlanTold`."""

    id: RequestId
    seat: SeatNumber | None = None


class Ping(Struct, tag="ping", frozen=True):
    pass


#: Messages that change nothing at a table.
Query = Hello | LookAt | ReadLog | LookThrough | AskView | AskLines | AskWhy | AskPlan | Ping

FromBrowser = Command | Query


# ---- to the browser -----------------------------------------------------------------------------


class Done(Struct, tag="done", frozen=True):
    """The request was accepted and stored as event ``n``."""

    id: str
    n: int
    table: str | None = None  # the new table of a rematch or a what-if


class Refused(Struct, tag="refused", frozen=True):
    """The request was refused and changed nothing."""

    id: str | None
    problem: Problem


class Unknown(Struct, tag="unknown", frozen=True):
    """It is not known whether the request was stored: repeat it with the same id to find out."""

    id: str
    problem: Problem


class Looked(Struct, tag="looked", frozen=True):
    id: str
    position: Position | None  # None before the game began


class LogPage(Struct, tag="log_page", frozen=True):
    """The lines of the events after number ``log_from`` and before the requested one."""

    id: str
    log: list[LogEntry]
    log_from: int


class ViewSeen(Struct, tag="view_seen", frozen=True):
    """The view of a seat, for the engine."""

    id: str
    seen: Seen


class LinesTold(Struct, tag="lines_told", frozen=True):
    """The labels of each line, as far as it can be played without chance."""

    id: str
    lines: list[list[Label]]


class PlanTold(Struct, tag="plan_told", frozen=True):
    """One's own plan."""

    id: str
    plan: PlannedMoves


class Reason(Struct, tag="reason", frozen=True):
    """The reason of a bot's move."""

    id: str
    why: Why


class Pong(Struct, tag="pong", frozen=True):
    server_time: float


ToBrowser = (
    Welcome
    | Update
    | Presence
    | Done
    | Refused
    | Unknown
    | Looked
    | LogPage
    | ViewSeen
    | LinesTold
    | PlanTold
    | Reason
    | Pong
)


#: Close codes of the server, with their reasons; codes below 4000 are standard.
CLOSE_CODES = {
    1009: "a message was too large",
    1012: "the server restarts: connect again in a moment",
    4400: "the first message was not a valid hello",
    4401: "the token does not (or no longer) hold a seat here",
    4404: "there is no such table",
    4406: "unsupported protocol version: reload the page",
    4408: "no hello in time",
    4409: "too slow to read: connect again and resume",
    4429: "too many messages or frames",
    4500: "a server error: connect again",
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
    puzzles: int  # number of puzzles: puzzle-1, puzzle-2...
    engine: str | None  # the path of its WebAssembly engine, if there is one
    engine_coming: bool  # the engine is being built: ask again in a few seconds
    checker: str | None  # the path of the module that recomputes chance, if there is one
    daily: str | None = None  # the table whose deal is that of the day, if the server offers one


class Offers(Struct, frozen=True):
    """What the host of the server offers besides tables. ``previews``: whether other sites may show
    pictures of tables."""

    clubs: bool
    previews: bool


class RecordFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a record."""

    record: str


class RuleText(Struct, frozen=True):
    """A rule; ``sources``: R the rulebook, F a fact seen in its pictures, D a house decision."""

    id: str
    sources: list[str]
    text: str


class ChapterText(Struct, frozen=True):
    title: str
    rules: list[RuleText]


class Rules(Struct, frozen=True):
    """The rules of a game in one language."""

    title: str
    introduction: str
    chapters: list[ChapterText]
    language: str


class AnswerText(Struct, frozen=True):
    """An answer to choose. The reply to a wrong answer is in its refusal."""

    label: str
    right: bool
    reply: str


class StepText(Struct, frozen=True):
    """The text of a step; ``look`` are the ids of pieces and cells to highlight. The learner only
    reads a step without ``answers`` and without a move. ``later``: it jumps to a later turn."""

    said: str
    later: bool
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
    """A narrated event with this key, and with this detail if ``name`` is not empty."""

    key: str
    name: str
    value: str


class Remark(Struct, frozen=True):
    """A remark that the guide makes once, in a first game, at one of its occasions. It is no longer
    true after an event of ``until``."""

    occasions: list[Occasion]
    until: list[Occasion]
    text: str


class Lessons(Struct, frozen=True):
    """The lessons of a game and the remarks of its guide, in one language."""

    lessons: list[LessonText]
    guide: list[Remark]


class SolvingChoice(Struct, frozen=True):
    """A choice as notation, its sentence key and details, and the targets to tap."""

    text: str
    key: str
    details: dict[str, Any]
    targets: list[str]


class Change(Struct, frozen=True):
    """A value of a seat after the best turn and after the best wrong one: final points, or the
    frequency of the named event."""

    name: str
    seat: int
    best: float
    next: float


class PuzzleSolution(Struct, frozen=True):
    """A puzzle's solution. ``grade`` is its difficulty, 1 to 3. ``best`` and ``then`` are the best
    turn; ``right`` are all choices that are accepted, in notation; ``next`` is the best wrong one.
    ``chance`` and ``next_chance`` are the chances of winning after the best turn and after the best
    that begins with ``next``. ``own``, ``rival``, ``hope`` and ``risk`` explain the difference,
    where they do."""

    name: str
    grade: int
    seats: int
    best: SolvingChoice
    next: SolvingChoice
    then: list[SolvingChoice]
    right: list[str]
    chance: float
    next_chance: float
    own: Change | None
    rival: Change | None
    hope: Change | None
    risk: Change | None


class Puzzles(Struct, frozen=True):
    """The puzzles of a game in order; `lesson` of a new table names one of them."""

    puzzles: list[PuzzleSolution]


class Health(Struct, frozen=True):
    status: Literal["ok", "stopping"]
    version: str
