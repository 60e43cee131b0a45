"""Do positions with a stated chance of 30 % get won in 30 % of cases?  Play, note, fit, draw.

usage: python -m archipel.study.calibrate GAME [--games N] [--processes N] [--seed N] [--folder DIR]

Games of searching bots against themselves are played, a few decisions of each are weighed as an
analysis weighs them, and both are kept in ``DIR/GAME.jsonl``, one game a line: call it again to go
on after an interruption.  Then the corrections are fitted (``analysis/data/correction.GAME.json``)
and the reliability is drawn (``DIR/GAME.svg``).
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from archipel import analysis
from archipel.analysis.evaluation import Corrections, evaluations_of, version_of
from archipel.analysis.programs import analysis_program
from archipel.analysis.scales import Scales
from archipel.bots import roster_of
from archipel.bots.search.plan import Plan
from archipel.bots.search.programs import search_backend, search_program
from archipel.bots.search.searcher import Searcher
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.kit.loading import load_backend
from archipel.study.growing_files import appending, whole_lines
from archipel.study.reliability import draw_reliability, fit_correction, reliability

USUAL_GAMES = 1200
#: Decisions that are weighed in each game, and worlds for each.
SAMPLES = 3
WORLDS = 192
#: Self-play thinks a little: the better of the policy's first choices, as its regular bots do.
SIMULATIONS = 24
SHORTLIST = 6
MOST_DECISIONS = 20_000


class Sample(Struct, frozen=True):
    """A decision: after how many moves, and everybody's stated chances, uncorrected."""

    after: int
    decision: list[float]
    position: list[float]


class Played(Struct, frozen=True):
    """A game that was played and weighed."""

    number: int
    seats: int
    seed: int
    evaluation: str
    moves: int
    samples: list[Sample]
    result: list[float]


Task = tuple[str, int, int]


def evaluation_name(game: str) -> str:
    return version_of(evaluations_of(roster_of(game)))


def play_and_weigh(task: Task) -> Played:
    """One game; equal tasks, equal games."""
    game, seed, number = task
    definition = roster_of(game).definition
    seats = definition.seats[number % len(definition.seats)]
    key = stream_key(seed, number)
    options = definition.make_options(seats)
    chance, searcher = Stream(stream_key(key, 0)), _searcher(game)
    state = definition.new(options, chance)
    visited: list[tuple[int, Any]] = []
    moves = 0
    while (seat := definition.to_move(state)) >= 0 and moves < MOST_DECISIONS:
        view = definition.recalled(state, seat)
        thought = searcher.think(view, seed=stream_key(key, 1 + moves))
        if len(thought.candidates) > 1:
            visited.append((moves, clone(state)))
        definition.apply(state, thought.action, chance)
        moves += 1
    outcome = definition.outcome(state)
    if outcome is None:
        raise RuntimeError(f"{game}, game {number}: no end within {MOST_DECISIONS} decisions")
    share = 1 / len(outcome.winners)
    choose = Stream(stream_key(key, 1 << 40))
    chosen = sorted({choose.draw(len(visited)) for _ in range(SAMPLES)}) if visited else []
    samples = [_sample(game, seats, *visited[place], key) for place in chosen]
    result = [share if seat in outcome.winners else 0.0 for seat in range(seats)]
    return Played(number, seats, seed, evaluation_name(game), moves, samples, result)


def _sample(game: str, seats: int, after: int, state: Any, key: int) -> Sample:
    """What an analysis would say: of the decision by the view, of the position by all there is."""
    definition = roster_of(game).definition
    by_view, to_the_end = _scales(game, seats)
    seed = stream_key(key, (1 << 41) + after)
    view = definition.recalled(state, definition.to_move(state))
    _, advice = by_view.begin(view, seed)
    decision = by_view.weigh(view, seed, [advice], 0, WORLDS)[0]
    _, advice = to_the_end.begin(view, seed)
    position = to_the_end.weigh(state, seed, [advice], 0, WORLDS)[0]
    return Sample(after, _rounded(decision.means), _rounded(position.means))


def _rounded(chances: Sequence[float]) -> list[float]:
    return [round(chance, 5) for chance in chances]


@cache
def _searcher(game: str) -> Searcher:
    decision = evaluations_of(roster_of(game)).decision
    plan = Plan(
        SIMULATIONS,
        policy=decision.policy,
        horizon=decision.horizon,
        appraisal=decision.appraisal,
        shortlist=SHORTLIST,
    )
    return Searcher(roster_of(game), plan, search_backend(game))


@cache
def _scales(game: str, seats: int) -> tuple[Scales, Scales]:
    roster, backend = roster_of(game), load_backend(analysis_program(game))
    evaluations = evaluations_of(roster)
    return (
        Scales(roster, evaluations.decision, seats, backend),
        Scales(roster, evaluations.position, seats, backend),
    )


# ---- the file -----------------------------------------------------------------------------------


def read_played(game: str, file: Path, seed: int) -> dict[int, Played]:
    """What was played already, by this seed and evaluation."""
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
    game: str, file: Path, games: int, seed: int, processes: int
) -> Iterator[tuple[int, int]]:
    """Play what the file lacks, appending each game as it gets done; how many are there, of all."""
    have = read_played(game, file, seed)
    missing = [(game, seed, number) for number in range(games) if number not in have]
    done = games - len(missing)
    yield done, games
    if not missing:
        return
    for program in (search_program(game), analysis_program(game)):
        load_backend(program)  # once, before the processes want it
    with appending(file) as kept:
        if processes == 1:
            for task in missing:
                done += 1
                kept.append(play_and_weigh(task))
                yield done, games
            return
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            for played in pool.imap_unordered(play_and_weigh, missing, chunksize=2):
                done += 1
                kept.append(played)
                yield done, games


# ---- the fit ------------------------------------------------------------------------------------


def corrections_from(played: Sequence[Played]) -> dict[str, Corrections]:
    """For each number of seats, the corrections of both evaluations."""
    found: dict[str, Corrections] = {}
    for seats in sorted({game.seats for game in played}):
        games = [game for game in played if game.seats == seats]
        found[str(seats)] = Corrections(
            *(fit_correction(pairs_of(games, name)) for name in ("decision", "position"))
        )
    return found


def pairs_of(games: Sequence[Played], name: str) -> list[tuple[list[float], list[float]]]:
    """Stated chances and what came of them."""
    return [(getattr(sample, name), game.result) for game in games for sample in game.samples]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m archipel.study.calibrate",
        description="Measure how good stated chances are, and correct them.",
    )
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=USUAL_GAMES)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("docs/studies/calibration"))
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    file = given.folder / f"{given.game}.jsonl"
    for done, games in play_missing(given.game, file, given.games, given.seed, given.processes):
        if done % 20 == 0 or done == games:
            print(f"{given.game}: {done} of {games} games", file=sys.stderr, flush=True)
    every = read_played(given.game, file, given.seed)
    played = [every[number] for number in sorted(every) if number < given.games]
    fitted = corrections_from(played)
    target = Path(analysis.__file__).parent / "data" / f"correction.{given.game}.json"
    written = {
        "evaluation": evaluation_name(given.game),
        "games": len(played),
        "seats": msgspec.to_builtins(fitted),
    }
    target.write_bytes(msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n")
    for name in ("decision", "position"):
        found = reliability([(g.seats, g.number, pairs_of([g], name)) for g in played])
        picture = draw_reliability(f"{given.game}, {name}, {len(played)} games", found)
        (given.folder / f"{given.game}-{name}.svg").write_text(picture, encoding="utf-8")
        print(f"{given.game}, {name}: {found}")
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
