"""One rule as C++: its expressions, in the order in which Python evaluates them, and statements."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy

from archipel.rules.kit.core import decorators
from archipel.rules.kit.core.chance import draw_from_stream
from archipel.rules.kit.core.decorators import AnyRule, compiled_form, is_rule
from archipel.rules.kit.core.lowering import globals_used, tree_of
from archipel.rules.kit.core.rule_analysis import changes, is_copy, notes_of, rooted
from archipel.rules.kit.cuda import c_types as c
from archipel.rules.kit.cuda.c_types import Type

if TYPE_CHECKING:
    from archipel.rules.kit.cuda.cplusplus import Translation

#: A product with a factor from here on has 64 bits.
LARGE_FACTOR = 1 << 14

#: A constant from here on has 64 bits even if 32 would do, since it may be a bound or be added to.
LARGE_NUMBER = 1 << 28

INT32 = 2**31
INT64 = 2**63

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


#: Types of annotated numbers.
_NOTED: dict[Any, str] = {bool: c.BOOL, float: c.F64, decorators.F32: c.F32, decorators.U64: c.U64}

_SIMPLE_STATEMENTS = {ast.Pass: ";", ast.Break: "break;", ast.Continue: "continue;"}


class TranslationError(TypeError):
    """A rule that has no translation to C++."""


@dataclass(frozen=True)
class Value:
    """An expression: its text, its type, and its number if it is a constant."""

    text: str
    kind: Type
    constant: int | float | None = None


@dataclass
class Function:
    """The translation of a rule for one list of argument types."""

    name: str
    rule: AnyRule
    result: Type
    text: str = ""
    calls: dict[str, Function] = field(default_factory=dict)


def as_noted(kind: Type, note: Any) -> Type:
    """Return the type of an argument or a result inside a rule: as annotated, but not widened."""
    if not isinstance(kind, str):
        return kind
    if note in _NOTED:
        return _NOTED[note]
    return {c.BOOL: c.I32, c.U64: c.I64}.get(kind, kind)


class RuleTranslator:
    """Translates one rule for one list of argument types."""

    def __init__(
        self, whole: Translation, rule: AnyRule, kinds: tuple[Type, ...], name: str
    ) -> None:
        self.whole, self.rule, self.name, self.kinds = whole, rule, name, kinds
        self.tree = tree_of(rule)
        self.arguments = [argument.arg for argument in self.tree.args.args]
        self.scope = dict(globals_used(rule))
        self.locals: dict[str, Type] = dict(zip(self.arguments, kinds, strict=True))
        self.result: Type = None
        self._start_over()

    def _start_over(self) -> None:
        self.lines: list[str] = []
        #: Statements that precede the current one.
        self.before: list[str] = []
        self.calls: dict[str, Function] = {}
        self.temporary, self.depth = 0, 1

    def function(self) -> Function:
        """Translate the rule, repeatedly until the types of its locals and its result settle."""
        while True:
            known = dict(self.locals), self.result
            self._start_over()
            self._body(self.tree.body)
            if (self.locals, self.result) == known:
                break
        if self.rule is draw_from_stream:
            self.result = c.I32  # less than the number of outcomes, which is small
        else:
            self.result = as_noted(self.result, notes_of(self.rule)[1])
        return Function(self.name, self.rule, self.result, self._text(), self.calls)

    def _text(self) -> str:
        given = ", ".join(
            f"{c.spelled(kind)} {local_name(name)}"
            for name, kind in zip(self.arguments, self.kinds, strict=True)
        )
        declared = [
            f"    {c.spelled(kind)} {local_name(name)}{{}};"
            for name, kind in self.locals.items()
            if name not in self.arguments
        ]
        place = "APART" if self.whole.program.is_apart(self.rule) else "RULE"
        head = f"{place} {c.spelled(self.result)} {self.name}({given}) {{"
        return "\n".join([head, *declared, *self.lines, "}"])

    # ---- expressions -----------------------------------------------------------------------------

    def refused(self, node: ast.AST, why: str) -> TranslationError:
        return TranslationError(f"rule {self.rule.__name__}: {why}: {ast.unparse(node)}")

    def value(self, node: ast.expr) -> Value:
        handler = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if handler is None:
            raise self.refused(node, type(node).__name__)
        found: Value = handler(node)
        return found

    def in_order(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Evaluate in order: a value that a later call could change goes to a temporary."""
        found = []
        for place, node in enumerate(nodes):
            value = self.value(node)
            later = any(self._acts(other) for other in nodes[place + 1 :])
            if later and value.constant is None and not isinstance(node, ast.Name):
                self.temporary += 1
                name = f"t{self.temporary}"
                self.before.append(f"{c.spelled(value.kind)} {name} = {value.text};")
                value = Value(name, value.kind)
            found.append(value)
        return found

    def _acts(self, node: ast.expr) -> bool:
        """Whether an expression contains a call with side effects."""
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                called = self.scope.get(part.func.id)
                if is_rule(called) and changes(called):
                    return True
        return False

    def _guarded(self, node: ast.expr) -> Value:
        """Translate an operand that may not be evaluated."""
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
        if not isinstance(inside.kind, c.Record):
            raise self.refused(node, "only records have fields")
        fields = self.whole.records[inside.kind.name].__dataclass_fields__
        if node.attr not in fields:
            raise self.refused(node, f"{inside.kind.name} has no such field")
        kind = c.field_type(fields[node.attr])
        public = inside.kind.name == c.VIEW and node.attr in self.whole.public
        return Value(f"{inside.text}->{'of->' if public else ''}{c.field_name(node.attr)}", kind)

    def _of_subscript(self, node: ast.Subscript) -> Value:
        inside, place = self.in_order([node.value, node.slice])
        kind = inside.kind
        if isinstance(kind, c.Records):
            return Value(f"(&{inside.text}[{place.text}])", c.Record(kind.name))
        if not isinstance(kind, c.Numbers):
            raise self.refused(node, "only lists have entries")
        text = f"{inside.text}[{place.text}]"
        if kind.rows:
            return Value(text, c.Numbers(kind.stored, kind.rows[1:], kind.rows[0], kind.constant))
        return Value(text, c.read_as(kind.stored))

    def _of_unaryop(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        kind = number_of(value)
        if isinstance(node.op, ast.Not):
            return Value(f"(!{value.text})", c.BOOL)
        if isinstance(node.op, ast.UAdd):
            raise self.refused(node, "an operator")
        negative = isinstance(node.op, ast.USub)
        if value.constant is not None:
            return constant(-value.constant if negative else ~int(value.constant))
        return Value(f"({'-' if negative else '~'}{value.text})", c.wider(kind, c.I32))

    def _of_binop(self, node: ast.BinOp) -> Value:
        left, right = self.in_order([node.left, node.right])
        if left.constant is not None and right.constant is not None:
            scope = {"a": left.constant, "b": right.constant}
            names = ast.BinOp(ast.Name("a", ast.Load()), node.op, ast.Name("b", ast.Load()))
            folded = ast.fix_missing_locations(ast.Expression(names))
            return constant(eval(compile(folded, "", "eval"), {}, scope))
        kind = c.wider(c.wider(number_of(left), number_of(right)), c.I32)
        if isinstance(node.op, ast.Div):
            if kind == c.U64:
                raise self.refused(node, "a division of words")
            return self._divided(left, right)
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            return self._floored(node, left, right, kind)
        sign = _OPERATORS[type(node.op)]
        if isinstance(node.op, ast.LShift):
            kind = c.wider(number_of(left), c.I64)
            return Value(f"(({kind}){left.text} << {right.text})", kind)
        if isinstance(node.op, ast.RShift):
            kind = c.wider(number_of(left), c.I32)
            return Value(f"({left.text} >> {right.text})", kind)
        if isinstance(node.op, ast.BitAnd):
            for one, other in ((left, right), (right, left)):
                if one.constant is not None and 0 <= one.constant < INT64:
                    kind = c.I32 if one.constant < INT32 else c.I64
                    return Value(f"(({kind}){other.text} & {one.text})", kind)
        if isinstance(node.op, ast.Mult) and kind == c.I32:
            for one in (left, right):
                if one.constant is not None and abs(one.constant) >= LARGE_FACTOR:
                    kind = c.I64
            if kind == c.I64:
                return Value(f"((int64_t){left.text} * {right.text})", c.I64)
        return Value(f"({left.text} {sign} {right.text})", kind)

    def _divided(self, left: Value, right: Value) -> Value:
        """Divide in 32 bits where both numbers fit: the quotient, rounded once, equals the quotient
        of full width rounded again."""
        if isinstance(right.constant, float) and left.kind in (c.BOOL, c.I32):
            exact = float(numpy.float32(right.constant)) == right.constant
            if exact and right.constant == 1.0:
                return Value(f"(float){left.text}", c.F32)
            if exact:
                inverse = float(numpy.float32(1.0) / numpy.float32(right.constant))
                parts = f"(float){left.text}, {right.constant!r}f, {inverse!r}f"
                return Value(f"share_of({parts})", c.F32)
        return Value(f"((double){left.text} / (double){right.text})", c.F64)

    def _floored(self, node: ast.BinOp, left: Value, right: Value, kind: str) -> Value:
        by = right.constant
        if kind in (c.F32, c.F64, c.U64):
            raise self.refused(node, "a remainder of fractions or words")
        if isinstance(by, int) and by > 0 and by & (by - 1) == 0:
            if isinstance(node.op, ast.Mod):
                narrow = f"(int32_t){left.text}" if by < INT32 else left.text
                return Value(f"({narrow} & {by - 1})", c.I32 if by < INT32 else kind)
            return Value(f"({left.text} >> {by.bit_length() - 1})", c.wider(number_of(left), c.I32))
        name = "remainder_of" if isinstance(node.op, ast.Mod) else "floor_divided"
        return Value(f"{name}<{kind}>({left.text}, {right.text})", kind)

    def _of_boolop(self, node: ast.BoolOp) -> Value:
        first, *others = node.values
        values = [self.value(first), *map(self._guarded, others)]
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return Value(f"({sign.join(value.text for value in values)})", c.BOOL)

    def _of_ifexp(self, node: ast.IfExp) -> Value:
        test = self.value(node.test)
        chosen, other = self._guarded(node.body), self._guarded(node.orelse)
        kind = c.wider(number_of(chosen), number_of(other))
        return Value(f"({test.text} ? ({kind}){chosen.text} : ({kind}){other.text})", kind)

    def _of_compare(self, node: ast.Compare) -> Value:
        first = node.ops[0]
        if isinstance(first, ast.In | ast.NotIn):
            wanted = node.comparators[0]
            assert isinstance(wanted, ast.Tuple)
            value = self.value(node.left)
            equal = " || ".join(f"{value.text} == {self.value(e).text}" for e in wanted.elts)
            return Value(f"({equal})" if isinstance(first, ast.In) else f"(!({equal}))", c.BOOL)
        values = self.in_order([node.left, *node.comparators])
        parts = [
            f"{left.text} {_OPERATORS[type(op)]} {right.text}"
            for left, op, right in zip(values[:-1], node.ops, values[1:], strict=True)
        ]
        return Value(f"({' && '.join(parts)})", c.BOOL)

    def _of_call(self, node: ast.Call) -> Value:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in self.scope and is_rule(self.scope[name]):
            return self._rule_called(node, self.scope[name])
        given = self.in_order(node.args)
        if name == "len":
            inside = given[0].kind
            if not isinstance(inside, c.Numbers) or inside.length is None:
                raise self.refused(node, "the length of a list that is not known")
            return constant(inside.length)
        kinds = [number_of(value) for value in given]
        if name == "int":
            if kinds[0] in (c.F32, c.F64):
                return Value(f"(int64_t){given[0].text}", c.I64)
            if given[0].constant is not None:
                return constant(int(given[0].constant))
            return Value(given[0].text, c.wider(kinds[0], c.I32))
        if name == "float":
            return Value(f"(double){given[0].text}", c.F64)
        if name == "bool":
            return Value(f"({given[0].text} != 0)", c.BOOL)
        if name == "abs":
            kind = c.wider(kinds[0], c.I32)
            return Value(f"({given[0].text} < 0 ? -{given[0].text} : {given[0].text})", kind)
        if name in ("min", "max"):
            kind = max(kinds, key=c.WIDTHS.index)
            found = given[0].text
            for value in given[1:]:
                found = f"{name}_of<{kind}>({found}, {value.text})"
            return Value(found, kind)
        raise self.refused(node, "not a rule")

    def _rule_called(self, node: ast.Call, rule: AnyRule) -> Value:
        given = self.in_order(node.args)
        callee = self.whole.function(compiled_form(rule), tuple(value.kind for value in given))
        self.calls[callee.name] = callee
        arguments = ", ".join(value.text for value in given)
        return Value(f"{callee.name}({arguments})", callee.result)

    # ---- statements ------------------------------------------------------------------------------

    def _say(self, line: str) -> None:
        for each in (*self.before, line):
            self.lines.append("    " * self.depth + each)
        self.before = []

    def _body(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if type(statement) in _SIMPLE_STATEMENTS:
                self._say(_SIMPLE_STATEMENTS[type(statement)])
                continue
            handler = getattr(self, f"_{type(statement).__name__.lower()}", None)
            if handler is None:
                raise self.refused(statement, type(statement).__name__)
            handler(statement)

    def _inner(self, statements: Sequence[ast.stmt]) -> None:
        self.depth += 1
        self._body(statements)
        self.depth -= 1

    def _expr(self, statement: ast.Expr) -> None:
        if not isinstance(statement.value, ast.Constant):  # a docstring
            self._say(self.value(statement.value).text + ";")

    def _assert(self, statement: ast.Assert) -> None:
        """Python alone checks assertions."""

    def _return(self, statement: ast.Return) -> None:
        if statement.value is None:
            self._say("return;")
            return
        value = self.value(statement.value)
        if isinstance(value.kind, str):
            before = self.result
            self.result = c.wider(before, value.kind) if isinstance(before, str) else value.kind
        else:
            self.result = value.kind
        self._say(f"return {value.text};")

    def _assign(self, statement: ast.Assign) -> None:
        if len(statement.targets) != 1:
            raise self.refused(statement, "one name at a time")
        value = statement.value
        self._store(statement.targets[0], self.value(value), value)

    def _annassign(self, statement: ast.AnnAssign) -> None:
        if statement.value is not None:
            self._store(statement.target, self.value(statement.value))

    def _augassign(self, statement: ast.AugAssign) -> None:
        loaded = ast.parse(ast.unparse(statement.target), mode="eval").body
        combined = ast.BinOp(left=loaded, op=statement.op, right=statement.value)
        ast.copy_location(combined, statement)
        self._store(statement.target, self.value(ast.fix_missing_locations(combined)))

    def _is_public(self, target: ast.expr) -> bool:
        """Whether an expression is a public field of a view."""
        root, name = rooted(target)
        kind = self.locals.get(root)
        return isinstance(kind, c.Record) and kind.name == c.VIEW and name in self.whole.public

    def _store(self, target: ast.expr, value: Value, copied: ast.expr | None = None) -> None:
        if isinstance(target, ast.Name):
            self._remember(target.id, value.kind)
            self._say(f"{local_name(target.id)} = {value.text};")
            return
        if isinstance(target, ast.Subscript):
            inside = self.value(target.value)
            if isinstance(inside.kind, c.Sink | c.Records):
                place = self.value(target.slice)
                if isinstance(inside.kind, c.Sink):
                    self._say(f"{inside.text}.put({place.text}, {value.text});")
                else:
                    self._say(f"{inside.text}[{place.text}] = *{value.text};")
                return
        place = self.value(target)
        if not isinstance(place.kind, str):
            raise self.refused(target, "only numbers and records can be assigned")
        if self._is_public(target):
            if copied is None or not is_copy(target, copied):
                raise self.refused(target, "what is public in a view cannot be changed")
            return
        self._say(f"{place.text} = {value.text};")

    def _remember(self, name: str, kind: Type) -> None:
        before = self.locals.get(name)
        if isinstance(before, str) and isinstance(kind, str):
            kind = c.wider(before, kind)
        if isinstance(before, c.Numbers) and isinstance(kind, c.Numbers) and before != kind:
            kind = c.Numbers(kind.stored, kind.rows, None, kind.constant or before.constant)
        if name in self.arguments and self.locals[name] != kind:
            # A wider value is assigned to an argument: the argument gets its type.
            place = self.arguments.index(name)
            self.kinds = (*self.kinds[:place], kind, *self.kinds[place + 1 :])
        self.locals[name] = kind

    def _if(self, statement: ast.If) -> None:
        self._say(f"if ({self.value(statement.test).text}) {{")
        self._inner(statement.body)
        if statement.orelse:
            self._say("} else {")
            self._inner(statement.orelse)
        self._say("}")

    def _while(self, statement: ast.While) -> None:
        if statement.orelse:
            raise self.refused(statement, "a loop has no else")
        self._say(f"LOOP while ({self._guarded(statement.test).text}) {{")
        self._inner(statement.body)
        self._say("}")

    def _for(self, statement: ast.For) -> None:
        over, name = statement.iter, statement.target
        ranged = isinstance(over, ast.Call) and isinstance(over.func, ast.Name)
        if statement.orelse or not ranged or not isinstance(name, ast.Name):
            raise self.refused(statement, "loops go over a range")
        assert isinstance(over, ast.Call)
        given = self.in_order(over.args)
        first, end, step = Value("0", c.I32), given[0], Value("1", c.I32, 1)
        if len(given) > 1:
            first, end = given[:2]
        if len(given) > 2:
            step = given[2]
        kind = c.wider(number_of(first), number_of(end))
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
        self._say(f"LOOP for ({begin}; {going}; {count} += {by}) {{")
        self.depth += 1
        self._say(f"{local_name(name.id)} = {count};")
        self._body(statement.body)
        self.depth -= 1
        self._say("}")


def local_name(name: str) -> str:
    return f"{name}_"


def number_of(value: Value) -> str:
    if not isinstance(value.kind, str):
        raise TranslationError(f"not a number: {value.text}")
    return value.kind


def constant(number: Any) -> Value:
    if isinstance(number, bool):
        return Value("true" if number else "false", c.BOOL, int(number))
    if isinstance(number, float):
        return Value(repr(number), c.F64, number)
    whole = int(number)
    if abs(whole) < LARGE_NUMBER:
        return Value(str(whole) if whole >= 0 else f"({whole})", c.I32, whole)
    if -INT64 < whole < INT64:
        return Value(f"({whole}LL)", c.I64, whole)
    return Value(f"{whole}ULL", c.U64, whole)
