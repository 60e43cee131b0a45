"""C++ types of the numbers, records and lists of rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy

from archipel.rules.kit.core.layout import layout

#: Types of numbers in expressions, each wider than the one before; only chance has unsigned words.
BOOL, I32, I64, U64, F32, F64 = "bool", "int32_t", "int64_t", "uint64_t", "float", "double"
WIDTHS = (BOOL, I32, I64, U64, F32, F64)

#: By field type: the stored type, and the type in expressions, of 32 bits if possible, as GPUs
#: compute with 32 bits.
STORED = {
    "i1": ("int8_t", I32),
    "i2": ("int16_t", I32),
    "i4": ("int32_t", I32),
    "i8": ("int64_t", I64),
    "u1": ("uint8_t", I32),
    "u2": ("uint16_t", I32),
    "u4": ("uint32_t", I64),
    "u8": ("uint64_t", U64),
    "f4": ("float", F32),
    "f8": ("double", F64),
}

#: Reserved words, which cannot name a field.
_RESERVED_WORDS = (
    "and asm auto bool break case catch char class const continue default delete do double else "
    "enum export extern false float for friend goto if inline int long mutable new not operator or "
    "private public register return short signed sizeof static struct switch template this throw "
    "true try typedef union unsigned using virtual void volatile while"
)

#: The C++ name of a view.
VIEW = "View"


@dataclass(frozen=True)
class Record:
    """A pointer to a record."""

    name: str


@dataclass(frozen=True)
class Records:
    """A pointer to the first of several records."""

    name: str


@dataclass(frozen=True)
class Numbers:
    """A pointer to the first number of a list, or of a list of lists with the lengths ``rows``."""

    stored: str
    rows: tuple[int, ...] = ()
    length: int | None = None
    constant: bool = False


@dataclass(frozen=True)
class Sink:
    """A write-only list: a C++ class with the method ``put(place, number)``."""

    name: str


Type: TypeAlias = str | Record | Numbers | Records | Sink | None


def wider(left: str, right: str) -> str:
    """Return the type that holds both."""
    return max(left, right, key=WIDTHS.index)


def spelled(kind: Type) -> str:
    """Return the C++ of a type, for arguments and locals."""
    if kind is None:
        return "void"
    if isinstance(kind, str):
        return kind
    if isinstance(kind, Record | Records):
        return f"{kind.name}*"
    if isinstance(kind, Sink):
        return f"{kind.name}&"
    base = ("const " if kind.constant else "") + kind.stored
    for length in reversed(kind.rows):
        base = f"Row<{base}, {length}>"
    return base + "*"


def read_as(stored: str) -> str:
    """Return the type of a stored number in expressions."""
    return next(wide for kind, wide in STORED.values() if kind == stored)


def field_type(field: dataclasses.Field[Any]) -> Type:
    """Return the type of a record's field in expressions."""
    stored, wide = STORED[field.metadata["kind"]]
    shape = field.metadata["shape"]
    return Numbers(stored, tuple(shape[1:]), shape[0]) if shape else wide


def field_name(name: str) -> str:
    return name + "_" if name in _RESERVED_WORDS.split() else name


def struct_source(record: type[Any], public: frozenset[str] | None = None) -> Iterator[str]:
    """Declare a state class, laid out as `archipel.rules.kit.core.layout` does.

    With ``public`` fields, declare its `VIEW`: the state, from which public fields are read, and
    the other fields.  The state is an array of one, so that its fields are reached as by pointer.
    """
    yield f"struct {record.__name__ if public is None else VIEW} {{"
    if public is not None:
        yield f"    {record.__name__} of[1];"
    for field in dataclasses.fields(record):
        if field.name not in (public or ()):
            stored = STORED[field.metadata["kind"]][0]
            shape = "".join(f"[{length}]" for length in field.metadata["shape"])
            yield f"    {stored} {field_name(field.name)}{shape};"
    yield "};"


def view_size(record: type[Any], public: frozenset[str]) -> int:
    """Return the bytes of a `VIEW`."""
    hidden = [
        (field.name, field.metadata["kind"], field.metadata["shape"])
        for field in dataclasses.fields(record)
        if field.name not in public
    ]
    return numpy.dtype([("of", layout(record)), *hidden], align=True).itemsize
