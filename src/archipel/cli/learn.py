"""``archipel learn``: train a PPO baseline against bots and show its learning curve."""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archipel.bots import Level, player_named
from archipel.cli.argument_values import find_game, make_options, number_given, whole_number
from archipel.cli.errors import UserError
from archipel.cli.output import decimal, progress_bar
from archipel.cli.record_files import check_can_save
from archipel.cli.study_arguments import known_bot
from archipel.rules.catalogue import Catalogue
from archipel.rules.data_files import reason_of
from archipel.study import Progress
from archipel.study.reports.charts import curve_with_band
from archipel.study.statistics import Interval, distribution_mean, share_interval, wilson

if TYPE_CHECKING:
    from archipel.envs.learn.learning_curve import Point
    from archipel.envs.learn.ppo import Learner
    from archipel.envs.learn.settings import Settings

FORMAT = "archipel-learning-1"
DEFAULT_MINUTES = 10.0
MAX_MINUTES = 10_000.0
DEFAULT_TARGET = 0.75
DEFAULT_GAMES = 4000
DEFAULT_POINTS = 40
MAX_POINTS = 10_000
#: Games per point of the learning curve.
GAMES_A_POINT = 256
MAX_GAMES = 10**6
MAX_ENVS = 10**6
MAX_DECISIONS = 10**12
#: Steps of the progress bar.
PARTS = 1000


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    if find_spec("torch") is None:
        raise UserError("learn.extra")
    # Imported late: it needs PyTorch.
    from archipel.envs.learn.evaluator import FINAL_TEST, Evaluator
    from archipel.envs.learn.ppo import Learner
    from archipel.envs.learn.settings import CPU

    for file in (arguments.save, arguments.learning_curve, arguments.draw):
        if file is not None:
            check_can_save(Path(file), may_replace=True)
    settings = _settings(arguments)
    minutes = _fraction("--minutes", arguments.minutes, DEFAULT_MINUTES, MAX_MINUTES)
    target = _fraction("--target", arguments.target, DEFAULT_TARGET, 1.0)
    games = number_given("--games", arguments.games, DEFAULT_GAMES, MAX_GAMES)
    often = number_given("--points", arguments.points, DEFAULT_POINTS, MAX_POINTS)
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
    evaluator = Evaluator(settings, games, FINAL_TEST)
    share, interval = _mean(evaluator.win_shares(learner.policy))
    evaluator.close()
    result = {
        "format": FORMAT,
        "settings": settings.to_json(),
        "points": [point.to_dict() for point in points],
        "target": target,
        "judged": {
            "games": evaluator.games,
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
        print(
            words.say("learn.done", games=evaluator.games, rate=ends[0], low=ends[1], high=ends[2])
        )
    return 0 if share >= target else 1


def _settings(arguments: argparse.Namespace) -> Settings:
    import torch

    from archipel.envs.learn.settings import CUDA, DEVICES, Settings

    usual = Settings()
    game = find_game(arguments.game or usual.game)
    seats = usual.seats
    if arguments.seats is not None:
        seats = whole_number("--seats", arguments.seats, 2, 99)
    make_options(game, seats, [])  # checks the number of seats
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
        decisions = whole_number("--decisions", arguments.decisions, 0, MAX_DECISIONS)

    def fraction(name: str) -> float:
        option = f"--{name.replace('_', '-')}"
        return _fraction(option, getattr(arguments, name), getattr(usual, name), 1.0)

    return Settings(
        game=game.name,
        opponents=opponents,
        seats=seats,
        decisions=decisions,
        envs=number_given("--envs", arguments.envs, usual.envs, MAX_ENVS),
        steps=number_given("--steps", arguments.steps, usual.steps, 10_000),
        epochs=number_given("--epochs", arguments.epochs, usual.epochs, 100),
        minibatches=number_given("--minibatches", arguments.minibatches, usual.minibatches, 10_000),
        learning_rate=fraction("learning_rate"),
        margin_reward=fraction("margin_reward"),
        gae_lambda=fraction("gae_lambda"),
        entropy_coef=fraction("entropy_coef"),
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
    if not 0 <= value <= most:  # false for NaN, too
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
    """Train to the end, or until the lower end of the interval reaches the target."""
    from archipel.envs.learn.evaluator import VALIDATION, Evaluator
    from archipel.envs.learn.learning_curve import learning

    evaluator = Evaluator(learner.settings, GAMES_A_POINT, VALIDATION)
    points: list[Point] = []
    try:
        with progress_bar(words, "learn.learning") as on_progress:
            for point in learning(learner, evaluator, seconds, often):
                points.append(point)
                on_progress(Progress(int(PARTS * point.done), PARTS))
                if not arguments.json:
                    print(_line(point, words), flush=True)
                low = wilson(point.share * point.games, point.games).low
                if target is not None and low >= target:
                    break
    except KeyboardInterrupt:
        print(f"archipel: {words.say('learn.stopped')}", file=sys.stderr)
    evaluator.close()
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
    """Mean win share and its 95 % interval."""
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
        if arguments.learning_curve is not None:
            file = arguments.learning_curve
            Path(file).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        if arguments.draw is not None and points:
            file = arguments.draw
            drawn = drawing(settings, points, result["target"], words)
            Path(file).write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise UserError("error.write", file=file, reason=reason_of(error)) from None


def drawing(settings: Settings, points: list[Point], target: float, words: Catalogue) -> str:
    """The learning curve with its 95 % intervals as SVG."""
    title = words.say(
        "learn.title", game=settings.game, seats=settings.seats, opponents=settings.opponents
    )
    around = [wilson(point.share * point.games, point.games) for point in points]
    drawn = [(point.seconds, point.share) for point in points]
    return curve_with_band(title, drawn, [(one.low, one.high) for one in around], target)
