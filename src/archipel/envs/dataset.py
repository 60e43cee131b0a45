"""Datasets of self-play: written in shards by any crew to the same bytes, and read again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy
from numpy.typing import NDArray

from archipel.bots import Candidate
from archipel.envs.dataset_plan import COLUMNS, MANIFEST, Plan, shard_name, task_of
from archipel.envs.dataset_shards import WORK, make_shard
from archipel.envs.programs import lanes_backend
from archipel.envs.spec import spec_of
from archipel.rules.all_games import game_named
from archipel.rules.kit.machine_record import from_bytes


class DatasetError(ValueError):
    """A folder that is not the dataset it should be: one line that says why."""


class Crew(Protocol):
    """Those who make shards: see `archipel.study.crew`."""

    def do(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]: ...


class Alone:
    """Nobody but this process."""

    def do(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        for task in tasks:
            yield make_shard(task)


# ---- writing ------------------------------------------------------------------------------------


def write_dataset(
    plan: Plan,
    folder: Path,
    *,
    crew: Crew | None = None,
    on_shard: Callable[[int], None] = lambda games: None,
) -> dict[str, Any]:
    """Write what is missing of a dataset, and then say in the manifest that it is complete.

    Interrupted, it goes on where it was.  ``on_shard`` is told how many games are there.  Raises
    `DatasetError` where the folder holds something else.
    """
    _begin(plan, folder)
    there = [(folder / shard_name(shard)).exists() for shard in range(plan.shards)]
    missing = [shard for shard in range(plan.shards) if not there[shard]]
    games = sum(len(plan.games_of(shard)) for shard in range(plan.shards) if there[shard])
    on_shard(games)
    tasks = (task_of(plan, shard) for shard in missing)
    with closing((crew or Alone()).do(WORK, tasks)) as made:
        for shard, content in zip(missing, made, strict=True):
            _write(folder / shard_name(shard), content)
            games += len(plan.games_of(shard))
            on_shard(games)
    manifest = {**plan.to_json(), "shards": [_entry(plan, folder, k) for k in range(plan.shards)]}
    _write(folder / MANIFEST, _json(manifest))
    return manifest


def _begin(plan: Plan, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    if manifest.exists():
        if {**_read_manifest(folder), "shards": None} != {**plan.to_json(), "shards": None}:
            raise DatasetError(f"{folder} holds another dataset: choose another folder")
    elif any(folder.iterdir()):
        raise DatasetError(f"{folder} is not empty, and holds no dataset: choose another folder")
    else:
        _write(manifest, _json({**plan.to_json(), "shards": []}))


def _entry(plan: Plan, folder: Path, shard: int) -> dict[str, Any]:
    content = (folder / shard_name(shard)).read_bytes()
    return {
        "file": shard_name(shard),
        "games": len(plan.games_of(shard)),
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _json(manifest: Mapping[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode()


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    os.replace(part, path)


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        told = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DatasetError(f"{folder / MANIFEST} cannot be read: {error}") from None
    if not isinstance(told, dict):
        raise DatasetError(f"{folder / MANIFEST} is no manifest of a dataset")
    return told


# ---- reading ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision:
    """One decision, as whoever took it saw it."""

    game: int
    number: int
    seat: int
    bot: str
    view: Any
    legal: tuple[int, ...]
    action: int
    candidates: tuple[Candidate, ...]
    ranks: tuple[int, ...]
    """How the game ended, seat by seat."""
    scores: tuple[int, ...]


class Shard:
    """The arrays of some games, by the names of `dataset_plan.COLUMNS`."""

    def __init__(self, plan: Plan, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._plan = plan
        self.arrays = arrays

    def __len__(self) -> int:
        return len(self.arrays["game"])

    def __getitem__(self, column: str) -> NDArray[Any]:
        return self.arrays[column]

    @cached_property
    def games(self) -> NDArray[numpy.int64]:
        """Of each decision, the row of its game."""
        return numpy.searchsorted(self["game_end"], numpy.arange(len(self)), side="right")

    def masks(self) -> NDArray[numpy.int8]:
        """What is legal, an entry per action."""
        bits = numpy.unpackbits(self["legal"], axis=1, bitorder="little")
        return bits[:, : spec_of(self._plan.game).actions].astype(numpy.int8)

    def shares(self) -> NDArray[numpy.float32]:
        """Of each decision, what its seat had of first place in the end."""
        first = self["rank"] == 0
        shares = first / first.sum(axis=1, keepdims=True)
        own: NDArray[numpy.float32] = shares[self.games, self["seat"]].astype(numpy.float32)
        return own

    def observations(self, compiled: bool | None = None) -> NDArray[numpy.float32]:
        """What each seat saw, as numbers (see `archipel.envs.spec`)."""
        game = self._plan.game
        out = numpy.empty((len(self), spec_of(game).size), numpy.float32)
        backend = lanes_backend(game, False, compiled)
        states = backend.states(len(self))
        if backend.compiled:
            states = numpy.ascontiguousarray(self["view"]).view(states.dtype).reshape(-1)
        else:
            for row, view in enumerate(self._views()):
                states[row] = view
        backend.observe_states(states, self["seat"].astype(numpy.int64), out, len(self))
        return out

    def decisions(self) -> Iterator[Decision]:
        """One after the other, as plain objects."""
        end = 0
        masks = self.masks()
        for row, view in enumerate(self._views()):
            first, end = end, int(self["candidate_end"][row])
            game = int(self.games[row])
            yield Decision(
                game=int(self["game"][row]),
                number=int(self["decision"][row]),
                seat=int(self["seat"][row]),
                bot=self._plan.bots[self["bot"][row]],
                view=view,
                legal=tuple(int(action) for action in numpy.flatnonzero(masks[row])),
                action=int(self["action"][row]),
                candidates=tuple(self._candidate(one) for one in range(first, end)),
                ranks=tuple(int(rank) for rank in self["rank"][game]),
                scores=tuple(int(score) for score in self["score"][game]),
            )

    def _views(self) -> Iterator[Any]:
        state = game_named(self._plan.game).state
        for record in self["view"]:
            yield from_bytes(state, record.tobytes())

    def _candidate(self, row: int) -> Candidate:
        action, visits = (int(self[f"candidate_{name}"][row]) for name in ("action", "visits"))
        chance = float(self["candidate_chance"][row])
        return Candidate(action, visits, chance, 0.0, chance)


class Dataset:
    """A dataset that is complete. Raises `DatasetError`."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.manifest = _read_manifest(self.folder)
        try:
            self.plan = Plan.from_json(self.manifest)
        except (KeyError, TypeError, ValueError) as error:
            raise DatasetError(f"{self.folder}: {error}") from None
        if len(self.manifest["shards"]) != self.plan.shards:
            raise DatasetError(f"{self.folder} is not complete: go on with the same command")

    def __len__(self) -> int:
        """How many shards there are."""
        return self.plan.shards

    def shard(self, number: int, check: bool = True) -> Shard:
        """Some of its games; with a look whether the file is the one that was written."""
        entry = self.manifest["shards"][number]
        path = self.folder / shard_name(number)
        try:
            if check and hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
                raise DatasetError(f"{path} is not the file that was written")
            with numpy.load(path, allow_pickle=False) as file:
                return Shard(self.plan, {name: file[name] for name in COLUMNS})
        except OSError as error:
            raise DatasetError(f"{path} cannot be read: {error}") from None

    def __iter__(self) -> Iterator[Shard]:
        for number in range(len(self)):
            yield self.shard(number)
