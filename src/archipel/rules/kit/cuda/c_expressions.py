"""Expressions of rules as C++, in the order in which Python evaluates them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy

from archipel.rules.kit.core.decorators import AnyRule, compiled_form, is_rule
from archipel.rules.kit.core.lowering import globals_used
from archipel.rules.kit.core.program import Program
from archipel.rules.kit.core.rule_analysis import changes
from archipel.rules.kit.cuda.c_types import (
    BOOL,
    F32,
    F64,
    I32,
    I64,
    U64,
    VIEW,
    WIDTHS,
    Numbers,
    Record,
    Records,
    Type,
    field_type,
    read_as,
    spared,
    spelled,
    wider,
)

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
    text: str = ""
    calls: dict[str, Function] = field(default_factory=dict)


class Whole(Protocol):
    """What a rule is said in C++ with: the program, and what was said already."""

    @property
    def program(self) -> Program: ...

    @property
    def records(self) -> Mapping[str, type[Any]]: ...

    @property
    def public(self) -> frozenset[str]: ...

    def function(self, rule: AnyRule, kinds: tuple[Type, ...]) -> Function: ...

    def table(self, values: Any) -> Value: ...


class Expressions:
    """The expressions of one rule."""

    def __init__(self, whole: Whole, rule: AnyRule, kinds: Mapping[str, Type]) -> None:
        self.whole, self.rule = whole, rule
        self.scope = dict(globals_used(rule))
        self.locals: dict[str, Type] = dict(kinds)
        self.calls: dict[str, Function] = {}
        self.before: list[str] = []
        """What has to be said before the statement at hand."""
        self.temporary = 0

    def refused(self, node: ast.AST, why: str) -> TranslationError:
        return TranslationError(f"rule {self.rule.__name__}: {why}: {ast.unparse(node)}")

    def value(self, node: ast.expr) -> Value:
        handler = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if handler is None:
            raise self.refused(node, type(node).__name__)
        found: Value = handler(node)
        return found

    def in_order(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Values one after the other: what could be changed by a later call is kept first."""
        found = []
        for place, node in enumerate(nodes):
            value = self.value(node)
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
                if is_rule(called) and changes(called):
                    return True
        return False

    def _guarded(self, node: ast.expr) -> Value:
        """A value that may not be asked for at all."""
        before, self.before = self.before, []
        value = self.value(node)
        if self.before:
            raise self.refused(node, "the order of calls in a condition")
        self.before = before
        return value

    def _of_constant(self, node: ast.Constant) -> Value:
        return constant(node.value)

    def _of_name(self, node: ast.Name) -> Value:
        if node.id in self.locals:
            return Value(local_name(node.id), self.locals[node.id])
        if node.id not in self.scope:
            raise self.refused(node, "not given a value yet")
        value = self.scope[node.id]
        if isinstance(value, list | tuple):
            return self.whole.table(value)
        return constant(value)

    def _of_attribute(self, node: ast.Attribute) -> Value:
        inside = self.value(node.value)
        if not isinstance(inside.kind, Record):
            raise self.refused(node, "only records have fields")
        fields = self.whole.records[inside.kind.name].__dataclass_fields__
        if node.attr not in fields:
            raise self.refused(node, f"{inside.kind.name} has no such field")
        kind = field_type(fields[node.attr])
        public = inside.kind.name == VIEW and node.attr in self.whole.public
        return Value(f"{inside.text}->{'of->' if public else ''}{spared(node.attr)}", kind)

    def _of_subscript(self, node: ast.Subscript) -> Value:
        inside, place = self.in_order([node.value, node.slice])
        kind = inside.kind
        if isinstance(kind, Records):
            return Value(f"(&{inside.text}[{place.text}])", Record(kind.name))
        if not isinstance(kind, Numbers):
            raise self.refused(node, "only lists have entries")
        text = f"{inside.text}[{place.text}]"
        if kind.rows:
            return Value(text, Numbers(kind.stored, kind.rows[1:], kind.rows[0], kind.constant))
        return Value(text, read_as(kind.stored))

    def _of_tuple(self, node: ast.Tuple) -> Value:
        raise self.refused(node, "only for `in`")

    def _of_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        kind = number_of(value)
        if isinstance(node.op, ast.Not):
            return Value(f"(!{value.text})", BOOL)
        if isinstance(node.op, ast.USub):
            if value.constant is not None:
                return constant(-value.constant)
            return Value(f"(-{value.text})", wider(kind, I32))
        if isinstance(node.op, ast.Invert):
            if value.constant is not None:
                return constant(~int(value.constant))
            return Value(f"(~{value.text})", wider(kind, I32))
        raise self.refused(node, "an operator")

    def _of_binop(self, node: ast.BinOp) -> Value:
        left, right = self.in_order([node.left, node.right])
        if left.constant is not None and right.constant is not None:
            scope = {"a": left.constant, "b": right.constant}
            names = ast.BinOp(ast.Name("a", ast.Load()), node.op, ast.Name("b", ast.Load()))
            folded = ast.fix_missing_locations(ast.Expression(names))
            return constant(eval(compile(folded, "", "eval"), {}, scope))
        kind = wider(wider(number_of(left), number_of(right)), I32)
        if isinstance(node.op, ast.Div):
            if kind == U64:
                raise self.refused(node, "a division of words")
            return self._divided(left, right)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            return self._floored(node, left, right, kind)
        sign = _OPERATORS[type(node.op)]
        if isinstance(node.op, ast.LShift):
            kind = wider(number_of(left), I64)
            return Value(f"(({kind}){left.text} << {right.text})", kind)
        if isinstance(node.op, ast.RShift):
            kind = wider(number_of(left), I32)
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
                inverse = float(numpy.float32(1.0) / numpy.float32(right.constant))
                parts = f"(float){left.text}, {right.constant!r}f, {inverse!r}f"
                return Value(f"share_of({parts})", F32)
        return Value(f"((double){left.text} / (double){right.text})", F64)

    def _floored(self, node: ast.BinOp, left: Value, right: Value, kind: str) -> Value:
        by = right.constant
        if kind in (F32, F64, U64):
            raise self.refused(node, "a remainder of fractions or words")
        if isinstance(by, int) and by > 0 and by & (by - 1) == 0:
            if isinstance(node.op, ast.Mod):
                narrow = f"(int32_t){left.text}" if by < INT32 else left.text
                return Value(f"({narrow} & {by - 1})", I32 if by < INT32 else kind)
            return Value(f"({left.text} >> {by.bit_length() - 1})", wider(number_of(left), I32))
        name = "remainder_of" if isinstance(node.op, ast.Mod) else "floor_divided"
        return Value(f"{name}<{kind}>({left.text}, {right.text})", kind)

    def _of_boolop(self, node: ast.BoolOp) -> Value:
        first, *others = node.values
        values = [self.value(first), *map(self._guarded, others)]
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return Value(f"({sign.join(value.text for value in values)})", BOOL)

    def _of_ifexp(self, node: ast.IfExp) -> Value:
        test = self.value(node.test)
        chosen, other = self._guarded(node.body), self._guarded(node.orelse)
        kind = wider(number_of(chosen), number_of(other))
        return Value(f"({test.text} ? ({kind}){chosen.text} : ({kind}){other.text})", kind)

    def _of_compare(self, node: ast.Compare) -> Value:
        first = node.ops[0]
        if isinstance(first, ast.In | ast.NotIn):
            wanted = node.comparators[0]
            assert isinstance(wanted, ast.Tuple)
            value = self.value(node.left)
            equal = " || ".join(f"{value.text} == {self.value(e).text}" for e in wanted.elts)
            return Value(f"({equal})" if isinstance(first, ast.In) else f"(!({equal}))", BOOL)
        values = self.in_order([node.left, *node.comparators])
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
        given = self.in_order(node.args)
        if name == "len":
            inside = given[0].kind
            if not isinstance(inside, Numbers) or inside.length is None:
                raise self.refused(node, "the length of a list that is not known")
            return constant(inside.length)
        kinds = [number_of(value) for value in given]
        if name == "int":
            if kinds[0] in (F32, F64):
                return Value(f"(int64_t){given[0].text}", I64)
            if given[0].constant is not None:
                return constant(int(given[0].constant))
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
        raise self.refused(node, "not a rule")

    def _furthest(self, name: str, given: list[Value], kinds: list[str]) -> Value:
        kind = max(kinds, key=WIDTHS.index)
        found = given[0].text
        for value in given[1:]:
            found = f"{name}_of<{kind}>({found}, {value.text})"
        return Value(found, kind)

    def _rule_called(self, node: ast.Call, rule: AnyRule) -> Value:
        given = self.in_order(node.args)
        callee = self.whole.function(compiled_form(rule), tuple(value.kind for value in given))
        self.calls[callee.name] = callee
        arguments = ", ".join(value.text for value in given)
        return Value(f"{callee.name}({arguments})", callee.result)


def local_name(name: str) -> str:
    return f"{name}_"


def number_of(value: Value) -> str:
    if not isinstance(value.kind, str):
        raise TranslationError(f"not a number: {value.text}")
    return value.kind


def constant(number: Any) -> Value:
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
