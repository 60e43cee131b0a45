"""Fit the weights of a game's evaluation to the results of games between bots.

usage: python -m archipel.study.fitting.fit_evaluation GAME VERSION [--games N] [--bot NAME]

Bots play, with some random decisions at first.  Positions are sampled with the result of their
game.  The weights are the maximum-likelihood estimate of a softmax model: the win probability of a
seat is proportional to exp(weights · features).  The file is written beside the game's bots.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy

from archipel.bots import Roster, roster_of
from archipel.bots.search.search_state import MOST_FEATURES
from archipel.rules.kit import Program, Stream
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.play_out import play_out
from archipel.study.fitting.fit_command import FitCommand, quality_of, write_weights
from archipel.study.fitting.samples import PositionSamples
from archipel.study.simulation.game_kernel import BLANK, STATES

#: Games per batch, and the most samples per game on average.
BATCH = 200
SAMPLES_PER_GAME = 40

#: L2 regularisation, and the most steps of Newton's method.
L2 = 1.0
MAX_STEPS = 40


class Sampling(NamedTuple):
    """Which positions are sampled (see `PositionSamples.sample_positions`)."""

    one_in: int = 6
    anywhere: bool = False
    early: bool = False


@dataclass(frozen=True)
class Fit:
    """Weights for a number of seats, and their quality on held-out positions."""

    seats: int
    weights: tuple[float, ...]
    positions: int
    loss: float
    """Mean negative log likelihood."""
    blind: float
    """Loss of equal probabilities."""
    right: float
    """Win share of the seat with the highest probability."""


def samples_program(game: str) -> Program:
    roster = roster_of(game)
    samples = PositionSamples(roster.definition.rules, roster.rules)
    return roster.definition.program(samples.sample_positions)


def samples_of(
    game: str, bot: str, seats: int, games: int, sampling: Sampling, seed: int
) -> tuple[Any, Any]:
    """Features and win shares, each by position and seat."""
    roster = roster_of(game)
    definition = roster.definition
    backend: Any = load_backend(samples_program(game), compiled=True)
    states = backend.states(STATES)
    backend.write(states, BLANK, definition.blank(definition.make_options(seats)))
    actions, features = backend.numbers(definition.most_legal), backend.fractions(MOST_FEATURES)
    streams = backend.stream(0), backend.stream(0)
    given = states, actions, features, roster.named(bot).index, seats, *streams, seed
    known = count_features(roster, seats)
    found, results = [], []
    for first in range(0, games, BATCH):
        samples = backend.fractions(BATCH * SAMPLES_PER_GAME, seats * known)
        shares = backend.fractions(BATCH * SAMPLES_PER_GAME, seats)
        batch = first, min(BATCH, games - first)
        rows = backend.sample_positions(*given, *batch, *sampling, samples, shares)
        found.append(samples[:rows].reshape(rows, seats, known))
        results.append(shares[:rows])
    return numpy.concatenate(found), numpy.concatenate(results)


def count_features(roster: Roster, seats: int) -> int:
    """Number of features of a game: that of the first position with an evaluation."""
    definition, chance = roster.definition, Stream(0)
    s = definition.new(definition.make_options(seats), chance)

    def choose(seat: int, legal: list[int], decisions: int) -> int:
        return legal[chance.draw(len(legal))]

    for _ in play_out(definition, s, chance, choose):
        if known := roster.evaluate(s, 0, [0.0] * MOST_FEATURES):
            return known
    raise ValueError(f"{definition.name} has no evaluation")


def fit(features: Any, shares: Any) -> tuple[Any, float, float, float]:
    """Weights by Newton's method on 90 %; loss, blind loss and hits on the held-out 10 %."""
    kept = len(features) * 9 // 10
    x, y = features[:kept], shares[:kept]
    size = x.shape[2]
    weights = numpy.zeros(size)
    for _ in range(MAX_STEPS):
        chances = _softmax(x @ weights)
        gradient = numpy.einsum("psf,ps->f", x, chances - y) + L2 * weights
        centred = x - numpy.einsum("psf,ps->pf", x, chances)[:, None, :]
        weighted = (centred * chances[:, :, None]).reshape(-1, size)
        hessian = weighted.T @ centred.reshape(-1, size) + L2 * numpy.eye(size)
        step = numpy.linalg.solve(hessian, gradient)
        weights -= step
        if float(numpy.abs(step).max()) < 1e-5:
            break
    x, y = features[kept:], shares[kept:]
    chances = _softmax(x @ weights)
    loss = -float((y * numpy.log(chances)).sum(axis=1).mean())
    right = float(y[numpy.arange(len(y)), chances.argmax(axis=1)].mean())
    return weights, loss, float(numpy.log(y.shape[1])), right


def _softmax(scores: Any) -> Any:
    powers = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def fit_seats(task: tuple[str, str, int, int, Sampling, int]) -> Fit:
    """Fit a game with one number of seats."""
    features, shares = samples_of(*task)
    weights, *quality = fit(features, shares)
    rounded = tuple(round(float(weight), 4) for weight in weights)
    return Fit(task[2], rounded, len(features), *quality)


def fit_game(
    game: str, bot: str, games: int, sampling: Sampling, seed: int, processes: int
) -> Iterator[Fit]:
    """Yield a fit for every number of seats."""
    load_backend(samples_program(game), compiled=True)  # compile once, before the processes start
    seats = roster_of(game).definition.seats
    tasks = [(game, bot, count, games, sampling, seed) for count in seats]
    with multiprocessing.get_context("spawn").Pool(min(processes, len(tasks))) as pool:
        for found in pool.imap(fit_seats, tasks):
            print(
                f"{game}, {found.seats} seats: {found.positions} positions, loss {found.loss:.3f} "
                f"(blind {found.blind:.3f}), best seat won {found.right:.1%}",
                file=sys.stderr,
                flush=True,
            )
            yield found


def main(arguments: Sequence[str] | None = None) -> int:
    described = "Fit the weights of a game's evaluation."
    command = FitCommand("fit_evaluation", described, "bot", games=6000, one_in=6)
    add = command.parser.add_argument
    add("--anywhere", action="store_true", help="sample every position, not only changes of turn")
    add("--early", action="store_true", help="sample more of the beginning of games")
    add("--workers", "--processes", type=int, default=1)
    given = command.parse(arguments)
    sampling = Sampling(given.one_in, given.anywhere, given.early)
    fits = list(fit_game(given.game, given.bot, given.games, sampling, given.seed, given.workers))
    data = {
        "bot": given.bot,
        "games": given.games,
        **sampling._asdict(),
        "seed": given.seed,
        "fit": {str(one.seats): quality_of(one, "positions", "right") for one in fits},
        "weights": {str(one.seats): one.weights for one in fits},
    }
    write_weights(given, data, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
