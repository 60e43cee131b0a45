"""Each thing has one word: the texts of the games avoid the words that the glossary rejects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import archipel

RULES = Path(archipel.__file__).parent / "rules"
ALL = "*"
REJECTED = {
    ALL: r"(^|[.:] )Who has\b|[Ww]eighs?\b|given away|[Pp]esée|\bthrows? (the|\d)|\bend the play\b",
    "deep_sea": r"\bunits?\b|\bunités?\b|\btrouvailles?\b|\bruines?\b|\bruins?\b|\bchoses? tenue",
    "the_island": r"drives? (it|the \w+) away|\blandings\b|\btreasures?\b|\btrésors?\b",
    "atlantis": r"\bwheel\b",
    "mauna_kea": r"\bput(s)? away\b|tremblement de terre|\bends? (the|your) play\b",
}


def texts(game: Path) -> Iterator[str]:
    for path in game.glob("text/sentences.*.json"):
        yield from (
            re.sub(r"\{\w+\}", "", text) for text in json.loads(path.read_text("utf-8")).values()
        )
    for path in (*game.glob("text/rules.*.md"), *game.glob("lessons/*.txt")):
        yield from (
            line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")
        )


@pytest.mark.parametrize("game", [name for name in REJECTED if name != ALL])
def test_rejected_words_are_not_used(game: str) -> None:
    rejected = re.compile(f"{REJECTED[ALL]}|{REJECTED[game]}")
    assert [text for text in texts(RULES / game) if rejected.search(text)] == []
