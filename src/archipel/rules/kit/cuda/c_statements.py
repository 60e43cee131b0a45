"""Statements of rules as C++, and whole rules of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from archipel.rules.kit.core.chance import draw_from_stream
from archipel.rules.kit.core.decorators import F32 as F32_NOTE
from archipel.rules.kit.core.decorators import U64 as U64_NOTE
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.core.lowering import tree_of
from archipel.rules.kit.core.rule_analysis import is_copy, notes_of, rooted
from archipel.rules.kit.cuda.c_expressions import (
    Expressions,
    Function,
    Value,
    Whole,
    local_name,
    number_of,
)
from archipel.rules.kit.cuda.c_types import (
    BOOL,
    F32,
    F64,
    I32,
    I64,
    U64,
    VIEW,
    Numbers,
    Record,
    Records,
    Sink,
    Type,
    spelled,
    wider,
)


def as_noted(kind: Type, note: Any) -> Type:
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


class Writing(Expressions):
    """One rule on its way to C++."""

    def __init__(self, whole: Whole, rule: AnyRule, kinds: tuple[Type, ...], name: str) -> None:
        self.tree = tree_of(rule)
        self.arguments = [argument.arg for argument in self.tree.args.args]
        super().__init__(whole, rule, dict(zip(self.arguments, kinds, strict=True)))
        self.kinds, self.name = kinds, name
        self.result: Type = None
        self.lines: list[str] = []
        self.depth = 1

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
            self.result = as_noted(self.result, note)
        return Function(self.name, self.rule, self.result, self._text(), self.calls)

    def _begin_again(self) -> None:
        self.lines, self.before, self.calls = [], [], {}
        self.temporary, self.depth = 0, 1

    def _text(self) -> str:
        given = ", ".join(
            f"{spelled(kind)} {local_name(name)}"
            for name, kind in zip(self.arguments, self.kinds, strict=True)
        )
        declared = [
            f"    {spelled(kind)} {local_name(name)}{{}};"
            for name, kind in self.locals.items()
            if name not in self.arguments
        ]
        place = "APART" if self.whole.program.is_apart(self.rule) else "RULE"
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
                raise self.refused(statement, type(statement).__name__)
            handler(statement)

    def _inner(self, statements: Sequence[ast.stmt]) -> None:
        self.depth += 1
        self._body(statements)
        self.depth -= 1

    def _expr(self, statement: ast.Expr) -> None:
        if not isinstance(statement.value, ast.Constant):  # a docstring
            self._say(self.value(statement.value).text + ";")

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
        value = self.value(statement.value)
        if isinstance(value.kind, str):
            before = self.result
            self.result = wider(before, value.kind) if isinstance(before, str) else value.kind
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
        """Whether it is a field of a view that everybody sees as it is."""
        root, name = rooted(target)
        kind = self.locals.get(root)
        return isinstance(kind, Record) and kind.name == VIEW and name in self.whole.public

    def _store(self, target: ast.expr, value: Value, copied: ast.expr | None = None) -> None:
        if isinstance(target, ast.Name):
            self._remember(target.id, value.kind)
            self._say(f"{local_name(target.id)} = {value.text};")
            return
        if isinstance(target, ast.Subscript):
            inside = self.value(target.value)
            if isinstance(inside.kind, Sink):
                place = self.value(target.slice)
                self._say(f"{inside.text}.put({place.text}, {value.text});")
                return
            if isinstance(inside.kind, Records):
                place = self.value(target.slice)
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
            kind = wider(before, kind)
        if isinstance(before, Numbers) and isinstance(kind, Numbers) and before != kind:
            kind = Numbers(kind.stored, kind.rows, None, kind.constant or before.constant)
        if name in self.arguments and self.locals[name] != kind:
            # An argument that is given something wider within: it comes as wide as that.
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
        test = self.value(statement.test)
        if self.before:
            raise self.refused(statement.test, "the order of calls in a condition")
        self._say(f"LOOP while ({test.text}) {{")
        self._inner(statement.body)
        self._say("}")

    def _for(self, statement: ast.For) -> None:
        over, name = statement.iter, statement.target
        ranged = isinstance(over, ast.Call) and isinstance(over.func, ast.Name)
        if statement.orelse or not ranged or not isinstance(name, ast.Name):
            raise self.refused(statement, "loops go over a range")
        assert isinstance(over, ast.Call)
        given = self.in_order(over.args)
        first, end, step = Value("0", I32), given[0], Value("1", I32, 1)
        if len(given) > 1:
            first, end = given[:2]
        if len(given) > 2:
            step = given[2]
        kind = wider(number_of(first), number_of(end))
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
