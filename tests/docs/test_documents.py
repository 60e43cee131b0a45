"""The Python code in the documents runs, in order, in one session per document."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
OUTPUT = re.compile(r"^```text\n(.*?)^```", re.DOTALL | re.MULTILINE)
DOCUMENTS = sorted(
    path for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")) if path.exists()
)


def documents_with_code() -> list[Path]:
    return [path for path in DOCUMENTS if BLOCK.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("path", documents_with_code(), ids=lambda path: str(path.name))
def test_code_blocks_run(path: Path, tmp_path: Path) -> None:
    """A ``text`` block after a ``python`` block is its expected output."""
    text = path.read_text("utf-8")
    scope: dict[str, object] = {"__name__": "document"}
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        for block in BLOCK.finditer(text):
            printed = io.StringIO()
            line = text[: block.start()].count("\n") + 1
            code = compile("\n" * line + block[1], str(path), "exec")
            with contextlib.redirect_stdout(printed):
                exec(code, scope)
            expected = OUTPUT.match(text[block.end() :].lstrip("\n"))
            if expected:
                assert printed.getvalue() == expected[1], f"{path.name}:{line}"
    finally:
        os.chdir(before)


def test_the_readme_shows_how_to_start() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert "\npython3 run.py  " in text
    assert "python3 run.py test" in text
    assert BLOCK.search(text)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.name))
def test_links_between_documents_have_targets(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_the_commands_of_the_readme_exist() -> None:
    """Each `archipel ...` line in a shell block names an existing command."""
    from archipel.cli import build_parser

    text = (ROOT / "README.md").read_text("utf-8")
    parser = build_parser()
    shell = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in shell for line in block.splitlines() if line.startswith("archipel ")]
    assert lines
    for line in lines:
        words = line.partition("#")[0].replace("\\", "").split()
        parser.parse_args(words[1:])


def test_excerpts_of_the_example_are_current() -> None:
    """Each `py` block of the page about adding a game is part of the example."""
    text = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    example = [path.read_text("utf-8") for path in (ROOT / "examples/low_tide").rglob("*.py")]
    shown = re.findall(r"^```py\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(shown) > 5
    for block in shown:
        assert any(block in source for source in example), block
    declared = re.findall(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert declared[0] in (ROOT / "examples/low_tide/pyproject.toml").read_text("utf-8")
