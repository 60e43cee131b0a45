"""Measure the cost of a decision of each bot that does not search.

    python -m benchmarks.policies [GAME ...] [--seats N] [--json FILE]

Positions with several legal actions are sampled from self-play of greedy.  In each of them every
bot chooses, and a random step is made: list the legal actions, draw one, apply it.  Times are
processor time of the thread; compare ratios within one run.  The digest covers all choices of a
bot, so it shows whether an optimized bot still chooses the same actions.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from archipel.bots import bots_of, roster_of
from archipel.bots.contract import BotRules
from archipel.rules.all_games import games
from archipel.rules.game_rules import GameRules, GameState
from archipel.rules.kit import U64, Program, Stream, draw, mix, rule, stream_key
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.kit.core.loading import load_backend
from benchmarks.arguments import parser_of

# Indices of the states.
BLANK = 0  # the options, before set-up
PLAYED = 1
GATHERED = 2

POSITIONS = 4000
ONE_IN = 7
REPETITIONS = 7
SEED = 5

#: Instead of a bot: only list the legal actions.
NOBODY = -1


@rule
def copy_everywhere(states: list[GameState], count: int) -> None:
    for number in range(count):
        copy_state(states, GATHERED + number, PLAYED)


def program_of(game: str) -> Program:
    roster = roster_of(game)
    sampler = PositionSampler(roster.definition.rules, roster.rules)
    return roster.definition.program(
        sampler.gather, sampler.ask_everywhere, sampler.step_everywhere, copy_everywhere
    )


class Positions:
    """Sampled positions of a game, in which bots choose."""

    def __init__(self, game: str, seats: int, backend: Any, count: int = POSITIONS) -> None:
        self._roster, self._backend, self.count = roster_of(game), backend, count
        definition = self._roster.definition
        self.states = backend.states(GATHERED + count)
        self._actions = backend.numbers(definition.most_legal)
        self._chance, self._choices = backend.stream(1), backend.stream(2)
        backend.write(self.states, BLANK, definition.blank(definition.make_options(seats)))
        greedy = self._roster.named("greedy").index
        backend.gather(
            self.states, self._actions, greedy, self._chance, self._choices, SEED, ONE_IN, count
        )
        self._choices = backend.stream(2)

    def ask(self, bot: int) -> int:
        digest = self._backend.ask_everywhere(
            self.states, self._actions, bot, self._choices, self.count
        )
        return int(digest)

    def step(self) -> None:
        self._backend.step_everywhere(
            self.states, self._actions, self._chance, self._choices, self.count
        )

    def copy(self) -> None:
        self._backend.copy_everywhere(self.states, self.count)


def seconds_of(work: Callable[[], Any]) -> float:
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


def measure(game: str, seats: int) -> dict[str, Any]:
    """Microseconds of a random step and of each bot's choice, without listing legal actions."""
    found = Positions(game, seats, load_backend(program_of(game), compiled=True))
    bots = {bot.name: bot.index for bot in bots_of(game)}
    work: dict[str, Callable[[], Any]] = {
        "copy": found.copy,
        "step": found.step,
        "legal": partial(found.ask, NOBODY),
    }
    work |= {name: partial(found.ask, index) for name, index in bots.items()}
    least = dict.fromkeys(work, float("inf"))
    for _ in range(REPETITIONS):
        for name, do in work.items():
            least[name] = min(least[name], seconds_of(do))
    each = {name: 1e6 * seconds / found.count for name, seconds in least.items()}
    step = each["step"] - each["copy"]
    row: dict[str, Any] = {"game": game, "seats": seats, "step_us": round(step, 3)}
    for name, index in bots.items():
        choice = each[name] - each["legal"]
        row[name] = {
            "choice_us": round(choice, 3),
            "of_a_step": round(choice / step, 2),
            "digest": f"{found.ask(index):016x}",
        }
    return row


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("policies", __doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write the results to this file"
    )
    given = parser.parse_args(arguments)
    rows = []
    for game in given.games or [definition.name for definition in games()]:
        rows.append(measure(game, given.seats))
        print(json.dumps(rows[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())


@dataclass(frozen=True)
class PositionSampler:
    """Samples positions and lets bots choose in them."""

    game: GameRules
    bots: BotRules

    @rule
    def gather(
        self,
        states: list[GameState],
        actions: list[int],
        bot: int,
        chance: Stream,
        choices: Stream,
        seed: U64,
        one_in: int,
        wanted: int,
    ) -> None:
        """Play games of a bot with itself until ``wanted`` positions are sampled."""
        found = 0
        game = 0
        while found < wanted:
            copy_state(states, BLANK, PLAYED)
            s = states[PLAYED]
            chance.key = stream_key(seed, game)
            chance.counter = 0
            choices.key = mix(chance.key)
            choices.counter = 0
            self.game.set_up(s, chance)
            while self.game.to_move(s) >= 0:
                count = self.game.legal(s, actions)
                action = actions[0]
                if count > 1:
                    if found < wanted and draw(choices, one_in) == 0:
                        copy_state(states, PLAYED, GATHERED + found)
                        found += 1
                    action = self.bots.choose(s, bot, actions, count, choices)
                self.game.apply(s, action, chance)
            game += 1

    @rule
    def ask_everywhere(
        self, states: list[GameState], actions: list[int], bot: int, choices: Stream, count: int
    ) -> U64:
        """A hash of the bot's choices in all positions."""
        digest = mix(choices.key)
        for number in range(count):
            s = states[GATHERED + number]
            choices.counter = number * 64
            offered = self.game.legal(s, actions)
            chosen = offered
            if bot >= 0:
                chosen = self.bots.choose(s, bot, actions, offered, choices)
            digest = mix(digest ^ (chosen + 1))
        return digest

    @rule
    def step_everywhere(
        self,
        states: list[GameState],
        actions: list[int],
        chance: Stream,
        choices: Stream,
        count: int,
    ) -> None:
        """Play a random action in a copy of each position."""
        for number in range(count):
            copy_state(states, GATHERED + number, PLAYED)
            s = states[PLAYED]
            self.game.apply(s, actions[draw(choices, self.game.legal(s, actions))], chance)
