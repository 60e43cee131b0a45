"""Datasets: equal bytes on all executors; arrays and decisions read back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator, Iterable
from pathlib import Path

import numpy
import pandas
import pytest

from archipel.bots import Bot
from archipel.cli import main
from archipel.envs.dataset import Dataset, DatasetError, write_dataset
from archipel.envs.dataset_parquet import read_parquet, write_parquet
from archipel.envs.dataset_plan import MANIFEST, DatasetPlan, shard_name
from archipel.envs.observation_spec import observing, spec_of
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, stream_key
from archipel.study.executors.executor import SerialExecutor, open_executor


def plan_of(game: str, bots: tuple[str, ...], games: int, per_shard: int = 2) -> DatasetPlan:
    options = game_named(game).make_options(len(bots))
    return DatasetPlan(game, options, bots, 5, games, per_shard)


def digest(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    bots = ("random", "greedy-1", "first-game-1")
    write_dataset(plan_of("deep-sea", bots, games=3), folder)
    return folder


def test_decisions_replay(written: Path) -> None:
    """Every decision is its bot's choice in its view, and the games end as recorded."""
    dataset = Dataset(written)
    plan = dataset.plan
    definition = game_named(plan.game)
    searched = 0
    for shard in dataset:
        chance = s = None
        choices_key = 0
        for decision in shard.decisions():
            if decision.number == 0:
                key = stream_key(plan.seed, decision.game)
                chance, choices_key = Stream(key), stream_key(key, 1)
                s = definition.new(plan.options, chance)
            assert s is not None
            assert chance is not None
            assert decision.seat == definition.to_move(s)
            assert decision.bot == plan.bots[(decision.seat - decision.game) % 3]
            assert decision.view == definition.recalled(s, decision.seat)
            assert list(decision.legal) == definition.legal_actions(s)
            if decision.bot == "greedy-1":
                stream = Stream(stream_key(choices_key, decision.number))
                bot = Bot.named(plan.game, decision.bot)
                assert decision.action == bot.choose(decision.view, decision.legal, chance=stream)
            if decision.candidates:
                searched += 1
                assert decision.bot == "first-game-1"
                assert {one.action for one in decision.candidates} <= set(decision.legal)
                assert all(0 <= one.chance <= 1 for one in decision.candidates)
            definition.apply(s, decision.action, chance)
            outcome = definition.outcome(s)
            if outcome is not None:
                assert (decision.ranks, decision.scores) == (outcome.ranks, outcome.scores)
    assert searched > 10


def test_arrays(written: Path) -> None:
    shard = Dataset(written).shard(1)
    assert set(shard["game"]) == {2}
    masks = shard.masks()
    assert masks.shape == (len(shard), 17)
    assert masks[numpy.arange(len(shard)), shard["action"]].all()
    assert 0 < shard.win_shares().sum() <= len(shard)
    observations = shard.observations()
    numpy.testing.assert_array_equal(observations, shard.observations(compiled=False))
    first = next(shard.decisions())
    out = [0.0] * spec_of("deep-sea").size
    observing("deep-sea")(first.view, first.seat, out)
    numpy.testing.assert_array_equal(observations[0], numpy.array(out, numpy.float32))


def test_bytes_do_not_depend_on_the_executor(written: Path, tmp_path: Path) -> None:
    plan = Dataset(written).plan
    with open_executor("processes", 2) as executor:
        write_dataset(plan, tmp_path, executor=executor)
    assert digest(tmp_path) == digest(written)


class Interrupted(SerialExecutor):
    """Stops after the first shard."""

    def map(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        yield next(super().map(work, tasks))
        raise KeyboardInterrupt


def test_writing_resumes_after_an_interruption(tmp_path: Path) -> None:
    plan = plan_of("deep-sea", ("random", "random"), games=5)
    reported: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        write_dataset(plan, tmp_path / "a", executor=Interrupted())
    with pytest.raises(DatasetError, match="not complete"):
        Dataset(tmp_path / "a")
    kept = (tmp_path / "a" / shard_name(0)).stat().st_mtime_ns
    write_dataset(plan, tmp_path / "a", on_shard=reported.append)
    assert reported == [2, 4, 5]
    assert (tmp_path / "a" / shard_name(0)).stat().st_mtime_ns == kept
    write_dataset(plan, tmp_path / "b")
    assert digest(tmp_path / "a") == digest(tmp_path / "b")
    assert sorted(digest(tmp_path / "a")) == [MANIFEST, *(shard_name(k) for k in range(3))]


def test_adding_games_equals_writing_them_at_once(tmp_path: Path) -> None:
    short, long = (plan_of("deep-sea", ("random", "random"), games=games) for games in (3, 5))
    write_dataset(short, tmp_path / "a")
    kept = (tmp_path / "a" / shard_name(0)).stat().st_mtime_ns
    reported: list[int] = []
    write_dataset(long, tmp_path / "a", on_shard=reported.append)
    assert reported == [2, 4, 5]
    assert (tmp_path / "a" / shard_name(0)).stat().st_mtime_ns == kept
    write_dataset(long, tmp_path / "b")
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


@pytest.mark.parametrize("listed", [True, False])
def test_damaged_shards_are_written_again(tmp_path: Path, listed: bool) -> None:
    """Whether the manifest already lists them or writing was interrupted."""
    plan = plan_of("deep-sea", ("random", "random"), games=3)
    write_dataset(plan, tmp_path)
    right = digest(tmp_path)
    if not listed:
        manifest = json.loads((tmp_path / MANIFEST).read_text())
        (tmp_path / MANIFEST).write_text(json.dumps({**manifest, "shards": []}))
    path = tmp_path / shard_name(1)
    path.write_bytes(path.read_bytes()[:-100])
    write_dataset(plan, tmp_path)
    assert digest(tmp_path) == right


def test_parquet_has_the_same_decisions(written: Path, tmp_path: Path) -> None:
    """Read without Archipel: by pandas, as a user would."""
    dataset, path = Dataset(written), tmp_path / "data.parquet"
    rows = write_parquet(dataset, path, compiled=False)
    frame = pandas.read_parquet(path)
    assert len(frame) == rows
    assert not list(tmp_path.glob("*.growing"))
    first = 0
    for shard in dataset:
        part = frame[first : first + len(shard)]
        first += len(shard)
        observations = shard.observations(compiled=False)
        numpy.testing.assert_array_equal(numpy.stack(list(part.obs)), observations)
        numpy.testing.assert_array_equal(numpy.stack(list(part.action_mask)), shard.masks())
        numpy.testing.assert_array_equal(part.win_share, shard.win_shares())
        for decision, row in zip(shard.decisions(), part.itertuples(), strict=True):
            assert (row.game, row.decision, row.seat) == (
                decision.game,
                decision.number,
                decision.seat,
            )
            assert (row.bot, row.action) == (decision.bot, decision.action)
            assert (row.rank, row.score) == (
                decision.ranks[decision.seat],
                decision.scores[decision.seat],
            )
            assert list(row.candidate_action) == [one.action for one in decision.candidates]
    assert frame.terminated.sum() == dataset.plan.games
    table = read_parquet(path)
    assert json.loads(table.schema.metadata[b"archipel-dataset"]) == dataset.manifest


def test_damaged_parquet_is_refused(written: Path, tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    write_parquet(Dataset(written), path, compiled=False)
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=r"data.parquet cannot be read"):
        read_parquet(path)
    foreign = pandas.DataFrame({"a": [1]})
    foreign.to_parquet(path)
    with pytest.raises(DatasetError, match=r"no dataset of Archipel"):
        read_parquet(path)


def test_damaged_or_foreign_folders_are_refused(tmp_path: Path) -> None:
    plan = plan_of("deep-sea", ("random", "random"), games=2)
    write_dataset(plan, tmp_path / "a")
    with pytest.raises(DatasetError, match="another dataset"):
        write_dataset(plan_of("deep-sea", ("random", "greedy-1"), games=3), tmp_path / "a")
    with pytest.raises(DatasetError, match="holds 2 games: ask for at least as many"):
        write_dataset(plan_of("deep-sea", ("random", "random"), games=1), tmp_path / "a")
    path = tmp_path / "a" / shard_name(0)
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(DatasetError, match="not the file"):
        Dataset(tmp_path / "a").shard(0)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("dear Ana")
    with pytest.raises(DatasetError, match="not empty"):
        write_dataset(plan, tmp_path / "b")
    assert [file.name for file in (tmp_path / "b").iterdir()] == ["letter.txt"]
    manifest = tmp_path / "a" / MANIFEST
    manifest.write_text(manifest.read_text().replace("archipel-dataset-1", "archipel-dataset-9"))
    with pytest.raises(DatasetError, match="format"):
        Dataset(tmp_path / "a")
    manifest.write_text("[]")
    with pytest.raises(DatasetError, match="no manifest"):
        Dataset(tmp_path / "a")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "data")
    asked = ["dataset", "deep-sea", "--bots", "greedy,random", "--games", "3", "--seed", "8"]
    where = ["--per-shard", "2", "--to", folder, "--workers", "1"]
    assert main([*asked, *where, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "data" / MANIFEST).read_text())
    assert printed["bots"] == ["greedy-1", "random"]
    assert main(["--lang", "fr", *asked, *where]) == 0
    assert "3 parties en 2 fichiers" in capsys.readouterr().out
    table = str(tmp_path / "data.parquet")
    assert main([*asked, "--games", "4", *where, "--parquet", table]) == 0, "one more game"
    assert len(read_parquet(table)) == sum(len(shard) for shard in Dataset(folder))
    capsys.readouterr()
    assert main([*asked, "--games", "2", *where]) == 2
    assert "something else" in capsys.readouterr().err
    assert main(["dataset", "deep-sea", "--bots", "nobody"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
