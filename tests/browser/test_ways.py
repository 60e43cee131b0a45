"""Other ways to play: in French on a phone at night, by keys alone, by typing, with less motion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser.boards import Chooser, KeyPlayer, Player, play_to_the_end
from tests.browser.conftest import Arrive
from tests.browser.people import SMALL_PHONE, Message, Person, play_until, wait_until

pytestmark = pytest.mark.browser

#: Notes, frame by frame, what the line says and which properties of pieces are being animated.
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
    """What was to be seen since somebody began to watch."""

    lines: list[str]
    animated: set[str]

    def tells_a_throw_then_a_dive(self) -> bool:
        throws = [i for i, line in enumerate(self.lines) if " throws " in line]
        dives = [i for i, line in enumerate(self.lines) if " dives " in line]
        return bool(throws and dives) and throws[0] < dives[0]


def shown_by_a_dive(person: Person) -> Shown:
    """Dive, and watch it being shown."""
    person.plays_now()
    play_until(lambda: "dive" in person.look().actions, person)
    person.page.evaluate(_WATCH)
    person.chooses("dive")
    person.waits_for_turn()
    lines, animated = person.page.evaluate("[window.lines, [...window.animated]]")
    return Shown(lines, set(animated))


def luminance(person: Person) -> float:
    """How light the page is, between 0 and 1."""
    colour = person.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255


def as_they_like(person: Person) -> Chooser:
    """What their policy says, among what the board offers."""

    def choose(offered: Sequence[Message]) -> Message:
        wanted = person.policy([choice["text"] for choice in offered])
        return next(choice for choice in offered if choice["text"] == wanted)

    return choose


def test_by_touch_alone_in_french_on_a_small_phone_in_the_dark(arrive: Arrive) -> None:
    luc = arrive("Luc", size=SMALL_PHONE, touch=True, language="fr-FR", scheme="dark")
    luc.page.goto(luc.home)
    luc.game.get_by_role("button", name="Jouer tout de suite contre des robots").tap()
    luc.sees_board()
    expect(luc.page.locator("html")).to_have_attribute("lang", "fr")
    assert luminance(luc) < 0.2
    assert luc.waits_for_turn().actions == ("dive",)  # whoever began: the first thing to do
    assert "plongez" in luc.line()

    player = Player(luc, as_they_like(luc))
    play_to_the_end(player)

    assert player.confirmed > 0  # what was taken was touched on the board
    assert luc.result()
    assert luc.part("result").get_by_role("heading").inner_text() == "La partie est terminée"
    width = luc.page.evaluate("document.documentElement.scrollWidth")
    assert width <= SMALL_PHONE[0]


def test_the_language_is_changed_in_play(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    play_until(lambda: "dive" in ana.look().actions, ana)
    ana.opens("settings")
    ana.part("language").select_option("fr")
    expect(ana.part("line")).to_contain_text(re.compile("plongez|Continuer"))
    expect(ana.part("tab-rules")).to_have_text("Règles")
    expect(ana.page.locator("html")).to_have_attribute("lang", "fr")
    ana.page.reload()
    expect(ana.part("tab-rules")).to_have_text("Règles")
    ana.chooses("dive")


def test_light_and_dark_can_be_chosen(arrive: Arrive) -> None:
    ana = arrive("Ana", scheme="dark")
    ana.goes_home()
    assert luminance(ana) < 0.2
    ana.button("Settings").click()
    ana.part("theme").select_option("light")
    assert luminance(ana) > 0.8
    ana.page.reload()
    expect(ana.game).to_be_visible()
    assert luminance(ana) > 0.8


def tabs_to(person: Person, selector: str) -> None:
    """Press the Tab key until something has the focus."""

    def reached() -> bool:
        there = f"document.activeElement?.matches({selector!r}) ?? false"
        if person.page.evaluate(there):
            return True
        person.page.keyboard.press("Tab")
        return False

    wait_until(reached, person.page)


def test_a_whole_game_by_keys_alone_in_french(arrive: Arrive) -> None:
    ana = arrive("Ana", language="fr-FR")
    ana.goes_home()
    tabs_to(ana, '[data-testid="game-deep-sea"] [data-testid="play-now"]')
    ana.page.keyboard.press("Enter")
    ana.sees_board()
    expect(ana.page.locator("html")).to_have_attribute("lang", "fr")

    # Once over the board: the first Enter selects, the second confirms.
    play_until(lambda: "take" in ana.look().actions, ana)
    before = ana.look().n
    tabs_to(ana, "[data-target]")
    ana.page.keyboard.press("Enter")
    expect(ana.page.locator("[data-target][aria-pressed='true']")).to_have_count(1)
    ana.page.keyboard.press("Enter")
    ana.waits_for_news(before)

    # Once by its button, found with the Tab key.
    if not ana.waits_for_turn().over:
        action = ana.look().actions[0]
        before = ana.look().n
        tabs_to(ana, f'[data-action="{action}"]')
        ana.page.keyboard.press("Enter")
        ana.waits_for_news(before)

    for key, tab in (("h", "help"), ("r", "rules"), ("l", "log"), ("t", "text")):
        ana.page.keyboard.press(key)
        expect(ana.part(f"tab-{tab}")).to_have_attribute("aria-expanded", "true")
    expect(ana.part("typed-move")).to_be_focused()
    ana.page.keyboard.press("Escape")
    expect(ana.part("typed-move")).not_to_be_focused()

    # The rest over the board and by the numbers of the buttons; the focus is never lost.
    player = KeyPlayer(ana, as_they_like(ana))
    play_to_the_end(player)
    assert player.lost == 0

    ana.result()
    tabs_to(ana, '[data-testid="replay"]')
    ana.page.keyboard.press("Enter")
    slider = ana.part("replay-bar").get_by_role("slider")
    expect(slider).to_have_value("0")
    for key, moment in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1")):
        ana.page.keyboard.press(key)  # wherever the focus is
        expect(slider).to_have_value(moment)
    tabs_to(ana, 'input[type="range"]')
    ana.page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("2")
    ana.page.keyboard.press("Escape")


def test_a_game_in_words_by_typing(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    ana.opens("text")
    typed = ana.part("typed-move")
    ana.waits_for_turn()
    typed.fill("fly away")
    typed.press("Enter")
    expect(ana.part("sheet").get_by_role("alert")).to_have_text(
        f"“fly away” is not possible now. Possible: {', '.join(ana.look().actions)}."
    )
    expect(ana.part("text-board")).to_contain_text("in the submarine")
    ana.part("sheet").get_by_text("In notation").click()
    expect(ana.part("sheet").locator("code")).to_contain_text("air=25")

    while not (look := ana.waits_for_turn()).over:
        typed.fill(f"  {ana.policy(look.actions).upper()} ")
        typed.press("Enter")
        ana.waits_for_news(look.n)
    ana.result()


def test_what_happens_is_shown_in_order_and_can_be_skipped(arrive: Arrive) -> None:
    ana = arrive("Ana", speed="fast")
    shown = shown_by_a_dive(ana)
    assert shown.tells_a_throw_then_a_dive()
    assert "transform" in shown.animated

    ana.opens("settings")
    ana.part("speed").select_option("slow")
    ana.chooses("nothing")
    ana.button("Skip").click()
    ana.waits_for_turn()
    assert not ana.look().showing


def test_the_last_turn_is_shown_again_on_request(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    ana.decides()
    stands = ana.waits_for_turn()
    ana.page.evaluate(_WATCH)
    ana.button("Show the last turn again").click()
    expect(ana.part("table-page")).to_have_attribute("data-showing", "true")
    expect(ana.part("table-page")).to_have_attribute("data-showing", "false")
    assert ana.waits_for_turn() == stands
    assert len(ana.page.evaluate("window.lines")) > 2  # what happened was told once more


def test_a_piece_that_is_tapped_tells_its_rules(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    play_until(lambda: "dive" in ana.look().actions, ana)  # nothing else may be tapped now
    # The farthest one: nobody gets there so soon.
    ana.page.locator('[data-piece="unit-d8"]').click(force=True)
    expect(ana.part("sheet").get_by_role("heading", level=3).first).to_contain_text(
        "Chip of level 4"
    )
    expect(ana.part("sheet").locator("[id^=rule-DS]").first).to_be_visible()


def test_with_reduced_motion_nothing_slides(arrive: Arrive) -> None:
    shown = shown_by_a_dive(arrive("Ana", speed="fast", still=True))
    assert shown.tells_a_throw_then_a_dive()
    assert "transform" not in shown.animated
