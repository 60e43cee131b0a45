"""Tables and records of earlier rules versions, kept as they were written, replay as before.

``older_tables`` has finished tables of rules version 1: the log (``.jsonl``) and the record
(``.txt``). In Atlantis swimmers stepped ashore; in Deep Sea Adventure lost units were laid in the
order they were taken, or a diver was asked about every unit but the last.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from archipel.record import RecordError, parse_record
from archipel.rules.all_games import game_named
from archipel.rules.options import Value
from archipel.tables.log import events
from archipel.tables.log.events import Entry, decode
from archipel.tables.log.fold import fold_all
from archipel.tables.log.records import verify
from archipel.tables.log.table_state import TableState

KEPT = Path(__file__).parent / "older_tables"
#: The options that the kept tables have by the defaults of their version.
DEFAULTS: dict[str, dict[str, Value]] = {
    "atlantis": {"swimmers_land": True, "wiped_out_ends": True},
    "deep-sea-taken": {"drop_order": "taken"},
    "mauna-kea": {"last_refill": False},
}
NAMES = sorted(path.stem for path in KEPT.glob("*.jsonl"))


def log_of(name: str) -> list[Entry]:
    lines = (KEPT / f"{name}.jsonl").read_bytes().splitlines()
    return [decode(number, line) for number, line in enumerate(lines, 1)]


def replayed(log: list[Entry]) -> TableState:
    table = fold_all(log)
    assert (table.halted_at, table.stage) == (None, "over")
    return table


def record_of(name: str) -> str:
    return (KEPT / f"{name}.txt").read_text("utf-8")


def play_of(text: str) -> str:
    return text.partition("\nplay:\n")[2]


def without_option(text: str, name: str) -> str:
    """A record without an option, in its header and in its start position."""
    return re.sub(rf"^ *{name}[:=].*\n", "", text, flags=re.MULTILINE)


def test_tables_of_three_games_are_kept() -> None:
    assert NAMES == ["atlantis", "deep-sea-chosen", "deep-sea-taken", "mauna-kea"]
    assert all(event(name).rules_version == 1 for name in NAMES)


def event(name: str) -> events.Created:
    created = log_of(name)[0].event
    assert isinstance(created, events.Created)
    return created


@pytest.mark.parametrize("name", NAMES)
def test_the_log_of_an_older_table_replays_to_its_record(name: str) -> None:
    table = replayed(log_of(name))
    assert table.result is not None
    scores = " ".join(map(str, table.result.scores))
    assert record_of(name).splitlines()[-1] == f"end: {scores}"


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_log_without_an_option_means_the_default_of_its_version(name: str) -> None:
    log, created = log_of(name), event(name)
    kept = {key: value for key, value in created.options.items() if key not in DEFAULTS[name]}
    changed = msgspec.structs.replace(created, options=kept)
    table = replayed([msgspec.structs.replace(log[0], event=changed), *log[1:]])
    assert {key: table.options[key] for key in DEFAULTS[name]} == DEFAULTS[name]
    # Options that are set in the lobby, too.
    lobby = fold_all([Entry(0, changed), Entry(0, events.OptionsSet(kept))])
    assert {key: lobby.options[key] for key in DEFAULTS[name]} == DEFAULTS[name]


@pytest.mark.parametrize("name", NAMES)
def test_an_older_record_replays_and_its_chance_is_verified(name: str) -> None:
    text = record_of(name)
    assert "\nrules: 1\n" in text
    record = parse_record(text)
    assert verify(record).is_fair
    again = str(record)
    assert play_of(again) == play_of(text)
    assert f"\nrules: {record.game.definition.rules_version}\n" in again
    assert str(parse_record(again)) == again


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_record_without_an_option_means_the_default_of_its_version(name: str) -> None:
    text = record_of(name)
    for option, value in DEFAULTS[name].items():
        text = without_option(text, option)
        record = parse_record(text)
        assert record.game.options[option] == value
        assert play_of(str(record)) == play_of(record_of(name))


@pytest.mark.parametrize(("name", "version"), [("atlantis", 2), ("deep-sea-taken", 2)])
def test_by_the_new_defaults_these_games_do_not_replay(name: str, version: int) -> None:
    """The version decides, so these records would not replay as games of the present rules."""
    text = record_of(name).replace("rules: 1", f"rules: {version}")
    for option in DEFAULTS[name]:
        text = without_option(text, option)
    assert game_named(name.removesuffix("-taken")).rules_version == version
    with pytest.raises(RecordError):
        parse_record(text)


@pytest.mark.parametrize("version", ["0", "3", "-1", "one", "01", ""])
def test_records_of_unknown_versions_are_refused(version: str) -> None:
    text = record_of("deep-sea-taken").replace("rules: 1", f"rules: {version}")
    with pytest.raises(RecordError, match="line 3: played by rules version"):
        parse_record(text)
