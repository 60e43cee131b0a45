"""A static site without a network, after one visit: its host is stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, expect

from archipel.rules.all_games import game_named
from archipel.rules.kit.core.loading import can_compile
from archipel.tables.bots.players import bots_for
from tests.browser.boards import BoardPlayer, WeightedChoice
from tests.browser.static_site import Host, foreign_requests, hear_tables, running_host
from tests.browser.test_lessons import GAMES, first_dive, start_lesson
from tests.browser.test_puzzles import solve, solver
from tests.browser.user_page import (
    DESKTOP,
    SMALL_PHONE,
    Device,
    UserPage,
    open_user_page,
    play_until,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engines"),
]

#: One quick bot in each game, and pieces placed at random.
SETTINGS = {
    "archipel.settings": json.dumps(
        {
            "speed": "off",
            "opponents": {
                game: {
                    "count": 1,
                    "bot": max(bot for bot in bots_for(game) if bot.startswith("casual")),
                    "options": {"auto_setup": True} if game == "the-island" else {},
                }
                for game in GAMES
            },
        }
    )
}
#: Milliseconds for downloads, and for games of bots on a busy machine.
LONG = 120_000
DEVICES = {
    "phone": Device(
        size=SMALL_PHONE,
        touch=True,
        language="fr-FR",
        reduced_motion=True,
        service_workers="allow",
    ),
    "desktop": Device(size=DESKTOP, reduced_motion=True, service_workers="allow"),
}
#: Decisions of the visitor, before a bot takes the seat: games of people take long.
DECISIONS = 6


def quick_on(device: str) -> pytest.MarkDecorator:
    """Do a test on one device, and in the long tests on the others too."""
    every = [
        name if name == device else pytest.param(name, marks=pytest.mark.soak) for name in DEVICES
    ]
    return pytest.mark.parametrize("traveller", every, indirect=True, scope="module")


@pytest.fixture(scope="module")
def traveller(
    request: pytest.FixtureRequest, chromium: Browser, site_host: Host
) -> Iterator[UserPage]:
    """A visitor whose network was cut after the first visit."""
    with running_host(site_host.folder) as host:
        user = open_user_page(chromium, host.address, "Zoé", DEVICES[request.param])
        hear_tables(user)
        user.context.add_init_script(f"Object.assign(localStorage, {json.dumps(SETTINGS)});")
        foreign = foreign_requests(user, host.address)
        user.open_home()
        expect(user.by_test_id("offline")).to_have_attribute("data-state", "ready", timeout=LONG)
        host.stop()
        yield user
        user.context.close()
        assert not foreign
        assert not [error for error in user.errors if "ERR_CONNECTION_REFUSED" not in error]


#: Played to the end in the test command; the long tests play every game on both devices.
QUICK_GAMES = {
    ("phone", "mauna-kea"),
    ("phone", "atlantis"),
    ("desktop", "the-island"),
    ("desktop", "deep-sea"),
}


@pytest.mark.parametrize(
    ("traveller", "game"),
    [
        pytest.param(*each, marks=[] if each in QUICK_GAMES else pytest.mark.soak)
        for each in product(DEVICES, GAMES)
    ],
    indirect=["traveller"],
    scope="module",
)
def test_a_whole_game_against_bots(traveller: UserPage, game: str) -> None:
    begin(traveller, game)
    player = BoardPlayer(traveller, WeightedChoice(1, {}))
    for _ in range(DECISIONS):
        traveller.wait_until(player.decide)
    let_bots_finish(traveller)


def begin(user: UserPage, game: str) -> None:
    user.open_home()
    user.by_test_id(f"game-{game}").get_by_test_id("play-now").click()
    user.expect_board()


def let_bots_finish(user: UserPage) -> None:
    user.open_tab("settings")
    user.button("Laisser un robot jouer" if french(user) else "Let a bot play").click()
    expect(user.by_test_id("result")).to_be_visible(timeout=LONG)


@quick_on("phone")
def test_a_hint_and_a_game_on_one_device(traveller: UserPage) -> None:
    begin(traveller, "deep-sea")
    play_until(lambda: len(traveller.table_state().actions) > 1, traveller)
    traveller.by_test_id("hint").click()
    expect(traveller.by_test_id("hint-found")).to_contain_text("%")
    traveller.open_home()
    traveller.game_card.get_by_test_id("on-this-device").click()
    traveller.by_test_id("make-table").click()
    traveller.expect_board()
    for _ in range(4):
        traveller.decide()


@quick_on("phone")
def test_a_lesson(traveller: UserPage) -> None:
    start_lesson(traveller, first_dive(), "fr" if french(traveller) else "en").complete()


@quick_on("desktop")
def test_the_daily_puzzle(traveller: UserPage) -> None:
    traveller.page.clock.set_fixed_time("2026-05-05T12:00:00Z")
    traveller.open_home()
    traveller.by_test_id("solve-daily").click()
    expect(traveller.by_test_id("puzzle")).to_have_attribute("data-state", "open")
    traveller.wait_until(lambda: traveller.last_table()["id"] == traveller.table)
    table = traveller.last_table()
    number = int(table["lesson"]["name"].removeprefix("puzzle-"))
    solve(solver(traveller, table["game"], number, "fr" if french(traveller) else "en"))


@quick_on("desktop")
def test_after_a_game(traveller: UserPage) -> None:
    """Analysis, replay, what-if, the rules, the documents."""
    begin(traveller, "deep-sea")
    let_bots_finish(traveller)
    over = traveller.page.url
    traveller.page.reload()  # closes the sheet
    traveller.by_test_id("analyse").click()
    stage = traveller.by_test_id("analysis-stage")
    expect(stage).to_have_attribute("data-stage", "done", timeout=LONG)
    traveller.page.keyboard.press("Escape")
    traveller.by_test_id("replay").click()
    expect(traveller.by_test_id("replay-bar").get_by_role("slider")).to_have_value("0")
    traveller.by_test_id("what-if").click()
    traveller.by_test_id("alone").click()
    expect(traveller.by_test_id("from-position")).to_be_visible()
    assert traveller.page.url != over
    traveller.open_tab("rules")
    booklet = game_named("deep-sea").booklet("fr" if french(traveller) else "en")
    expect(traveller.by_test_id("sheet")).to_contain_text(booklet.introduction)
    traveller.open_home()
    traveller.page.locator("footer a").click()
    expect(traveller.page.locator("h1")).to_be_visible()
    traveller.page.goto(f"{traveller.home}docs/rules/atlantis.fr.html")
    expect(traveller.page.locator("#AT-K5")).to_be_attached()


def french(user: UserPage) -> bool:
    return user.page.locator("html").get_attribute("lang") == "fr"
