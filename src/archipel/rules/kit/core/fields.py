"""Fields of a state: plain ints and lists with a machine layout."""

from __future__ import annotations

import dataclasses
import marshal
import math
from collections.abc import Callable
from typing import Any, TypeVar

S = TypeVar("S")

#: Range of each machine type a field may have.
RANGES: dict[str, tuple[int, int]] = {
    **{f"i{size}": (-(2 ** (8 * size - 1)), 2 ** (8 * size - 1) - 1) for size in (1, 2, 4, 8)},
    **{f"u{size}": (0, 2 ** (8 * size) - 1) for size in (1, 2, 4, 8)},
}

#: Floats, for records of search and rollouts; game states have integers only.
FRACTION = "f8"

#: Names that a compiled record cannot give to a field: they are attributes of NumPy scalars.
RESERVED_NAMES = frozenset({"all", "any", "max", "min", "round", "sum", "copy", "data", "flat"})

#: The marshal version of packed states; later versions search for duplicates, which takes time.
_FORMAT = 2

_CLONERS: dict[type, Callable[[Any], Any]] = {}
_SHARERS: dict[type, Callable[[Any], Any]] = {}
_PACKERS: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def scalar(kind: str, default: int = 0) -> Any:
    """A number, stored when compiled as an integer ("i1", "u4", ...) or a float ("f8")."""
    _check_kind(kind)
    first = float(default) if kind == FRACTION else default
    return dataclasses.field(default=first, metadata={"kind": kind, "shape": ()})


def array(kind: str, *shape: int, fill: int = 0) -> Any:
    """A list, or a list of lists, of numbers, of fixed shape."""
    _check_kind(kind)
    first = float(fill) if kind == FRACTION else fill
    if not 1 <= len(shape) <= 2 or min(shape) < 1:
        raise ValueError(f"an array field has one or two positive dimensions, not {shape}")

    def filled() -> Any:
        if len(shape) == 1:
            return [first] * shape[0]
        return [[first] * shape[1] for _ in range(shape[0])]

    return dataclasses.field(default_factory=filled, metadata={"kind": kind, "shape": shape})


def _check_kind(kind: str) -> None:
    if kind not in RANGES and kind != FRACTION:
        kinds = ", ".join((*RANGES, FRACTION))
        raise ValueError(f"unknown field type {kind!r}: one of {kinds}")


def state(cls: type[S]) -> type[S]:
    """Make a dataclass of `scalar` and `array` fields a record, such as the state of a game.

    Records can be cloned quickly and have a machine layout.
    """
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        if "kind" not in field.metadata:
            raise TypeError(f"{cls.__name__}.{field.name}: declare it with scalar() or array()")
        if field.name in RESERVED_NAMES:
            raise TypeError(f"{cls.__name__}.{field.name}: NumPy records reserve that name")
    _CLONERS[cls] = _written_out(cls, "cls", {1: "s.{0}[:]", 2: "list(map(copied, s.{0}))"})
    _SHARERS[cls] = _written_out(cls, "cls", {})
    _PACKERS[cls] = _written_out(cls, "", {})
    return cls


def _written_out(cls: Any, make: str, copies: dict[int, str]) -> Callable[[Any], Any]:
    """Generate the fastest function of all fields: one positional call, or a tuple.

    ``copies`` has the expressions that copy lists, by their number of dimensions.
    """
    parts = (
        copies.get(len(f.metadata["shape"]), "s.{0}").format(f.name)
        for f in dataclasses.fields(cls)
    )
    source = f"lambda s: {make}({', '.join(parts)},)"
    made: Callable[[Any], Any] = eval(source, {"cls": cls, "copied": list.copy})
    return made


def clone(s: S) -> S:
    """Return an independent copy of a state."""
    copied: S = _CLONERS[type(s)](s)
    return copied


def shared(s: S) -> S:
    """Return a shallow copy: it shares its lists, which may be replaced but not changed."""
    made: S = _SHARERS[type(s)](s)
    return made


def pack(s: object) -> bytes:
    """Serialize a state for this process only; `unpack` restores it."""
    fields = _PACKERS[type(s)](s)
    try:
        return marshal.dumps(fields, _FORMAT)
    except ValueError:  # subclasses of int, such as the actions of a `Game`
        return marshal.dumps(tuple(map(_plain, fields)), _FORMAT)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return float(value) if isinstance(value, float) else int(value)


def unpack(cls: type[S], packed: bytes) -> S:
    """Return the state that `pack` serialized."""
    return cls(*marshal.loads(packed))


def copy_into(source: S, target: S) -> None:
    """Make ``target`` equal to ``source``, keeping its identity."""
    fresh = clone(source)
    for field in dataclasses.fields(target):  # type: ignore[arg-type]
        setattr(target, field.name, getattr(fresh, field.name))


def differences(left: object, right: object) -> list[str]:
    """Describe the differences between two states of one class, field by field."""
    return [
        f"{f.name}: {getattr(left, f.name)} != {getattr(right, f.name)}"
        for f in dataclasses.fields(left)  # type: ignore[arg-type]
        if getattr(left, f.name) != getattr(right, f.name)
    ]


def check_ranges(s: object) -> None:
    """Raise `ValueError` for a number out of range or a list of the wrong shape."""
    for field in dataclasses.fields(s):  # type: ignore[arg-type]
        if field.metadata["kind"] == FRACTION:
            low, high = -math.inf, math.inf
        else:
            low, high = RANGES[field.metadata["kind"]]
        value, shape = getattr(s, field.name), field.metadata["shape"]
        rows = [[value]] if not shape else [value] if len(shape) == 1 else value
        if shape and (len(rows), len(rows[0])) != (1, *shape)[-2:]:
            raise ValueError(f"{field.name}: expected shape {shape}")
        for row in rows:
            for number in row:
                if not low <= number <= high:
                    raise ValueError(f"{field.name}: {number} is not within {low}..{high}")
