"""Page object: one user's browser at the client's pages."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket, expect

from archipel.chaos.following import Following, with_full_state

Message = dict[str, Any]
#: Chooses one of the offered actions.
Policy = Callable[[Sequence[str]], str]

PHONE = (390, 844)
SMALL_PHONE = (375, 667)
DESKTOP = (1280, 800)
TIMEOUT = 30.0  # seconds, for a busy machine

#: Reads the state of the table from the page.
_TABLE_STATE = """() => {
  const page = document.querySelector('[data-testid="table-page"]');
  const buttons = [...document.querySelectorAll('[data-testid="choices"] [data-action]')];
  return {
    n: Number(page?.dataset.n ?? 0),
    showing: page?.dataset.showing === "true",
    actions: buttons.filter((button) => !button.disabled).map((button) => button.dataset.action),
    over: document.querySelector('[data-testid="result"]') !== null,
  };
}"""

#: Init script that fixes the client's share of the random numbers.
FIXED_CLIENT_RANDOMNESS = "crypto.getRandomValues = (array) => array.fill(7);"


@dataclass(frozen=True)
class TableState:
    """The state of the table as the page shows it."""

    n: int
    showing: bool
    actions: tuple[str, ...]
    over: bool


@dataclass
class UserPage:
    """One user's page, which records every WebSocket frame."""

    name: str
    context: BrowserContext
    page: Page
    home: str
    has_touch: bool = False
    policy: Policy = field(default_factory=lambda: CarefulPolicy())
    received: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _following: Following = field(default_factory=Following)
    _heard: int = 0

    # ---- what the page shows --------------------------------------------------------------------

    def by_test_id(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    @property
    def game_card(self) -> Locator:
        """The card of Deep Sea Adventure on the home page."""
        return self.by_test_id("game-deep-sea")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    @property
    def table(self) -> str:
        """The id of the table in the URL."""
        found = re.search(r"/t/([\w-]+)", self.page.url)
        assert found is not None, self.page.url
        return found[1]

    def table_state(self) -> TableState:
        seen = self.page.evaluate(_TABLE_STATE)
        return TableState(seen["n"], seen["showing"], tuple(seen["actions"]), seen["over"])

    def status_line(self) -> str:
        """The line that says what to do."""
        return self.by_test_id("line").inner_text()

    def log_lines(self) -> list[str]:
        """All lines of the log, in order."""
        self.open_tab("log")
        lines = self.by_test_id("log").locator("span")
        expect(lines.first).to_be_attached()  # fetched when it is first opened
        return lines.all_inner_texts()

    def log_lines_after(self, line: str) -> list[str]:
        """The lines of the log after a given line."""
        lines = self.log_lines()
        return lines[lines.index(line) + 1 :]

    def expect_log(self, text: str) -> None:
        """Wait until a line of the log contains this text."""
        self.wait_until(lambda: any(text in line for line in self.log_lines()))

    def expect_last_log_line(self, line: str) -> None:
        """Wait until this is the last line of the log."""
        self.wait_until(lambda: self.log_lines()[-1:] == [line])

    def messages(self, *kinds: str) -> list[Message]:
        """The messages of these types received so far, with differences applied."""
        decoded = with_full_state(json.loads(frame) for frame in self.received)
        return [message for message in decoded if message["type"] in kinds]

    def last_position(self) -> Message:
        """The position according to the messages received so far."""
        position = self._followed().position
        assert position is not None, "no position was received"
        return position

    def last_table(self) -> Message:
        """The table according to the messages received so far."""
        table = self._followed().table
        assert table, "no table was received"
        return table

    def _followed(self) -> Following:
        for frame in self.received[self._heard :]:
            self._following.hear(json.loads(frame))
        self._heard = len(self.received)
        return self._following

    def wait_until(self, condition: Callable[[], bool], *, seconds: float = TIMEOUT) -> None:
        """Wait for a condition while the browser handles its events."""
        wait_until(condition, self.page, seconds=seconds)

    # ---- creating and joining------------------------------------------------------------------

    def open_home(self) -> None:
        self.page.goto(self.home)
        expect(self.game_card).to_be_visible()

    def open(self, address: str) -> None:
        self.page.goto(address)

    def play_now(self) -> None:
        """Start a game against bots with one click."""
        self.open_home()
        self.game_card.get_by_test_id("play-now").click()
        self.expect_board()

    def set_up_table(
        self,
        *,
        seats: int = 2,
        bots: Sequence[int] = (),
        level: str = "casual, plays for fun",
        way: Literal["friends", "device"] = "friends",
        names: Sequence[str] = (),
        first: int | None = None,
        public: bool = False,
        clock: str | None = None,
        game: str = "deep-sea",
        options: Mapping[str, str] | None = None,
    ) -> None:
        """Create a table in the dialog; ``bots`` are the numbers of their seats, from 2, and
        ``options`` the options of the game by their labels."""
        self.open_home()
        wanted = "with-friends" if way == "friends" else "on-this-device"
        self.by_test_id(f"game-{game}").get_by_test_id(wanted).click()
        dialog = self.by_test_id("dialog")
        if way == "friends":
            dialog.get_by_label("Your name").fill(self.name)
        dialog.get_by_role("radio", name=str(seats), exact=True).check(force=True)
        for seat in bots:
            chosen = dialog.get_by_label(f"Seat {seat}", exact=True)
            chosen.select_option(label=f"bot: {level}")
        for seat, name in enumerate(names, 1):
            dialog.get_by_label(f"Name of player {seat}").fill(name)
        if first is not None or public or clock is not None or options:
            dialog.get_by_text("Options").click()
        if first is not None:
            dialog.get_by_label("Who begins").select_option(str(first))
        for name, choice in (options or {}).items():
            dialog.get_by_label(name).select_option(label=choice)
        if clock is not None:
            dialog.get_by_label("Time to think").select_option(label=clock)
        if public:
            dialog.get_by_label("Anyone may watch").check()
        self.by_test_id("make-table").click()
        if way == "friends":
            expect(self.by_test_id("begin")).to_be_visible()
        else:
            expect(dialog).to_have_count(0)

    def table_link(self) -> str:
        """The address of the table on the server that this page uses."""
        return f"{self.home}/t/{self.table}"

    def shared_link(self) -> str:
        return self.page.get_by_label("One link for everyone").input_value()

    def seat_link(self, seat: int) -> str:
        return self.page.get_by_label(f"Link for seat {seat}").input_value()

    def join(self, link: str) -> None:
        self.open(link)
        form = self.by_test_id("join")
        form.get_by_role("textbox").fill(self.name)
        form.get_by_role("button").click()
        expect(form).to_have_count(0)

    def start_game(self) -> None:
        """Begin, with bots in the seats that are still open."""
        self.by_test_id("begin").click()
        with_bots = self.by_test_id("begin-with-bots")
        expect(with_bots.or_(self.by_test_id("board")).first).to_be_visible()
        if with_bots.count() > 0:
            with_bots.click()
        self.expect_board()

    def expect_board(self) -> None:
        expect(self.by_test_id("board")).to_be_visible()

    # ---- at the table -------------------------------------------------------------------------

    def open_tab(self, tab: str) -> None:
        """Open a tab of the sheet, if it is not open already."""
        button = self.by_test_id(f"tab-{tab}")
        if button.get_attribute("aria-expanded") != "true":
            button.click()
        expect(self.by_test_id("sheet")).to_be_visible()

    def close_sheet(self) -> None:
        """Close the sheet, which covers the board on a phone."""
        self.by_test_id("sheet").get_by_role("button", name=re.compile("Close|Fermer")).click()

    def wait_for_turn(self, *, seconds: float = TIMEOUT) -> TableState:
        """Wait until there is something to decide, or the game is over."""
        seen = self.table_state()

        def is_ready() -> bool:
            nonlocal seen
            seen = self.table_state()
            return bool(seen.actions) or seen.over

        self.wait_until(is_ready, seconds=seconds)
        return seen

    def choose(self, action: str) -> None:
        """Press the button of an action, and again if the page asks for confirmation."""
        button = self.page.locator(f'[data-action="{action}"]')
        self._act(action, lambda: button.tap() if self.has_touch else button.click())

    def decide(self) -> None:
        """Choose an action by the policy, with its number key."""
        actions = self.wait_for_turn().actions
        action = self.policy(actions)
        number = str(actions.index(action) + 1)
        self._act(action, lambda: self.page.keyboard.press(number))

    def type_any_move(self) -> None:
        """Type any legal move, for games with more choices than buttons."""
        self.open_tab("text")
        before = self.table_state().n
        written = ""

        def is_played() -> bool:
            nonlocal written
            if self.table_state().n > before:
                return True
            moves = self.page.locator("#moves option").evaluate_all(
                "options => options.map((each) => each.value)"
            )
            if moves and written not in moves:  # typed nothing yet, or for an earlier position
                written = moves[0]
                self.by_test_id("typed-move").fill(written)
                self.by_test_id("typed-move").press("Enter")
            return False

        self.wait_until(is_played)

    def expect_question(self, question: str) -> Locator:
        """Expect a question of the table."""
        asked = self.by_test_id("choices").get_by_text(question)
        expect(asked).to_be_visible()
        return asked

    def confirm(self, label: str) -> None:
        """Press a button of the confirmation dialog."""
        dialog = self.by_test_id("dialog")
        dialog.get_by_role("button", name=label).click()
        expect(dialog).to_have_count(0)

    def wait_for_event_after(self, after: int) -> None:
        """Wait until the page shows a later event."""
        self.wait_until(lambda: self.table_state().n > after)

    def _act(self, action: str, press: Callable[[], None]) -> None:
        before = self.table_state().n
        confirmation = self.page.locator(f'[data-action="{action}"].warm')
        press()
        self.wait_until(lambda: self.table_state().n > before or confirmation.count() > 0)
        if confirmation.count() > 0:
            press()
        self.wait_for_event_after(before)

    def expect_result(self) -> None:
        expect(self.by_test_id("result")).to_be_visible()

    def result_lines(self) -> list[str]:
        """The lines of the final ranking, after its animation."""
        self.expect_result()
        expect(self.by_test_id("result").locator("li.won").first).to_be_visible()
        return self.by_test_id("result").locator("li").all_inner_texts()


def wait_until(condition: Callable[[], bool], page: Page, *, seconds: float = TIMEOUT) -> None:
    """Poll a condition; fails after a timeout."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"timed out; the page says: {page.inner_text('body')}"
        page.wait_for_timeout(20)  # handles events of the browser


# ---- policies -----------------------------------------------------------------------------------


class CarefulPolicy:
    """Takes one treasure and turns back: a short game that ends with treasure."""

    def __init__(self) -> None:
        self._last_throw = ""

    def __call__(self, actions: Sequence[str]) -> str:
        for throw in ("turn back", "swim on", "dive"):
            if throw in actions:
                self._last_throw = throw
                return throw
        return "take" if "take" in actions and self._last_throw == "dive" else actions[0]


def greedy_policy(actions: Sequence[str]) -> str:
    """Takes everything and never turns back."""
    return next(action for action in ("take", *actions) if action in actions)


def play_until_over(*users: UserPage) -> None:
    """All users decide in turn until all see the result."""
    play_until(lambda: all(user.table_state().over for user in users), *users)


def play_until(condition: Callable[[], bool], *users: UserPage) -> None:
    """All users decide in turn until a condition holds."""

    def is_met_after_deciding() -> bool:
        if condition():
            return True
        for user in users:
            if user.table_state().actions:
                if condition():  # it may hold since the turn began
                    return True
                user.decide()
        return False

    wait_until(is_met_after_deciding, users[0].page, seconds=120)


# ---- browser contexts ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Device:
    """The device of a user and its settings."""

    size: tuple[int, int] = DESKTOP
    language: str = "en-GB"
    scheme: Literal["light", "dark"] = "light"
    touch: bool = False
    reduced_motion: bool = False
    speed: Literal["slow", "normal", "fast", "off"] = "off"
    scale_factor: float = 1
    bypass_csp: bool = False
    service_workers: Literal["allow", "block"] = "block"


def open_user_page(browser: Browser, home: str, name: str, device: Device) -> UserPage:
    """Open a page in a new browser context."""
    context = browser.new_context(
        viewport={"width": device.size[0], "height": device.size[1]},
        locale=device.language,
        color_scheme=device.scheme,
        has_touch=device.touch,
        is_mobile=device.touch,
        reduced_motion="reduce" if device.reduced_motion else "no-preference",
        device_scale_factor=device.scale_factor,
        service_workers=device.service_workers,
        bypass_csp=device.bypass_csp,
    )
    context.set_default_timeout(1000 * TIMEOUT)
    settings = json.dumps(json.dumps({"speed": device.speed}))
    context.add_init_script(
        f"if (!localStorage.getItem('archipel.settings'))"
        f" localStorage.setItem('archipel.settings', {settings});"
    )
    page = context.new_page()
    user = UserPage(name, context, page, home, has_touch=device.touch)

    def record_frames(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: user.received.append(str(frame)))
        socket.on("framesent", lambda frame: user.sent.append(str(frame)))

    page.on("websocket", record_frames)
    page.on("pageerror", lambda error: user.errors.append(str(error)))
    page.on(
        "console",
        lambda message: user.errors.append(message.text) if message.type == "error" else None,
    )
    return user
