"""Measure a static site: visits by a slow device on a slow line, moves in the tab, Lighthouse.

    python -m benchmarks.static_site SITE
    python -m benchmarks.static_site SITE --part moves

SITE is a folder that `archipel site build` has made. Starts and stops a host and a browser.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.static_site.compare_moves import in_python, in_runtime
from benchmarks.static_site.lighthouse import scores
from benchmarks.static_site.visits import RATE, ROUND_TRIP, SLOWER, Visit, Visits, measure
from tools.chromium import find_chromium

READABLE_WITHIN = 1_000  # milliseconds
FIRST_MOVE_WITHIN = 8_000
SECOND_VISIT_WITHIN = 3_000
MOST_BYTES = 6_000_000
MOST_TIMES_PYTHON = 3.0
MOVES = 300
LEAST_SCORE = 95


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    met = True
    if options.part in ("visits", "all"):
        met = _report_visits(options.site, options.samples, options.slower) and met
    if options.part in ("moves", "all"):
        met = _report_moves(options.site, options.samples) and met
    if options.part in ("lighthouse", "all"):
        met = _report_lighthouse(options.site) and met
    print(f"\ntargets: {'met' if met else 'MISSED'}")
    return 0 if met else 1


def _report_visits(site: Path, samples: int, slower: int) -> bool:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium())
        print(
            f"Chromium {browser.version}, {RATE / 1e6:.0f} Mbit/s, {1000 * ROUND_TRIP:.0f} ms,"
            f" processor {slower} times slower; medians of {samples}\n"
        )
        found = [measure(browser, site, slower) for _ in range(samples)]
        browser.close()
    first, second = (
        _median(found, lambda each: each.first),
        _median(found, lambda each: each.second),
    )
    _print_visit("first visit", first)
    _print_visit("second visit", second)
    sent = max(each.first.sent for each in found)
    kept = max(each.kept for each in found)
    print(f"  sent until the first move    {sent / 1e6:6.2f} MB, target {MOST_BYTES / 1e6:.0f} MB")
    print(f"  sent until ready for offline {kept / 1e6:6.2f} MB")
    return (
        first.readable <= READABLE_WITHIN
        and first.first_move <= FIRST_MOVE_WITHIN
        and second.first_move <= SECOND_VISIT_WITHIN
        and sent <= MOST_BYTES
    )


def _median(found: Sequence[Visits], which: Callable[[Visits], Visit]) -> Visit:
    """The medians of each time."""
    visits = [which(each) for each in found]
    names = set.intersection(*(set(visit.times) for visit in visits))
    times = {name: statistics.median(visit.times[name] for visit in visits) for name in names}
    return Visit(times, max(visit.sent for visit in visits))


def _print_visit(name: str, visit: Visit) -> None:
    print(f"  {name}")
    for event, time in sorted(visit.times.items(), key=lambda item: item[1]):
        print(f"    {event:<26} {time:7.0f} ms")


def _report_moves(site: Path, samples: int) -> bool:
    print(f"\nmilliseconds per move, medians of {MOVES} moves, the better of {samples} rounds:")
    runs = [(in_runtime(site, MOVES), in_python(MOVES)) for _ in range(samples)]
    met = True
    for game in runs[0][0]:
        here, there = (min(run[side][game] for run in runs) for side in (0, 1))
        print(
            f"  {game:<12} {here:5.2f} in WebAssembly, {there:5.2f} in CPython:"
            f" {here / there:.1f} times, target {MOST_TIMES_PYTHON:.0f}"
        )
        met = met and here / there <= MOST_TIMES_PYTHON
    return met


def _report_lighthouse(site: Path) -> bool:
    print("\nLighthouse, mobile:")
    met = True
    for page, found in scores(site, _chromium()).items():
        print(f"  {page:<16} {', '.join(f'{name} {score}' for name, score in found.items())}")
        met = met and all(score >= LEAST_SCORE for score in found.values())
    print(f"  target {LEAST_SCORE} each")
    return met


def _chromium() -> str:
    path = find_chromium()
    if path is None:
        raise SystemExit("no Chromium was found")
    return str(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.static_site")
    parser.add_argument("site", type=Path, help="the folder of the site")
    parser.add_argument("--part", choices=("visits", "moves", "lighthouse", "all"), default="all")
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--slower", type=int, default=SLOWER, help="default: 4")
    return parser


if __name__ == "__main__":
    sys.exit(main())
