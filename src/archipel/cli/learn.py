"""``archipel learn``: train a PPO baseline and show its learning curve."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import fields, replace
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archipel.bots import Level, player_named
from archipel.cli.argument_values import find_game, make_options
from archipel.cli.errors import UserError
from archipel.cli.output import decimal, progress_bar
from archipel.cli.players import resolve_bot
from archipel.cli.record_files import check_can_save, reports_os_errors, write_file
from archipel.rules.catalogue import Catalogue
from archipel.study import Progress
from archipel.study.reports.charts import curve_with_band
from archipel.study.statistics import distribution_mean, share_interval, wilson

if TYPE_CHECKING:
    from archipel.envs.dataset import Dataset
    from archipel.envs.learn.learning_curve import Point
    from archipel.envs.learn.ppo import Learner
    from archipel.envs.learn.settings import Settings

FORMAT = "archipel-learning-2"
#: Games per point of the learning curve.
GAMES_A_POINT = 256
#: Steps of the progress bar.
PARTS = 1000


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    if find_spec("torch") is None:
        raise UserError("learn.extra")
    # Imported late: it needs PyTorch.
    from archipel.envs.learn.evaluator import FINAL_TEST, Evaluator
    from archipel.envs.learn.ppo import Learner
    from archipel.envs.learn.settings import CPU

    for file in (arguments.save, arguments.learning_curve, arguments.draw, arguments.csv):
        if file is not None:
            check_can_save(Path(file), may_replace=True)
    settings = _settings(arguments)
    dataset = _dataset(arguments.imitate, settings.game) if arguments.imitate else None
    try:
        learner = Learner(settings)
    except (ImportError, RuntimeError) as error:
        if settings.device == CPU:
            raise
        raise UserError("learn.no_batch", reason=error) from None
    imitated = {} if dataset is None else _imitate(learner, dataset)
    points = _learn(learner, arguments, words)
    learner.close()
    evaluator = Evaluator(settings, arguments.games, FINAL_TEST)
    found = evaluator.win_shares(learner.policy)
    evaluator.close()
    shares = {Fraction(share).limit_denominator(99): count for share, count in found.items()}
    share, interval = float(distribution_mean(shares)), share_interval(shares)
    result = {
        "format": FORMAT,
        "settings": settings.to_json(),
        **imitated,
        "points": [point.to_dict() for point in points],
        "target": arguments.target,
        "final_evaluation": {
            "games": evaluator.games,
            "win_share": share,
            "low": interval.low,
            "high": interval.high,
        },
    }
    document = json.dumps(result, indent=1)
    if arguments.save is not None:
        with reports_os_errors(Path(arguments.save)):
            learner.policy.save(Path(arguments.save))
    if arguments.learning_curve is not None:
        write_file(Path(arguments.learning_curve), f"{document}\n")
    if arguments.draw is not None and points:
        write_file(Path(arguments.draw), drawing(settings, points, arguments.target, words))
    ends = [decimal(100 * end, words) for end in (share, interval.low, interval.high)]
    done = words.say("learn.done", games=evaluator.games, rate=ends[0], low=ends[1], high=ends[2])
    print(document if arguments.json else done)
    return 0 if share >= arguments.target else 1


def _settings(arguments: argparse.Namespace) -> Settings:
    import torch

    from archipel.envs.learn.settings import CUDA, DEVICES, GRAPH, NETWORKS, SELF, Settings
    from archipel.envs.structured import NoGraphError, graph_of

    given = {
        field.name: value
        for field in fields(Settings)
        if (value := getattr(arguments, field.name, None)) is not None
    }
    settings = Settings(**given)
    game = find_game(settings.game)
    make_options(game, settings.seats, [])  # checks the number of seats
    if settings.device not in DEVICES:
        raise UserError("learn.device", device=settings.device, known=", ".join(DEVICES))
    if settings.network not in NETWORKS:
        raise UserError("learn.network", network=settings.network, known=", ".join(NETWORKS))
    if settings.network == GRAPH:
        try:
            graph_of(game.name)
        except NoGraphError:
            raise UserError("learn.no_graph", game=game.name) from None
    if settings.device == CUDA and not torch.cuda.is_available():
        raise UserError("learn.no_card")
    opponents, judged_by = settings.opponents, settings.evaluation_opponents
    if opponents == SELF:
        judged_by = judged_by or "random"
    else:
        opponents = resolve_bot(game.name, opponents, {})
    if judged_by:
        judged_by = resolve_bot(game.name, judged_by, {})
    for name in {opponents, judged_by} - {SELF, ""}:
        if settings.device == CUDA and isinstance(player_named(game.name, name), Level):
            raise UserError("learn.searches", name=name)
    return replace(settings, game=game.name, opponents=opponents, evaluation_opponents=judged_by)


def _dataset(folder: str, game: str) -> Dataset:
    from archipel.envs.dataset import Dataset, DatasetError

    try:
        dataset = Dataset(folder)
        for number in range(len(dataset)):
            dataset.shard(number)  # checks it
    except DatasetError:
        dataset = None
    if dataset is None or dataset.plan.game != game:
        raise UserError("learn.dataset", folder=folder, game=game)
    return dataset


def _imitate(learner: Learner, dataset: Dataset) -> dict[str, Any]:
    """Imitate a dataset, and return what the result says about it."""
    from archipel.envs.learn.imitation import imitate

    *_, decisions = imitate(learner.policy, dataset, learner.settings.seed)
    plan = dataset.plan
    found = {"bots": plan.bots, "games": plan.games, "seed": plan.seed, "decisions": decisions}
    return {"imitated": found}


def _learn(learner: Learner, arguments: argparse.Namespace, words: Catalogue) -> list[Point]:
    """Train to the end, or until the lower end of the interval reaches the target."""
    from archipel.envs.learn.evaluator import VALIDATION, Evaluator
    from archipel.envs.learn.learning_curve import learning
    from archipel.envs.learn.logs import opened_logs

    evaluator = Evaluator(learner.settings, GAMES_A_POINT, VALIDATION)
    points: list[Point] = []
    try:
        with (
            progress_bar(words, "learn.learning") as on_progress,
            opened_logs(arguments.csv, arguments.tensorboard) as log,
        ):
            seconds = 60 * arguments.minutes
            for point in learning(learner, evaluator, seconds, arguments.points):
                points.append(point)
                log(point)
                on_progress(Progress(int(PARTS * point.progress), PARTS))
                if not arguments.json:
                    share = f"{decimal(100 * point.win_share, words):>5}"
                    figures = {
                        "seconds": f"{point.seconds:6.0f}",
                        "cpu": f"{point.cpu_seconds:6.0f}",
                        "timesteps": f"{point.timesteps:12}",
                    }
                    print(words.say("learn.point", share=share, **figures), flush=True)
                low = wilson(point.win_share * point.games, point.games).low
                if not arguments.whole and low >= arguments.target:
                    break
    except KeyboardInterrupt:
        print(f"archipel: {words.say('learn.stopped')}", file=sys.stderr)
    evaluator.close()
    return points


def drawing(settings: Settings, points: list[Point], target: float, words: Catalogue) -> str:
    """The learning curve with its 95 % intervals as SVG."""
    opponents = settings.against_bots().opponents
    title = words.say("learn.title", game=settings.game, seats=settings.seats, opponents=opponents)
    around = [wilson(point.win_share * point.games, point.games) for point in points]
    drawn = [(point.seconds, point.win_share) for point in points]
    return curve_with_band(title, drawn, [(one.low, one.high) for one in around], target)
