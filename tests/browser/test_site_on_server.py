"""A server that also serves the static site, for the time when the server is away."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.server import run_server
from tests.browser.server_process import ServerOptions
from tests.browser.static_site import FOLDER, Host
from tests.browser.user_page import PHONE, Device, open_user_page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engines"),
]


def test_games_go_on_in_the_browser_while_the_server_is_away(
    chromium: Browser, site_host: Host, tmp_path: Path
) -> None:
    options = ServerOptions(site=str(site_host.folder / FOLDER))
    with run_server(tmp_path, options) as server:
        device = Device(size=PHONE, touch=True, service_workers="allow")
        user = open_user_page(chromium, server.address, "Ana", device)
        user.play_now()
        there = user.table
        user.open_home()
        user.by_test_id("without-server").tap()
        expect(user.by_test_id("offline")).to_have_attribute("data-state", "ready", timeout=120_000)
        assert user.page.url == f"{server.address}/offline/"
        expect(user.by_test_id("my-table")).to_have_count(0)

        server.kill()
        user.open(server.address)
        expect(user.page.get_by_role("alert")).to_contain_text("server does not answer")
        user.by_test_id("without-server").tap()
        user.game_card.get_by_test_id("play-now").tap()
        user.expect_board()
        here = user.table
        n = user.wait_for_turn().n
        user.decide()
        assert user.table_state().n > n

        server.start()
        user.open_home()
        expect(user.by_test_id("my-table")).to_have_count(1)
        user.by_test_id("my-table").get_by_role("link").tap()
        user.expect_board()
        assert user.table == there != here
        user.context.close()
