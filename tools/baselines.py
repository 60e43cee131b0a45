"""Train the baselines of the package, and write what they reached.

    python -m tools.baselines train     # policies and curves of the package
    python -m tools.baselines compare   # networks over flat and structured observations
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
import time
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

OPPONENTS = {
    "self-play": "--opponents self --evaluation-opponents greedy",
    "bots": "--opponents greedy",
}
#: Games in which random play scores next to nothing: their policies begin by imitating a bot.
IMITATING = ("the-island", "atlantis", "mauna-kea")
#: Settings of `archipel dataset` for these games.
DATASETS = {
    game: f"--bots greedy --seats 2 --games 400 --per-shard 25 --seed 1 --to {game}-greedy"
    for game in IMITATING
}
#: A policy that can play already needs smaller steps, above all against itself.
STEPS = {
    "self-play": "--total-timesteps 400000 --learning-rate 0.0001",
    "bots": "--total-timesteps 800000 --learning-rate 0.0003",
}
#: Games in which a policy that imitated greedy wins nothing against it, and so learns nothing.
AGAINST_RANDOM = ("atlantis", "mauna-kea")
COMMON = (
    "--hidden-size 32 --n-steps 128 --minibatches 8 --gae-lambda 0.99 --entropy-coef 0.001"
    " --points 8 --games 100 --minutes 100"
)


def _opponents(game: str, kind: str) -> str:
    easier = kind == "bots" and game in AGAINST_RANDOM
    return "--opponents random" if easier else OPPONENTS[kind]


#: Settings of `archipel learn` by game and kind.
TRAINING = {
    ("deep-sea", kind): f"--total-timesteps 1000000 {opponents} --points 10 --games 1000"
    for kind, opponents in OPPONENTS.items()
} | {
    (game, kind): f"--imitate {game}-greedy {STEPS[kind]} {_opponents(game, kind)} {COMMON}"
    for game in IMITATING
    for kind in OPPONENTS
}
#: Comparison of the networks: equal decisions of a bot, and the same settings for both.
COMPARED = ("the-island", "atlantis")
COMPARED_SIZE, COMPARED_SEEDS, COMPARED_GAMES = 32, (1, 2, 3), 128
COMPARED_DATA = {
    "training": "--bots greedy --seats 2 --games 80 --per-shard 10 --seed 2",
    "held-out": "--bots greedy --seats 2 --games 10 --seed 3",
}
COMPARISON = RUNS / "comparison" / "networks.json"
GAMES = tuple(dict.fromkeys(game for game, _ in TRAINING))

#: The bots that the finished policies are tested against, and in how many games.
TESTED_AGAINST, TEST_GAMES = ("random", "greedy-1"), 400


def archipel(folder: str, *command: str) -> str:
    """Run a command in a folder, and return what it prints."""
    print("archipel", *command, flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "archipel", *command],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    return done.stdout


def learn(folder: str, game: str, settings: str, *files: str) -> dict[str, Any]:
    """Run `archipel learn` to the end, and return the learning curve."""
    command = ["learn", game, *shlex.split(settings), "--whole", "--target", "0"]
    curve: dict[str, Any] = json.loads(archipel(folder, *command, "--json", *files))
    return {"command": f"archipel {shlex.join(command)}", **curve}


def write_curve(file: Path, curve: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(curve, indent=1) + "\n", "utf-8")


# ---- training -----------------------------------------------------------------------------------


def train() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for (game, kind), settings in TRAINING.items():
            policy = FOLDER / f"{game}.{kind}.npz"
            if policy.exists():
                continue
            if game in DATASETS:
                archipel(folder, "dataset", game, *shlex.split(DATASETS[game]))
            file = Path(folder) / "policy.npz"
            curve = learn(folder, game, settings, "--save", str(file))
            pack(file, policy)
            curve["tests"] = [
                test(policy, curve["settings"], name, TEST_GAMES) for name in TESTED_AGAINST
            ]
            write_curve(policy.with_suffix(".json"), curve)


def pack(file: Path, packed: Path) -> None:
    """Write a policy file again with half as many bits per weight, compressed."""
    with numpy.load(file, allow_pickle=False) as kept:
        arrays = {name: kept[name] for name in kept.files}
    halves = {
        name: array.astype(numpy.float16) for name, array in arrays.items() if name != "about"
    }
    numpy.savez_compressed(packed, about=arrays["about"], **halves)


def test(policy: Path, settings: dict[str, Any], opponents: str, games: int) -> dict[str, Any]:
    """Let a finished policy play games that it was not trained on."""
    from archipel.envs.learn.evaluator import FINAL_TEST, Evaluator
    from archipel.envs.learn.policy import Policy
    from archipel.envs.learn.settings import Settings

    played = replace(Settings.from_json(settings), evaluation_opponents=opponents)
    evaluator = Evaluator(played, games, FINAL_TEST)
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


# ---- flat and structured observations -----------------------------------------------------------


def compare() -> None:
    """Imitation of a bot by both networks; runs that are there are left as they are."""
    from archipel.envs.learn.settings import NETWORKS

    runs = json.loads(COMPARISON.read_text("utf-8")) if COMPARISON.exists() else []
    known = {(run["game"], run["network"], run["seed"]) for run in runs}
    with tempfile.TemporaryDirectory() as folder:
        for game in COMPARED:
            for seed in COMPARED_SEEDS:
                for network in NETWORKS:
                    if (game, network, seed) not in known:
                        runs.append(imitation_run(folder, game, network, seed))
                        write_curve(COMPARISON, runs)


def imitation_run(folder: str, game: str, network: str, seed: int) -> dict[str, Any]:
    """Accuracy on held-out decisions, and the win share against random play in the end."""
    import torch

    from archipel.envs.dataset import Dataset
    from archipel.envs.learn.imitation import accuracy, imitate
    from archipel.envs.learn.policy import Policy

    data = {}
    for name, settings in COMPARED_DATA.items():
        archipel(folder, "dataset", game, *shlex.split(settings), "--to", f"{game}-{name}")
        data[name] = Dataset(Path(folder) / f"{game}-{name}")
    torch.set_num_threads(1)
    policy = Policy(game, COMPARED_SIZE, seed=seed, network=network)
    held_out = data["held-out"].shard(0)
    begun = accuracy(policy, held_out)
    started = time.process_time()
    learned = imitate(policy, data["training"], seed, epochs=1)
    found = [[0, begun], *([decisions, accuracy(policy, held_out)] for decisions in learned)]
    used = time.process_time() - started
    with tempfile.TemporaryDirectory() as place:
        policy.save(Path(place) / "policy.npz")
        played = {"game": game, "seed": seed}
        tested = test(Path(place) / "policy.npz", played, "random", COMPARED_GAMES)
    weights = sum(weight.numel() for weight in policy.parameters())
    run = {"game": game, "network": network, "seed": seed, "weights": weights}
    return {**run, "cpu_seconds": used, "points": found, "test": tested}


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


def comparison_rows() -> Iterator[str]:
    runs = json.loads(COMPARISON.read_text("utf-8"))
    yield "| game | network | weights | decisions | held-out accuracy | against random | time |"
    yield "| --- | --- | --: | --: | --- | --- | --: |"
    for game in COMPARED:
        for network in dict.fromkeys(run["network"] for run in runs):
            ours = [run for run in runs if (run["game"], run["network"]) == (game, network)]
            ends = sorted(run["points"][-1][1] for run in ours)
            wins = sorted(run["test"]["win_share"] for run in ours)
            right, won = (" · ".join(f"{100 * x:.1f} %" for x in found) for found in (ends, wins))
            seconds = sum(run["cpu_seconds"] for run in ours) / len(ours)
            sizes = f"{ours[0]['weights']:,} | {ours[0]['points'][-1][0]:,}"
            yield f"| {game} | {network} | {sizes} | {right} | {won} | {seconds:.0f} s |"


def commands() -> Iterator[str]:
    yield "```sh"
    for game, settings in DATASETS.items():
        yield f"archipel dataset {game} {settings}"
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
    runs = json.loads(COMPARISON.read_text("utf-8"))
    for game in COMPARED:
        title = f"{game_named(game).title('en')}: imitating greedy, held-out accuracy"
        traces: dict[str, list[list[tuple[float, float]]]] = {}
        for run in runs:
            if run["game"] == game:
                traces.setdefault(run["network"], []).append([(x, y) for x, y in run["points"]])
        found[f"networks-{game}"] = learning_curves(title, traces)
    return found


def filled(page: str) -> str:
    """Return the page with its tables."""
    texts = {
        "baselines": "\n".join(baseline_rows()),
        "commands": "\n".join(commands()),
        "networks": "\n".join(comparison_rows()),
    }
    return BLOCK.sub(
        lambda found: f"<!-- {found[1]} -->\n{texts[found[1]]}\n<!-- /{found[1]} -->", page
    )


def write_page() -> None:
    for name, chart in charts().items():
        (RUNS / f"{name}.svg").write_text(chart, "utf-8")
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")


def main(arguments: Sequence[str]) -> int:
    parts = {"train": train, "compare": compare, "page": write_page}
    if len(arguments) != 1 or arguments[0] not in parts:
        print(__doc__)
        return 2
    parts[arguments[0]]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
