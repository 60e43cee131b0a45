"""Log the points of a learning curve while it grows: as CSV, and for TensorBoard."""

from __future__ import annotations

import csv
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import IO

from archipel.envs.learn.learning_curve import Point

Log = Callable[[Point], None]


@contextmanager
def opened_logs(table: str | None, folder: str | None) -> Iterator[Log]:
    """Open a CSV file and an event file in a folder, either or none of them."""
    with ExitStack() as stack:
        logs: list[Log] = []
        if table is not None:
            file = stack.enter_context(open(table, "w", encoding="utf-8", newline=""))
            logs.append(_csv_log(file))
        if folder is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
            name = f"events.out.tfevents.{time.time():.0f}.archipel"
            logs.append(_event_log(stack.enter_context(open(Path(folder) / name, "wb"))))

        def log(point: Point) -> None:
            for each in logs:
                each(point)

        yield log


def _csv_log(file: IO[str]) -> Log:
    writer = csv.DictWriter(file, [field.name for field in fields(Point)])
    writer.writeheader()

    def log(point: Point) -> None:
        writer.writerow(point.to_dict())
        file.flush()

    return log


# ---- TensorBoard: records with checksums around protocol buffers --------------------------------


def _event_log(file: IO[bytes]) -> Log:
    def write(content: bytes) -> None:
        length = struct.pack("<Q", len(content))
        file.write(length + _checksum(length) + content + _checksum(content))
        file.flush()

    write(_double(1, time.time()) + _bytes(3, b"brain.Event:2"))

    def log(point: Point) -> None:
        values = b""
        for name, value in point.to_dict().items():
            if name != "timesteps":
                values += _bytes(1, _bytes(1, f"learn/{name}".encode()) + _float(2, value))
        step = _varint(2 << 3) + _varint(point.timesteps)
        write(_double(1, time.time()) + step + _bytes(5, values))

    return log


def _double(number: int, value: float) -> bytes:
    return _varint(number << 3 | 1) + struct.pack("<d", value)


def _float(number: int, value: float) -> bytes:
    return _varint(number << 3 | 5) + struct.pack("<f", value)


def _bytes(number: int, content: bytes) -> bytes:
    """A field of text, or a message in a message."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _crc_table() -> list[int]:
    """Of CRC-32C."""
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F6_3B78 if value & 1 else 0)
        table.append(value)
    return table


_TABLE = _crc_table()


def _checksum(content: bytes) -> bytes:
    """The masked CRC-32C of TFRecord files."""
    crc = 0xFFFF_FFFF
    for byte in content:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    crc ^= 0xFFFF_FFFF
    return struct.pack("<I", (crc >> 15 | crc << 17) + 0xA282_EAD8 & 0xFFFF_FFFF)
