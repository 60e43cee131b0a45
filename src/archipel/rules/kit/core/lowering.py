"""Lowering: the form of a rule that the compilers read.

A rule may use dotted names: constants of a namespace (``Phase.MOVE``), and in a method the
attributes of ``self`` (``self.near``, ``self.game.legal``).  Python looks them up at run time.  The
lowered form has them resolved: a number becomes a constant, a table or another rule becomes a
global name, and ``self`` is no longer an argument.  ``match`` becomes a chain of comparisons.
File names and line numbers stay, for tracebacks and for the compile cache.
"""

from __future__ import annotations

import ast
import copy
import dis
import linecache
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, MethodType
from typing import Any, cast

from archipel.rules.kit.core.decorators import AnyRule, SubsetError, is_rule, made_source

ALLOWED_BUILTINS = frozenset(
    {"range", "min", "max", "abs", "len", "int", "bool", "float", "divmod", "sum", "enumerate"}
)


@dataclass(frozen=True)
class Lowered:
    """The code of a rule without dotted names, and the values of the names that replace them."""

    code: CodeType
    resolved: Mapping[str, Any]


def function_of(rule: AnyRule) -> FunctionType:
    """Return the function of a rule, which may be a bound method."""
    return cast(FunctionType, rule.__func__ if isinstance(rule, MethodType) else rule)


def lowered(rule: AnyRule) -> Lowered:
    return _lowered(rule, function_of(rule).__code__)


def tree_of(rule: AnyRule) -> ast.FunctionDef:
    """Return the lowered syntax tree of a rule."""
    return _lowered_tree(rule, function_of(rule).__code__)[0]


def globals_used(rule: AnyRule) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each global in the lowered form of a rule."""
    form, scope = lowered(rule), function_of(rule).__globals__
    for name in _global_names(form.code):
        if name in form.resolved:
            yield name, form.resolved[name]
        elif name in scope and name not in ALLOWED_BUILTINS:
            yield name, scope[name]


@cache
def _global_names(code: CodeType) -> tuple[str, ...]:
    # co_names would also list attributes: a field may be named like a rule.
    loads = (op.argval for op in dis.get_instructions(code) if op.opname == "LOAD_GLOBAL")
    return tuple(dict.fromkeys(loads))


@cache
def _lowered(rule: AnyRule, code: CodeType) -> Lowered:
    if not isinstance(rule, MethodType):
        scope = function_of(rule).__globals__
        if not any(_is_namespace(scope.get(name)) for name in _global_names(code)):
            return Lowered(code, {})
    tree, resolved = _lowered_tree(rule, code)
    bare = copy.deepcopy(tree)
    bare.returns = None
    for argument in bare.args.args:
        argument.annotation = None
    module = compile(ast.Module([bare], []), code.co_filename, "exec", dont_inherit=True)
    found = next(each for each in module.co_consts if isinstance(each, CodeType))
    return Lowered(found, resolved)


@cache
def _lowered_tree(rule: AnyRule, code: CodeType) -> tuple[ast.FunctionDef, Mapping[str, Any]]:
    tree = copy.deepcopy(_source_tree(function_of(rule)))
    lowering = _Lowering(rule)
    if isinstance(rule, MethodType):
        del tree.args.args[0]
    tree.body = [each for statement in tree.body for each in lowering.statements(statement)]
    return ast.fix_missing_locations(tree), lowering.resolved


def _source_tree(function: FunctionType) -> ast.FunctionDef:
    made = made_source(function)
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    found = _functions_in("".join(lines) if made is None else made).get(code.co_firstlineno)
    if found is None:
        raise SubsetError(f"{code.co_filename}: the source of rule {function.__name__} is missing")
    return found


@cache
def _functions_in(source: str) -> dict[int, ast.FunctionDef]:
    """Return the functions of a module by their first line, which may be a decorator's."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return {
        min([node.lineno, *(d.lineno for d in node.decorator_list)]): node for node in functions
    }


def _is_namespace(value: object) -> bool:
    """Whether dotted names can begin with a global of this value."""
    return not (isinstance(value, int | float | str | list | tuple | None) or is_rule(value))


class _Lowering(ast.NodeTransformer):
    """Replaces the dotted names and ``match`` statements of one rule."""

    def __init__(self, rule: AnyRule) -> None:
        self._function = function_of(rule)
        self.resolved: dict[str, Any] = {}
        code = self._function.__code__
        self._roots = {
            name: value
            for name, value in self._function.__globals__.items()
            if name not in code.co_varnames and name in code.co_names and _is_namespace(value)
        }
        self._self = ""
        if isinstance(rule, MethodType):
            self._self = code.co_varnames[0]
            self._roots[self._self] = rule.__self__

    def statements(self, statement: ast.stmt) -> list[ast.stmt]:
        found = self.visit(statement)
        return found if isinstance(found, list) else [found]

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        path = dotted(node)
        if not path or path[0] not in self._roots:
            return self.generic_visit(node)
        value = self._roots[path[0]]
        for name in path[1:]:
            try:
                value = getattr(value, name)
            except AttributeError:
                raise self._refused(node, f"there is no {ast.unparse(node)}") from None
        if isinstance(value, bool | int | float):
            exact = next(kind for kind in (bool, int, float) if isinstance(value, kind))
            return ast.copy_location(ast.Constant(exact(value)), node)
        if not (isinstance(value, list | tuple) or callable(value)):
            raise self._refused(node, f"{ast.unparse(node)} is neither number, table nor rule")
        name = "_".join(path)
        while name in self._function.__code__.co_varnames or (
            name in self._function.__globals__ and name not in self.resolved
        ):
            name += "_"
        self.resolved[name] = value
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self._self:
            raise self._refused(node, f"{node.id} is not a value: name an attribute of it")
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations stay as they are."""
        node.target = self.visit(node.target)
        node.value = node.value and self.visit(node.value)
        return node

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        """A chain of ``if`` and ``elif``, with the subject evaluated once if it is a call."""
        before: list[ast.stmt] = []
        subject = self.visit(node.subject)
        if any(isinstance(part, ast.Call) for part in ast.walk(subject)):
            name = f"matched_{node.lineno}"
            before = [ast.Assign([ast.Name(name, ast.Store())], subject)]
            subject = ast.Name(name, ast.Load())
        chain: list[ast.stmt] = []
        for case in reversed(node.cases):
            body = [each for statement in case.body for each in self.statements(statement)]
            test = self._test(case.pattern, subject)
            if case.guard is not None:
                guard = self.visit(case.guard)
                test = guard if test is None else ast.BoolOp(ast.And(), [test, guard])
            if test is None:
                chain = body
            else:
                chain = [ast.copy_location(ast.If(test, body, chain), case.pattern)]
        return [ast.copy_location(each, node) for each in before] + chain

    def _test(self, pattern: ast.pattern, subject: ast.expr) -> ast.expr | None:
        """The condition of a case; None if it always holds."""
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
            return None
        if isinstance(pattern, ast.MatchValue):
            wanted = self.visit(pattern.value)
            compared = ast.Compare(copy.deepcopy(subject), [ast.Eq()], [wanted])
            return ast.copy_location(compared, pattern)
        if isinstance(pattern, ast.MatchOr):
            tests = [self._test(each, subject) for each in pattern.patterns]
            known = [test for test in tests if test is not None]
            if len(known) == len(tests):
                return ast.copy_location(ast.BoolOp(ast.Or(), known), pattern)
        raise self._refused(pattern, f"case {ast.unparse(pattern)}: only numbers and _ are allowed")

    def _refused(self, node: ast.AST, why: str) -> SubsetError:
        file = self._function.__code__.co_filename
        line = getattr(node, "lineno", 0)
        return SubsetError(f"{file}:{line}: rule {self._function.__name__}: {why}")


def dotted(node: ast.expr) -> tuple[str, ...]:
    """The names of ``a.b.c``; none for anything else."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return (*before, node.attr) if before else ()
    return ()
