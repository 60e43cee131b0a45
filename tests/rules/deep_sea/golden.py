"""Generate the golden game records and perft counts.

``python -m tests.rules.deep_sea.golden`` rewrites them. Do that only for an intended change of the
rules, with a new rules version.
"""

from __future__ import annotations

import json
from pathlib import Path

from archipel.game import Game
from archipel.record import Record
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream, stream_key
from tests.rules.deep_sea.scripted_chance import count_paths
from tests.rules.deep_sea.tables import actions

HERE = Path(__file__).parent
RECORDS = HERE / "records"
COUNTED = HERE / "counted_positions.json"

#: File name: seats, seed, drop_order.
GAMES = {
    "two-divers": (2, 7, "taken"),
    "three-divers": (3, 7, "taken"),
    "six-divers": (6, 2, "taken"),
    "four-divers-choosing": (4, 4, "chosen"),
    "five-divers-piling": (5, 4, "piled"),
}

#: Opening name: position, depth of the perft count.
OPENINGS = {
    "two at the submarine": ("seats=2", 6),
    "three, one on the way home": (
        "seats=3 diver1=4>[a1] diver2=2<[b1,b2] diver3=6> line=o,a2-a8,o,b3-d8 air=6",
        4,
    ),
    "the end of a crowded round": (
        (
            "seats=4 drop_order=chosen round=2 air=2 turn=3 line=a1,o,o,c1-d8 "
            "diver1=3>[a2,a3+a4] diver2=2>[b1,b2] diver3=4<[a5,b3] diver4=sub> "
            "treasure1=a6:0,a7:0,a8:1 treasure2=b4:4,b5:4,b6:5,b7:5,b8:6"
        ),
        6,
    ),
}


def played(seats: int, seed: int, drop_order: str) -> Game:
    """Play a whole game with random actions from a seed."""
    game = Game.new("deep-sea", seats, seed=seed, drop_order=drop_order)
    choices = Stream(stream_key(seed, 1))
    while not game.is_over:
        legal = game.legal
        # Take often, so that hands fill up and drowned divers leave piles.
        if "take" in actions(game) and choices.draw(4) > 0:
            game.play("take")
        else:
            game.play(legal[choices.draw(len(legal))])
    return game


def record_text(game: Game) -> str:
    """The record and, as a comment, its final position."""
    return f"{Record(game)}# {game.position.text}\n"


def counts(position: str, depth: int) -> list[int]:
    """The number of paths of 1, 2, ... actions."""
    state = Game.from_position("deep-sea", position, seed=1).state
    return [count_paths(DEEP_SEA, state, length) for length in range(1, depth + 1)]


def main() -> None:
    RECORDS.mkdir(exist_ok=True)
    for name, (seats, seed, drop_order) in GAMES.items():
        (RECORDS / f"{name}.txt").write_text(record_text(played(seats, seed, drop_order)), "utf-8")
    counted = {
        name: {"position": position, "paths": counts(position, depth)}
        for name, (position, depth) in OPENINGS.items()
    }
    COUNTED.write_text(json.dumps(counted, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
