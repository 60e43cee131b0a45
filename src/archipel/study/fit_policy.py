"""Fit the weights of a game's quick bot to what another bot chooses.

usage: python -m archipel.study.fit_policy GAME VERSION [--games N] [--teacher NAME] [--seed N]

The teacher plays, with a few random decisions in between, in games of every number of seats; some
decisions are noted with the traits of all that was legal, and the weights are found under which its
choices were most likely: the chance of an action is its share of e to the power of what its traits
weigh.  The file goes beside the game's bots.  Equal seeds give equal weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archipel import bots
from archipel.bots import UnknownBotError, roster_of
from archipel.bots.quick import BITS, MOST_AT_ONCE, MOST_TRAITS, SCALE
from archipel.rules.contract import UnknownGameError
from archipel.rules.kit import Program
from archipel.rules.kit.loading import load_backend
from archipel.rules.kit.program import Backend
from archipel.study.fit_policy_kernel import CHOSEN, COLUMNS, DECISION, TRAITS, note_choices
from archipel.study.self_play_kernel import BLANK, STATES

#: Games in one go, and the room for actions noted in them, per game.
PIECE = 20
NOTED_PER_GAME = 2000

#: How strongly weights are held near 0, against this many decisions' worth of evidence.
RESTRAINT = 0.3
STEPS = 150
FIRST_STEP = 0.5


@dataclass(frozen=True)
class PolicyFit:
    """Weights, and how near the teacher they come in decisions they were not fitted to."""

    weights: tuple[int, ...]
    decisions: int
    loss: float
    """Mean logarithm of the chance given to what was chosen, with a minus, in those kept apart."""
    blind: float
    """The same, of equal chances for all that is legal."""
    agreement: float
    """How often what the teacher chose weighed most (in shares, where several weigh the same)."""


def choices_program(game: str) -> Program:
    roster = roster_of(game)
    return roster.definition.program(note_choices, extra=roster.bindings)


def choices_of(
    game: str, teacher: str, seats: int, games: int, one_in: int, seed: int, backend: Backend
) -> Any:
    """A row for each action of each decision noted."""
    import numpy

    roster = roster_of(game)
    definition = roster.definition
    running: Any = backend
    states = running.states(STATES)
    running.write(states, BLANK, definition.blank(definition.make_options(seats)))
    actions = running.numbers(definition.most_legal)
    bot = roster.named(teacher).index
    found, decisions = [], 0
    for first in range(0, games, PIECE):
        noted = running.numbers(PIECE * NOTED_PER_GAME, COLUMNS)
        rows = running.note_choices(
            *(states, actions, bot, bot, running.stream(0), running.stream(0)),
            *(seed, first, min(PIECE, games - first), one_in, noted),
        )
        part = numpy.array(noted[:rows], dtype=numpy.int64).reshape(rows, COLUMNS)
        part[:, DECISION] += decisions
        decisions = int(part[-1, DECISION]) + 1 if rows else decisions
        found.append(part)
    return numpy.concatenate(found)


class Decisions:
    """Decisions as arrays: for each action its decision, its traits, and whether it was chosen."""

    def __init__(self, rows: Any) -> None:
        import numpy

        starts = numpy.flatnonzero(numpy.diff(rows[:, DECISION], prepend=-1))
        self.starts = starts
        self.count = len(starts)
        self.sizes = numpy.diff(numpy.append(starts, len(rows)))
        self.of = numpy.repeat(numpy.arange(self.count), self.sizes)
        self.chosen = rows[:, CHOSEN].astype(float)
        packed = rows[:, TRAITS]
        digits = [packed >> BITS * place & MOST_TRAITS - 1 for place in range(MOST_AT_ONCE)]
        self.traits = numpy.stack(digits, axis=1)

    def weigh(self, weights: Any) -> Any:
        return weights[self.traits].sum(axis=1)

    def chances(self, weights: Any) -> Any:
        import numpy

        speaks = self.weigh(weights)
        most = numpy.maximum.reduceat(speaks, self.starts)
        powers = numpy.exp(speaks - most[self.of])
        return powers / numpy.add.reduceat(powers, self.starts)[self.of]

    def per_trait(self, values: Any, traits: int) -> Any:
        """The sum of a value per action, for each trait."""
        import numpy

        whole = numpy.zeros(traits)
        for place in range(MOST_AT_ONCE):
            whole += numpy.bincount(self.traits[:, place], weights=values, minlength=traits)
        return whole


def fit(rows: Any, traits: int) -> PolicyFit:
    """Weights on nine tenths of the decisions, step by step against the slope, each trait by its
    own measure of how steep that was; figures on the last tenth."""
    import numpy

    count = int(rows[-1, DECISION]) + 1
    kept = rows[:, DECISION] < count * 9 // 10
    seen, held = Decisions(rows[kept]), Decisions(rows[~kept])
    weights = numpy.zeros(traits)
    steepness = numpy.full(traits, 1e-9)
    for _ in range(STEPS):
        slope = seen.per_trait(seen.chances(weights) - seen.chosen, traits) + RESTRAINT * weights
        slope[0] = 0.0
        steepness += slope * slope
        weights -= FIRST_STEP * slope / numpy.sqrt(steepness)
    whole = numpy.rint(SCALE * weights)
    chances = held.chances(whole / SCALE)
    loss = -float(numpy.log(chances[held.chosen > 0]).mean())
    best = held.weigh(whole)
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
    """The fit of a game, over all numbers of seats alike."""
    import numpy

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
    """The decisions in another order, so that those kept apart are of every number of seats."""
    import numpy

    count = int(rows[-1, DECISION]) + 1
    number = numpy.random.default_rng(1).permutation(count)[rows[:, DECISION]]
    order = numpy.argsort(number, kind="stable")
    mixed = rows[order]
    mixed[:, DECISION] = number[order]
    return mixed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m archipel.study.fit_policy",
        description="Fit the weights of a game's quick bot to what another bot chooses.",
        epilog="example: python -m archipel.study.fit_policy the-island quick_1 --games 600",
    )
    parser.add_argument("game")
    parser.add_argument("version", help="the name of the file, such as quick_1")
    parser.add_argument("--games", type=int, default=400, help="per number of seats (400)")
    parser.add_argument("--one-in", type=int, default=4, help="of so many decisions, one is noted")
    parser.add_argument("--teacher", default="greedy", help="whose choices count (greedy)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    try:
        roster = roster_of(given.game)
        teacher = roster.named(given.teacher).name
    except (UnknownGameError, UnknownBotError) as error:
        parser.error(str(error))
    if roster.traits == 0:
        parser.error(f"{given.game} has no quick bot")
    if given.games < 1 or given.one_in < 1:
        parser.error("at least one game, and one decision in one")
    found = fit_policy(given.game, teacher, given.games, given.one_in, given.seed, compiled=True)
    print(
        f"{given.game}: {found.decisions} decisions, loss {found.loss:.3f} "
        f"(blind {found.blind:.3f}), agreement {found.agreement:.1%}",
        file=sys.stderr,
    )
    file = Path(bots.__file__).parent / given.game.replace("-", "_") / f"{given.version}.json"
    written = {
        "teacher": teacher,
        "games": given.games,
        "one_in": given.one_in,
        "seed": given.seed,
        "fit": {
            "decisions": found.decisions,
            "loss": round(found.loss, 4),
            "blind": round(found.blind, 4),
            "agreement": round(found.agreement, 4),
        },
        "weights": list(found.weights),
    }
    file.write_text(json.dumps(written) + "\n", encoding="utf-8")
    print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
