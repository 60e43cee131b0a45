"""Random frames: valid, nearly valid and malformed."""

import json
import random
import string
from typing import Any

from archipel.tables.log.fair_chance import seal_of

_IDS = [f"id{number}" for number in range(50)]
_ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 9, 10, 2**31, 2**63, 2**64, -(2**63), 10**30, 0.5, 1e308, "",
    " ", "0", "x" * 41, "é" * 20, "\u202e", "\x00", "🤿", [], [[]], {}, {"a": 1},
)  # fmt: skip
_PHRASES = ("hello", "thanks", "oops", "rude")
_ODD_TEXTS = (
    "", " ", "null", "true", "0", '""', "[]", "{}", "{", "}", "[" * 2000, '{"a":' * 500, "NaN",
    '{"type":"ping"}x', "\ufeff{}", '{"type":"ping","type":"play"}', '{"type":null}', "\x00",
    '{"type":"pl\\u0061y"}', '{"type":"play","id":"\\ud800"}', "'", "<script>", "1e999",
)  # fmt: skip


class FrameGenerator:
    """Generates frames from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def frame(self, n: int) -> str:
        """One frame of any kind; ``n`` is the table's last event, for valid frames."""
        kind = self._random.random()
        if kind < 0.1:
            return self._random.choice(_ODD_TEXTS)
        if kind < 0.2:
            return "".join(
                self._random.choices(string.printable + "é🤿\u2028", k=self._random.randrange(200))
            )
        message = self._message(n)
        if kind < 0.5:
            return json.dumps(message)
        if kind < 0.8:
            return json.dumps(self._with_wrong_field(message))
        return self._corrupted(json.dumps(message))

    def _message(self, n: int) -> dict[str, Any]:
        choose = self._random
        near_n = choose.choice((n, n, n - 1, n + 1, 0, choose.randrange(10**7)))
        seat = choose.choice((None, 0, 1, 2, 9))
        fields: dict[str, dict[str, Any]] = {
            "play": {"n": near_n, "action": choose.randrange(60), "seat": seat},
            "take_back": {"n": near_n},
            "agree_to_take_back": {"n": near_n, "agree": choose.random() < 0.5},
            "say": {"phrase": choose.choice(_PHRASES)},
            "write": {"text": "é" * choose.randrange(300)},
            "allow_chat": {"allow": choose.random() < 0.8},
            "hand_over": {"seat": choose.randrange(10)},
            "come_back": {},
            "rematch": {},
            "play_on": {"n": near_n},
            "set_seat": {"seat": choose.randrange(10), "bot": choose.choice((None, "no", "x"))},
            "set_options": {
                "options": {choose.choice(("first", "odd")): choose.randrange(9)},
                "seats": choose.choice((None, *range(12))),
            },
            "seal_nonce": {"seal": choose.choice((seal_of("x"), "0" * 63, "x" * 64, ""))},
            "open_nonce": {"nonce": choose.choice(("x", "x", "x" * choose.randrange(70)))},
            "answer_proposal": {"n": near_n, "agree": choose.random() < 0.5},
            "read_log": {"before": near_n, "seat": seat},
            "begin": {},
            "look_at": {"n": near_n, "seat": seat, "revealed": choose.random() < 0.5},
            "look_through": {"seat": choose.randrange(10)},
            "hello": {"token": "x" * choose.randrange(70)},
            "ping": {},
            "fly": {},
            # Rare, because few requests are valid after them.
            "resign": {},
            "close_table": {},
        }
        common = list(fields)[:-2]
        kind = choose.choice(common) if choose.random() < 0.99 else choose.choice(list(fields))
        return {"type": kind, "id": choose.choice(_IDS), **fields[kind]}

    def _with_wrong_field(self, message: dict[str, Any]) -> dict[str, Any]:
        """A message with a missing, wrong or additional field."""
        changed = dict(message)
        name = self._random.choice(list(changed))
        action = self._random.random()
        if action < 0.3:
            del changed[name]
        elif action < 0.9:
            changed[name] = self._random.choice(_ODD_VALUES)
        else:
            changed[self._random.choice(("extra", "token", "TYPE"))] = name
        return changed

    def _corrupted(self, text: str) -> str:
        """A text with a few characters changed, removed or doubled."""
        letters = list(text)
        for _ in range(self._random.randrange(1, 4)):
            place = self._random.randrange(len(letters))
            action = self._random.randrange(3)
            if action == 0:
                letters[place] = self._random.choice(string.printable)
            elif action == 1:
                letters[place] = ""
            else:
                letters[place] *= 2
        return "".join(letters)
