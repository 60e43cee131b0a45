"""Playing on a board with fingers or a mouse: tap a thing, choose among several, confirm."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from playwright.sync_api import expect

from archipel.game import Game
from archipel.record import parse_record
from tests.browser.people import Message, Person, wait_until
from tests.browser.serving import Server
from tests.browser.test_eyes import Truth, decoded

#: From the choices offered, the one to take.
Chooser = Callable[[Sequence[Message]], Message]

#: How the table stands: what can be tapped and where, what is asked again, whether all is still.
#: A button that has just appeared takes no taps for a moment.
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

#: What has the focus, by the name of its place or its action.
_FOCUS = """() => {
  const { target, action } = document.activeElement?.dataset ?? {};
  return target ?? action ?? null;
}"""

#: The same as at first, once a tap has led further: closer to the board, to several things to
#: choose from, to something to confirm, to news; or after a while.
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
class Sight:
    """What there is to tap on a page, each with the middle of where it is."""

    seen: Message

    @property
    def n(self) -> int:
        return int(self.seen["n"])

    @property
    def over(self) -> bool:
        return bool(self.seen["over"])

    @property
    def asked(self) -> str | None:
        """The choice that is to be confirmed."""
        asked = self.seen["asked"]
        return None if asked is None else str(asked)

    @property
    def still(self) -> bool:
        waits = self.seen["showing"] or self.seen["busy"]
        return not waits and bool(self.seen["targets"] or self.seen["buttons"])

    def place(self, choice: Message, *, by_button: bool) -> tuple[float, float] | None:
        """Where to tap next for a choice: among several, on the board, or its button."""
        if self.seen["several"]:
            return self._middle("several", choice["text"])
        if by_button and self.asked == choice["text"]:
            return self._middle("buttons", choice["text"])
        for target in choice["targets"]:
            if target in self.seen["targets"]:
                # What is out of sight comes into view with the whole board.
                out = target in self.seen["out"]
                return self._middle(*(("whole", "zoom-whole") if out else ("targets", target)))
        return self._middle("buttons", choice["text"])

    def _middle(self, part: str, name: str) -> tuple[float, float] | None:
        found = self.seen[part].get(name)
        return None if found is None else (found[0], found[1])


class Player:
    """A person at a board, who decides by a rule of thumb and does everything by tapping.

    What was tapped is confirmed by another tap, or with a mouse now and then by its button.
    """

    def __init__(self, person: Person, choose: Chooser) -> None:
        self.person = person
        self.choose = choose
        #: How often something had to be chosen among several in one place, or confirmed.
        self.chosen_among = 0
        self.confirmed = 0
        self.pressed = 0

    def position(self) -> Message:
        """The last position that was received."""
        return self.person.last_position()

    def sight(self) -> Sight:
        return Sight(self.person.page.evaluate(_LOOK))

    def to_decide(self) -> list[Message]:
        """What is offered now, if it is this person's turn and the page shows it."""
        sight = self.sight()
        if sight.over or not sight.still:
            return []
        position = self.position()
        offered: list[Message] = position["scene"]["choices"]
        return offered if position["n"] == sight.n else []

    def decides(self) -> bool:
        """One decision, if there is one to take."""
        offered = self.to_decide()
        if not offered:
            return False
        self.does(self.choose(offered))
        return True

    def does(self, choice: Message) -> None:
        """Tap until it is done: what it is about, which of several things is meant, and yes."""
        sight = self.sight()
        before, end = sight.n, time.monotonic() + 20
        while sight.n == before and not sight.over:
            assert time.monotonic() < end, f"nothing came of {choice['text']}: {sight.seen}"
            # Most of what was tapped is confirmed by another tap, some of it by its button; where a
            # tap turns a tile, only by its button.
            turns = choice["key"].endswith("turn") and "turns" in choice["details"]
            by_button = turns or (not self.person.touches and self.confirmed % 6 == 0)
            step = 2 if sight.asked == choice["text"] else 1 if sight.seen["several"] else 0
            if self._by_key(choice, sight):
                number = sight.seen["keys"].index(choice["text"]) + 1
                self.person.page.keyboard.press(str(number))
            else:
                place = sight.place(choice, by_button=by_button)
                if place is None:
                    self.person.page.wait_for_timeout(20)
                    sight = self.sight()
                    continue
                self._taps(place)
            self.chosen_among += step == 1
            self.confirmed += step == 2
            now = [before, choice["text"], step, sight.asked, sight.seen["zoom"]]
            sight = Sight(self.person.page.evaluate(_LOOK_AGAIN, now))

    def _by_key(self, choice: Message, sight: Sight) -> bool:
        """A button that stands alone has a number; with a finger it is tapped all the same."""
        if self.person.touches or choice["targets"] or choice["text"] not in sight.seen["keys"][:9]:
            return False
        self.pressed += sight.asked is None
        return self.pressed % 3 != 0  # a mouse, now and then

    def _taps(self, place: tuple[float, float]) -> None:
        page = self.person.page
        if self.person.touches:
            page.touchscreen.tap(*place)
        else:
            page.mouse.click(*place)


class KeyPlayer(Player):
    """A person who does everything with the keys: what is on the board by going over it with the
    keys for pages, and Enter; everything else by the numbers of the buttons, or with Tab."""

    def __init__(self, person: Person, choose: Chooser) -> None:
        super().__init__(person, choose)
        #: How often a decision came and the focus was nowhere near it, though it had been before.
        self.lost = 0
        self._has_decided = False

    def does(self, choice: Message) -> None:
        sight = self.sight()
        self.lost += self._has_decided and sight.seen["focus"] is None
        before, end = sight.n, time.monotonic() + 20
        while sight.n == before and not sight.over:
            assert time.monotonic() < end, f"nothing came of {choice['text']}: {sight.seen}"
            step = 2 if sight.asked == choice["text"] else 1 if sight.seen["several"] else 0
            if not self._presses(choice, sight):
                self.person.page.wait_for_timeout(20)
                sight = self.sight()
                continue
            self.chosen_among += step == 1
            self.confirmed += step == 2
            now = [before, choice["text"], step, sight.asked, sight.seen["zoom"]]
            sight = Sight(self.person.page.evaluate(_LOOK_AGAIN, now))
        self._has_decided = True

    def _presses(self, choice: Message, sight: Sight) -> bool:
        """The keys for the next step; whether there was one."""
        keyboard, text = self.person.page.keyboard, choice["text"]
        on_board = next((each for each in choice["targets"] if each in sight.seen["targets"]), None)
        by_button = on_board is None or (sight.asked == text and "turns" in choice["details"])
        if sight.seen["several"]:
            self._goes_to(text, "Tab", len(sight.seen["several"]))
            keyboard.press("Enter")
        elif by_button and text in sight.seen["keys"][:9]:
            keyboard.press(str(sight.seen["keys"].index(text) + 1))
        elif by_button and text in sight.seen["keys"]:
            self._goes_to(text, "Tab", 80)
            keyboard.press("Enter")
        elif on_board is not None:
            stops = sight.seen["targets"]
            if sight.seen["focus"] not in stops:
                keyboard.press("ArrowDown")
            self._goes_over(stops, on_board)
            keyboard.press("Enter")
        else:
            return False
        return True

    def _goes_over(self, stops: Mapping[str, Sequence[float]], target: str) -> None:
        """Over the board in the order of reading, the shorter way round."""
        at = self.person.page.evaluate(_FOCUS)
        rows = sorted(stops, key=lambda name: (round(stops[name][1] / 6), stops[name][0]))
        ahead = (rows.index(target) - rows.index(at)) % len(rows)
        back = len(rows) - ahead
        key = "PageDown" if ahead <= back else "PageUp"
        for _ in range(min(ahead, back)):
            self.person.page.keyboard.press(key)
        self._goes_to(target, key, len(rows))

    def _goes_to(self, name: str, key: str, most: int) -> None:
        """Press a key until the focus is on something."""
        for _ in range(most + 1):
            if self.person.page.evaluate(_FOCUS) == name:
                return
            self.person.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to {name}")


class Likely:
    """Chooses at random, by how likely each kind of choice is: by the longest key that fits."""

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


def set_up(
    person: Person,
    game: str,
    *,
    seats: int,
    bots: Sequence[int] = (),
    options: Mapping[str, str] | None = None,
) -> None:
    """A table of a game for friends, by the dialog: options by what they are called there."""
    person.page.goto(person.home)
    person.part(f"game-{game}").get_by_test_id("with-friends").click()
    dialog = person.part("dialog")
    dialog.get_by_label("Your name").fill(person.name)
    dialog.get_by_role("radio", name=str(seats), exact=True).check(force=True)
    for seat in bots:
        chosen = dialog.get_by_label(f"Seat {seat}", exact=True)
        chosen.select_option(label="bot: casual, plays for fun")
    if options:
        dialog.get_by_text("Options").click()
    for name, choice in (options or {}).items():
        dialog.get_by_label(name).select_option(label=choice)
    person.part("make-table").click()
    expect(person.part("begin")).to_be_visible()


def speak_french(person: Person) -> None:
    """From here on, whatever the device speaks."""
    person.page.evaluate(
        """() => {
          const kept = JSON.parse(localStorage.getItem("archipel.settings") ?? "{}");
          localStorage.setItem("archipel.settings", JSON.stringify({ ...kept, language: "fr" }));
        }"""
    )
    person.page.reload()
    expect(person.page.locator("html")).to_have_attribute("lang", "fr")


def sit_down_in_french(
    ana: Person, ben: Person, game: str, *, bots: Sequence[int] = (), **options: str
) -> None:
    """Ana has set up a table, Ben has joined, and both play in French."""
    set_up(ana, game, seats=2 + len(bots), bots=bots, options=options)
    link = ana.link_for_everyone()
    for person in (ana, ben):
        if person is ben:
            ben.joins(link)
        speak_french(person)
    ana.begins()
    ben.sees_board()


def play_on(until: Callable[[], bool], *players: Player, seconds: float = 300) -> None:
    """Everybody decides when it is their turn, until something is so."""

    def so_after_deciding() -> bool:
        while not until():
            if not any(player.decides() for player in players):
                return False
        return True

    wait_until(so_after_deciding, players[0].person.page, seconds=seconds)


def play_to_the_end(*players: Player) -> None:
    """Everybody decides when it is their turn, until all of them see the result."""
    play_on(lambda: all(player.sight().over for player in players), *players)


def finish(server: Server, *players: Player) -> Game:
    """Play to the end, in the order of the seats; the game as its record tells it.

    All see the same scores, and nobody was sent more than their seat may know.
    """
    play_to_the_end(*players)
    people = [player.person for player in players]
    scores = [[line.split("\n")[-1] for line in person.result()] for person in people]
    assert all(seen == scores[0] for seen in scores)
    game = parse_record(server.read(f"/api/tables/{people[0].table}/record")).game
    assert game.is_over
    check_frames(game, *people)
    return game


def check_frames(table: Game, *people: Person) -> None:
    """Of what each seat received, in their order: a sample holds what it may know, no more."""
    truth = Truth(table, people[0].messages("welcome", "update"))
    for seat, person in enumerate(people):
        messages = [each for each in decoded(person) if each["type"] in ("welcome", "update")]
        sample = messages[:: max(1, len(messages) // 25)]
        assert sum(truth.check(message, seat) for message in [*sample, messages[-1]]) > 20
