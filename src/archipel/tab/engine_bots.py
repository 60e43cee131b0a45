"""Bots by the games' engines: the levels and rule bots of a server, as WebAssembly in workers."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

from archipel.bots import player_named, roster_of
from archipel.bots.contract import Level, UnknownBotError
from archipel.bots.engine.engine_program import level_settings
from archipel.bots.external.worker_protocol import Candidate
from archipel.rules.kit import stream_key
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.tables.bots.executor import BotAnswer, BotFailed, BotQuestion, checked


class SearchQuestion(Struct, frozen=True, tag="search"):
    """A decision of a level; ``seed`` is a whole number of 64 bits, which JSON has only as text."""

    view: str
    seats: int
    numbers: list[int]
    fractions: list[float]
    seed: str


class RuleQuestion(Struct, frozen=True, tag="rule"):
    """A decision of a bot without search; ``key`` is that of its random stream."""

    view: str
    bot: int
    legal: list[int]
    key: str


class Tried(Struct, frozen=True):
    """A candidate of a search: its visits, and the sum of its shares of first place."""

    action: int
    visits: int
    won: float


class EngineAnswer(Struct, frozen=True):
    action: int
    candidates: list[Tried] = []


#: Asks the engine of a game: its name and a question as JSON; the answer as JSON.
Ask = Callable[[str, str], Awaitable[str]]


class EngineBots:
    """A `BotExecutor` without deadlines: thinking rests while nobody sees the page."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def start(self) -> None:
        """Engines are loaded by the first question."""

    async def choose(
        self, asked: BotQuestion, seconds: float, *, consider: bool = False
    ) -> BotAnswer:
        if len(asked.legal) == 1:
            return BotAnswer(int(asked.legal[0]), asked.bot)
        try:
            info = player_named(asked.game, asked.bot)
        except UnknownBotError as error:
            raise BotFailed(str(error)) from None
        view = base64.b64encode(to_bytes(asked.view)).decode("ascii")
        question: SearchQuestion | RuleQuestion
        if isinstance(info, Level):
            roster = roster_of(asked.game)
            seats = roster.definition.read_options(asked.view).seats
            numbers, fractions = level_settings(roster, info.config, seats)
            seed = asked.seed % 2**64
            question = SearchQuestion(view, seats, numbers, fractions, str(seed))
        else:
            legal = [int(action) for action in asked.legal]
            question = RuleQuestion(view, info.index, legal, str(stream_key(asked.seed % 2**64, 0)))
        try:
            text = await self._ask(asked.game, msgspec.json.encode(question).decode())
        except Exception as error:
            raise BotFailed(f"the engine failed: {error}") from error
        answer = msgspec.json.decode(text, type=EngineAnswer)
        candidates = [
            Candidate(tried.action, tried.won / tried.visits, tried.visits)
            for tried in answer.candidates
            if consider and tried.visits
        ]
        return checked(BotAnswer(answer.action, info.name, candidates), asked)

    async def stop(self) -> None:
        """The workers end with the page."""
