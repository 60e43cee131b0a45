"""What the clients of a chaos test did and saw. All times are seconds on one clock."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field


class Answer(Struct, frozen=True):
    """One answer to a request. ``n`` is the number of the last event of an accepted one."""

    at: float
    outcome: Literal["done", "refused"]
    n: int = 0


class Call(Struct):
    """A request with all its repetitions. No answer: its outcome is unknown."""

    client: str
    table: str
    id: str
    #: The message, with ``type``; for a move also ``n`` and ``action``.
    message: dict[str, Any]
    sent: float
    answers: list[Answer] = field(default_factory=list)

    @property
    def done(self) -> Answer | None:
        """The first acknowledgement."""
        return next((answer for answer in self.answers if answer.outcome == "done"), None)


class Sight(Struct, frozen=True):
    """A log line that a client received: event ``n``, written at ``time`` by the server."""

    client: str
    table: str
    connection: int
    at: float
    n: int
    time: float
    kind: str
    seat: int | None


class Read(Struct, frozen=True):
    """A connection that was opened at ``asked`` and welcomed with the table after event ``n``."""

    client: str
    table: str
    asked: float
    at: float
    n: int


class View(Struct, frozen=True):
    """The position and the log lines that a client shows in the end, from the updates that it
    received."""

    client: str
    table: str
    seat: int | None
    n: int
    position: dict[str, Any] | None
    #: The numbers of the events, without those before the first page of the log.
    lines: tuple[int, ...]


class Gap(Struct, frozen=True):
    """An update that does not continue what its connection had sent before."""

    client: str
    table: str
    base: int
    known: int


class History(Struct):
    calls: list[Call] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
