"""Generate the golden game records and the perft counts.

``python -m tests.rules.atlantis.golden`` rewrites them. Do that only for an intended change of the
rules, with a new rules version.
"""

from __future__ import annotations

import json
from pathlib import Path

from archipel.bots.atlantis.roster import ATLANTIS_BOTS
from archipel.game import Game
from archipel.record import Record
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.atlantis.state import State
from archipel.rules.kit import Chance, Stream, clone, stream_key
from archipel.testing.every_outcome import every_outcome
from tests.rules.atlantis.tables import state_of, table

HERE = Path(__file__).parent
RECORDS = HERE / "records"
COUNTED = HERE / "counted_positions.json"

#: By file name: seats, seed, the percentage of actions chosen by greedy-1, and options.
GAMES: dict[str, tuple[int, int, int, dict[str, bool]]] = {
    "two-tribes": (2, 7, 50, {"swimmers_land": True}),
    "three-tribes": (3, 3, 70, {}),
    "four-tribes": (4, 5, 40, {"swimmers_land": True}),
}

LAST_TWO = "plains hills f6 f7 g5 g7 h6"

#: By name: the fields of the start position, and the depth of its perft count.
OPENINGS: dict[str, tuple[dict[str, object], int]] = {
    "placing the last ones": (
        {
            "phase": "place",
            "red": "d4,d5,d6,d7,e4,e5,e6,e7,e8,f4,f5",
            "blue": "f6,f7,f8,f9,g3,g4,g5,g6,g7,g8,g9",
        },
        3,
    ),
    "a boat and a swimmer": (
        {"red": "d4,a2", "blue": "g6", "boats": "c4", "sharks": "a4", "dolphins": "a2"},
        3,
    ),
    "a full island and the spinner": (
        {
            "red": "h7,h7,g6",
            "blue": "g6,g6,a7",
            "sunk": LAST_TWO,
            "phase": "sink",
            "land": "h7:shark",
            "sharks": "i6,g7,m1",
            "monsters": "i7",
        },
        3,
    ),
    "a shark on its way": (
        {
            "red": "g6",
            "blue": "a3,boat1",
            "boats": "b4",
            "sharks": "a1",
            "phase": "animal",
            "spun": "shark-3",
        },
        4,
    ),
}


def play_seeded_game(seats: int, seed: int, greed: int, options: dict[str, bool]) -> Game:
    """Play a game that its seed determines. A share of the actions is chosen by greedy-1, so that
    people board boats and come ashore; the others are random."""
    game = Game.new("atlantis", seats, seed=seed, **options)
    choices = Stream(stream_key(seed, 1))
    while not game.is_over:
        legal = ATLANTIS.legal_actions(game.state)
        bot = 1 if choices.draw(100) < greed else 0
        view = game.view(game.to_move).state
        game.play(ATLANTIS_BOTS.choose(view, bot, legal, len(legal), choices))
    return game


def record_text(game: Game) -> str:
    """The record and, as a comment, its final position."""
    return f"{Record(game)}# {game.position.text}\n"


def count_paths(s: State, depth: int) -> int:
    """The number of different games of `depth` actions from a state (perft)."""
    if depth == 0 or ATLANTIS.to_move(s) < 0:
        return 1
    total = 0
    for action in ATLANTIS.legal_actions(s):

        def run(chance: Chance, action: int = action) -> State:
            after = clone(s)
            ATLANTIS.apply(after, action, chance)
            return after

        for _, _, after in every_outcome(run):
            total += count_paths(after, depth - 1)
    return total


def counts(words: dict[str, object], depth: int) -> list[int]:
    """The perft counts for 1, 2, ... `depth` actions."""
    state = state_of(table(**words))
    return [count_paths(state, length) for length in range(1, depth + 1)]


def main() -> None:
    RECORDS.mkdir(exist_ok=True)
    for name, settings in GAMES.items():
        text = record_text(play_seeded_game(*settings))
        (RECORDS / f"{name}.txt").write_text(text, "utf-8")
    counted = {name: counts(words, depth) for name, (words, depth) in OPENINGS.items()}
    COUNTED.write_text(json.dumps(counted, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
