"""Odds: from the view, within a budget, better once the playouts are compiled."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest

from archipel.bots.playouts import Chances, play_out, playout_program
from archipel.rules.contract import Definition
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream
from archipel.tables import odds
from archipel.tables.odds import OddsMaker
from tests.tables.people import QUICK, Friends, make_service, refusal, running
from tests.tables.secret_cards import SECRET_CARDS

FEW = replace(QUICK, odds_playouts=5, odds_time=600_000)


def test_odds_are_made_from_the_view_and_say_how() -> None:
    async def course() -> None:
        async with running(make_service(settings=FEW)) as service:
            friends = await Friends.gather(service, game="deep-sea", options={"first": 1})
            n = await friends.last()
            odds = await service.odds(friends.who[0], n)
            assert (odds.playouts, odds.bot, odds.n) == (5, "greedy-1", n)
            assert set(odds.chances) == {"win", "home"}
            assert all(0 <= chance <= 1 for chance in odds.chances.values())
            assert await service.odds(friends.who[0], n) is odds
            spectator = await service.identify(friends.table, None)
            assert (await refusal(service.odds(spectator, n))).code == "not_seated"
            assert (await refusal(service.odds(friends.who[0], 1))).code == "not_playing"
            assert (await refusal(service.odds(friends.who[0], n + 1))).code == "no_such_event"

    asyncio.run(course())


@pytest.mark.parametrize("definition", [DEEP_SEA, SECRET_CARDS], ids=str)
def test_what_a_seat_cannot_know_does_not_change_its_odds(definition: Definition[Any]) -> None:
    async def course() -> None:
        maker = OddsMaker(FEW)
        true = definition.new(definition.make_options(3), Stream(4))
        for number in range(3):
            seat = number % 3
            world = definition.resample(true, seat, Stream(number))
            assert world != true
            first, second = [
                await maker.estimate(definition.name, definition.seen(s, seat), seat, number)
                for s in (true, world)
            ]
            assert first == second
        await maker.stop()

    asyncio.run(course())


def test_a_game_without_bots_of_its_own_has_odds_by_chance() -> None:
    async def course() -> None:
        maker = OddsMaker(FEW)
        view = SECRET_CARDS.seen(SECRET_CARDS.new(SECRET_CARDS.make_options(2), Stream(4)), 0)
        playouts, bot, chances = await maker.estimate("secret-cards", view, 0, 1)
        assert (playouts, bot, list(chances)) == (5, "random", ["win"])
        await maker.stop()

    asyncio.run(course())


class PretendedWarming:
    """Becomes compiled when a test says so."""

    def __init__(self, game: str) -> None:
        self.backend = playout_program(game).interpreted()
        self.closed = False

    def close(self) -> None:
        self.closed = True


def test_a_rough_estimate_is_made_anew_once_the_playouts_are_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[PretendedWarming] = []

    def warm(game: str) -> PretendedWarming:
        made.append(PretendedWarming(game))
        return made[-1]

    monkeypatch.setattr("archipel.tables.odds.warm_playouts", warm)

    async def course() -> None:
        hurried = replace(QUICK, odds_playouts=40, odds_time=0)
        async with running(make_service(settings=hurried)) as service:
            assert not made, "nothing is compiled before somebody asks"
            friends = await Friends.gather(service, game="deep-sea")
            n = await friends.last()
            rough = await service.odds(friends.who[0], n)
            assert rough.playouts == 1
            assert await service.odds(friends.who[0], n) is rough
            monkeypatch.setattr(made[0].backend, "compiled", True, raising=False)
            better = await service.odds(friends.who[0], n)
            assert better.playouts > rough.playouts
            monkeypatch.setattr("archipel.tables.odds.OddsMaker.is_final", lambda *_: True)
            assert await service.odds(friends.who[0], n) is better
            assert len(made) == 1
        assert made[0].closed

    asyncio.run(course())


def test_only_so_many_wait_and_the_event_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()

    def slowly(*arguments: Any, **options: Any) -> Chances:
        assert may_end.wait(20), "the event loop stands still"
        return play_out(*arguments, **options)

    monkeypatch.setattr(odds, "play_out", slowly)

    async def course() -> None:
        async with running(make_service(settings=replace(FEW, odds_waiting=1))) as service:
            friends = await Friends.gather(service, game="deep-sea")
            n = await friends.last()
            estimate = asyncio.create_task(service.odds(friends.who[0], n))
            await asyncio.sleep(0.01)
            assert (await refusal(service.odds(friends.who[1], n))).code == "busy"
            may_end.set()
            assert (await estimate).playouts == 5

    asyncio.run(course())
