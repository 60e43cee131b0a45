"""The commands of the host, `serve`, `backup` and `restore`, once their arguments are parsed."""

from __future__ import annotations

import argparse
import ipaddress
import sys
from pathlib import Path

from archipel.serve.data_folder import default_database
from archipel.serve.settings import Settings
from archipel.serve.starting import CannotStart, Start, serve
from archipel.store import StoreError
from archipel.tables.upkeep import back_up, restore


def run(arguments: argparse.Namespace) -> int:
    """`archipel serve`."""
    if arguments.local and arguments.host is not None:
        return _complain("--local and --host exclude each other")
    settings = Settings(
        origins=tuple(origin.rstrip("/") for origin in arguments.origin),
        trusted_proxies=tuple(arguments.trusted_proxy),
    )
    try:
        return serve(
            Start(
                host=arguments.host,
                port=arguments.port,
                database=arguments.database,
                local=arguments.local,
                open_browser=arguments.browser,
                log_level=arguments.log_level,
                settings=settings,
            )
        )
    except CannotStart as error:
        return _complain(str(error))


def run_backup(arguments: argparse.Namespace) -> int:
    """`archipel backup`: a copy of everything as of one moment, also while the server runs."""
    database: Path = (arguments.database or default_database()).absolute()
    try:
        tables = back_up(database, arguments.file.absolute())
    except (StoreError, OSError) as error:
        return _complain(str(error))
    print(f"{tables} tables saved in {arguments.file}")
    return 0


def run_restore(arguments: argparse.Namespace) -> int:
    """`archipel restore`, while no server runs."""
    database: Path = (arguments.database or default_database()).absolute()
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        restored = restore(arguments.file.absolute(), database, force=arguments.force)
    except (StoreError, OSError) as error:
        return _complain(str(error))
    print(f"{restored.tables} tables with {restored.events} events restored to {database}")
    if restored.kept is not None:
        print(f"what was there before is now {restored.kept}")
    return 0


def network(text: str) -> str:
    """An address or a network, checked; raises `ArgumentTypeError`."""
    try:
        return str(ipaddress.ip_network(text)) if "/" in text else str(ipaddress.ip_address(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address: {error}") from None


def _complain(message: str) -> int:
    print(f"archipel: {message}", file=sys.stderr)
    return 1
