"""A real page that shows any position; moves on it are recorded and have no effect."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from archipel.game import Game
from tests.browser.user_page import Message, UserPage


@dataclass(frozen=True)
class RandomGame:
    """A repeatable random game, to find positions in."""

    game: str
    seats: int
    options: Mapping[str, Any]
    seed: int = 3

    def decisions(self) -> Iterator[Message]:
        """All decisions of the first seat as messages."""
        game = Game.new(self.game, self.seats, seed=self.seed, **self.options)
        chance = random.Random(self.seed)
        while not game.is_over:
            if game.to_move == 0:
                yield decision_message(game)
            game.play(chance.choice(game.legal))

    def find_choice(self, takes: str, offers: str) -> tuple[Message, Message, Message]:
        """Find a decision of the first seat in which a choice of key ``takes`` leads to a choice of
        key ``offers``.

        Returns the decision before, the choice, and the decision after it.
        """
        game = Game.new(self.game, self.seats, seed=self.seed, **self.options)
        chance = random.Random(self.seed)
        while not game.is_over:
            before = decision_message(game) if game.to_move == 0 else {"scene": {"choices": []}}
            for choice in before["scene"]["choices"]:
                if choice["key"] != takes:
                    continue
                then = game.copy()
                then.play(choice["action"])
                after = decision_message(then)
                if any(each["key"] == offers for each in after["scene"]["choices"]):
                    return before, choice, after
            game.play(chance.choice(game.legal))
        raise AssertionError(f"{offers} was never legal in this game")

    def find_position(self, offers: str) -> str:
        """Find a decision of the first seat with a choice of key ``offers``, as complete text."""
        game = Game.new(self.game, self.seats, seed=self.seed, **self.options)
        chance = random.Random(self.seed)
        while not game.is_over:
            if game.to_move == 0:
                choices = decision_message(game)["scene"]["choices"]
                if any(each["key"] == offers for each in choices):
                    return game.definition.position_text(game.state)
            game.play(chance.choice(game.legal))
        raise AssertionError(f"{offers} was never legal in this game")


def decision_message(game: Game) -> Message:
    """The decision of the first seat with its question, as in a message."""
    seen = game.definition.seen(game.state, 0)
    found = game.definition.scene(seen, 0)
    scene: Message = msgspec.to_builtins(found, enc_hook=int)
    question = game.definition.question(seen)
    return {
        "scene": scene,
        "question": {"key": question.key, "details": dict(question.details)},
        "text": game.definition.position_text(seen),
    }


def target_count(scene: Message) -> int:
    """The number of targets."""
    return len({target for choice in scene["choices"] for target in choice["targets"]})


def most_on_one_cell(scene: Message) -> int:
    """The largest number of targets on one cell."""
    cells = {piece["id"]: piece["cell"] for piece in scene["pieces"]}
    targets = {target for choice in scene["choices"] for target in choice["targets"]}
    there = [cells[target] for target in targets if target in cells]
    return max((there.count(cell) for cell in there), default=0)


#: Intercepts the WebSocket: moves are recorded and answered, and not sent to the server.
_INTERCEPT = """(() => {
  window.played = [];
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(...where) {
      super(...where);
      window.tell = (message) =>
        this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
    }
    send(text) {
      const { type, id, action } = JSON.parse(text);
      if (!window.staged || type !== "play") return super.send(text);
      if (window.refusal) {
        const problem = window.refusal;
        queueMicrotask(() => window.tell({ type: "refused", id, problem }));
        return;
      }
      window.played.push(action);
      const answer = () => window.tell({ type: "done", id, n: window.staged });
      if (window.late) window.late.push(answer);
      else queueMicrotask(answer);
    }
  };
})()"""

#: Shows a position; resolves when the page shows it.
_SHOW = """(update) => new Promise((resolve) => {
  const page = document.querySelector('[data-testid="table-page"]');
  window.staged = update.n;
  const due = window.late?.splice(0) ?? [];
  window.tell(update);
  const look = () => {
    if (page.dataset.n !== String(update.n) || page.dataset.showing !== "false") {
      setTimeout(look, 5);
      return;
    }
    for (const answer of due) answer();
    resolve();
  };
  look();
})"""


class StagedTable:
    """A table whose page shows a given position. Create it before the page is opened."""

    def __init__(self, user: UserPage) -> None:
        self.user = user
        user.page.add_init_script(_INTERCEPT)
        self._table: Message = {}
        self._n = 0

    def refuse(self, message: str, rule: str) -> None:
        """From now on, refuse every move."""
        problem = {"code": "refused_by_rules", "message": message, "rule": rule}
        self.user.page.evaluate("problem => { window.refusal = problem; }", problem)

    def delay_answers(self) -> None:
        """From now on, answer a move only after the next position."""
        self.user.page.evaluate("window.late = []")

    def played(self) -> list[int]:
        """The recorded moves."""
        played: list[int] = self.user.page.evaluate("window.played")
        return played

    def show(self, moment: Message, *events: Message, **table: object) -> None:
        """Show a decision as if the second seat had just moved; ``table`` replaces its fields."""
        if not self._table:
            last = self.user.messages("welcome", "update")[-1]
            self._table, self._n = last["table"], last["n"]
        self._n += 1
        self._table.update(table)
        position = {
            "may_take_back": False,
            **moment,
            "n": self._n,
            "seat": 0,
            "to_move": 0,
            "result": None,
            "take_back_asked_by": None,
        }
        entry = {"n": self._n, "seat": 1, "kind": "played", "happenings": events, "at": 0}
        log = [entry] if events else []
        update = {"type": "update", "n": self._n, "position": position, "log": log}
        self.user.page.evaluate(_SHOW, {**update, "table": self._table})
