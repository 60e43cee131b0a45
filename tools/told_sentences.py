"""The sentences about mistakes that stand in the code, to be told in other languages, too.

``python -m tools.told_sentences`` lists those that ``text/refusals.fr.json`` lacks.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from archipel.rules.sentence import translations

SOURCES = Path(__file__).parents[1] / "src" / "archipel"

#: Functions that tell a sentence, and which of their arguments it is.
TELLING = {"Sentence": 0, "require": 1, "_require": 1, "_refuse": 0}
#: Where the file is named before it.
FILE_FIRST = {"_require": 2, "_count": 1}
#: Single words that sentences quote: terrains, creatures, colours, and who is meant.
WORDS = {
    *("plain", "hill", "mountain", "beach", "forest", "monster", "octopus", "dolphin", "serpent"),
    *("shark", "whale", "white", "grey", "black", "a person", "an explorer"),
}


def told_sentences() -> set[str]:
    """Every English sentence and word that can be told."""
    return WORDS | {text for path in sorted(SOURCES.rglob("*.py")) for text in _sentences(path)}


def _sentences(path: Path) -> Iterator[str]:
    places = {**TELLING, **(FILE_FIRST if path.name == "box_reading.py" else {})}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = places.get(node.func.id, len(node.args))
            for argument in node.args[place : place + 1]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def main() -> int:
    lacking = sorted(told_sentences() - set(translations("fr")))
    for text in lacking:
        print(text)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
