"""The games of a study as Parquet: a row for each game and seat, written as they come.

`docs/data-files.md` documents the columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy
import pyarrow as arrow
from pyarrow import parquet

from archipel.rules.all_games import game_named
from archipel.study.chunks import Chunk
from archipel.study.kernel import DECISIONS, ENDING, OF_THE_GAME, RANKS, ROUNDS, TURNS
from archipel.study.plan import Plan, Table
from archipel.study.summary import seat_rows

VERSION = "1"

#: Rows that are gathered before they are written: few enough to keep memory flat.
ROW_GROUP = 100_000

WORDS = arrow.dictionary(arrow.int16(), arrow.string())

ALWAYS = [
    ("table", arrow.int32()),
    ("game", WORDS),
    ("seats", arrow.int8()),
    ("number", arrow.int64()),
    ("seat", arrow.int8()),
    ("bot", WORDS),
    ("rank", arrow.int8()),
    ("won", arrow.float64()),
    ("score", arrow.int32()),
    ("decisions", arrow.int32()),
    ("turns", arrow.int32()),
    ("rounds", arrow.int32()),
    ("ending", WORDS),
]


def schema_of(plan: Plan) -> Any:
    """The columns: those of every study, then the figures and the options of its games."""
    games = sorted({table.game for table in plan.tables})
    figures = {name: None for game in games for name in _figures(game)}
    options = {name: None for table in plan.tables for name in table.chosen}
    columns = [
        *ALWAYS,
        *((name, arrow.int32()) for name in figures),
        *((f"option_{name}", WORDS) for name in options),
    ]
    notes = {"archipel": VERSION, "title": plan.title, "key": plan.key, "seed": str(plan.seed)}
    return arrow.schema(columns, metadata=notes)


def _figures(game: str) -> tuple[str, ...]:
    course = game_named(game).course
    return course.figures if course is not None else ()


class RowWriter:
    """A Parquet file that grows, row group by row group; it has its name only when it is whole."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self._path = path
        self._growing = path.with_suffix(".growing")
        self._plan = plan
        self._schema = schema_of(plan)
        self._gathered: list[Any] = []
        self._rows = 0
        self._file = parquet.ParquetWriter(self._growing, self._schema, compression="zstd")

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._write()
        self._file.close()
        if kind is None:
            self._growing.replace(self._path)
        else:
            self._growing.unlink(missing_ok=True)

    def add(self, number: int, chunk: Chunk) -> None:
        """The games of a chunk of table ``number``."""
        batch = _batch(self._schema, number, self._plan.tables[number], chunk)
        self._gathered.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROW_GROUP:
            self._write()

    def _write(self) -> None:
        if self._gathered:
            whole = arrow.Table.from_batches(self._gathered, self._schema).unify_dictionaries()
            self._file.write_table(whole, row_group_size=2 * ROW_GROUP)
        self._gathered, self._rows = [], 0


def _batch(schema: Any, number: int, table: Table, chunk: Chunk) -> Any:
    """The rows of a chunk: game by game, in each seat by seat."""
    columns = dict(_columns(number, table, chunk))
    count = chunk.games * table.seats
    arrays = []
    for name, kind in zip(schema.names, schema.types, strict=True):
        if name not in columns:
            arrays.append(arrow.nulls(count, kind))
        elif kind == WORDS:
            indices, words = columns[name]
            packed = arrow.DictionaryArray.from_arrays(
                arrow.array(indices.astype("i2")), arrow.array(words, arrow.string())
            )
            arrays.append(packed)
        else:
            arrays.append(arrow.array(columns[name], kind))
    return arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _columns(number: int, table: Table, chunk: Chunk) -> Iterator[tuple[str, Any]]:
    rows, seats, games = chunk.rows(), table.seats, chunk.games
    count = games * seats
    numbers = numpy.arange(chunk.first, chunk.first + games)
    shifts = numbers * int(table.rotate) % seats
    ranks = seat_rows(rows[RANKS : RANKS + seats], shifts)
    alike = numpy.zeros(count, "i2")

    def of_seats(values: Any) -> Any:
        return numpy.ascontiguousarray(values.T).reshape(-1)

    def of_games(values: Any) -> Any:
        return numpy.repeat(values, seats)

    winners = (ranks == 0).sum(axis=0)
    entrants = (numpy.arange(seats)[:, None] - shifts[None, :]) % seats
    yield "table", numpy.full(count, number)
    yield "game", (alike, [table.game])
    yield "seats", numpy.full(count, seats)
    yield "number", of_games(numbers)
    yield "seat", numpy.tile(numpy.arange(seats), games)
    yield "bot", (of_seats(entrants), list(table.bots))
    yield "rank", of_seats(ranks)
    yield "won", of_seats((ranks == 0) / winners[None, :])
    yield "score", of_seats(seat_rows(rows[RANKS + seats : RANKS + 2 * seats], shifts))
    yield "decisions", of_games(rows[DECISIONS])
    for name, word in table.chosen.items():
        yield f"option_{name}", (alike, [word])
    course = game_named(table.game).course
    if course is None:
        return
    own = RANKS + 2 * seats
    yield "turns", of_games(rows[own + TURNS])
    yield "rounds", of_games(rows[own + ROUNDS])
    yield "ending", (of_games(rows[own + ENDING]), list(course.endings))
    for which, name in enumerate(course.figures):
        first = own + OF_THE_GAME + which * seats
        yield name, of_seats(seat_rows(rows[first : first + seats], shifts))
