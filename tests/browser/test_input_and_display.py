"""Other ways to play: in French, on a phone in dark mode, by keyboard, by typing, with reduced
motion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser.boards import BoardPlayer, Chooser, KeyboardPlayer, play_boards_to_end
from tests.browser.conftest import NewUser
from tests.browser.user_page import SMALL_PHONE, Message, UserPage, play_until, wait_until

pytestmark = pytest.mark.browser

#: Records, frame by frame, the status line and the animated properties of pieces.
_WATCH = """() => {
  window.animated = new Set();
  window.lines = [];
  const look = () => {
    const said = document.querySelector('[data-testid="line"]')?.textContent ?? "";
    if (said !== window.lines.at(-1)) window.lines.push(said);
    for (const animation of document.getAnimations()) {
      if (!animation.effect?.target?.closest?.("[data-piece]")) continue;
      for (const frame of animation.effect.getKeyframes())
        for (const name of Object.keys(frame)) window.animated.add(name);
    }
  };
  const everyFrame = () => { look(); requestAnimationFrame(everyFrame); };
  everyFrame();
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(document, all);
}"""


@dataclass(frozen=True)
class Shown:
    """Status lines and animated properties since the recording began."""

    lines: list[str]
    animated: set[str]

    def shows_a_throw_then_a_dive(self) -> bool:
        throws = [i for i, line in enumerate(self.lines) if " rolls " in line]
        dives = [i for i, line in enumerate(self.lines) if " dives " in line]
        return bool(throws and dives) and throws[0] < dives[0]


def shown_by_a_dive(user: UserPage) -> Shown:
    """Dive, and record what the page shows."""
    user.play_now()
    play_until(lambda: "dive" in user.table_state().actions, user)
    user.page.evaluate(_WATCH)
    user.choose("dive")
    user.wait_for_turn()
    lines, animated = user.page.evaluate("[window.lines, [...window.animated]]")
    return Shown(lines, set(animated))


def luminance(user: UserPage) -> float:
    """The lightness of the page, from 0 to 1."""
    colour = user.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def by_policy(user: UserPage) -> Chooser:
    """Choose by the policy of the user."""

    def choose(offered: Sequence[Message]) -> Message:
        wanted = user.policy([choice["text"] for choice in offered])
        return next(choice for choice in offered if choice["text"] == wanted)

    return choose


def test_by_touch_in_french_on_a_small_phone_in_dark_mode(new_user: NewUser) -> None:
    luc = new_user("Luc", size=SMALL_PHONE, touch=True, language="fr-FR", scheme="dark")
    luc.page.goto(luc.home)
    luc.game_card.get_by_role("button", name="Jouer tout de suite contre des robots").tap()
    luc.expect_board()
    expect(luc.page.locator("html")).to_have_attribute("lang", "fr")
    assert luminance(luc) < 0.2
    assert luc.wait_for_turn().actions == ("dive",)  # the first action of every player
    assert "plongez" in luc.status_line()

    player = BoardPlayer(luc, by_policy(luc))
    play_boards_to_end(player)

    assert player.steps < 1.5 * player.decisions
    assert luc.result_lines()
    assert luc.by_test_id("result").get_by_role("heading").inner_text() == "La partie est terminée"
    width = luc.page.evaluate("document.documentElement.scrollWidth")
    assert width <= SMALL_PHONE[0]


def test_the_language_can_be_changed_during_a_game(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until(lambda: "dive" in ana.table_state().actions, ana)
    ana.open_tab("settings")
    ana.by_test_id("language").select_option("fr")
    expect(ana.by_test_id("line")).to_contain_text(re.compile("plongez|Continuer"))
    expect(ana.by_test_id("tab-rules")).to_have_text("Règles")
    expect(ana.page.locator("html")).to_have_attribute("lang", "fr")
    ana.page.reload()
    expect(ana.by_test_id("tab-rules")).to_have_text("Règles")
    ana.choose("dive")


def test_light_and_dark_can_be_chosen(new_user: NewUser) -> None:
    ana = new_user("Ana", scheme="dark")
    ana.open_home()
    assert luminance(ana) < 0.2
    ana.button("Settings").click()
    ana.by_test_id("theme").select_option("light")
    assert luminance(ana) > 0.8
    ana.page.reload()
    expect(ana.game_card).to_be_visible()
    assert luminance(ana) > 0.8


def tab_to(user: UserPage, selector: str) -> None:
    """Press Tab until an element has the focus."""

    def reached() -> bool:
        there = f"document.activeElement?.matches({selector!r}) ?? false"
        if user.page.evaluate(there):
            return True
        user.page.keyboard.press("Tab")
        return False

    wait_until(reached, user.page)


def test_a_whole_game_by_keyboard_in_french(new_user: NewUser) -> None:
    ana = new_user("Ana", language="fr-FR")
    ana.open_home()
    tab_to(ana, '[data-testid="game-deep-sea"] [data-testid="play-now"]')
    ana.page.keyboard.press("Enter")
    ana.expect_board()
    expect(ana.page.locator("html")).to_have_attribute("lang", "fr")

    # On the board, a single Enter.
    play_until(lambda: "take" in ana.table_state().actions, ana)
    before = ana.table_state().n
    tab_to(ana, "[data-target]")
    ana.page.keyboard.press("Enter")
    ana.wait_for_event_after(before)

    # By a button, reached with Tab.
    if not ana.wait_for_turn().over:
        action = ana.table_state().actions[0]
        before = ana.table_state().n
        tab_to(ana, f'[data-action="{action}"]')
        ana.page.keyboard.press("Enter")
        ana.wait_for_event_after(before)

    for key, tab in (("h", "help"), ("r", "rules"), ("l", "log"), ("t", "text")):
        ana.page.keyboard.press(key)
        expect(ana.by_test_id(f"tab-{tab}")).to_have_attribute("aria-expanded", "true")
    expect(ana.by_test_id("typed-move")).to_be_focused()
    ana.page.keyboard.press("Escape")
    expect(ana.by_test_id("typed-move")).not_to_be_focused()

    # The rest on the board and by number keys; the focus is never lost.
    player = KeyboardPlayer(ana, by_policy(ana))
    play_boards_to_end(player)
    assert player.lost == 0

    ana.result_lines()
    tab_to(ana, '[data-testid="replay"]')
    ana.page.keyboard.press("Enter")
    slider = ana.by_test_id("replay-bar").get_by_role("slider")
    expect(slider).to_have_value("0")
    for key, moment in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1")):
        ana.page.keyboard.press(key)  # with any focus
        expect(slider).to_have_value(moment)
    tab_to(ana, 'input[type="range"]')
    ana.page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("2")
    ana.page.keyboard.press("Escape")


def test_a_game_by_typing(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    ana.open_tab("text")
    typed = ana.by_test_id("typed-move")
    ana.wait_for_turn()
    typed.fill("fly away")
    typed.press("Enter")
    expect(ana.by_test_id("sheet").get_by_role("alert")).to_have_text(
        f"“fly away” is not possible now. Possible: {', '.join(ana.table_state().actions)}."
    )
    expect(ana.by_test_id("text-board")).to_contain_text("in the submarine")
    ana.by_test_id("sheet").get_by_text("In notation").click()
    expect(ana.by_test_id("sheet").locator("code")).to_contain_text("air=25")

    while not (look := ana.wait_for_turn()).over:
        typed.fill(f"  {ana.policy(look.actions).upper()} ")
        typed.press("Enter")
        ana.wait_for_event_after(look.n)
    ana.result_lines()


def test_animations_run_in_order_and_can_be_skipped(new_user: NewUser) -> None:
    ana = new_user("Ana", speed="fast")
    shown = shown_by_a_dive(ana)
    assert shown.shows_a_throw_then_a_dive()
    assert "transform" in shown.animated

    ana.open_tab("settings")
    ana.by_test_id("speed").select_option("slow")
    ana.choose("nothing")
    ana.button("Skip").click()
    ana.wait_for_turn()
    assert not ana.table_state().showing
    ana.choose(
        "nothing" if "nothing" in ana.table_state().actions else ana.table_state().actions[0]
    )
    expect(ana.button("Skip")).to_be_visible()
    ana.page.keyboard.press("s")  # one key
    ana.wait_for_turn()
    assert not ana.table_state().showing


def test_the_last_turn_can_be_shown_again(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    ana.decide()
    stands = ana.wait_for_turn()
    ana.page.evaluate(_WATCH)
    ana.button("Replay the last turn").click()
    expect(ana.by_test_id("table-page")).to_have_attribute("data-showing", "true")
    expect(ana.by_test_id("table-page")).to_have_attribute("data-showing", "false")
    assert ana.wait_for_turn() == stands
    assert len(ana.page.evaluate("window.lines")) > 2  # the turn was shown again


def test_tapping_a_piece_shows_its_rules(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until(lambda: "dive" in ana.table_state().actions, ana)  # no piece is a target now
    # The farthest chip, which no diver reaches so soon.
    ana.page.locator('[data-piece="unit-d8"]').click(force=True)
    expect(ana.by_test_id("sheet").get_by_role("heading", level=3).first).to_contain_text(
        "Level 4 chip"
    )
    expect(ana.by_test_id("sheet").locator("[id^=rule-DS]").first).to_be_visible()


def test_with_reduced_motion_nothing_slides(new_user: NewUser) -> None:
    shown = shown_by_a_dive(new_user("Ana", speed="fast", reduced_motion=True))
    assert shown.shows_a_throw_then_a_dive()
    assert "transform" not in shown.animated
