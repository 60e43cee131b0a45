"""Generate the tables of `docs/evaluation-nets.md` from the results beside it.

    python -m benchmarks.evaluation_nets_page

``deep-sea.jsonl`` has the generations of a training (``generations.jsonl`` of `archipel train`),
``matches.jsonl`` the rotations of matches (RESULTS of `benchmarks.strength`).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from archipel.bots.deep_sea.net_inputs import DEEP_SEA_INPUTS
from archipel.study.statistics import wilson
from benchmarks.arguments import parser_of
from benchmarks.strength import read_results

PAGE = Path(__file__).parents[1] / "docs" / "evaluation-nets.md"
FOLDER = PAGE.with_suffix("")
BLOCK = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- /\1 -->", re.DOTALL)


def curve() -> Iterator[str]:
    """One row per generation."""
    yield "| generation | positions | loss (equal chances) | share against the best net | best |"
    yield "|--:|--:|---|---|---|"
    for line in map(json.loads, (FOLDER / "deep-sea.jsonl").read_text("utf-8").splitlines()):
        share = "first net"
        if "share" in line:
            low, high = line["interval"]
            share = f"{line['share']:.2f} ({low:.2f}–{high:.2f}) of {line['gate_games']}"
        kept = f"`{line['net']}`" if line["best"] == line["net"] else "unchanged"
        loss = f"{line['loss']:.3f} ({line['blind']:.3f})"
        yield f"| {line['generation']} | {line['positions']:,} | {loss} | {share} | {kept} |"


def matches() -> Iterator[str]:
    """One row per match: shares of first place, and processor time per decision."""
    yield "| seats | A (one seat) | B (all others) | games | share of A | 95 % | ms, A and B |"
    yield "|--:|---|---|--:|--:|---|---|"
    found: dict[str, list[dict[str, Any]]] = {}
    for row in read_results(FOLDER / "matches.jsonl"):
        found.setdefault(row["match"], []).append(row)
    for match, rows in found.items():
        _, seats, a, b, _ = match.split(" | ")
        shares = [share for row in rows for share in row["shares"]]
        mean = sum(shares) / len(shares)
        interval = wilson(sum(shares), len(shares))
        ms, ms_b = (
            1000
            * sum(row["seconds" + side] for row in rows)
            / max(1, sum(row["asked" + side] for row in rows))
            for side in ("", "_b")
        )
        cells = f"{len(shares)} | {mean:.2f} | {interval.low:.2f}–{interval.high:.2f}"
        yield f"| {seats} | `{a}` | `{b}` | {cells} | {ms:.1f}, {ms_b:.1f} |"


def filled(page: str) -> str:
    """Return the page with its tables."""
    texts = {
        "inputs": DEEP_SEA_INPUTS.table(),
        "curve": "\n".join(curve()),
        "matches": "\n".join(matches()),
    }
    return BLOCK.sub(
        lambda found: f"<!-- {found[1]} -->\n{texts[found[1]]}\n<!-- /{found[1]} -->", page
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser_of("evaluation_nets_page", __doc__).parse_args(arguments)
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
