"""Spin explores every interleaving of the model within its bounds; see docs/model.md."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).with_name("tables.pml")
#: Each broken rule, and the part of the assertion that must fall.
BROKEN = {
    "ACKNOWLEDGE": "acknowledged",
    "DURABLE": "durable",
    "PUBLISH": "seen",
    "NUMBER": "kind[number]==0",
    "LEASE": "holder==w",
    "BOT": "turn==1",
    "UNDO": "free_bits",
}

pytestmark = pytest.mark.soak


def explore(folder: Path, *options: str) -> str:
    """The report of Spin's verifier. Installs Spin with apt-get if it has the right to."""
    if shutil.which("spin") is None:
        subprocess.run(["apt-get", "install", "-y", "spin"], check=False, capture_output=True)
    for tool in ("spin", "gcc"):
        assert shutil.which(tool), f"the model needs {tool}: apt-get install spin gcc"
    subprocess.run(["spin", *options, "-a", MODEL], cwd=folder, check=True, capture_output=True)
    compile_it = ["gcc", "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", "-o", "pan", "pan.c"]
    subprocess.run(compile_it, cwd=folder, check=True, capture_output=True)
    command = ["./pan", "-E", "-m200000", "-w24"]  # processes may wait in the end
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    assert "max search depth too small" not in done.stdout
    return done.stdout


def test_the_invariants_hold(tmp_path: Path) -> None:
    report = explore(tmp_path)
    assert "errors: 0" in report
    # States that no bound hides: the search reached the clients, both workers and every fault.
    assert int(report.split(" states, stored")[0].split()[-1]) > 1_000_000


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_rule_is_found(rule: str, tmp_path: Path) -> None:
    wish = "UNDO_ONE" if rule == "UNDO" else "FREE"
    report = explore(tmp_path, f"-DBREAK_{rule}", f"-DWISH={wish}")
    violated = [line for line in report.splitlines() if "assertion violated" in line]
    assert violated, report
    assert BROKEN[rule] in violated[0]
