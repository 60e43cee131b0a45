"""Every kind of piece, dragged onto every kind of target: the drop does what was under the finger.

The board must not move or change its size while a finger is down.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from archipel.game import Game
from tests.browser.boards import distinct_choices, with_targets_on_board
from tests.browser.conftest import NewUser
from tests.browser.fingers import Finger, Point
from tests.browser.staging import StagedTable, decision_message
from tests.browser.user_page import Message, UserPage

pytestmark = pytest.mark.browser

SIZES = ((360, 640), (375, 667), (390, 844))

#: The choices that pick a piece up, by game.
TAKEN = {
    "the-island": ("explorer", "boat", "serpent", "shark", "whale"),
    "atlantis": ("person", "boat", "monster", "shark", "octopus", "dolphin"),
    "mauna-kea": ("explorer",),
}
FIRST = {"the-island": "Who begins", "atlantis": "Who begins", "mauna-kea": "First player"}


def kinds_of_drags(game: str) -> Iterator[tuple[Message, Message, Message, Message]]:
    """One drag per kind of piece and target, in a crowded position: the decision before it, the
    choice that picks up, the decision after it, the choice at the target."""
    taken = [f"action.{piece}" for piece in TAKEN[game]]
    found: set[tuple[str, str]] = set()
    chance = random.Random(5)
    table = Game.new(game, 2, seed=5)
    while not table.is_over:
        before = decision_message(table) if table.to_move == 0 else None
        for pick in distinct_choices(before["scene"]) if before else ():
            if pick["key"] not in taken:
                continue
            then = table.copy()
            then.play(pick["action"])
            after = decision_message(then)
            for drop in with_targets_on_board(after["scene"]["choices"], after["scene"]):
                kinds = pick["key"], drop["key"]
                if drop["targets"] and kinds not in found and drop["key"] not in taken:
                    found.add(kinds)
                    yield before or {}, pick, after, drop
        table.play(chance.choice(table.legal))


def spot(user: UserPage, target: str) -> Point | None:
    """The center of a piece or of a target, if it is in view."""
    for selector in (f'[data-target="{target}"]:not([data-out])', f'[data-piece="{target}"]'):
        box = user.page.locator(selector).first
        if box.count() and (at := box.bounding_box()):
            return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    return None


@pytest.mark.parametrize("game", list(TAKEN))
def test_a_drop_does_what_is_under_the_finger(new_user: NewUser, game: str) -> None:
    ana = new_user("Ana", size=SIZES[0], touch=True, reduced_motion=True)
    stage = StagedTable(ana)
    ana.set_up_table(game=game, seats=2, bots=[2], options={FIRST[game]: "seat 1"})
    ana.start_game()
    dragged = sum(
        drag(stage, SIZES[number % len(SIZES)], *each)
        for number, each in enumerate(kinds_of_drags(game))
    )
    assert dragged >= len(TAKEN[game])


def drag(
    stage: StagedTable,
    size: tuple[int, int],
    before: Message,
    pick: Message,
    after: Message,
    drop: Message,
) -> bool:
    """Drag a piece to a target and check the result; False if one of them is out of view."""
    ana = stage.user
    ana.page.set_viewport_size({"width": size[0], "height": size[1]})
    stage.show(before)
    start = spot(ana, pick["targets"][0])
    if start is None:
        return False
    board = ana.by_test_id("board")
    view = board.bounding_box(), board.get_attribute("data-zoom")
    finger = Finger(ana)
    finger.down(start)
    finger.move((start[0] + 14, start[1] + 14))
    ana.wait_until(lambda: stage.played()[-1:] == [pick["action"]])
    stage.show(after)
    end = spot(ana, drop["targets"][0])
    if end is None:
        finger.up()
        return False
    finger.move((end[0] + 1, end[1]))
    finger.move(end)
    now = board.bounding_box(), board.get_attribute("data-zoom")
    assert now == view, f"{drop['text']}: the board moved at {size}"
    count = len(stage.played())
    finger.up()
    asked = ana.page.locator(f'.warm[data-action="{drop["text"]}"]')
    ana.wait_until(lambda: asked.count() > 0 or len(stage.played()) > count)
    if asked.count() == 0:
        action = stage.played()[-1]
        done = next(each for each in after["scene"]["choices"] if each["action"] == action)
        assert done["targets"][0] == drop["targets"][0], f"{drop['text']}: {done['text']}"
    return True
