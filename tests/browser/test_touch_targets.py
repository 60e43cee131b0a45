"""Every choice can be touched on every screen size, measured in the browser.

A *place* is a touch target: all choices on one cell, or one piece beside the field. Its size is the
distance on the screen from its center to the center of the nearest other place, since a tap goes to
the nearest one. A tap on a place that is too small must not choose: it zooms in (then the place is
measured again), or shows the choices under the finger as buttons, which are measured, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from archipel.rules.all_games import game_named
from tests.browser.boards import distinct_choices, switch_to_french, with_targets_on_board
from tests.browser.conftest import NewUser
from tests.browser.staging import RandomGame, StagedTable, most_on_one_cell, target_count
from tests.browser.user_page import Message, UserPage

pytestmark = pytest.mark.browser

#: Width and height in CSS pixels. The last is 1366 by 768 at a zoom of 200 %.
SIZES = (
    (320, 568),
    (360, 640),
    (375, 667),
    (390, 664),
    (390, 844),
    (844, 390),
    (820, 1180),
    (1366, 768),
    (683, 384),
)
SMALL, LARGE = 24, 44


def needed(size: tuple[int, int]) -> int:
    """The minimum size of a place: larger from 390 by 664 up, in either orientation."""
    return LARGE if min(size) >= 390 and max(size) >= 664 else SMALL


#: Tries every choice by touch; returns the problems and the number of choices tried.
MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")

RANDOM_GAMES = {
    "deep-sea": RandomGame("deep-sea", 6, {}),
    "the-island": RandomGame("the-island", 2, {"two_colours": True, "crowded": True}),
    "atlantis": RandomGame("atlantis", 2, {}),
    "mauna-kea": RandomGame("mauna-kea", 2, {"expert": True}),
}

#: Options that let the first seat begin.
FIRST = {
    "deep-sea": {"Who begins": "seat 1"},
    "the-island": {"Who begins": "seat 1"},
    "atlantis": {"Who begins": "seat 1"},
    "mauna-kea": {"First player": "seat 1"},
}


def positions(game: str) -> dict[str, Message]:
    """Positions of a game: set-up, middle, most choices on one cell, and most buttons."""
    moments = list(RANDOM_GAMES[game].decisions())
    center = moments[len(moments) // 3 : 2 * len(moments) // 3]
    found = {
        "set-up": max(moments[:20], key=lambda moment: target_count(moment["scene"])),
        "middle": max(center, key=lambda moment: target_count(moment["scene"])),
        "crowded": max(
            moments,
            key=lambda moment: (most_on_one_cell(moment["scene"]), target_count(moment["scene"])),
        ),
        "buttons": max(moments, key=lambda moment: button_count(moment["scene"])),
    }
    return {name: moment for name, moment in found.items() if moment["scene"]["choices"]}


def button_count(scene: Message) -> int:
    """The number of buttons."""
    return sum(not choice["targets"] for choice in scene["choices"])


#: Events with long tips.
TIPS = {
    "deep-sea": "lose.round.many",
    "the-island": "play_begins",
    "atlantis": "spin.monster",
    "mauna-kea": "begin",
}


def expect_words(user: UserPage) -> None:
    """Wait for the tip and for the mark of a game from a position."""
    expect(user.by_test_id("guide-ok")).to_be_visible()
    expect(user.by_test_id("from-position")).to_be_attached()


def longest_refusal(game: str) -> str:
    sentences = game_named(game).catalogue("fr").sentences
    return max((text for key, text in sentences.items() if key.startswith("refuse.")), key=len)


def show_engines(user: UserPage) -> None:
    """Let the page offer hints in every game."""

    def answer(route: Route) -> None:
        response = route.fetch()
        games = response.json()
        for game in games:
            game.update(engine="/engine.wasm")
        route.fulfill(response=response, json=games)

    user.page.route("**/api/games", answer)


@pytest.mark.parametrize("most", [3, pytest.param(999, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", list(RANDOM_GAMES))
def test_everything_can_be_touched_on_every_screen(new_user: NewUser, game: str, most: int) -> None:
    """Tries at most ``most`` of the places on the board, spread over all of them, with a tip, a
    caption, the mark of a game from a position, hints, and then the message of a refusal."""
    ana = new_user("Ana", size=SIZES[0], touch=True, reduced_motion=True)
    show_engines(ana)
    stage = StagedTable(ana)
    seats = RANDOM_GAMES[game].seats
    # Against bots of the first level, the page has a strip for tips.
    level = "first game, overlooks things"
    bots = range(2, seats + 1)
    ana.set_up_table(game=game, seats=seats, bots=bots, level=level, options=FIRST[game])
    switch_to_french(ana)
    ana.start_game()
    wrong: list[str] = []
    seen: set[str] = set()
    for name, moment in positions(game).items():
        for size in SIZES:
            tip = {"key": TIPS[game], "details": {"seat": 1, "count": 2}}
            ana.page.set_viewport_size({"width": size[0], "height": size[1]})
            stage.show(moment, moment["question"], tip, from_position=True)
            expect_words(ana)
            scene = moment["scene"]
            choices = with_targets_on_board(distinct_choices(scene), scene)
            choices += [
                path for path in with_targets_on_board(scene["paths"], scene) if path["targets"]
            ]
            found = ana.page.evaluate(MEASURE, [needed(size), choices, most])
            wrong += [f"{name}, {size[0]} x {size[1]}: {each}" for each in found["problems"]]
            assert {"guide", "from-position"} <= set(found["words"])
            seen.update(found["words"])
        if name == "buttons":
            wrong += refused(stage, moment, longest_refusal(game))
    assert not wrong, "\n".join(["", *wrong])
    assert "told" in seen, "no caption was shown"
    # A large screen shows the whole board, whatever the size was before.
    stage.show(positions(game)["set-up"])
    for width, height in (SIZES[2], (1366, 768)):
        ana.page.set_viewport_size({"width": width, "height": height})
        ana.page.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)))")
    expect(ana.by_test_id("board")).to_have_attribute("data-zoom", "1.00")


def refused(stage: StagedTable, moment: Message, message: str) -> list[str]:
    """Show the message of a refused move at every size; returns what is wrong."""
    ana = stage.user
    stage.refuse(message, "IS-D1")
    wrong = []
    for size in SIZES:
        ana.page.set_viewport_size({"width": size[0], "height": size[1]})
        stage.show(moment)
        toast = ana.page.locator(".toast")
        ana.page.keyboard.press("1")
        if ana.page.locator(".choice.warm").count() > 0:
            ana.page.keyboard.press("1")
        expect(toast).to_contain_text(message[1:])
        found = ana.page.evaluate(MEASURE, [needed(size), [], 0])
        assert "P" in found["words"]
        wrong += [f"a refusal, {size[0]} x {size[1]}: {each}" for each in found["problems"]]
    ana.page.evaluate("() => { window.refusal = undefined; }")
    return wrong


@pytest.mark.parametrize("size", [SIZES[2], (844, 390)], ids=str)
def test_a_long_tip_can_be_read_whole(new_user: NewUser, size: tuple[int, int]) -> None:
    """On small screens a tap shows the rest of a tip, in place of the choices."""
    ana = new_user("Ana", size=size, touch=True, reduced_motion=True)
    stage = StagedTable(ana)
    level = "first game, overlooks things"
    ana.set_up_table(game="atlantis", seats=2, bots=[2], level=level, options=FIRST["atlantis"])
    switch_to_french(ana)
    ana.start_game()
    stage.show(
        next(RANDOM_GAMES["atlantis"].decisions()),
        {"key": TIPS["atlantis"], "details": {"seat": 1}},
    )
    text, board = ana.by_test_id("guide").locator("p"), ana.by_test_id("board")
    box = board.bounding_box()
    is_whole = "text => text.scrollHeight <= text.clientHeight + 2"
    ana.by_test_id("guide-whole").tap()
    ana.wait_until(lambda: bool(text.evaluate(is_whole)))
    assert board.bounding_box() == box
    ana.by_test_id("guide-ok").tap()
    expect(ana.by_test_id("choices")).to_be_visible()
    assert board.bounding_box() == box
