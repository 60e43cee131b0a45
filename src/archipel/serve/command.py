"""The commands of the host: `serve`, `bots`, `backup`, `restore`, `move-store`, `salvage`.

What they say is in the words they are given; why a file was refused is told as the store tells it.
"""

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from archipel.rules.catalogue import Catalogue
from archipel.serve.data_folder import default_database
from archipel.serve.hosts import own_names
from archipel.serve.logs import set_up_logging
from archipel.serve.refused_files import told
from archipel.serve.settings import Settings
from archipel.serve.shared import let_bots_play
from archipel.serve.starting import CannotStart, Start, serve
from archipel.store import StoreError
from archipel.store.postgresql.address import without_password
from archipel.tables.upkeep import back_up, move_store, restore, salvage

#: The exit status of `salvage` when not everything could be read.
SOMETHING_LOST = 2


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """`archipel serve`."""
    if arguments.local and arguments.host is not None:
        return _complain(words.say("serve.local_and_host"))
    if not isinstance(arguments.database, str):
        if arguments.workers > 1:
            workers = arguments.workers
            return _complain(words.say("serve.workers_need_postgresql", workers=workers))
        if not arguments.bots:
            return _complain(words.say("serve.no_bots_needs_postgresql"))
    if arguments.workers > 1 and os.name != "posix":
        return _complain(words.say("serve.workers_need_posix"))
    settings = Settings(
        origins=tuple(origin.rstrip("/") for origin in arguments.origin),
        trusted_proxies=tuple(arguments.trusted_proxy),
        hosts=(*own_names(), *([arguments.host] if arguments.host else [])),
        bot_cores=arguments.bot_cores,
        bot_programs=tuple(arguments.programs.values()),
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
                keeps=arguments.bots,
                workers=arguments.workers,
                arguments=arguments.given,
                part=arguments.part,
            ),
            words,
        )
    except CannotStart as error:
        return _complain(str(error))


def run_bots(arguments: argparse.Namespace, words: Catalogue) -> int:
    """`archipel bots`: bots and clocks of a database's tables, without a page."""
    database: str = arguments.database
    set_up_logging(arguments.log_level or ("warning" if sys.stderr.isatty() else "info"))
    settings = Settings(
        bot_cores=arguments.bot_cores, bot_programs=tuple(arguments.programs.values())
    )
    ready = words.say("bots.ready", database=without_password(database))
    try:
        asyncio.run(let_bots_play(database, settings, lambda: print(ready, flush=True)))
    except StoreError as error:
        return _complain(told(error, words))
    return 0


def run_backup(arguments: argparse.Namespace, words: Catalogue) -> int:
    """`archipel backup`: a copy of everything as of one moment, also while the server runs."""
    database = _database(arguments)
    try:
        tables = back_up(database, arguments.file.absolute())
    except FileNotFoundError:
        return _complain(words.say("file.missing", path=database))
    except (StoreError, OSError) as error:
        return _complain(told(error, words, exists="backup.exists"))
    if arguments.json:
        _print_json(file=str(arguments.file), tables=tables)
    else:
        print(words.say("backup.done", file=arguments.file, tables=tables))
    return 0


def run_restore(arguments: argparse.Namespace, words: Catalogue) -> int:
    """`archipel restore`, also while the server runs."""
    if not arguments.file.exists():
        return _complain(words.say("file.missing", path=arguments.file))
    database = _database(arguments)
    try:
        if isinstance(database, Path):
            database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        restored = restore(arguments.file.absolute(), database, force=arguments.force)
    except (StoreError, OSError) as error:
        return _complain(told(error, words, exists="restore.exists"))
    tables, events, kept = restored.tables, restored.events, restored.kept
    if arguments.json:
        _print_json(database=_shown(database), tables=tables, events=events, kept=kept)
        return 0
    print(words.say("restore.done", database=_shown(database), tables=tables, events=events))
    if kept is not None:
        print(words.say("restore.kept", file=kept))
    return 0


def run_move_store(arguments: argparse.Namespace, words: Catalogue) -> int:
    """`archipel move-store`: all tables from a file to a PostgreSQL database, or back."""
    source, target = arguments.source, arguments.target
    if isinstance(source, Path) == isinstance(target, Path):
        return _complain(words.say("move.same_kind"))
    try:
        moved = move_store(source, target)
    except FileNotFoundError:
        return _complain(words.say("file.missing", path=source))
    except (StoreError, OSError) as error:
        return _complain(told(error, words, exists="move.exists"))
    if arguments.json:
        _print_json(target=_shown(target), tables=moved.tables, events=moved.events)
    else:
        parts = {"target": _shown(target), "tables": moved.tables, "events": moved.events}
        print(words.say("move.done", **parts))
    return 0


def run_salvage(arguments: argparse.Namespace, words: Catalogue) -> int:
    """`archipel salvage`: what can be read of a damaged database, into a new one.

    The exit status is 2 where something was lost.
    """
    database = _database(arguments)
    if isinstance(database, str):
        return _complain(words.say("salvage.file_only"))
    try:
        with _bar(words.say("salvage.tables")) as on_table:
            found = salvage(database, arguments.file.absolute(), on_table=on_table)
    except FileNotFoundError:
        return _complain(words.say("file.missing", path=database))
    except (StoreError, OSError) as error:
        return _complain(told(error, words, exists="salvage.exists"))
    complete = not found.shortened and not found.lost
    if arguments.json:
        _print_json(
            file=str(arguments.file),
            whole=found.whole,
            shortened=found.shortened,
            lost=found.lost,
        )
        return 0 if complete else SOMETHING_LOST
    print(words.say("salvage.done", file=arguments.file, tables=found.tables))
    if found.shortened:
        print(words.say("salvage.shortened", tables=len(found.shortened)))
        for table, events in found.shortened.items():
            print(f"  {table}: {words.say('salvage.events', events=events)}")
    if found.lost:
        print(words.say("salvage.lost", tables=len(found.lost)))
        for table in found.lost:
            print(f"  {table}")
    return 0 if complete else SOMETHING_LOST


@contextmanager
def _bar(text: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error while it is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def network(text: str) -> str:
    """An address or a network, checked; raises `ArgumentTypeError`."""
    try:
        return str(ipaddress.ip_network(text)) if "/" in text else str(ipaddress.ip_address(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not an address: {error}") from None


def _database(arguments: argparse.Namespace) -> Path | str:
    """The one that was named, or that of this user."""
    named: Path | str = arguments.database or default_database()
    return named.absolute() if isinstance(named, Path) else named


def _shown(database: Path | str) -> str:
    return str(database) if isinstance(database, Path) else without_password(database)


def _print_json(**facts: object) -> None:
    print(json.dumps(facts, ensure_ascii=False, indent=2))


def _complain(message: str) -> int:
    print(f"archipel: {message}", file=sys.stderr)
    return 1
