"""What a seat sees of the past is limited by what it may know today."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from archipel.bots import bot_named
from archipel.game import Decision
from archipel.rules.all_games import game_named, games
from archipel.rules.contract import NOBODY, Definition
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.the_island.definition import THE_ISLAND
from archipel.rules.the_island.state import UNKNOWN, Phase, owner
from archipel.study import match, simulate
from archipel.tables import TableService
from archipel.tables.bots.players import choose_at_random
from archipel.tables.publishing import payloads
from archipel.testing.random_games import some_options
from tests.bots.rollout_counts import rollout_counts
from tests.tables.people import Friends, make_service, settle

VALUE_PLACED = "place.value"


async def play_begins(friends: Friends) -> None:
    """Play the first choice of each seat to move until the last boat is placed."""
    service = friends.service
    while service._live_tables[friends.table].table.state.phase < Phase.PLAY_TILE:
        await settle(service)
        mover = (await friends.view(0)).to_move
        if mover is not None and mover < len(friends.who):
            choices = (await friends.view(mover)).scene.choices
            if choices:
                await friends.play(mover, choices[0].action)


def values_in(position: payloads.Position | None) -> int:
    """How many values a position shows."""
    if position is None:
        return 0
    return sum(bool(piece.properties.get("value")) for piece in position.scene.pieces)


def lines(entries: list[payloads.LogEntry]) -> list[str]:
    return [happening.key for entry in entries for happening in entry.happenings]


async def values_shown(service: TableService, friends: Friends, person: int) -> tuple[int, int]:
    """The number of values that the log and the past positions show to a person."""
    who = friends.who[person]
    subscription = await service.subscribe(who, 0)
    assert subscription.welcome.log == await service.log(who)
    logged = lines(subscription.welcome.log).count(VALUE_PLACED)
    assert logged == lines((await service.log_page(who, subscription.welcome.n + 1)).log).count(
        VALUE_PLACED
    )
    n = subscription.welcome.n
    subscription.close()
    return logged, sum([values_in(await service.position(who, n=past)) for past in range(1, n + 1)])


@pytest.mark.rule("IS-S7", "IS-I5")
def test_past_positions_hide_values_once_play_has_begun() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, game="the-island")
        before = service._live_tables[friends.table].table
        while service._live_tables[friends.table].table.n < before.n + 6:
            mover = (await friends.view(0)).to_move
            assert mover is not None
            await friends.play(mover, (await friends.view(mover)).scene.choices[0].action)
        logged, seen = await values_shown(service, friends, 0)
        assert logged > 0, "shown until then"
        assert seen > 0
        await play_begins(friends)
        for person in (0, 1):
            assert await values_shown(service, friends, person) == (0, 0)
        text = b"".join(
            [msgspec.json.encode(await service.log(who)) for who in friends.who]
        ).decode()
        assert VALUE_PLACED not in text

    asyncio.run(scenario())


@pytest.mark.rule("IS-S7", "IS-I5")
def test_open_memory_shows_ones_own_past_values() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, game="the-island", options={"open_memory": True})
        await play_begins(friends)
        for person in (0, 1):
            logged, seen = await values_shown(service, friends, person)
            assert logged == 10
            assert seen > 10
        other = lines(await service.log(await service.identify(friends.table, None)))
        assert VALUE_PLACED not in other

    asyncio.run(scenario())


@pytest.mark.rule("IS-I5")
def test_the_log_is_sent_anew_when_a_seat_has_to_forget() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, game="the-island")
        subscription = await service.subscribe(friends.who[0], 0)
        watcher = await service.subscribe(await service.identify(friends.table, None), 0)
        known = {entry.n: entry for entry in subscription.welcome.log}
        whole = 0
        while service._live_tables[friends.table].table.state.phase < Phase.PLAY_TILE:
            mover = (await friends.view(0)).to_move
            assert mover is not None
            await friends.play(mover, (await friends.view(mover)).scene.choices[0].action)
            update = await anext(subscription)
            assert isinstance(update, payloads.Update)
            if update.whole:
                whole += 1
                known.clear()
            known.update({entry.n: entry for entry in update.log})
            of_all = await anext(watcher)
            assert isinstance(of_all, payloads.Update)
            assert not of_all.whole, "who never knew has nothing to forget"
        assert whole == 1
        assert list(known.values()) == await service.log(friends.who[0])
        assert VALUE_PLACED not in lines(list(known.values()))

    asyncio.run(scenario())


@pytest.mark.rule("IS-S7")
def test_a_bot_remembers_values_and_a_person_does_not() -> None:
    asked: list[Any] = []

    def choose(game: str, bot: str, view: Any, legal: Sequence[int], seed: int) -> int:
        asked.append((THE_ISLAND.to_move(view), clone(view)))
        return choose_at_random(legal, seed)

    async def scenario() -> None:
        service = make_service(choose=choose)
        friends = await Friends.gather(service, people=1, bots=1, game="the-island")
        await play_begins(friends)
        for _ in range(12):
            await settle(service)
            view = await friends.view(0)
            if view.scene.choices:
                assert values_in(view) == 0
                await friends.play(0, view.scene.choices[-1].action)

    asyncio.run(scenario())
    late = [(seat, view) for seat, view in asked if view.phase >= Phase.PLAY_TILE]
    assert late
    for seat, view in late:
        assert seat == 1
        remembers(view, seat)


def remembers(view: Any, seat: int) -> None:
    for explorer, value in enumerate(view.value):
        placed = value != 0
        if placed:
            assert (value != UNKNOWN) == (owner(view, explorer) == seat)


@pytest.mark.rule("IS-S7")
def test_bots_remember_values_in_matches_and_simulations() -> None:
    late = 0

    def attentive(decision: Decision) -> int:
        nonlocal late
        if decision.view.state.phase >= Phase.PLAY_TILE:
            late += 1
            remembers(decision.view.state, decision.seat)
        return decision.legal[0]

    match("the-island", [attentive, "random"], games=1, seed=1)
    assert late > 10
    # The option does not matter to bots, which know the values they placed.
    played = [
        simulate(
            "the-island",
            ["greedy", "random"],
            2,
            seed=3,
            options={"open_memory": memory},
            compiled=False,
        ).tally
        for memory in (False, True)
    ]
    assert played[0] == played[1]


@pytest.mark.rule("IS-S7")
def test_bots_remember_values_in_rollouts() -> None:
    found = []
    for memory in (False, True):
        options = THE_ISLAND.make_options(2, open_memory=memory)
        start = THE_ISLAND.seen(THE_ISLAND.new(options, Stream(stream_key(5, 0))), 0)
        found.append(rollout_counts(bot_named("the-island", "greedy"), start, 1, seed=1))
    assert found[0] == found[1]


# ---- every game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))
def test_past_views_hide_what_the_current_view_hides(definition: Definition[Any]) -> None:
    """If a view no longer shows a value that still holds, past views hide it too; a seat that
    forgets nothing still sees it."""
    for seed, options in enumerate(some_options(definition, 2)):
        chance, choice = Stream(stream_key(seed, 0)), Stream(stream_key(seed, 1))
        s = definition.new(options, chance)
        lost = 0
        while definition.to_move(s) != NOBODY:
            legal = definition.legal_actions(s)
            before = clone(s)
            definition.apply(s, legal[choice.draw(len(legal))], chance)
            for seat in range(options.seats):
                then, now = definition.seen(before, seat), definition.seen(s, seat)
                gone = [
                    at
                    for at in unknown_in(now, s)
                    if value_at(before, at) == value_at(then, at) == value_at(s, at)
                ]
                lost += len(gone)
                for at in gone:
                    today, recalled = (
                        definition.looked_back(before, s, seat),
                        definition.recalled(s, seat),
                    )
                    assert value_at(today, at) != value_at(s, at), (definition.name, at)
                    assert value_at(recalled, at) == value_at(s, at), (definition.name, at)
        assert lost == 0 or definition.forget is not None


def unknown_in(view: Any, s: Any) -> list[tuple[str, int | None]]:
    """The fields and indices that a view does not show."""
    found: list[tuple[str, int | None]] = []
    for name in s.__slots__:
        value, seen = getattr(s, name), getattr(view, name)
        if seen == value:
            continue
        if isinstance(value, list):
            found += [(name, at) for at in range(len(value)) if seen[at] != value[at]]
        else:
            found.append((name, None))
    return found


def value_at(s: Any, at: tuple[str, int | None]) -> Any:
    name, index = at
    value = getattr(s, name)
    return value if index is None else value[index]


def test_the_island_hides_values_that_were_visible() -> None:
    """Guards the test above against passing because nothing is hidden."""
    assert game_named("the-island").forget is not None
    s = THE_ISLAND.new(THE_ISLAND.make_options(2), Stream(1))
    choice = Stream(2)
    setups = []
    while s.phase < Phase.PLAY_TILE:
        setups.append(clone(s))
        legal = THE_ISLAND.legal_actions(s)
        THE_ISLAND.apply(s, legal[choice.draw(len(legal))], Stream(3))
    last = setups[-1]
    assert max(THE_ISLAND.seen(last, 0).value) > 0
    assert max(THE_ISLAND.looked_back(last, s, 0).value) <= 0
    assert sum(value > 0 for value in THE_ISLAND.recalled(s, 0).value) == 10
