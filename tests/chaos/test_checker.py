"""The checker accepts good histories and rejects bad ones, each made by hand from a good one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from msgspec import structs

from archipel.chaos.checker import violations
from archipel.chaos.history import Answer, Call, Gap, History, Read, Sight, View
from archipel.store.protocol import Event
from archipel.tables import commands
from archipel.tables.log import events
from tests.support.memory_store import MemoryStore
from tests.tables.people import Friends, make_service
from tests.tables.secret_cards import PASS, THINK, THROW, secret_cards_registered


@dataclass
class Case:
    table: str
    log: list[Event]
    history: History

    def kinds(self) -> set[str]:
        return {each.kind for each in violations(self.table, self.log, self.history)}

    def call(self, request: str) -> Call:
        return next(call for call in self.history.calls if call.id == request)

    def entry(self, request: str) -> tuple[int, events.Entry]:
        for index, event in enumerate(self.log):
            entry = events.decode(event.n, event.body)
            if (entry.request or "").rpartition(":")[2] == request:
                return index, entry
        raise AssertionError(request)

    def rewrite(self, index: int, entry: events.Entry) -> None:
        event = self.log[index]
        self.log[index] = Event(event.n, event.at, events.encode(entry))


async def _play() -> Case:
    """Two people: think, take back, think, pass; throw. One second between the requests."""
    store, history = MemoryStore(), History()
    service = make_service(store)
    friends = await Friends.gather(service, 2)
    table, at = friends.table, 10.0
    moves = [(0, THINK), (0, None), (0, THINK), (0, PASS), (1, THROW)]
    for number, (person, action) in enumerate(moves):
        who = await service.identify(table, friends.tokens[person])
        n = await store.last(table)
        request = f"m{number}"
        command: commands.Command
        if action is None:
            command = commands.TakeBack(request, n)
        else:
            command = commands.Play(request, n, action)
        message = msgspec.to_builtins(command)
        call = Call(f"p{person}", table, request, message, at)
        accepted = await service.command(who, command)
        call.answers.append(Answer(at + 0.5, "done", accepted.n))
        history.calls.append(call)
        at += 1
    log = await store.read(table)
    for event in log:
        request = (events.decode(event.n, event.body).request or "").rpartition(":")[2]
        if request and request not in {call.id for call in history.calls}:
            history.calls.append(Call("p0", table, request, {"type": "begin"}, 1.0))
    for person in range(2):
        who = await service.identify(table, friends.tokens[person])
        welcome = (await service.subscribe(who)).welcome
        position = msgspec.json.decode(msgspec.json.encode(welcome.position))
        lines = tuple(line.n for line in welcome.log)
        history.reads.append(Read(f"p{person}", table, at, at + 0.1, welcome.n))
        for line in welcome.log:
            seen = Sight(f"p{person}", table, 1, at + 0.1, line.n, line.at, line.kind, line.seat)
            history.sights.append(seen)
        history.views.append(View(f"p{person}", table, person, welcome.n, position, lines))
    await service.stop()
    return Case(table, log, history)


@pytest.fixture(scope="module", autouse=True)
def game() -> Iterator[None]:
    with secret_cards_registered():
        yield


@pytest.fixture(scope="module")
def good(game: None) -> Case:
    return asyncio.run(_play())


def test_a_good_history_is_accepted(good: Case) -> None:
    assert not good.kinds()
    assert len(good.history.calls) > 5
    assert len(good.history.sights) > 10


def test_unknown_answers_are_allowed_either_way(good: Case) -> None:
    case = deepcopy(good)
    case.call("m2").answers.clear()  # unknown, and kept
    never = {"type": "play", "n": 3, "action": 0}
    case.history.calls.append(Call("p1", case.table, "never", never, 12.0))  # unknown, and lost
    assert not case.kinds()


def test_a_repeated_answer_is_allowed(good: Case) -> None:
    case = deepcopy(good)
    first = case.call("m0").answers[0]
    case.call("m0").answers.append(structs.replace(first, at=first.at + 30))
    assert not case.kinds()


def lost(case: Case) -> None:
    answer = Answer(20.0, "done", len(case.log))
    message = {"type": "say", "phrase": "hello"}
    case.history.calls.append(Call("p0", case.table, "x", message, 19.0, [answer]))


def moved(case: Case) -> None:
    case.call("m0").answers = [Answer(10.5, "done", 99)]


def two_answers(case: Case) -> None:
    case.call("m0").answers.append(Answer(11.5, "done", 99))


def kept(case: Case) -> None:
    case.call("m0").answers = [Answer(10.5, "refused")]


def invented(case: Case) -> None:
    case.history.calls.remove(case.call("m3"))


def gap(case: Case) -> None:
    del case.log[-2]


def repeated_number(case: Case) -> None:
    case.log.insert(-1, case.log[-2])


def doubled(case: Case) -> None:
    """The request of the first thought is also that of the second."""
    _, first = case.entry("m0")
    index, second = case.entry("m2")
    case.rewrite(index, structs.replace(second, request=first.request))


def altered(case: Case) -> None:
    case.call("m3").message["action"] = THROW


def not_a_move(case: Case) -> None:
    case.call("m1").message |= {"type": "play", "action": PASS}


def stale(case: Case) -> None:
    case.call("m3").message["n"] = 1


def out_of_order(case: Case) -> None:
    case.call("m1").sent = 30.0


def before_it_was_sent(case: Case) -> None:
    """Somebody saw the last move before it was made."""
    index, _ = case.entry("m4")
    for number, sight in enumerate(case.history.sights):
        if sight.n == index + 1:
            case.history.sights[number] = structs.replace(sight, at=13.9)


def phantom(case: Case) -> None:
    sight = case.history.sights[-1]
    case.history.sights.append(structs.replace(sight, n=len(case.log) + 1))


def another_event(case: Case) -> None:
    case.history.sights[-1] = structs.replace(case.history.sights[-1], time=1.0)


def seen_twice(case: Case) -> None:
    case.history.sights.append(case.history.sights[-1])


def missed(case: Case) -> None:
    case.history.gaps.append(Gap("p0", case.table, 7, 5))


def shown_the_past(case: Case) -> None:
    case.history.reads.append(Read("p1", case.table, 20.0, 20.1, 2))


def another_view(case: Case) -> None:
    position: dict[str, Any] = dict(case.history.views[0].position or {})
    position["question"] = {"key": "other"}
    case.history.views[0] = structs.replace(case.history.views[0], position=position)


def behind(case: Case) -> None:
    view = case.history.views[1]
    case.history.views[1] = structs.replace(view, n=view.n - 1)


def line_missing(case: Case) -> None:
    view = case.history.views[1]
    case.history.views[1] = structs.replace(view, lines=view.lines[:2] + view.lines[3:])


def time_runs_back(case: Case) -> None:
    index, entry = case.entry("m3")
    case.rewrite(index, structs.replace(entry, at=entry.at - 60_000))


def bot_for_a_person(case: Case) -> None:
    index, entry = case.entry("m3")
    event = structs.replace(entry.event, by="bot")
    case.rewrite(index, structs.replace(entry, event=event, request=None))


def out_of_turn(case: Case) -> None:
    index, entry = case.entry("m3")
    case.rewrite(index, structs.replace(entry, event=structs.replace(entry.event, seat=1)))


def illegal(case: Case) -> None:
    index, entry = case.entry("m3")
    case.rewrite(index, structs.replace(entry, event=structs.replace(entry.event, action=4)))


def undone_chance(case: Case) -> None:
    at = events.decode(case.log[-1].n, case.log[-1].body).at
    body = events.encode(events.Entry(at, events.TakenBack(1, 1)))
    case.log.append(Event(len(case.log) + 1, at, body))


BAD: dict[str, Callable[[Case], None]] = {
    "lost": lost,
    "moved": moved,
    "answers": two_answers,
    "kept": kept,
    "invented": invented,
    "gap": gap,
    "gap ": repeated_number,
    "doubled": doubled,
    "altered": altered,
    "altered ": not_a_move,
    "stale": stale,
    "order": out_of_order,
    "order ": before_it_was_sent,
    "phantom": phantom,
    "phantom ": another_event,
    "repeated": seen_twice,
    "missed": missed,
    "past": shown_the_past,
    "view": another_view,
    "behind": behind,
    "lines": line_missing,
    "time": time_runs_back,
    "bot": bot_for_a_person,
    "turn": out_of_turn,
    "illegal": illegal,
    "undo": undone_chance,
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_history_is_rejected(kind: str, good: Case) -> None:
    case = deepcopy(good)
    BAD[kind](case)
    assert kind.strip() in case.kinds()
