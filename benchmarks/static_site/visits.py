"""The first and the second visit of a site by a slow device, measured in its page."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from benchmarks.static_site.slow_host import SlowLine, slow_host
from benchmarks.static_site.slow_processor import slowed
from tests.browser.user_page import PHONE

#: Bits per second, and seconds of a round trip.
RATE, ROUND_TRIP = 20e6, 0.050
#: The processor is so many times slower.
SLOWER = 4
_LONGEST = 120.0

#: The visitor begins in a game against one bot.
_SETTINGS = {
    "speed": "off",
    "opponents": {"deep-sea": {"count": 1, "bot": "casual-2", "options": {"first": 1}}},
}
#: Begins a game as soon as the page allows it, and marks what could be done when.
_VISITOR = """
const seen = new Set();
const first = (name, selector) => {
  const found = seen.has(name) ? null : document.querySelector(selector);
  if (found) seen.add(name), performance.mark(name);
  return found;
};
new MutationObserver(() => {
  first("game cards", '[data-testid="play-now"]:not([disabled])')?.click();
  first("board", '[data-testid="board"]');
  first("first move", '[data-testid="choices"] [data-action]:not([disabled])');
}).observe(document, { childList: true, subtree: true, attributes: true });
"""
_TIMES = """() => Object.fromEntries([
  ...performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime]),
  ...performance.getEntriesByType("paint").map(({ name, startTime }) => [name, startTime]),
])"""
#: Whether the next visit can start from a snapshot.
_SNAPSHOT = """async () => {
  const snapshots = await caches.open("archipel-snapshots");
  return (await snapshots.keys()).length > 0;
}"""


@dataclass(frozen=True)
class Visit:
    """Milliseconds since the start of the visit, by event, and the bytes that were sent."""

    times: dict[str, float]
    sent: int

    @property
    def readable(self) -> float:
        return self.times["first-contentful-paint"]

    @property
    def first_move(self) -> float:
        return self.times["first move"]


@dataclass(frozen=True)
class Visits:
    """``kept``: the bytes sent until everything is ready for use without a network."""

    first: Visit
    second: Visit
    kept: int


def measure(browser: Browser, site: Path, slower: int = SLOWER) -> Visits:
    line = SlowLine(RATE, ROUND_TRIP)
    with slow_host(site, line) as address:
        context = browser.new_context(
            viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True
        )
        context.set_default_timeout(1000 * _LONGEST)
        settings = json.dumps(json.dumps(_SETTINGS))
        context.add_init_script(f"localStorage.setItem('archipel.settings', {settings});")
        context.add_init_script(_VISITOR)
        first = _visit(context, address, line, slower)
        page = context.new_page()
        page.goto(address)
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        while not page.evaluate(_SNAPSHOT):
            page.wait_for_timeout(200)
        page.close()
        kept = line.total
        second = _visit(context, address, line, slower)
        context.close()
        return Visits(first, second, kept)


def _visit(context: BrowserContext, address: str, line: SlowLine, slower: int) -> Visit:
    before = line.total
    with slowed(os.getpid(), slower):
        page = context.new_page()
        page.goto(address, wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByName('first move').length > 0")
        times: dict[str, float] = page.evaluate(_TIMES)
        sent = line.total - before
    page.close()
    return Visit(times, sent)
