"""Recorded games for load tests, played beforehand by greedy bots.

All chance of a table comes from its secret, which follows from the number of the table.  So every
server can play the same games, move by move, from start to end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from archipel.bots import Bot
from archipel.rules.all_games import game_named
from archipel.rules.contract import NOBODY
from archipel.tables.log.fair_chance import FairChance, chance_key
from benchmarks.load.secret import secret_number

_BOT = "greedy"
#: More than any game has.
_MOST_MOVES = 3_000


class OtherGame(Exception):
    """A server did not offer the next move of the recorded game."""


@dataclass
class RecordedGame:
    """The moves of one table, and the number of moves already sent."""

    actions: Sequence[int]
    sent: int = 0

    @property
    def is_over(self) -> bool:
        return self.sent >= len(self.actions)

    def next_move(self, offered: Sequence[int]) -> int:
        action = self.actions[self.sent]
        if action not in offered:
            raise OtherGame(f"move {self.sent}: {action} is not one of {list(offered)}")
        self.sent += 1
        return action


def record_game(game: str, seats: int, number: int, most: int = _MOST_MOVES) -> RecordedGame:
    """Play the game of table ``number``, at most ``most`` moves."""
    definition, bot = game_named(game), Bot.named(game, _BOT)
    chance = FairChance(chance_key(secret_number(number), ("",) * seats), 0)
    state = definition.new(definition.make_options(seats), chance)
    actions: list[int] = []
    while (mover := definition.to_move(state)) != NOBODY and len(actions) < most:
        legal = definition.legal_actions(state)
        seed = number * _MOST_MOVES + len(actions)
        actions.append(bot.choose(definition.recalled(state, mover), legal, seed=seed))
        definition.apply(state, actions[-1], chance)
    return RecordedGame(actions)
