"""A seat is sent nothing that its view does not contain."""

import asyncio
import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from archipel.rules.kit import Stream, clone
from archipel.tables import Participant, Subscription, TableService, commands
from archipel.tables.commands import Join, NewTable, SeatWish
from archipel.tables.log import events
from archipel.tables.log.table_state import LoggedEvent, Snapshot, TableState
from archipel.tables.publishing import payloads
from archipel.tables.publishing.views import PositionViews, show_page
from tests.support.memory_store import MemoryStore
from tests.tables.people import Friends, HandClock, make_service, refusal, settle


def cards_in(frame: bytes, table: TableState) -> set[bytes]:
    """The cards of the true state whose numbers occur in a frame."""
    if table.state is None:
        return set()
    cards = {str(card).encode() for card in table.state.card if card}
    return {card for card in cards if card in frame}


def the_table(service: TableService, table_id: str) -> TableState:
    return service._live_tables[table_id].table


class Eavesdropper:
    """Keeps every frame sent to one subscriber, with the cards its seat may know by then."""

    def __init__(self, service: TableService, subscription: Subscription, seat: int | None) -> None:
        self.service = service
        self.subscription = subscription
        self.seat = seat
        self.frames: list[bytes] = []
        self.hear(msgspec.json.encode(subscription.welcome), subscription.welcome.n)

    def drain(self) -> None:
        waiting = self.subscription._waiting
        while waiting:
            item = waiting.popleft().message
            n = item.n if isinstance(item, payloads.Update) else None
            self.hear(msgspec.json.encode(item), n)

    def hear(self, frame: bytes, n: int | None) -> None:
        self.frames.append(frame)
        table = the_table(self.service, self.subscription.who.table)
        if table.secret is None:
            assert cards_in(frame, table) <= self.known(table, n), "a card it has not seen"

    def known(self, table: TableState, n: int | None) -> set[bytes]:
        state = table.state_at(table.n if n is None else n)
        if state is None:
            return set()
        seen = table.definition.seen(state, -1 if self.seat is None else self.seat)
        return {str(card).encode() for card in seen.card if card}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.promise("secrecy")
def test_no_frame_contains_hidden_cards_in_whole_games(seed: int) -> None:
    """Persons, a bot, a handed-over seat, a resigned one, one that changes hands, a spectator."""

    async def scenario() -> None:
        chooser = random.Random(seed)
        store = MemoryStore()
        clock = HandClock()
        service = make_service(store, clock=clock, seed=str(seed))
        friends = await Friends.gather(service, 3, 1, begin=False)
        ears: list[Eavesdropper] = []

        async def listen(who: Participant) -> None:
            ears.append(Eavesdropper(service, await service.subscribe(who), who.seat))

        for who in (*friends.who, await service.identify(friends.table, None)):
            await listen(who)
        await friends.ask(0, commands.Begin("r"))
        step, resigned = 0, False
        while (await service.table(friends.table)).stage == "playing":
            await settle(service)
            step += 1
            if step == 4:
                await friends.ask(1, commands.HandOver("r", 1))
            if step == 6:
                await friends.ask(1, commands.ComeBack("r"))
            if step == 8:
                clock.now += service._registry.settings.away
                await friends.ask(0, commands.SetSeat("r", 2))
                seated = await service.join(friends.table, Join("Zoe"))
                assert seated.asked
                await listen(await service.identify(friends.table, seated.token))
                await settle(service)
                n = (await service.subscribe(friends.who[0])).welcome.n
                for person in (0, 1):
                    await friends.ask(person, commands.AnswerProposal("r", n, True))
                friends.who[2] = await service.identify(friends.table, seated.token)
                assert friends.who[2].seats == (2,)
                await listen(friends.who[2])
            if step == 10 and (await friends.view(0)).to_move is not None:
                await friends.ask(1, commands.Resign("r"))
                resigned = True
            await settle(service)
            mover = (await friends.view(0)).to_move
            if mover is not None and mover < 3:
                view = await friends.view(mover)
                assert view.scene.choices or resigned
                if view.scene.choices:
                    choice = chooser.choice(view.scene.choices)
                    await friends.play(mover, choice.action)
            for ear in ears:
                ear.drain()
        for ear in ears:
            ear.drain()
        stored = await store.get_private(friends.table, "secret")
        assert stored is not None
        for ear in ears:
            open_secrets = [frame for frame in ear.frames if stored.hex().encode() in frame]
            assert len(open_secrets) <= 1, "the secret is opened once, at the end"
            for token in friends.tokens:
                assert not any(token.encode() in frame for frame in ear.frames)

    asyncio.run(scenario())


def test_a_seat_sees_its_own_card() -> None:
    """Guards the test above against passing because nothing is shown."""

    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        await friends.play(0, 3)
        table = the_table(service, friends.table)
        views = [msgspec.json.encode(await friends.view(person)) for person in (0, 1)]
        logs = [msgspec.json.encode(await service.log(who)) for who in friends.who]
        own = str(table.state.card[0]).encode()
        for mine, theirs in (views, logs):
            assert cards_in(mine, table) == {own}
            assert cards_in(theirs, table) == set()

    asyncio.run(scenario())


def test_refusals_and_records_reveal_nothing_during_the_game() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, public=True)
        frames = [
            msgspec.json.encode(await service.table(friends.table)),
            msgspec.json.encode(await service.tables()),
        ]
        for awaited in (
            service.record(friends.table),
            friends.play(0, 4),
            friends.play(1, 0),
            service.position(friends.who[0], n=2, revealed=True),
        ):
            frames += [str(await refusal(awaited)).encode()]
        table = the_table(service, friends.table)
        assert not any(cards_in(frame, table) for frame in frames)

    asyncio.run(scenario())


# ---- two worlds ---------------------------------------------------------------------------------


def in_another_world(table: TableState, seat: int | None, world: Any) -> TableState:
    """The same table with the hidden values of ``world``."""

    def moved(state: Any) -> Any:
        other = clone(state)
        other.value = list(world.value)
        return other

    last = table.log[-1]
    before = None if last.before is None else Snapshot(moved(last.before.unpack()))
    after = Snapshot(moved(table.state))
    twin = LoggedEvent(last.n, last.at, last.event, last.request, before, after)
    return replace(table, state=moved(table.state), log=table.log.without_last(1).plus(twin))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.promise("secrecy")
def test_payloads_are_equal_in_all_worlds_that_fit_a_view(seed: int) -> None:
    async def scenario() -> None:
        chooser = random.Random(seed)
        service = make_service(seed=str(seed))
        new = NewTable(
            "deep-sea",
            [SeatWish()] * 3,
            "Ana",
            hot_seat=True,
            options={"drop_order": chooser.choice(["piled", "taken", "chosen"])},
            begin=True,
        )
        made = await service.create(new)
        who = await service.identify(made.table, made.token)
        compared = 0
        while (await service.table(made.table)).stage == "playing":
            table = service._live_tables[made.table].table
            definition = table.definition
            if isinstance(table.log[-1].event, events.Played):
                for seat in (0, 1, 2, None):
                    eyes = -1 if seat is None else seat
                    world = definition.resample(table.state, eyes, Stream(chooser.getrandbits(64)))
                    twin = in_another_world(table, seat, world)
                    compared += twin.state != table.state
                    for look in (
                        lambda t, s=seat: PositionViews(t).position(s),
                        lambda t, s=seat: show_page(t, s, after=t.n - 1).log,
                    ):
                        assert msgspec.json.encode(look(twin)) == msgspec.json.encode(look(table))
            legal = definition.legal_actions(table.state)
            action = chooser.choice(legal)
            await service.command(who, commands.Play(f"r{table.n}", table.n, action))
        assert compared > 50

    asyncio.run(scenario())
