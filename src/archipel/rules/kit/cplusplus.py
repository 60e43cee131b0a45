"""A program's rules as C++, for graphics cards.

The subset of Python that rules keep to says all that a C++ compiler has to know. Every rule becomes
a function for each row of types that it is called with; numbers are 32 bits wide unless they come
from a wider field or from a shift, since a graphics card computes with 32 bits at a time. What is
evaluated first in Python is evaluated first here too, wherever a call could make a difference.

The same text is compiled by any compiler for the processor, where tests hold it against the rules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy

from archipel.rules.kit.c_types import (
    BOOL,
    F32,
    F64,
    I32,
    I64,
    STORED,
    U64,
    VIEW,
    WIDTHS,
    Numbers,
    Record,
    Records,
    Sink,
    Type,
    field_type,
    read_as,
    spared,
    spelled,
    struct_source,
    view_source,
    wider,
)
from archipel.rules.kit.chance import draw_from_stream
from archipel.rules.kit.marking import F32 as F32_NOTE
from archipel.rules.kit.marking import U64 as U64_NOTE
from archipel.rules.kit.marking import AnyRule, compiled_form, is_apart, is_rule
from archipel.rules.kit.program import Program, globals_used
from archipel.rules.kit.rule_trees import (
    changes,
    is_copy,
    notes_of,
    public_fields,
    rooted,
    stores,
    tree_of,
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
#include <cstdint>
#endif
#ifdef __CUDACC__
#define RULE static __device__
#define APART static __device__ __noinline__
#define TABLE static __device__ const
#define WRITTEN_OUT(rounds) _Pragma(WORDS_OF(unroll rounds))
#define WORDS_OF(words) #words
#else
#define WRITTEN_OUT(rounds)
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
"""

#: Factors from which on a product is taken to need 64 bits.
LARGE_FACTOR = 1 << 14

#: From here on a number needs 64 bits, even if it would fit: such are put where there is no limit,
#: and are reckoned with.
LARGE_NUMBER = 1 << 28

INT32 = 2**31
INT64 = 2**63

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class TranslationError(TypeError):
    """A rule that cannot be said in C++, and where."""


@dataclass(frozen=True)
class Value:
    """An expression: its text, what it is, and its number where it is a constant."""

    text: str
    kind: Type
    constant: int | float | None = None


@dataclass
class Function:
    """A rule for one row of types."""

    name: str
    rule: AnyRule
    result: Type
    impure: bool
    text: str = ""
    calls: dict[str, Function] = field(default_factory=dict)
    sites: int = 0


class Translation:
    """C++ of the rules of a program, as far as entries were asked for."""

    def __init__(
        self,
        program: Program,
        records: Iterable[type[Any]] = (),
        veil: AnyRule | None = None,
        apart_from: int | None = None,
        unrolled: Mapping[AnyRule, int] | None = None,
    ) -> None:
        """``veil`` is a rule of a state, a seat and what it sees: what it only copies is public,
        and then a `VIEW` has all else, and the address of the state for what is public.

        From ``apart_from`` lines on a rule that is called in several places is a function of its
        own; without a number it is where its author says so. ``unrolled`` says of which rules so
        many rounds of their loops are written out; of others none are."""
        program.check()
        self.program, self.apart_from, self.unrolled = program, apart_from, unrolled or {}
        self.records = {each.__name__: each for each in (program.state, *records)}
        self.public = frozenset[str]()
        if veil is not None:
            self.public = public_fields(program, veil)
            self.records[VIEW] = program.state
        self._functions: dict[tuple[AnyRule, tuple[Type, ...]], Function] = {}
        self._names: dict[str, int] = {}
        self._tables: dict[str, str] = {}
        self._entries: list[Function] = []

    def entry(self, rule: AnyRule, kinds: Sequence[Type]) -> Function:
        """A rule for arguments of these types; its name and result are those of the answer."""
        found = self.function(compiled_form(self.program.bound(rule)), tuple(kinds))
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
            _as_noted(kind, note) for kind, note in zip(kinds, notes_of(rule)[0], strict=True)
        )
        key = rule, taken
        if key not in self._functions:
            number = self._names.get(rule.__name__, 0)
            self._names[rule.__name__] = number + 1
            name = f"{rule.__name__}_{number}"
            self._functions[key] = _Writing(self, rule, taken, name).written()
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


def _as_noted(kind: Type, note: Any) -> Type:
    """What an argument or a result is inside: numbers as they are annotated, but not wider than
    they come."""
    if not isinstance(kind, str):
        return kind
    if note is bool:
        return BOOL
    if note is float:
        return F64
    if note == F32_NOTE:
        return F32
    if note == U64_NOTE:
        return U64
    if kind == BOOL:
        return I32
    return I64 if kind == U64 else kind


class _Writing:
    """One rule on its way to C++."""

    def __init__(
        self, whole: Translation, rule: AnyRule, kinds: tuple[Type, ...], name: str
    ) -> None:
        self.whole, self.rule, self.kinds, self.name = whole, rule, kinds, name
        self.tree = tree_of(rule)
        self.scope = dict(globals_used(rule))
        self.arguments = [argument.arg for argument in self.tree.args.args]
        self.locals: dict[str, Type] = dict(zip(self.arguments, kinds, strict=True))
        self.result: Type = None
        self.calls: dict[str, Function] = {}
        self.impure = stores(rule)
        self.lines: list[str] = []
        self.before: list[str] = []
        self.temporary = 0
        self.depth = 1
        self.loop = f"WRITTEN_OUT({whole.unrolled.get(rule, 1)})"

    def written(self) -> Function:
        while True:
            known = dict(self.locals), self.result
            self._begin_again()
            self._body(self.tree.body)
            if (self.locals, self.result) == known:
                break
        note = notes_of(self.rule)[1]
        if self.rule is draw_from_stream:
            self.result = I32  # below what was asked for, which is a small number
        else:
            self.result = _as_noted(self.result, note)
        return Function(self.name, self.rule, self.result, self.impure, self._text(), self.calls)

    def _begin_again(self) -> None:
        self.lines, self.before, self.calls = [], [], {}
        self.temporary, self.depth = 0, 1

    def _text(self) -> str:
        given = ", ".join(
            f"{spelled(kind)} {_local(name)}"
            for name, kind in zip(self.arguments, self.kinds, strict=True)
        )
        declared = [
            f"    {spelled(kind)} {_local(name)}{{}};"
            for name, kind in self.locals.items()
            if name not in self.arguments
        ]
        place = "APART" if is_apart(self.rule) else "RULE"
        head = f"{place} {spelled(self.result)} {self.name}({given}) {{"
        return "\n".join([head, *declared, *self.lines, "}"])

    # ---- statements ------------------------------------------------------------------------------

    def _say(self, line: str) -> None:
        for each in (*self.before, line):
            self.lines.append("    " * self.depth + each)
        self.before = []

    def _body(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            handler = getattr(self, f"_{type(statement).__name__.lower()}", None)
            if handler is None:
                raise self._refused(statement, type(statement).__name__)
            handler(statement)

    def _inner(self, statements: Sequence[ast.stmt]) -> None:
        self.depth += 1
        self._body(statements)
        self.depth -= 1

    def _refused(self, node: ast.AST, why: str) -> TranslationError:
        return TranslationError(f"rule {self.rule.__name__}: {why}: {ast.unparse(node)}")

    def _expr(self, statement: ast.Expr) -> None:
        if not isinstance(statement.value, ast.Constant):  # a docstring
            self._say(self._value(statement.value).text + ";")

    def _pass(self, statement: ast.Pass) -> None:
        self._say(";")

    def _assert(self, statement: ast.Assert) -> None:
        """For the reader, and for Python."""

    def _break(self, statement: ast.Break) -> None:
        self._say("break;")

    def _continue(self, statement: ast.Continue) -> None:
        self._say("continue;")

    def _return(self, statement: ast.Return) -> None:
        if statement.value is None:
            self._say("return;")
            return
        value = self._value(statement.value)
        if isinstance(value.kind, str):
            before = self.result
            self.result = wider(before, value.kind) if isinstance(before, str) else value.kind
        else:
            self.result = value.kind
        self._say(f"return {value.text};")

    def _assign(self, statement: ast.Assign) -> None:
        if len(statement.targets) != 1:
            raise self._refused(statement, "one name at a time")
        value = statement.value
        self._store(statement.targets[0], self._value(value), value)

    def _annassign(self, statement: ast.AnnAssign) -> None:
        if statement.value is not None:
            self._store(statement.target, self._value(statement.value))

    def _augassign(self, statement: ast.AugAssign) -> None:
        loaded = ast.parse(ast.unparse(statement.target), mode="eval").body
        combined = ast.BinOp(left=loaded, op=statement.op, right=statement.value)
        ast.copy_location(combined, statement)
        self._store(statement.target, self._value(ast.fix_missing_locations(combined)))

    def _is_public(self, target: ast.expr) -> bool:
        """Whether it is a field of a view that everybody sees as it is."""
        root, name = rooted(target)
        kind = self.locals.get(root)
        return isinstance(kind, Record) and kind.name == VIEW and name in self.whole.public

    def _store(self, target: ast.expr, value: Value, copied: ast.expr | None = None) -> None:
        if isinstance(target, ast.Name):
            self._remember(target.id, value.kind)
            self._say(f"{_local(target.id)} = {value.text};")
            return
        if isinstance(target, ast.Subscript):
            inside = self._value(target.value)
            if isinstance(inside.kind, Sink):
                place = self._value(target.slice)
                self._say(f"{inside.text}.put({place.text}, {value.text});")
                return
            if isinstance(inside.kind, Records):
                place = self._value(target.slice)
                self._say(f"{inside.text}[{place.text}] = *{value.text};")
                return
        place = self._value(target)
        if not isinstance(place.kind, str):
            raise self._refused(target, "only numbers and records can be assigned")
        if self._is_public(target):
            if copied is None or not is_copy(target, copied):
                raise self._refused(target, "what is public in a view cannot be changed")
            return
        self._say(f"{place.text} = {value.text};")

    def _remember(self, name: str, kind: Type) -> None:
        before = self.locals.get(name)
        if isinstance(before, str) and isinstance(kind, str):
            kind = wider(before, kind)
        if isinstance(before, Numbers) and isinstance(kind, Numbers) and before != kind:
            kind = Numbers(kind.stored, kind.rows, None, kind.constant or before.constant)
        if name in self.arguments and self.locals[name] != kind:
            # An argument that is given something wider within: it comes as wide as that.
            place = self.arguments.index(name)
            self.kinds = (*self.kinds[:place], kind, *self.kinds[place + 1 :])
        self.locals[name] = kind

    def _if(self, statement: ast.If) -> None:
        self._say(f"if ({self._value(statement.test).text}) {{")
        self._inner(statement.body)
        if statement.orelse:
            self._say("} else {")
            self._inner(statement.orelse)
        self._say("}")

    def _while(self, statement: ast.While) -> None:
        if statement.orelse:
            raise self._refused(statement, "a loop has no else")
        test = self._value(statement.test)
        if self.before:
            raise self._refused(statement.test, "the order of calls in a condition")
        self._say(f"{self.loop} while ({test.text}) {{")
        self._inner(statement.body)
        self._say("}")

    def _for(self, statement: ast.For) -> None:
        over, name = statement.iter, statement.target
        ranged = isinstance(over, ast.Call) and isinstance(over.func, ast.Name)
        if statement.orelse or not ranged or not isinstance(name, ast.Name):
            raise self._refused(statement, "loops go over a range")
        assert isinstance(over, ast.Call)
        given = self._in_order(over.args)
        first, end, step = Value("0", I32), given[0], Value("1", I32, 1)
        if len(given) > 1:
            first, end = given[:2]
        if len(given) > 2:
            step = given[2]
        kind = wider(_number(first), _number(end))
        self._remember(name.id, kind)
        self.temporary += 1
        count, last, by = (f"{letter}{self.temporary}" for letter in "ceb")
        begin = f"{kind} {count} = {first.text}, {last} = {end.text}"
        if step.constant is None:
            begin += f", {by} = {step.text}"
            going = f"{by} > 0 ? {count} < {last} : {count} > {last}"
        else:
            by = step.text
            going = f"{count} {'<' if step.constant > 0 else '>'} {last}"
        self._say(f"{self.loop} for ({begin}; {going}; {count} += {by}) {{")
        self.depth += 1
        self._say(f"{_local(name.id)} = {count};")
        self._body(statement.body)
        self.depth -= 1
        self._say("}")

    # ---- expressions -----------------------------------------------------------------------------

    def _value(self, node: ast.expr) -> Value:
        handler = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if handler is None:
            raise self._refused(node, type(node).__name__)
        found: Value = handler(node)
        return found

    def _in_order(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Values one after the other: what could be changed by a later call is kept first."""
        found = []
        for place, node in enumerate(nodes):
            value = self._value(node)
            later = any(self._acts(other) for other in nodes[place + 1 :])
            if later and value.constant is None and not isinstance(node, ast.Name):
                self.temporary += 1
                name = f"t{self.temporary}"
                self.before.append(f"{spelled(value.kind)} {name} = {value.text};")
                value = Value(name, value.kind)
            found.append(value)
        return found

    def _acts(self, node: ast.expr) -> bool:
        """Whether there is a call in it that changes something."""
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                called = self.scope.get(part.func.id)
                if is_rule(called) and changes(self.whole.program, called):
                    return True
        return False

    def _guarded(self, node: ast.expr) -> Value:
        """A value that may not be asked for at all."""
        before, self.before = self.before, []
        value = self._value(node)
        if self.before:
            raise self._refused(node, "the order of calls in a condition")
        self.before = before
        return value

    def _of_constant(self, node: ast.Constant) -> Value:
        return _constant(node.value)

    def _of_name(self, node: ast.Name) -> Value:
        if node.id in self.locals:
            return Value(_local(node.id), self.locals[node.id])
        if node.id not in self.scope:
            raise self._refused(node, "not given a value yet")
        value = self.scope[node.id]
        if isinstance(value, list | tuple):
            return self.whole.table(value)
        return _constant(value)

    def _of_attribute(self, node: ast.Attribute) -> Value:
        inside = self._value(node.value)
        if not isinstance(inside.kind, Record):
            raise self._refused(node, "only records have fields")
        fields = self.whole.records[inside.kind.name].__dataclass_fields__
        if node.attr not in fields:
            raise self._refused(node, f"{inside.kind.name} has no such field")
        kind = field_type(fields[node.attr])
        public = inside.kind.name == VIEW and node.attr in self.whole.public
        return Value(f"{inside.text}->{'of->' if public else ''}{spared(node.attr)}", kind)

    def _of_subscript(self, node: ast.Subscript) -> Value:
        inside, place = self._in_order([node.value, node.slice])
        kind = inside.kind
        if isinstance(kind, Records):
            return Value(f"(&{inside.text}[{place.text}])", Record(kind.name))
        if not isinstance(kind, Numbers):
            raise self._refused(node, "only lists have entries")
        text = f"{inside.text}[{place.text}]"
        if kind.rows:
            return Value(text, Numbers(kind.stored, kind.rows[1:], kind.rows[0], kind.constant))
        return Value(text, read_as(kind.stored))

    def _of_tuple(self, node: ast.Tuple) -> Value:
        raise self._refused(node, "only for `in`")

    def _of_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self._value(node.operand)
        kind = _number(value)
        if isinstance(node.op, ast.Not):
            return Value(f"(!{value.text})", BOOL)
        if isinstance(node.op, ast.USub):
            if value.constant is not None:
                return _constant(-value.constant)
            return Value(f"(-{value.text})", wider(kind, I32))
        if isinstance(node.op, ast.Invert):
            if value.constant is not None:
                return _constant(~int(value.constant))
            return Value(f"(~{value.text})", wider(kind, I32))
        raise self._refused(node, "an operator")

    def _of_binop(self, node: ast.BinOp) -> Value:
        left, right = self._in_order([node.left, node.right])
        if left.constant is not None and right.constant is not None:
            scope = {"a": left.constant, "b": right.constant}
            names = ast.BinOp(ast.Name("a", ast.Load()), node.op, ast.Name("b", ast.Load()))
            folded = ast.fix_missing_locations(ast.Expression(names))
            return _constant(eval(compile(folded, "", "eval"), {}, scope))
        kind = wider(wider(_number(left), _number(right)), I32)
        if isinstance(node.op, ast.Div):
            if kind == U64:
                raise self._refused(node, "a division of words")
            return self._divided(left, right)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            return self._floored(node, left, right, kind)
        sign = _OPERATORS[type(node.op)]
        if isinstance(node.op, ast.LShift):
            kind = wider(_number(left), I64)
            return Value(f"(({kind}){left.text} << {right.text})", kind)
        if isinstance(node.op, ast.RShift):
            kind = wider(_number(left), I32)
            return Value(f"({left.text} >> {right.text})", kind)
        if isinstance(node.op, ast.BitAnd):
            for one, other in ((left, right), (right, left)):
                if one.constant is not None and 0 <= one.constant < INT64:
                    kind = I32 if one.constant < INT32 else I64
                    return Value(f"(({kind}){other.text} & {one.text})", kind)
        if isinstance(node.op, ast.Mult) and kind == I32:
            for one in (left, right):
                if one.constant is not None and abs(one.constant) >= LARGE_FACTOR:
                    kind = I64
            if kind == I64:
                return Value(f"((int64_t){left.text} * {right.text})", I64)
        return Value(f"({left.text} {sign} {right.text})", kind)

    def _divided(self, left: Value, right: Value) -> Value:
        """In fractions of half the width where that is as good: the quotient of numbers that fit
        into them, rounded once, is what comes of rounding the quotient of full width again."""
        if isinstance(right.constant, float) and left.kind in (BOOL, I32):
            exact = float(numpy.float32(right.constant)) == right.constant
            if exact and right.constant == 1.0:
                return Value(f"(float){left.text}", F32)
            if exact:
                return Value(f"((float){left.text} / {right.constant!r}f)", F32)
        return Value(f"((double){left.text} / (double){right.text})", F64)

    def _floored(self, node: ast.BinOp, left: Value, right: Value, kind: str) -> Value:
        by = right.constant
        if kind in (F32, F64, U64):
            raise self._refused(node, "a remainder of fractions or words")
        if isinstance(by, int) and by > 0 and by & (by - 1) == 0:
            if isinstance(node.op, ast.Mod):
                narrow = f"(int32_t){left.text}" if by < INT32 else left.text
                return Value(f"({narrow} & {by - 1})", I32 if by < INT32 else kind)
            return Value(f"({left.text} >> {by.bit_length() - 1})", wider(_number(left), I32))
        name = "remainder_of" if isinstance(node.op, ast.Mod) else "floor_divided"
        return Value(f"{name}<{kind}>({left.text}, {right.text})", kind)

    def _of_boolop(self, node: ast.BoolOp) -> Value:
        first, *others = node.values
        values = [self._value(first), *map(self._guarded, others)]
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return Value(f"({sign.join(value.text for value in values)})", BOOL)

    def _of_ifexp(self, node: ast.IfExp) -> Value:
        test = self._value(node.test)
        chosen, other = self._guarded(node.body), self._guarded(node.orelse)
        kind = wider(_number(chosen), _number(other))
        return Value(f"({test.text} ? ({kind}){chosen.text} : ({kind}){other.text})", kind)

    def _of_compare(self, node: ast.Compare) -> Value:
        first = node.ops[0]
        if isinstance(first, ast.In | ast.NotIn):
            wanted = node.comparators[0]
            assert isinstance(wanted, ast.Tuple)
            value = self._value(node.left)
            equal = " || ".join(f"{value.text} == {self._value(e).text}" for e in wanted.elts)
            return Value(f"({equal})" if isinstance(first, ast.In) else f"(!({equal}))", BOOL)
        values = self._in_order([node.left, *node.comparators])
        parts = [
            f"{left.text} {_OPERATORS[type(op)]} {right.text}"
            for left, op, right in zip(values[:-1], node.ops, values[1:], strict=True)
        ]
        return Value(f"({' && '.join(parts)})", BOOL)

    def _of_call(self, node: ast.Call) -> Value:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in self.scope and is_rule(self.scope[name]):
            return self._rule_called(node, self.scope[name])
        given = self._in_order(node.args)
        if name == "len":
            inside = given[0].kind
            if not isinstance(inside, Numbers) or inside.length is None:
                raise self._refused(node, "the length of a list that is not known")
            return _constant(inside.length)
        kinds = [_number(value) for value in given]
        if name == "int":
            if kinds[0] in (F32, F64):
                return Value(f"(int64_t){given[0].text}", I64)
            if given[0].constant is not None:
                return _constant(int(given[0].constant))
            return Value(given[0].text, wider(kinds[0], I32))
        if name == "float":
            return Value(f"(double){given[0].text}", F64)
        if name == "bool":
            return Value(f"({given[0].text} != 0)", BOOL)
        if name == "abs":
            kind = wider(kinds[0], I32)
            return Value(f"({given[0].text} < 0 ? -{given[0].text} : {given[0].text})", kind)
        if name in ("min", "max"):
            return self._furthest(name, given, kinds)
        raise self._refused(node, "not a rule")

    def _furthest(self, name: str, given: list[Value], kinds: list[str]) -> Value:
        kind = max(kinds, key=WIDTHS.index)
        found = given[0].text
        for value in given[1:]:
            found = f"{name}_of<{kind}>({found}, {value.text})"
        return Value(found, kind)

    def _rule_called(self, node: ast.Call, rule: AnyRule) -> Value:
        given = self._in_order(node.args)
        bound = compiled_form(self.whole.program.bound(rule))
        callee = self.whole.function(bound, tuple(value.kind for value in given))
        self.calls[callee.name] = callee
        self.impure = self.impure or callee.impure
        arguments = ", ".join(value.text for value in given)
        return Value(f"{callee.name}({arguments})", callee.result)


def _local(name: str) -> str:
    return f"{name}_"


def _number(value: Value) -> str:
    if not isinstance(value.kind, str):
        raise TranslationError(f"not a number: {value.text}")
    return value.kind


def _constant(number: Any) -> Value:
    if isinstance(number, bool):
        return Value("true" if number else "false", BOOL, int(number))
    if isinstance(number, float):
        return Value(repr(number), F64, number)
    whole = int(number)
    if abs(whole) < LARGE_NUMBER:
        return Value(str(whole) if whole >= 0 else f"({whole})", I32, whole)
    if -INT64 < whole < INT64:
        return Value(f"({whole}LL)", I64, whole)
    return Value(f"{whole}ULL", U64, whole)
