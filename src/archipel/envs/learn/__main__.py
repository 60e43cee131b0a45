"""``python -m archipel.envs.learn``: learn a game by PPO, and show how it went.

python -m archipel.envs.learn                        two-player Deep Sea against random play
python -m archipel.envs.learn --minutes 2 --json     as JSON, after two minutes at most
python -m archipel.envs.learn --opponents greedy-1 --minutes 30 --save policy.npz
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

NEEDED = "archipel: learning needs PyTorch and Gymnasium: install archipel[learn]"


def main(arguments: list[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    if find_spec("torch") is None or find_spec("gymnasium") is None:
        print(
            "archipel: learning needs PyTorch and Gymnasium: install archipel[learn]",
            file=sys.stderr,
        )
        return 2
    from archipel.envs.learn.curve import draw_curve
    from archipel.envs.learn.points import Point
    from archipel.envs.learn.ppo import Learner, Settings, evaluate, learning

    given = {f.name: getattr(asked, f.name) for f in fields(Settings) if hasattr(asked, f.name)}
    settings = Settings(**given)
    try:
        learner = Learner(settings)
    except (ValueError, KeyError) as error:
        print(f"archipel: {error}", file=sys.stderr)
        return 2
    points: list[Point] = []
    try:
        for point in learning(learner, 60 * asked.minutes):
            points.append(point)
            if not asked.json:
                print(_line(point), flush=True)
            if point.share >= asked.target and not asked.whole:
                break
    except KeyboardInterrupt:
        print("archipel: stopped; what was learnt so far counts", file=sys.stderr)
    learner.close()
    games, share = evaluate(learner.policy, settings, asked.games, seed=settings.seed + 10**9)
    result: dict[str, Any] = {
        "format": "archipel-learning-1",
        "settings": asdict(settings),
        "points": [point.to_dict() for point in points],
        "evaluated_games": games,
        "evaluated_share": share,
    }
    if asked.save is not None:
        learner.policy.save(asked.save)
    if asked.curve is not None:
        asked.curve.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if asked.drawing is not None and points:
        title = f"{settings.game}, {settings.seats} seats, against {settings.opponents}"
        asked.drawing.write_text(draw_curve(title, points, asked.target), encoding="utf-8")
    if asked.json:
        print(json.dumps(result, indent=1))
    else:
        print(f"afterwards: {100 * share:.1f} % of first place in {games} games of other seeds")
    return 0 if share >= asked.target else 1


def _line(point: Any) -> str:
    return (
        f"{point.seconds:7.1f} s  {point.processor_seconds:7.1f} s of processor  "
        f"{point.decisions:10,} decisions  {point.games:8,} games  {100 * point.share:5.1f} %"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m archipel.envs.learn",
        description="Learn a game by proximal policy optimisation on the vector environment.",
        epilog=__doc__.split("\n\n", 1)[1] if __doc__ else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", nargs="?", default="deep-sea", help="which game (deep-sea)")
    parser.add_argument("--opponents", default="random", help="the bot on all other seats (random)")
    parser.add_argument("--seats", type=int, default=2, help="how many play (2)")
    parser.add_argument("--minutes", type=float, default=10, help="at most so long (10)")
    parser.add_argument("--target", type=float, default=0.75, help="the share to reach (0.75)")
    parser.add_argument("--whole", action="store_true", help="go on after the target is reached")
    parser.add_argument("--games", type=int, default=4000, help="games to evaluate with (4000)")
    parser.add_argument("--lanes", type=int, default=256, help="games side by side (256)")
    parser.add_argument("--steps", type=int, default=64, help="decisions between updates (64)")
    parser.add_argument("--seed", type=int, default=1, help="equal seed, equal learning (1)")
    parser.add_argument("--threads", type=int, default=1, help="threads of the games (1)")
    parser.add_argument("--device", default="cpu", help="where PyTorch computes (cpu)")
    parser.add_argument("--curve", type=Path, help="write the points here, as JSON")
    parser.add_argument("--drawing", type=Path, help="draw the curve here, as SVG")
    parser.add_argument("--save", type=Path, help="keep the policy here, as plain arrays (.npz)")
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
