"""Fuzz tests of board files: a file is refused with `DataFileError`, or a game on it ends.

``ARCHIPEL_BOARD_TEXTS`` is the number of files per game in the long run, by default 100,000.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from archipel.rules.atlantis import box_files as atlantis
from archipel.rules.data_files import DataFileError
from archipel.rules.mauna_kea import box_files as mauna_kea
from tests.positions.board_mutations import BoardMutator


def _atlantis_data() -> Any:
    notes = {"about", "certain", "likely", "reconstructed"}
    data = atlantis.package_data("board.json") | atlantis.package_data("components.json")
    return {name: part for name, part in data.items() if name not in notes}


def _mauna_kea_data() -> Any:
    return {part: mauna_kea.package_data(part) for part in mauna_kea.PARTS}


@dataclass(frozen=True)
class Subject:
    name: str
    variable: str
    data: Callable[[], Any]
    load: Callable[[Path], object]


SUBJECTS = [
    Subject("atlantis", atlantis.VARIABLE, _atlantis_data, atlantis.load_box),
    Subject("mauna-kea", mauna_kea.VARIABLE, _mauna_kea_data, mauna_kea.load_box),
]

#: Plays a random game on the board of the environment; actions and positions are read back.
PLAY = """
import random, sys
from archipel import Game
chooser = random.Random(1)
game = Game.new(sys.argv[1], 2, seed=1)
while not game.is_over:
    action = chooser.choice(game.legal)
    assert game.parse(action.text) == action
    game.play(action)
    assert game.definition.fault(game.state) == 0
    if len(game.moves) % 20 == 1:
        game.narrate(language="fr")
        str(game), game._repr_svg_()
        assert game.definition.parse_position(game.position.text) == game.state
"""


def fuzz(subject: Subject, folder: Path, count: int, played: int, seed: int) -> int:
    """Return how many of ``count`` mutants are accepted; plays the first ``played`` of them."""
    file = folder / "mine.json"
    ours = subject.load(_written(file, subject.data()))
    accepted = 0
    for data in BoardMutator(subject.data(), seed).mutants(count):
        _written(file, data)
        try:
            box = subject.load(file)
        except DataFileError:
            continue
        except Exception as error:
            raise AssertionError(f"{error!r}: {data}") from error
        if box == ours:
            continue
        accepted += 1
        if accepted <= played:
            _play(subject, file, data)
    return accepted


def _written(file: Path, data: Any) -> Path:
    file.write_text(json.dumps(data))
    return file


def _play(subject: Subject, file: Path, data: Any) -> None:
    environment = {
        **os.environ,
        subject.variable: str(file),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-c", PLAY, subject.name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stderr, data)


@pytest.mark.rule("AT-C7", "MK-C6")
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_mutated_files_are_refused_or_playable(subject: Subject, tmp_path: Path) -> None:
    assert fuzz(subject, tmp_path, count=2_000, played=1, seed=1) > 20


@pytest.mark.soak
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_many_mutated_files(subject: Subject, tmp_path: Path) -> None:
    count = int(os.environ.get("ARCHIPEL_BOARD_TEXTS", 100_000))
    accepted = fuzz(subject, tmp_path, count, played=60, seed=2)
    print(f"{subject.name}: {accepted:,} of {count:,} files accepted, nothing wrong")
    assert accepted > count // 100
