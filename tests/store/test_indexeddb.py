"""The browser's store on the database of a real browser, against the whole conformance suite."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Error, Page, Route, async_playwright

from archipel.store.limits import Limits
from archipel.tab.browser_store import BrowserStore
from tests.browser.conftest import QUIET
from tests.engine.node import bundle_loader
from tests.store.conformance import CHECKS, LIMIT_CHECKS
from tests.store.subjects import SMALL_LIMITS, Subject
from tools.chromium import find_chromium

ORIGIN = "https://rows.test/"

#: Opens a database of `client/src/site/rows.ts` and calls its methods; bytes travel as Base64.
CALL = """async ([name, method, given]) => {
  const { Rows } = await import("/rows.js");
  const pack = (bytes) => bytes && btoa(String.fromCharCode(...bytes));
  const unpack = (text) => text && Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  window.opened ??= new Map();
  if (!opened.has(name)) opened.set(name, await Rows.open(name, () => undefined));
  const rows = opened.get(name);
  if (method === "get") return pack(await rows.get(...given)) ?? null;
  if (method === "scan") return (await rows.scan(...given)).map(([key, row]) => [key, pack(row)]);
  if (method === "commit") return rows.commit(given.map(([key, row]) => [key, unpack(row)]));
  rows.close();
  opened.delete(name);
}"""


class IndexedDatabase:
    """A `KeyValues` database in the browser."""

    def __init__(self, page: Page, name: str) -> None:
        self._page = page
        self._name = name

    async def _call(self, method: str, *given: Any) -> Any:
        return await self._page.evaluate(CALL, [self._name, method, list(given)])

    async def get(self, key: str) -> bytes | None:
        found = await self._call("get", key)
        return None if found is None else base64.b64decode(found)

    async def scan(self, first: str, end: str, limit: int) -> list[tuple[str, bytes]]:
        found = await self._call("scan", first, end, limit)
        return [(key, base64.b64decode(row)) for key, row in found]

    async def commit(self, rows: Sequence[tuple[str, bytes | None]]) -> None:
        packed = [
            [key, None if row is None else base64.b64encode(row).decode()] for key, row in rows
        ]
        await self._call("commit", *packed)

    async def close(self) -> None:
        await self._call("close")


def subject(page: Page, name: str, limits: Limits | None) -> Subject:
    return Subject(
        lambda clock: BrowserStore.open(IndexedDatabase(page, name), limits=limits, clock=clock)
    )


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> str:
    return bundle_loader(tmp_path_factory.mktemp("rows"), "site/rows").read_text("utf-8")


@asynccontextmanager
async def browser_pages(script: str) -> AsyncIterator[Callable[[], Awaitable[Page]]]:
    """Opens pages of one browser that have the script."""

    async def answer(route: Route) -> None:
        is_script = route.request.url.endswith(".js")
        kind = "text/javascript" if is_script else "text/html"
        await route.fulfill(content_type=kind, body=script if is_script else "<!doctype html>")

    async with async_playwright() as playwright:
        path = find_chromium()
        assert path is not None
        browser = await playwright.chromium.launch(executable_path=path, args=list(QUIET))
        context = await browser.new_context()
        await context.route("**/*", answer)

        async def open_page() -> Page:
            page = await context.new_page()
            await page.goto(ORIGIN)
            return page

        yield open_page
        await browser.close()


@pytest.mark.browser
@pytest.mark.soak
async def test_the_store_conforms(script: str) -> None:
    async with browser_pages(script) as open_page:
        page = await open_page()
        for limits, checks in ((None, CHECKS), (SMALL_LIMITS, LIMIT_CHECKS)):
            for check in checks:
                await check(subject(page, check.__name__, limits))


@pytest.mark.browser
async def test_a_killed_tab_loses_no_acknowledged_event(script: str) -> None:
    async with browser_pages(script) as open_page:
        page = await open_page()
        store = await BrowserStore.open(IndexedDatabase(page, "killed"))
        await store.create_table("t", b"header")
        acknowledged, enough = 0, asyncio.Event()

        async def write() -> None:
            nonlocal acknowledged
            while True:
                event = str(acknowledged).encode()
                acknowledged = (await store.append("t", acknowledged, [event])).last_n
                if acknowledged == 20:
                    enough.set()

        writer = asyncio.create_task(write())
        await enough.wait()
        session = await page.context.new_cdp_session(page)
        crash = asyncio.create_task(session.send("Page.crash"))
        with pytest.raises(Error):
            await writer
        crash.cancel()

        after = await BrowserStore.open(IndexedDatabase(await open_page(), "killed"))
        last = await after.last("t")
        assert last in (acknowledged, acknowledged + 1)  # the last one may have lost its answer
        events = [event.body for event in await after.read("t")]
        assert events == [str(n).encode() for n in range(last)]
