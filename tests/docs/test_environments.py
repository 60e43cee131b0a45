"""The pages of the environments are up to date, and the notebook runs."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

from tests.envs.needed import needs_gymnasium, needs_pettingzoo
from tools import environment_pages

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "notebooks" / "environments.ipynb"


def test_the_pages_are_up_to_date() -> None:
    assert environment_pages.main(["--check"]) == 0, "run python -m tools.environment_pages"


@needs_gymnasium
@needs_pettingzoo
def test_the_notebook_runs() -> None:
    """Run all cells in one session."""
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    assert notebook["nbformat"] == 4
    scope: dict[str, object] = {"__name__": "notebook"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for number, cell in enumerate(notebook["cells"]):
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [], "it is kept without what it printed"
                code = compile("".join(cell["source"]), f"{NOTEBOOK.name}:{number}", "exec")
                exec(code, scope)
    assert "random against random" in printed.getvalue()
