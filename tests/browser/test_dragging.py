"""Every kind of piece, dragged onto every kind of target in crowded positions: the drop does what
was under the finger.

The board must not move or change its size while a finger is down.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from archipel.game import Game
from tests.browser.boards import distinct_choices, with_targets_on_board
from tests.browser.conftest import NewUser
from tests.browser.fingers import Finger, Point
from tests.browser.staging import (
    StagedTable,
    decision_message,
    most_on_one_cell,
    target_count,
)
from tests.browser.user_page import Message, UserPage

pytestmark = pytest.mark.browser

SIZES = ((360, 640), (375, 667), (390, 844))

#: The choices that pick a piece up, by game.
TAKEN = {
    "the-island": ("explorer", "boat", "serpent", "shark", "whale"),
    "atlantis": ("person", "boat", "monster", "shark", "octopus", "dolphin"),
    "mauna-kea": ("explorer", "tile"),
}
FIRST = {"the-island": "Who begins", "atlantis": "Who begins", "mauna-kea": "First player"}

#: Random games with four players, by their seeds.
SEEDS = {"the-island": (3, 4), "atlantis": (2, 6), "mauna-kea": (4, 8)}

#: Positions that random games do not reach: full boats and swimmers at the exit of a safe island.
LANDINGS = {
    "the-island": "seats=2 boats=c1,d2 white=boat1:6,boat1:5,c1:4,c1:3,boat2:3,boat2:2,d2:2,g4:1,"
    "f4:1,f5:1 yellow=boat1:1,boat2:1,g8:1,h8:2,c1:2,i7:3,e8:3,f8:4,g9:5,f9:6",
    "atlantis": "seats=2 phase=move boats=b1,b2 red=boat1,boat1,boat2,boat2,b1,b2,g4,g4,f5,f5,h5,e5"
    " blue=boat1,boat2,b1,f9,h9,f9,f8,h8,g8,lost,lost,lost",
}

#: What can be dragged and where to: the keys of the two choices.
KINDS = {
    "the-island": {
        *(("explorer", to) for to in ("walk", "dive", "swim", "board", "overboard", "ashore")),
        *((piece, "to") for piece in ("serpent", "shark", "whale")),
        ("boat", "sail"),
    },
    "atlantis": {
        *(("person", to) for to in ("walk", "dive", "swim", "board", "overboard", "ashore")),
        *((piece, "to") for piece in ("monster", "shark", "octopus", "dolphin")),
        ("person", "ride"),
        ("boat", "sail"),
    },
    "mauna-kea": {
        *(("explorer", to) for to in ("north", "east", "south", "west")),
        ("tile", "space"),
    },
}


class Drag(NamedTuple):
    """The decision before a drag, the choice that picks up, the decision after it, and the choice
    at the target."""

    before: Message
    pick: Message
    after: Message
    drop: Message

    @property
    def kinds(self) -> tuple[str, str]:
        pick, drop = (each["key"].removeprefix("action.") for each in (self.pick, self.drop))
        return pick, drop

    @property
    def crowding(self) -> tuple[int, int]:
        return most_on_one_cell(self.before["scene"]), target_count(self.after["scene"])


def drags_in(table: Game) -> Iterator[Drag]:
    """All drags of the first seat in a position."""
    taken = [f"action.{piece}" for piece in TAKEN[table.name]]
    before = decision_message(table)
    for pick in distinct_choices(before["scene"]):
        then = table.copy()
        then.play(pick["action"])
        if pick["key"] in taken and then.to_move == 0:
            after = decision_message(then)
            for drop in with_targets_on_board(after["scene"]["choices"], after["scene"]):
                if drop["targets"] and drop["key"] not in taken:
                    yield Drag(before, pick, after, drop)


def possible_drags(game: str) -> Iterator[Drag]:
    for seed in SEEDS[game]:
        table, chance = Game.new(game, 4, seed=seed), random.Random(seed)
        while not table.is_over:
            if table.to_move == 0:
                yield from drags_in(table)
            table.play(chance.choice(table.legal))
    if game in LANDINGS:
        yield from drags_in(Game.from_position(game, LANDINGS[game]))


def crowded_drags(game: str) -> list[Drag]:
    """One drag per kind of piece and kind of target, each in the most crowded position."""
    found: dict[tuple[str, str], Drag] = {}
    for drag in possible_drags(game):
        if drag.kinds not in found or drag.crowding > found[drag.kinds].crowding:
            found[drag.kinds] = drag
    return list(found.values())


def spot(user: UserPage, target: str) -> Point | None:
    """The center of a piece or of a target, if it is in view."""
    for selector in (f'[data-target="{target}"]:not([data-out])', f'[data-piece="{target}"]'):
        box = user.page.locator(selector).first
        if box.count() and (at := box.bounding_box()):
            return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    return None


@pytest.mark.parametrize("sizes", [1, pytest.param(3, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", list(TAKEN))
def test_a_drop_does_what_is_under_the_finger(new_user: NewUser, game: str, sizes: int) -> None:
    """Each drag on one of the screens in turn, or on all three."""
    ana = new_user("Ana", size=SIZES[0], touch=True, reduced_motion=True)
    stage = StagedTable(ana)
    ana.set_up_table(game=game, seats=4, bots=[2, 3, 4], options={FIRST[game]: "seat 1"})
    ana.start_game()
    drags = crowded_drags(game)
    assert {each.kinds for each in drags} == KINDS[game]
    for number, wanted in enumerate(drags):
        for size in (*SIZES, *SIZES)[number % 3 :][:sizes]:
            ana.page.set_viewport_size({"width": size[0], "height": size[1]})
            drag(stage, wanted)


def drag(stage: StagedTable, wanted: Drag, *, whole: bool = False) -> None:
    """Drag a piece to a target and check the result; with ``whole`` on the whole board."""
    ana, drop = stage.user, wanted.drop
    stage.show(wanted.before)
    if whole:
        ana.by_test_id("zoom-whole").tap()
    start = spot(ana, wanted.pick["targets"][0])
    assert start is not None
    board = ana.by_test_id("board")
    view = board.bounding_box(), board.get_attribute("data-zoom")
    finger = Finger(ana)
    finger.down(start)
    finger.move((start[0] + 14, start[1] + 14))
    ana.wait_until(lambda: stage.played()[-1:] == [wanted.pick["action"]])
    stage.show(wanted.after)
    count = len(stage.played())
    end = spot(ana, drop["targets"][0])
    if end is None:  # outside the close view: put the piece back, and show the whole board
        finger.move(start)
        finger.up()
        ana.page.wait_for_timeout(50)
        assert len(stage.played()) == count
        assert not whole
        drag(stage, wanted, whole=True)
        return
    finger.move((end[0] + 1, end[1]))
    finger.move(end)
    now = board.bounding_box(), board.get_attribute("data-zoom")
    assert now == view, f"{drop['text']}: the board moved at {ana.page.viewport_size}"
    finger.up()
    asked = ana.page.locator(f'.warm[data-action="{drop["text"]}"]')
    ana.wait_until(lambda: asked.count() > 0 or len(stage.played()) > count)
    if asked.count() == 0:
        action = stage.played()[-1]
        done = next(each for each in wanted.after["scene"]["choices"] if each["action"] == action)
        assert done["targets"][0] == drop["targets"][0], f"{drop['text']}: {done['text']}"
