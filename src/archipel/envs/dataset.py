"""Write and read datasets of self-play; the bytes do not depend on the executor."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from archipel.bots import Bot, Candidate, Level
from archipel.envs.batch_kernel import batch_backend
from archipel.envs.dataset_plan import COLUMNS, MANIFEST, DatasetPlan, shard_name
from archipel.envs.observation_spec import spec_of
from archipel.rules.all_games import game_named
from archipel.rules.deprecation import former_arguments, former_attribute
from archipel.rules.kit import Chance, Stream
from archipel.rules.kit.core.machine_record import from_bytes, record_layout, to_bytes
from archipel.study.executors.executor import Executor, SerialExecutor
from archipel.study.resumable_file import write_atomically
from archipel.study.simulation.game_kernel import RANKS
from archipel.study.simulation.game_programs import BotCaller, interpreted_games, run_games


class DatasetError(ValueError):
    """A folder that does not hold this dataset; the message gives the reason in one line."""


# ---- writing ------------------------------------------------------------------------------------

#: Name by which a worker finds its function.
WORK = "archipel.envs.dataset:make_shard"


@former_arguments(crew="executor")
def write_dataset(
    plan: DatasetPlan,
    folder: Path,
    *,
    executor: Executor | None = None,
    on_shard: Callable[[int], None] = lambda games: None,
) -> dict[str, Any]:
    """Write the missing shards of a dataset, then complete its manifest, which is returned.

    A second call continues after an interruption, adds games if the plan has more, and writes
    damaged shards again.  ``on_shard`` is called with the number of games written so far.  Raises
    `DatasetError` if the folder holds something else, or more games.
    """
    entries = _begin(plan, folder)
    exists = [_is_whole(plan, folder, shard, entries) for shard in range(plan.shards)]
    missing = [shard for shard in range(plan.shards) if not exists[shard]]
    games = sum(len(plan.games_of(shard)) for shard in range(plan.shards) if exists[shard])
    on_shard(games)
    tasks = (json.dumps({"plan": plan.to_json(), "shard": k}).encode() for k in missing)
    with closing((executor or SerialExecutor()).map(WORK, tasks)) as made:
        for shard, content in zip(missing, made, strict=True):
            write_atomically(folder / shard_name(shard), content)
            games += len(plan.games_of(shard))
            on_shard(games)
    manifest = {**plan.to_json(), "shards": [_entry(plan, folder, k) for k in range(plan.shards)]}
    write_atomically(folder / MANIFEST, _json(manifest))
    return manifest


def _begin(plan: DatasetPlan, folder: Path) -> list[dict[str, Any]]:
    """Check or begin the folder, and return the shards that its manifest lists."""
    folder.mkdir(parents=True, exist_ok=True)
    begun = {**plan.to_json(), "shards": []}
    if not (folder / MANIFEST).exists():
        if any(folder.iterdir()):
            raise DatasetError(
                f"{folder} is not empty, and holds no dataset: choose another folder"
            )
        write_atomically(folder / MANIFEST, _json(begun))
        return []
    manifest = _read_manifest(folder)
    if {**manifest, "shards": [], "games": plan.games} != begun:
        raise DatasetError(f"{folder} holds another dataset: choose another folder")
    if manifest["games"] > plan.games:
        raise DatasetError(f"{folder} holds {manifest['games']} games: ask for at least as many")
    if manifest["games"] < plan.games:
        write_atomically(folder / MANIFEST, _json(begun))
    entries: list[dict[str, Any]] = manifest["shards"]
    return entries


def _is_whole(
    plan: DatasetPlan, folder: Path, shard: int, entries: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether a shard is there, undamaged, and holds its games of the plan."""
    path = folder / shard_name(shard)
    try:
        if shard < len(entries):
            found = hashlib.sha256(path.read_bytes()).hexdigest()
            if found != entries[shard]["sha256"]:
                return False
        with numpy.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in COLUMNS}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return False
    numbers: list[int] = arrays["game_number"].tolist()
    return numbers == list(plan.games_of(shard))


def _entry(plan: DatasetPlan, folder: Path, shard: int) -> dict[str, Any]:
    content = (folder / shard_name(shard)).read_bytes()
    return {
        "file": shard_name(shard),
        "games": len(plan.games_of(shard)),
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _json(manifest: Mapping[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode()


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DatasetError(f"{folder / MANIFEST} cannot be read: {error}") from None
    if not isinstance(manifest, dict):
        raise DatasetError(f"{folder / MANIFEST} is no manifest of a dataset")
    return manifest


# ---- playing in a worker ------------------------------------------------------------------------


def make_shard(task: bytes) -> bytes:
    """Return the file of a shard."""
    given = json.loads(task)
    plan, shard = DatasetPlan.from_json(given["plan"]), given["shard"]
    recorder = _Recorder(plan)
    backend = interpreted_games(plan.game, recorder)
    seats, rows = plan.options.seats, recorder.rows
    setting = plan.game, plan.options, range(seats), plan.seed % 2**64
    for number in plan.games_of(shard):
        recorder.game, recorder.decision = number, 0
        played = run_games(backend, *setting, range(number, number + 1)).rows
        by_seat = [(seat - number) % seats for seat in range(seats)]
        rows["game_number"].append(number)
        rows["game_end"].append(len(rows["game"]))
        rows["rank"].append([played[RANKS + entrant][0] for entrant in by_seat])
        rows["score"].append([played[RANKS + seats + entrant][0] for entrant in by_seat])
    return _file(plan, rows)


class _Recorder(BotCaller):
    """Asks the bots and records each decision with the candidates of a search."""

    def __init__(self, plan: DatasetPlan) -> None:
        self._bots = [Bot.named(plan.game, name) for name in plan.bots]
        super().__init__(self._bots)
        self._to_move = game_named(plan.game).to_move
        self.rows: dict[str, list[Any]] = defaultdict(list)
        self.game = self.decision = 0

    def choose(self, seen: Any, bot: int, actions: list[int], count: int, choices: Chance) -> int:
        assert isinstance(choices, Stream)
        legal, player, rows = actions[:count], self._bots[bot], self.rows
        rows["game"].append(self.game)
        rows["decision"].append(self.decision)
        rows["seat"].append(self._to_move(seen))
        rows["bot"].append(bot)
        rows["view"].append(to_bytes(seen))
        rows["legal"].append(sum(1 << action for action in legal))
        if isinstance(player.info, Level):
            found = player.search(seen, seed=choices.key % 2**63)
            action = found.action
            for candidate in found.candidates:
                if candidate.visits:
                    rows["candidate_action"].append(candidate.action)
                    rows["candidate_visits"].append(candidate.visits)
                    rows["candidate_chance"].append(candidate.chance)
        else:
            action = player.choose(seen, legal, chance=choices)
        rows["action"].append(action)
        rows["candidate_end"].append(len(rows["candidate_action"]))
        self.decision += 1
        return action


def _file(plan: DatasetPlan, rows: dict[str, list[Any]]) -> bytes:
    definition = game_named(plan.game)
    width = record_layout(definition.state).size
    bits = -(-definition.actions // 8)
    masks = b"".join(legal.to_bytes(bits, "little") for legal in rows["legal"])
    arrays: dict[str, Any] = {name: rows[name] for name in COLUMNS}
    arrays["view"] = numpy.frombuffer(b"".join(rows["view"]), numpy.uint8).reshape(-1, width)
    arrays["legal"] = numpy.frombuffer(masks, numpy.uint8).reshape(-1, bits)
    for name, (kind, _, _) in COLUMNS.items():
        arrays[name] = numpy.asarray(arrays[name], kind)
    file = io.BytesIO()
    numpy.savez_compressed(file, **arrays)
    return file.getvalue()


# ---- reading ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision:
    """A decision as its seat saw it, and the end of the game."""

    game: int
    number: int
    seat: int
    bot: str
    view: Any
    legal: tuple[int, ...]
    action: int
    candidates: tuple[Candidate, ...]
    ranks: tuple[int, ...]
    """Final ranks by seat."""
    scores: tuple[int, ...]


class Shard:
    """Arrays of some games, by the names in `dataset_plan.COLUMNS`."""

    def __init__(self, plan: DatasetPlan, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._plan = plan
        self.arrays = arrays

    def __len__(self) -> int:
        return len(self.arrays["game"])

    def __getitem__(self, column: str) -> NDArray[Any]:
        return self.arrays[column]

    @cached_property
    def games(self) -> NDArray[numpy.int64]:
        """Row of its game for each decision."""
        return numpy.searchsorted(self["game_end"], numpy.arange(len(self)), side="right")

    def masks(self) -> NDArray[numpy.int8]:
        """Masks of the legal actions, one entry per action."""
        bits = numpy.unpackbits(self["legal"], axis=1, bitorder="little")
        return bits[:, : spec_of(self._plan.game).actions].astype(numpy.int8)

    def win_shares(self) -> NDArray[numpy.float32]:
        """For each decision, the seat's share of the win at the end of the game."""
        first = self["rank"] == 0
        shares = first / first.sum(axis=1, keepdims=True)
        own: NDArray[numpy.float32] = shares[self.games, self["seat"]].astype(numpy.float32)
        return own

    shares = former_attribute("Shard.shares", "win_shares")

    def observations(self, compiled: bool | None = None) -> NDArray[numpy.float32]:
        """Observations of the deciding seats (see `archipel.envs.observation_spec`)."""
        game = self._plan.game
        out = numpy.empty((len(self), spec_of(game).size), numpy.float32)
        backend = batch_backend(game, False, compiled)
        states = backend.states(len(self))
        if backend.compiled:
            states = numpy.ascontiguousarray(self["view"]).view(states.dtype).reshape(-1)
        else:
            for row, view in enumerate(self._views()):
                states[row] = view
        backend.observe_states(states, self["seat"].astype(numpy.int64), out, len(self))
        return out

    def decisions(self) -> Iterator[Decision]:
        """Yield the decisions as plain objects."""
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
    """A complete dataset in a folder.  Raises `DatasetError`."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.manifest = _read_manifest(self.folder)
        try:
            self.plan = DatasetPlan.from_json(self.manifest)
        except (KeyError, TypeError, ValueError) as error:
            raise DatasetError(f"{self.folder}: {error}") from None
        if len(self.manifest["shards"]) != self.plan.shards:
            raise DatasetError(f"{self.folder} is not complete: go on with the same command")

    def __len__(self) -> int:
        """Number of shards."""
        return self.plan.shards

    def shard(self, number: int, check: bool = True) -> Shard:
        """Read a shard; ``check`` compares the file with its hash in the manifest."""
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
