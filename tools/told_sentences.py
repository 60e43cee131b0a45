"""The sentences about mistakes that stand in the code, to be told in other languages, too.

``python -m tools.told_sentences`` lists those that ``text/refusals.fr.json`` lacks or has too many.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from archipel.rules.sentence import translations

SOURCES = Path(__file__).parents[1] / "src" / "archipel"

#: Functions whose argument with this number is an English sentence with named parts.
TELLING = {
    "Sentence": 0,
    "require": 1,
    "_require": 1,
    "_refuse": 0,
    "_count": 1,
}
#: In this module `_require` and `_count` name the file first.
FILE_FIRST = {"box_reading.py": {"_require": 2}, "box.py": {"_count": None}}


def told_sentences() -> set[str]:
    """Every English sentence that can be told."""
    return {text for path in sorted(SOURCES.rglob("*.py")) for text in _sentences_of(path)}


def _sentences_of(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    places = TELLING | FILE_FIRST.get(path.name, {})
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = places.get(node.func.id)
            if place is not None and len(node.args) > place:
                argument = node.args[place]
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def main() -> int:
    known = translations("fr")
    missing = sorted(told_sentences() - set(known))
    for text in missing:
        print(f"lacks: {text}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
