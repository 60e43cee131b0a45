"""Evaluate candidates by rollouts in common worlds, with sums for every seat.

All candidates are played in the same worlds with the same chance, so their differences are known
far better than their values.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.search.search_state import SearchState
from archipel.bots.search.seq_halving import (
    CHANCE,
    CHOICES,
    DEALING,
    DEALT,
    ROOT,
    WORLD,
    SequentialHalving,
    use_stream,
)
from archipel.rules.game_rules import GameState
from archipel.rules.kit import Stream, rule
from archipel.rules.kit.core.copying import copy_state

# Parts of a row of sums, each with one column per seat.
SHARES: Final = 0
SQUARES: Final = 1
GAPS: Final = 2  # squared differences from the first candidate
PARTS: Final = 3


class CandidateRollouts(SequentialHalving):
    """Plays all candidates in the same worlds with the same chance."""

    @rule
    def evaluate_candidates(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        threads: list[SearchState],
        numbers: list[int],
        count: int,
        chance: Stream,
        choices: Stream,
        first: int,
        worlds: int,
        sums: list[list[float]],
    ) -> None:
        """Add the results of candidates in a range of worlds to ``sums``, one row per candidate.

        Worlds are sampled from the view or position at ROOT. The last row of ``sums`` is a buffer.
        Call `begin` first.
        """
        t = threads[0]
        for world in range(first, first + worlds):
            use_stream(chance, t, world, DEALING)
            copy_state(states, ROOT, DEALT)
            self.game.deal_unseen(states[DEALT], chance)
            for place in range(count):
                use_stream(chance, t, world, CHANCE)
                use_stream(choices, t, world, CHOICES)
                copy_state(states, DEALT, WORLD)
                self.simulate(states, actions, features, t, numbers[place], chance, choices)
                for seat in range(t.seats):
                    share = t.share[seat]
                    if place == 0:
                        sums[count][seat] = share
                    gap = share - sums[count][seat]
                    sums[place][SHARES * t.seats + seat] += share
                    sums[place][SQUARES * t.seats + seat] += share * share
                    sums[place][GAPS * t.seats + seat] += gap * gap
