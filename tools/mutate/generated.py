"""Generated mutants: every small change of every rule function of a game."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType

#: Not mutated: `fault` only checks invariants and does not affect games.
LEFT_OUT = ("invariants.py",)

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
EXTREMES = {"min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """One change to one rule function. ``before`` and ``after`` are the statement it is in."""

    file: str
    function: str
    line: int
    kind: str
    before: str
    after: str
    code: CodeType
    number: int = 1
    occurrence: int = 1

    @property
    def id(self) -> str:
        suffix = f"#{self.number}" if self.number > 1 else ""
        return f"{self.file}:{self.line}:{self.kind}{suffix}"

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """The identity of the mutant, independent of line numbers."""
        return self.file, self.function, self.before, self.after, self.occurrence

    def __str__(self) -> str:
        return f"{self.id}  {self.function}: {self.before}  →  {self.after}"


def generate(package: Path) -> list[Mutant]:
    """Return all mutants of a game's rule functions, also shared ones, in source order."""
    found: list[Mutant] = []
    for path in [path for folder in (package, *shared_by(package)) for path in _modules(folder)]:
        if path.name not in LEFT_OUT:
            tree = ast.parse(path.read_text("utf-8"), str(path))
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and _is_rule(node):
                    found += _distinct(path, _name(path, package), node)
    return _numbered(found)


def shared_by(package: Path) -> list[Path]:
    """Return the folders of shared rules that a game imports."""
    text = "".join(path.read_text("utf-8") for path in _modules(package))
    return [
        folder
        for folder in sorted(package.parent.iterdir())
        if (folder / "__init__.py").exists()
        and folder.name not in (package.name, "kit")
        and f"archipel.rules.{folder.name}" in text
    ]


def _modules(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.py"))


def _name(path: Path, package: Path) -> str:
    return path.name if path.parent == package else f"{path.parent.name}/{path.name}"


def _is_rule(node: ast.FunctionDef) -> bool:
    marks = ("rule", "rule_apart")
    return any(isinstance(d, ast.Name) and d.id in marks for d in node.decorator_list)


def _distinct(path: Path, file: str, function: ast.FunctionDef) -> Iterator[Mutant]:
    """Remove mutants with the same result; the first is kept."""
    function.decorator_list = []
    for statement in _statements(function.body):
        met = {_first_line(statement)}
        for kind, change in _changes(statement):
            before = _first_line(statement)
            with_change = change.make(statement)
            after = _first_line(with_change)
            if after not in met:
                met.add(after)
                code = _compiled(path, function)
                line = statement.lineno
                yield Mutant(file, function.name, line, kind, before, after, code)
            change.undo()


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a docstring
        yield statement
        parts = statement.cases if isinstance(statement, ast.Match) else [statement]
        for part in parts:
            for name in ("body", "orelse"):
                yield from _statements(getattr(part, name, []))


def _first_line(statement: ast.AST) -> str:
    """Return a simple statement, or the head of a compound one."""
    return ast.unparse(statement).splitlines()[0]


def _compiled(path: Path, function: ast.FunctionDef) -> CodeType:
    module = ast.fix_missing_locations(ast.Module([function], []))
    outer = compile(module, str(path), "exec", annotations.compiler_flag, dont_inherit=True)
    return next(part for part in outer.co_consts if isinstance(part, CodeType))


def _numbered(mutants: list[Mutant]) -> list[Mutant]:
    """Number the mutants with the same line and kind, and equal changes in one function."""
    on_line: Counter[str] = Counter()
    alike: Counter[tuple[str, ...]] = Counter()
    numbered = []
    for mutant in mutants:
        fragment = (mutant.file, mutant.function, mutant.before, mutant.after)
        on_line[mutant.id] += 1
        alike[fragment] += 1
        numbered.append(
            replace(mutant, number=on_line[mutant.id], occurrence=alike[fragment]),
        )
    return numbered


# ---- changes ------------------------------------------------------------------------------------


class Change:
    """Replaces a node by another, and restores it."""

    def __init__(self, parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
        self._parent, self._field, self._index = parent, field, index
        self._old = self._get()
        self._new = ast.copy_location(node, self._old)

    def make(self, statement: ast.stmt) -> ast.AST:
        """Make the change and return the changed statement."""
        self._set(self._new)
        return self._new if statement is self._old else statement

    def undo(self) -> None:
        self._set(self._old)

    def _get(self) -> ast.AST:
        held = getattr(self._parent, self._field)
        node: ast.AST = held if self._index is None else held[self._index]
        return node

    def _set(self, node: ast.AST) -> None:
        if self._index is None:
            setattr(self._parent, self._field, node)
        else:
            getattr(self._parent, self._field)[self._index] = node


def _changes(statement: ast.stmt) -> Iterator[tuple[str, Change]]:
    """Yield every change to a statement, without the statements inside it."""
    if not isinstance(statement, (ast.If, ast.While, ast.For)):
        yield from _removal(statement)
    if isinstance(statement, ast.AugAssign) and type(statement.op) in ARITHMETIC:
        operator = ARITHMETIC[type(statement.op)]()
        yield "arithmetic", Change(statement, "op", None, operator)
    for parent, field, index, node in _expressions(statement):
        if field == "test":
            for truth in (True, False):
                yield "condition", Change(parent, field, index, ast.Constant(truth))
        for kind, other in _others(node):
            yield kind, Change(parent, field, index, other)


def _removal(statement: ast.stmt) -> Iterator[tuple[str, Change]]:
    """Deletes a statement by turning its node into ``pass``."""
    flow = isinstance(statement, (ast.Return, ast.Break, ast.Continue))
    yield "flow" if flow else "statement", _Removal(statement)


class _Removal(Change):
    """Turn the node into ``pass`` in place, because it does not know its parent."""

    def __init__(self, statement: ast.stmt) -> None:
        self._statement = statement
        self._class = type(statement)

    def make(self, statement: ast.stmt) -> ast.AST:
        self._statement.__class__ = ast.Pass
        return self._statement

    def undo(self) -> None:
        self._statement.__class__ = self._class


def _expressions(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """Yield every expression under a node with its parent, outermost first."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "body", "orelse") and isinstance(value, list):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.expr):
                yield node, field, index, child
                yield from _expressions(child)


def _others(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield the replacements of an expression."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for comparison in COMPARISONS.get(type(node.ops[0]), ()):
            yield "compare", ast.Compare(node.left, [comparison()], node.comparators)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "truth", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield "number", ast.Constant(node.value + 1)
        yield "number", ast.Constant(node.value - 1)
    elif isinstance(node, ast.BoolOp):
        swapped = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "logic", ast.BoolOp(swapped, node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "negation", node.operand
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "sign", node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from _other_calls(node, node.func.id)


def _other_calls(node: ast.Call, name: str) -> Iterator[tuple[str, ast.expr]]:
    if name in EXTREMES:
        yield "extreme", ast.Call(ast.Name(EXTREMES[name], ast.Load()), node.args, [])
    if name == "range":
        bounds = node.args if len(node.args) > 1 else [ast.Constant(0), node.args[0]]
        for index, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
            if len(node.args) == 1 and (index, step) == (0, -1):
                continue  # index -1 is the last element, and the last elements are unused
            shifted = list(bounds)
            shifted[index] = _shifted(bounds[index], step)
            yield "range", ast.Call(node.func, shifted, [])


def _shifted(bound: ast.expr, step: int) -> ast.expr:
    if isinstance(bound, ast.Constant) and isinstance(bound.value, int):
        return ast.Constant(bound.value + step)
    return ast.BinOp(bound, ast.Add() if step > 0 else ast.Sub(), ast.Constant(1))
