"""Tables that were begun by rules that have changed since."""

import asyncio

import msgspec
import pytest

from archipel.store.protocol import Event
from archipel.tables import commands
from archipel.tables.administration import _sound
from archipel.tables.log import events
from archipel.tables.log.events import Entry, decode, encode
from archipel.tables.log.fold import fold_all
from tests.support.memory_store import MemoryStore
from tests.tables.people import Friends, make_service, refusal
from tests.tables.secret_cards import PASS, THINK

NEVER_LEGAL = 4


class OlderStore(MemoryStore):
    """A store whose tables were begun by older rules, with one action changed."""

    def __init__(self, changed: int | None = None) -> None:
        super().__init__()
        self.changed = changed
        self.older = False

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        found = await super().read(table_id, after, limit)
        return [self._older(event) for event in found] if self.older else found

    def _older(self, stored: Event) -> Event:
        entry = decode(stored.n, stored.body)
        event = entry.event
        if isinstance(event, events.Created):
            event = msgspec.structs.replace(event, rules_version=0)
        elif isinstance(event, events.Played) and stored.n == self.changed:
            event = msgspec.structs.replace(event, action=NEVER_LEGAL)
        return Event(stored.n, stored.at, encode(Entry(entry.at, event, entry.request)))


async def begun(store: OlderStore) -> Friends:
    """A game that was begun before the rules changed."""
    service = make_service(store)
    friends = await Friends.gather(service)
    for action in (THINK, PASS):
        await friends.play(0, action)
    await friends.play(1, PASS)
    await service.stop()
    store.older = True
    friends.service = make_service(store)
    return friends


def test_a_table_of_older_rules_continues_if_the_rules_replay_its_log() -> None:
    async def scenario() -> None:
        friends = await begun(OlderStore())
        assert (await friends.view(0)).to_move == 0
        await friends.finish()
        assert (await friends.service.table(friends.table)).stage == "over"
        assert "secret-cards" in await friends.service.record(friends.table)

    asyncio.run(scenario())


def test_a_table_whose_log_cannot_be_replayed_is_read_only() -> None:
    async def scenario() -> None:
        store = OlderStore()
        friends = await begun(store)
        stored = await store.read(friends.table)
        played = [e.n for e in stored if isinstance(decode(e.n, e.body).event, events.Played)]
        store.changed = played[1]
        service = friends.service = make_service(store)
        table = await service.table(friends.table)
        assert table.stage == "closed"
        assert table.secret is None
        assert [seat.name for seat in table.seats] == ["P0", "P1"]
        position = await friends.view(0)
        assert position.to_move is None
        assert not position.scene.choices
        log = await service.log(friends.who[0])
        keys = [entry.happenings[0].key for entry in log if entry.kind == "played"]
        assert keys[1:] == ["table.older_move"] * 2
        assert keys[0] != "table.older_move"
        for command in (commands.Play("r", table_n(stored), PASS), commands.Say("r", "hello")):
            assert (await refusal(friends.ask(0, command))).code == "older_rules"
        assert (await refusal(service.record(friends.table))).code == "older_rules"
        assert service.statistics()["bots_thinking"] == 0
        assert await friends.service.position(friends.who[0], n=played[0]) is not None

    asyncio.run(scenario())


def table_n(stored: list[Event]) -> int:
    return stored[-1].n


def test_the_result_of_a_table_of_older_rules_is_kept() -> None:
    async def scenario() -> None:
        store = OlderStore()
        service = make_service(store)
        friends = await Friends.gather(service)
        await friends.play(0, THINK)
        changed = (await friends.view(0)).n
        await friends.finish()
        result = (await friends.view(0)).result
        store.changed, store.older = changed, True
        friends.service = make_service(store)
        assert (await friends.service.table(friends.table)).stage == "over"
        assert (await friends.view(0)).result == result

    asyncio.run(scenario())


def test_salvaging_keeps_the_log_of_a_table_of_older_rules() -> None:
    async def stored() -> list[Event]:
        store = OlderStore()
        friends = await begun(store)
        found = await store.read(friends.table)
        store.changed = found[-1].n
        return await store.read(friends.table)

    log = asyncio.run(stored())
    assert _sound(log) == len(log)
    table = fold_all(decode(event.n, event.body) for event in log)
    assert table.older_rules
    assert table.halted_at == log[-1].n


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_table_of_older_rules_refuses_with_a_sentence(language: str) -> None:
    async def scenario() -> str:
        store = OlderStore()
        friends = await begun(store)
        store.changed = (await store.read(friends.table))[-1].n
        friends.service = make_service(store)
        who = await friends.service.identify(friends.table, friends.tokens[0], language)
        say = friends.service.command(who, commands.Say("r99", "hello"))
        return (await refusal(say)).message

    assert {"en": "older rules", "fr": "anciennes règles"}[language] in asyncio.run(scenario())
