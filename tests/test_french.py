"""French is set as French is: in every sentence and every booklet of the package."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import archipel

PACKAGE = Path(archipel.__file__).parent
FILES = sorted(
    path for name in ("sentences.fr.json", "rules.fr.md") for path in PACKAGE.rglob(f"text/{name}")
)
NO_BREAK = "\u00a0\u202f"


def texts(path: Path) -> Iterator[str]:
    """What is told; not the examples of what to type."""
    if path.suffix == ".md":
        yield from path.read_text("utf-8").splitlines()
        return
    for key, sentence in json.loads(path.read_text("utf-8")).items():
        if not key.endswith(".examples"):
            yield re.sub(r"(^| )\?$", "", sentence)  # a question mark alone is something to type


def test_every_game_and_the_tables_speak_french() -> None:
    folders = {path.parents[1].relative_to(PACKAGE).as_posix() for path in FILES}
    assert {".", "tables", "rules/deep_sea"} <= folders


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_french_typography(path: Path) -> None:
    for text in texts(path):
        assert not re.search(rf"(?<![{NO_BREAK}])[;:!?»]", text), text
        assert not re.search(rf"«(?![{NO_BREAK}])", text), text
        assert not re.search(r"'|\"\w", text), text
