"""Static analysis of rules: argument types, side effects, and the fields that a view copies."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any, get_type_hints

from archipel.rules.kit.core.decorators import AnyRule, compiled_form
from archipel.rules.kit.core.lowering import function_of, lowered, tree_of
from archipel.rules.kit.core.program import callees


@cache
def notes_of(rule: AnyRule) -> tuple[tuple[Any, ...], Any]:
    """Return the annotations of a rule's arguments and of its result."""
    hints = get_type_hints(function_of(rule), include_extras=True)
    code = lowered(rule).code
    names = code.co_varnames[: code.co_argcount]
    return tuple(hints[name] for name in names), hints["return"]


@cache
def changes(rule: AnyRule) -> bool:
    """Whether a rule or one of its callees writes to its arguments."""
    bound = compiled_form(rule)
    return any(
        isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store)
        for node in ast.walk(tree_of(bound))
    ) or any(changes(callee) for callee in callees(bound).values())


def public_fields(veil: AnyRule) -> frozenset[str]:
    """Return the fields that a view rule ``(state, seat, view)`` only copies."""
    copied: set[str] = set()
    changed: set[str] = set()
    visited: set[tuple[AnyRule, tuple[str, ...]]] = set()

    def visit(rule: AnyRule, roles: tuple[str, ...]) -> None:
        if (rule, roles) in visited:
            return
        visited.add((rule, roles))
        tree, called = tree_of(rule), callees(rule)
        role = dict(zip((argument.arg for argument in tree.args.args), roles, strict=True))

        def view_fields(node: ast.AST) -> set[str]:
            """The fields of the view that an expression names."""
            return {
                part.attr
                for part in ast.walk(node)
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
                if role.get(part.value.id) == "view"
            }

        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AugAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                root, name = rooted(targets[0])
                if role.get(root) == "view":
                    whole = isinstance(node, ast.Assign) and is_copy(targets[0], node.value)
                    from_state = role.get(rooted(node.value)[0]) == "state"
                    (copied if whole and from_state else changed).add(name)
                else:
                    changed.update(view_fields(node.value))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in called:
                    names = [each.id if isinstance(each, ast.Name) else "" for each in node.args]
                    changed.update(*map(view_fields, node.args))
                    callee = compiled_form(called[node.func.id])
                    visit(callee, tuple(role.get(name, "") for name in names))

    visit(compiled_form(veil), ("state", "", "view"))
    return frozenset(copied - changed)


def rooted(node: ast.expr) -> tuple[str, str]:
    """Return the root name of a chain of attributes and subscripts, and its first field."""
    field_name = ""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            field_name = node.attr
        node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), field_name


def is_copy(target: ast.expr, value: ast.expr) -> bool:
    """Whether an assignment copies the same element of another record."""
    root, name = rooted(value)
    here = ast.unparse(target).replace(rooted(target)[0], root, 1)
    return bool(root and name) and here == ast.unparse(value)
