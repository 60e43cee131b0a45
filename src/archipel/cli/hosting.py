"""``archipel serve`` and ``archipel bots``: run a web server, or only the bots of a database.

The server's libraries are imported inside the functions, so that other commands start without them.
"""

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from archipel.cli.argument_values import parse_database
from archipel.cli.errors import CommandFailed, UserError
from archipel.cli.games import report_failed_plugins
from archipel.cli.players import bot_programs
from archipel.rules.catalogue import Catalogue

if TYPE_CHECKING:
    from archipel.notices.settings import PeopleSettings

LOG_LEVELS = ("debug", "info", "warning", "error")
#: What RFC 9116 allows as a contact.
_CONTACT = re.compile(r"(https://|mailto:|tel:)[!-~]{3,200}")


def run_serve(arguments: argparse.Namespace, words: Catalogue) -> int:
    from archipel.serve.security import own_names
    from archipel.serve.settings import Settings
    from archipel.serve.startup import CannotStart, Start, serve

    report_failed_plugins(words)
    _check_bot_options(arguments)
    contact = arguments.security_contact or ""
    if contact and not _CONTACT.fullmatch(contact):
        raise UserError("serve.security_contact", contact=contact)
    workers = arguments.workers
    proxies = tuple(_network(text) for text in arguments.trusted_proxy)
    if arguments.local and arguments.host is not None:
        raise CommandFailed(words.say("serve.local_and_host"))
    if not isinstance(arguments.database, str):
        if workers > 1:
            raise UserError("serve.workers_need_postgresql", workers=workers)
        if not arguments.bots:
            raise CommandFailed(words.say("serve.no_bots_needs_postgresql"))
    if workers > 1 and os.name != "posix":
        raise CommandFailed(words.say("serve.workers_need_posix"))
    if arguments.rendezvous and workers > 1:
        raise CommandFailed(words.say("serve.rendezvous_needs_one_worker"))
    if arguments.clubs and find_spec("openskill") is None:
        raise UserError("serve.clubs_need_openskill")
    settings = Settings(
        rendezvous=arguments.rendezvous,
        daily=arguments.daily,
        takes_tables=arguments.take_tables,
        clubs=arguments.clubs,
        previews=arguments.previews,
        site=_site(arguments.site),
        origins=tuple(origin.rstrip("/") for origin in arguments.origin),
        trusted_proxies=proxies,
        hosts=(*own_names(), *([arguments.host] if arguments.host else [])),
        bot_cores=arguments.bot_cores,
        bot_programs=tuple(arguments.programs.values()),
        security_contact=contact,
        people=_people(arguments.people),
    )
    start = Start(
        host=arguments.host,
        port=arguments.port,
        database=arguments.database,
        local=arguments.local,
        open_browser=arguments.browser,
        log_level=arguments.log_level,
        settings=settings,
        keeps=arguments.bots,
        workers=workers,
        arguments=arguments.given,
        part=arguments.part,
    )
    try:
        return serve(start, words)
    except CannotStart as error:
        raise CommandFailed(error) from None


def run_bots(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Run the bots and clocks of a PostgreSQL database without serving pages."""
    from archipel.serve.cluster_worker import run_bots as serve_bots
    from archipel.serve.logs import set_up_logging
    from archipel.serve.settings import Settings
    from archipel.serve.startup import explain
    from archipel.store.errors import StoreError
    from archipel.store.postgresql.connections import without_password

    report_failed_plugins(words)
    _check_bot_options(arguments)
    database = arguments.database
    if not isinstance(database, str):
        raise UserError("bots.need_postgresql")
    set_up_logging(arguments.log_level or ("warning" if sys.stderr.isatty() else "info"))
    settings = Settings(
        bot_cores=arguments.bot_cores, bot_programs=tuple(arguments.programs.values())
    )
    ready = words.say("bots.ready", database=without_password(database))
    try:
        asyncio.run(serve_bots(database, settings, lambda: print(ready, flush=True)))
    except StoreError as error:
        raise CommandFailed(explain(error, words)) from None
    return 0


def _site(folder: str | None) -> Path | None:
    """The folder of a static site; raises `UserError`."""
    from archipel.serve.static_files import SITE_MARK

    if folder is None:
        return None
    path = Path(folder).absolute()
    if not (path / SITE_MARK).is_file():
        raise UserError("serve.no_site", folder=folder)
    return path


def _people(file: str | None) -> PeopleSettings:
    """The host's settings of profiles and notices; raises `UserError`."""
    from archipel.notices.settings import PeopleSettings, read_settings

    if file is None:
        return PeopleSettings()
    try:
        return read_settings(Path(file))
    except (OSError, ValueError) as error:
        raise UserError("usage.other", what=f"{file}: {error}", command="archipel serve") from None


def _check_bot_options(arguments: argparse.Namespace) -> None:
    """Check and convert the options that ``serve`` and ``bots`` share."""
    if arguments.log_level is not None and arguments.log_level not in LOG_LEVELS:
        levels = ", ".join(LOG_LEVELS)
        raise UserError("serve.log_level", level=arguments.log_level, levels=levels)
    arguments.programs = bot_programs(arguments)
    arguments.database = parse_database(arguments.database)


def _network(text: str) -> str:
    """Normalize an IP address or network; raises `UserError`."""
    try:
        return str(ipaddress.ip_network(text)) if "/" in text else str(ipaddress.ip_address(text))
    except ValueError as error:
        what = f"{text!r} is not an address: {error}"
        raise UserError("usage.other", what=what, command="archipel serve") from None
