"""The page about evaluation nets has the declared inputs."""

from __future__ import annotations

from archipel.bots.deep_sea.net_inputs import DEEP_SEA_INPUTS
from tests.support.documents import ROOT


def test_the_inputs_are_those_declared() -> None:
    page = (ROOT / "docs" / "evaluation-nets.md").read_text("utf-8")
    assert f"<!-- inputs -->\n{DEEP_SEA_INPUTS.table()}\n<!-- /inputs -->" in page
