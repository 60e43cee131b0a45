"""The study of search, its figures written from what was measured.

    python -m benchmarks.strength_page [RESULTS ...]

RESULTS are files that `benchmarks.strength` wrote.  They are added to what is kept in
`docs/studies/search/strength.jsonl`, one line a match.  Then the tables of `docs/studies/search.md`
and the pictures are made from that and from the files of the ladder: its games are those of two
seats between levels and with greedy.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from archipel.bots import roster_of
from archipel.rules.all_games import game_named
from archipel.study.matches.ladder import Ladder, read_ladder
from benchmarks.growth import draw_growth, growths, is_budget
from benchmarks.ladder_page import FILES, level_pairs, shares_of
from benchmarks.strength import read_results
from benchmarks.strength_results import MatchResult, add_up, merge, read_kept, write_kept

STUDIES = Path(__file__).parents[1] / "docs" / "studies"
PAGE = STUDIES / "search.md"
KEPT = STUDIES / "search" / "strength.jsonl"

#: The order of the chapters.
GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")

HEAD = """\
| seats | A | against | games | share of A | 95 % | ms a decision, A and B |
|--:|---|---|--:|--:|---|--:|"""
NUMBERS = ("", "", "", "two ", "three ", "four ", "five ")

#: What decisions of bots that are rules cost: what `benchmarks.policies --json` wrote.
POLICIES = STUDIES / "search" / "policies.json"
COSTS = """\
| game | random step | greedy | quick-1 | quick-2 | greedy against the quickest |
|---|--:|--:|--:|--:|--:|"""

BLOCK = re.compile(r"(<!-- strength (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(results: Iterable[MatchResult]) -> str:
    return "\n".join([HEAD, *(_row(result) for result in results)])


def _row(result: MatchResult) -> str:
    interval, times = result.interval, (result.milliseconds_a, result.milliseconds_b)
    cells = [
        str(result.seats),
        _name(result.a),
        NUMBERS[result.seats] + _name(result.b),
        str(result.games),
        f"{result.share:.2f}",
        f"{interval.low:.2f}–{interval.high:.2f}",
        ", ".join(f"{ms:.1f}" if ms >= 1 else f"{ms:.2g}" for ms in times if ms is not None),
    ]
    return f"| {' | '.join(cells)} |"


def _name(words: str) -> str:
    return words if words == "greedy" else f"`{words}`"


def chapter(game: str, results: Sequence[MatchResult]) -> str:
    """The matches of a game: the budgets of one bot by themselves, after a picture of them."""
    own = [result for result in results if result.game == game]
    parts = [table(result for result in own if not is_budget(result))]
    budgets = sorted(filter(is_budget, own), key=lambda result: int(result.a.split("=")[1]))
    if budgets:
        title = game_named(game).title("en")
        parts.append(f"![{title}: strength by simulations a decision](search/{game}.svg)")
        parts.append(table(budgets))
    return "\n\n".join(parts)


def of_ladder(ladder: Ladder) -> list[MatchResult]:
    """Its levels, each against the one below, and the highest against greedy."""
    head = ladder.head
    results = []
    for above, below in level_pairs(ladder):
        won = shares_of(ladder, above, below)
        if won:
            opponent = "greedy" if below.startswith("greedy-") else below
            result = MatchResult(
                head.game, head.seats, above, opponent, head.seed, len(won), round(sum(won), 3)
            )
            results.append(result)
    return results


def everything() -> list[MatchResult]:
    """What the ladder and the other matches came to."""
    ladders = [read_ladder(FILES / f"{game}.jsonl") for game in GAMES]
    return [*(result for ladder in ladders for result in of_ladder(ladder)), *read_kept(KEPT)]


def costs(rows: Sequence[Mapping[str, Any]]) -> str:
    """Microseconds of a choice, and in brackets how many random steps would take as long."""
    lines = [COSTS]
    for row in rows:
        game = str(row["game"])
        names = [roster_of(game).named("greedy").name, "quick-1", "quick-2"]
        found = [row[name] for name in names if name in row]
        cells = [f"{one['choice_us']:.3f} ({one['of_a_step']:.1f})" for one in found]
        ratio = found[0]["choice_us"] / found[-1]["choice_us"]
        cells += [""] * (len(names) - len(cells))
        cells = [game_named(game).title("en"), f"{row['step_us']:.3f}", *cells, f"{ratio:.1f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def written(
    page: str, results: Sequence[MatchResult], policies: Sequence[Mapping[str, Any]]
) -> str:
    """The page with the tables that follow from the results."""

    def fill(found: re.Match[str]) -> str:
        text = costs(policies) if found[2] == "costs" else chapter(found[2], results)
        return f"{found[1]}{text}\n{found[3]}"

    return BLOCK.sub(fill, page)


def read_policies() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(POLICIES.read_text("utf-8"))
    return rows


def pictures(results: Sequence[MatchResult]) -> Iterator[tuple[str, str]]:
    """Names and contents."""
    for growth in growths(results):
        yield f"{growth.game}.svg", draw_growth(growth)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength_page", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("results", nargs="*", type=Path)
    given = parser.parse_args(arguments)
    kept = read_kept(KEPT)
    for file in given.results:
        kept = merge(kept, add_up(read_results(file)))
    KEPT.parent.mkdir(exist_ok=True)
    write_kept(KEPT, kept)
    results = everything()
    PAGE.write_text(written(PAGE.read_text("utf-8"), results, read_policies()), "utf-8")
    for name, content in pictures(results):
        (KEPT.parent / name).write_text(content, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
