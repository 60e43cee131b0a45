"""Pages measured in a real browser, with a clean cache every time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib import request

from playwright.sync_api import Browser, Page

from tests.browser.people import Device, Person, greedily, sit_down
from tests.browser.serving import Server

#: How much slower than this machine a phone is taken to be.
THROTTLE = 4

#: Seconds that bots may take to play a whole round to its end, everything shown.
_LONGEST_SHOW = 180

#: Notes when something to press first stands on the page.
_NOTE_USABLE = """
  new MutationObserver((_, observer) => {
    const ready = document.querySelector(
      '[data-testid="play-now"]:not([disabled]), ' +
      '[data-testid="table-page"]:has([data-testid="board"]) [data-action]:not([disabled])');
    if (!ready) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.usableAfter = performance.now(); });
  }).observe(document, { childList: true, subtree: true, attributes: true });
"""
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_SCRIPTS = """performance.getEntriesByType("resource")
  .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
  .map(({ encodedBodySize }) => encodedBodySize)"""
#: The lengths of all frames during which something was shown.
_NOTE_FRAMES = """() => {
  window.frameLengths = [];
  let last = null;
  const frame = (now) => {
    const showing = document.querySelector('[data-showing="true"]') !== null;
    if (showing && last !== null) window.frameLengths.push(now - last);
    last = showing ? now : null;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


@dataclass(frozen=True)
class Loaded:
    """How a page came up: milliseconds since it was asked for, and bytes of script as sent."""

    painted: float
    usable: float
    script_bytes: int
    scripts: int


def load(browser: Browser, server: Server, path: str, seat: dict[str, Any] | None = None) -> Loaded:
    """Open a page as somebody who was never here, on a slow phone; ``seat`` is theirs already."""
    device = Device(size=(390, 844), touch=True, speed="normal")
    person = sit_down(browser, server.address, "Ana", device)
    page = person.page
    page.add_init_script(_NOTE_USABLE)
    if seat is not None:
        kept = {seat["table"]: {"token": seat["token"], "game": "deep-sea", "seen": 0, "at": 1}}
        text = json.dumps(json.dumps(kept))
        page.add_init_script(f"localStorage.setItem('archipel.tables', {text});")
    slow_down(page)
    page.goto(f"{server.address}{path}")
    there = f"window.usableAfter !== undefined && {_PAINTED} !== undefined"
    person.wait_until(lambda: bool(page.evaluate(there)))
    sizes = page.evaluate(_SCRIPTS)
    loaded = Loaded(
        page.evaluate(_PAINTED), page.evaluate("window.usableAfter"), sum(sizes), len(sizes)
    )
    person.context.close()
    return loaded


def slow_down(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})


def make_table(server: Server) -> dict[str, Any]:
    """A game against bots that has begun, on the turn of its maker."""
    wish = {
        "game": "deep-sea",
        "seats": [{}, *({"bot": "greedy-1"} for _ in range(3))],
        "my_name": "Ana",
        "options": {"first": 1},
        "begin": True,
    }
    sent = request.Request(
        f"{server.address}/api/tables",
        json.dumps(wish).encode(),
        {"Content-Type": "application/json"},
    )
    with request.urlopen(sent, timeout=20) as answer:
        made: dict[str, Any] = json.load(answer)
        return made


def frame_lengths(person: Person, turns: int) -> list[float]:
    """Play so many decisions with everything shown at its usual speed; milliseconds per frame."""
    person.policy = greedily
    person.plays_now()
    person.page.evaluate(_NOTE_FRAMES)
    for _ in range(turns):
        if person.waits_for_turn(seconds=_LONGEST_SHOW).over:
            break
        person.decides()
    person.waits_for_turn(seconds=_LONGEST_SHOW)
    lengths: list[float] = person.page.evaluate("window.frameLengths")
    return lengths
