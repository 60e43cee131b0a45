"""``archipel learn``: a baseline that learns a game against bots, and shows how it went."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archipel.bots import Level, player_named
from archipel.cli.choosing import find_game, make_options, whole_number
from archipel.cli.errors import UserError
from archipel.cli.figures import decimal
from archipel.cli.files import check_can_save
from archipel.cli.match import known_bot
from archipel.cli.progress import progress_bar
from archipel.cli.simulate import number_given
from archipel.rules.catalogue import Catalogue
from archipel.rules.data_files import reason_of
from archipel.study import Progress
from archipel.study.statistics import Interval, distribution_mean, share_interval, wilson

if TYPE_CHECKING:
    from archipel.envs.learn.points import Point
    from archipel.envs.learn.ppo import Learner
    from archipel.envs.learn.settings import Settings

FORMAT = "archipel-learning-1"
USUAL_MINUTES = 10.0
LONGEST_MINUTES = 10_000.0
USUAL_TARGET = 0.75
USUAL_GAMES = 4000
USUAL_POINTS = 40
MOST_POINTS = 10_000
#: That each point of the curve is judged by.
GAMES_A_POINT = 256
MOST_GAMES = 10**6
MOST_LANES = 10**6
MOST_DECISIONS = 10**12
#: Of the progress bar.
PARTS = 1000


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    if find_spec("torch") is None:
        raise UserError("learn.extra")
    # Only now: it needs what the extra brings.
    from archipel.envs.learn.judge import FOR_THE_LAST_WORD, Judge
    from archipel.envs.learn.ppo import Learner
    from archipel.envs.learn.settings import CPU

    for file in (arguments.save, arguments.curve, arguments.draw):
        if file is not None:
            check_can_save(Path(file), may_replace=True)
    settings = _settings(arguments)
    minutes = _fraction("--minutes", arguments.minutes, USUAL_MINUTES, LONGEST_MINUTES)
    target = _fraction("--target", arguments.target, USUAL_TARGET, 1.0)
    games = number_given("--games", arguments.games, USUAL_GAMES, MOST_GAMES)
    often = number_given("--points", arguments.points, USUAL_POINTS, MOST_POINTS)
    try:
        learner = Learner(settings)
    except (ImportError, RuntimeError) as error:
        if settings.device == CPU:
            raise
        raise UserError("learn.no_batch", reason=error) from None
    points = _learn(
        learner, 60 * minutes, often, None if arguments.whole else target, arguments, words
    )
    learner.close()
    judge = Judge(settings, games, FOR_THE_LAST_WORD)
    share, interval = _mean(judge.shares(learner.policy))
    judge.close()
    result = {
        "format": FORMAT,
        "settings": asdict(settings),
        "points": [point.to_dict() for point in points],
        "target": target,
        "judged": {
            "games": judge.games,
            "share": share,
            "low": interval.low,
            "high": interval.high,
        },
    }
    _write(arguments, learner, result, points, words)
    if arguments.json:
        print(json.dumps(result, indent=1))
    else:
        ends = [decimal(100 * end, words) for end in (share, interval.low, interval.high)]
        print(words.say("learn.done", games=judge.games, rate=ends[0], low=ends[1], high=ends[2]))
    return 0 if share >= target else 1


def _settings(arguments: argparse.Namespace) -> Settings:
    import torch

    from archipel.envs.learn.settings import CUDA, DEVICES, Settings

    usual = Settings()
    game = find_game(arguments.game or usual.game)
    seats = usual.seats
    if arguments.seats is not None:
        seats = whole_number("--seats", arguments.seats, 2, 99)
    make_options(game, seats, [])  # whether so many can play
    device = arguments.device or usual.device
    if device not in DEVICES:
        raise UserError("learn.device", device=device, known=", ".join(DEVICES))
    if device == CUDA and not torch.cuda.is_available():
        raise UserError("learn.no_card")
    opponents = known_bot(game.name, arguments.opponents or usual.opponents, {})
    if device == CUDA and isinstance(player_named(game.name, opponents), Level):
        raise UserError("learn.searches", name=opponents)
    decisions = usual.decisions
    if arguments.decisions is not None:
        decisions = whole_number("--decisions", arguments.decisions, 0, MOST_DECISIONS)
    return Settings(
        game=game.name,
        opponents=opponents,
        seats=seats,
        decisions=decisions,
        lanes=number_given("--lanes", arguments.lanes, usual.lanes, MOST_LANES),
        steps=number_given("--steps", arguments.steps, usual.steps, 10_000),
        rounds=number_given("--rounds", arguments.rounds, usual.rounds, 100),
        pieces=number_given("--pieces", arguments.pieces, usual.pieces, 10_000),
        rate=_fraction("--rate", arguments.rate, usual.rate, 1.0),
        margin=_fraction("--margin", arguments.margin, usual.margin, 1.0),
        smoothing=_fraction("--smoothing", arguments.smoothing, usual.smoothing, 1.0),
        curiosity=_fraction("--curiosity", arguments.curiosity, usual.curiosity, 1.0),
        hidden=number_given("--hidden", arguments.hidden, usual.hidden, 10_000),
        seed=number_given("--seed", arguments.seed, usual.seed, 10**9),
        threads=number_given("--threads", arguments.threads, usual.threads, 1024),
        device=device,
    )


def _fraction(name: str, text: str | None, usual: float, most: float) -> float:
    if text is None:
        return usual
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:  # what is not a number is neither
        raise UserError("learn.number", name=name, text=text, most=int(most))
    return value


def _learn(
    learner: Learner,
    seconds: float,
    often: int,
    target: float | None,
    arguments: argparse.Namespace,
    words: Catalogue,
) -> list[Point]:
    """Until all is done or, where a target is given, chance does not explain that it is reached."""
    from archipel.envs.learn.judge import FOR_THE_CURVE, Judge
    from archipel.envs.learn.points import learning

    judge = Judge(learner.settings, GAMES_A_POINT, FOR_THE_CURVE)
    points: list[Point] = []
    try:
        with progress_bar(words, "learn.learning") as on_progress:
            for point in learning(learner, judge, seconds, often):
                points.append(point)
                on_progress(Progress(int(PARTS * point.done), PARTS))
                if not arguments.json:
                    print(_line(point, words), flush=True)
                low = wilson(point.share * point.games, point.games).low
                if target is not None and low >= target:
                    break
    except KeyboardInterrupt:
        print(f"archipel: {words.say('learn.stopped')}", file=sys.stderr)
    judge.close()
    return points


def _line(point: Point, words: Catalogue) -> str:
    return words.say(
        "learn.point",
        seconds=f"{point.seconds:6.0f}",
        processor=f"{point.processor_seconds:6.0f}",
        decisions=f"{point.decisions:12}",
        share=f"{decimal(100 * point.share, words):>5}",
    )


def _mean(found: dict[float, int]) -> tuple[float, Interval]:
    """Of shares of first place, with its 95 % interval."""
    shares = {Fraction(share).limit_denominator(99): count for share, count in found.items()}
    return float(distribution_mean(shares)), share_interval(shares)


def _write(
    arguments: argparse.Namespace,
    learner: Learner,
    result: dict[str, Any],
    points: list[Point],
    words: Catalogue,
) -> None:
    settings = learner.settings
    file = ""
    try:
        if arguments.save is not None:
            file = arguments.save
            learner.policy.save(Path(file))
        if arguments.curve is not None:
            file = arguments.curve
            Path(file).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        if arguments.draw is not None and points:
            file = arguments.draw
            drawn = drawing(settings, points, result["target"], words)
            Path(file).write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise UserError("error.write", file=file, reason=reason_of(error)) from None


def drawing(settings: Settings, points: list[Point], target: float, words: Catalogue) -> str:
    """The curve, with a 95 % interval around it."""
    from archipel.envs.learn.curve import draw_curve

    title = words.say(
        "learn.title", game=settings.game, seats=settings.seats, opponents=settings.opponents
    )
    around = [wilson(point.share * point.games, point.games) for point in points]
    return draw_curve(title, points, [(one.low, one.high) for one in around], target)
