"""``archipel backup``, ``restore``, ``move-store``, ``export``, ``import`` and ``salvage``:
maintain a database.

The store's libraries are imported inside the functions, so that other commands start without them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archipel.cli.argument_values import parse_database
from archipel.cli.errors import CommandFailed
from archipel.cli.output import print_result, progress_bar
from archipel.rules.catalogue import Catalogue
from archipel.study import Progress

#: Exit status of `salvage` when some events could not be read.
SOMETHING_LOST = 2


def run_backup(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Copy a database to a file, also while a server uses it."""
    from archipel.tables.administration import back_up

    file, database = Path(arguments.file), _database(arguments)
    with _store_errors(words, "backup.exists", database):
        tables = back_up(database, file.absolute())
    result = {"file": str(file), "tables": tables}
    return print_result(arguments.json, result, [words.say("backup.done", **result)])


def run_restore(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Replace a database by a backup, also while a server uses it."""
    from archipel.serve.startup import make_folder_of
    from archipel.tables.administration import restore

    file, database = Path(arguments.file), _database(arguments)
    if not file.exists():
        raise CommandFailed(words.say("file.missing", path=file))
    with _store_errors(words, "restore.exists"):
        if isinstance(database, Path):
            make_folder_of(database)
        restored = restore(file.absolute(), database, force=arguments.force)
    result = {"database": _shown(database), "tables": restored.tables, "events": restored.events}
    lines = [words.say("restore.done", **result)]
    if restored.kept is not None:
        lines.append(words.say("restore.kept", file=restored.kept))
    return print_result(arguments.json, {**result, "kept": restored.kept}, lines)


def run_move_store(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Move all tables from a file to a PostgreSQL database, or back."""
    from archipel.tables.administration import move_store

    source, target = parse_database(arguments.source), parse_database(arguments.target)
    assert source is not None
    assert target is not None
    if isinstance(source, Path) == isinstance(target, Path):
        raise CommandFailed(words.say("move.same_kind"))
    with _store_errors(words, "move.exists", source):
        moved = move_store(source, target)
    result = {"target": _shown(target), "tables": moved.tables, "events": moved.events}
    return print_result(arguments.json, result, [words.say("move.done", **result)])


def run_export(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Write all tables to a file that a browser or another server can import."""
    from archipel.tables.administration import export_tables

    file, database = Path(arguments.file), _database(arguments)
    with _store_errors(words, "backup.exists", database):
        tables = export_tables(database, file.absolute())
    result = {"file": str(file), "tables": tables}
    return print_result(arguments.json, result, [words.say("backup.done", **result)])


def run_import(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Store the tables of a file that a browser or another server has exported."""
    from archipel.serve.startup import make_folder_of
    from archipel.tables.administration import import_tables

    file, database = Path(arguments.file), _database(arguments)
    if not file.exists():
        raise CommandFailed(words.say("file.missing", path=file))
    with _store_errors(words, "backup.exists"):
        if isinstance(database, Path):
            make_folder_of(database)
        found = import_tables(file, database)
    result = {"database": _shown(database), "stored": found.stored, "known": found.known}
    return print_result(arguments.json, result, [words.say("import.done", **result)])


def run_salvage(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Copy the readable part of a damaged database to a new file.

    The exit status is 2 if something was lost.
    """
    from archipel.tables.administration import salvage

    file, database = Path(arguments.file), _database(arguments)
    if isinstance(database, str):
        raise CommandFailed(words.say("salvage.file_only"))
    with (
        _store_errors(words, "salvage.exists", database),
        progress_bar(words, "salvage.tables") as on_progress,
    ):
        found = salvage(
            database,
            file.absolute(),
            on_table=lambda done, of: on_progress(Progress(done, of)),
        )
    lines = [words.say("salvage.done", file=file, tables=found.tables)]
    if found.shortened:
        lines.append(words.say("salvage.shortened", tables=len(found.shortened)))
        for table, events in found.shortened.items():
            lines.append(f"  {table}: {words.say('salvage.events', events=events)}")
    if found.lost:
        lines.append(words.say("salvage.lost", tables=len(found.lost)))
        lines += [f"  {table}" for table in found.lost]
    parts = {"whole": found.whole, "shortened": found.shortened, "lost": found.lost}
    print_result(arguments.json, {"file": str(file), **parts}, lines)
    return SOMETHING_LOST if found.shortened or found.lost else 0


@contextmanager
def _store_errors(
    words: Catalogue, exists: str, database: Path | str | None = None
) -> Iterator[None]:
    """Turn an error of a store into `CommandFailed`.

    ``exists`` is the sentence for an existing file, ``database`` must exist.
    """
    from archipel.serve.startup import explain
    from archipel.store.errors import StoreError

    try:
        yield
    except (StoreError, OSError) as error:
        if isinstance(error, FileNotFoundError) and database is not None:
            raise CommandFailed(words.say("file.missing", path=database)) from None
        raise CommandFailed(explain(error, words, exists=exists)) from None


def _database(arguments: argparse.Namespace) -> Path | str:
    """The database that was named, or the user's own file."""
    from archipel.serve.startup import default_database

    named = parse_database(arguments.database) or default_database()
    return named.absolute() if isinstance(named, Path) else named


def _shown(database: Path | str) -> str:
    from archipel.store.postgresql.connections import without_password

    return str(database) if isinstance(database, Path) else without_password(database)
