"""Who thinks for the bots of tables, beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Protocol

from archipel.bots.outside.questions import Candidate
from archipel.tables.bot_players import Choose


class BotFailed(Exception):
    """A bot did not answer in time, or not with a legal action; the message says how."""


@dataclass(frozen=True)
class Asked:
    """A decision of a bot: the view of its seat and never the truth."""

    table: str
    game: str
    bot: str
    view: Any
    legal: Sequence[int]
    seed: int


@dataclass(frozen=True)
class Chosen:
    """The action, the bot that chose it, and what it considered, where it was asked for that."""

    action: int
    by: str
    candidates: Sequence[Candidate] = ()


class Thinking(Protocol):
    """Something that lets bots think."""

    def start(self) -> None:
        """Get ready beside everything else: compile what is worth compiling."""

    async def choose(self, asked: Asked, seconds: float) -> Chosen:
        """Raises `BotFailed`; it takes hardly longer than said, whatever the bot does."""

    async def consider(self, asked: Asked, seconds: float) -> Chosen:
        """The same choice, with the candidates; raises `BotFailed`."""

    async def stop(self) -> None:
        """At once, whatever the bots do."""


def checked(chosen: Chosen, asked: Asked) -> Chosen:
    """Raises `BotFailed` where the action is not legal."""
    if chosen.action not in asked.legal:
        raise BotFailed(f"action {chosen.action} is not one of {list(asked.legal)}")
    return chosen


class ThinkingInThreads:
    """A function that chooses, in the threads of an executor: for bots that are known to come back,
    since a thread cannot be ended."""

    def __init__(self, choose: Choose, executor: Executor) -> None:
        self._choose = choose
        self._executor = executor

    def start(self) -> None:
        pass

    async def choose(self, asked: Asked, seconds: float) -> Chosen:
        thinking = asyncio.get_running_loop().run_in_executor(
            self._executor,
            self._choose,
            asked.game,
            asked.bot,
            asked.view,
            asked.legal,
            asked.seed,
        )
        try:
            async with asyncio.timeout(seconds):
                action = await thinking
        except Exception as error:
            raise BotFailed(repr(error)) from error
        return checked(Chosen(action, asked.bot), asked)

    async def consider(self, asked: Asked, seconds: float) -> Chosen:
        return await self.choose(asked, seconds)

    async def stop(self) -> None:
        pass
