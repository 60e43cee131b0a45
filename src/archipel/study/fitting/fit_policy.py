"""Fit the weights of a game's linear policy to the choices of another bot.

usage: python -m archipel.study.fitting.fit_policy GAME VERSION [--games N] [--teacher NAME]

The teacher plays games of every number of seats, with some random decisions.  Decisions are sampled
with the traits of all legal actions.  The weights are the maximum-likelihood estimate of a softmax
model: the probability of an action is proportional to exp(sum of its traits' weights).  The file is
written beside the game's bots.  Equal seeds give equal weights.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from archipel.bots import roster_of
from archipel.bots.linear_policy import BITS, MOST_AT_ONCE, MOST_TRAITS, SCALE
from archipel.rules.kit import Program
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.kit.core.program import Backend
from archipel.study.fitting import samples as kernel
from archipel.study.fitting.fit_command import FitCommand, quality_of, write_weights
from archipel.study.fitting.samples import DECISION
from archipel.study.simulation.game_kernel import BLANK, STATES

#: Games per batch, and the most sampled actions per game on average.
BATCH = 20
ROWS_PER_GAME = 2000

#: L2 regularisation, and AdaGrad's steps and learning rate.
L2 = 0.3
STEPS = 150
LEARNING_RATE = 0.5


@dataclass(frozen=True)
class PolicyFit:
    """Weights, and their quality on held-out decisions."""

    weights: tuple[int, ...]
    decisions: int
    loss: float
    """Mean negative log likelihood."""
    blind: float
    """Loss of equal probabilities."""
    agreement: float
    """Share of decisions in which the teacher's choice scores highest; ties count in parts."""


def choices_program(game: str) -> Program:
    roster = roster_of(game)
    samples = kernel.ChoiceSamples(roster.definition.rules, roster.rules)
    return roster.definition.program(samples.sample_choices)


def choices_of(
    game: str, teacher: str, seats: int, games: int, one_in: int, seed: int, backend: Backend
) -> Any:
    """Sample decisions: one row per legal action."""
    roster = roster_of(game)
    definition = roster.definition
    running: Any = backend
    states = running.states(STATES)
    running.write(states, BLANK, definition.blank(definition.make_options(seats)))
    actions = running.numbers(definition.most_legal)
    bot, streams = roster.named(teacher).index, (running.stream(0), running.stream(0))
    given = states, actions, bot, bot, *streams, seed
    found, decisions = [], 0
    for first in range(0, games, BATCH):
        samples = running.numbers(BATCH * ROWS_PER_GAME, kernel.COLUMNS)
        rows = running.sample_choices(*given, first, min(BATCH, games - first), one_in, samples)
        part = numpy.array(samples[:rows], dtype=numpy.int64).reshape(rows, kernel.COLUMNS)
        part[:, DECISION] += decisions
        decisions = int(part[-1, DECISION]) + 1 if rows else decisions
        found.append(part)
    return numpy.concatenate(found)


class Decisions:
    """Decisions as arrays with one entry per legal action."""

    def __init__(self, rows: Any) -> None:
        starts = numpy.flatnonzero(numpy.diff(rows[:, DECISION], prepend=-1))
        self.starts = starts
        self.count = len(starts)
        self.sizes = numpy.diff(numpy.append(starts, len(rows)))
        self.of = numpy.repeat(numpy.arange(self.count), self.sizes)
        self.chosen = rows[:, kernel.CHOSEN].astype(float)
        packed = rows[:, kernel.TRAITS]
        digits = [packed >> BITS * place & MOST_TRAITS - 1 for place in range(MOST_AT_ONCE)]
        self.traits = numpy.stack(digits, axis=1)

    def scores(self, weights: Any) -> Any:
        return weights[self.traits].sum(axis=1)

    def probabilities(self, weights: Any) -> Any:
        scores = self.scores(weights)
        most = numpy.maximum.reduceat(scores, self.starts)
        powers = numpy.exp(scores - most[self.of])
        return powers / numpy.add.reduceat(powers, self.starts)[self.of]

    def per_trait(self, values: Any, traits: int) -> Any:
        """Sum a value per action over each trait."""
        whole = numpy.zeros(traits)
        for place in range(MOST_AT_ONCE):
            whole += numpy.bincount(self.traits[:, place], weights=values, minlength=traits)
        return whole


def fit(rows: Any, traits: int) -> PolicyFit:
    """Weights by AdaGrad on 90 % of the decisions; quality on the held-out 10 %."""
    count = int(rows[-1, DECISION]) + 1
    kept = rows[:, DECISION] < count * 9 // 10
    seen, held = Decisions(rows[kept]), Decisions(rows[~kept])
    weights = numpy.zeros(traits)
    squares = numpy.full(traits, 1e-9)
    for _ in range(STEPS):
        gradient = seen.per_trait(seen.probabilities(weights) - seen.chosen, traits) + L2 * weights
        gradient[0] = 0.0
        squares += gradient * gradient
        weights -= LEARNING_RATE * gradient / numpy.sqrt(squares)
    whole = numpy.rint(SCALE * weights)
    chances = held.probabilities(whole / SCALE)
    loss = -float(numpy.log(chances[held.chosen > 0]).mean())
    best = held.scores(whole)
    is_best = best == numpy.maximum.reduceat(best, held.starts)[held.of]
    shared = is_best / numpy.add.reduceat(is_best.astype(float), held.starts)[held.of]
    return PolicyFit(
        tuple(int(weight) for weight in whole),
        seen.count,
        loss,
        float(numpy.log(held.sizes).mean()),
        float((shared * held.chosen).sum() / held.count),
    )


def fit_policy(
    game: str, teacher: str, games: int, one_in: int, seed: int, compiled: bool | None = None
) -> PolicyFit:
    """Fit a game over all numbers of seats together."""
    roster = roster_of(game)
    backend = load_backend(choices_program(game), compiled=compiled)
    found, decisions = [], 0
    for seats in roster.definition.seats:
        rows = choices_of(game, teacher, seats, games, one_in, seed, backend)
        rows[:, DECISION] += decisions
        decisions = int(rows[-1, DECISION]) + 1
        found.append(rows)
        print(f"{game}, {seats} seats: {decisions} decisions so far", file=sys.stderr, flush=True)
    return fit(shuffled(numpy.concatenate(found)), roster.traits)


def shuffled(rows: Any) -> Any:
    """Shuffle the decisions, so that the held-out ones have every number of seats."""
    count = int(rows[-1, DECISION]) + 1
    number = numpy.random.default_rng(1).permutation(count)[rows[:, DECISION]]
    order = numpy.argsort(number, kind="stable")
    mixed = rows[order]
    mixed[:, DECISION] = number[order]
    return mixed


def main(arguments: Sequence[str] | None = None) -> int:
    described = "Fit the weights of a game's linear policy to the choices of another bot."
    command = FitCommand("fit_policy", described, "teacher", games=400, one_in=4)
    given = command.parse(arguments)
    if roster_of(given.game).traits == 0:
        command.parser.error(f"{given.game} has no linear policy")
    found = fit_policy(given.game, given.bot, given.games, given.one_in, given.seed, compiled=True)
    print(
        f"{given.game}: {found.decisions} decisions, loss {found.loss:.3f} "
        f"(blind {found.blind:.3f}), agreement {found.agreement:.1%}",
        file=sys.stderr,
    )
    data = {
        "teacher": given.bot,
        "games": given.games,
        "one_in": given.one_in,
        "seed": given.seed,
        "fit": quality_of(found, "decisions", "agreement"),
        "weights": list(found.weights),
    }
    write_weights(given, data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
