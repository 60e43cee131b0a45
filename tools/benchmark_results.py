"""Write the results of archipel-bench-1 into docs/benchmark.md.

archipel bench report FOLDER... --json > docs/benchmark/results.json
python -m tools.benchmark_results
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "benchmark.md"
RESULTS = PAGE.with_suffix("") / "results.json"
BLOCK = re.compile(r"(<!-- results -->\n).*?(<!-- /results -->)", re.DOTALL)

#: With fewer rotations a rating says too little.
RATED_FROM = 3


def rows(report: dict[str, Any]) -> Iterator[str]:
    yield "| game | entrant | rotations of 50 | games | win share | rating | puzzles | ms each |"
    yield "| --- | --- | --: | --: | --: | --- | --: | --: |"
    for game, results in report["games"].items():
        ratings = {one["player"]: one for one in results["ratings"]}
        order = list(ratings)
        for entrant in sorted(results["entrants"], key=lambda one: order.index(one["entrant"])):
            found = ratings[entrant["entrant"]]
            low, high = found["rating_95"]
            is_rated = entrant["rotations"] >= RATED_FROM
            rating = f"{found['rating']:.0f} ({low:.0f} to {high:.0f})" if is_rated else ""
            won = sum(one["games"] * one["win_share"] for one in entrant["lineups"])
            share = f"{100 * won / entrant['games']:.0f} %"
            puzzles = f"{entrant['puzzles']['right']}/{entrant['puzzles']['of']}"
            each = f"{1000 * entrant['cost']['seconds_per_decision']:.1f}"
            played = f"{entrant['rotations']} | {entrant['games']} | {share} | {rating}"
            yield f"| {game} | `{entrant['entrant']}` | {played} | {puzzles} | {each} |"


def filled(page: str) -> str:
    """Return the page with its table."""
    table = "\n".join(rows(json.loads(RESULTS.read_text("utf-8"))))
    return BLOCK.sub(lambda found: f"{found[1]}{table}\n{found[2]}", page)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
