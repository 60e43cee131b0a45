"""A table at which any position can be shown: the page is real, the rules make the position, and
nothing that is played there has consequences."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from archipel.game import Game
from tests.browser.people import Message, Person


@dataclass(frozen=True)
class Play:
    """A game at random, repeatable: where to look for positions."""

    game: str
    seats: int
    options: Mapping[str, Any]
    seed: int = 3

    def scenes(self) -> Iterator[Message]:
        """Every decision of the first seat, as its scene, with the question that is asked."""
        game = Game.new(self.game, self.seats, seed=self.seed, **self.options)
        chance = random.Random(self.seed)
        while not game.is_over:
            if game.to_move == 0:
                yield moment_of(game)
            game.play(chance.choice(game.legal))

    def taking(self, takes: str, offers: str) -> tuple[Message, Message, Message]:
        """A decision of the first seat to take something with which something else can be done
        then: before, what is chosen, and after it. Both are found by the keys of their choices."""
        game = Game.new(self.game, self.seats, seed=self.seed, **self.options)
        chance = random.Random(self.seed)
        while not game.is_over:
            before = moment_of(game) if game.to_move == 0 else {"scene": {"choices": []}}
            for choice in before["scene"]["choices"]:
                if choice["key"] != takes:
                    continue
                then = game.copy()
                then.play(choice["action"])
                after = moment_of(then)
                if any(each["key"] == offers for each in after["scene"]["choices"]):
                    return before, choice, after
            game.play(chance.choice(game.legal))
        raise AssertionError(f"nobody could do {offers} in this game")


def moment_of(game: Game) -> Message:
    """How the first seat sees a decision of its own, with the question that is asked."""
    seen = game.definition.seen(game.state, 0)
    found = game.definition.scene(seen, 0)
    scene: Message = msgspec.to_builtins(found, enc_hook=int)
    question = game.definition.question(seen)
    return {
        "scene": scene,
        "question": {"key": question.key, "details": dict(question.details)},
        "text": game.definition.position_text(seen),
    }


def places(scene: Message) -> int:
    """How much there is to touch."""
    return len({target for choice in scene["choices"] for target in choice["targets"]})


def crowd(scene: Message) -> int:
    """How much there is to choose on one space."""
    cells = {piece["id"]: piece["cell"] for piece in scene["pieces"]}
    targets = {target for choice in scene["choices"] for target in choice["targets"]}
    there = [cells[target] for target in targets if target in cells]
    return max((there.count(cell) for cell in there), default=0)


#: Stands between a page and its server: what is played is noted and answered, and goes no further.
_STAND_BETWEEN = """(() => {
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
      window.played.push(action);
      const answer = () => window.tell({ type: "done", id, n: window.staged });
      if (window.late) window.late.push(answer);
      else queueMicrotask(answer);
    }
  };
})()"""

#: Shows a position, and is done when the page does.
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


class Stage:
    """A table whose page shows whatever position it is given. Make it before the page is opened."""

    def __init__(self, person: Person) -> None:
        self.person = person
        person.page.add_init_script(_STAND_BETWEEN)
        self._table: Message = {}
        self._n = 0

    def answers_late(self) -> None:
        """From here on, the answer to what is played comes after what it leads to."""
        self.person.page.evaluate("window.late = []")

    def played(self) -> list[int]:
        """The actions that were played here."""
        played: list[int] = self.person.page.evaluate("window.played")
        return played

    def show(self, moment: Message, *told: Message) -> None:
        """This decision, as if the table had come to it, by what the second seat did."""
        if not self._table:
            last = self.person.messages("welcome", "update")[-1]
            self._table, self._n = last["table"], last["n"]
        self._n += 1
        position = {
            **moment,
            "n": self._n,
            "seat": 0,
            "to_move": 0,
            "result": None,
            "may_take_back": False,
            "take_back_asked_by": None,
        }
        entry = {"n": self._n, "seat": 1, "kind": "played", "happenings": told, "at": 0}
        log = [entry] if told else []
        update = {"type": "update", "n": self._n, "position": position, "log": log}
        self.person.page.evaluate(_SHOW, {**update, "table": self._table})
