"""List the English error messages in the code that need a translation.

``python -m tools.untranslated`` lists those that ``text/refusals.fr.json`` lacks.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from archipel.rules.sentence import translations

SOURCES = Path(__file__).parents[1] / "src" / "archipel"

#: Functions that take a message, and the index of that argument.
MESSAGE_ARGUMENTS = {
    "Sentence": 0,
    **dict.fromkeys(("NotationError", "OptionError", "DataFileError", "ChanceError"), 0),
    **dict.fromkeys(("PluginError", "RecordError"), 0),
    "require": 1,
    "_require": 1,
    "require_count": 0,
    "_refuse": 0,
    "_refused": 0,
}
#: In `rules`, ``refuse`` takes a message; elsewhere it takes a key.
IN_RULES = {"refuse": 0}
#: Words that messages quote: terrains, creatures, colours, players.
WORDS = {
    *("plain", "hill", "mountain", "beach", "forest", "monster", "octopus", "dolphin", "serpent"),
    *("shark", "whale", "white", "grey", "black", "a person", "an explorer"),
}


def translatable_sentences() -> set[str]:
    """Return every English message and word that needs a translation."""
    return WORDS | {text for path in sorted(SOURCES.rglob("*.py")) for text in _sentences(path)}


def _sentences(path: Path) -> Iterator[str]:
    places = dict(MESSAGE_ARGUMENTS)
    places |= IN_RULES if SOURCES / "rules" in path.parents else {}
    tree = ast.parse(path.read_text("utf-8"))
    for scope in ast.walk(tree):
        if isinstance(scope, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
            texts = _assigned_texts(scope) if scope is not tree else {}
            for node in ast.walk(scope):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                    name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                    place = places.get(name, len(node.args))
                    for argument in node.args[place : place + 1]:
                        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                            yield argument.value
                        elif isinstance(argument, ast.Name):
                            yield from texts.get(argument.id, ())


def _assigned_texts(scope: ast.AST) -> dict[str, list[str]]:
    """Return the texts that a function assigns to local names, also in tuples."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            pairs = [(node.targets[0], node.value)]
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(node.targets[0].elts, node.value.elts, strict=False))
            for target, value in pairs:
                text = value.value if isinstance(value, ast.Constant) else None
                if isinstance(target, ast.Name) and isinstance(text, str):
                    found.setdefault(target.id, []).append(text)
    return found


def main() -> int:
    lacking = sorted(translatable_sentences() - set(translations("fr")))
    for text in lacking:
        print(text)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
