"""What leaves the authority: how a table and a position look to one seat or a spectator.

Field for field the parts of the wire protocol of the same names, so that
``msgspec.convert(shown, messages.Table, from_attributes=True)`` is all a server has to do.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from archipel.tables.commands import Clock, Colour

Stage = Literal["gathering", "playing", "over", "closed"]


class Seat(Struct, frozen=True):
    kind: Literal["open", "person", "bot"]
    name: str
    colour: Colour
    bot: str | None
    here: bool
    bot_plays: bool
    resigned: bool
    absent_for: int
    clock_ms: int | None
    clock_runs: bool


class Table(Struct, frozen=True):
    id: str
    game: str
    options: dict[str, Any]
    stage: Stage
    seats: list[Seat]
    spectators: int
    clock: Clock
    commitment: str
    secret: str | None
    rematch: str | None
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
    choices: list[Choice]


class Happening(Struct, frozen=True):
    key: str
    details: dict[str, Any]


class Result(Struct, frozen=True):
    ranks: list[int]
    scores: list[int]
    reason: str


class Position(Struct, frozen=True):
    n: int
    seat: int | None
    to_move: int | None
    question: Happening | None
    scene: Scene
    text: str
    result: Result | None
    may_take_back: bool
    take_back_asked_by: int | None


class LogEntry(Struct, frozen=True):
    """``kind``: begun, played, taken_back, take_back_asked, take_back_answered, seat, chat,
    resigned, handed_over, returned, clock, ended, closed, rematch, options.

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
    """You have a seat (or host a table): the token is its secret, shown this once.

    ``invitations``: for the maker, one secret per open seat, in order of seats; else None.
    """

    table: str
    seat: int | None
    token: str
    invitations: list[str] | None = None


class Accepted(Struct, frozen=True):
    """The request is kept for good, as event ``n``; ``repeated``: it was so the first time."""

    n: int
    table: str | None = None
    repeated: bool = False


class Welcome(Struct, frozen=True):
    table: Table
    seat: int | None
    host: bool
    position: Position | None
    log: list[LogEntry]
    server_time: float
    n: int


class Update(Struct, frozen=True):
    n: int
    table: Table
    position: Position | None
    log: list[LogEntry]


class Presence(Struct, frozen=True):
    seats: list[Seat]
    spectators: int


class Odds(Struct, frozen=True):
    n: int
    playouts: int
    bot: str
    chances: dict[str, float]


class TableLine(Struct, frozen=True):
    id: str
    game: str
    stage: Stage
    names: list[str]
    created_at: float
    last_at: float
