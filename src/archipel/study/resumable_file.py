"""Files of results that survive an interruption: JSON lines that grow, and atomic writes.

Results that are in a file are not computed again.  An incomplete last line is dropped.  The first
line of a `ResumableFile` is a header: the setting of all its lines.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from archipel.rules.all_games import game_named
from archipel.store.durable_files import ProcessLock
from archipel.store.errors import FileInUse

VERSION = 1


class ResumableFileError(ValueError):
    """A file that cannot be continued; ``why`` names the reason, with ``details``."""

    def __init__(self, why: str, **details: object) -> None:
        super().__init__(why)
        self.why = why
        self.details = details


class Header(msgspec.Struct, frozen=True):
    """The first line of a file: its format, and the game and rules that its lines belong to."""

    schema: str
    version: int
    game: str
    rules_version: int
    board: str


H = TypeVar("H", bound=Header)
L = TypeVar("L")


class Appender:
    """Appends lines to a file, unbuffered."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def append(self, line: object) -> None:
        data = msgspec.json.encode(line) + b"\n"
        while data:
            data = data[os.write(self._descriptor, data) :]


def whole_lines(path: Path) -> list[bytes]:
    """All complete lines; raises `OSError`."""
    return path.read_bytes().split(b"\n")[:-1]


@contextmanager
def appending(path: Path) -> Iterator[Appender]:
    """Open or create a file to append after its last complete line; raises `OSError`."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        whole = sum(len(line) + 1 for line in whole_lines(path))
        os.ftruncate(descriptor, whole)
        os.lseek(descriptor, whole, os.SEEK_SET)
        yield Appender(descriptor)
    finally:
        os.close(descriptor)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file completely or not at all."""
    new = path.with_name(f".{path.name}.part")
    new.write_bytes(data)
    os.replace(new, path)


class ResumableFile(Generic[H, L]):
    """A kind of file with a header; it raises ``error`` with one of three reasons.

    ``foreign`` (another kind of file, or damaged), ``other`` (another header) and ``in_use``.
    """

    def __init__(
        self, schema: str, head: type[H], line: type[L], error: type[ResumableFileError]
    ) -> None:
        self._schema = schema
        self._heads, self._lines = msgspec.json.Decoder(head), msgspec.json.Decoder(line)
        self._error = error

    def read(self, path: Path) -> tuple[H, list[L]]:
        """Header and lines of a file; raises the file's error class or `OSError`."""
        first, *rest = whole_lines(path) or [b""]
        try:
            head = self._heads.decode(first)
            if (head.schema, head.version) != (self._schema, VERSION):
                raise self._error("foreign", file=path)
            return head, [self._lines.decode(line) for line in rest]
        except msgspec.DecodeError:
            raise self._error("foreign", file=path) from None

    def header_fields(self, game: str) -> tuple[str, int, str, int, str]:
        """The fields of a header that all kinds of files have."""
        definition = game_named(game)
        return self._schema, VERSION, game, definition.rules_version, definition.board

    @contextmanager
    def open(self, path: Path, head: H) -> Iterator[tuple[list[L], Appender]]:
        """Lock a file and yield its lines so far and an appender; create it if it is missing.

        Raises the file's error class or `OSError`.
        """
        try:
            lock = ProcessLock(path)
        except FileInUse:
            raise self._error("in_use", file=path) from None
        try:
            lines: list[L] = []
            is_new = not path.exists() or path.stat().st_size == 0
            if not is_new:
                found, lines = self.read(path)
                if found != head:
                    raise self._error("other", file=path)
            with appending(path) as file:
                if is_new:
                    file.append(head)
                yield lines, file
        finally:
            lock.close()
