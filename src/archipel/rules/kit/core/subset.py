"""The subset of Python that rules use, which all compilers accept."""

from __future__ import annotations

import ast

from archipel.rules.kit.core.decorators import AnyRule, SubsetError
from archipel.rules.kit.core.lowering import function_of, tree_of

ALLOWED_NODES: tuple[type[ast.AST], ...] = (
    ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign,
    ast.For, ast.While, ast.If, ast.Break, ast.Continue, ast.Pass, ast.Expr, ast.Assert,
    ast.Match, ast.match_case, ast.MatchValue, ast.MatchSingleton, ast.MatchOr, ast.MatchAs,
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.Call, ast.Compare,
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.expr_context, ast.operator, ast.cmpop,
    ast.boolop, ast.unaryop,
)  # fmt: skip

ADVICE: dict[type[ast.AST], str] = {
    ast.ListComp: "a list comprehension allocates: use a loop over a field",
    ast.GeneratorExp: "generators do not compile: use a loop",
    ast.SetComp: "sets allocate: use a bit set",
    ast.DictComp: "dictionaries allocate: use a table indexed by number",
    ast.Dict: "dictionaries allocate: use a table indexed by number",
    ast.Set: "sets allocate: use a bit set",
    ast.List: "lists allocate: use a field of the state or a module-level table",
    ast.NamedExpr: "the walrus does not compile: assign on a line of its own",
    ast.Try: "exceptions do not compile: rules are total on legal actions",
    ast.Raise: "exceptions do not compile: rules are total on legal actions",
    ast.With: "context managers do not compile",
    ast.JoinedStr: "text belongs to notation and narration",
    ast.Lambda: "inner functions do not compile: write a rule of its own",
    ast.Starred: "argument lists are fixed",
    ast.Slice: "slices allocate: use a loop",
    ast.Yield: "generators do not compile: use a loop",
    ast.Await: "rules do no input or output",
    ast.Global: "rules keep everything in the state",
    ast.Import: "import at the top of the module",
    ast.ImportFrom: "import at the top of the module",
    ast.Delete: "fields are fixed",
}


def check_subset(function: AnyRule) -> None:
    """Raise `SubsetError` for a rule outside the subset, with the line and advice."""
    code = function_of(function).__code__
    tree = tree_of(function)

    def refuse(node: ast.AST, why: str) -> None:
        line = getattr(node, "lineno", code.co_firstlineno)
        raise SubsetError(f"{code.co_filename}:{line}: rule {function.__name__}: {why}")

    if tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or tree.args.defaults:
        refuse(tree, "argument lists are fixed: no *args, keywords or defaults")
    if code.co_freevars:
        refuse(tree, f"it uses {code.co_freevars[0]} of an enclosing function")
    for part in (*tree.args.args, tree):
        note = part.annotation if isinstance(part, ast.arg) else tree.returns
        if note is None:
            what = f"argument {part.arg}" if isinstance(part, ast.arg) else "the result"
            refuse(part, f"{what} has no type")
    for statement in tree.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.FunctionDef):
                refuse(node, "inner functions do not compile: write a rule of its own")
            if not isinstance(node, ALLOWED_NODES):
                refuse(node, ADVICE.get(type(node), f"{type(node).__name__} is not allowed"))
            if isinstance(node, ast.Call):
                if not isinstance(node.func, ast.Name):
                    refuse(node, "only rules and a few builtins may be called, by name")
                if node.keywords:
                    refuse(node, "arguments are passed by position")
