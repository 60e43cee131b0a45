"""Generate the page that compares our games with other benchmarks, measured by random play.

    python -m tools.compare_games [--games 200] [--seed 1]

Our games run interpreted. OpenSpiel's games run in its package, whose game types state chance and
information. Equal seeds give equal figures.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from archipel.envs.observation_spec import spec_of
from archipel.rules.all_games import HOUSE_GAMES
from archipel.rules.contract import NOBODY
from archipel.rules.kit import Stream, stream_key

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "environments" / "compared.md"

#: The number of seats in our games.
SEATS = 4

#: From OpenSpiel: few or many players, with and without chance and hidden information.
OTHERS = (
    "connect_four",
    "backgammon",
    "pig(players=4)",
    "leduc_poker",
    "gin_rummy",
    "oh_hell",
    "euchre",
    "liars_dice",
    "phantom_ttt",
)


@dataclass(frozen=True)
class Measured:
    """Figures of random play of a game."""

    name: str
    players: str
    chance: bool
    hidden: bool
    actions: int
    observation: int
    branching: float
    most: int
    length: float
    longest: int

    def row(self) -> str:
        return (
            f"| {self.name} | {self.players} | {'yes' if self.chance else 'no'} "
            f"| {'yes' if self.hidden else 'no'} | {self.actions} | {self.observation or '–'} "
            f"| {self.branching:.1f} | {self.most} | {self.length:.0f} | {self.longest} |"
        )


def measure_ours(games: int, seed: int) -> Iterator[Measured]:
    for definition in HOUSE_GAMES:
        seats = min(definition.seats[-1], SEATS)
        options = definition.make_options(seats)
        counts: list[int] = []
        lengths: list[int] = []
        for number in range(games):
            chance = Stream(stream_key(seed, number))
            chooser = Stream(stream_key(chance.key, 1))
            s, length = definition.new(options, chance), 0
            while definition.to_move(s) != NOBODY:
                legal = definition.legal_actions(s)
                counts.append(len(legal))
                length += 1
                definition.apply(s, legal[chooser.draw(len(legal))], chance)
            lengths.append(length)
        yield Measured(
            definition.title("en"),
            f"{definition.seats[0]}–{definition.seats[-1]}, here {seats}",
            True,
            True,
            definition.actions,
            spec_of(definition.name).size,
            sum(counts) / len(counts),
            max(counts),
            sum(lengths) / len(lengths),
            max(lengths),
        )


def measure_others(games: int, seed: int) -> Iterator[Measured]:
    import pyspiel

    chooser = random.Random(seed)
    for name in OTHERS:
        game = pyspiel.load_game(name)
        kind = game.get_type()
        counts: list[int] = []
        lengths: list[int] = []
        for _ in range(games):
            state, length = game.new_initial_state(), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(chooser.choices(outcomes, chances)[0])
                    continue
                legal = state.legal_actions()
                counts.append(len(legal))
                length += 1
                state.apply_action(chooser.choice(legal))
            lengths.append(length)
        fewest, most = kind.min_num_players, kind.max_num_players
        players = f"{fewest}–{most}, here {game.num_players()}" if fewest < most else str(most)
        tensor = kind.provides_observation_tensor
        yield Measured(
            f"`{name.split('(')[0]}`",
            players,
            kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC,
            kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION,
            game.num_distinct_actions(),
            game.observation_tensor_size() if tensor else 0,
            sum(counts) / len(counts),
            max(counts),
            sum(lengths) / len(lengths),
            max(lengths),
        )


HEAD = """\
# Compared with other benchmarks

Made by `python -m tools.compare_games`; do not edit. Every figure is from random play, {games}
games each of seed {seed}: the number of legal actions at a decision, forced ones included, and of
decisions in a game, those of chance not counted. Branching and length under good play differ. What
is said of chance and information of the games of OpenSpiel {version} is what their types say.

| game | players | chance | hidden | actions | numbers observed | legal, mean | legal, most | \
decisions, mean | decisions, most |
| --- | --- | --- | --- | --: | --: | --: | --: | --: | --: |
"""

TAIL = """
What is particular about the four:

- They have two to six players, chance and hidden information at once. The others above that
  have all three are card games, in which what is hidden is dealt into hands; here much of it is on
  the board, and comes to light by what players do.
- They are modern board games with long chains of staged decisions: a piece, then where it goes.
- Everybody ends with a place and points, so what a game is worth may be a share of first place or a
  margin of points.
- Opponents of five levels come with them, and the same rules run one game at a time, thousands side
  by side, in a browser, and in OpenSpiel with explicit chance.

What others have and these have not: OpenSpiel has small games that can be solved, so that the
exploitability of a policy can be computed; these are far too large for that. RLCard brings trained
models along.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=PAGE)
    asked = parser.parse_args(arguments)
    if find_spec("pyspiel") is None:
        print("archipel: open_spiel is not installed (extra openspiel)", file=sys.stderr)
        return 2
    from importlib.metadata import version

    rows = [m.row() for m in measure_ours(asked.games, asked.seed)]
    rows += [m.row() for m in measure_others(asked.games, asked.seed)]
    head = HEAD.format(games=asked.games, seed=asked.seed, version=version("open_spiel"))
    asked.to.write_text(head + "\n".join(rows) + "\n" + TAIL, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
