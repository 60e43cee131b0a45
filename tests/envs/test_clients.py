"""Other people's libraries run unmodified: installed into an environment of their own."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.envs.needed import needs_gymnasium, needs_pettingzoo, needs_torch
from tests.support.documents import ROOT

pytestmark = [needs_gymnasium, needs_pettingzoo, needs_torch]

CLIENTS = ROOT / "tests" / "envs" / "clients.txt"
RUNS = (
    "maskable_ppo",
    "torchrl_single",
    "torchrl_vector",
    "torchrl_turns",
    "tianshou",
    "supersuit",
    "polars_frames",
    "minari_dataset",
    "plotting",
)
#: The row of the page for each library, and its name in the list of versions.
PACKAGES = {
    "gymnasium": "Gymnasium",
    "pettingzoo": "PettingZoo",
    "open-spiel": "OpenSpiel",
    "sb3-contrib": "sb3-contrib",
    "torchrl": "TorchRL",
    "tianshou": "Tianshou",
    "supersuit": "SuperSuit",
    "polars": "Polars",
    "pandas": "pandas",
    "minari": "Minari",
    "matplotlib": "Matplotlib",
}


@pytest.fixture(scope="session")
def client_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with the clients and all that this one has; fails if they cannot be installed."""
    folder = tmp_path_factory.mktemp("clients")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    (packages,) = folder.glob("lib/python*/site-packages")
    paths = [sysconfig.get_paths()["purelib"], str(ROOT / "src"), str(ROOT)]
    (packages / "project.pth").write_text("\n".join(paths) + "\n")
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps"]
    done = subprocess.run(
        [*command, "--quiet", "--requirement", str(CLIENTS)], capture_output=True, text=True
    )
    if done.returncode:
        pytest.fail(f"the clients cannot be installed:\n{done.stderr}")
    return python


@pytest.mark.soak
@pytest.mark.parametrize("run", RUNS)
def test_client(client_python: Path, run: str) -> None:
    program = ROOT / "tests" / "envs" / "client_runs.py"
    done = subprocess.run(
        [str(client_python), "-W", "ignore", str(program), run],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.stdout.splitlines()[-1:] == [f"{run}: passed"], done.stderr


@pytest.mark.soak
@pytest.mark.parametrize(
    ("example", "timesteps"),
    [("ppo_cleanrl.py", 4096), ("ppo_sb3.py", 1024), ("ppo_torchrl.py", 1024)],
)
def test_example_learns_for_a_moment(client_python: Path, example: str, timesteps: int) -> None:
    """The single-file examples of `examples/learning`, with very few timesteps."""
    program = ROOT / "examples" / "learning" / example
    done = subprocess.run(
        [str(client_python), "-W", "ignore", str(program), str(timesteps)],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    words = done.stdout.splitlines()[-1].split()
    assert words[-2:] == ["win", "share"]
    assert 0 <= float(words[-3]) <= 1


def test_the_page_has_the_versions() -> None:
    lists = (ROOT / "constraints.txt", CLIENTS)
    pins = dict(
        line.split("==")
        for path in lists
        for line in path.read_text("utf-8").splitlines()
        if "==" in line
    )
    page = (ROOT / "docs" / "environments" / "clients.md").read_text("utf-8")
    for package, name in PACKAGES.items():
        assert f"| {name} | {pins[package]} |" in page, f"{name} {pins[package]}"
    assert all(f"`{run}`" in page for run in RUNS)
