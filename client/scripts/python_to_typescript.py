"""Translate a Python module of plain arithmetic to TypeScript.

The module consists of numeric constants, classes of annotated fields, and functions. Functions use
numbers, booleans, lists and such classes; their statements are assignments, `for`, `if`, `append`
and `return`. Methods are left out. Anything else raises `Untranslatable` with the line.
Functions and variables get camelCase names; fields keep theirs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

TYPES = {"float": "number", "int": "number", "bool": "boolean"}
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "===",
    ast.NotEq: "!==",
    ast.And: "&&",
    ast.Or: "||",
}
FUNCTIONS = {
    "max": "Math.max",
    "min": "Math.min",
    "abs": "Math.abs",
    "math.sqrt": "Math.sqrt",
    "math.ceil": "Math.ceil",
}
PRELUDE = """
const range = (first: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, place) => first + place);

function sortedBy<T>(items: readonly T[], key: (item: T) => number[]): T[] {
  return [...items].sort((one, other) => {
    const [left, right] = [key(one), key(other)];
    const differing = left.findIndex((value, place) => value !== right[place]);
    return differing < 0 ? 0 : left[differing]! - right[differing]!;
  });
}
""".strip()


class Untranslatable(ValueError):
    def __init__(self, node: ast.AST) -> None:
        super().__init__(f"line {getattr(node, 'lineno', '?')}: no TypeScript for {ast.dump(node)}")


def typescript(source: str, name: str) -> str:
    """Translate the text of a module; raises `Untranslatable`."""
    module = ast.parse(source)
    fields = {
        node.name: [item.target.id for item in node.body if _is_field(item)]  # type: ignore[attr-defined]
        for node in module.body
        if isinstance(node, ast.ClassDef)
    }
    translator = _Translator(fields)
    parts = [f"// Generated from {name} by python_to_typescript.py: do not edit.", PRELUDE]
    for node in module.body:
        if isinstance(node, ast.Assign):
            constant = ast.unparse(node.targets[0])
            parts.append(f"export const {constant} = {translator.value(node.value)};")
        elif isinstance(node, ast.ClassDef):
            lines = [
                f"  {item.target.id}: {_type(item.annotation)};"  # type: ignore[attr-defined]
                for item in node.body
                if _is_field(item)
            ]
            parts.append("\n".join([f"export interface {node.name} {{", *lines, "}"]))
        elif isinstance(node, ast.FunctionDef):
            parts.append(translator.function(node))
        elif not isinstance(node, ast.Expr | ast.Import | ast.ImportFrom):
            raise Untranslatable(node)
    return "\n\n".join(parts) + "\n"


def _is_field(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)


def _type(node: ast.expr | None) -> str:
    if isinstance(node, ast.Name):
        return TYPES.get(node.id, node.id)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        readonly = "readonly " if node.value.id == "Sequence" else ""
        return f"{readonly}{_type(node.slice)}[]"
    raise Untranslatable(node or ast.Pass())


def _camel(name: str) -> str:
    return name if name.isupper() else re.sub(r"_([a-z])", lambda found: found[1].upper(), name)


class _Translator:
    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def function(self, node: ast.FunctionDef) -> str:
        given = [f"{_camel(each.arg)}: {_type(each.annotation)}" for each in node.args.args]
        known = {each.arg for each in node.args.args}
        body = self._block(node.body, known, "  ")
        text = ast.get_docstring(node)
        comment = f"/** {' '.join(text.split())} */\n" if text else ""
        head = f"export function {_camel(node.name)}({', '.join(given)}): {_type(node.returns)} {{"
        return "\n".join([comment + head, *body, "}"])

    def _block(self, body: Sequence[ast.stmt], known: set[str], indent: str) -> list[str]:
        lines: list[str] = []
        for node in body:
            lines += [indent + line for line in self._statement(node, known)]
        return lines

    def _statement(self, node: ast.stmt, known: set[str]) -> list[str]:
        match node:
            case ast.Expr(ast.Constant(str())):
                return []
            case ast.Return(value) if value is not None:
                return [f"return {self.value(value)};"]
            case ast.Assign([ast.Name(name)], value):
                return [f"{self._declared(name, known)} = {self.value(value)};"]
            case ast.AnnAssign(ast.Name(name), annotation, value) if value is not None:
                known.add(name)
                return [f"let {_camel(name)}: {_type(annotation)} = {self.value(value)};"]
            case ast.AugAssign(ast.Name(name), operator, value):
                return [f"{_camel(name)} {OPERATORS[type(operator)]}= {self.value(value)};"]
            case ast.Expr(ast.Call(ast.Attribute(value, "append"), [item])):
                return [f"{self.value(value)}.push({self.value(item)});"]
            case ast.For(ast.Name(name), values, body, []):
                inner = self._block(body, known | {name}, "  ")
                return [f"for (const {_camel(name)} of {self.value(values)}) {{", *inner, "}"]
            case ast.If(test, body, rest):
                lines = [f"if ({self.value(test)}) {{", *self._block(body, known, "  ")]
                if rest:
                    lines += ["} else {", *self._block(rest, known, "  ")]
                return [*lines, "}"]
        raise Untranslatable(node)

    def _declared(self, name: str, known: set[str]) -> str:
        if name in known:
            return _camel(name)
        known.add(name)
        return f"let {_camel(name)}"

    def value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(bool(value)):
                return str(value).lower()
            case ast.Constant(int(value) | float(value)):
                return repr(value)
            case ast.Name(name):
                return _camel(name)
            case ast.Attribute(value, name):
                return f"{self.value(value)}.{name}"
            case ast.BinOp(left, operator, right):
                return f"({self.value(left)} {OPERATORS[type(operator)]} {self.value(right)})"
            case ast.UnaryOp(ast.USub(), operand):
                return f"-{self.value(operand)}"
            case ast.UnaryOp(ast.Not(), operand):
                return f"!{self.value(operand)}"
            case ast.BoolOp(operator, values):
                return f"({f' {OPERATORS[type(operator)]} '.join(map(self.value, values))})"
            case ast.Compare(left, [operator], [right]):
                return f"{self.value(left)} {OPERATORS[type(operator)]} {self.value(right)}"
            case ast.IfExp(test, body, rest):
                return f"({self.value(test)} ? {self.value(body)} : {self.value(rest)})"
            case ast.List(items) | ast.Tuple(items):
                return f"[{', '.join(map(self.value, items))}]"
            case ast.ListComp(item, [each]):
                return self._comprehension(item, each)
            case ast.Subscript(value, place):
                return self._part(self.value(value), place)
            case ast.Call(function, given, named):
                return self._call(ast.unparse(function), given, named)
        raise Untranslatable(node)

    def _comprehension(self, item: ast.expr, each: ast.comprehension) -> str:
        if not isinstance(each.target, ast.Name):
            raise Untranslatable(each)
        name, found = _camel(each.target.id), self.value(each.iter)
        for test in each.ifs:
            found = f"{found}.filter(({name}) => {self.value(test)})"
        if isinstance(item, ast.Name) and item.id == each.target.id:
            return found
        return f"{found}.map(({name}) => {self.value(item)})"

    def _part(self, value: str, place: ast.expr) -> str:
        match place:
            case ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1))):
                return f"[...{value}].reverse()"
            case ast.Slice(None, ast.expr() as end, None):
                return f"{value}.slice(0, {self.value(end)})"
            case ast.UnaryOp(ast.USub(), ast.Constant(int(back))):
                return f"{value}.at(-{back})!"
            case ast.Slice():
                raise Untranslatable(place)
        return f"{value}[{self.value(place)}]!"

    def _call(self, function: str, given: Sequence[ast.expr], named: Sequence[ast.keyword]) -> str:
        values = [self.value(each) for each in given]
        if function in self._fields:
            pairs = dict(zip(self._fields[function], values, strict=False))
            pairs |= {str(each.arg): self.value(each.value) for each in named}
            return f"{{ {', '.join(f'{name}: {value}' for name, value in pairs.items())} }}"
        match function, values, named:
            case "len", [value], []:
                return f"{value}.length"
            case "list", [value], []:
                return f"[...{value}]"
            case "reversed", [value], []:
                return f"[...{value}].reverse()"
            case "range", [end], []:
                return f"range(0, {end})"
            case "sorted", [value], [ast.keyword("key", ast.Lambda(key, body))]:
                return f"sortedBy({value}, ({_camel(key.args[0].arg)}) => {self.value(body)})"
            case _, _, []:
                return f"{FUNCTIONS.get(function, _camel(function))}({', '.join(values)})"
        raise Untranslatable(ast.Constant(function))
