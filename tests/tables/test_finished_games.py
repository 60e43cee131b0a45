"""The positions of a finished game are available for analysis, and not before its end."""

import asyncio
import base64
import zlib

from archipel.record import parse_record
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import State
from archipel.rules.kit.core.machine_record import from_bytes
from archipel.tables import commands
from archipel.tables.publishing import payloads
from tests.tables.people import Friends, make_service, refusal


async def played() -> tuple[payloads.Course, str, list[payloads.Label], list[str]]:
    service = make_service()
    friends = await Friends.gather(service, 2, 1, game="deep-sea")
    early = [
        (await refusal(service.course(friends.table))).code,
        (await refusal(service.line(friends.table, 5, [0]))).code,
    ]
    await friends.finish()
    course = await service.course(friends.table)
    assert await service.course(friends.table) is course, "made once"
    move = next(move for move in course.moves if move.options > 1)
    line = await service.line(friends.table, move.n, [move.action, 9999])
    late = [(await refusal(service.line(friends.table, 10_000, [0]))).code]
    return course, await service.record(friends.table), line, early + late


def test_every_position_is_a_machine_record() -> None:
    course, text, line, refused = asyncio.run(played())
    assert refused == ["not_over", "not_over", "no_such_event"]
    game = parse_record(text).game
    data = zlib.decompress(base64.b64decode(course.data))
    records = [
        from_bytes(State, data[at : at + course.size]) for at in range(0, len(data), course.size)
    ]
    count = len(game.moves) + 1
    assert len(records) == 2 * count
    known, views = records[:count], records[count:]
    assert known[-1] == game.state, "everything is known at the end"
    for move, sent in zip(reversed(game.moves), reversed(course.moves), strict=True):
        game.undo()
        spectator = DEEP_SEA.seen(game.state, -1)
        position = known[len(game.moves)]
        assert DEEP_SEA.seen(position, -1) == spectator
        hidden = [value == -1 for value in position.value]
        mine = [DEEP_SEA.recalled(game.state, seat).value for seat in range(game.seats)]
        assert hidden == [all(v == -1 for v in values) for values in zip(*mine, strict=True)]
        assert views[len(game.moves)] == DEEP_SEA.recalled(game.state, move.seat)
        assert (sent.seat, sent.action, sent.options) == (move.seat, move.action, len(game.legal))
        assert sent.outcome or not move.outcomes
        assert sent.ends_step or not sent.outcome
    assert course.result is not None
    assert sum(course.result) == 1
    assert [label.action for label in line] == [
        next(move.action for move in course.moves if move.options > 1)
    ]
    assert line[0].key in DEEP_SEA.catalogue("en").sentences


def test_a_table_closed_early_has_a_course_without_a_result() -> None:
    async def closed() -> payloads.Course:
        service = make_service()
        friends = await Friends.gather(service, 1, 1, game="deep-sea")
        position = await service.position(friends.who[0])
        while position is None or not position.scene.choices:
            await asyncio.sleep(0)
            position = await service.position(friends.who[0])
        choice = position.scene.choices[0]
        await friends.ask(0, commands.Play("r", position.n, choice.action))
        await friends.ask(0, commands.CloseTable("r"))
        return await service.course(friends.table)

    course = asyncio.run(closed())
    assert course.result is None
    assert course.moves
