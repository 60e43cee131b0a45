"""A client that applies differences as docs/api.md describes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Message = dict[str, Any]


class Missed(AssertionError):
    """An update does not begin where the last message ended."""


class Following:
    """The state that a client has after the messages of one socket."""

    def __init__(self) -> None:
        self.n = 0
        self.table: Message = {}
        self.position: Message | None = None

    def hear(self, message: Message) -> None:
        kind = message["type"]
        if kind == "welcome":
            self.table, self.position = message["table"], message["position"]
            self.n = message["n"]
        elif kind == "update":
            self._update(message)
        elif kind == "presence":
            changed = {"seats": message["seats"], "spectators": message["spectators"]}
            self.table = {**self.table, **changed}

    def _update(self, message: Message) -> None:
        if message["base"] != self.n:
            raise Missed(f"an update from {message['base']} after {self.n}")
        self.n = message["n"]
        self.table = {**self.table, **message.get("table", {})}
        if "position" in message:
            self.position = message["position"]
        elif self.position is not None:
            self.position = after_change(self.position, self.n, message.get("change", {}))


def after_change(position: Message, n: int, change: Message) -> Message:
    """Return a position after a change."""
    of = change.get("scene", {})
    scene = dict(position["scene"])
    for part in ("cells", "pieces"):
        if part in of:
            scene[part] = _after(scene[part], of[part])
    gauges = {**scene["gauges"], **of.get("gauges", {})}
    scene["gauges"] = {k: v for k, v in gauges.items() if k not in of.get("gauges_gone", ())}
    scene.update({part: of[part] for part in ("choices", "paths") if part in of})
    return {**position, **change, "n": n, "scene": scene}


def _after(items: list[Message], change: Message) -> list[Message]:
    out = {*change["gone"], *(item["id"] for _, item in change["put"])}
    kept = [item for item in items if item["id"] not in out]
    for at, item in change["put"]:
        kept.insert(at, item)
    return kept


def with_full_state(messages: Iterable[Message]) -> list[Message]:
    """Return messages with the full table and position after each update."""
    following = Following()
    whole = []
    for message in messages:
        following.hear(message)
        if message["type"] in ("welcome", "update"):
            whole.append({**message, "table": following.table, "position": following.position})
        else:
            whole.append(message)
    return whole
