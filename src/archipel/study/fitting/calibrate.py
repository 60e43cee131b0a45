"""Calibrate win probabilities: are positions predicted at 30 % won in 30 % of games?

usage: python -m archipel.study.fitting.calibrate GAME [--levels] [--games N] [--workers N]
                                                  [--seed N]

Plays games of searching bots against themselves, evaluates a few decisions of each as an analysis
does, and appends one line per game to ``DIR/GAME.jsonl``; a second call continues after an
interruption.  Then fits the corrections (``analysis/data/correction.GAME.json``) and draws the
reliability diagrams (``DIR/GAME-decision.svg``, ``DIR/GAME-position.svg``).

With ``--levels``, different levels below the master play each other, the games are in
``DIR/GAME-levels.jsonl``, and nothing is fitted: the shipped corrections are checked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from archipel import analysis
from archipel.analysis.decision_analysis import PairedRollouts, analysis_program
from archipel.analysis.evaluation_settings import (
    Corrections,
    corrections_of,
    evaluations_of,
    version_of,
)
from archipel.bots import levels_of, roster_of
from archipel.bots.search.config import SearchConfig
from archipel.bots.search.search import Searcher, search_backend, search_program
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.play_out import play_out
from archipel.study.executors.executor import open_executor
from archipel.study.fitting.reliability import (
    bins_of,
    distance,
    draw_reliability,
    fit_correction,
    reliability,
)
from archipel.study.resumable_file import appending, whole_lines

#: Name by which a worker finds its function.
WORK = "archipel.study.fitting.calibrate:play_task"

USUAL_GAMES = 1200
#: Evaluated decisions per game, and determinizations of each.
SAMPLES = 3
WORLDS = 192
#: Self-play uses a short search over the policy's first choices, as regular bots do.
SIMULATIONS = 24
SHORTLIST = 6


class Sample(Struct, frozen=True):
    """An evaluated decision: its number and the uncorrected win probabilities of all seats."""

    after: int
    decision: list[float]
    position: list[float]


class Played(Struct, frozen=True):
    """A game with its evaluated decisions."""

    number: int
    seats: int
    seed: int
    evaluation: str
    moves: int
    samples: list[Sample]
    result: list[float]


def evaluation_name(game: str) -> str:
    return version_of(evaluations_of(roster_of(game)))


def play_task(task: bytes) -> bytes:
    """Play a game and evaluate some of its decisions; equal tasks give equal games."""
    game, seed, number, levels = msgspec.json.decode(task, type=tuple[str, int, int, bool])
    definition = roster_of(game).definition
    seats = definition.seats[number % len(definition.seats)]
    key = stream_key(seed, number)
    options = definition.make_options(seats)
    chance, players = Stream(stream_key(key, 0)), [_searcher(game)] * seats
    if levels:
        drawn = draw_levels(game, seats, Stream(stream_key(key, 1 << 42)))
        players = [_level(game, config) for config in drawn]
    state = definition.new(options, chance)
    visited: list[tuple[int, Any]] = []

    def choose(seat: int, legal: list[int], decisions: int) -> int:
        view = definition.recalled(state, seat)
        found = players[seat].search(view, seed=stream_key(key, 1 + decisions))
        if len(found.candidates) > 1:
            visited.append((decisions, clone(state)))
        return found.action

    *_, moves = play_out(definition, state, chance, choose)
    outcome = definition.outcome(state)
    assert outcome is not None
    share = 1 / len(outcome.winners)
    picks = Stream(stream_key(key, 1 << 40))
    chosen = sorted({picks.draw(len(visited)) for _ in range(SAMPLES)}) if visited else []
    samples = [_sample(game, seats, *visited[place], key) for place in chosen]
    result = [share if seat in outcome.winners else 0.0 for seat in range(seats)]
    played = Played(number, seats, seed, evaluation_name(game), moves, samples, result)
    return msgspec.json.encode(played)


def _sample(game: str, seats: int, after: int, state: Any, key: int) -> Sample:
    """Evaluate a decision from the seat's view, and the position with full information."""
    definition = roster_of(game).definition
    by_view, to_the_end = _rollouts(game, seats)
    seed = stream_key(key, (1 << 41) + after)
    view = definition.recalled(state, definition.to_move(state))
    _, advice = by_view.begin(view, seed)
    decision = by_view.evaluate(view, seed, [advice], 0, WORLDS)[0]
    _, advice = to_the_end.begin(view, seed)
    position = to_the_end.evaluate(state, seed, [advice], 0, WORLDS)[0]
    means = decision.means, position.means
    return Sample(after, *([round(chance, 5) for chance in chances] for chances in means))


@cache
def _searcher(game: str) -> Searcher:
    by, few = evaluations_of(roster_of(game)).decision, SHORTLIST
    config = SearchConfig(
        SIMULATIONS, policy=by.policy, horizon=by.horizon, evaluation=by.weights, shortlist=few
    )
    return Searcher(roster_of(game), config, search_backend(game))


def draw_levels(game: str, seats: int, chance: Stream) -> list[SearchConfig]:
    """Draw a level below the master for each seat: none twice before each has come once."""
    drawn: list[SearchConfig] = []
    left: list[SearchConfig] = []
    for _ in range(seats):
        left = left or [level.config for level in levels_of(game)[:-1]]
        drawn.append(left.pop(chance.draw(len(left))))
    return drawn


@cache
def _level(game: str, config: SearchConfig) -> Searcher:
    return Searcher(roster_of(game), config, search_backend(game))


@cache
def _rollouts(game: str, seats: int) -> list[PairedRollouts]:
    """Rollouts for decisions and for positions."""
    roster, backend = roster_of(game), load_backend(analysis_program(game))
    by = evaluations_of(roster)
    return [PairedRollouts(roster, each, seats, backend) for each in (by.decision, by.position)]


def read_played(game: str, file: Path, seed: int) -> dict[int, Played]:
    """Games in the file with this seed and evaluation."""
    found: dict[int, Played] = {}
    if not file.exists():
        return found
    for line in whole_lines(file):
        try:
            played = msgspec.json.decode(line, type=Played)
        except msgspec.DecodeError:
            continue
        if (played.seed, played.evaluation) == (seed, evaluation_name(game)):
            found[played.number] = played
    return found


def play_missing(
    game: str, file: Path, games: int, seed: int, processes: int, levels: bool = False
) -> Iterator[tuple[int, int]]:
    """Play the missing games and append them; yields games done and games in all."""
    have = read_played(game, file, seed)
    missing = [(game, seed, number, levels) for number in range(games) if number not in have]
    done = games - len(missing)
    yield done, games
    if not missing:
        return
    for program in (search_program(game), analysis_program(game)):
        load_backend(program)  # compile once, before the processes start
    with appending(file) as kept, open_executor(workers=processes) as executor:
        for played in executor.map(WORK, map(msgspec.json.encode, missing)):
            done += 1
            kept.append(msgspec.json.decode(played, type=Played))
            yield done, games


def corrections_from(played: Sequence[Played]) -> dict[str, Corrections]:
    """Corrections of both evaluations for each number of seats."""
    found: dict[str, Corrections] = {}
    for seats in sorted({game.seats for game in played}):
        games = [game for game in played if game.seats == seats]
        pairs = pairs_of(games, "decision"), pairs_of(games, "position")
        found[str(seats)] = Corrections(*map(fit_correction, pairs))
    return found


def pairs_of(games: Sequence[Played], name: str) -> list[tuple[list[float], list[float]]]:
    """Predicted and actual win shares."""
    return [(getattr(sample, name), game.result) for game in games for sample in game.samples]


def corrected_distance(game: str, played: Sequence[Played], name: str) -> float:
    """The mean distance between the displayed chances, with shipped corrections, and win shares."""
    pairs = []
    for each in played:
        correction = getattr(corrections_of(roster_of(game), each.seats), name)
        pairs += [(correction.apply(chances), won) for chances, won in pairs_of([each], name)]
    return distance(bins_of(pairs))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m archipel.study.fitting.calibrate",
        description="Measure and correct predicted win probabilities.",
    )
    parser.add_argument("game")
    parser.add_argument("--levels", action="store_true")
    parser.add_argument("--games", type=int, default=USUAL_GAMES)
    parser.add_argument("--workers", "--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("docs/studies/calibration"))
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    file = given.folder / f"{given.game}{'-levels' if given.levels else ''}.jsonl"
    playing = play_missing(given.game, file, given.games, given.seed, given.workers, given.levels)
    for done, games in playing:
        if done % 20 == 0 or done == games:
            print(f"{given.game}: {done} of {games} games", file=sys.stderr, flush=True)
    every = read_played(given.game, file, given.seed)
    played = [every[number] for number in sorted(every) if number < given.games]
    if given.levels:
        samples = sum(len(each.samples) for each in played)
        for name in ("decision", "position"):
            found = corrected_distance(given.game, played, name)
            print(f"{given.game}, {name}: {samples} samples, {found:.3f} from the diagonal")
        return 0
    target = Path(analysis.__file__).parent / "data" / f"correction.{given.game}.json"
    name, fitted = evaluation_name(given.game), corrections_from(played)
    written = {"evaluation": name, "games": len(played), "seats": fitted}
    target.write_bytes(msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n")
    for name in ("decision", "position"):
        summary = reliability([(g.seats, g.number, pairs_of([g], name)) for g in played])
        picture = draw_reliability(f"{given.game}, {name}, {len(played)} games", summary)
        (given.folder / f"{given.game}-{name}.svg").write_text(picture, encoding="utf-8")
        print(f"{given.game}, {name}: {summary}")
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
