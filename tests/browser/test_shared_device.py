"""Several players on one device: it is passed on before anything hidden, and only to another
player."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user_page import UserPage

pytestmark = pytest.mark.browser


def record_hand_overs(friends: UserPage, decisions: int) -> tuple[list[str], list[str]]:
    """Play by typing; returns to whom the device was passed, and who decided."""
    passed: list[str] = []
    decided: list[str] = []
    screen = friends.by_test_id("pass-device")
    moves = friends.page.locator("#moves option")
    while len(decided) < decisions:
        friends.open_tab("text")
        friends.wait_until(lambda: screen.count() > 0 or moves.count() > 0)
        if screen.count() > 0:
            # The board is hidden until then.
            expect(friends.by_test_id("board")).to_have_count(0)
            assert moves.count() == 0
            button = screen.get_by_role("button")
            passed.append(button.inner_text().removeprefix("I am "))
            button.click()
            expect(screen).to_have_count(0)
            continue
        mover = re.match(r"It is (\w+)’s turn", friends.status_line())
        assert mover is not None, friends.status_line()
        decided.append(mover[1])
        if not passed or passed[-1] != mover[1]:
            passed.append(f"not to {mover[1]}")
        friends.type_any_move()
    return passed, decided


def without_repeats(names: list[str]) -> list[str]:
    return [name for at, name in enumerate(names) if at == 0 or names[at - 1] != name]


@pytest.mark.parametrize(
    ("game", "options", "decisions"),
    [
        # From the first explorer on, whose value is hidden.
        ("the-island", {"Quick set-up": "placed by the players"}, 7),
        # Each player discards a card, then all place explorers, then the first turn begins.
        ("mauna-kea", {"Expert game": "with cards"}, 10),
    ],
)
def test_the_device_is_passed_to_another_player_only(
    new_user: NewUser, game: str, options: dict[str, str], decisions: int
) -> None:
    friends = new_user("Ana and Ben")
    friends.set_up_table(way="device", game=game, names=["Ana", "Ben"], options=options)
    passed, decided = record_hand_overs(friends, decisions)
    assert passed == without_repeats(decided)
    assert 1 < len(passed) < decisions
