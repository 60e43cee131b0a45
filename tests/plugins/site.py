"""Packages beside Archipel, as installed ones: on the path of other processes, with their entry
points."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "low_tide"

BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


def build_example(folder: Path) -> Path:
    """Low Tide, built as a wheel and unpacked as an installer would."""
    wheel = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)],
        cwd=EXAMPLE,
        capture_output=True,
        text=True,
        check=True,
    )
    site = folder / "site"
    with zipfile.ZipFile(folder / wheel.stdout.split()[-1]) as packed:
        packed.extractall(site)
    return site


def write_package(site: Path, name: str, code: str, entries: dict[str, dict[str, str]]) -> None:
    """A module with entry points, as if it were installed."""
    (site / f"{name}.py").write_text(code, "utf-8")
    about = site / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for group, named in entries.items():
        lines += [f"[{group}]", *(f"{entry} = {target}" for entry, target in named.items())]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")


def run(
    sites: list[Path], *command: str, typed: str = "", language: str = "C"
) -> subprocess.CompletedProcess[str]:
    """A command of Python's with these packages on the path."""
    path = os.pathsep.join([*map(str, sites), str(ROOT)])
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "LC_ALL": language},
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
