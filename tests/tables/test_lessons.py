"""Tables that play a lesson or a puzzle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import msgspec
import pytest
from msgspec import structs

from archipel.lessons import lesson_named
from archipel.tables import Participant, TableRefused, TableService, commands
from archipel.tables.decisions import lessons
from tests.support.memory_store import MemoryStore
from tests.tables.people import make_service, refusal, running, settle

WISH = commands.NewTable("deep-sea", [commands.SeatWish()], "Zoé", lesson="first-dive")


class Learner:
    """A learner at the table of a lesson, through the service."""

    def __init__(self, service: TableService, table: str, who: Participant) -> None:
        self.service = service
        self.table = table
        self.who = who
        self.asked = 0

    async def does(self, command: commands.Command) -> None:
        self.asked += 1
        await self.service.command(self.who, structs.replace(command, id=f"r{self.asked}"))

    async def is_refused(self, command: commands.Command) -> str:
        self.asked += 1
        named = structs.replace(command, id=f"r{self.asked}")
        return (await refusal(self.service.command(self.who, named))).code

    async def position_n(self) -> int:
        position = await self.service.position(self.who)
        assert position is not None
        return position.n

    async def reads(self) -> None:
        await self.does(commands.GoOn("r", await self.position_n()))

    async def plays(self, text: str) -> None:
        position = await self.service.position(self.who)
        assert position is not None
        action = next(each.action for each in position.scene.choices if each.text == text)
        await self.does(commands.Play("r", position.n, action))

    async def progress(self) -> tuple[int, bool]:
        lesson = (await self.service.table(self.table)).lesson
        assert lesson is not None
        assert lesson.name == "first-dive"
        return lesson.step, lesson.waits


def learning_with(scenario: Callable[[Learner], Awaitable[None]], store: MemoryStore) -> None:
    async def run() -> None:
        async with running(make_service(store)) as service:
            made = await service.create(WISH)
            who = await service.identify(made.table, made.token, "fr")
            await scenario(Learner(service, made.table, who))

    asyncio.run(run())


def test_one_request_creates_a_lesson_with_all_seats() -> None:
    async def scenario(zoe: Learner) -> None:
        table = await zoe.service.table(zoe.table)
        assert [(seat.kind, seat.name) for seat in table.seats] == [
            ("person", "Zoé"),
            ("bot", "Alba"),
        ]
        assert (table.stage, table.to_move, table.commitment) == ("playing", 0, "")
        assert await zoe.progress() == (0, False)
        lines = await zoe.service.tables()
        assert zoe.table not in {line.id for line in lines}

    learning_with(scenario, MemoryStore())


def test_a_puzzle_gives_no_hints() -> None:
    async def scenario(lesson: str) -> tuple[bool, bool, list[str]]:
        async with running(make_service()) as service:
            made = await service.create(msgspec.structs.replace(WISH, lesson=lesson))
            who = await service.identify(made.table, made.token, "fr")
            table, position = await service.table(made.table), await service.position(who)
            assert position is not None
            codes = []
            for hint in (True, False):
                try:
                    await service.seen(who, position.n, hint=hint)
                except TableRefused as refused:
                    codes.append(refused.problem.code)
            return table.hints, table.hints_possible, codes

    assert asyncio.run(scenario("puzzle-1")) == (False, False, ["no_hints", "no_hints"])
    assert asyncio.run(scenario("first-dive")) == (True, True, [])


def test_steps_to_read_offer_no_choices() -> None:
    async def scenario(zoe: Learner) -> None:
        first = await zoe.service.position(zoe.who)
        assert first is not None
        assert not first.scene.choices
        assert await zoe.is_refused(commands.Play("r", first.n, 0)) == "not_now_in_lesson"
        await zoe.reads()
        assert await zoe.progress() == (1, True)
        assert await zoe.is_refused(commands.GoOn("r", first.n)) == "stale"
        assert (
            await zoe.is_refused(commands.GoOn("r", await zoe.position_n())) == "not_now_in_lesson"
        )
        await zoe.plays("dive")
        assert await zoe.progress() == (2, True)

    learning_with(scenario, MemoryStore())


def test_a_refusal_explains_in_the_language_of_the_learner() -> None:
    async def scenario(zoe: Learner) -> None:
        await zoe.reads()
        await zoe.plays("dive")
        position = await zoe.service.position(zoe.who)
        assert position is not None
        leave = next(each.action for each in position.scene.choices if each.text == "nothing")
        asked = zoe.service.command(zoe.who, commands.Play("no", position.n, leave))
        problem = await refusal(asked)
        assert (problem.code, problem.rule) == ("not_in_lesson", None)
        assert problem.message.startswith("Vous pourriez le laisser")
        assert await zoe.progress() == (2, True)

    learning_with(scenario, MemoryStore())


def test_the_script_plays_the_other_seats() -> None:
    async def scenario(zoe: Learner) -> None:
        await zoe.reads()
        await zoe.plays("dive")
        await zoe.plays("take")
        await settle(zoe.service)
        assert zoe.service.statistics()["bots_thinking"] == 0
        played = [each for each in await zoe.service.log(zoe.who) if each.kind == "played"]
        assert [each.seat for each in played] == [0, 0, 1, 1]
        dice = [happening.details.get("faces") for each in played for happening in each.happenings]
        assert [each for each in dice if each] == ["3 + 3", "1 + 1"]

    learning_with(scenario, MemoryStore())


def test_a_free_move_is_taken_back_with_its_progress() -> None:
    async def scenario(zoe: Learner) -> None:
        await zoe.reads()
        await zoe.plays("dive")
        position = await zoe.service.position(zoe.who)
        assert position is not None
        assert not position.may_take_back  # dice were thrown
        await zoe.plays("take")  # the other seat has thrown dice since
        assert (
            await zoe.is_refused(commands.TakeBack("r", await zoe.position_n()))
            == "cannot_take_back"
        )

    learning_with(scenario, MemoryStore())


def test_taking_back_returns_to_the_earlier_step() -> None:
    async def scenario() -> None:
        async with running(make_service()) as service:
            new = commands.NewTable("the-island", [commands.SeatWish()], "Zoé", lesson="the-turn")
            made = await service.create(new)
            zoe = Learner(service, made.table, await service.identify(made.table, made.token))
            await zoe.reads()
            for action in ("explorer w1", "board 1", "boat 1"):
                await zoe.plays(action)
            table = await service.table(made.table)
            assert table.lesson is not None
            assert (table.lesson.step, table.lesson.waits) == (2, True)
            for step in (2, 1, 1):
                await zoe.does(commands.TakeBack("r", await zoe.position_n()))
                back = (await service.table(made.table)).lesson
                assert back is not None
                assert (back.step, back.waits) == (step, True)
            assert await zoe.is_refused(commands.TakeBack("r", await zoe.position_n())) == (
                "cannot_take_back"
            )
            await zoe.plays("explorer w1")

    asyncio.run(scenario())


def test_other_commands_are_refused_in_a_lesson() -> None:
    async def scenario(zoe: Learner) -> None:
        for command in (
            commands.Resign("r"),
            commands.HandOver("r", 0),
            commands.SetSeat("r", 1, "random"),
            commands.Begin("r"),
            commands.Say("r", "hello"),
            commands.SetOptions("r", {}),
        ):
            assert await zoe.is_refused(command) == "in_lesson"
        join = zoe.service.join(zoe.table, commands.Join("Ben"))
        assert (await refusal(join)).code == "seat_taken"
        assert (await refusal(zoe.service.record(zoe.table))).code == "not_over"
        spectator = await zoe.service.identify(zoe.table, None)
        asked = zoe.service.command(spectator, commands.GoOn("x", await zoe.position_n()))
        assert (await refusal(asked)).code == "not_seated"
        await zoe.does(commands.CloseTable("r"))
        assert (await zoe.service.table(zoe.table)).stage == "closed"

    learning_with(scenario, MemoryStore())


def test_it_survives_a_restart() -> None:
    store = MemoryStore()

    async def begin() -> tuple[str, str]:
        async with running(make_service(store)) as service:
            made = await service.create(WISH)
            zoe = Learner(service, made.table, await service.identify(made.table, made.token))
            await zoe.reads()
            await zoe.plays("dive")
            return made.table, made.token

    async def go_on(table: str, token: str) -> None:
        async with running(make_service(store, seed="later")) as service:
            zoe = Learner(service, table, await service.identify(table, token))
            zoe.asked = 100
            assert await zoe.progress() == (2, True)
            await zoe.plays("take")
            assert await zoe.progress() == (3, False)

    asyncio.run(go_on(*asyncio.run(begin())))


def test_a_rewritten_lesson_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(zoe: Learner) -> None:
        await zoe.reads()
        monkeypatch.setattr(lessons, "lesson_named", lambda game, name: None)
        table = await zoe.service.table(zoe.table)
        assert table.lesson is not None
        assert not table.lesson.current
        position = await zoe.service.position(zoe.who)
        assert position is not None
        assert not position.scene.choices
        assert await zoe.is_refused(commands.Play("r", position.n, 0)) == "lesson_changed"
        assert await zoe.is_refused(commands.GoOn("r", position.n)) == "lesson_changed"

    learning_with(scenario, MemoryStore())


def test_the_edition_depends_on_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(zoe: Learner) -> None:
        lesson = lesson_named("deep-sea", "first-dive")
        assert lesson is not None
        other = replace(lesson, edition="another")
        monkeypatch.setattr(lessons, "lesson_named", lambda game, name: other)
        assert await zoe.is_refused(commands.GoOn("r", await zoe.position_n())) == "lesson_changed"

    learning_with(scenario, MemoryStore())


def test_no_bot_plays_while_the_learner_reads() -> None:
    """Even if another seat is to move."""

    async def scenario() -> None:
        async with running(make_service()) as service:
            new = commands.NewTable(
                "the-island", [commands.SeatWish()], "Zoé", lesson="tiles-in-hand"
            )
            made = await service.create(new)
            zoe = Learner(service, made.table, await service.identify(made.table, made.token))
            await zoe.plays("remove e4")
            before = await zoe.position_n()
            assert (await service.table(made.table)).to_move == 1
            await settle(service)
            await service.tick()
            await settle(service)
            assert await zoe.position_n() == before

    asyncio.run(scenario())


def test_an_unknown_lesson_is_refused() -> None:
    async def scenario() -> None:
        service = make_service()
        new = commands.NewTable("deep-sea", [commands.SeatWish()], "Zoé", lesson="swimming")
        problem = await refusal(service.create(new))
        assert problem.code == "unknown_lesson"
        assert "swimming" in problem.message
        going_on = commands.NewTable("deep-sea", [commands.SeatWish()] * 2, "Zoé")
        made = await service.create(going_on)
        zoe = Learner(service, made.table, await service.identify(made.table, made.token))
        assert await zoe.is_refused(commands.GoOn("r", 0)) == "not_playing"

    asyncio.run(scenario())


def test_equal_lessons_give_equal_games() -> None:
    """The maker of the table does not influence its outcomes."""
    assert lesson_named("deep-sea", "first-dive") is not None

    async def played(seed: str) -> list[object]:
        async with running(make_service(seed=seed)) as service:
            made = await service.create(WISH)
            zoe = Learner(service, made.table, await service.identify(made.table, made.token))
            await zoe.reads()
            await zoe.plays("dive")
            await zoe.plays("take")
            position = await service.position(zoe.who)
            assert position is not None
            return [position.text, (await service.table(made.table)).commitment]

    assert asyncio.run(played("one")) == asyncio.run(played("another"))
