"""The fallback bot plays until a search is compiled."""

from __future__ import annotations

import threading

import pytest

from archipel.bots import levels_of
from archipel.bots.external import bot_worker
from archipel.bots.external.bot_worker import INTERPRETED_MILLISECONDS, ReadyBots, answer
from archipel.bots.external.worker_protocol import Question, pack_view
from archipel.bots.search.search import search_program
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream
from archipel.rules.kit.core.program import Backend

LEVEL = levels_of("deep-sea")[0].name


@pytest.fixture(autouse=True)
def _compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_worker, "can_compile", lambda: True)


def question(bot: str, *, consider: bool = False) -> Question:
    options = DEEP_SEA.make_options(2)
    state = DEEP_SEA.new(options, Stream(1))
    DEEP_SEA.apply(state, 0, Stream(5))  # now there is something to choose
    view = DEEP_SEA.recalled(state, DEEP_SEA.to_move(state))
    legal = DEEP_SEA.legal_actions(state)
    assert len(legal) > 1
    return Question("deep-sea", bot, pack_view(view), legal, 7, 60, consider)


def test_the_fallback_answers_until_the_search_is_ready() -> None:
    may_load, loaded = threading.Event(), threading.Event()

    def load(game: str) -> Backend:
        may_load.wait()
        loaded.set()
        return search_program(game).interpreted()

    bots = ReadyBots(load)
    first = answer(question(LEVEL), bots)
    assert (first.by, first.error) == ("greedy-1", "")
    assert answer(question("random"), bots).by == "random"
    assert not loaded.is_set()
    may_load.set()
    # A request for candidates waits for the search.
    considered = answer(question(LEVEL, consider=True), bots)
    assert considered.by == LEVEL
    assert considered.candidates
    assert all(0 <= found.chance <= 1 and found.tried for found in considered.candidates)
    then = answer(question(LEVEL), bots)
    assert (then.by, then.action) == (LEVEL, considered.action)


def test_an_interpreted_search_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_worker, "can_compile", lambda: False)
    ready = ReadyBots().best("deep-sea", LEVEL)
    assert (ready.bot.name, ready.milliseconds) == (LEVEL, INTERPRETED_MILLISECONDS)
    assert ReadyBots().best("deep-sea", "greedy").milliseconds is None


def test_an_exception_becomes_an_error_response() -> None:
    assert "UnknownBotError" in answer(question("nobody"), ReadyBots()).error
