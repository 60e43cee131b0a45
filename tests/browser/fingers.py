"""A finger on a screen, which goes where it is told: down, along, and up again."""

from __future__ import annotations

from playwright.sync_api import Locator

from tests.browser.people import Person

Point = tuple[float, float]


class Finger:
    def __init__(self, person: Person) -> None:
        self._session = person.context.new_cdp_session(person.page)

    def down(self, at: Point) -> None:
        self._touch("touchStart", at)

    def moves(self, to: Point) -> None:
        self._touch("touchMove", to)

    def up(self) -> None:
        self._touch("touchEnd")

    def drags(self, start: Point, end: Point, *, steps: int = 3) -> None:
        """Without a pause, and lets go."""
        self.down(start)
        for part in range(1, steps + 1):
            self.moves(
                (
                    start[0] + (end[0] - start[0]) * part / steps,
                    start[1] + (end[1] - start[1]) * part / steps,
                )
            )
        self.up()

    def _touch(self, kind: str, *points: Point) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


def middle(thing: Locator) -> Point:
    """Where a finger goes for it."""
    box = thing.bounding_box()
    assert box is not None, "it is not to be seen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
