"""Every stored log can be read, or is refused with a reason."""

import json

import msgspec
import pytest

from archipel.tables.commands import Begin, Clock
from archipel.tables.log import events
from archipel.tables.log.events import Entry, UnreadableLog, decode, encode
from archipel.tables.log.fold import fold_all
from tests.tables.people import Bare
from tests.tables.secret_cards import PASS, THROW

EVERY_TYPE: list[events.Event] = [
    events.Created(1, "t", "g", 1, 2, {"a": None}, Clock("live", 5, 1), False, True, [1], "c", "f"),
    events.OptionsSet({"a": True}),
    events.SetUpChanged(3, {"a": True}, Clock("days", 60)),
    events.PersonSeated(0, "Ana", "sky", "n"),
    events.PersonSeated(0, "Ana", "sky", "", "a" * 64),
    events.SeatFreed(1, None),
    events.BotSeated(1, "greedy", "Alba"),
    events.NonceAdded(0, "x"),
    events.NonceSealed(0, "b" * 64),
    events.DrawBegun("c" * 64, ["b" * 64, ""]),
    events.NonceOpened(0, "x"),
    events.DrawVoided([0]),
    events.Begun(["", "x"], [1, 2, 3]),
    events.Played(0, 4, [5, 6], 7, "person"),
    events.Played(1, 4, [], 9, "bot", "greedy-1"),
    events.TakenBack(0, 1),
    events.TakeBackAsked(0, 2),
    events.TakeBackAnswered(1, True),
    events.CloseAsked(None),
    events.SeatAsked(1, "Zoe"),
    events.HintsAsked(1),
    events.HintsAllowed(),
    events.ProposalAnswered(0, True),
    events.Said(0, "hello"),
    events.Wrote(0, "Well…"),
    events.ChatSet(False),
    events.Resigned(0, "greedy"),
    events.HandedOver(0, "greedy", None),
    events.BotReplaced(1, "mine", "greedy"),
    events.Returned(0),
    events.ClockFlagged(0),
    events.ClocksRestarted(),
    events.Nudged(0, 1),
    events.Planned(0, {"throw": "action.dive"}),
    events.VacationTaken(1, 86_400_000),
    events.SecretsReplaced([0, 2], True),
    events.Ended([0, 1], [5, 3], "end", "ab"),
    events.Closed(None),
    events.MovedAway("https://play.example.org"),
    events.Rematched("other"),
    events.PlayedOn("other", 12, 1),
    events.PlayedOn("other", 12, None),
    events.LessonBegun("first-dive", "0123456789ab"),
    events.StepBegun(0, "seats=2"),
    events.StepBegun(1, None),
    events.LessonEnded(),
    events.DuplicateOf("first-table", ["ab", ""], ["nonce", ""]),
    events.DuplicateAdded("other-table"),
    events.DuplicateFinished("other-table", ["Ana", "Ben"], [0], [0, 1], [5, 3]),
    events.SecretOpened("ab"),
]


@pytest.mark.parametrize("event", EVERY_TYPE, ids=lambda event: type(event).__name__)
def test_every_event_decodes_to_itself(event: events.Event) -> None:
    entry = Entry(123, event, "r")
    assert decode(7, encode(entry)) == entry


def test_every_event_type_is_covered() -> None:
    assert {type(event) for event in EVERY_TYPE} == events.EVENTS


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"type": "teleported"}, "event 3 is of a type this Archipel does not know: 'teleported'"),
        ({"mood": "good"}, r"event 3 \(said\) is damaged: .*mood"),
        ({"phrase": "rude"}, r"event 3 \(said\) is damaged: .*rude"),
    ],
)
def test_unknown_types_and_fields_are_refused(change: dict[str, str], words: str) -> None:
    body = json.loads(encode(Entry(1, events.Said(0, "hello"))))
    body["event"].update(change)
    with pytest.raises(UnreadableLog, match=words):
        decode(3, json.dumps(body).encode())


def test_a_newer_format_is_refused_before_its_fields_are_read() -> None:
    body = json.loads(encode(Entry(1, EVERY_TYPE[0])))
    body["event"].update(format=5, planet="Mars")
    with pytest.raises(UnreadableLog, match=r"format 5, this Archipel knows format 4: upgrade"):
        decode(1, json.dumps(body).encode())


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff", b'{"at":1,"event":7}'])
def test_garbage_is_refused(body: bytes) -> None:
    with pytest.raises(UnreadableLog, match="event 1 is not an event"):
        decode(1, body)


def played_log() -> list[events.Event]:
    bare = Bare(2)
    bare.do(0, Begin("r"))
    bare.play(0, THROW)
    bare.play(1, PASS)
    return bare.log


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"action": 4}, "action 4 of seat 0 is not legal"),
        ({"seat": 1}, "seat 1 is not legal"),
        ({"outcomes": [6]}, "does not fit the rules: outcome 6"),
        ({"outcomes": []}, "does not fit the rules"),
        ({"outcomes": [1, 1]}, "does not fit the rules"),
        ({"first_draw": 0}, "begins with draw 0 of chance; the next one is 2"),
        ({"first_draw": 3}, "begins with draw 3 of chance; the next one is 2"),
    ],
)
def test_a_log_that_breaks_the_rules_is_refused(changed: dict[str, object], words: str) -> None:
    log = played_log()
    index = next(i for i, event in enumerate(log) if isinstance(event, events.Played))
    log[index] = msgspec.structs.replace(log[index], **changed)
    with pytest.raises(UnreadableLog, match=words):
        fold_all(Entry(1, event) for event in log)


def test_a_log_of_newer_rules_is_refused() -> None:
    log = played_log()
    log[0] = msgspec.structs.replace(log[0], rules_version=9)
    with pytest.raises(UnreadableLog, match="rules version 9; this Archipel has version 1"):
        fold_all(Entry(1, event) for event in log)


def test_a_log_of_another_board_is_refused() -> None:
    log = played_log()
    log[0] = msgspec.structs.replace(log[0], board="0badf00d")
    with pytest.raises(UnreadableLog, match="on board 0badf00d; this Archipel was started with"):
        fold_all(Entry(1, event) for event in log)


def test_a_log_begins_with_created() -> None:
    with pytest.raises(UnreadableLog, match="begins with 'created'"):
        fold_all([Entry(1, events.ClocksRestarted())])
    with pytest.raises(UnreadableLog, match="empty"):
        fold_all([])
