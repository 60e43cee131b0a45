"""People at their browsers: what they do and see, in words that a person would use."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket, expect

from tests.support.following import Following, with_full_state

Message = dict[str, Any]
#: From the actions offered, the one to play.
Policy = Callable[[Sequence[str]], str]

PHONE = (390, 844)
SMALL_PHONE = (375, 667)
DESKTOP = (1280, 800)
PATIENCE = 30_000  # milliseconds, for a busy machine

#: How the table stands on the page, looked up in one go.
_LOOK = """() => {
  const page = document.querySelector('[data-testid="table-page"]');
  const buttons = [...document.querySelectorAll('[data-testid="choices"] [data-action]')];
  return {
    n: Number(page?.dataset.n ?? 0),
    showing: page?.dataset.showing === "true",
    actions: buttons.filter((button) => !button.disabled).map((button) => button.dataset.action),
    over: document.querySelector('[data-testid="result"]') !== null,
  };
}"""

#: A script for the page: the client adds chance of its own to the server's.
NO_CHANCE_OF_ITS_OWN = "crypto.getRandomValues = (array) => array.fill(7);"


@dataclass(frozen=True)
class Look:
    """What a glance at the table tells."""

    n: int
    showing: bool
    actions: tuple[str, ...]
    over: bool


@dataclass
class Person:
    """Somebody with a browser of their own, who remembers every frame that it received."""

    name: str
    context: BrowserContext
    page: Page
    home: str
    touches: bool = False
    policy: Policy = field(default_factory=lambda: Careful())
    received: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    _following: Following = field(default_factory=Following)
    _heard: int = 0

    # ---- what they see ------------------------------------------------------------------------

    def part(self, name: str) -> Locator:
        """A part of the page by its test id."""
        return self.page.get_by_test_id(name)

    @property
    def game(self) -> Locator:
        """The game that all of this is played with, on the home page."""
        return self.part("game-deep-sea")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    @property
    def table(self) -> str:
        """The id of the table that the page shows."""
        found = re.search(r"/t/([\w-]+)", self.page.url)
        assert found is not None, self.page.url
        return found[1]

    def look(self) -> Look:
        seen = self.page.evaluate(_LOOK)
        return Look(seen["n"], seen["showing"], tuple(seen["actions"]), seen["over"])

    def line(self) -> str:
        """The line that says what to do."""
        return self.part("line").inner_text()

    def log(self) -> list[str]:
        """Everything that the log tells, in order."""
        self.opens("log")
        lines = self.part("log").locator("span")
        expect(lines.first).to_be_attached()  # it is fetched when it is opened first
        return lines.all_inner_texts()

    def log_since(self, line: str) -> list[str]:
        """What the log tells after a line that it holds."""
        lines = self.log()
        return lines[lines.index(line) + 1 :]

    def is_told(self, text: str) -> None:
        """Until the log says this somewhere: news reaches everybody in their own time."""
        self.wait_until(lambda: any(text in line for line in self.log()))

    def is_told_last(self, line: str) -> None:
        """Until this is the last line of the log."""
        self.wait_until(lambda: self.log()[-1:] == [line])

    def messages(self, *kinds: str) -> list[Message]:
        """The messages received so far, of these kinds."""
        decoded = with_full_state(json.loads(frame) for frame in self.received)
        return [message for message in decoded if message["type"] in kinds]

    def last_position(self) -> Message:
        """The position as the messages told it that were received so far."""
        position = self._heard_so_far().position
        assert position is not None, "no position was received"
        return position

    def last_table(self) -> Message:
        """The table, likewise."""
        table = self._heard_so_far().table
        assert table, "no table was received"
        return table

    def _heard_so_far(self) -> Following:
        for frame in self.received[self._heard :]:
            self._following.hear(json.loads(frame))
        self._heard = len(self.received)
        return self._following

    def wait_until(self, what: Callable[[], bool], *, seconds: float = PATIENCE / 1000) -> None:
        """Until something is so; the browser goes on meanwhile."""
        wait_until(what, self.page, seconds=seconds)

    # ---- coming to a table --------------------------------------------------------------------

    def goes_home(self) -> None:
        self.page.goto(self.home)
        expect(self.game).to_be_visible()

    def goes_to(self, address: str) -> None:
        self.page.goto(address)

    def plays_now(self) -> None:
        """One click, against bots."""
        self.goes_home()
        self.game.get_by_test_id("play-now").click()
        self.sees_board()

    def sets_up(
        self,
        *,
        seats: int = 2,
        bots: Sequence[int] = (),
        way: Literal["friends", "device"] = "friends",
        names: Sequence[str] = (),
        first: int | None = None,
        public: bool = False,
        clock: str | None = None,
        game: str = "deep-sea",
    ) -> None:
        """A table, by the dialog; ``bots`` are the numbers of their seats, from 2."""
        self.goes_home()
        wanted = "with-friends" if way == "friends" else "on-this-device"
        self.part(f"game-{game}").get_by_test_id(wanted).click()
        dialog = self.part("dialog")
        if way == "friends":
            dialog.get_by_label("Your name").fill(self.name)
        dialog.get_by_role("radio", name=str(seats), exact=True).check(force=True)
        for seat in bots:
            chosen = dialog.get_by_label(f"Seat {seat}", exact=True)
            chosen.select_option(label="bot: casual, plays for fun")
        for seat, name in enumerate(names, 1):
            dialog.get_by_label(f"Name of player {seat}").fill(name)
        if first is not None or public or clock is not None:
            dialog.get_by_text("Options").click()
        if first is not None:
            dialog.get_by_label("Who begins").select_option(str(first))
        if clock is not None:
            dialog.get_by_label("Time to think").select_option(label=clock)
        if public:
            dialog.get_by_label("Anyone may watch").check()
        self.part("make-table").click()
        if way == "friends":
            expect(self.part("begin")).to_be_visible()
        else:
            self.sees_board()

    def link_here(self) -> str:
        """The table's address, as this person's browser knows it."""
        return f"{self.home}/t/{self.table}"

    def link_for_everyone(self) -> str:
        return self.page.get_by_label("One link for everyone").input_value()

    def link_for_seat(self, seat: int) -> str:
        return self.page.get_by_label(f"Link for seat {seat}").input_value()

    def joins(self, link: str) -> None:
        self.goes_to(link)
        form = self.part("join")
        form.get_by_role("textbox").fill(self.name)
        form.get_by_role("button").click()
        expect(form).to_have_count(0)

    def begins(self) -> None:
        self.part("begin").click()
        self.sees_board()

    def sees_board(self) -> None:
        expect(self.part("board")).to_be_visible()

    # ---- at the table -------------------------------------------------------------------------

    def opens(self, tab: str) -> None:
        """A part of the sheet, if it is not open already."""
        button = self.part(f"tab-{tab}")
        if button.get_attribute("aria-expanded") != "true":
            button.click()
        expect(self.part("sheet")).to_be_visible()

    def closes_sheet(self) -> None:
        """On a phone, where it covers the board."""
        self.part("sheet").get_by_role("button", name=re.compile("Close|Fermer")).click()

    def waits_for_turn(self, *, seconds: float = PATIENCE / 1000) -> Look:
        """Until there is something to decide, or the game is over."""
        seen = self.look()

        def is_theirs() -> bool:
            nonlocal seen
            seen = self.look()
            return bool(seen.actions) or seen.over

        self.wait_until(is_theirs, seconds=seconds)
        return seen

    def chooses(self, action: str) -> None:
        """Press the button of an action, again if the page asks whether that is meant."""
        button = self.page.locator(f'[data-action="{action}"]')
        self._does(action, lambda: button.tap() if self.touches else button.click())

    def decides(self) -> None:
        """Choose what their policy says, by its number on the keyboard: nothing is faster."""
        actions = self.waits_for_turn().actions
        action = self.policy(actions)
        number = str(actions.index(action) + 1)
        self._does(action, lambda: self.page.keyboard.press(number))

    def types_something(self) -> None:
        """Any move that is possible, written: at games with more choices than buttons."""
        self.opens("text")
        before = self.look().n
        written = ""

        def is_played() -> bool:
            nonlocal written
            if self.look().n > before:
                return True
            moves = self.page.locator("#moves option").evaluate_all(
                "options => options.map((each) => each.value)"
            )
            if moves and written not in moves:  # nothing yet, or for a position that is gone
                written = moves[0]
                self.part("typed-move").fill(written)
                self.part("typed-move").press("Enter")
            return False

        self.wait_until(is_played)

    def is_asked(self, question: str) -> Locator:
        """What the table wants to know before anything else."""
        asked = self.part("choices").get_by_text(question)
        expect(asked).to_be_visible()
        return asked

    def is_sure(self, about: str) -> None:
        """Yes, in the dialog that asks whether it is meant."""
        dialog = self.part("dialog")
        dialog.get_by_role("button", name=about).click()
        expect(dialog).to_have_count(0)

    def waits_for_news(self, after: int) -> None:
        """Until the page shows an event later than that."""
        self.wait_until(lambda: self.look().n > after)

    def _does(self, action: str, press: Callable[[], None]) -> None:
        before = self.look().n
        asked_again = self.page.locator(f'[data-action="{action}"].warm')
        press()
        self.wait_until(lambda: self.look().n > before or asked_again.count() > 0)
        if asked_again.count() > 0:
            press()
        self.waits_for_news(before)

    def sees_result(self) -> None:
        expect(self.part("result")).to_be_visible()

    def result(self) -> list[str]:
        """The lines of the final ranking, counted out to the end."""
        self.sees_result()
        expect(self.part("result").locator("li.won").first).to_be_visible()
        return self.part("result").locator("li").all_inner_texts()


def wait_until(what: Callable[[], bool], page: Page, *, seconds: float = PATIENCE / 1000) -> None:
    """Look again and again until something is so, and fail if it does not become so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, f"waited in vain; the page says: {page.inner_text('body')}"
        page.wait_for_timeout(20)  # lets the browser's events in


# ---- how they play -------------------------------------------------------------------------------


class Careful:
    """Takes one thing and goes home with it: a short game, with treasure at its end."""

    def __init__(self) -> None:
        self._last_throw = ""

    def __call__(self, actions: Sequence[str]) -> str:
        for throw in ("turn back", "swim on", "dive"):
            if throw in actions:
                self._last_throw = throw
                return throw
        return "take" if "take" in actions and self._last_throw == "dive" else actions[0]


def greedily(actions: Sequence[str]) -> str:
    """Takes everything and never turns back."""
    return next(action for action in ("take", *actions) if action in actions)


def play_until_over(*people: Person) -> None:
    """Everybody decides when it is their turn, until all of them see the result."""
    play_until(lambda: all(person.look().over for person in people), *people)


def play_until(what: Callable[[], bool], *people: Person) -> None:
    """Everybody decides when it is their turn, until something is so."""

    def somebody_decides() -> bool:
        if what():
            return True
        for person in people:
            if person.look().actions:
                person.decides()
        return False

    wait_until(somebody_decides, people[0].page, seconds=120)


# ---- their browsers ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Device:
    """What a person has in their hands, and how they have set it up."""

    size: tuple[int, int] = DESKTOP
    language: str = "en-GB"
    scheme: Literal["light", "dark"] = "light"
    touch: bool = False
    still: bool = False  # asks for reduced motion
    speed: Literal["slow", "normal", "fast", "off"] = "off"
    sharpness: float = 1


def sit_down(browser: Browser, home: str, name: str, device: Device) -> Person:
    """Somebody opens a browser that has never been here before."""
    context = browser.new_context(
        viewport={"width": device.size[0], "height": device.size[1]},
        locale=device.language,
        color_scheme=device.scheme,
        has_touch=device.touch,
        is_mobile=device.touch,
        reduced_motion="reduce" if device.still else "no-preference",
        device_scale_factor=device.sharpness,
        service_workers="block",
    )
    context.set_default_timeout(PATIENCE)
    settings = json.dumps(json.dumps({"speed": device.speed}))
    context.add_init_script(
        f"if (!localStorage.getItem('archipel.settings'))"
        f" localStorage.setItem('archipel.settings', {settings});"
    )
    page = context.new_page()
    person = Person(name, context, page, home, touches=device.touch)

    def note(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: person.received.append(str(frame)))
        socket.on("framesent", lambda frame: person.sent.append(str(frame)))

    page.on("websocket", note)
    page.on("pageerror", lambda error: person.complaints.append(str(error)))
    page.on(
        "console",
        lambda said: person.complaints.append(said.text) if said.type == "error" else None,
    )
    return person
