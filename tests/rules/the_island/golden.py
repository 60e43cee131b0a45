"""Generate the golden game records and the counted positions.

``python -m tests.rules.the_island.golden`` rewrites them. Do that only for an intended change of
the rules, with a new rules version.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from archipel.bots.random_play import GREEDY_1, RANDOM
from archipel.bots.the_island.roster import THE_ISLAND_BOTS
from archipel.game import Game
from archipel.record import Record
from archipel.rules.kit import Stream, stream_key
from archipel.rules.the_island.definition import THE_ISLAND
from tests.rules.deep_sea.scripted_chance import count_paths

HERE = Path(__file__).parent
RECORDS = HERE / "records"
COUNTED = HERE / "counted_positions.json"

#: File name: seats, seed, options, and the bot of each seat.
GAMES: dict[str, tuple[int, int, dict[str, Any], tuple[int, ...]]] = {
    "two-players": (2, 3, {"open_memory": True}, (GREEDY_1, GREEDY_1)),
    "three-players-placed-at-random": (
        *(3, 5, {"auto_setup": True, "first": 2}),
        (GREEDY_1, RANDOM, GREEDY_1),
    ),
    "four-players-crowded": (4, 11, {"crowded": True, "open_memory": "134"}, (GREEDY_1,) * 4),
    "two-colours-to-the-last-one": (
        *(2, 13, {"two_colours": True, "last_one": True, "strict_swimming": True}),
        (GREEDY_1, GREEDY_1),
    ),
    "all-equal-sunken": (
        *(3, 17, {"all_equal": True, "sunken": True}),
        (GREEDY_1, GREEDY_1, GREEDY_1),
    ),
}

#: The removed tiles of a small island.
_SMALL = (
    "out=d4b:shark,d5b:shark,d6b:shark,d7b:whale,e4b:whale,e5b:whale,e6b:boat,e7b:dolphin,"
    "e8b:dolphin,f3b:dolphin,f4b:wind,f5b:wind,f6b:move_serpent,f7b:move_shark,f8b:move_whale,"
    "f9b:repel_shark,f10f:shark,g3f:shark,g4f:whale,g5f:whale,g7f:boat,g8f:boat,g9f:boat,"
    "h3f:whirlpool,h4f:whirlpool,h5f:dolphin,h6f:move_serpent,h7f:move_shark,h8f:move_whale,"
    "h9f:repel_shark,h10f:repel_whale,i4f:repel_whale,i5m:shark,i6m:whirlpool,i7m:whirlpool,"
    "i8m:whirlpool"
)

#: Opening: its position, and the depth to which its paths are counted.
OPENINGS = {
    "two about to place the first explorer": (
        "seats=2 phase=place_explorer serpents=b1,c11,g6,k1,l10 white=- yellow=-",
        3,
    ),
    "a small island, everyone afloat": (
        (
            f"seats=2 {_SMALL} land=j4m:whirlpool,j5m:volcano,j6m:repel_shark,j7m:repel_whale "
            "white=boat1:6,j4:5,k3:4 yellow=boat1:6,j5:5,k6:4 boats=k4,k8 serpents=l5 sharks=k10 "
            "whales=l2"
        ),
        5,
    ),
    "a removal, then creatures": (
        (
            f"seats=3 {_SMALL} land=j4m:whirlpool,j5m:volcano,j6m:repel_shark,j7m:repel_whale "
            "phase=remove turn=2 white=boat1:6,j4:5 yellow=j5:6,k5:5 sky=k6:6,boat1:5 boats=k4 "
            "serpents=l5 sharks=k8 whales=l2"
        ),
        4,
    ),
}


def played(seats: int, seed: int, options: dict[str, Any], bots: tuple[int, ...]) -> Game:
    """Play a whole game, deterministic in its arguments."""
    game = Game.new("the-island", seats, seed=seed, **options)
    while not game.is_over:
        assert game.to_move is not None
        actions = [int(action) for action in game.legal]
        view = game.view(game.to_move).state
        chance = Stream(stream_key(seed, len(game.moves)))
        chosen = THE_ISLAND_BOTS.choose(view, bots[game.to_move], actions, len(actions), chance)
        game.play(chosen)
    return game


def record_text(game: Game) -> str:
    """Return the record and, as a comment, the final position."""
    return f"{Record(game)}# {game.position.text}\n"


def counts(position: str, depth: int) -> list[int]:
    """Count the paths of 1, 2, ... actions; each face of the die counts separately."""
    state = Game.from_position("the-island", position, seed=1).state
    return [count_paths(THE_ISLAND, state, length) for length in range(1, depth + 1)]


def main() -> None:
    RECORDS.mkdir(exist_ok=True)
    for name, made in GAMES.items():
        (RECORDS / f"{name}.txt").write_text(record_text(played(*made)), "utf-8")
    counted = {
        name: {"position": position, "paths": counts(position, depth)}
        for name, (position, depth) in OPENINGS.items()
    }
    COUNTED.write_text(json.dumps(counted, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
