"""Decisions for bots, and the interface of whatever runs the bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from archipel.bots.external.worker_protocol import Candidate


class BotFailed(Exception):
    """A bot did not answer in time, or its action is illegal; the message says which."""


@dataclass(frozen=True)
class BotQuestion:
    """A decision for a bot: the view of its seat, never the true position."""

    table: str
    game: str
    bot: str
    view: Any
    legal: Sequence[int]
    seed: int


@dataclass(frozen=True)
class BotAnswer:
    """The action, the bot that chose it, and the candidates if they were asked for."""

    action: int
    by: str
    candidates: Sequence[Candidate] = ()


class BotExecutor(Protocol):
    """Runs bots beside the event loop."""

    def start(self) -> None:
        """Prepare in the background, for example compile searches."""

    async def choose(
        self, asked: BotQuestion, seconds: float, *, consider: bool = False
    ) -> BotAnswer:
        """The bot's choice within about ``seconds``; raises `BotFailed`.

        ``consider``: with the candidates, if the bot has any.
        """

    async def stop(self) -> None:
        """Stop at once, without waiting for bots."""


def checked(chosen: BotAnswer, asked: BotQuestion) -> BotAnswer:
    """The answer; raises `BotFailed` if its action is illegal."""
    if chosen.action not in asked.legal:
        raise BotFailed(f"action {chosen.action} is not one of {list(asked.legal)}")
    return chosen
