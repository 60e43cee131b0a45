"""The results on the page of the benchmark agree with the stored report."""

from __future__ import annotations

import json

from archipel.study.benchmark.specification import archipel_bench_1
from tools import benchmark_results


def test_results_agree_with_the_report() -> None:
    page = benchmark_results.PAGE.read_text("utf-8")
    assert benchmark_results.BLOCK.search(page)
    assert benchmark_results.filled(page) == page, "run python -m tools.benchmark_results"


def test_the_report_is_of_this_benchmark() -> None:
    report = json.loads(benchmark_results.RESULTS.read_text("utf-8"))
    assert report["specification"] == archipel_bench_1().digest
    for game, results in report["games"].items():
        names = {name for lineup in archipel_bench_1().games[game].lineups for name in lineup}
        names |= {one["entrant"] for one in results["entrants"]}
        assert {rating["player"] for rating in results["ratings"]} == names
