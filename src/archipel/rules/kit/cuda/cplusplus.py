"""A program's rules as C++, for GPUs.

Every rule becomes a function for each list of argument types that it is called with.  Numbers have
32 bits unless they come from a wider field or from a shift, since GPUs compute with 32 bits.  The
order of evaluation is Python's wherever a call has side effects.

Any C++ compiler can compile the text for the CPU, where tests compare it with the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy

from archipel.rules.kit.core.decorators import AnyRule, compiled_form
from archipel.rules.kit.core.program import Program
from archipel.rules.kit.core.rule_analysis import notes_of, public_fields
from archipel.rules.kit.cuda.c_rules import INT32, Function, RuleTranslator, Value, as_noted
from archipel.rules.kit.cuda.c_types import STORED, VIEW, Numbers, Type, struct_source

#: The prelude, for NVRTC and for CPU compilers.
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
// An exactly rounded quotient: corrects the product with the rounded inverse by its exact error.
// A division takes ten times as long on a GPU.
RULE float share_of(float number, float by, float inverse) {
    float near = number * inverse;
    return fmaf(fmaf(-near, by, number), inverse, near);
}
"""


class Translation:
    """The C++ of some entries of a program and of the rules that they call."""

    def __init__(
        self,
        program: Program,
        records: Iterable[type[Any]] = (),
        veil: AnyRule | None = None,
        apart_from: int | None = None,
    ) -> None:
        """``veil`` is a view rule: a `VIEW` stores only the fields that it does not just copy.

        Rules of at least ``apart_from`` lines with several callers are not inlined, in addition to
        those marked `rule_apart`.
        """
        program.check()
        self.program, self.apart_from = program, apart_from
        self.records = {each.__name__: each for each in (program.state, *records)}
        self.public = frozenset[str]()
        if veil is not None:
            self.public = public_fields(veil)
            self.records[VIEW] = program.state
        self._functions: dict[tuple[AnyRule, tuple[Type, ...]], Function] = {}
        self._names: dict[str, int] = {}
        #: Names of tables by type and by shape and content.
        self._tables: dict[tuple[str, str], str] = {}
        self._entries: list[Function] = []

    def entry(self, rule: AnyRule, kinds: Sequence[Type]) -> Function:
        """Add a rule for arguments of these types; returns its function."""
        found = self.function(compiled_form(rule), tuple(kinds))
        self._entries.append(found)
        return found

    def source(self) -> str:
        """Return the entries and all that they need."""
        structs = [
            line
            for name, each in self.records.items()
            for line in struct_source(each, self.public if name == VIEW else None)
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
        tables = [
            f"TABLE {stored} {name}{made}"
            for (stored, made), name in self._tables.items()
            if any(name in body for body in bodies)
        ]
        return "\n".join([*structs, *tables, *bodies]) + "\n"

    @staticmethod
    def head() -> str:
        """Return the prelude of `source`."""
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
            self._functions[key] = RuleTranslator(self, rule, taken, name).function()
        return self._functions[key]

    def table(self, values: Any) -> Value:
        """Add a constant table, unless an equal one is known."""
        array = numpy.array(values)
        if array.dtype.kind == "U":
            return Value("nullptr", Numbers("int8_t", (), len(values), constant=True))
        stored = _narrowest(array)
        shape = "".join(f"[{length}]" for length in array.shape)
        made = f"{shape} = {_braces(array.tolist())};"
        name = self._tables.setdefault((stored, made), f"table_{len(self._tables)}")
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
