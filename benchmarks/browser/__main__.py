"""Measure the speed of the pages in Chromium.

    python -m benchmarks.browser
    python -m benchmarks.browser --samples 3

Starts and stops a server and a browser.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.browser.measuring import THROTTLE, Loaded, frame_lengths, load, make_table
from tests.browser.server import Server, run_server
from tests.browser.user_page import DESKTOP, PHONE, Device, open_user_page
from tools.chromium import find_chromium

MOST_SAMPLES = 50
PAINTED_WITHIN = 1_000  # milliseconds
USABLE_WITHIN = 2_500
SCRIPT_BYTES = 60_000
FRAMES_PER_SECOND = 55
#: A frame that misses two refreshes of a 60 Hz screen is visible.
LONG_FRAME = 40.0
TURNS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    samples = max(1, min(options.samples, MOST_SAMPLES))
    path = find_chromium()
    if path is None:
        print("no Chromium was found", file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory(prefix="archipel-browser-") as folder,
        run_server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path)
        print(f"Chromium {browser.version}, {samples} samples each\n")
        met = _report_loading(browser, server, samples)
        met = _report_frames(browser, server) and met
        browser.close()
    print(f"\ntargets: {'met' if met else 'MISSED'}")
    return 0 if met else 1


def _report_loading(browser: Browser, server: Server, samples: int) -> bool:
    print(f"with an empty cache, on a phone whose processor is {THROTTLE} times slower:")
    homes = [load(browser, server, "/") for _ in range(samples)]
    seats = [make_table(server) for _ in range(samples)]
    tables = [load(browser, server, f"/t/{seat['table']}", seat) for seat in seats]
    home = _report_page("home page", homes, PAINTED_WITHIN, USABLE_WITHIN)
    table = _report_page("a table on my turn", tables, PAINTED_WITHIN, USABLE_WITHIN)
    return home and table


def _report_page(name: str, loaded: Sequence[Loaded], painted: int, usable: int) -> bool:
    paints = [each.painted for each in loaded]
    uses = [each.usable for each in loaded]
    script = max(each.script_bytes for each in loaded)
    print(f"  {name}")
    print(f"    first contentful paint  {_spread(paints)}, target {painted} ms")
    print(f"    usable                  {_spread(uses)}, target {usable} ms")
    print(f"    script, packed          {script / 1000:.1f} kB in {loaded[0].scripts} files")
    return (
        statistics.median(paints) < painted
        and statistics.median(uses) < usable
        and script <= SCRIPT_BYTES
    )


def _report_frames(browser: Browser, server: Server) -> bool:
    print("\nduring animations at normal speed, without throttling:")
    met = True
    for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
        device = Device(size=size, touch=name == "phone", speed="normal")
        user = open_user_page(browser, server.address, "Ana", device)
        lengths = frame_lengths(user, TURNS)
        user.context.close()
        rate = 1000 * len(lengths) / sum(lengths)
        long = sum(length > LONG_FRAME for length in lengths) / len(lengths)
        print(
            f"  {name:<8} {rate:.1f} frames per second over {sum(lengths) / 1000:.0f} s, "
            f"{100 * long:.1f} % of frames over {LONG_FRAME:.0f} ms, target {FRAMES_PER_SECOND}"
        )
        met = met and rate >= FRAMES_PER_SECOND
    return met


def _spread(values: Sequence[float]) -> str:
    return f"median {statistics.median(values):.0f} ms, longest {max(values):.0f} ms"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser")
    parser.add_argument("--samples", type=int, default=7, help="page loads of each kind")
    return parser


if __name__ == "__main__":
    sys.exit(main())
