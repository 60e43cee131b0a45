"""Generate the tables of `docs/evaluation-nets.md` from the results beside it.

    python -m benchmarks.evaluation_nets_page

``deep-sea.jsonl`` has the generations of a training (``generations.jsonl`` of `archipel train`).
The matches are those of `benchmarks.strength_page` in which A evaluates with a net.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from archipel.bots.deep_sea.net_inputs import DEEP_SEA_INPUTS
from benchmarks.arguments import parser_of
from benchmarks.strength_page import KEPT, table
from benchmarks.strength_results import read_kept

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


def filled(page: str) -> str:
    """Return the page with its tables."""
    texts = {
        "inputs": DEEP_SEA_INPUTS.table(),
        "curve": "\n".join(curve()),
        "matches": table(result for result in read_kept(KEPT) if result.has_net),
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
