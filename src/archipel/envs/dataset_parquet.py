"""Datasets as Parquet files, which any data tool reads: one row per decision.

The columns are those of `SCHEMA`; `docs/data-files.md` explains them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy
import pyarrow as arrow
from pyarrow import parquet

from archipel.envs.dataset import Dataset, DatasetError, Shard
from archipel.envs.observation_spec import spec_of

#: Key of the manifest in the metadata of the file.
MANIFEST_KEY = b"archipel-dataset"


def schema_of(dataset: Dataset) -> Any:
    spec = spec_of(dataset.plan.game)
    manifest = json.dumps(dataset.manifest, ensure_ascii=False)
    return arrow.schema(
        [
            ("game", arrow.uint32()),
            ("decision", arrow.uint32()),
            ("seat", arrow.uint8()),
            ("bot", arrow.string()),
            ("obs", arrow.list_(arrow.float32(), spec.size)),
            ("action_mask", arrow.list_(arrow.int8(), spec.actions)),
            ("action", arrow.uint16()),
            ("terminated", arrow.bool_()),
            ("win_share", arrow.float32()),
            ("rank", arrow.uint8()),
            ("score", arrow.int32()),
            ("candidate_action", arrow.list_(arrow.uint16())),
            ("candidate_visits", arrow.list_(arrow.uint32())),
            ("candidate_chance", arrow.list_(arrow.float32())),
        ],
        metadata={MANIFEST_KEY: manifest.encode()},
    )


def write_parquet(dataset: Dataset, path: Path | str, *, compiled: bool | None = None) -> int:
    """Write a dataset to one file with checksums, a row group per shard; return the rows.

    The file gets its name when it is complete.
    """
    path = Path(path)
    schema, growing, rows = schema_of(dataset), path.with_name(f"{path.name}.growing"), 0
    try:
        with parquet.ParquetWriter(
            growing, schema, compression="zstd", write_page_checksum=True
        ) as file:
            for shard in dataset:
                columns = _columns(dataset, shard, compiled)
                file.write_table(
                    arrow.Table.from_arrays(
                        [columns[field.name].cast(field.type) for field in schema], schema=schema
                    ),
                    row_group_size=len(shard),
                )
                rows += len(shard)
        growing.replace(path)
    finally:
        growing.unlink(missing_ok=True)
    return rows


def read_parquet(path: Path | str) -> Any:
    """Read a file as an Arrow table and check its checksums; raises `DatasetError`."""
    try:
        table = parquet.read_table(path, page_checksum_verification=True)
    except (OSError, arrow.ArrowException) as error:
        raise DatasetError(f"{path} cannot be read: {error}") from None
    if MANIFEST_KEY not in (table.schema.metadata or {}):
        raise DatasetError(f"{path} is no dataset of Archipel")
    return table


def _columns(dataset: Dataset, shard: Shard, compiled: bool | None) -> Mapping[str, Any]:
    games, seat = shard.games, shard["seat"]
    bots = numpy.array(dataset.plan.bots)
    last = numpy.zeros(len(shard), bool)
    last[shard["game_end"].astype(numpy.int64) - 1] = True
    ends = numpy.concatenate(([0], shard["candidate_end"])).astype(numpy.int32)
    found = {
        "bot": bots[shard["bot"]],
        "terminated": last,
        "win_share": shard.win_shares(),
        "rank": shard["rank"][games, seat],
        "score": shard["score"][games, seat],
        **{name: shard[name] for name in ("game", "decision", "seat", "action")},
    }
    rows: dict[str, Any] = {"obs": shard.observations(compiled), "action_mask": shard.masks()}
    lists = ("candidate_action", "candidate_visits", "candidate_chance")
    return {
        **{name: arrow.array(values) for name, values in found.items()},
        **{
            name: arrow.FixedSizeListArray.from_arrays(values.reshape(-1), values.shape[1])
            for name, values in rows.items()
        },
        **{name: arrow.ListArray.from_arrays(ends, arrow.array(shard[name])) for name in lists},
    }
