"""Every benchmark has a help text and refuses unknown options and games."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
#: Started by benchmarks.
PARTS = {"benchmarks.load.echo", "benchmarks.load.server", "benchmarks.load.unlimited"}
COMMANDS = {
    ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)
    for path in FOLDER.rglob("*.py")
    if '\nif __name__ == "__main__":' in path.read_text("utf-8")
}


@pytest.mark.parametrize("module", sorted(COMMANDS - PARTS))
def test_help_and_mistakes(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main = importlib.import_module(module).main
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: ")
    monkeypatch.setattr(sys, "argv", [module, "--no-such-option"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    *_, last = capsys.readouterr().err.splitlines()
    assert "error: " in last


@pytest.mark.parametrize("name", ["analysis", "engine", "search_speed"])
def test_an_unknown_game_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        importlib.import_module(f"benchmarks.{name}").main(["chess"])
    assert "chess is none of " in capsys.readouterr().err
