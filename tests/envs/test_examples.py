"""The single-file examples of `examples/learning` run, with very few timesteps."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from archipel.bots.external.line_process import python_environment
from tests.envs.needed import needs_gymnasium, needs_torch

EXAMPLES = Path(__file__).parents[2] / "examples" / "learning"

pytestmark = [needs_torch, needs_gymnasium]


def last_line(example: str, timesteps: int) -> str:
    command = [sys.executable, str(EXAMPLES / example), str(timesteps)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=900, env=python_environment()
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("example", "library"),
    [("ppo_cleanrl.py", "torch"), ("ppo_sb3.py", "sb3_contrib"), ("ppo_torchrl.py", "torchrl")],
)
def test_example_learns_for_a_moment(example: str, library: str) -> None:
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    words = last_line(example, 4096 if library == "torch" else 1024).split()
    share = float(words[-3])
    assert words[-2:] == ["win", "share"]
    assert 0 <= share <= 1
