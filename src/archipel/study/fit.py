"""Fit the weights of a game's appraisal to the outcomes of games between bots.

usage: python -m archipel.study.fit GAME VERSION [--games N] [--one-in N] [--bot NAME] [--seed N]

The bots play, with a few random decisions at first; positions are noted with what became of them,
and the weights are found under which the outcomes were most likely: a seat's chance of first place
is its share of e to the power of what speaks for it.  The file goes beside the game's bots.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archipel import bots
from archipel.bots import UnknownBotError, roster_of
from archipel.bots.search.thinking import MOST_FEATURES
from archipel.rules.contract import UnknownGameError
from archipel.rules.kit import Program, Stream
from archipel.rules.kit.loading import load_backend
from archipel.study.fit_kernel import play_and_note
from archipel.study.self_play_kernel import BLANK, STATES

#: Games in one go, and the room for positions noted in them, per game.
PIECE = 200
NOTED_PER_GAME = 40

#: How strongly weights are held near 0, against this many positions' worth of evidence.
RESTRAINT = 1.0
MOST_STEPS = 40


@dataclass(frozen=True)
class Noting:
    """Which positions are noted (see `play_and_note`)."""

    one_in: int = 6
    anywhere: bool = False
    early: bool = False


@dataclass(frozen=True)
class Fit:
    """Weights for a number of seats, and how good they are on games they were not fitted to."""

    seats: int
    weights: tuple[float, ...]
    positions: int
    loss: float
    """Mean logarithm of the chance given to what came, with a minus, in games kept apart."""
    blind: float
    """The same, of equal chances for all."""
    right: float
    """How often a seat that was given the best chance won, in shares."""


def note_program(game: str) -> Program:
    roster = roster_of(game)
    return roster.definition.program(play_and_note, extra=roster.bindings)


def notes_of(
    game: str, bot: str, seats: int, games: int, noting: Noting, seed: int
) -> tuple[Any, Any]:
    """Features by position and seat, and outcomes by position and seat."""
    import numpy

    roster = roster_of(game)
    definition = roster.definition
    backend: Any = load_backend(note_program(game), compiled=True)
    states = backend.states(STATES)
    backend.write(states, BLANK, definition.blank(definition.make_options(seats)))
    actions, features = backend.numbers(definition.most_legal), backend.fractions(MOST_FEATURES)
    known = count_features(roster, seats)
    found, came = [], []
    for first in range(0, games, PIECE):
        noted = backend.fractions(PIECE * NOTED_PER_GAME, seats * known)
        shares = backend.fractions(PIECE * NOTED_PER_GAME, seats)
        rows = backend.play_and_note(
            states,
            actions,
            features,
            roster.named(bot).index,
            seats,
            backend.stream(0),
            backend.stream(0),
            seed,
            first,
            min(PIECE, games - first),
            noting.one_in,
            noting.anywhere,
            noting.early,
            noted,
            shares,
        )
        found.append(noted[:rows].reshape(rows, seats, known))
        came.append(shares[:rows])
    return numpy.concatenate(found), numpy.concatenate(came)


def count_features(roster: bots.Roster, seats: int) -> int:
    """How many features a game has: as many as at the first position that can be judged."""
    definition, chance = roster.definition, Stream(0)
    s = definition.new(definition.make_options(seats), chance)
    while definition.to_move(s) >= 0:
        if known := roster.appraise(s, 0, [0.0] * MOST_FEATURES):
            return known
        legal = definition.legal_actions(s)
        definition.apply(s, legal[chance.draw(len(legal))], chance)
    raise ValueError(f"{definition.name} has nothing to be fitted")


def fit(features: Any, shares: Any) -> tuple[Any, float, float, float]:
    """Weights by Newton's method, on nine tenths; loss, blind loss and hits on the last tenth."""
    import numpy

    kept = len(features) * 9 // 10
    x, y = features[:kept], shares[:kept]
    size = x.shape[2]
    weights = numpy.zeros(size)
    for _ in range(MOST_STEPS):
        chances = _chances(x @ weights)
        slope = numpy.einsum("psf,ps->f", x, chances - y) + RESTRAINT * weights
        centred = x - numpy.einsum("psf,ps->pf", x, chances)[:, None, :]
        weighted = (centred * chances[:, :, None]).reshape(-1, size)
        bend = weighted.T @ centred.reshape(-1, size) + RESTRAINT * numpy.eye(size)
        step = numpy.linalg.solve(bend, slope)
        weights -= step
        if float(numpy.abs(step).max()) < 1e-5:
            break
    x, y = features[kept:], shares[kept:]
    chances = _chances(x @ weights)
    loss = -float((y * numpy.log(chances)).sum(axis=1).mean())
    right = float(y[numpy.arange(len(y)), chances.argmax(axis=1)].mean())
    return weights, loss, float(numpy.log(y.shape[1])), right


def _chances(speaks: Any) -> Any:
    import numpy

    powers = numpy.exp(speaks - speaks.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def fit_seats(task: tuple[str, str, int, int, Noting, int]) -> Fit:
    """The fit of a game for a number of seats."""
    features, shares = notes_of(*task)
    seats = task[2]
    weights, loss, blind, right = fit(features, shares)
    rounded = tuple(round(float(weight), 4) for weight in weights)
    return Fit(seats, rounded, len(features), loss, blind, right)


def fit_game(
    game: str, bot: str, games: int, noting: Noting, seed: int, processes: int
) -> Iterator[Fit]:
    """A fit for every number of seats, in order."""
    load_backend(note_program(game), compiled=True)  # once, before the processes want it
    seats = roster_of(game).definition.seats
    tasks = [(game, bot, count, games, noting, seed) for count in seats]
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
    parser = argparse.ArgumentParser(
        prog="python -m archipel.study.fit", description="Fit the weights of a game's appraisal."
    )
    parser.add_argument("game")
    parser.add_argument("version", help="the name of the file, such as appraisal_1")
    parser.add_argument("--games", type=int, default=6000, help="per number of seats")
    parser.add_argument("--one-in", type=int, default=6, help="of so many positions, one is noted")
    parser.add_argument("--anywhere", action="store_true", help="not only where turns change")
    parser.add_argument("--early", action="store_true", help="note more of the beginning of games")
    parser.add_argument("--bot", default="greedy", help="who plays (usual: greedy)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args(arguments)
    try:
        bot = roster_of(given.game).named(given.bot).name
    except (UnknownGameError, UnknownBotError) as error:
        parser.error(str(error))
    if min(given.games, given.one_in, given.processes) < 1:
        parser.error("at least one game, one position in one, and one process")
    noting = Noting(given.one_in, given.anywhere, given.early)
    wanted = (given.game, bot, given.games, noting, given.seed)
    fits = list(fit_game(*wanted, given.processes))
    file = Path(bots.__file__).parent / given.game.replace("-", "_") / f"{given.version}.json"
    written = {
        "bot": bot,
        "games": given.games,
        "one_in": given.one_in,
        "anywhere": given.anywhere,
        "early": given.early,
        "seed": given.seed,
        "fit": {
            str(one.seats): {
                "positions": one.positions,
                "loss": round(one.loss, 4),
                "blind": round(one.blind, 4),
                "right": round(one.right, 4),
            }
            for one in fits
        },
        "weights": {str(one.seats): one.weights for one in fits},
    }
    file.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
