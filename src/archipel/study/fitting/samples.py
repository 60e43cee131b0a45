"""Sample self-play for fitting, as rules: positions with results, choices with traits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.bots.contract import BotRules
from archipel.rules.game_rules import GameRules, GameState
from archipel.rules.kit import U64, Stream, draw, rule, stream_key
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.kit.core.decorators import rule_apart
from archipel.study.simulation.game_kernel import BLANK, PLAYED, SEEN

# The first turns of a game, up to this number, mix in random decisions, so that positions vary.
MAX_RANDOM_TURNS: Final = 80
ONE_RANDOM_IN_POSITIONS: Final = 5

# Columns of sampled choices, one row per legal action.
DECISION: Final = 0
CHOSEN: Final = 1
TRAITS: Final = 2
COLUMNS: Final = 3

# One in this many decisions is random, so that the consequences of mistakes are sampled too.
ONE_RANDOM_IN_CHOICES: Final = 12


@dataclass(frozen=True)
class SelfPlay:
    """Self-play of bots."""

    game: GameRules
    bots: BotRules

    @rule
    def begin_game(
        self, states: list[GameState], chance: Stream, choices: Stream, seed: U64, game: int
    ) -> None:
        """Set up a game; its chance and its bots' choices have separate streams."""
        copy_state(states, BLANK, PLAYED)
        chance.key = stream_key(seed, game)
        chance.counter = 0
        choices.key = stream_key(chance.key, 1)
        choices.counter = 0
        self.game.set_up(states[PLAYED], chance)


class PositionSamples(SelfPlay):
    """Features of positions, and the win shares at the end of their games."""

    @rule_apart
    def write_features(
        self, s: GameState, seats: int, features: list[float], samples: list[list[float]], row: int
    ) -> bool:
        """Write the features of all seats; False if the position has no evaluation."""
        for seat in range(seats):
            known = self.bots.evaluate(s, seat, features)
            if known == 0:
                return False
            for feature in range(known):
                samples[row][seat * known + feature] = features[feature]
        return True

    @rule_apart
    def write_win_shares(
        self, s: GameState, seats: int, shares: list[list[float]], first: int, until: int
    ) -> None:
        winners = 0
        for seat in range(seats):
            if self.game.rank(s, seat) == 0:
                winners += 1
        for row in range(first, until):
            for seat in range(seats):
                shares[row][seat] = 1.0 / winners if self.game.rank(s, seat) == 0 else 0.0

    @rule
    def sample_positions(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        bot: int,
        seats: int,
        chance: Stream,
        choices: Stream,
        seed: U64,
        first: int,
        games: int,
        one_in: int,
        anywhere: bool,
        early: bool,
        samples: list[list[float]],
        shares: list[list[float]],
    ) -> int:
        """Play games with a bot in every seat and sample one position in ``one_in``.

        Samples only positions where the turn changes, unless ``anywhere``.  ``early`` games have
        fewer random turns, so that more of their beginning is sampled.  Returns the number of
        samples, at most the number of rows of ``samples``.
        """
        rows = 0
        for game in range(first, first + games):
            self.begin_game(states, chance, choices, seed, game)
            s = states[PLAYED]
            max_random_turns = draw(choices, MAX_RANDOM_TURNS) + 1 if early else MAX_RANDOM_TURNS
            random_turns = draw(choices, max_random_turns)
            begun = rows
            turns = 0
            last = -1
            mover = self.game.to_move(s)
            while mover >= 0:
                count = self.game.legal(s, actions)
                if mover != last:
                    turns += 1
                wanted = turns > random_turns and (anywhere or mover != last)
                last = mover
                wanted = wanted and rows < len(samples) and draw(choices, one_in) == 0
                if wanted and self.write_features(s, seats, features, samples, rows):
                    rows += 1
                action = actions[draw(choices, count)]
                if turns > random_turns or draw(choices, ONE_RANDOM_IN_POSITIONS) > 0:
                    self.game.view(s, mover, states[SEEN])
                    action = self.bots.choose(states[SEEN], bot, actions, count, choices)
                self.game.apply(s, action, chance)
                mover = self.game.to_move(s)
            self.write_win_shares(s, seats, shares, begun, rows)
        return rows


class ChoiceSamples(SelfPlay):
    """Choices of a bot, with the traits of all legal actions."""

    @rule
    def sample_choices(
        self,
        states: list[GameState],
        actions: list[int],
        teacher: int,
        player: int,
        chance: Stream,
        choices: Stream,
        seed: U64,
        first: int,
        games: int,
        one_in: int,
        samples: list[list[int]],
    ) -> int:
        """Play games with one bot in every seat and sample what a teacher would choose.

        Samples one decision in ``one_in``.  Returns the number of rows written.
        """
        rows = 0
        decisions = 0
        for game in range(first, first + games):
            self.begin_game(states, chance, choices, seed, game)
            s = states[PLAYED]
            mover = self.game.to_move(s)
            while mover >= 0:
                count = self.game.legal(s, actions)
                action = actions[0]
                if count > 1:
                    self.game.recall(s, mover, states[SEEN])
                    sampled = draw(choices, one_in) == 0 and rows + count <= len(samples)
                    if sampled:
                        chosen = self.bots.choose(states[SEEN], teacher, actions, count, choices)
                        seen = self.bots.glance(states[SEEN])
                        for number in range(count):
                            samples[rows][DECISION] = decisions
                            samples[rows][CHOSEN] = 1 if actions[number] == chosen else 0
                            samples[rows][TRAITS] = self.bots.describe(
                                states[SEEN], seen, actions[number]
                            )
                            rows += 1
                        decisions += 1
                    if draw(choices, ONE_RANDOM_IN_CHOICES) == 0:
                        action = actions[draw(choices, count)]
                    else:
                        action = self.bots.choose(states[SEEN], player, actions, count, choices)
                self.game.apply(s, action, chance)
                mover = self.game.to_move(s)
        return rows
