"""Play on a board with touch, mouse or keyboard: select, disambiguate, confirm."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from playwright.sync_api import expect

from archipel.game import Game
from archipel.record import parse_record
from tests.browser.server import Server
from tests.browser.test_hidden_information import ReferenceGame, decoded
from tests.browser.user_page import Message, UserPage, wait_until

#: Chooses one of the offered choices.
Chooser = Callable[[Sequence[Message]], Message]

#: Reads the board from the page: targets with their positions, buttons, the choice to confirm. A
#: button that has just appeared takes no taps for a moment.
_LOOK = """() => {
  const page = document.querySelector('[data-testid="table-page"]');
  const board = document.querySelector('[data-testid="board"]');
  const focused = document.activeElement?.dataset ?? {};
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const by = (selector, name) => Object.fromEntries(
    [...document.querySelectorAll(selector)]
      .filter((element) => !element.disabled && getComputedStyle(element).pointerEvents !== "none")
      .map((element) => [element.dataset[name], middle(element)]));
  return {
    n: Number(page?.dataset.n ?? 0),
    showing: page?.dataset.showing === "true" || board?.dataset.turning !== undefined,
    zoom: Number(board?.dataset.zoom ?? 1),
    targets: by('[data-testid="board"] [data-target]', "target"),
    out: [...(board?.querySelectorAll("[data-out]") ?? [])].map(({ dataset }) => dataset.target),
    whole: by('[data-testid="zoom-whole"]', "testid"),
    several: by('[data-testid="several"] [data-action]', "action"),
    buttons: by('[data-testid="choices"] [data-action]', "action"),
    keys: [...document.querySelectorAll('[data-testid="choices"] [data-action]')]
      .map((element) => element.dataset.action),
    asked: document.querySelector('[data-testid="choices"] .warm')?.dataset.action ?? null,
    busy: document.querySelector('[data-testid="choices"] button:disabled') !== null,
    focus: focused.target ?? focused.action ?? null,
    over: document.querySelector('[data-testid="result"]') !== null,
  };
}"""

#: Kinds of pieces that are interchangeable if they differ only in their names.
_INTERCHANGEABLE = {
    *("explorer", "serpent", "shark", "whale", "person", "monster", "octopus", "dolphin"),
    *("chip", "pile"),
}

#: The target or action that has the focus.
_FOCUS = """() => {
  const { target, action } = document.activeElement?.dataset ?? {};
  return target ?? action ?? null;
}"""

#: Reads the board after a tap has had an effect: zoom, several choices, a choice to confirm or a
#: new event; or after a timeout.
_LOOK_AGAIN = f"""([n, action, step, asked, zoom]) => new Promise((resolve) => {{
  const look = {_LOOK};
  const end = performance.now() + 2000;
  const stepOf = (seen) => seen.asked === action ? 2 : Object.keys(seen.several).length > 0 ? 1 : 0;
  const again = () => {{
    const seen = look();
    const turned = seen.asked !== null && seen.asked !== asked;
    const closer = seen.zoom !== zoom && !seen.showing;
    const further = seen.n !== n || closer || seen.over || stepOf(seen) > step || turned;
    if (further || performance.now() > end) resolve(seen);
    else setTimeout(again, 10);
  }};
  again();
}})"""


@dataclass(frozen=True)
class BoardState:
    """The targets and buttons on the page, each with its center."""

    seen: Message

    @property
    def n(self) -> int:
        return int(self.seen["n"])

    @property
    def over(self) -> bool:
        return bool(self.seen["over"])

    @property
    def asked(self) -> str | None:
        """The choice to confirm."""
        asked = self.seen["asked"]
        return None if asked is None else str(asked)

    @property
    def is_settled(self) -> bool:
        waits = self.seen["showing"] or self.seen["busy"]
        return not waits and bool(self.seen["targets"] or self.seen["buttons"])

    def place(self, choice: Message, *, by_button: bool) -> tuple[float, float] | None:
        """Where to tap next for a choice: the list of several, the board, or its button."""
        if self.seen["several"]:
            return self._center("several", choice["text"])
        if by_button and self.asked == choice["text"]:
            return self._center("buttons", choice["text"])
        for target in choice["targets"]:
            if target in self.seen["targets"]:
                # Show the whole board if the target is out of view.
                out = target in self.seen["out"]
                return self._center(*(("whole", "zoom-whole") if out else ("targets", target)))
        return self._center("buttons", choice["text"])

    def _center(self, part: str, name: str) -> tuple[float, float] | None:
        found = self.seen[part].get(name)
        return None if found is None else (found[0], found[1])


class BoardPlayer:
    """Plays by tapping or clicking.

    Confirms a choice by another tap, or with a mouse sometimes by its button.
    """

    def __init__(self, user: UserPage, choose: Chooser) -> None:
        self.user = user
        self.choose = choose
        #: Decisions made, taps or key presses for them, and how many of these disambiguated or
        #: confirmed a choice.
        self.decisions = 0
        self.steps = 0
        self.disambiguated = 0
        self.confirmed = 0
        self.pressed = 0

    def position(self) -> Message:
        """The last received position."""
        return self.user.last_position()

    def board_state(self) -> BoardState:
        return BoardState(self.user.page.evaluate(_LOOK))

    def legal_choices(self) -> list[Message]:
        """The offered choices, if it is this user's turn and the page shows the position."""
        state = self.board_state()
        if state.over or not state.is_settled:
            return []
        position = self.position()
        return distinct_choices(position["scene"]) if position["n"] == state.n else []

    def decide(self) -> bool:
        """Make one decision if it is this user's turn; returns whether it was."""
        offered = self.legal_choices()
        if not offered:
            return False
        self.perform(self.choose(offered))
        return True

    def perform(self, choice: Message) -> None:
        """Act until the choice is made: select, disambiguate, confirm."""
        state = self.board_state()
        before, end = state.n, time.monotonic() + 20
        self.decisions += 1
        while state.n == before and not state.over:
            assert time.monotonic() < end, f"{choice['text']} had no effect: {state.seen}"
            step = 2 if state.asked == choice["text"] else 1 if state.seen["several"] else 0
            if not self.take_step(choice, state):
                self.user.page.wait_for_timeout(20)
                state = self.board_state()
                continue
            self.steps += 1
            self.disambiguated += step == 1
            self.confirmed += step == 2
            now = [before, choice["text"], step, state.asked, state.seen["zoom"]]
            state = BoardState(self.user.page.evaluate(_LOOK_AGAIN, now))

    def take_step(self, choice: Message, state: BoardState) -> bool:
        """Tap, click or press the key for the next step; returns whether there was one."""
        # Confirm by another tap, or sometimes by the button. Where a tap turns a tile, only the
        # button confirms.
        turns = choice["key"].endswith("turn") and "turns" in choice["details"]
        by_button = turns or (not self.user.has_touch and self.confirmed % 6 == 0)
        if self._by_key(choice, state):
            number = state.seen["keys"].index(choice["text"]) + 1
            self.user.page.keyboard.press(str(number))
            return True
        place = state.place(choice, by_button=by_button)
        if place is not None:
            self._tap(place)
        return place is not None

    def _by_key(self, choice: Message, state: BoardState) -> bool:
        """Whether to press the number key of a button; never on a touch screen."""
        if self.user.has_touch or choice["targets"] or choice["text"] not in state.seen["keys"][:9]:
            return False
        self.pressed += state.asked is None
        return self.pressed % 3 != 0  # sometimes use the mouse

    def _tap(self, place: tuple[float, float]) -> None:
        page = self.user.page
        if self.user.has_touch:
            page.touchscreen.tap(*place)
        else:
            page.mouse.click(*place)


def distinct_choices(scene: Message) -> list[Message]:
    """The choices of a scene; choices of pieces that differ only in their names are one."""
    pieces = {piece["id"]: piece for piece in scene["pieces"] if piece["kind"] in _INTERCHANGEABLE}
    found: dict[str, Message] = {}
    for choice in scene["choices"]:
        piece = pieces.get(choice["targets"][0]) if len(choice["targets"]) == 1 else None
        looks = str(choice["action"])
        # Players may remember the values of explorers.
        if piece is not None and piece["properties"].get("value", 0) is not None:
            about = {**piece["properties"], "number": None, "chips": None}
            kind = choice["key"].rstrip("123456")
            looks = repr((kind, piece["kind"], piece["cell"], piece["seat"], about))
        found.setdefault(looks, choice)
    return list(found.values())


def with_targets_on_board(choices: Sequence[Message], scene: Message) -> list[Message]:
    """The choices with the targets that can be tapped: a tap on the space of a piece that can be
    chosen means the piece, and the space has a button."""
    cells = {piece["id"]: piece["cell"] for piece in scene["pieces"]}
    offered = (*choices, *scene["paths"])
    taken = {cells.get(choice["targets"][0]) for choice in offered if choice["targets"]}
    return [
        {**choice, "targets": [] if set(choice["targets"]) & taken else choice["targets"]}
        for choice in choices
    ]


class KeyboardPlayer(BoardPlayer):
    """Plays with the keyboard only: Page Up, Page Down and Enter on the board, number keys or Tab
    for buttons."""

    def __init__(self, user: UserPage, choose: Chooser) -> None:
        super().__init__(user, choose)
        #: How often the focus was lost between two decisions.
        self.lost = 0
        self._has_decided = False

    def perform(self, choice: Message) -> None:
        self.lost += self._has_decided and self.board_state().seen["focus"] is None
        super().perform(choice)
        self._has_decided = True

    def take_step(self, choice: Message, state: BoardState) -> bool:
        """Press the keys of the next step; returns whether there was one."""
        keyboard, text = self.user.page.keyboard, choice["text"]
        on_board = next((each for each in choice["targets"] if each in state.seen["targets"]), None)
        by_button = on_board is None or (state.asked == text and "turns" in choice["details"])
        if state.seen["several"]:
            self._focus(text, "Tab", len(state.seen["several"]))
            keyboard.press("Enter")
        elif by_button and text in state.seen["keys"][:9]:
            keyboard.press(str(state.seen["keys"].index(text) + 1))
        elif by_button and text in state.seen["keys"]:
            self._focus(text, "Tab", 80)
            keyboard.press("Enter")
        elif on_board is not None:
            stops = state.seen["targets"]
            if state.seen["focus"] not in stops:
                keyboard.press("ArrowDown")
            self._move_over_board(stops, on_board)
            keyboard.press("Enter")
        else:
            return False
        return True

    def _move_over_board(self, stops: Mapping[str, Sequence[float]], target: str) -> None:
        """Move the focus over the board in reading order, the shorter way round."""
        at = self.user.page.evaluate(_FOCUS)
        rows = sorted(stops, key=lambda name: (round(stops[name][1] / 6), stops[name][0]))
        ahead = (rows.index(target) - rows.index(at)) % len(rows)
        back = len(rows) - ahead
        key = "PageDown" if ahead <= back else "PageUp"
        for _ in range(min(ahead, back)):
            self.user.page.keyboard.press(key)
        self._focus(target, key, len(rows))

    def _focus(self, name: str, key: str, most: int) -> None:
        """Press a key until the focus is on an element."""
        for _ in range(most + 1):
            if self.user.page.evaluate(_FOCUS) == name:
                return
            self.user.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to {name}")


class WeightedChoice:
    """Chooses at random; the longest prefix of a choice's key gives its weight."""

    def __init__(self, seed: int, likely: Mapping[str, float]) -> None:
        self._random = random.Random(seed)
        self._likely = likely
        self.done: Counter[str] = Counter()

    def __call__(self, offered: Sequence[Message]) -> Message:
        weights = [self._weight(choice["key"]) for choice in offered]
        chosen = self._random.choices(offered, weights)[0]
        self.done[chosen["key"]] += 1
        return chosen

    def _weight(self, key: str) -> float:
        fitting = [known for known in self._likely if key.startswith(known)]
        return self._likely[max(fitting, key=len)] if fitting else 1.0


def switch_to_french(user: UserPage) -> None:
    """Change the language setting to French."""
    user.page.evaluate(
        """() => {
          const kept = JSON.parse(localStorage.getItem("archipel.settings") ?? "{}");
          localStorage.setItem("archipel.settings", JSON.stringify({ ...kept, language: "fr" }));
        }"""
    )
    user.page.reload()
    expect(user.page.locator("html")).to_have_attribute("lang", "fr")


def start_french_game(
    ana: UserPage, ben: UserPage, game: str, *, bots: Sequence[int] = (), **options: str
) -> None:
    """Ana creates a table, Ben joins, and both switch to French."""
    ana.set_up_table(game=game, seats=2 + len(bots), bots=bots, options=options)
    link = ana.shared_link()
    for user in (ana, ben):
        if user is ben:
            ben.join(link)
        switch_to_french(user)
    ana.start_game()
    ben.expect_board()


def play_boards_until(
    until: Callable[[], bool], *players: BoardPlayer, seconds: float = 300
) -> None:
    """All players decide in turn until a condition holds."""

    def is_met_after_deciding() -> bool:
        while not until():
            if not any(player.decide() for player in players):
                return False
        return True

    wait_until(is_met_after_deciding, players[0].user.page, seconds=seconds)


def play_boards_to_end(*players: BoardPlayer) -> None:
    """All players decide in turn until all see the result."""
    play_boards_until(lambda: all(player.board_state().over for player in players), *players)


def finish(server: Server, *players: BoardPlayer) -> Game:
    """Play to the end; players in seat order. Returns the game of the record.

    Checks that all see the same scores, and that no seat received more than it may know.
    """
    play_boards_to_end(*players)
    users = [player.user for player in players]
    scores = [[line.split("\n")[-1] for line in user.result_lines()] for user in users]
    assert all(seen == scores[0] for seen in scores)
    game = parse_record(server.read(f"/api/tables/{users[0].table}/record")).game
    assert game.is_over
    check_frames(game, *users)
    return game


def check_frames(table: Game, *users: UserPage) -> None:
    """Check a sample of the frames of each seat, in seat order, for hidden information."""
    truth = ReferenceGame(table, users[0].messages("welcome", "update"))
    for seat, user in enumerate(users):
        messages = [each for each in decoded(user) if each["type"] in ("welcome", "update")]
        sample = messages[:: max(1, len(messages) // 25)]
        assert sum(truth.check(message, seat) for message in [*sample, messages[-1]]) > 20
