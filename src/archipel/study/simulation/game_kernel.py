"""Whole games between bots, as a rule."""

from __future__ import annotations

from dataclasses import dataclass

from archipel.bots.contract import BotRules
from archipel.rules.game_rules import NO_METRICS, GameRules, GameState, MetricRules
from archipel.rules.kit import U64, Stream, rule, stream_key
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.metrics import ROUNDS_BEGUN, SURVIVORS, WHOLE_GAME
from archipel.rules.metrics import TURNS as TURNS_COUNTED

# States of a batch of games.
BLANK = 0  # the options, before set-up
PLAYED = 1
SEEN = 2
STATES = 3

# Rows of results, one column per game; ranks and scores have a row per entrant.
DECISIONS = 0
RANKS = 1

# With metrics, rows after the scores: three of the game, then per figure one per entrant.
TURNS = 0
ROUNDS = 1
ENDING = 2
OF_THE_GAME = 3

# Rows of survivors, one column per round: over all games the sum of survivors (after the end of a
# game those at its end), the sum of their squares, and the number of games still running.
SUM = 0
SQUARES = 1
GOING_ON = 2
SURVIVOR_ROWS = 3

UNFINISHED = -1  # in place of the decisions of a game that exceeds the limit


@rule
def record_survivors(
    counts: list[int], survivors: list[list[int]], begun: int, going_on: int
) -> None:
    """Add the survivors at the beginning of a round."""
    survivors[SUM][begun] += counts[SURVIVORS]
    survivors[SQUARES][begun] += counts[SURVIVORS] * counts[SURVIVORS]
    survivors[GOING_ON][begun] += going_on


@dataclass(frozen=True)
class GamesOfBots:
    """Plays whole games between bots."""

    game: GameRules
    bots: BotRules
    metrics: MetricRules = NO_METRICS

    @rule
    def play_games(
        self,
        states: list[GameState],
        actions: list[int],
        bots: list[int],
        chance: Stream,
        choices: Stream,
        seats: int,
        rotate: int,
        common_chance: int,
        most_decisions: int,
        seed: U64,
        first: int,
        games: int,
        results: list[list[int]],
        figures: int,
        counts: list[int],
        survivors: list[list[int]],
        rounds: int,
        lost: list[int],
    ) -> None:
        """Play games of a seed from number ``first`` on between the entrants ``bots``.

        In game g entrant e has seat (e + g * rotate) % seats.  The game's chance and its bots'
        choices have separate random streams.  With ``common_chance`` 1, all games of a rotation
        use the random numbers of its first game.

        With ``rounds`` above 0 the metrics of the game are recorded: survivors for this number of
        rounds, and ``figures`` figures per seat.
        """
        for column in range(games):
            game = first + column
            seat_offset = game * rotate % seats
            copy_state(states, BLANK, PLAYED)
            s = states[PLAYED]
            chance.key = stream_key(seed, game - seat_offset * common_chance)
            chance.counter = 0
            choices_key = stream_key(stream_key(seed, game), 1)
            self.game.set_up(s, chance)
            decisions = 0
            recorded = 0
            for place in range(len(counts)):
                counts[place] = 0
            self.metrics.follow(s, counts, lost)
            seat = self.game.to_move(s)
            while seat >= 0 and decisions < most_decisions:
                count = self.game.legal(s, actions)
                self.game.recall(s, seat, states[SEEN])
                # A fresh stream for every decision: one bot's draws never change another's.
                choices.key = stream_key(choices_key, decisions)
                choices.counter = 0
                bot = bots[(seat - seat_offset) % seats]
                self.game.apply(
                    s, self.bots.choose(states[SEEN], bot, actions, count, choices), chance
                )
                decisions += 1
                seat = self.game.to_move(s)
                self.metrics.follow(s, counts, lost)
                while recorded < rounds and recorded < counts[ROUNDS_BEGUN]:
                    record_survivors(counts, survivors, recorded, 1)
                    recorded += 1
            results[DECISIONS][column] = decisions if seat < 0 else UNFINISHED
            for entrant in range(seats):
                seat_of_entrant = (entrant + seat_offset) % seats
                results[RANKS + entrant][column] = self.game.rank(s, seat_of_entrant)
                results[RANKS + seats + entrant][column] = self.game.score(s, seat_of_entrant)
            if rounds > 0:
                while recorded < rounds:
                    record_survivors(counts, survivors, recorded, 0)
                    recorded += 1
                own = RANKS + 2 * seats
                results[own + TURNS][column] = counts[TURNS_COUNTED]
                results[own + ROUNDS][column] = counts[ROUNDS_BEGUN]
                results[own + ENDING][column] = self.metrics.figure(s, counts, WHOLE_GAME, 0)
                for which in range(figures):
                    for entrant in range(seats):
                        row = own + OF_THE_GAME + which * seats + entrant
                        results[row][column] = self.metrics.figure(
                            s, counts, (entrant + seat_offset) % seats, which
                        )
