"""Applying all differences gives the whole state, in every game and for every observer."""

import asyncio
import random
from typing import Any

import msgspec
import pytest

from archipel.chaos.following import Following, after_change
from archipel.rules.scene import Piece
from archipel.tables import Participant, Subscription, commands
from archipel.tables.commands import Join, NewTable, SeatWish
from archipel.tables.publishing import payloads
from archipel.tables.publishing.publisher import list_change
from tests.tables.people import Friends, make_service
from tests.tables.secret_cards import PASS

GAMES = ("deep-sea", "atlantis", "the-island", "mauna-kea")
MOVES = 70

#: Fields that never change, so no update contains them.
TOLD_ONCE = {"id", "game", "hot_seat", "public", "created_at"} | {
    "from_position",
    "what_if",
    "origin",
    "on_device",
}


def as_json(message: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(message))


class Reader:
    """A subscriber that applies all differences from the beginning."""

    def __init__(self, who: Participant, subscription: Subscription) -> None:
        self.who = who
        self.subscription = subscription
        self.following = Following()
        self.following.hear(as_json(subscription.welcome))
        self.frames: list[bytes] = []

    def read(self) -> None:
        while self.subscription._waiting:
            frame = msgspec.json.encode(self.subscription._waiting.popleft().message)
            self.frames.append(frame)
            self.following.hear(msgspec.json.decode(frame))


@pytest.mark.parametrize("game", GAMES)
def test_applied_differences_equal_the_whole_position(game: str) -> None:
    async def scenario() -> None:
        service, chooser = make_service(seed=game), random.Random(game)
        made = await service.create(NewTable(game, [SeatWish()] * 3, "Ana"))
        joined = [await service.join(made.table, Join(name)) for name in ("Bo", "Cy")]
        tokens: list[str | None] = [made.token, *(each.token for each in joined), None]
        people = [await service.identify(made.table, token) for token in tokens]
        readers = [Reader(who, await service.subscribe(who)) for who in people]
        await service.command(people[0], commands.Begin("begin"))
        for number in range(MOVES):
            for reader in readers:
                reader.read()
                whole = await service.position(reader.who)
                assert whole is not None
                expected = as_json(msgspec.structs.replace(whole, text=msgspec.UNSET))
                assert reader.following.position == expected
                assert reader.following.table == as_json(await service.table(made.table))
            mover = (await service.table(made.table)).to_move
            if mover is None:
                break
            view = await service.position(people[mover])
            assert view is not None
            action = chooser.choice(view.scene.choices).action
            await service.command(people[mover], commands.Play(f"m{number}", view.n, action))
        check_sizes(readers)

    asyncio.run(scenario())


def check_sizes(readers: list[Reader]) -> None:
    """Check that unchanged values are not sent again."""
    sizes = sorted(len(frame) for reader in readers for frame in reader.frames)
    assert sizes[len(sizes) // 2] < 2_000


def test_subscribers_with_equal_views_share_one_message() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        watcher = await service.identify(friends.table, None)
        watching = [await service.subscribe(watcher) for _ in range(3)]
        seated = await service.subscribe(friends.who[1])
        await friends.play(0, PASS)
        # Before the first update each subscriber has a welcome of its own.
        await friends.play(1, PASS)
        first, second, third = (each._waiting[-1] for each in watching)
        assert first is second is third
        assert first is not seated._waiting[-1]

    asyncio.run(scenario())


def test_a_whole_position_names_its_seat() -> None:
    """Even if two seats see the same and neither is to move."""

    async def scenario() -> None:
        service = make_service()
        names = ["Ana", "Bo", "Cy", "Di"]
        new = NewTable("secret-cards", [SeatWish()] * 4, "Ana", hot_seat=True, names=names)
        made = await service.create(new)
        who = await service.identify(made.table, made.token)
        devices = {seat: await service.subscribe(who) for seat in (2, 3)}
        await service.command(who, commands.Begin("begin"))
        for seat, device in devices.items():
            device.look_through(seat)
        n = (await service.subscribe(who)).welcome.n
        await service.command(who, commands.Play("m", n, PASS, seat=0))
        for seat, device in devices.items():
            update = device._waiting[-1].message
            assert isinstance(update, payloads.Update)
            assert isinstance(update.position, payloads.Position)
            assert update.position.seat == seat

    asyncio.run(scenario())


def test_a_phrase_sends_no_position() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        await friends.ask(0, commands.Say("r", "hello"))
        update = subscription._waiting[-1].message
        assert isinstance(update, payloads.Update)
        assert as_json(update).keys() == {"type", "n", "base", "log", "log_from"}

    asyncio.run(scenario())


def pieces(ids: str) -> list[Piece]:
    """Pieces by letter; a capital letter is the same piece in another cell."""
    return [Piece(each.lower(), "piece", "there" if each.isupper() else "here") for each in ids]


@pytest.mark.parametrize(
    ("before", "after", "most"),
    [
        ("", "", 0),
        ("abcd", "abcd", 0),
        ("abcd", "aBcd", 1),
        ("abcd", "acdB", 1),
        ("abcd", "bcd", 0),
        ("abcd", "xabcdy", 2),
        ("abcd", "dcba", 4),
        ("abcd", "DxA", 3),
        ("", "ab", 2),
    ],
)
def test_list_changes_restore_the_list(before: str, after: str, most: int) -> None:
    """The change restores the order and omits unchanged items."""
    gone, put = list_change(pieces(before), pieces(after))
    assert len(put) == most
    scene = {"cells": [], "pieces": as_json(pieces(before)), "gauges": {}, "choices": []}
    change = {"scene": {"pieces": {"gone": gone, "put": as_json(put)}}}
    assert after_change({"scene": scene}, 1, change)["scene"]["pieces"] == as_json(pieces(after))


def test_changes_of_lists_that_share_items() -> None:
    """As in scenes: equal items are one object; a few are added, removed or replaced."""
    chooser = random.Random(1)
    pool = {letter: pieces(letter)[0] for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM"}
    before = [pool[letter] for letter in "abcdefghijklm"]
    for _ in range(300):
        after = before.copy()
        for _ in range(chooser.choice((1, 1, 2, 3, 6))):
            at = chooser.randrange(len(after))
            other = pool[chooser.choice("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM")]
            after = [piece for piece in after if piece.id != other.id]
            after[at : at + chooser.randrange(2)] = [other] * chooser.randrange(2)
            after = after or [pool["a"]]
        gone, put = list_change(before, after)
        assert len(put) <= len(after)
        scene = {"cells": [], "pieces": as_json(before), "gauges": {}, "choices": []}
        change = {"scene": {"pieces": {"gone": gone, "put": as_json(put)}}}
        expected = after_change({"scene": scene}, 1, change)["scene"]["pieces"]
        assert expected == as_json(after)
        before = after


def test_a_moved_item_sends_only_itself() -> None:
    """A disc moves further on in the list; the items between are not sent."""
    line, taken, disc = pieces("abcdefgh"), pieces("C")[0], pieces("x")[0]
    after = [*line[:2], disc, *line[3:6], taken, *line[6:]]
    assert list_change(line, after) == ([], [(2, disc), (6, taken)])


def test_every_variable_field_of_a_table_has_a_change() -> None:
    told_once = set(payloads.Table.__struct_fields__) - set(payloads.TableChange.__struct_fields__)
    assert told_once == TOLD_ONCE
