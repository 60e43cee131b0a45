"""A finger on a touch screen."""

from __future__ import annotations

from playwright.sync_api import Locator

from tests.browser.user_page import UserPage

Point = tuple[float, float]


class Finger:
    def __init__(self, user: UserPage) -> None:
        self._session = user.context.new_cdp_session(user.page)

    def down(self, at: Point) -> None:
        self._touch("touchStart", at)

    def move(self, to: Point) -> None:
        self._touch("touchMove", to)

    def up(self) -> None:
        self._touch("touchEnd")

    def drag(self, start: Point, end: Point, *, steps: int = 3) -> None:
        """Drag without a pause and let go."""
        self.down(start)
        for part in range(1, steps + 1):
            self.move(
                (
                    start[0] + (end[0] - start[0]) * part / steps,
                    start[1] + (end[1] - start[1]) * part / steps,
                )
            )
        self.up()

    def _touch(self, kind: str, *points: Point) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


def center(thing: Locator) -> Point:
    """The center of an element."""
    box = thing.bounding_box()
    assert box is not None, "the element is not visible"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
