"""Batches of games for training and gating, by the compiled rules of `self_play`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy

from archipel.bots import roster_of
from archipel.bots.nets import Net
from archipel.bots.search.config import SearchConfig, Weights, set_field
from archipel.bots.search.search_state import MOST_FEATURES, SearchState
from archipel.rules.kit import Program
from archipel.rules.kit.core.loading import load_backend
from archipel.study.fitting.samples import PositionSamples
from archipel.study.simulation.game_kernel import BLANK as BOTS_BLANK
from archipel.study.simulation.game_kernel import STATES as BOTS_STATES
from archipel.study.training.self_play import BLANK, SHARES, STATES, SearchGames

#: Rows of samples per game, at most on average.
SAMPLES_PER_GAME = 60


@dataclass(frozen=True)
class Samples:
    """Positions of games with one number of seats."""

    movers: Any
    values: Any
    """The search's win chance of the seat to move; negative if the position was not searched."""
    shares: Any
    """Shares of first place at the end, by position and seat."""
    inputs: Any
    """Inputs of the net, by position, seat and input."""


@cache
def training_program(game: str) -> Program:
    roster = roster_of(game)
    rules = roster.definition.rules
    by_inputs = replace(roster.rules, evaluate=roster.net_inputs)
    return roster.definition.program(
        SearchGames(rules, roster.rules).play_searches,
        PositionSamples(rules, by_inputs).sample_positions,
    )


def weights_for(net: Net, seats: int) -> Weights:
    return Weights(net.weights_for(seats), len(net.inputs), is_net=True)


class GameBatches:
    """Plays games of one game."""

    def __init__(self, game: str, *, compiled: bool = True) -> None:
        self._roster = roster_of(game)
        self._definition = self._roster.definition
        self._backend: Any = load_backend(training_program(game), compiled=compiled)
        self._inputs = len(self._roster.net_input_names)

    def bot_games(
        self, bot: str, seats: int, options: dict[str, Any], games: int, seed: int
    ) -> Samples:
        """Sample games of a bot that does not search."""
        backend, definition = self._backend, self._definition
        states = backend.states(BOTS_STATES)
        backend.write(
            states, BOTS_BLANK, definition.blank(definition.make_options(seats, **options))
        )
        rows = games * SAMPLES_PER_GAME
        inputs = backend.fractions(rows, seats * self._inputs)
        shares = backend.fractions(rows, seats)
        found = backend.sample_positions(
            states,
            backend.numbers(definition.most_legal),
            backend.fractions(MOST_FEATURES),
            self._roster.named(bot).index,
            seats,
            backend.stream(0),
            backend.stream(0),
            seed,
            0,
            games,
            4,
            True,
            True,
            inputs,
            shares,
        )
        return Samples(
            numpy.zeros(found, numpy.int64),
            numpy.full(found, -1.0, numpy.float32),
            numpy.array(shares[:found], numpy.float32),
            numpy.array(inputs[:found], numpy.float32).reshape(found, seats, self._inputs),
        )

    def search_games(
        self,
        players: tuple[tuple[SearchConfig, Weights], tuple[SearchConfig, Weights]],
        seats: int,
        options: dict[str, Any],
        games: int,
        seed: int,
        *,
        learners: int,
        random_turns: int = 0,
        one_in: int = 0,
        first: int = 0,
    ) -> tuple[Samples, Any]:
        """Play games between two searches: the first has ``learners`` seats, the second the rest.

        Returns the samples and the shares of first place, by game and entrant.
        """
        backend, definition = self._backend, self._definition
        states = backend.states(STATES)
        backend.write(states, BLANK, definition.blank(definition.make_options(seats, **options)))
        threads = []
        for config, weights in players:
            records = backend.records(SearchState, 1)
            config.write(records, self._roster.number_of, weights)
            set_field(records[0], "seats", seats)
            threads.append(records)
        width = SHARES + seats * (1 + self._inputs)
        samples = backend.fractions(games * SAMPLES_PER_GAME if one_in else 1, width)
        shares = backend.fractions(games, seats)
        rows = backend.play_searches(
            states,
            backend.numbers(definition.most_legal),
            backend.fractions(MOST_FEATURES),
            *threads,
            *(backend.stream(0) for _ in range(3)),
            seats,
            learners,
            seed,
            first,
            games,
            random_turns,
            one_in,
            samples,
            shares,
        )
        table = numpy.array(samples[:rows], numpy.float32).reshape(rows, width)
        found = Samples(
            table[:, 0].astype(numpy.int64),
            table[:, 1],
            table[:, SHARES : SHARES + seats],
            table[:, SHARES + seats :].reshape(rows, seats, self._inputs),
        )
        return found, numpy.array(shares)
