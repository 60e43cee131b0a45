"""Several people on one device: passed on before anything hidden, and only to somebody else."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.people import Person

pytestmark = pytest.mark.browser


def sit_together(friends: Person, game: str, options: Mapping[str, str]) -> None:
    friends.goes_home()
    friends.part(f"game-{game}").get_by_test_id("on-this-device").click()
    dialog = friends.part("dialog")
    dialog.get_by_role("radio", name="2", exact=True).check(force=True)
    for seat, name in enumerate(("Ana", "Ben"), 1):
        dialog.get_by_label(f"Name of player {seat}").fill(name)
    dialog.get_by_text("Options").click()
    for name, choice in options.items():
        dialog.get_by_label(name).select_option(label=choice)
    friends.part("make-table").click()


def who_decides(friends: Person, decisions: int) -> tuple[list[str], list[str]]:
    """Plays on by writing moves: to whom the device was passed, and who then decided."""
    passed: list[str] = []
    decided: list[str] = []
    screen = friends.part("pass-device")
    moves = friends.page.locator("#moves option")
    while len(decided) < decisions:
        friends.opens("text")
        friends.wait_until(lambda: screen.count() > 0 or moves.count() > 0)
        if screen.count() > 0:
            # Nothing can be seen or done before.
            expect(friends.part("board")).to_have_count(0)
            assert moves.count() == 0
            button = screen.get_by_role("button")
            passed.append(button.inner_text().removeprefix("I am "))
            button.click()
            expect(screen).to_have_count(0)
            continue
        mover = re.match(r"It is (\w+)’s turn", friends.line())
        assert mover is not None, friends.line()
        decided.append(mover[1])
        if not passed or passed[-1] != mover[1]:
            passed.append(f"not to {mover[1]}")
        friends.types_something()
    return passed, decided


def changes(names: list[str]) -> list[str]:
    return [name for at, name in enumerate(names) if at == 0 or names[at - 1] != name]


@pytest.mark.parametrize(
    ("game", "options", "decisions"),
    [
        # From the first explorer on: which value it bears is hidden already.
        ("the-island", {}, 7),
        # Each puts a card away, then all place explorers in turn, then somebody has a turn.
        ("mauna-kea", {"Expert game": "with cards"}, 10),
    ],
)
def test_the_device_is_passed_when_somebody_else_holds_it(
    arrive: Arrive, game: str, options: dict[str, str], decisions: int
) -> None:
    friends = arrive("Ana and Ben")
    sit_together(friends, game, options)
    passed, decided = who_decides(friends, decisions)
    assert passed == changes(decided)
    assert 1 < len(passed) < decisions
