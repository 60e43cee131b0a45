"""Write the games of a study to Parquet, one row per game and seat.

`docs/data-files.md` documents the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy
import pyarrow as arrow
from pyarrow import parquet

from archipel.rules.all_games import game_named
from archipel.study.experiments.batches import BatchArrays, GameBatch
from archipel.study.experiments.plan import Plan, Table

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
    found = [metrics for game in games if (metrics := game_named(game).metrics) is not None]
    figures = dict.fromkeys(name for metrics in found for name in metrics.figures)
    options = dict.fromkeys(name for table in plan.tables for name in table.chosen)
    columns = [
        *ALWAYS,
        *((name, arrow.int32()) for name in figures),
        *((f"option_{name}", WORDS) for name in options),
    ]
    notes = {"archipel": VERSION, "title": plan.title, "key": plan.key, "seed": str(plan.seed)}
    return arrow.schema(columns, metadata=notes)


@contextmanager
def row_writer(path: Path, plan: Plan) -> Iterator[Callable[[int, GameBatch], None]]:
    """Write a Parquet file by row groups; the file gets its name when it is complete.

    Yields a function that adds a batch of a table, given its number.
    """
    schema, growing = schema_of(plan), path.with_suffix(".growing")
    gathered: list[Any] = []
    try:
        with parquet.ParquetWriter(growing, schema, compression="zstd") as file:

            def write() -> None:
                whole = arrow.Table.from_batches(gathered, schema).unify_dictionaries()
                file.write_table(whole, row_group_size=2 * ROW_GROUP)
                gathered.clear()

            def add(number: int, batch: GameBatch) -> None:
                gathered.append(_record_batch(schema, number, plan.tables[number], batch))
                if sum(record.num_rows for record in gathered) >= ROW_GROUP:
                    write()

            yield add
            if gathered:
                write()
        growing.replace(path)
    finally:
        growing.unlink(missing_ok=True)


def _record_batch(schema: Any, number: int, table: Table, batch: GameBatch) -> Any:
    """Rows of a batch, by game and then by seat."""
    columns = dict(_columns(number, table, batch))
    arrays = []
    for name, kind in zip(schema.names, schema.types, strict=True):
        if name not in columns:
            arrays.append(arrow.nulls(batch.games * table.seats, kind))
        elif kind == WORDS:
            indices, words = columns[name]
            places, known = arrow.array(indices.astype("i2")), arrow.array(words, arrow.string())
            arrays.append(arrow.DictionaryArray.from_arrays(places, known))
        else:
            arrays.append(arrow.array(columns[name], kind))
    return arrow.RecordBatch.from_arrays(arrays, schema=schema)


def _columns(number: int, table: Table, batch: GameBatch) -> Iterator[tuple[str, Any]]:
    seats, games = table.seats, batch.games
    played = BatchArrays(batch, table.game, seats, table.rotate)
    ranks = played.by_seat(played.ranks)
    count = games * seats
    first_word = numpy.zeros(count, "i2")

    def of_seats(values: Any) -> Any:
        return numpy.ascontiguousarray(values.T).reshape(-1)

    def of_games(values: Any) -> Any:
        return numpy.repeat(values, seats)

    yield "table", numpy.full(count, number)
    yield "game", (first_word, [table.game])
    yield "seats", numpy.full(count, seats)
    yield "number", of_games(played.numbers)
    yield "seat", numpy.tile(numpy.arange(seats), games)
    yield "bot", (of_seats(played.entrants), list(table.bots))
    yield "rank", of_seats(ranks)
    yield "won", of_seats((ranks == 0) / (ranks == 0).sum(axis=0))
    yield "score", of_seats(played.by_seat(played.scores))
    yield "decisions", of_games(played.decisions)
    for name, word in table.chosen.items():
        yield f"option_{name}", (first_word, [word])
    if (metrics := game_named(table.game).metrics) is not None:
        yield "turns", of_games(played.turns)
        yield "rounds", of_games(played.rounds)
        yield "ending", (of_games(played.endings), list(metrics.endings))
        for name, values in played.figures.items():
            yield name, of_seats(values)
