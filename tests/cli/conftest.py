"""Runs the command line in this process, with given input."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from archipel import Game
from archipel.cli import main
from archipel.record import Record


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    def refused(self, *parts: str) -> None:
        """Assert an error of the user: exit code 2 and one line with these parts."""
        assert self.code == 2
        assert self.out == ""
        assert self.err.startswith("archipel: ")
        assert self.err.count("\n") == 1
        for part in parts:
            assert part in self.err


Archipel = Callable[..., Result]


@pytest.fixture
def archipel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Archipel:
    """Run a command: ``archipel("play", "deep-sea", typed="dive\\n")``."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments: object, typed: str = "") -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Result(code, printed.out, printed.err)

    return run


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    """A short saved game with two players."""
    game = Game.new("deep-sea", 2, seed=5, first=1)
    game.play("dive", dice="1 2")
    game.play("take")
    game.play("dive", dice="2 2")
    game.play("take")
    game.play("turn back", dice="3 3")
    file = tmp_path / "short.txt"
    Record(game, ("Ana", "Bob")).save(file)
    return file
