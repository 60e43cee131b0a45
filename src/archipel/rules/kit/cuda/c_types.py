"""What numbers, records and lists of rules are in C++."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy

from archipel.rules.kit.core.layout import layout

#: Numbers as expressions have them, each able to hold what the one before it holds; an unsigned
#: word only ever comes from chance.
BOOL, I32, I64, U64, F32, F64 = "bool", "int32_t", "int64_t", "uint64_t", "float", "double"
WIDTHS = (BOOL, I32, I64, U64, F32, F64)

#: How fields are stored, and what they are once read: 32 bits wherever these hold them, since a
#: graphics card computes with 32 bits at a time.
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

#: Words that no field or local may be named in C++.
SPOILT = frozenset(
    {
        "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const",
        "continue", "default", "delete", "do", "double", "else", "enum", "export", "extern",
        "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
        "new", "not", "operator", "or", "private", "public", "register", "return", "short",
        "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw", "true",
        "try", "typedef", "union", "unsigned", "using", "virtual", "void", "volatile", "while",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Record:
    """A record, by its address."""

    name: str


@dataclass(frozen=True)
class Numbers:
    """A list of numbers, or a list of lists, by the address of the first."""

    stored: str
    rows: tuple[int, ...] = ()
    """The lengths of the lists in it, from the second dimension on."""
    length: int | None = None
    """Its own length, where it is known."""
    constant: bool = False


@dataclass(frozen=True)
class Sink:
    """A list that is only written to, number by number, by a class of C++ that says what becomes of
    them: ``sink.put(place, number)``."""

    name: str


@dataclass(frozen=True)
class Records:
    """A list of records, by the address of the first."""

    name: str


Type: TypeAlias = str | Record | Numbers | Records | Sink | None


def wider(left: str, right: str) -> str:
    """What holds both."""
    return max(left, right, key=WIDTHS.index)


def spelled(kind: Type) -> str:
    """A type as C++ has it, for arguments and locals."""
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
    """What a stored number is once it is read."""
    return next(wide for kind, wide in STORED.values() if kind == stored)


def field_type(field: dataclasses.Field[Any]) -> Type:
    """A field of a record as an expression: a number, or a list."""
    stored, wide = STORED[field.metadata["kind"]]
    shape = field.metadata["shape"]
    return Numbers(stored, tuple(shape[1:]), shape[0]) if shape else wide


def spared(name: str) -> str:
    """A name that C++ takes."""
    return name + "_" if name in SPOILT else name


def struct_source(record: type[Any]) -> Iterator[str]:
    """The record of a state class, laid out as `archipel.rules.kit.core.layout` has it."""
    yield f"struct {record.__name__} {{"
    for field in dataclasses.fields(record):
        yield _field_source(field)
    yield "};"


def _field_source(field: dataclasses.Field[Any]) -> str:
    stored = STORED[field.metadata["kind"]][0]
    shape = "".join(f"[{length}]" for length in field.metadata["shape"])
    return f"    {stored} {spared(field.name)}{shape};"


#: What a seat sees, where it differs from the state.
VIEW = "View"


def view_source(record: type[Any], public: frozenset[str]) -> Iterator[str]:
    """What a seat sees: the state for what is public, and then all else. The state is a list of
    one, so that its fields are reached as by its address."""
    yield f"struct {VIEW} {{"
    yield f"    {record.__name__} of[1];"
    for field in dataclasses.fields(record):
        if field.name not in public:
            yield _field_source(field)
    yield "};"


def view_size(record: type[Any], public: frozenset[str]) -> int:
    """The bytes of that."""
    hidden = [field for field in dataclasses.fields(record) if field.name not in public]
    return numpy.dtype(
        [
            ("of", layout(record)),
            *((field.name, field.metadata["kind"], field.metadata["shape"]) for field in hidden),
        ],
        align=True,
    ).itemsize
