"""The pace of a game: bots wait for who follows them, and no longer; rounds end in peace."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.people import greedily, play_until
from tests.browser.server_process import Difference
from tests.browser.serving import serving

pytestmark = pytest.mark.browser

#: Notes every sentence that stays to be read.
_WATCH = """() => {
  window.told = [];
  new MutationObserver(() => {
    const told = document.querySelector('[data-testid="told"]');
    if (told) window.told.push(told.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_bots_leave_time_to_take_back_and_none_where_nobody_follows(
    arrive: Arrive, tmp_path: Path
) -> None:
    an_hour = 3_600_000
    with serving(tmp_path, Difference(bot_delay=an_hour)) as patient:
        ana = arrive("Ana", patient, speed="slow")
        ana.sets_up(seats=2, bots=[2], first=1)
        ana.begins()
        ana.chooses("dive")
        before = ana.waits_for_turn().n
        ana.chooses("nothing")
        # What is still being shown can be taken back already.
        expect(ana.part("undo")).to_be_visible()
        ana.part("undo").click()
        ana.wait_until(lambda: ana.look().n > before and "nothing" in ana.look().actions)

        ana.opens("settings")
        ana.part("speed").select_option("off")
        ana.page.evaluate(_WATCH)
        ana.chooses("nothing")
        # The bot would wait an hour for whoever follows; here it answers, and it is Ana's turn.
        play_until(lambda: "dive" in ana.look().actions or "swim on" in ana.look().actions, ana)
        # Sentences about the bot's move stay a while, one after the other.
        ana.wait_until(lambda: any("Bruno" in line for line in ana.page.evaluate("window.told")))
        ana.page.close()


def test_a_round_ends_with_a_summary(arrive: Arrive) -> None:
    friends = arrive("Ana and Ben", speed="fast", still=True)
    friends.policy = greedily
    friends.sets_up(way="device", seats=2, names=["Ana", "Ben"], first=1)
    summary = friends.part("round-over")
    play_until(lambda: summary.count() > 0, friends)
    expect(summary).to_contain_text("round 1 is over")
    expect(summary.get_by_role("listitem")).not_to_have_count(1)  # and who lost what
    expect(summary).to_contain_text("Ben0 points")
    assert friends.look().actions == ()
    summary.get_by_role("button", name="Go on").click()
    expect(summary).to_have_count(0)
    friends.waits_for_turn()
