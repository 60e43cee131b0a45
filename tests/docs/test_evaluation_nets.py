"""The tables of the page about evaluation nets agree with the results."""

from __future__ import annotations

import json

from archipel.bots.nets import packaged_net
from benchmarks.evaluation_nets_page import BLOCK, FOLDER, PAGE, filled


def test_the_tables_are_up_to_date() -> None:
    page = PAGE.read_text("utf-8")
    assert [name for name, _ in BLOCK.findall(page)] == ["inputs", "matches", "curve"]
    assert filled(page) == page, "run python -m benchmarks.evaluation_nets_page"


def test_the_published_net_is_the_best_of_its_training() -> None:
    lines = (FOLDER / "deep-sea.jsonl").read_text("utf-8").splitlines()
    assert packaged_net("deep-sea", "net_1").hash == json.loads(lines[-1])["best"]
