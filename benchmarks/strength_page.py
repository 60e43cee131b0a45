"""Generate the tables and charts of `docs/studies/search.md` from the results of matches.

    python -m benchmarks.strength_page [RESULTS ...]

RESULTS are files that `benchmarks.strength` wrote.  Their matches are added to
`docs/studies/search/strength.jsonl`, one line per match.  Two-seat matches between levels, and of
levels with greedy, come from the files of the ladder.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from archipel.bots import roster_of
from archipel.rules.all_games import game_named
from archipel.study.matches.ladder import Ladder, read_ladder
from benchmarks.arguments import parser_of
from benchmarks.budget_scaling import budget_scalings, draw_scaling, is_budget
from benchmarks.ladder_page import FILES, level_pairs, shares_of
from benchmarks.strength import read_results
from benchmarks.strength_results import MatchResult, add_up, merge, read_kept, write_kept

STUDIES = Path(__file__).parents[1] / "docs" / "studies"
PAGE = STUDIES / "search.md"
KEPT = STUDIES / "search" / "strength.jsonl"

#: The order of the chapters.
GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")

HEAD = """\
| seats | A | against | games | share of A | 95 % | ms per decision, A and B |
|--:|---|---|--:|--:|---|--:|"""
NUMBERS = ("", "", "", "two ", "three ", "four ", "five ")

#: Costs of the decisions of bots that do not search, written by `benchmarks.policies --json`.
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
    """The matches of a game; those that differ only in the budget follow, after their chart.

    Matches of nets are on their own page (`benchmarks.evaluation_nets_page`).
    """
    own = [result for result in results if result.game == game and not result.has_net]
    parts = [table(result for result in own if not is_budget(result))]
    budgets = sorted(filter(is_budget, own), key=lambda result: int(result.a.split("=")[1]))
    if budgets:
        title = game_named(game).title("en")
        parts.append(f"![{title}: strength by simulations per decision](search/{game}.svg)")
        parts.append(table(budgets))
    return "\n\n".join(parts)


def of_ladder(ladder: Ladder) -> list[MatchResult]:
    """Each level against the one below, and the highest and lowest against greedy."""
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


def all_results() -> list[MatchResult]:
    """The results of the ladder and of the other matches."""
    ladders = [read_ladder(FILES / f"{game}.jsonl") for game in GAMES]
    return [*(result for ladder in ladders for result in of_ladder(ladder)), *read_kept(KEPT)]


def costs(rows: Sequence[Mapping[str, Any]]) -> str:
    """Microseconds per decision, and in brackets the ratio to a random step."""
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


def fill_tables(
    page: str, results: Sequence[MatchResult], policies: Sequence[Mapping[str, Any]]
) -> str:
    """The page with its tables generated anew."""

    def fill(found: re.Match[str]) -> str:
        text = costs(policies) if found[2] == "costs" else chapter(found[2], results)
        return f"{found[1]}{text}\n{found[3]}"

    return BLOCK.sub(fill, page)


def read_policies() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(POLICIES.read_text("utf-8"))
    return rows


def charts(results: Sequence[MatchResult]) -> Iterator[tuple[str, str]]:
    """File names and contents of the charts."""
    for scaling in budget_scalings(results):
        yield f"{scaling.game}.svg", draw_scaling(scaling)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("strength_page", __doc__)
    parser.add_argument("results", nargs="*", type=Path)
    given = parser.parse_args(arguments)
    kept = read_kept(KEPT)
    for file in given.results:
        kept = merge(kept, add_up(read_results(file)))
    KEPT.parent.mkdir(exist_ok=True)
    write_kept(KEPT, kept)
    results = all_results()
    PAGE.write_text(fill_tables(PAGE.read_text("utf-8"), results, read_policies()), "utf-8")
    for name, content in charts(results):
        (KEPT.parent / name).write_text(content, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
