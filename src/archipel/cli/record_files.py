"""Read and write records and positions; failures become a `UserError` of one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archipel.cli.errors import UserError
from archipel.game import Game
from archipel.record import HEADING, MOST_CHARACTERS, Record, RecordError, parse_record
from archipel.rules.contract import NotationError
from archipel.rules.data_files import reason_of


def read_text(path: Path) -> str:
    try:
        if path.is_dir():
            raise UserError("error.folder", file=path)
        with path.open("rb") as file:
            content = file.read(MOST_CHARACTERS + 1)
    except FileNotFoundError:
        raise UserError("error.no_file", file=path) from None
    except OSError as error:
        raise UserError("error.read", file=path, reason=reason_of(error)) from None
    if len(content) > MOST_CHARACTERS:
        raise UserError("error.too_large", file=path)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError("error.binary", file=path, byte=error.start) from None
    if "\0" in text:
        raise UserError("error.binary", file=path, byte=text.index("\0"))
    return text


def read_record(path: Path, *, seed: int | None = None) -> Record:
    text = read_text(path)
    try:
        return parse_record(text, seed=seed)
    except RecordError as error:
        raise UserError("error.in_file", file=path, reason=error) from None


def read_start(path: Path, game_name: str | None, *, seed: int | None = None) -> Record:
    """Read a record, or a position of the named game, in which ``#`` begins a comment."""
    text = read_text(path)
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    first = next((line for line in lines if line), "")
    if first == HEADING:
        return read_record(path, seed=seed)
    if game_name is None:
        raise UserError("error.position_needs_game", file=path)
    try:
        return Record(Game.from_position(game_name, " ".join(lines), seed=seed))
    except NotationError as error:
        raise UserError("error.in_file", file=path, reason=error) from None


def save_record(record: Record, path: Path, *, may_replace: bool) -> None:
    """Write a record. Refuses to replace an existing file unless ``may_replace``."""
    check_can_save(path, may_replace=may_replace)
    with reports_os_errors(path):
        record.save(path)


def write_file(path: Path, content: bytes | str) -> None:
    with reports_os_errors(path):
        path.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def reports_os_errors(file: Path, key: str = "error.write") -> Iterator[None]:
    """Turn an `OSError` into a `UserError` that names the file and the reason."""
    try:
        yield
    except OSError as error:
        why = reason_of(error)
        raise UserError(key, file=file, reason=why, why=why) from None


def player_names(record: Record) -> list[str]:
    """The players' names, or the numbers of their seats if the record has no names."""
    return list(record.players) or [str(seat + 1) for seat in range(record.game.seats)]


def check_can_save(path: Path, *, may_replace: bool) -> None:
    if path.is_dir():
        raise UserError("error.folder", file=path)
    if path.exists() and not may_replace:
        raise UserError("error.exists", file=path)
    if not path.parent.is_dir():
        raise UserError("error.no_folder", file=path, folder=path.parent)
