"""Generate the index of rules: the text of each rule, its code and its tests.

A test names the rules it checks with ``@pytest.mark.rule("DS-T3", "DS-T4")``; the source names the
rules it implements in comments and docstrings.  Nothing is run: both are read.
"""

from __future__ import annotations

import argparse
import ast
import io
import posixpath
import re
import sys
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from archipel.rules.all_games import HOUSE_GAMES
from archipel.rules.contract import Definition

ROOT = Path(__file__).resolve().parent.parent
SHARED = "archipel.rules.hex_sea"
PAGE = ROOT / "docs" / "rules-index.md"
RULE_ID = re.compile(r"\b[A-Z]+-[A-Z]+(?:0|[1-9][0-9]*)\b")

HEADING = """\
# Index of rules

Made by `python -m tools.rule_index` from the booklets, the source and the tests; do not edit.
"""


@dataclass(frozen=True)
class Place:
    """A function in a file, or a whole file."""

    file: str
    function: str = ""


@dataclass
class Entry:
    """One rule."""

    id: str
    text: str
    implemented: list[Place] = field(default_factory=list)
    tests: list[Place] = field(default_factory=list)


# ---- reading ------------------------------------------------------------------------------------


def marks_of_tests(folder: Path, mark: str) -> Iterator[tuple[str, Place]]:
    """Return the ids that tests name with ``@pytest.mark.<mark>(...)``, ordered by file."""
    for path in sorted(folder.rglob("test_*.py")):
        name = path.relative_to(folder).as_posix()
        for node in ast.parse(path.read_text("utf-8"), str(path)).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for decorator in node.decorator_list:
                    for rule_id in _marked(decorator, mark):
                        yield rule_id, Place(name, node.name)


def _marked(decorator: ast.expr, mark: str) -> Iterator[str]:
    """Return the ids in every ``pytest.mark.<mark>(...)``, also if it is an argument of a call."""
    for node in ast.walk(decorator):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"pytest.mark.{mark}":
            for argument in node.args:
                for part in ast.walk(argument):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value


def rules_cited(folder: Path) -> Iterator[tuple[str, Place]]:
    """Return the rule ids in comments and docstrings of a folder's modules, in order."""
    for path in sorted(folder.glob("*.py")):
        source = path.read_text("utf-8")
        functions = [
            node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)
        ]
        for line, text in _comments_and_docstrings(source):
            place = Place(path.name)
            for function in functions:
                if function.lineno <= line <= (function.end_lineno or 0):
                    place = Place(path.name, function.name)
            for rule_id in RULE_ID.findall(text):
                yield rule_id, place


def rules_shared(folder: Path) -> Iterator[tuple[str, Place]]:
    """Return the rule ids on lines like ``lose = SEA.lose  # AT-K4``, with the place of the shared
    rule."""
    shared = dict(_shared_rules())
    for path in sorted(folder.glob("*.py")):
        source = path.read_text("utf-8")
        comments = list(_comments_and_docstrings(source))
        for node in ast.parse(source).body:
            if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)):
                continue
            place = shared.get(node.value.attr)
            for line, text in comments:
                if place and node.lineno <= line <= (node.end_lineno or 0):
                    for rule_id in RULE_ID.findall(text):
                        yield rule_id, place


def _shared_rules() -> Iterator[tuple[str, Place]]:
    """Return the methods of the classes of shared rules, with their places."""
    package = Path(__file__).resolve().parent.parent.joinpath("src", *SHARED.split("."))
    for path in sorted(package.glob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and _is_rule(method):
                        yield method.name, Place(f"../{package.name}/{path.name}", method.name)


def _is_rule(method: ast.FunctionDef) -> bool:
    return any(ast.unparse(mark).startswith("rule") for mark in method.decorator_list)


def _comments_and_docstrings(source: str) -> Iterator[tuple[int, str]]:
    fresh = True  # a string at the start of a statement is a docstring
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and fresh):
            yield token.start[0], token.string
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            fresh = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def package_folder(definition: Definition[Any]) -> Path:
    """Return the folder of a game's source."""
    return ROOT.joinpath("src", *definition.package.split("."))


Tested = Sequence[tuple[str, Place]]
Indices = Mapping[str, Sequence[Entry]]


def index(definition: Definition[Any], tested: Tested) -> list[Entry]:
    """Return the entries of one game, in the order of its booklet."""
    entries = {rule.id: Entry(rule.id, rule.text) for rule in definition.booklet("en")}
    folder = package_folder(definition)
    for rule_id, place in (*rules_shared(folder), *rules_cited(folder)):
        if rule_id in entries and place not in entries[rule_id].implemented:
            entries[rule_id].implemented.append(place)
    for rule_id, place in tested:
        if rule_id in entries and place not in entries[rule_id].tests:
            entries[rule_id].tests.append(place)
    return list(entries.values())


def indices(tested: Tested) -> Indices:
    """Return the entries of every game that ships with Archipel, by name."""
    return {definition.name: index(definition, tested) for definition in HOUSE_GAMES}


def tested_here() -> Tested:
    """Return the rule ids that the tests of this checkout name."""
    return list(marks_of_tests(ROOT / "tests", "rule"))


# ---- writing ------------------------------------------------------------------------------------


def page(found: Indices) -> str:
    parts = [HEADING]
    for definition in HOUSE_GAMES:
        source = package_folder(definition).relative_to(ROOT).as_posix()
        parts.append(f"\n## {definition.title('en')}\n\n")
        parts.append("| Rule | What it says | Implemented in | Tested by |\n|---|---|---|---|\n")
        for entry in found[definition.name]:
            implemented = places(f"../{source}", entry.implemented)
            tests = places("../tests", entry.tests)
            text = entry.text.replace("|", "\\|")
            parts.append(f"| {entry.id} | {text} | {implemented} | {tests} |\n")
    return "".join(parts)


def places(folder: str, places: Sequence[Place]) -> str:
    """Return links to the files, each with its functions."""
    by_file: dict[str, list[str]] = {}
    for place in places:
        by_file.setdefault(place.file, []).append(place.function)
    cells = []
    for file, functions in by_file.items():
        names = ", ".join(f"`{name}`" for name in functions if name)
        shown = file.removeprefix("../") if file.startswith("../") else Path(file).name
        link = posixpath.normpath(f"{folder}/{file}")
        cells.append(f"[{shown}]({link})" + (f": {names}" if names else ""))
    return "<br>".join(cells)


# ---- checking -----------------------------------------------------------------------------------


def complaints() -> list[str]:
    """Return the problems, one line each."""
    found = []
    tested = tested_here()
    all_entries = indices(tested)
    known = {rule.id for definition in HOUSE_GAMES for rule in definition.booklet("en")}
    for definition in HOUSE_GAMES:
        for entry in all_entries[definition.name]:
            if not entry.tests:
                found.append(f'{entry.id}: no test has @pytest.mark.rule("{entry.id}")')
            if not entry.implemented:
                found.append(f"{entry.id}: not cited in a comment or docstring of the source")
        for rule_id, place in rules_cited(package_folder(definition)):
            if rule_id not in known:
                found.append(f"{place.file}: cites {rule_id}, which is in no booklet")
    for rule_id, place in tested:
        if rule_id not in known:
            found.append(f"tests/{place.file}: {place.function} names unknown rule {rule_id}")
    if not PAGE.exists() or PAGE.read_text("utf-8") != page(all_entries):
        shown = PAGE.relative_to(ROOT).as_posix()
        found.append(f"{shown} is stale: run python -m tools.rule_index")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.rule_index",
        description="Write docs/rules-index.md: what each rule says, where it is, who tests it.",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; print problems and exit with 1"
    )
    if not parser.parse_args(arguments).check:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(indices(tested_here())), "utf-8")
    found = complaints()
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
