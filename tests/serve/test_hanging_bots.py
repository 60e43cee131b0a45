"""Bots that hang, crash, babble or cheat do not delay other bots or the shutdown."""

import asyncio
import os
import re
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

from archipel.bots.external.line_process import python_command
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream
from archipel.tables import Settings, TableService
from archipel.tables.bots.executor import BotFailed, BotQuestion
from archipel.tables.bots.pool import BotPool
from archipel.tables.commands import NewTable, SeatWish
from tests.serve.people import Person, make_table
from tests.serve.test_startup import read_until, start
from tests.support.memory_store import MemoryStore

MISBEHAVING = python_command("tests.serve.misbehaving_worker")
#: Enough for an honest bot on a busy machine, in seconds.
DEADLINE = 1.0
NO_DEADLINE = 100_000.0
BOTS = ("first", "greedy", "hang", "crash", "babble", "mumble", "cheat")


def question_for(bot: str, table: str = "table") -> BotQuestion:
    state = DEEP_SEA.new(DEEP_SEA.make_options(2), Stream(1))
    view = DEEP_SEA.seen(state, DEEP_SEA.to_move(state))
    return BotQuestion(table, "deep-sea", bot, view, DEEP_SEA.legal_actions(state), 7)


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def process_id_in(file: Path) -> int:
    """Wait for a file, and return the process id in it."""
    return await asyncio.to_thread(_wait_for_number, file)


def _wait_for_number(file: Path) -> int:
    while not file.exists() or not file.read_text():
        time.sleep(0.01)
    return int(file.read_text())


@pytest.mark.promise("bots")
async def test_two_hung_bots_do_not_stop_the_others() -> None:
    service = TableService(
        MemoryStore(),
        settings=Settings(bot_delay=0, bot_time=int(DEADLINE * 1000)),
        bot_executor=BotPool(2, worker=MISBEHAVING),
        bots_of=lambda game: BOTS,
    )
    await service.start()
    try:
        made = [
            await service.create(
                NewTable("deep-sea", [SeatWish(bot)] * 2, "Ana", my_seat=None, begin=True)
            )
            for bot in ("hang", "first", "crash", "babble", "mumble", "cheat")
        ]
        hung, honest, *_ = made
        await until_over(service, honest.table)
        for table in made:
            await until_over(service, table.table)
        who = await service.identify(hung.table, hung.token)
        entries = [entry for entry in await service.log(who) if entry.kind == "bot_replaced"]
        replaced = [entry.happenings[0].details for entry in entries]
        for seat in (0, 1):
            assert {"seat": seat, "failed": "hang", "bot": "greedy"} in replaced
        seats = (await service.table(hung.table)).seats
        assert "hang" not in [seat.bot for seat in seats]
        assert service.statistics()["bot_failures"] >= 8
    finally:
        await service.stop()


async def until_over(service: TableService, table: str) -> None:
    subscription = await service.subscribe(await service.identify(table, None))
    while (await service.table(table)).stage != "over":
        await anext(subscription)


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("hang", "no answer within 1 s"),
        ("crash", "it ended with status 3"),
        ("babble", "cannot be read"),
        ("mumble", "cannot be read"),
        ("cheat", "action 999 is not one of"),
    ],
)
@pytest.mark.promise("bots")
async def test_a_bot_that_fails_is_replaced_by_a_fresh_process(bot: str, why: str) -> None:
    pool = BotPool(1, worker=MISBEHAVING)
    try:
        assert (await pool.choose(question_for("first"), NO_DEADLINE)).action == 0
        [before] = pool.process_ids()
        if hasattr(os, "sched_getaffinity"):
            assert len(os.sched_getaffinity(before)) == 1, "more cores than allowed"
        with pytest.raises(BotFailed, match=why):
            await pool.choose(question_for(bot), DEADLINE if bot == "hang" else NO_DEADLINE)
        assert is_alive(before) == (bot == "cheat"), "a worker that answers lives on"
        assert (await pool.choose(question_for("first"), NO_DEADLINE)).action == 0
    finally:
        await pool.stop()
    assert pool.process_ids() == []


async def test_a_pool_stops_although_its_bots_hang(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    pool = BotPool(1, worker=[*MISBEHAVING, str(file)])
    thinking = [
        asyncio.create_task(pool.choose(question_for("hang", table), NO_DEADLINE))
        for table in "abc"
    ]
    process = await process_id_in(file)
    await pool.stop()
    assert not is_alive(process)
    await asyncio.gather(*thinking, return_exceptions=True)


async def test_a_killed_worker_is_no_failure_of_its_bot() -> None:
    pool = BotPool(1)
    try:
        first = await pool.choose(question_for("greedy"), NO_DEADLINE)
        [worker] = pool.process_ids()
        os.kill(worker, signal.SIGKILL)
        assert await pool.choose(question_for("greedy"), NO_DEADLINE) == first
        assert pool.process_ids() != [worker]
    finally:
        await pool.stop()


def test_the_server_stops_although_a_bot_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCHIPEL_SKIP_CLIENT", "1")
    file = tmp_path / "pid"
    program = Path(__file__).with_name("hanging_program.py")
    command = shlex.join([sys.executable, str(program), str(file)])
    process = start(
        *("--local", "--port", "0", "--database", str(tmp_path / "t.db")),
        *("--bot", f"mine={command}", "--bot-time", "600", "--bot-cores", "1"),
    )
    try:
        text = read_until(process, "Ctrl+C")
        address = re.search(r"localhost:\d+", text)
        assert address is not None
        hung = asyncio.run(_let_it_hang(address[0], file))
        assert is_alive(hung)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    for _ in range(1000):
        if not is_alive(hung):
            break
        time.sleep(0.01)
    assert not is_alive(hung)


async def _let_it_hang(address: str, file: Path) -> int:
    begun = {"my_seat": 1, "begin": True, "options": {"first": 1}}
    made = make_table(f"http://{address}", seats=[{"bot": "mine"}, {}], **begun)
    async with Person(f"ws://{address}/api/tables/{made['table']}/socket", made["token"]) as ana:
        hung = await process_id_in(file)
        other = make_table(f"http://{address}", seats=[{"bot": "greedy"}, {}], **begun)
        socket = f"ws://{address}/api/tables/{other['table']}/socket"
        async with Person(socket, other["token"]) as ben:
            await ben.until(lambda ben: bool(ben.choices))  # other bots play on
        assert ana.table["seats"][0]["bot"] == "mine"
        return hung
