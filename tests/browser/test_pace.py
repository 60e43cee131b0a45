"""The pace of a game: bots wait only for players with animations; rounds end with a summary."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.server import run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import greedy_policy, play_until

pytestmark = pytest.mark.browser

#: Records every sentence of the strip.
_WATCH = """() => {
  window.told = [];
  new MutationObserver(() => {
    const told = document.querySelector('[data-testid="told"]');
    if (told) window.told.push(told.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_bots_wait_for_animations_and_not_without_them(new_user: NewUser, tmp_path: Path) -> None:
    an_hour = 3_600_000
    with run_server(tmp_path, ServerOptions(bot_delay=an_hour)) as patient:
        ana = new_user("Ana", patient, speed="slow")
        ana.set_up_table(seats=2, bots=[2], first=1)
        ana.start_game()
        ana.choose("dive")
        before = ana.wait_for_turn().n
        ana.choose("nothing")
        # A move can be taken back during its animation.
        expect(ana.by_test_id("undo")).to_be_visible()
        ana.by_test_id("undo").click()
        ana.wait_until(
            lambda: ana.table_state().n > before and "nothing" in ana.table_state().actions
        )

        ana.open_tab("settings")
        ana.by_test_id("speed").select_option("off")
        ana.page.evaluate(_WATCH)
        ana.choose("nothing")
        # The bot would wait an hour for animations. Without them it moves, and it is Ana's turn.
        play_until(
            lambda: "dive" in ana.table_state().actions or "swim on" in ana.table_state().actions,
            ana,
        )
        # Sentences about the bot's move are shown one after the other.
        ana.wait_until(lambda: any("Bruno" in line for line in ana.page.evaluate("window.told")))
        ana.page.close()


def test_a_round_ends_with_a_summary(new_user: NewUser) -> None:
    friends = new_user("Ana and Ben", speed="fast", reduced_motion=True)
    friends.policy = greedy_policy
    friends.set_up_table(way="device", seats=2, names=["Ana", "Ben"], first=1)
    summary = friends.by_test_id("round-over")
    play_until(lambda: summary.count() > 0, friends)
    expect(summary).to_contain_text("round 1 is over")
    expect(summary.get_by_role("listitem")).not_to_have_count(1)  # also who lost what
    expect(summary).to_contain_text("Ben0 points")
    assert friends.table_state().actions == ()
    summary.get_by_role("button", name="Continue").click()
    expect(summary).to_have_count(0)
    friends.wait_for_turn()
