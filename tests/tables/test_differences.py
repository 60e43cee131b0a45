"""Applying all differences gives the whole state, in every game and for every observer."""

import asyncio
import random
from typing import Any

import msgspec
import pytest

from archipel.rules.scene import Piece
from archipel.tables import Participant, Subscription, commands
from archipel.tables.commands import Join, NewTable, SeatWish
from archipel.tables.publishing import payloads
from archipel.tables.publishing.publisher import list_change
from tests.support.following import Following, after_change
from tests.tables.people import Friends, make_service
from tests.tables.secret_cards import PASS

GAMES = ("deep-sea", "atlantis", "the-island", "mauna-kea")
MOVES = 70

#: What a table is made with: it never changes, so no update speaks of it.
TOLD_ONCE = {"id", "game", "hot_seat", "clock", "created_at", "from_position", "what_if"}


def as_json(message: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(message))


class Reader:
    """Somebody who listens from the beginning."""

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
def test_following_differences_is_knowing_the_whole(game: str) -> None:
    async def course() -> None:
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
                told = as_json(msgspec.structs.replace(whole, text=msgspec.UNSET))
                assert reader.following.position == told
                assert reader.following.table == as_json(await service.table(made.table))
            mover = (await service.table(made.table)).to_move
            if mover is None:
                break
            view = await service.position(people[mover])
            assert view is not None
            action = chooser.choice(view.scene.choices).action
            await service.command(people[mover], commands.Play(f"m{number}", view.n, action))
        check_sizes(readers)

    asyncio.run(course())


def check_sizes(readers: list[Reader]) -> None:
    """What does not change is not sent again."""
    sizes = sorted(len(frame) for reader in readers for frame in reader.frames)
    assert sizes[len(sizes) // 2] < 2_000


def test_each_update_is_made_once_for_all_who_see_and_know_the_same() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        watcher = await service.identify(friends.table, None)
        watching = [await service.subscribe(watcher) for _ in range(3)]
        seated = await service.subscribe(friends.who[1])
        await friends.play(0, PASS)
        # The first time they know equal things that were made for each of them.
        await friends.play(1, PASS)
        first, second, third = (each._waiting[-1] for each in watching)
        assert first is second is third
        assert first is not seated._waiting[-1]

    asyncio.run(course())


def test_a_whole_position_says_whose_eyes_it_is_for() -> None:
    """Also where two see the same, and neither has anything to decide."""

    async def course() -> None:
        service = make_service()
        names = ["Ana", "Bo", "Cy", "Di"]
        wish = NewTable("secret-cards", [SeatWish()] * 4, "Ana", hot_seat=True, names=names)
        made = await service.create(wish)
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

    asyncio.run(course())


def test_a_line_of_chat_tells_nothing_of_the_position() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        await friends.ask(0, commands.Say("r", "hello"))
        update = subscription._waiting[-1].message
        assert isinstance(update, payloads.Update)
        assert as_json(update).keys() == {"type", "n", "base", "log", "log_from"}

    asyncio.run(course())


def pieces(ids: str) -> list[Piece]:
    """A letter is a piece; a capital one the same piece elsewhere."""
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
def test_lists(before: str, after: str, most: int) -> None:
    """In the right order again, and what stays is not sent."""
    gone, put = list_change(pieces(before), pieces(after))
    assert len(put) == most
    scene = {"cells": [], "pieces": as_json(pieces(before)), "gauges": {}, "choices": []}
    change = {"scene": {"pieces": {"gone": gone, "put": as_json(put)}}}
    assert after_change({"scene": scene}, 1, change)["scene"]["pieces"] == as_json(pieces(after))


def test_lists_that_share_what_stays() -> None:
    """As scenes do: what is alike is one object, here and there one comes, goes, or is another."""
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
        told = after_change({"scene": scene}, 1, change)["scene"]["pieces"]
        assert told == as_json(after)
        before = after


def test_what_is_picked_up_tells_of_nothing_else() -> None:
    """A disc lies in its place, and it is in a hand further on: what stands between is not told."""
    line, taken, disc = pieces("abcdefgh"), pieces("C")[0], pieces("x")[0]
    after = [*line[:2], disc, *line[3:6], taken, *line[6:]]
    assert list_change(line, after) == ([], [(2, disc), (6, taken)])


def test_whatever_may_change_at_a_table_can_be_told() -> None:
    told_once = set(payloads.Table.__struct_fields__) - set(payloads.TableChange.__struct_fields__)
    assert told_once == TOLD_ONCE
