"""Write the games of a study to Parquet, one row per game and seat.

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
from archipel.study.experiments.batches import GameBatch
from archipel.study.experiments.plan import Plan, Table
from archipel.study.experiments.summary import seat_rows
from archipel.study.simulation.game_kernel import (
    DECISIONS,
    ENDING,
    OF_THE_GAME,
    RANKS,
    ROUNDS,
    TURNS,
)

VERSION = "1"

#: Rows per write; bounds the memory.
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
    """Columns of every study, then the figures and options of its games."""
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
    course = game_named(game).metrics
    return course.figures if course is not None else ()


class RowWriter:
    """Writes a Parquet file by row groups; the file gets its name when it is complete."""

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

    def add(self, number: int, batch: GameBatch) -> None:
        """Add a batch of table ``number``."""
        record = _batch(self._schema, number, self._plan.tables[number], batch)
        self._gathered.append(record)
        self._rows += record.num_rows
        if self._rows >= ROW_GROUP:
            self._write()

    def _write(self) -> None:
        if self._gathered:
            whole = arrow.Table.from_batches(self._gathered, self._schema).unify_dictionaries()
            self._file.write_table(whole, row_group_size=2 * ROW_GROUP)
        self._gathered, self._rows = [], 0


def _batch(schema: Any, number: int, table: Table, batch: GameBatch) -> Any:
    """Rows of a batch, by game and then by seat."""
    columns = dict(_columns(number, table, batch))
    count = batch.games * table.seats
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


def _columns(number: int, table: Table, batch: GameBatch) -> Iterator[tuple[str, Any]]:
    rows, seats, games = batch.rows(), table.seats, batch.games
    count = games * seats
    numbers = numpy.arange(batch.first, batch.first + games)
    offsets = numbers * int(table.rotate) % seats
    ranks = seat_rows(rows[RANKS : RANKS + seats], offsets)
    alike = numpy.zeros(count, "i2")

    def of_seats(values: Any) -> Any:
        return numpy.ascontiguousarray(values.T).reshape(-1)

    def of_games(values: Any) -> Any:
        return numpy.repeat(values, seats)

    winners = (ranks == 0).sum(axis=0)
    entrants = (numpy.arange(seats)[:, None] - offsets[None, :]) % seats
    yield "table", numpy.full(count, number)
    yield "game", (alike, [table.game])
    yield "seats", numpy.full(count, seats)
    yield "number", of_games(numbers)
    yield "seat", numpy.tile(numpy.arange(seats), games)
    yield "bot", (of_seats(entrants), list(table.bots))
    yield "rank", of_seats(ranks)
    yield "won", of_seats((ranks == 0) / winners[None, :])
    yield "score", of_seats(seat_rows(rows[RANKS + seats : RANKS + 2 * seats], offsets))
    yield "decisions", of_games(rows[DECISIONS])
    for name, word in table.chosen.items():
        yield f"option_{name}", (alike, [word])
    course = game_named(table.game).metrics
    if course is None:
        return
    own = RANKS + 2 * seats
    yield "turns", of_games(rows[own + TURNS])
    yield "rounds", of_games(rows[own + ROUNDS])
    yield "ending", (of_games(rows[own + ENDING]), list(course.endings))
    for which, name in enumerate(course.figures):
        first = own + OF_THE_GAME + which * seats
        yield name, of_seats(seat_rows(rows[first : first + seats], offsets))
