"""A game that lacks a part of the shared rules fails in mypy, and at import with one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from archipel.rules.hex_sea.turn import Ranking, Turn
from archipel.rules.kit.core.lowering import function_of

api = pytest.importorskip("mypy.api", reason="mypy is not installed")

HEADER = """
from archipel.rules.atlantis.sea import SEA
from archipel.rules.atlantis.state import State
from archipel.rules.hex_sea.moving import CreatureMoves
from archipel.rules.hex_sea.turn import Turn
from archipel.rules.kit import Chance, rule

def can_be_moved(s: State, creature: str) -> bool:
    return True

class Unfinished(Turn[State]):
    @rule
    def act(self, s: State, action: int) -> None: ...

class Mistaken(Unfinished):
    @rule
    def go_on_once(self, s: State, chance: int) -> None: ...
"""

BREAKS = {
    'missing method: abstract class "Unfinished" with abstract attribute "go_on_once"': (
        "turn = Unfinished(SEA)"
    ),
    'mistyped rule: has incompatible type "Callable[[State, str], bool]"': (
        "moves = CreatureMoves(SEA, can_be_moved)"
    ),
    'missing data: Missing named argument "kind_of"': "sea = type(SEA)(people=3, boats=1)",
    "misspelt rule: has no attribute": "lose = SEA.loose",
}


def test_mypy_finds_a_missing_and_a_mistyped_part(tmp_path: Path) -> None:
    file = tmp_path / "broken_game.py"
    file.write_text(HEADER + "\n".join(BREAKS.values()) + "\n")
    found, _, status = api.run(["--follow-imports=silent", "--no-error-summary", str(file)])
    assert status == 1
    assert 'Argument 2 of "go_on_once" is incompatible with supertype' in found
    first = len(HEADER.splitlines())
    for line, expected in enumerate(BREAKS, first + 1):
        words = expected.partition(": ")[2]
        assert any(f":{line}: error" in each and words in each for each in found.splitlines()), (
            expected,
            found,
        )


def test_a_missing_part_is_one_line_at_import() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'score'"):
        Ranking()  # type: ignore[call-arg]


def test_a_shared_rule_is_one_function_for_all_games() -> None:
    from archipel.rules.atlantis.definition import ATLANTIS
    from archipel.rules.the_island.definition import THE_ISLAND

    assert function_of(ATLANTIS.apply) is function_of(THE_ISLAND.apply) is Turn.apply
