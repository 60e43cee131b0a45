"""The payloads that leave the tables: how a table and a position look to one seat or a spectator.

A server sends these structs as they are, as JSON, told apart by ``type`` where several kinds share
a channel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from archipel.rules.scene import Cell, Choice, Path, Piece, Scene
from archipel.tables.commands import Clock, Colour, Value

Stage = Literal["gathering", "playing", "over", "closed"]


class Seat(Struct, frozen=True):
    """A seat. ``kind`` open: anyone may sit down; ``bot_plays``: a bot stands in for its owner."""

    kind: Literal["open", "person", "bot"]
    name: str
    colour: Colour
    bot: str | None
    here: bool
    bot_plays: bool
    resigned: bool
    absent_for: int  # seconds since the person was last connected; 0 while connected
    clock_ms: int | None  # time left; None without clocks
    clock_runs: bool


class Proposal(Struct, frozen=True):
    """A proposal of event ``n``: ``close`` by the host (in ``seat``, if any), ``seat`` by somebody
    called ``name`` who wants that seat, ``hints`` by ``seat``.  ``waits_for``: the seats that still
    have to agree."""

    n: int
    kind: Literal["close", "seat", "hints"]
    seat: int | None
    name: str
    waits_for: list[int]


class Result(Struct, frozen=True):
    ranks: list[int]
    scores: list[int]
    reason: str


class LessonProgress(Struct, frozen=True):
    """The lesson and its current step.  ``waits``: the learner has to make a move first.
    ``current``: the text of the lesson has not changed since it was begun.  ``accepted``: the
    actions that the step accepts; empty in a puzzle."""

    name: str
    step: int
    waits: bool
    current: bool
    accepted: list[int]


class WhatIf(Struct, frozen=True):
    """A moment of a finished game: after event ``n`` of a table."""

    table: str
    n: int


class Table(Struct, frozen=True):
    """What everybody may know of a table, without its position."""

    id: str
    game: str
    options: dict[str, Value]
    stage: Stage
    seats: list[Seat]
    spectators: int
    clock: Clock
    commitment: str  # SHA-256 of the secret of chance, in hexadecimal; or empty
    seals: list[str]  # by seat, the SHA-256 of a nonce; from the draw on only those that count
    nonces: list[str]  # by seat, the opened nonces
    drawing: bool  # the secret is fixed and the nonces are being opened
    proposal: Proposal | None  # a proposal that others have to agree to
    secret: str | None  # published when the game is over
    rematch: str | None  # the table of the rematch
    hot_seat: bool
    public: bool  # listed for anyone to watch
    created_at: float
    to_move: int | None  # None unless a game is being played
    result: Result | None  # None unless it is over
    chat: bool  # whether players may write to each other
    hints: bool  # whether the engine gives hints here...
    hints_possible: bool  # ...or would if all players agreed
    lesson: LessonProgress | None = None  # None at ordinary tables
    from_position: bool = False  # the game started from a given position
    what_if: WhatIf | None = None  # the moment of another game that it continues
    origin: str = ""  # the table whose deal it plays; its own id if others can play its deal
    on_device: bool = False  # it began on a player's device, whose owner can look at everything
    moved_to: str | None = None  # the address of the server where it continues


class DuplicateResult(Struct, frozen=True):
    """The result of one table of a deal, by seat, and its seats compared with those of the others.

    ``over_average``: a seat's score less the mean of that seat at the other tables. ``points``: the
    share of them that it beat, a tie counting half (matchpoints).  ``table`` is None while it
    would show the deal to somebody who has not played it."""

    table: str | None
    names: list[str]
    people: list[int]  # the seats of people
    ranks: list[int]
    scores: list[int]
    over_average: list[float]
    points: list[float]


class Duplicates(Struct, frozen=True):
    """All tables that play the deal of ``origin``, and the results of those that are over.

    ``ends_at``: for a deal of the day, when its games end and its secret is opened."""

    origin: str
    game: str
    seats: int
    commitment: str
    secret: str | None
    ends_at: float | None
    tables: int
    results: list[DuplicateResult]


class Happening(Struct, frozen=True):
    """A sentence of a log line or question: its key and its parameters."""

    key: str
    details: Mapping[str, Any]


class Position(Struct, frozen=True):
    """The position after event ``n`` as one seat (or a spectator) sees it.

    ``text``, the position in notation, is only sent in answer to a request for a position."""

    n: int
    seat: int | None  # the observer; None: a spectator
    to_move: int | None
    question: Happening | None
    scene: Scene
    result: Result | None
    may_take_back: bool
    take_back_asked_by: int | None  # the seat that asks to take back
    text: str | UnsetType = UNSET


class LogEntry(Struct, frozen=True):
    """The log line of event ``n``.

    ``kind``: begun, played, taken_back, take_back_asked, take_back_answered, seat, chat,
    resigned, handed_over, bot_replaced, returned, clock, ended, closed, rematch, played_on,
    moved, options, draw, asked, answered.

    The sentences of a move are keys of the game's catalogue; all others begin with ``table.`` or
    ``phrase.`` and are in the catalogue of `archipel.tables`.
    """

    n: int
    seat: int | None
    kind: str
    happenings: list[Happening]
    at: float


# ---- answers ------------------------------------------------------------------------------------


class Seated(Struct, frozen=True):
    """The seat you got (or the table you host) and its secret token, which is sent only once."""

    table: str
    seat: int | None
    token: str
    invitations: list[str] | UnsetType = UNSET  # for the host: one token per open seat, in order
    asked: bool = False  # the game has begun: you get the seat when the others agree


class Accepted(Struct, frozen=True):
    """The command is stored as event ``n``; ``repeated``: this repeats an earlier answer."""

    n: int
    table: str | None = None
    repeated: bool = False


class Welcome(Struct, tag="welcome", frozen=True):
    """The answer to hello: the table and position after event ``n``, and the requested log lines.

    ``log`` holds the lines after event ``log_from``; earlier ones are on further pages.  ``whole``:
    the lines replace all that the client knew."""

    table: Table
    seat: int | None
    host: bool
    position: Position | None  # None before the game begins
    log: list[LogEntry]
    log_from: int
    whole: bool
    server_time: float
    n: int


class TableChange(Struct, frozen=True):
    """The changed fields of a table, with their new values."""

    options: dict[str, Value] | UnsetType = UNSET
    stage: Stage | UnsetType = UNSET
    seats: list[Seat] | UnsetType = UNSET
    spectators: int | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    commitment: str | UnsetType = UNSET
    seals: list[str] | UnsetType = UNSET
    nonces: list[str] | UnsetType = UNSET
    drawing: bool | UnsetType = UNSET
    proposal: Proposal | UnsetType | None = UNSET
    secret: str | UnsetType | None = UNSET
    rematch: str | UnsetType | None = UNSET
    to_move: int | UnsetType | None = UNSET
    result: Result | UnsetType | None = UNSET
    chat: bool | UnsetType = UNSET
    hints: bool | UnsetType = UNSET
    hints_possible: bool | UnsetType = UNSET
    lesson: LessonProgress | UnsetType | None = UNSET
    moved_to: str | UnsetType | None = UNSET


class CellChange(Struct, frozen=True):
    """Change of a list of cells: remove the ids in ``gone`` and those of the items in ``put``, then
    insert each item at its index, in this order."""

    gone: list[str]
    put: list[tuple[int, Cell]]


class PieceChange(Struct, frozen=True):
    """As `CellChange`, for pieces."""

    gone: list[str]
    put: list[tuple[int, Piece]]


class SceneChange(Struct, frozen=True):
    """The changes of a scene. ``gauges`` are those with new values, ``gauges_gone`` the names of
    removed ones."""

    cells: CellChange | UnsetType = UNSET
    pieces: PieceChange | UnsetType = UNSET
    gauges: dict[str, Any] | UnsetType = UNSET
    gauges_gone: list[str] | UnsetType = UNSET
    choices: tuple[Choice, ...] | UnsetType = UNSET  # always all of them
    paths: tuple[Path, ...] | UnsetType = UNSET


class PositionChange(Struct, frozen=True):
    """The changed fields of a position; its ``n`` is that of the update."""

    to_move: int | UnsetType | None = UNSET
    question: Happening | UnsetType | None = UNSET
    scene: SceneChange | UnsetType = UNSET
    result: Result | UnsetType | None = UNSET
    may_take_back: bool | UnsetType = UNSET
    take_back_asked_by: int | UnsetType | None = UNSET


class Update(Struct, tag="update", frozen=True, omit_defaults=True):
    """The new log lines, and the changes since event ``base``, the last one sent to this socket.

    Either ``position`` holds the whole position, or ``change`` its changes, if any.  ``whole``: the
    log is sent anew, because this seat may no longer see something."""

    n: int
    base: int
    log: list[LogEntry]
    log_from: int
    table: TableChange | UnsetType = UNSET
    position: Position | UnsetType = UNSET
    change: PositionChange | UnsetType = UNSET
    whole: bool = False


class LogSlice(Struct, frozen=True):
    """The log lines after event ``log_from``."""

    log: list[LogEntry]
    log_from: int


class Presence(Struct, tag="presence", frozen=True):
    """Who is connected; nothing else changed."""

    seats: list[Seat]
    spectators: int


class Seen(Struct, frozen=True):
    """The view of a seat after event ``n``, for the engine: its bytes in base64, the number of
    seats, the names of the goals besides winning, the length of rollouts in turns, and the
    calibration of win probabilities."""

    n: int
    seat: int
    seats: int
    hopes: list[str]
    view: str
    horizon: int
    corrections: dict[str, dict[str, float]]


class PlannedMoves(Struct, frozen=True):
    """The decisions that a seat can plan, and its plan: sentence keys of the game.

    ``headings`` by decision, ``answers`` to choose from, and those that are ``chosen``."""

    headings: dict[str, str]
    answers: dict[str, list[str]]
    chosen: dict[str, str]


class CourseMove(Struct, frozen=True):
    """A move of a finished game: its event and the number of legal actions.

    ``outcome``: chance came with it, or it revealed something that nobody knew.  ``ends_step``: an
    outcome, or another seat decides next.
    """

    n: int
    seat: int
    action: int
    options: int
    ends_step: bool
    outcome: bool


class Course(Struct, frozen=True):
    """All positions of a finished game, for analysis (docs/analysis.md).

    ``data`` is base64 of zlib of records of ``size`` bytes: what at least one seat knew of the
    position before each move and of the last one, then the view of the seat to move in each.
    """

    game: str
    seats: int
    size: int
    moves: list[CourseMove]
    result: list[float] | None
    horizon: int
    corrections: dict[str, dict[str, float]]
    budget: dict[str, int]
    data: str


class DrawnMove(Struct, frozen=True):
    """A move of a finished game, and the outcomes of chance in it."""

    action: int
    outcomes: list[int]


class Draws(Struct, frozen=True):
    """All that came from the secret of a finished game, so that a page can recompute it.

    ``before`` and ``dealt`` are base64 of the records of the position before and after the deal.
    ``given``: the game started from a given position, whose unknown parts were dealt.
    """

    given: bool
    before: str
    dealt: str
    moves: list[DrawnMove]
    by_purpose: bool = False  # its draws are numbered by purpose, as at all tables of its deal


class RecordStep(Struct, frozen=True, omit_defaults=True):
    """The position after event ``n`` of an opened record: the changes since the one before, if any,
    and its text."""

    n: int
    change: PositionChange | UnsetType = UNSET
    text: str | UnsetType = UNSET


class OpenedRecord(Struct, frozen=True):
    """The game of a record, as at a finished table: the welcome to it, and every position."""

    welcome: Welcome
    first: Position
    steps: list[RecordStep]


class Label(Struct, frozen=True):
    """An action, as notation and as a sentence key; ``targets`` are pieces and cells."""

    action: int
    text: str
    key: str
    details: Mapping[str, Any]
    targets: tuple[str, ...]


class Considered(Label, frozen=True):
    """An action that a bot considered, with the estimated win probability (a shared first place
    counts in shares) and the number of visits."""

    chance: float
    tried: int


class Why(Struct, frozen=True):
    """Why ``bot`` played the move of event ``n`` (empty: a random move).

    ``legal`` is the number of legal actions.  Without ``candidates``, though there were several
    actions, the bot estimates no win probabilities.  ``seen``: an estimate from what the player who
    asks could see, because the game is still going on.
    """

    n: int
    seat: int
    bot: str
    action: int
    legal: int
    candidates: list[Considered]
    seen: bool = False


class TableLine(Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    stage: Stage
    names: list[str]
    created_at: float
    last_at: float
