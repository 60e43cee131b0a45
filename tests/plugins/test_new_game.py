"""`archipel new-game` writes a package that passes the conformance suite."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from archipel.cli import main
from tests.plugins.site import run

KINDS = (".json", ".md", ".py", ".toml")


def test_a_new_game_passes_its_tests_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "deep-wood"
    done = run([], "-m", "archipel", "new-game", "deep-wood", "--into", str(folder))
    assert done.returncode == 0, done.stderr
    assert "pytest" in done.stdout
    about = folder / "deep_wood-0.1.dist-info"  # as if it were installed
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: deep-wood\nVersion: 0.1\n")
    entries = re.findall(
        r'^\[project\.entry-points\."(.*)"\]\n.* = "(.*)"$',
        (folder / "pyproject.toml").read_text("utf-8"),
        re.MULTILINE,
    )
    lines = "".join(f"[{group}]\ndeep-wood = {target}\n" for group, target in entries)
    (about / "entry_points.txt").write_text(lines)
    suite = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", str(folder))
    done = run([folder], *suite)
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout
    bots = ("--bots", "random,random", "--games", "100")
    done = run([folder], "-m", "archipel", "simulate", "deep-wood", *bots)
    assert done.returncode == 0, done.stderr
    assert not re.findall(r"\b(NAME|MODULE|TITLE|PREFIX)\b", _content(folder))


def _content(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in folder.rglob("*.*") if path.suffix in KINDS)


def test_existing_folders_and_invalid_names_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letters.txt").write_text("dear Ana")
    assert main(["new-game", "low-tide", "--into", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["new-game", "Low Tide", "--into", str(tmp_path / "new")]) == 2
    assert "cannot name a game" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]
