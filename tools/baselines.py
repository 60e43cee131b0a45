"""Train the baselines of the package, and write what they reached.

    python -m tools.baselines train     # policies and curves of the package
    python -m tools.baselines page      # tables and charts of docs/environments/learning.md

Equal commands give equal policies on one machine. Runs that are there already are left as they are:
delete a file to repeat its run.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy

from archipel.envs.learn import baselines
from archipel.envs.learn.baselines import KINDS
from archipel.rules.all_games import game_named
from archipel.study.reports.charts import learning_curves
from archipel.study.statistics import distribution_mean, share_interval

PAGE = Path(__file__).parents[1] / "docs" / "environments" / "learning.md"
RUNS = PAGE.with_suffix("")
FOLDER = baselines.FOLDER
BLOCK = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- /\1 -->", re.DOTALL)

#: Settings of `archipel learn` by game and kind.
TRAINING = {
    ("deep-sea", kind): f"--total-timesteps 1000000 {opponents} --points 10 --games 1000"
    for kind, opponents in (
        ("self-play", "--opponents self --evaluation-opponents greedy"),
        ("bots", "--opponents greedy"),
    )
}
GAMES = tuple(dict.fromkeys(game for game, _ in TRAINING))

#: The bots that the finished policies are tested against, and in how many games.
TESTED_AGAINST, TEST_GAMES = ("random", "greedy-1"), 400


def learn(game: str, settings: str, *files: str) -> dict[str, Any]:
    """Run `archipel learn` to the end, and return the learning curve."""
    command = ["learn", game, *shlex.split(settings), "--whole", "--target", "0"]
    print("archipel", *command, flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "archipel", *command, "--json", *files],
        check=True,
        capture_output=True,
        text=True,
    )
    curve: dict[str, Any] = json.loads(done.stdout)
    return {"command": f"archipel {shlex.join(command)}", **curve}


def write_curve(file: Path, curve: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(curve, indent=1) + "\n", "utf-8")


# ---- training -----------------------------------------------------------------------------------


def train() -> None:
    for (game, kind), settings in TRAINING.items():
        policy = FOLDER / f"{game}.{kind}.npz"
        if policy.exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "policy.npz"
            curve = learn(game, settings, "--save", str(file))
            pack(file, policy)
        curve["tests"] = [test(policy, curve["settings"], name) for name in TESTED_AGAINST]
        write_curve(policy.with_suffix(".json"), curve)


def pack(file: Path, packed: Path) -> None:
    """Write a policy file again with half as many bits per weight, compressed."""
    with numpy.load(file, allow_pickle=False) as kept:
        arrays = {name: kept[name] for name in kept.files}
    halves = {
        name: array.astype(numpy.float16) for name, array in arrays.items() if name != "about"
    }
    numpy.savez_compressed(packed, about=arrays["about"], **halves)


def test(policy: Path, settings: dict[str, Any], opponents: str) -> dict[str, Any]:
    """Let a finished policy play games that it was not trained on."""
    from archipel.envs.learn.evaluator import FINAL_TEST, Evaluator
    from archipel.envs.learn.policy import Policy
    from archipel.envs.learn.settings import Settings

    played = replace(Settings.from_json(settings), evaluation_opponents=opponents)
    evaluator = Evaluator(played, TEST_GAMES, FINAL_TEST)
    found = evaluator.win_shares(Policy.load(policy))
    evaluator.close()
    shares = {Fraction(share).limit_denominator(99): count for share, count in found.items()}
    interval = share_interval(shares)
    return {
        "opponents": opponents,
        "games": evaluator.games,
        "win_share": float(distribution_mean(shares)),
        "low": interval.low,
        "high": interval.high,
    }


# ---- the page -----------------------------------------------------------------------------------


def read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def points(curve: dict[str, Any]) -> list[tuple[float, float]]:
    return [(float(point["timesteps"]), point["win_share"]) for point in curve["points"]]


def judge(settings: dict[str, Any]) -> str:
    """The opponent of the learning curve."""
    return str(settings["evaluation_opponents"] or settings["opponents"])


def percent(result: dict[str, Any]) -> str:
    share, low, high = (100 * result[name] for name in ("win_share", "low", "high"))
    return f"{share:.1f} % ({low:.1f} to {high:.1f})"


def baseline_rows() -> Iterator[str]:
    heads = " | ".join(f"against {name}" for name in TESTED_AGAINST)
    yield f"| game | baseline | decisions | time | {heads} | file |"
    yield f"| --- | --- | --: | --: | {'--- | ' * len(TESTED_AGAINST)}--: |"
    for game, kind in TRAINING:
        policy = FOLDER / f"{game}.{kind}.npz"
        curve = read(policy.with_suffix(".json"))
        last = curve["points"][-1]
        shares = " | ".join(percent(result) for result in curve["tests"])
        time = f"{last['timesteps'] / 1e6:.1f} M | {last['cpu_seconds']:.0f} s"
        size = f"{policy.stat().st_size / 1000:.0f} kB"
        yield f"| {game} | `{kind}` | {time} | {shares} | {size} |"


def commands() -> Iterator[str]:
    yield "```sh"
    for game, kind in TRAINING:
        yield read(FOLDER / f"{game}.{kind}.json")["command"]
    yield "```"


def charts() -> dict[str, str]:
    """Charts by the stem of their file."""
    found = {}
    for game in GAMES:
        title = f"{game_named(game).title('en')}: baselines"
        curves = {kind: read(FOLDER / f"{game}.{kind}.json") for kind in KINDS}
        labels = {
            f"{kind}, against {judge(curve['settings'])}": [points(curve)]
            for kind, curve in curves.items()
        }
        found[f"baselines-{game}"] = learning_curves(title, labels)
    return found


def filled(page: str) -> str:
    """Return the page with its tables."""
    texts = {
        "baselines": "\n".join(baseline_rows()),
        "commands": "\n".join(commands()),
    }
    return BLOCK.sub(
        lambda found: f"<!-- {found[1]} -->\n{texts[found[1]]}\n<!-- /{found[1]} -->", page
    )


def write_page() -> None:
    for name, chart in charts().items():
        (RUNS / f"{name}.svg").write_text(chart, "utf-8")
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")


def main(arguments: Sequence[str]) -> int:
    if list(arguments) not in (["train"], ["page"]):
        print(__doc__)
        return 2
    if arguments[0] == "train":
        train()
    else:
        write_page()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
