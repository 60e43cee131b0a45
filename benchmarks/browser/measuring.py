"""Measure pages in a real browser, each time with an empty cache."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib import request

from playwright.sync_api import Browser, Page

from tests.browser.server import Server
from tests.browser.user_page import Device, UserPage, greedy_policy, open_user_page

#: Processor throttling that simulates a slow phone.
THROTTLE = 4

#: Most seconds for a whole round of bots with animations.
_LONGEST_SHOW = 180

#: Records when the first enabled button is on the page.
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
#: Records the lengths of all frames during animations.
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
    """Load times of a page in milliseconds, and bytes of compressed script."""

    painted: float
    usable: float
    script_bytes: int
    scripts: int


def load(browser: Browser, server: Server, path: str, seat: dict[str, Any] | None = None) -> Loaded:
    """Open a page with an empty cache on a slow phone; ``seat`` is stored in the browser."""
    device = Device(size=(390, 844), touch=True, speed="normal")
    user = open_user_page(browser, server.address, "Ana", device)
    page = user.page
    page.add_init_script(_NOTE_USABLE)
    if seat is not None:
        kept = {seat["table"]: {"token": seat["token"], "game": "deep-sea", "seen": 0, "at": 1}}
        text = json.dumps(json.dumps(kept))
        page.add_init_script(f"localStorage.setItem('archipel.tables', {text});")
    slow_down(page)
    page.goto(f"{server.address}{path}")
    there = f"window.usableAfter !== undefined && {_PAINTED} !== undefined"
    user.wait_until(lambda: bool(page.evaluate(there)))
    sizes = page.evaluate(_SCRIPTS)
    loaded = Loaded(
        page.evaluate(_PAINTED), page.evaluate("window.usableAfter"), sum(sizes), len(sizes)
    )
    user.context.close()
    return loaded


def slow_down(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})


def make_table(server: Server) -> dict[str, Any]:
    """Create a game against bots in which the host moves first."""
    body = {
        "game": "deep-sea",
        "seats": [{}, *({"bot": "greedy-1"} for _ in range(3))],
        "my_name": "Ana",
        "options": {"first": 1},
        "begin": True,
    }
    sent = request.Request(
        f"{server.address}/api/tables",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with request.urlopen(sent, timeout=20) as answer:
        made: dict[str, Any] = json.load(answer)
        return made


def frame_lengths(user: UserPage, turns: int) -> list[float]:
    """Play some decisions with animations at normal speed; returns milliseconds per frame."""
    user.policy = greedy_policy
    user.play_now()
    user.page.evaluate(_NOTE_FRAMES)
    for _ in range(turns):
        if user.wait_for_turn(seconds=_LONGEST_SHOW).over:
            break
        user.decide()
    user.wait_for_turn(seconds=_LONGEST_SHOW)
    lengths: list[float] = user.page.evaluate("window.frameLengths")
    return lengths
