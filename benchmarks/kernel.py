"""The measured rule: whole games of random play, of any game.

`benchmarks/c` has the same rule in C, and the tests check that both play the same games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition
from archipel.rules.game_rules import GameRules, GameState
from archipel.rules.kit import U64, Program, Stream, draw, mix, rule, stream_key
from archipel.rules.kit.core.copying import copy_state

# Indices of the states.
BLANK = 0  # the options, before set-up
PLAYED = 1
STATES = 2


@rule
def copy_around(states: list[GameState], count: int, copies: int) -> None:
    """Copy each state to the next of a ring."""
    for number in range(copies):
        copy_state(states, number % count, (number + 1) % count)


def program_named(game: str) -> Program:
    """The program by the name of the game, for other processes."""
    return program_of(game_named(game))


def program_of(definition: Definition[Any]) -> Program:
    return definition.program(RandomGames(definition.rules).play_randomly, copy_around)


@dataclass(frozen=True)
class RandomGames:
    """Plays random games of any game."""

    game: GameRules

    @rule
    def play_randomly(
        self,
        states: list[GameState],
        actions: list[int],
        chance: Stream,
        choices: Stream,
        seats: int,
        seed: U64,
        first: int,
        games: int,
        totals: list[int],
    ) -> U64:
        """Return a hash of the final states; adds the number of decisions to ``totals[0]``."""
        digest = mix(seed)
        for game in range(first, first + games):
            copy_state(states, BLANK, PLAYED)
            s = states[PLAYED]
            chance.key = stream_key(seed, game)
            chance.counter = 0
            choices.key = mix(chance.key)
            choices.counter = 0
            self.game.set_up(s, chance)
            decisions = 0
            while self.game.to_move(s) >= 0:
                count = self.game.legal(s, actions)
                self.game.apply(s, actions[draw(choices, count)], chance)
                decisions += 1
            totals[0] += decisions
            digest = mix(digest ^ decisions)
            for seat in range(seats):
                digest = mix(digest ^ (self.game.score(s, seat) * 64 + self.game.rank(s, seat)))
        return digest
