"""``archipel chaos``: play at servers while they fail, and check that every promise is kept.

The server's libraries are imported inside the functions, so that other commands start without them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from archipel.cli.argument_values import parse_database
from archipel.cli.errors import CommandFailed, UserError
from archipel.cli.output import print_result, progress_bar
from archipel.cli.record_files import reports_os_errors
from archipel.rules.catalogue import Catalogue
from archipel.study import Progress

if TYPE_CHECKING:
    from archipel.chaos.campaign import Campaign
    from archipel.chaos.checker import Violation

#: Violations that the text output shows.
MOST_SHOWN = 20


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """The exit status is 1 if a promise was broken."""
    from archipel.chaos.campaign import Unrecovered
    from archipel.chaos.servers import FaultFailed
    from archipel.serve.startup import explain
    from archipel.store.errors import StoreError

    started = time.monotonic()
    try:
        with (
            _campaign(arguments, words) as campaign,
            progress_bar(words, "chaos.doing") as on_progress,
        ):
            found = asyncio.run(
                campaign.run(
                    arguments.faults, lambda done: on_progress(Progress(done, arguments.faults))
                )
            )
    except Unrecovered as error:
        raise CommandFailed(words.say("chaos.unrecovered", why=error)) from None
    except FaultFailed as error:
        raise CommandFailed(words.say("chaos.command_failed", why=error)) from None
    except (StoreError, FileNotFoundError) as error:
        raise CommandFailed(explain(error, words)) from None
    if arguments.save is not None:
        with reports_os_errors(Path(arguments.save)):
            Path(arguments.save).write_bytes(_evidence(campaign))
    result = _result(campaign, found, time.monotonic() - started)
    print_result(arguments.json, result, _lines(result, found, words))
    return 1 if found else 0


@contextmanager
def _campaign(arguments: argparse.Namespace, words: Catalogue) -> Iterator[Campaign]:
    """A campaign at the servers that were named, or at servers of its own."""
    from archipel.chaos.campaign import Campaign
    from archipel.chaos.servers import command_fault, log_reader, own_faults, own_servers

    servers = [address.rstrip("/") for address in arguments.server]
    for address in servers:
        if not address.startswith(("http://", "https://")):
            raise UserError("chaos.address", address=address)
    commands = [_split(command) for command in arguments.command]
    if bool(servers) != bool(commands):
        raise UserError("chaos.server_and_command")
    given: dict[str, Any] = {"tables": arguments.tables, "seed": arguments.seed}
    if servers:
        database = parse_database(arguments.database)
        if database is None:
            raise UserError("chaos.database")
        if isinstance(database, Path) and not database.exists():
            raise CommandFailed(words.say("file.missing", path=database))
        faults = [command_fault(command) for command in commands]
        yield Campaign(servers, faults, log_reader(database), **given)
        return
    if os.name != "posix":
        raise CommandFailed(words.say("chaos.needs_posix"))
    with tempfile.TemporaryDirectory() as folder:
        # Only a database that is named here: tables of a test do not belong among others.
        named = parse_database(arguments.database) if arguments.database else None
        own = named or Path(folder) / "tables.db"
        if isinstance(own, Path):
            if named is not None:
                raise UserError("chaos.file")
            if arguments.workers > 1:
                raise UserError("serve.workers_need_postgresql", workers=arguments.workers)
        with _ended_by_signals(), own_servers(own, arguments.workers) as processes:
            addresses = [server.address for server in processes]
            faults = own_faults(processes, arguments.seed)
            yield Campaign(addresses, faults, log_reader(own), **given)


def _split(command: str) -> list[str]:
    try:
        parts = shlex.split(command)
    except ValueError:
        parts = []
    if not parts:
        raise UserError("chaos.command", command=command)
    return parts


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM interrupts like Ctrl+C, so that the servers end too."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _evidence(campaign: Campaign) -> bytes:
    """The history and the logs as JSON. The logs hold what players may not see."""
    logs = {
        table: [[event.n, event.at, event.body.decode()] for event in log]
        for table, log in campaign.logs.items()
    }
    return msgspec.json.encode({"history": campaign.history, "logs": logs})


def _result(campaign: Campaign, found: Sequence[Violation], seconds: float) -> dict[str, Any]:
    calls = campaign.history.calls
    return {
        "faults": dict(campaign.struck),
        "tables": len(campaign.logs),
        "events": sum(map(len, campaign.logs.values())),
        "requests": len(calls),
        "acknowledged": campaign.acknowledged,
        "unknown": sum(not call.answers for call in calls),
        "seen": len(campaign.history.sights),
        "connections": len(campaign.history.reads),
        "seconds": round(seconds, 1),
        "violations": [msgspec.to_builtins(violation) for violation in found],
    }


def _lines(result: dict[str, Any], found: Sequence[Violation], words: Catalogue) -> Iterator[str]:
    struck = ", ".join(f"{name} {count}" for name, count in result["faults"].items()) or "0"
    yield words.say("chaos.faults", faults=struck)
    yield words.say("chaos.work", **{name: result[name] for name in WORK})
    for violation in found[:MOST_SHOWN]:
        yield f"{violation.table}: {violation.kind}: {violation.text}"
    yield words.say("chaos.broken" if found else "chaos.kept", count=len(found))


WORK = ("tables", "events", "requests", "acknowledged", "connections")
