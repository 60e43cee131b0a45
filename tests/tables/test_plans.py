"""Planned moves in games by days: answers to decisions of a later turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import pytest

from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.deep_sea.state import Action, Phase
from archipel.tables import Participant, TableService, commands
from archipel.tables.commands import Clock, Plan
from archipel.tables.log import events
from archipel.tables.log.table_state import TableState
from tests.support.memory_store import MemoryStore
from tests.tables.people import QUICK, Friends, HandClock, make_service, refusal

BY_DAYS = Clock("days", 2 * 86_400)
DIVE = Plan("r", {"throw": "action.dive"})
TURN = Plan("r", {"throw": "action.dive", "search": "action.take"})


def asynchronous(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    @wraps(test)
    def run() -> None:
        asyncio.run(test())

    return run


def state_of(friends: Friends) -> TableState:
    return friends.service._live_tables[friends.table].table


async def gathered(service: TableService, clock: Clock = BY_DAYS) -> Friends:
    """Two friends at Deep Sea Adventure; the first one moves."""
    return await Friends.gather(service, 2, game="deep-sea", clock=clock, options={"first": 1})


async def whole_turn(friends: Friends, person: int) -> None:
    while (await friends.view(person)).to_move == person:
        await friends.play(person, (await friends.view(person)).scene.choices[0].action)


async def pass_time(friends: Friends, clock: HandClock, milliseconds: int = 2_000) -> None:
    clock.now += milliseconds
    await friends.service.tick()


@asynchronous
async def test_a_planned_turn_is_played_when_it_comes() -> None:
    clock = HandClock()
    friends = await gathered(make_service(clock=clock))
    await friends.ask(1, TURN)
    await whole_turn(friends, 0)
    await friends.service.tick()
    assert state_of(friends).to_move == 1, "the last player has time to take the move back"
    await pass_time(friends, clock)
    await pass_time(friends, clock)
    moves = [move.event for move in state_of(friends).moves if move.event.seat == 1]
    assert [move.action for move in moves] == [Action.DIVE, Action.TAKE]
    assert {move.by for move in moves} == {"person"}
    assert state_of(friends).to_move == 0
    # Each answer counts once.
    assert state_of(friends).seats[1].plan == ()
    await whole_turn(friends, 0)
    await pass_time(friends, clock)
    assert state_of(friends).to_move == 1


@asynchronous
async def test_an_answer_that_is_not_possible_is_left_to_the_player() -> None:
    clock = HandClock()
    friends = await gathered(make_service(clock=clock))
    await friends.ask(1, Plan("r", {"throw": "action.turn_back", "search": "action.nothing"}))
    await whole_turn(friends, 0)
    await pass_time(friends, clock, 60_000)
    assert state_of(friends).to_move == 1
    await friends.play(1, Action.DIVE)
    assert state_of(friends).seats[1].plan == (("search", "action.nothing"),)
    await pass_time(friends, clock)
    assert state_of(friends).to_move == 0


@asynchronous
async def test_only_its_owner_knows_a_plan() -> None:
    service = make_service()
    friends = await gathered(service)
    lines = [await service.log(who) for who in friends.who]
    await friends.ask(1, TURN)
    assert [await service.log(who) for who in friends.who] == lines
    assert (await service.plan(friends.who[1])).chosen == TURN.answers
    assert (await service.plan(friends.who[0])).chosen == {}
    spectator = Participant(friends.table)
    assert (await refusal(service.plan(spectator))).code == "not_seated"
    assert "action.take" not in repr(await service.table(friends.table))
    await friends.ask(1, Plan("r", {}))
    assert (await service.plan(friends.who[1])).chosen == {}


@asynchronous
async def test_what_cannot_be_planned_is_refused() -> None:
    service = make_service()
    friends = await gathered(service)
    for answers in ({"throw": "action.take"}, {"fly": "action.dive"}):
        assert (await refusal(friends.ask(1, Plan("r", answers)))).code == "no_plan"
    assert (await refusal(friends.ask(0, DIVE))).code == "plan_now"
    for other in (
        await gathered(service, clock=Clock("live", 600)),
        await Friends.gather(service, 2, game="atlantis", clock=BY_DAYS),
    ):
        waits = 0 if (await other.view(0)).to_move else 1
        assert (await refusal(other.ask(waits, DIVE))).code == "no_plan"
        assert (await service.plan(other.who[waits])).answers == {}


@asynchronous
async def test_a_plan_survives_a_restart_and_is_gone_with_its_player() -> None:
    clock, store = HandClock(), MemoryStore()
    friends = await gathered(make_service(store, clock=clock))
    await friends.ask(1, TURN)
    await whole_turn(friends, 0)
    service = make_service(store, clock=clock, settings=QUICK, seed="again")
    again = Friends(service, friends.table, friends.tokens)
    again.who = [await service.identify(friends.table, token) for token in friends.tokens]
    assert (await service.plan(again.who[1])).chosen == TURN.answers
    await pass_time(again, clock)
    assert state_of(again).state.phase == Phase.SEARCH
    assert isinstance(state_of(again).log[-1].event, events.Played)


@asynchronous
async def test_a_bot_that_plays_for_somebody_does_not_follow_their_plan() -> None:
    clock = HandClock()
    friends = await gathered(make_service(clock=clock))
    await friends.ask(1, DIVE)
    await friends.ask(1, commands.HandOver("r", 1))
    assert state_of(friends).planned is None
    assert (await refusal(friends.ask(1, DIVE))).code == "bot_plays"


@pytest.mark.parametrize("definition", list(games()), ids=lambda game: game.name)
def test_the_games_that_can_be_planned(definition: Definition[Any]) -> None:
    """In the others every decision depends on what the others do until then."""
    assert bool(definition.plans) == (definition.name in ("deep-sea", "the-island"))
