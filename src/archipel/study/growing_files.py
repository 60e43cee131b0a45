"""Files of JSON lines that grow: what is in one is not done again, work goes on where it stopped.

A line that was cut off when the machine went down does not count, and makes room for the next one.
Where all lines belong together, the first of them, the head, says to what (`GrowingFile`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from archipel.store import FileInUse
from archipel.store.process_lock import ProcessLock


class GrowingFileError(ValueError):
    """A file that cannot be gone on with; ``why`` names the reason, ``details`` tell more."""

    def __init__(self, why: str, **details: object) -> None:
        super().__init__(why)
        self.why = why
        self.details = details


class Head(Protocol):
    """The first line of a file."""

    @property
    def schema(self) -> str: ...
    @property
    def version(self) -> int: ...


H = TypeVar("H", bound=Head)
L = TypeVar("L")


class Grown(NamedTuple, Generic[H, L]):
    """What is in a file with a head."""

    head: H
    lines: list[L]


class Appender:
    """Writes lines to the end of a file, each at once."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def append(self, line: object) -> None:
        data = msgspec.json.encode(line) + b"\n"
        while data:
            data = data[os.write(self._descriptor, data) :]


def whole_lines(path: Path) -> list[bytes]:
    """All lines but one that was cut off; raises `OSError`."""
    return path.read_bytes().split(b"\n")[:-1]


@contextmanager
def appending(path: Path) -> Iterator[Appender]:
    """A file to go on with behind its last whole line, made if there is none; raises `OSError`."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        whole = sum(len(line) + 1 for line in whole_lines(path))
        os.ftruncate(descriptor, whole)
        os.lseek(descriptor, whole, os.SEEK_SET)
        yield Appender(descriptor)
    finally:
        os.close(descriptor)


class GrowingFile(Generic[H, L]):
    """A kind of file with a head; what is wrong with one is raised as an error of that kind.

    Reasons are ``foreign`` (a file of something else, or damaged), ``other`` (with another head)
    and ``in_use``.
    """

    def __init__(
        self,
        schema: str,
        version: int,
        head: type[H],
        line: type[L],
        error: type[GrowingFileError],
    ) -> None:
        self._mark = schema, version
        self._heads, self._lines = msgspec.json.Decoder(head), msgspec.json.Decoder(line)
        self._error = error

    def read(self, path: Path) -> Grown[H, L]:
        """Raises the kind's error, or `OSError`."""
        first, *rest = whole_lines(path) or [b""]
        try:
            head = self._heads.decode(first)
            if (head.schema, head.version) != self._mark:
                raise self._error("foreign", file=path)
            return Grown(head, [self._lines.decode(line) for line in rest])
        except msgspec.DecodeError:
            raise self._error("foreign", file=path) from None

    @contextmanager
    def open(self, path: Path, head: H) -> Iterator[tuple[list[L], Appender]]:
        """The lines so far, in a file that is ours alone, made if there is none.

        Raises the kind's error, or `OSError`.
        """
        try:
            lock = ProcessLock(path)
        except FileInUse:
            raise self._error("in_use", file=path) from None
        try:
            lines: list[L] = []
            is_new = not path.exists() or path.stat().st_size == 0
            if not is_new:
                found = self.read(path)
                if found.head != head:
                    raise self._error("other", file=path)
                lines = found.lines
            with appending(path) as file:
                if is_new:
                    file.append(head)
                yield lines, file
        finally:
            lock.release()
