"""Generate the golden game records and perft counts.

``python -m tests.rules.mauna_kea.golden`` rewrites them. Do that only for an intended change of the
rules, with a new rules version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from archipel.game import Game
from archipel.record import Record
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.testing.every_outcome import every_outcome

HERE = Path(__file__).parent
RECORDS = HERE / "records"
COUNTED = HERE / "counted_positions.json"

#: File name: seats, seed, options.
GAMES: dict[str, tuple[int, int, dict[str, Any]]] = {
    "two-base": (2, 3, {}),
    "three-base-diagonal": (3, 5, {"layout": "diagonal"}),
    "four-base-quiet": (4, 8, {"quiet_first_round": True, "layout": "diagonal"}),
    "three-base-drawing": (3, 1, {"last_refill": True}),
    "two-expert": (2, 11, {"expert": True, "layout": "diagonal"}),
    "three-expert-quiet": (3, 4, {"expert": True, "quiet_first_round": True}),
    "four-expert": (4, 2, {"expert": True}),
}

#: Opening name: position, depth of the perft count.
OPENINGS = {
    "laying and spending": (
        "seats=2 explorers1=e4nw explorers2=e6nw front1=jjjl3,jmmj2,jmmj2 bag=jjjj3*2",
        3,
    ),
    "running with artefacts": (
        (
            "seats=2 explorers1=e4nw,e4se explorers2=e6nw pool=3 white=e4ne,e4sw grey=e4ne "
            "black=1.2 bag=jjjj3*2"
        ),
        4,
    ),
    "boarding with too much": (
        (
            "seats=3 board=b1:jjll2 explorers1=b1nw,e4nw explorers2=e6nw explorers3=f5nw pool=2 "
            "white=1.1,1.1 grey=1.1 boats=n2,n1,e1,e2,s1,s2,w1,w2 bag=jjjj3*2,east-left"
        ),
        4,
    ),
    "a refill with lava": (
        "seats=2 explorers1=d5nw explorers2=e6nw bag=jjjj3*2,jjll2,north-fork,north-straight",
        2,
    ),
    "cards of the expert game": (
        (
            "seats=2 expert=on board=e3:jmmm1,d4:jjjl3 explorers1=e4nw,e4ne explorers2=e6nw "
            "cards1=jungle,mountain,earthquake,helicopter rejected1=lake,lake "
            "cards2=1black,2grey,3white,4white rejected2=lake,jungle bag=jjjj3,south-left "
            "white=d4nw"
        ),
        3,
    ),
}


def played(seats: int, seed: int, options: dict[str, Any]) -> Game:
    """Play a whole game with random actions from a seed."""
    game = Game.new("mauna-kea", seats, seed=seed, **options)
    choices = Stream(stream_key(seed, 1))
    while not game.is_over:
        legal = game.legal
        # End play less often, so that explorers walk farther.
        action = legal[choices.draw(len(legal))]
        if action.text == "end play" and len(legal) > 1 and choices.draw(4) > 0:
            action = legal[1 + choices.draw(len(legal) - 1)]
        game.play(action)
    return game


def record_text(game: Game) -> str:
    """The record and, as a comment, its final position."""
    return f"{Record(game)}# {game.position.text}\n"


def successors(s: Any, action: int) -> Iterator[Any]:
    """All different states that an action can lead to; equal tiles drawn count once."""
    found: dict[str, Any] = {}

    def run(chance: Any) -> Any:
        after = clone(s)
        MAUNA_KEA.apply(after, action, chance)
        return after

    for _, _, after in every_outcome(run):
        found[MAUNA_KEA.position_text(after)] = after
    yield from found.values()


def count_paths(s: Any, depth: int) -> int:
    """The number of different games of a given length from a state (perft)."""
    if depth == 0:
        return 1
    return sum(
        count_paths(after, depth - 1)
        for action in MAUNA_KEA.legal_actions(s)
        for after in successors(s, action)
    )


def counts(position: str, depth: int) -> list[int]:
    """The number of paths of 1, 2, ... actions."""
    state = MAUNA_KEA.parse_position(position)
    return [count_paths(state, length) for length in range(1, depth + 1)]


def main() -> None:
    RECORDS.mkdir(exist_ok=True)
    for name, (seats, seed, options) in GAMES.items():
        (RECORDS / f"{name}.txt").write_text(record_text(played(seats, seed, options)), "utf-8")
    counted = {
        name: {"position": position, "paths": counts(position, depth)}
        for name, (position, depth) in OPENINGS.items()
    }
    COUNTED.write_text(json.dumps(counted, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
