"""``archipel serve``, ``backup``, ``restore``, ``move-store`` and so on: what a host types.

The server's libraries are imported only here and only when asked for, so that the other commands
start without them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from pathlib import Path

from archipel.bots.outside.line_process import usable_cores
from archipel.cli.choosing import whole_number
from archipel.cli.errors import UserError
from archipel.cli.files import read_record
from archipel.cli.own_bots import own_bots
from archipel.cli.plugins import report_left_out
from archipel.rules.catalogue import Catalogue

LOG_LEVELS = ("debug", "info", "warning", "error")
HIGHEST_PORT = 65_535
#: The database where none is named on the command line.
DATABASE = "ARCHIPEL_DATABASE"
UNFAIR = 1
_HASH = re.compile(r"[0-9a-fA-F]{64}")


def run_serve(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.serve import command

    report_left_out(words)
    _check_thinking(arguments)
    workers = arguments.workers
    arguments.workers = 1 if workers is None else whole_number("--workers", workers, 1, 64)
    if arguments.port is not None:
        arguments.port = whole_number("--port", arguments.port, 0, HIGHEST_PORT)
    try:
        arguments.trusted_proxy = [command.network(text) for text in arguments.trusted_proxy]
    except argparse.ArgumentTypeError as error:
        raise UserError("usage.other", what=str(error), command="archipel serve") from None
    return command.run(arguments, words)


def run_bots(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.serve import command

    report_left_out(words)
    _check_thinking(arguments)
    if not isinstance(arguments.database, str):
        raise UserError("bots.need_postgresql")
    return command.run_bots(arguments, words)


def _check_thinking(arguments: argparse.Namespace) -> None:
    """What all have to know who let bots think."""
    if arguments.log_level is not None and arguments.log_level not in LOG_LEVELS:
        levels = ", ".join(LOG_LEVELS)
        raise UserError("serve.log_level", level=arguments.log_level, levels=levels)
    if arguments.bot_cores is not None:
        most = len(usable_cores())
        arguments.bot_cores = whole_number("--bot-cores", arguments.bot_cores, 1, most)
    arguments.programs = own_bots(arguments)
    arguments.database = _database(arguments.database)


def run_backup(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.serve import command

    arguments.file, arguments.database = Path(arguments.file), _database(arguments.database)
    return command.run_backup(arguments, words)


def run_restore(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.serve import command

    arguments.file, arguments.database = Path(arguments.file), _database(arguments.database)
    return command.run_restore(arguments, words)


def run_salvage(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.serve import command

    arguments.file, arguments.database = Path(arguments.file), _database(arguments.database)
    return command.run_salvage(arguments, words)


def run_move_store(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.serve import command

    arguments.source, arguments.target = _database(arguments.source), _database(arguments.target)
    return command.run_move_store(arguments, words)


def run_verify(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.tables.records import verify

    for seen in arguments.commitment:
        if not _HASH.fullmatch(seen):
            raise UserError("error.bad_commitment", text=seen)
    record = read_record(Path(arguments.file))
    verdict = verify(record, arguments.commitment)
    if arguments.json:
        data = {
            "fair": verdict.is_fair,
            "outcomes": verdict.outcomes,
            "faults": verdict.faults,
            "shares": [seat + 1 for seat in verdict.shares],
            "commitment": None if record.fairness is None else record.fairness.commitment,
        }
        print(json.dumps(data, ensure_ascii=False, indent=2))
    elif verdict.is_fair:
        print(words.say("verify.fair", outcomes=verdict.outcomes))
        players = record.players or tuple(str(seat + 1) for seat in range(record.game.seats))
        names = ", ".join(players[seat] for seat in verdict.shares)
        print(words.say("verify.shares", names=names) if names else words.say("verify.no_shares"))
        if not arguments.commitment and record.fairness is not None:
            print(words.say("verify.compare", commitment=record.fairness.commitment))
    else:
        print(words.say("verify.unfair"))
        for fault in verdict.faults:
            print(f"  {fault}")
    return 0 if verdict.is_fair else UNFAIR


def _database(text: str | None) -> Path | str | None:
    """A file, or the address of a PostgreSQL database; without a name that of the environment,
    where other users of the machine cannot read a password in the list of processes."""
    from archipel.tables.upkeep import database_named

    text = text or os.environ.get(DATABASE) or None
    return None if text is None else database_named(text)
