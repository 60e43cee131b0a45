"""The engine in Chromium gives the same bits as in Node (`tests/engine/test_lockstep.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from archipel.rules.kit.core.loading import can_compile
from tests.engine.node import bundle_loader
from tests.engine.reference import check, in_python
from tests.support.slow_games import slow_games

if can_compile():
    from archipel.bots.engine.modules import build_engine, engine_games

    GAMES = engine_games()
else:
    GAMES = ()

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the modules"),
]

SCRIPT = Path(__file__).parents[1] / "engine" / "lockstep.mjs"

IN_PAGE = """async ([game, task]) => {
  const [engine, { runTask }] = await Promise.all([import("/engine.mjs"), import("/lockstep.mjs")]);
  const module = await (await fetch(`/${game}.wasm`)).arrayBuffer();
  return runTask(engine, module, task);
}"""


def page_with(chromium: Browser, files: dict[str, tuple[str, bytes]]) -> Page:
    """A page that gets only these files."""

    def answer(route: Route) -> None:
        kind, body = files[route.request.url.rpartition("/")[2]]
        route.fulfill(content_type=kind, body=body)

    page = chromium.new_page()
    page.route("**/*", answer)
    page.goto("http://engine.test/")
    return page


@pytest.mark.parametrize("game", slow_games(GAMES))
def test_lockstep(chromium: Browser, tmp_path: Path, game: str) -> None:
    page = page_with(
        chromium,
        {
            "": ("text/html", b"<!doctype html><title>engine</title>"),
            "favicon.ico": ("image/png", b""),
            "engine.mjs": ("text/javascript", bundle_loader(tmp_path).read_bytes()),
            "lockstep.mjs": ("text/javascript", SCRIPT.read_bytes()),
            f"{game}.wasm": ("application/wasm", build_engine(game)),
        },
    )
    task, expected = in_python(game)
    check(page.evaluate(IN_PAGE, [game, task]), expected)
    page.close()
