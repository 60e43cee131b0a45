"""A program as device functions of a graphics card: what numba-cuda makes of its rules.

A kernel that calls them plays one game a thread, over the same records as compiled rules have on
the processor.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any, cast

import numpy

from archipel.rules.kit.marking import AnyRule, compiled_form, is_apart, is_rule
from archipel.rules.kit.program import Program, globals_used

#: Whole numbers, the narrowest first.
NARROW = (numpy.int8, numpy.uint8, numpy.int16, numpy.uint16, numpy.int32, numpy.uint32)


def device_rules(program: Program, **options: Any) -> dict[AnyRule, Any]:
    """What numba-cuda makes of each entry of a program."""
    from numba import cuda

    program.check()
    done: dict[AnyRule, Any] = {}
    for source in program.rules():
        scope: dict[str, Any] = {"__builtins__": __builtins__}
        for name, value in globals_used(source):
            if is_rule(value):
                scope[name] = done[compiled_form(program.bound(value))]
            elif isinstance(value, list | tuple):
                scope[name] = narrowed(numpy.array(value))
            else:
                scope[name] = value
        function = cast(FunctionType, source)
        copy = FunctionType(function.__code__, scope, function.__name__)
        copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
        wishes = {"device": True, "forceinline": not is_apart(source), **options}
        done[source] = cuda.jit(**wishes)(copy)
    return {each: done[compiled_form(program.bound(each))] for each in program.entries}


def narrowed(table: Any) -> Any:
    """A lookup table in the narrowest type that holds it: constants have 64 kB on the device, and
    where they do not fit the linker fails without a word."""
    if table.dtype.kind != "i":
        return table
    for kind in NARROW:
        limits = numpy.iinfo(kind)
        if limits.min <= table.min() and table.max() <= limits.max:
            return table.astype(kind)
    return table
