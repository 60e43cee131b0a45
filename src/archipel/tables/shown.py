"""What leaves the authority: how a table and a position look to one seat or a spectator.

A server sends these as they are: they are messages of its protocol, told apart by ``type`` where
several kinds go the same way.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from archipel.tables.commands import Clock, Colour

Stage = Literal["gathering", "playing", "over", "closed"]


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


class Proposal(Struct, frozen=True):
    """What was asked for in event ``n``: ``close`` by the host (of that seat, if any), ``seat`` by
    somebody of that name who would like to sit down there, ``hints`` by that seat.  Who still has
    to agree."""

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
    """Which lesson, and the step it has come to; ``waits``: something is to be done on the board
    before it goes on.  ``current``: its text is still the one it was begun with."""

    name: str
    step: int
    waits: bool
    current: bool


class WhatIf(Struct, frozen=True):
    """A moment of a game that is over: after event ``n`` of a table."""

    table: str
    n: int


class Table(Struct, frozen=True):
    """All that everyone may know of a table beside the position."""

    id: str
    game: str
    options: dict[str, Any]
    stage: Stage
    seats: list[Seat]
    spectators: int
    clock: Clock
    commitment: str  # SHA-256 of the secret that all chance comes from, in hexadecimal; or empty
    seals: list[str]  # seat by seat, the SHA-256 of a nonce; from the draw on only those that count
    nonces: list[str]  # those that have been opened
    drawing: bool  # the secret is fixed, and the nonces are being opened
    proposal: Proposal | None  # something that the others have to agree to
    secret: str | None  # opened when the game is over
    rematch: str | None  # the table where it goes on
    hot_seat: bool
    created_at: float
    to_move: int | None  # None unless a game is being played
    result: Result | None  # None unless it is over
    hints: bool  # whether the engine may help here...
    hints_possible: bool  # ...or might, if all people who play agreed
    lesson: LessonProgress | None = None  # where the game is taught
    from_position: bool = False  # it began with a position that was given
    what_if: WhatIf | None = None  # the moment of another game that it goes on from


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


class Position(Struct, frozen=True):
    """The game as one seat (or a spectator) sees it after event ``n``.

    ``text``, the position in notation, is there where a position was asked for, and not where it
    is told as it comes."""

    n: int
    seat: int | None  # whose eyes this is
    to_move: int | None
    question: Happening | None
    scene: Scene
    result: Result | None
    may_take_back: bool
    take_back_asked_by: int | None  # a seat that asks for consent to undo
    text: str | UnsetType = UNSET


class LogEntry(Struct, frozen=True):
    """What one event of the table brought: tapping it in a log shows the position at ``n``.

    ``kind``: begun, played, taken_back, take_back_asked, take_back_answered, seat, chat,
    resigned, handed_over, bot_replaced, returned, clock, ended, closed, rematch, played_on,
    options, draw, asked, answered.

    The happenings of a played action are keyed in the game's catalogue, all others begin with
    ``table.`` or ``phrase.`` and are in the catalogue of `archipel.tables`.
    """

    n: int
    seat: int | None
    kind: str
    happenings: list[Happening]
    at: float


# ---- answers ------------------------------------------------------------------------------------


class Seated(Struct, frozen=True):
    """You have a seat (or host a table): the token is the secret of it, shown this once."""

    table: str
    seat: int | None
    token: str
    invitations: list[str] | UnsetType = UNSET  # for the host: one secret per open seat, in order
    asked: bool = False  # the game has begun: the seat is yours when the others agree


class Accepted(Struct, frozen=True):
    """The request is kept for good, as event ``n``; ``repeated``: it was so the first time."""

    n: int
    table: str | None = None
    repeated: bool = False


class Welcome(Struct, tag="welcome", frozen=True):
    """The answer to hello: everything as of event ``n``, and the log entries after the number
    asked for.

    ``whole``: they stand instead of all that was known before, also where that is not how it was
    any more.  ``log_from``: they are those after this event; if it is not the first, the earlier
    ones are in further pages."""

    table: Table
    seat: int | None
    host: bool
    position: Position | None  # None while people gather
    log: list[LogEntry]
    log_from: int
    whole: bool
    server_time: float
    n: int


class TableChange(Struct, frozen=True):
    """What is different at a table: the fields that are there have these values now."""

    options: dict[str, Any] | UnsetType = UNSET
    stage: Stage | UnsetType = UNSET
    seats: list[Seat] | UnsetType = UNSET
    spectators: int | UnsetType = UNSET
    commitment: str | UnsetType = UNSET
    seals: list[str] | UnsetType = UNSET
    nonces: list[str] | UnsetType = UNSET
    drawing: bool | UnsetType = UNSET
    proposal: Proposal | UnsetType | None = UNSET
    secret: str | UnsetType | None = UNSET
    rematch: str | UnsetType | None = UNSET
    to_move: int | UnsetType | None = UNSET
    result: Result | UnsetType | None = UNSET
    hints: bool | UnsetType = UNSET
    hints_possible: bool | UnsetType = UNSET
    lesson: LessonProgress | UnsetType | None = UNSET


class CellChange(Struct, frozen=True):
    """How to get from a list of cells to the next: leave out those of the ids in ``gone`` and those
    that are put, then put each in at its place, in this order."""

    gone: list[str]
    put: list[tuple[int, Cell]]


class PieceChange(Struct, frozen=True):
    """As `CellChange`, of pieces."""

    gone: list[str]
    put: list[tuple[int, Piece]]


class SceneChange(Struct, frozen=True):
    """What is different in a scene; what is not there is as before. ``gauges`` are those with new
    values, ``gauges_gone`` the names of those that there are no more."""

    cells: CellChange | UnsetType = UNSET
    pieces: PieceChange | UnsetType = UNSET
    gauges: dict[str, Any] | UnsetType = UNSET
    gauges_gone: list[str] | UnsetType = UNSET
    choices: list[Choice] | UnsetType = UNSET  # always all of them


class PositionChange(Struct, frozen=True):
    """What is different in a position; its ``n`` is that of the update."""

    to_move: int | UnsetType | None = UNSET
    question: Happening | UnsetType | None = UNSET
    scene: SceneChange | UnsetType = UNSET
    result: Result | UnsetType | None = UNSET
    may_take_back: bool | UnsetType = UNSET
    take_back_asked_by: int | UnsetType | None = UNSET


class Update(Struct, tag="update", frozen=True, omit_defaults=True):
    """Something happened: the new entries, and what is different since event ``base``, the last
    that this socket was told of.

    ``position`` is there where it is told whole, ``change`` where it is not and something in it is
    different.  ``whole``: the log is told anew, since this seat may not look at something any
    more."""

    n: int
    base: int
    log: list[LogEntry]
    log_from: int
    table: TableChange | UnsetType = UNSET
    position: Position | UnsetType = UNSET
    change: PositionChange | UnsetType = UNSET
    whole: bool = False


class LogPage(Struct, frozen=True):
    """The lines of the events after number ``log_from``, up to the one that was asked for."""

    log: list[LogEntry]
    log_from: int


class Presence(Struct, tag="presence", frozen=True):
    """Who is here changed; nothing else did."""

    seats: list[Seat]
    spectators: int


class Seen(Struct, frozen=True):
    """What a seat sees after event ``n``, for the engine: the bytes of its view in base64, how many
    seats there are, what a seat may hope for beside winning, by name, and how chances are corrected
    in games of so many (the same in every game)."""

    n: int
    seat: int
    seats: int
    hopes: list[str]
    view: str
    corrections: dict[str, dict[str, float]]


class CourseMove(Struct, frozen=True):
    """A move of a game that is over: its event, and how many actions there were to choose from.
    ``ends_step``: chance came with it, or somebody else decides next."""

    n: int
    seat: int
    action: int
    options: int
    ends_step: bool


class Course(Struct, frozen=True):
    """All positions of a game that is over, to be analysed (docs/analysis.md).

    ``data`` is base64 of zlib of records of ``size`` bytes: the position before each move and the
    last one, then what the seat to move saw of each, then so many ``deals`` of the start that look
    alike to a spectator, then what the seat to move sees of those.
    """

    game: str
    seats: int
    size: int
    moves: list[CourseMove]
    result: list[float] | None
    deals: int
    horizon: int
    corrections: dict[str, dict[str, float]]
    budget: dict[str, int]
    data: str


class Label(Struct, frozen=True):
    """An action, as notation and as a sentence key."""

    action: int
    text: str
    key: str
    details: dict[str, Any]


class Considered(Struct, frozen=True):
    """An action that a bot thought about: its label as a sentence key, the chance to win as the bot
    saw it (a shared first place in shares), and how often it tried it."""

    action: int
    text: str
    key: str
    details: dict[str, Any]
    chance: float
    tried: int


class Why(Struct, frozen=True):
    """How a bot came to the action of event ``n``. ``bot`` found it; empty: it was left to chance.

    Of ``legal`` actions it had the choice. Without ``candidates``, though there were several, it is
    a bot that weighs no chances.
    """

    n: int
    seat: int
    bot: str
    action: int
    legal: int
    candidates: list[Considered]


class TableLine(Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    stage: Stage
    names: list[str]
    created_at: float
    last_at: float
