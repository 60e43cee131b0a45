"""Games between searches, as rules: positions with search values and outcomes."""

from __future__ import annotations

from typing import Final

from archipel.bots.search.search_state import SearchState
from archipel.bots.search.seq_halving import NO_LIMIT, ROOT, SequentialHalving, conclude, halve
from archipel.bots.search.seq_halving import STATES as SEARCH_STATES
from archipel.rules.game_rules import GameState
from archipel.rules.kit import U64, Stream, draw, rule, stream_key
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.kit.core.decorators import rule_apart

# The states of self-play: those of a search, the options before set-up, and the game.
BLANK: Final = SEARCH_STATES
PLAYED: Final = SEARCH_STATES + 1
STATES: Final = SEARCH_STATES + 2

# Columns of a sample: the seat to move, the search's value for it, and for each seat its share of
# first place; then the inputs of each seat.
MOVER: Final = 0
VALUE: Final = 1
SHARES: Final = 2
UNKNOWN_VALUE: Final = -1.0

#: One decision in this many is random during the random turns at the beginning of a game.
ONE_RANDOM_IN: Final = 5


class SearchGames(SequentialHalving):
    """Games in which every seat searches."""

    @rule_apart
    def write_sample(
        self,
        s: GameState,
        seats: int,
        value: float,
        features: list[float],
        samples: list[list[float]],
        row: int,
    ) -> bool:
        """Write a position without its outcome; False if it has no evaluation."""
        samples[row][MOVER] = self.game.to_move(s)
        samples[row][VALUE] = value
        for seat in range(seats):
            known = self.inputs_of(s, seat, features)
            if known == 0:
                return False
            for feature in range(known):
                samples[row][SHARES + seats + seat * known + feature] = features[feature]
        return True

    @rule_apart
    def search_once(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        threads: list[SearchState],
        seed: U64,
        chance: Stream,
        choices: Stream,
    ) -> int:
        """Search the view at ROOT; return the number of the chosen candidate."""
        t = threads[0]
        t.seed = seed
        self.begin(states, actions, threads, 1, choices)
        going_on = True
        while going_on:
            self.explore(states, actions, features, threads, 0, 1, chance, choices, NO_LIMIT)
            going_on = halve(threads, 1)
        return conclude(threads, 1, choices)

    @rule
    def play_searches(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        threads: list[SearchState],
        others: list[SearchState],
        chance: Stream,
        search_chance: Stream,
        choices: Stream,
        seats: int,
        learners: int,
        seed: U64,
        first: int,
        games: int,
        random_turns: int,
        one_in: int,
        samples: list[list[float]],
        shares: list[list[float]],
    ) -> int:
        """Play games; return the number of samples, at most the number of rows.

        Entrant e of game g has seat (e + g) modulo seats. The first ``learners`` entrants search
        with ``threads``, the rest with ``others``. Games of a rotation have the same chance. Up to
        ``random_turns`` turns at the beginning mix in random decisions; one position in ``one_in``
        after them is sampled (0: none). ``shares`` gets a row of shares of first place per game, by
        entrant.
        """
        rows = 0
        for game in range(first, first + games):
            offset = game % seats
            s = states[PLAYED]
            copy_state(states, BLANK, PLAYED)
            chance.key = stream_key(seed, game // seats)
            chance.counter = 0
            own = stream_key(stream_key(seed, game), 1)
            self.game.set_up(s, chance)
            choices.key = own
            choices.counter = 0
            random_until = draw(choices, random_turns) if random_turns > 0 else 0
            begun = rows
            turns = 0
            decisions = 0
            last = -1
            mover = self.game.to_move(s)
            while mover >= 0:
                if mover != last:
                    turns += 1
                    last = mover
                decisions += 1
                count = self.options(s, actions)
                action = actions[0]
                value = UNKNOWN_VALUE
                key = stream_key(own, decisions)
                choices.key = key
                choices.counter = 0
                by_chance = turns <= random_until and draw(choices, ONE_RANDOM_IN) == 0
                sampled = one_in > 0 and turns > random_until and rows < len(samples)
                sampled = sampled and draw(choices, max(1, one_in)) == 0
                if count > 1 and by_chance:
                    action = actions[draw(choices, count)]
                elif count > 1:
                    self.game.recall(s, mover, states[ROOT])
                    if (mover - offset + seats) % seats < learners:
                        chosen = self.search_once(
                            states, actions, features, threads, key, search_chance, choices
                        )
                        action = threads[0].candidate[chosen]
                        value = threads[0].won[chosen] / max(1, threads[0].visits[chosen])
                    else:
                        chosen = self.search_once(
                            states, actions, features, others, key, search_chance, choices
                        )
                        action = others[0].candidate[chosen]
                        value = others[0].won[chosen] / max(1, others[0].visits[chosen])
                if sampled and self.write_sample(s, seats, value, features, samples, rows):
                    rows += 1
                self.play(s, action, chance)
                mover = self.game.to_move(s)
            winners = 0
            for seat in range(seats):
                if self.game.rank(s, seat) == 0:
                    winners += 1
            for seat in range(seats):
                share = 1.0 / winners if self.game.rank(s, seat) == 0 else 0.0
                shares[game - first][(seat - offset + seats) % seats] = share
                for row in range(begun, rows):
                    samples[row][SHARES + seat] = share
        return rows
