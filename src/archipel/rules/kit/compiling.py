"""Compilation of a program with Numba.

Each rule is compiled once, for the one signature its annotations give, callees first: nothing
compiles twice and nothing compiles in the middle of a game.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import os
import threading
from contextlib import nullcontext
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Any, cast, get_args, get_origin, get_type_hints

import numba
import numpy
from numba import types

from archipel.rules.kit.chance import Chance, Stream
from archipel.rules.kit.keeping import Keeper
from archipel.rules.kit.layout import layout
from archipel.rules.kit.marking import F32, I8, U64, AnyRule, compiled_form, is_apart, is_rule
from archipel.rules.kit.program import Program, globals_used

#: Forced inlining is what brings compiled rules level with C; and since rules allocate nothing, no
#: references need counting (Numba would count those to the array of actions, once per decision).
RELEASE: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "_nrt": False,
}

#: For tests: without a check a bad index would silently write into the neighbouring state.
CHECKED: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": True}

#: Bytes that processors keep to themselves when they write: lines come in pairs of 64.
CACHE_LINES = 128

#: Set to 1, what does not say how it is compiled is compiled with checks.
CHECK_ALL = "ARCHIPEL_CHECKED"

settings: Any = numba.config
_SETTINGS_LOCK = threading.Lock()

machine: Any = types


class CompileError(TypeError):
    """A rule that Numba refused, with the rule's name and Numba's own words."""


def zeros_apart(shape: tuple[int, ...], kind: numpy.dtype[Any]) -> Any:
    """An array that has its lines of the processor's cache to itself.

    Threads that write to neighbours on one line wait for each other, though they share nothing:
    streams of sixteen bytes, allocated one after the other, would all lie on one.
    """
    size = math.prod(shape) * kind.itemsize
    room = numpy.zeros(size + 2 * CACHE_LINES, numpy.uint8)
    begin = CACHE_LINES - room.ctypes.data % CACHE_LINES
    return room[begin : begin + size].view(kind).reshape(shape)


class Compiled:
    """A program as machine code, over arrays of records."""

    compiled = True

    def __init__(self, program: Program, functions: dict[str, AnyRule]) -> None:
        self._state = program.state
        self._layout = layout(program.state)
        self._names = [f.name for f in dataclasses.fields(program.state)]
        self._name = program.name
        for name, function in functions.items():
            setattr(self, name, function)

    def __getattr__(self, entry: str) -> AnyRule:
        raise AttributeError(f"program {self._name} has no entry {entry}")

    def states(self, count: int) -> Any:
        return zeros_apart((count,), self._layout)

    def write(self, states: Any, index: int, value: Any) -> None:
        for name in self._names:
            states[index][name] = getattr(value, name)

    def read(self, states: Any, index: int) -> Any:
        record = states[index]
        return self._state(*(record[name].tolist() for name in self._names))

    def stream(self, key: int) -> Any:
        streams = zeros_apart((1,), layout(Stream))
        streams[0]["key"] = key
        return streams[0]

    def numbers(self, *shape: int) -> Any:
        return zeros_apart(shape, numpy.dtype(numpy.int64))

    def fractions(self, *shape: int) -> Any:
        return zeros_apart(shape, numpy.dtype(numpy.float64))

    def records(self, kind: type[Any], count: int) -> Any:
        records, begun = zeros_apart((count,), layout(kind)), kind()
        for field in dataclasses.fields(kind):
            records[field.name] = getattr(begun, field.name)
        return records


def usual_options() -> dict[str, Any]:
    """How programs are compiled unless somebody says otherwise."""
    return CHECKED if os.environ.get(CHECK_ALL) == "1" else RELEASE


def compile_program(
    program: Program, options: dict[str, Any] | None = None, cache: Path | None = None
) -> Compiled:
    """The program in machine code: loaded from the cache where it is there, else compiled (about
    20 ms a statement) and kept.

    ``cache`` is the folder of all compiled rules; without one nothing is kept.
    """
    dispatchers = compile_rules(program, usual_options() if options is None else options, cache)
    entries = {entry.__name__: compiled_form(program.bound(entry)) for entry in program.entries}
    return Compiled(program, {name: dispatchers[entry] for name, entry in entries.items()})


def compile_rules(
    program: Program, options: dict[str, Any], cache: Path | None = None
) -> dict[AnyRule, Any]:
    """What Numba made of each rule of a program; from the cache it may be the entries alone."""
    program.check()
    rules = program.rules()
    # Once each: a game may bind two entries to one rule, as `view` and `recall`.
    entries = dict.fromkeys(compiled_form(program.bound(entry)) for entry in program.entries)
    dispatchers: dict[AnyRule, Any] = {}
    keeper = None if cache is None else Keeper(program, options, cache)
    with _SETTINGS_LOCK:
        saved = settings.CACHE_DIR
        try:
            for function in rules:
                settings.CACHE_DIR = "" if keeper is None else str(keeper.folder(function))
                dispatchers[function] = _dispatcher(
                    program, function, dispatchers, options, keep=keeper is not None
                )
        finally:
            settings.CACHE_DIR = saved
        ready = keeper is not None and keeper.holds_entries()
        for function in entries if ready else rules:
            with nullcontext() if keeper is None else keeper.compiling(function):
                _compile(program, function, dispatchers[function])
        if keeper is not None and not ready:
            keeper.prune()
    return dispatchers


def is_cached(program: Program, cache: Path, options: dict[str, Any] | None = None) -> bool:
    """Whether `compile_program` would only have to load."""
    return Keeper(program, options or usual_options(), cache).holds_entries()


def _dispatcher(
    program: Program,
    source: AnyRule,
    dispatchers: dict[AnyRule, Any],
    options: dict[str, Any],
    keep: bool,
) -> Any:
    """The rule with its callees and tables put in place, ready to be compiled."""
    scope: dict[str, Any] = {"__builtins__": __builtins__}
    for name, value in globals_used(source):
        if is_rule(value):
            scope[name] = dispatchers[compiled_form(program.bound(value))]
        elif isinstance(value, list | tuple):
            scope[name] = numpy.array(value)  # a lookup table becomes a constant
        else:
            scope[name] = value
    function = cast(FunctionType, source)
    copy = FunctionType(function.__code__, scope, function.__name__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    if is_apart(source):
        options = {**options, "forceinline": False}
    return numba.njit(cache=keep, **options)(copy)


def _compile(program: Program, source: AnyRule, dispatcher: Any) -> None:
    try:
        dispatcher.compile(signature_of(program, source))
    except numba.core.errors.NumbaError as error:
        raise CompileError(f"{program.name}: rule {source.__name__}: {error}") from error
    dispatcher.disable_compile()


def signature_of(program: Program, source: AnyRule) -> Any:
    """What a rule takes and gives, as Numba has it."""
    notes = get_type_hints(source, include_extras=True)
    result = _machine_type(program, notes.pop("return"), source)
    names = source.__code__.co_varnames[: source.__code__.co_argcount]
    return result(*(_machine_type(program, notes[name], source) for name in names))


def _machine_type(program: Program, note: Any, source: AnyRule) -> Any:
    plain: dict[Any, Any] = {
        int: machine.int64,
        bool: machine.boolean,
        float: machine.float64,
        type(None): machine.none,
        U64: machine.uint64,
        F32: machine.float32,
        I8: machine.int8,
        Chance: numba.from_dtype(layout(Stream)),
    }
    if note in plain:
        return plain[note]
    if get_origin(note) is list:
        inner = _machine_type(program, get_args(note)[0], source)
        if isinstance(inner, machine.Array):
            return machine.Array(inner.dtype, inner.ndim + 1, "C")
        return machine.Array(inner, 1, "C")
    if get_origin(note) is tuple:
        return machine.Tuple([_machine_type(program, part, source) for part in get_args(note)])
    if isinstance(note, type) and issubclass(note, IntEnum):
        return machine.IntEnumMember(note, machine.int64)
    if getattr(note, "_is_protocol", False):
        missing = [name for name in _members(note) if not hasattr(program.state, name)]
        if missing:
            raise CompileError(
                f"rule {source.__name__}: {program.state.__name__} lacks {', '.join(missing)}"
            )
        return numba.from_dtype(layout(program.state))
    if dataclasses.is_dataclass(note):
        return numba.from_dtype(layout(cast(type[Any], note)))
    raise CompileError(f"rule {source.__name__}: {note} is not a type that rules can have")


def _members(protocol: type) -> set[str]:
    return {
        name
        for cls in protocol.__mro__
        if getattr(cls, "_is_protocol", False)
        for name in inspect.get_annotations(cls)
    }
