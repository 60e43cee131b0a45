"""``archipel backup``, ``restore``, ``move-store`` and ``salvage``: look after a database.

The store's libraries are imported inside the functions, so that other commands start without them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from archipel.cli.argument_values import database_given
from archipel.cli.output import complain, print_json, progress_bar
from archipel.rules.catalogue import Catalogue
from archipel.study import Progress

#: Exit status of `salvage` when some events could not be read.
SOMETHING_LOST = 2


def run_backup(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Copy a database to a file, also while a server uses it."""
    from archipel.serve.startup import explain
    from archipel.store.errors import StoreError
    from archipel.tables.administration import back_up

    file, database = Path(arguments.file), _database(arguments)
    try:
        tables = back_up(database, file.absolute())
    except FileNotFoundError:
        return complain(words.say("file.missing", path=database))
    except (StoreError, OSError) as error:
        return complain(explain(error, words, exists="backup.exists"))
    if arguments.json:
        print_json({"file": str(file), "tables": tables})
    else:
        print(words.say("backup.done", file=file, tables=tables))
    return 0


def run_restore(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Put a backup in place, also while a server uses the database."""
    from archipel.serve.startup import explain, make_folder_of
    from archipel.store.errors import StoreError
    from archipel.tables.administration import restore

    file, database = Path(arguments.file), _database(arguments)
    if not file.exists():
        return complain(words.say("file.missing", path=file))
    try:
        if isinstance(database, Path):
            make_folder_of(database)
        restored = restore(file.absolute(), database, force=arguments.force)
    except (StoreError, OSError) as error:
        return complain(explain(error, words, exists="restore.exists"))
    tables, events, kept = restored.tables, restored.events, restored.kept
    shown = _shown(database)
    if arguments.json:
        print_json({"database": shown, "tables": tables, "events": events, "kept": kept})
        return 0
    print(words.say("restore.done", database=shown, tables=tables, events=events))
    if kept is not None:
        print(words.say("restore.kept", file=kept))
    return 0


def run_move_store(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Move all tables from a file to a PostgreSQL database, or back."""
    from archipel.serve.startup import explain
    from archipel.store.errors import StoreError
    from archipel.tables.administration import move_store

    source, target = database_given(arguments.source), database_given(arguments.target)
    assert source is not None
    assert target is not None
    if isinstance(source, Path) == isinstance(target, Path):
        return complain(words.say("move.same_kind"))
    try:
        moved = move_store(source, target)
    except FileNotFoundError:
        return complain(words.say("file.missing", path=source))
    except (StoreError, OSError) as error:
        return complain(explain(error, words, exists="move.exists"))
    result = {"target": _shown(target), "tables": moved.tables, "events": moved.events}
    if arguments.json:
        print_json(result)
    else:
        print(words.say("move.done", **result))
    return 0


def run_salvage(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Copy the readable part of a damaged database to a new file.

    The exit status is 2 if something was lost.
    """
    from archipel.serve.startup import explain
    from archipel.store.errors import StoreError
    from archipel.tables.administration import salvage

    file, database = Path(arguments.file), _database(arguments)
    if isinstance(database, str):
        return complain(words.say("salvage.file_only"))
    try:
        with progress_bar(words, "salvage.tables") as on_progress:
            found = salvage(
                database,
                file.absolute(),
                on_table=lambda done, of: on_progress(Progress(done, of)),
            )
    except FileNotFoundError:
        return complain(words.say("file.missing", path=database))
    except (StoreError, OSError) as error:
        return complain(explain(error, words, exists="salvage.exists"))
    status = SOMETHING_LOST if found.shortened or found.lost else 0
    if arguments.json:
        print_json(
            {
                "file": str(file),
                "whole": found.whole,
                "shortened": found.shortened,
                "lost": found.lost,
            }
        )
        return status
    print(words.say("salvage.done", file=file, tables=found.tables))
    if found.shortened:
        print(words.say("salvage.shortened", tables=len(found.shortened)))
        for table, events in found.shortened.items():
            print(f"  {table}: {words.say('salvage.events', events=events)}")
    if found.lost:
        print(words.say("salvage.lost", tables=len(found.lost)))
        for table in found.lost:
            print(f"  {table}")
    return status


def _database(arguments: argparse.Namespace) -> Path | str:
    """The database that was named, or the user's own file."""
    from archipel.serve.startup import default_database

    named = database_given(arguments.database) or default_database()
    return named.absolute() if isinstance(named, Path) else named


def _shown(database: Path | str) -> str:
    from archipel.store.postgresql.connections import without_password

    return str(database) if isinstance(database, Path) else without_password(database)
