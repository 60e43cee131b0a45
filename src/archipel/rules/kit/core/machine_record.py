"""States as bytes: the machine records of compiled rules, read and written in plain Python.

Fields are in their order, each aligned to its size; lists are row by row, numbers little-endian.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from archipel.rules.kit.core.fields import check_ranges

R = TypeVar("R")

#: Codes of the module struct.
_CODES = dict(zip(["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f8"], "bhiqBHIQd", strict=True))


@dataclass(frozen=True)
class PlacedField:
    """A field and its offset in the record."""

    name: str
    kind: str
    shape: tuple[int, ...]
    offset: int

    @property
    def numbers(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True)
class RecordLayout:
    """The layout of a record class."""

    fields: tuple[PlacedField, ...]
    size: int
    format: struct.Struct


_LAYOUTS: dict[type[Any], RecordLayout] = {}


def record_layout(kind: type[Any]) -> RecordLayout:
    """Return the layout of a record class (see `archipel.rules.kit.core.fields.state`)."""
    if kind not in _LAYOUTS:
        _LAYOUTS[kind] = _lay_out(kind)
    return _LAYOUTS[kind]


def _lay_out(kind: type[Any]) -> RecordLayout:
    placed: list[PlacedField] = []
    codes = ["<"]
    end, widest = 0, 1
    for field in dataclasses.fields(kind):
        name, shape = field.metadata["kind"], tuple(field.metadata["shape"])
        width = int(name[1])
        offset = -(-end // width) * width
        placed.append(PlacedField(field.name, name, shape, offset))
        codes.append(f"{offset - end}x{math.prod(shape)}{_CODES[name]}")
        end = offset + width * math.prod(shape)
        widest = max(widest, width)
    size = -(-end // widest) * widest
    codes.append(f"{size - end}x")
    return RecordLayout(tuple(placed), size, struct.Struct("".join(codes)))


def to_bytes(record: Any) -> bytes:
    """Return a record as bytes; raises `ValueError` for numbers that its fields cannot hold."""
    check_ranges(record)
    layout = record_layout(type(record))
    numbers: list[float] = []
    for field in layout.fields:
        value = getattr(record, field.name)
        if not field.shape:
            numbers.append(value)
        elif len(field.shape) == 1:
            numbers.extend(value)
        else:
            numbers.extend(chain.from_iterable(value))
    return layout.format.pack(*numbers)


def from_bytes(kind: type[R], data: bytes) -> R:
    """Return the record of some bytes; raises `ValueError` if their number is wrong."""
    layout = record_layout(kind)
    if len(data) != layout.size:
        raise ValueError(f"a {kind.__name__} has {layout.size} bytes, not {len(data)}")
    numbers = layout.format.unpack(data)
    values: list[Any] = []
    first = 0
    for field in layout.fields:
        part = numbers[first : first + field.numbers]
        first += field.numbers
        if not field.shape:
            values.append(part[0])
        elif len(field.shape) == 1:
            values.append(list(part))
        else:
            columns = field.shape[1]
            values.append([list(part[row : row + columns]) for row in range(0, len(part), columns)])
    return kind(*values)
