"""A program's rules as C++, for graphics cards.

The subset of Python that rules keep to says all that a C++ compiler has to know. Every rule becomes
a function for each row of types that it is called with; numbers are 32 bits wide unless they come
from a wider field or from a shift, since a graphics card computes with 32 bits at a time. What is
evaluated first in Python is evaluated first here too, wherever a call could make a difference.

The same text is compiled by any compiler for the processor, where tests hold it against the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy

from archipel.rules.kit.core.decorators import AnyRule, compiled_form
from archipel.rules.kit.core.program import Program
from archipel.rules.kit.core.rule_analysis import notes_of, public_fields
from archipel.rules.kit.cuda.c_expressions import INT32, Function, Value
from archipel.rules.kit.cuda.c_statements import Writing, as_noted
from archipel.rules.kit.cuda.c_types import (
    STORED,
    VIEW,
    Numbers,
    Type,
    struct_source,
    view_source,
)

#: What goes before everything, whichever compiler reads it.
HEAD = """\
#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#else
#include <cmath>
#include <cstdint>
using std::fmaf;
#endif
#ifdef __CUDACC__
#define RULE static __device__
#define APART static __device__ __noinline__
#define TABLE static __device__ const
#define LOOP _Pragma("unroll 1")
#else
#define LOOP
#define RULE static inline
#define APART static
#define TABLE static const
#endif
template <class T, int N> using Row = T[N];
template <class T> RULE T min_of(T a, T b) { return b < a ? b : a; }
template <class T> RULE T max_of(T a, T b) { return b > a ? b : a; }
template <class T> RULE T floor_divided(T a, T b) {
    T quotient = a / b;
    return quotient - (quotient * b != a && (a < 0) != (b < 0));
}
template <class T> RULE T remainder_of(T a, T b) {
    T left = a % b;
    return left != 0 && (left < 0) != (b < 0) ? left + b : left;
}
// A quotient to the last bit, where the inverse is rounded to the nearest: what the product is off
// by is known exactly, and put right. A division takes ten times as long on a graphics card.
RULE float share_of(float number, float by, float inverse) {
    float near = number * inverse;
    return fmaf(fmaf(-near, by, number), inverse, near);
}
"""


class Translation:
    """C++ of the rules of a program, as far as entries were asked for."""

    def __init__(
        self,
        program: Program,
        records: Iterable[type[Any]] = (),
        veil: AnyRule | None = None,
        apart_from: int | None = None,
    ) -> None:
        """``veil`` is a rule of a state, a seat and what it sees: what it only copies is public,
        and then a `VIEW` has all else, and the address of the state for what is public.

        From ``apart_from`` lines on a rule that is called in several places is a function of its
        own; without a number it is where its author says so."""
        program.check()
        self.program, self.apart_from = program, apart_from
        self.records = {each.__name__: each for each in (program.state, *records)}
        self.public = frozenset[str]()
        if veil is not None:
            self.public = public_fields(veil)
            self.records[VIEW] = program.state
        self._functions: dict[tuple[AnyRule, tuple[Type, ...]], Function] = {}
        self._names: dict[str, int] = {}
        self._tables: dict[str, str] = {}
        self._entries: list[Function] = []

    def entry(self, rule: AnyRule, kinds: Sequence[Type]) -> Function:
        """A rule for arguments of these types; its name and result are those of the answer."""
        found = self.function(compiled_form(rule), tuple(kinds))
        self._entries.append(found)
        return found

    def source(self) -> str:
        """Everything that was asked for, and what it needs."""
        structs = [
            line
            for name, each in self.records.items()
            for line in (view_source(each, self.public) if name == VIEW else struct_source(each))
        ]
        needed: dict[str, Function] = {}

        def visit(function: Function) -> None:
            for callee in function.calls.values():
                if callee.name not in needed:
                    visit(callee)
            needed[function.name] = function

        for each in self._entries:
            if each.name not in needed:
                visit(each)
        bodies = [each.text for each in needed.values()]
        if self.apart_from is not None:
            whole = "\n".join(bodies)
            for place, each in enumerate(needed.values()):
                long = each.text.count("\n") >= self.apart_from
                if long and whole.count(f" {each.name}(") + whole.count(f"({each.name}(") > 2:
                    bodies[place] = each.text.replace("RULE ", "APART ", 1)
        tables = [line for line, name in self._tables.items() if any(name in b for b in bodies)]
        return "\n".join([*structs, *tables, *bodies]) + "\n"

    @staticmethod
    def head() -> str:
        """What goes before it."""
        return HEAD

    def function(self, rule: AnyRule, kinds: tuple[Type, ...]) -> Function:
        taken = tuple(
            as_noted(kind, note) for kind, note in zip(kinds, notes_of(rule)[0], strict=True)
        )
        key = rule, taken
        if key not in self._functions:
            number = self._names.get(rule.__name__, 0)
            self._names[rule.__name__] = number + 1
            name = f"{rule.__name__}_{number}"
            self._functions[key] = Writing(self, rule, taken, name).written()
        return self._functions[key]

    def table(self, values: Any) -> Value:
        """A table that rules look things up in."""
        array = numpy.array(values)
        if array.dtype.kind == "U":
            return Value("nullptr", Numbers("int8_t", (), len(values), constant=True))
        stored = _narrowest(array)
        shape = "".join(f"[{length}]" for length in array.shape)
        made = f"{shape} = {_braces(array.tolist())};"
        name = f"table_{len(self._tables)}"
        for line, known in self._tables.items():
            if line == f"TABLE {stored} {known}{made}":
                name = known
        self._tables[f"TABLE {stored} {name}{made}"] = name
        rows = tuple(int(length) for length in array.shape[1:])
        return Value(name, Numbers(stored, rows, len(values), constant=True))


def _narrowest(array: Any) -> str:
    if array.dtype.kind == "f":
        return STORED["f8"][0]
    for kind in ("i1", "u1", "i2", "u2", "i4", "i8"):
        limits = numpy.iinfo(kind)
        if limits.min <= array.min() and array.max() <= limits.max:
            return STORED[kind][0]
    return STORED["u8"][0]


def _braces(value: Any) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(map(_braces, value)) + "}"
    if isinstance(value, float):
        return repr(value)
    return f"{value}" if -INT32 <= value < INT32 else f"{value}LL"
