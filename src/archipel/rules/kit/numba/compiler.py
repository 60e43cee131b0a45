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
from collections.abc import Mapping
from contextlib import nullcontext
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast, get_args, get_origin

import numba
import numpy
from numba import types

from archipel.rules.kit.core.chance import Chance, Stream
from archipel.rules.kit.core.decorators import F32, I8, U64, AnyRule, is_rule
from archipel.rules.kit.core.layout import layout
from archipel.rules.kit.core.lowering import function_of, globals_used, lowered
from archipel.rules.kit.core.program import Backend, Program
from archipel.rules.kit.core.rule_analysis import notes_of
from archipel.rules.kit.numba.compile_cache import CompileCache

_COMMON = {"nogil": True, "error_model": "numpy"}
#: With forced inlining compiled rules are as fast as C.  Rules allocate nothing, so references need
#: not be counted.
RELEASE: dict[str, Any] = {**_COMMON, "forceinline": True, "_nrt": False}
#: For tests: unchecked, a bad index would silently write into the neighbouring state.
CHECKED: dict[str, Any] = {**_COMMON, "boundscheck": True}

#: Bytes of two adjacent cache lines, which processors fetch together.
CACHE_LINES = 128

#: If this environment variable is 1, `CHECKED` is the default.
CHECK_ALL = "ARCHIPEL_CHECKED"

settings: Any = numba.config
_SETTINGS_LOCK = threading.Lock()

machine: Any = types


class CompileError(TypeError):
    """Numba rejected a rule; the message has the rule's name and Numba's message."""


def zeros_apart(shape: tuple[int, ...], kind: numpy.dtype[Any]) -> Any:
    """Allocate an array on cache lines of its own.

    This avoids false sharing: threads that write to the same cache line slow each other down.
    """
    size = math.prod(shape) * kind.itemsize
    room = numpy.zeros(size + 2 * CACHE_LINES, numpy.uint8)
    begin = CACHE_LINES - room.ctypes.data % CACHE_LINES
    return room[begin : begin + size].view(kind).reshape(shape)


class Compiled(Backend):
    """A program as machine code, over arrays of records."""

    compiled = True

    def __init__(self, program: Program, entries: Mapping[str, AnyRule]) -> None:
        super().__init__(program, entries)
        self._layout = layout(program.state)
        self._names = [f.name for f in dataclasses.fields(program.state)]

    def states(self, count: int) -> Any:
        return zeros_apart((count,), self._layout)

    def write(self, states: Any, index: int, value: Any) -> None:
        for name in self._names:
            states[index][name] = getattr(value, name)

    def read(self, states: Any, index: int) -> Any:
        record = states[index]
        return self._program.state(*(record[name].tolist() for name in self._names))

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
    """The default compiler options."""
    return CHECKED if os.environ.get(CHECK_ALL) == "1" else RELEASE


def compile_program(
    program: Program, options: dict[str, Any] | None = None, cache: Path | None = None
) -> Compiled:
    """Return the program as machine code, from the cache or compiled (about 20 ms per statement).

    ``cache`` is the folder of all compiled rules; without one nothing is stored.
    """
    dispatchers = compile_rules(program, usual_options() if options is None else options, cache)
    form = program.chance.compiled_form
    entries = {name: dispatchers[form(each)] for name, each in program.entries.items()}
    return Compiled(program, entries)


def compile_rules(
    program: Program, options: dict[str, Any], cache: Path | None = None
) -> dict[AnyRule, Any]:
    """Return a Numba dispatcher per rule; if loaded from the cache, only the entries are usable."""
    program.check()
    rules = program.rules()
    # Without duplicates: two entries may be one rule, such as `view` and `recall`.
    entries = dict.fromkeys(
        program.chance.compiled_form(entry) for entry in program.entries.values()
    )
    dispatchers: dict[AnyRule, Any] = {}
    rule_cache = None if cache is None else CompileCache(program, options, cache)
    with _SETTINGS_LOCK:
        saved = settings.CACHE_DIR
        try:
            for function in rules:
                settings.CACHE_DIR = "" if rule_cache is None else str(rule_cache.folder(function))
                dispatchers[function] = _dispatcher(
                    program, function, dispatchers, options, cached=rule_cache is not None
                )
        finally:
            settings.CACHE_DIR = saved
        ready = rule_cache is not None and rule_cache.holds_entries()
        for function in entries if ready else rules:
            with nullcontext() if rule_cache is None else rule_cache.compiling(function):
                _compile(program, function, dispatchers[function])
        if rule_cache is not None and not ready:
            rule_cache.prune()
    return dispatchers


def is_cached(program: Program, cache: Path, options: dict[str, Any] | None = None) -> bool:
    """Whether `compile_program` only loads from the cache."""
    return CompileCache(program, options or usual_options(), cache).holds_entries()


def _dispatcher(
    program: Program,
    source: AnyRule,
    dispatchers: dict[AnyRule, Any],
    options: dict[str, Any],
    cached: bool,
) -> Any:
    """Build the dispatcher of a rule, with its callees and tables as globals."""
    scope: dict[str, Any] = {"__builtins__": __builtins__}
    for name, value in globals_used(source):
        if is_rule(value):
            scope[name] = dispatchers[program.chance.compiled_form(value)]
        elif isinstance(value, list | tuple):
            scope[name] = numpy.array(value)  # a lookup table becomes a constant
        else:
            scope[name] = value
    function = function_of(source)
    form = FunctionType(lowered(source).code, scope, function.__name__)
    form.__module__, form.__qualname__ = function.__module__, function.__qualname__
    if program.is_apart(source):
        options = {**options, "forceinline": False}
    return numba.njit(cache=cached, **options)(form)


def _compile(program: Program, source: AnyRule, dispatcher: Any) -> None:
    try:
        dispatcher.compile(signature_of(program, source))
    except numba.core.errors.NumbaError as error:
        raise CompileError(f"{program.name}: rule {source.__name__}: {error}") from error
    dispatcher.disable_compile()


def signature_of(program: Program, source: AnyRule) -> Any:
    """The Numba signature of a rule."""
    notes, result = notes_of(source)
    taken = (_machine_type(program, note, source) for note in notes)
    return _machine_type(program, result, source)(*taken)


def _machine_type(program: Program, note: Any, source: AnyRule) -> Any:
    plain: dict[Any, Any] = {
        int: machine.int64,
        bool: machine.boolean,
        float: machine.float64,
        type(None): machine.none,
        U64: machine.uint64,
        F32: machine.float32,
        I8: machine.int8,
        Chance: numba.from_dtype(layout(program.chance.record)),
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
    if isinstance(note, TypeVar):
        note = note.__bound__
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
