"""Packages that other processes see as installed, with their entry points."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "low_tide"

BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


def build_example(folder: Path) -> Path:
    """Build Low Tide as a wheel and unpack it."""
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
    """Write a module with entry points, as if it were installed."""
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
    """Run Python with these packages on the path."""
    path = os.pathsep.join([*map(str, sites), str(ROOT / "src"), str(ROOT)])
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


def write_minimal_game(site: Path) -> None:
    """Low Tide in one language, without the parts that have defaults."""
    modules = {
        "__init__": "",
        "rules": "from low_tide.rules import *",
        "words": "from low_tide.words import action_text, parse_action, question, refusal",
        "looks": "from low_tide.looks import scene",
        "definition": MINIMAL_DEFINITION,
        "conformance": MINIMAL_CONFORMANCE,
    }
    package = site / "bare_tide"
    shutil.copytree(EXAMPLE / "low_tide" / "text", package / "text")
    for french in package.glob("text/*.fr.*"):
        french.unlink()
    for name, code in modules.items():
        (package / f"{name}.py").write_text(code, "utf-8")
    entries = {"archipel.games": {"bare-tide": "bare_tide.definition:BARE_TIDE"}}
    write_package(site, "bare", "", entries)


MINIMAL_DEFINITION = """
from archipel.rules.defining import define
from low_tide.definition import *

chapters = ("components", "state", "setup", "turn", "end", "knowledge", "invariants")
rules = dict.fromkeys(chapters, "rules")
words = dict.fromkeys(("notation", "refusals", "question"), "words")
BARE_TIDE = define("bare-tide", __name__, State, **rules, **words, scene="looks")
"""

MINIMAL_CONFORMANCE = """
from fractions import Fraction
from archipel.rules.small_position import SmallPosition

def worlds(view):
    return {
        view.replace("1,2,0,0,", f"1,2,{order},"): Fraction(1, 2) for order in ("3,4", "4,3")
    }

TEXT = "seats=2 to_move=1 worth=1,2,3,4,5,6,7,8 holder=4,0,-1,-1,0,0,0,0"
SMALL_POSITION = SmallPosition(TEXT, 0, worlds)
"""
