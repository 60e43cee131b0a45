"""The path of a newcomer: install, first step, first learning curve, first match, each timed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
from pathlib import Path

import pytest

from tests.support.documents import ROOT

STEP = (
    "import gymnasium, archipel.envs; env = gymnasium.make('archipel/DeepSea-v1'); "
    "obs, info = env.reset(seed=1); env.step(int(obs['action_mask'].argmax())); print('stepped')"
)


@pytest.mark.soak
def test_from_nothing_to_the_first_match(tmp_path: Path) -> None:
    """In an empty environment. Every command of the page runs; nothing is taken from here."""
    venv.create(tmp_path / "env", with_pip=False)
    binaries = tmp_path / "env" / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(binaries / "python"), "install", "--quiet"]
    # Experiments need neither the browser client nor its engines.
    without = {"ARCHIPEL_SKIP_ENGINES": "1", "ARCHIPEL_SKIP_CLIENT": "1"}
    own = {**without, "ARCHIPEL_CACHE": str(tmp_path / "cache")}
    steps: dict[str, list[str]] = {
        "install": [*pip, "-c", str(ROOT / "constraints.txt"), f"{ROOT}[fast,envs]"],
        # Without dependencies: those of PyTorch for a GPU are gigabytes.
        "install PyTorch": [*pip, "--no-deps", "torch==2.13.0"],
        "install what PyTorch needs": [*pip, "filelock", "sympy", "networkx", "jinja2", "fsspec"],
        "first step": [str(binaries / "python"), "-c", STEP],
        "first learning curve": [
            *[str(binaries / "archipel"), "learn", "deep-sea", "--total-timesteps", "400000"],
            *["--points", "4", "--games", "512", "--target", "0.55", "--whole"],
            *["--draw", str(tmp_path / "curve.svg"), "--save", str(tmp_path / "policy.npz")],
        ],
        "first match": [
            *[str(binaries / "archipel"), "match", "deep-sea", "--bots", "greedy,regular"],
            *["--games", "2", "--seed", "1"],
        ],
    }
    minutes = {}
    for name, command in steps.items():
        started = time.monotonic()
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, **own},
            capture_output=True,
            text=True,
            timeout=3600,
        )
        minutes[name] = (time.monotonic() - started) / 60
        assert done.returncode == 0, f"{name}: {done.stdout}\n{done.stderr}"
    print({name: round(taken, 1) for name, taken in minutes.items()})
    assert (tmp_path / "curve.svg").read_text("utf-8").startswith("<svg")
