"""Studies: equal bytes on all executors, resumable, with correct sums."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from archipel.rules.all_games import game_named
from archipel.rules.catalogue import load_catalogue
from archipel.study import simulate
from archipel.study.executors.executor import SerialExecutor, WorkFailed
from archipel.study.experiments import batches
from archipel.study.experiments.batches import Task, play_batch
from archipel.study.experiments.plan import Part, Plan, Target, plan_of
from archipel.study.experiments.run_plan import (
    BATCHES,
    ROWS,
    SUMMARY,
    StudyError,
    read_summary,
    run_plan,
    summary_bytes,
)
from archipel.study.experiments.summary import effects
from archipel.study.reports.report_page import page
from archipel.study.simulation.game_programs import games_program

parquet = pytest.importorskip("pyarrow.parquet", reason="PyArrow is not installed: no rows")

DOCUMENT = Path(__file__).parents[2] / "docs" / "data-files.md"


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "COMPILED_BATCH", 50)


def plan(games: int = 130, **given: Any) -> Plan:
    orders = {"drop_order": ("taken", "chosen")}
    return plan_of(
        "Try",
        [
            Part("deep-sea", "greedy", (2, 3), orders, games=games, **given),
            Part("deep-sea", ("greedy", "random", "random"), games=games, heading="Beside others"),
        ],
        question="Which <order>?",
        conclusion="* It **depends**,\n  mostly\n* on `order`",
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in (SUMMARY, ROWS)}


class Recorder(SerialExecutor):
    """Records its tasks and fails after ``most`` of them."""

    def __init__(self, most: int = 10**9) -> None:
        self.done: list[Task] = []
        self._most = most

    def map(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        def counted() -> Iterable[bytes]:
            for task in tasks:
                if len(self.done) == self._most:
                    raise WorkFailed("power failure")
                self.done.append(msgspec.msgpack.decode(task, type=Task))
                yield task

        yield from super().map(work, counted())


def test_output_does_not_depend_on_workers(tmp_path: Path) -> None:
    here = run_plan(plan(), tmp_path / "one", workers=1)
    assert [table.games for table in here.tables] == [130] * 5
    there = run_plan(plan(), tmp_path / "two", workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    words = load_catalogue("archipel", "en")
    assert page(here, words) == page(there, words)
    assert not (tmp_path / "one" / BATCHES).exists()


def test_study_resumes_after_an_interruption(tmp_path: Path) -> None:
    run_plan(plan(), tmp_path / "whole", workers=1)
    folder = tmp_path / "stopped"
    with pytest.raises(WorkFailed, match="power failure"):
        run_plan(plan(), folder, executor=Recorder(7))
    assert not (folder / ROWS).exists()
    assert not (folder / SUMMARY).exists()
    kept = sorted((folder / BATCHES).iterdir())
    assert len(kept) == 7
    kept[0].write_bytes(b"rubbish")  # damaged: is played again
    recorder = Recorder()
    run_plan(plan(), folder, executor=recorder)
    assert len(recorder.done) == 15 - 7
    assert contents(folder) == contents(tmp_path / "whole")
    again = Recorder()
    reworded = replace(plan(), title="Once more", headings=("One", "Two"))
    found = run_plan(reworded, folder, executor=again)
    assert again.done == [], "no game is missing"
    assert (found.title, found.headings) == ("Once more", ("One", "Two"))
    with pytest.raises(StudyError, match="other"):
        run_plan(plan(200), folder)


def test_batches_of_another_plan_are_reused(tmp_path: Path) -> None:
    run_plan(plan(), tmp_path / "whole", workers=1, rows=False)
    with pytest.raises(WorkFailed):
        run_plan(plan(200), tmp_path / "elsewhere", executor=Recorder(7), rows=False)
    here = tmp_path / "here" / BATCHES
    here.mkdir(parents=True)
    for batch in (tmp_path / "elsewhere" / BATCHES).iterdir():
        batch.rename(here / batch.name)
    recorder = Recorder()
    run_plan(plan(), here.parent, executor=recorder, rows=False)
    assert len(recorder.done) == 15 - 4, "two batches each of two tables are reused"
    ours, theirs = (tmp_path / name / SUMMARY for name in ("here", "whole"))
    assert ours.read_bytes() == theirs.read_bytes()


def test_table_ends_when_its_target_is_reached(tmp_path: Path) -> None:
    target = Target("score", 1.2)
    wanted = plan_of("Until", [Part("deep-sea", "greedy", (2,), target=target)])
    found = run_plan(wanted, tmp_path / "one", workers=1)
    (table,) = found.tables
    assert table.mean("score").half <= 1.2
    assert table.games % 50 == 0
    before = run_plan(
        plan_of("Before", [Part("deep-sea", "greedy", (2,), games=table.games - 50)]),
        tmp_path / "before",
        workers=1,
    )
    assert table.games - 50 < 100 or before.tables[0].mean("score").half > 1.2
    run_plan(wanted, tmp_path / "two", workers=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    most = Target("wins of seat 1", 0.0001, most_games=120)
    limited = plan_of("Until", [Part("deep-sea", "greedy", (2,), target=most)])
    assert run_plan(limited, tmp_path / "most", workers=1).games == 120


def test_sums_match_the_rows(tmp_path: Path) -> None:
    summary = run_plan(plan(), tmp_path, workers=1)
    rows = parquet.read_table(tmp_path / ROWS).to_pylist()
    assert len(rows) == 130 * (2 + 2 + 3 + 3 + 3)
    for number, table in enumerate(summary.tables):
        mine = [row for row in rows if row["table"] == number]
        assert {row["seats"] for row in mine} == {table.seats}
        assert {row["option_drop_order"] for row in mine} == {table.options["drop_order"]}
        games = table.games
        for figure in ("score", "home", "drowned", "chips", "deepest"):
            mean = sum(row[figure] for row in mine) / len(mine)
            assert table.mean(figure).value == pytest.approx(mean)
        for seat in range(table.seats):
            won = sum(row["won"] for row in mine if row["seat"] == seat)
            assert table.wins(seat)[0] == pytest.approx(won / games)
            scores = sum(row["score"] for row in mine if row["seat"] == seat)
            assert table.by_seat["score"][seat] == scores
        for bot in set(table.bots):
            won = sum(row["won"] for row in mine if row["bot"] == bot)
            assert table.bot_wins(bot)[0] == pytest.approx(won / games / table.bots.count(bot))
            ranks = [row["rank"] for row in mine if row["bot"] == bot]
            assert table.bot_firsts(bot)[0] == pytest.approx(ranks.count(0) / len(ranks))
        assert sum(table.lost) == sum(row["drowned"] for row in mine)
        assert table.endings == {"rounds": games}
        assert table.survivors[0][0] == games * table.seats
        assert sum(table.survivors[0][1:4]) == sum(row["home"] for row in mine)
        best = [max(r["score"] for r in mine if r["number"] == game) for game in range(games)]
        assert table.mean("best").value == pytest.approx(sum(best) / games)
    mixed = [row for row in rows if row["table"] == 4]
    seats = {row["seat"] for row in mixed if row["bot"] == "greedy-1"}
    assert seats == {0, 1, 2}, "seats rotate"
    text = DOCUMENT.read_text("utf-8")
    for column in parquet.read_schema(tmp_path / ROWS).names:
        assert f"`{column}`" in text or column.startswith("option_")


def test_games_are_the_same_as_in_a_simulation(tmp_path: Path) -> None:
    """Collecting metrics does not change the games."""
    (table,) = plan_of("Same", [Part("deep-sea", "greedy", (4,), games=60)]).tables
    summary = run_plan(plan_of("Same", [Part("deep-sea", "greedy", (4,), games=60)]), tmp_path)
    other = simulate("deep-sea", ["greedy"] * 4, 60, seed=table.own_seed)
    expected = [won.rate for won in other.by_seat]
    found = [summary.tables[0].wins(seat)[0] for seat in range(4)]
    assert found == pytest.approx(expected)
    assert summary.tables[0].totals["decisions"][0] == other.decisions


@pytest.mark.parametrize(
    ("game", "seats", "bots"),
    [("deep-sea", 3, ("greedy-1", "random", "greedy-1")), ("atlantis", 2, ("random", "random"))],
)
def test_interpreted_bots_play_the_same_games(
    game: str, seats: int, bots: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path of games with bots that search."""
    options = dict(game_named(game).make_options(seats).values)
    task = Task(game, seats, options, bots, True, 5, 7, 3)
    compiled = play_batch(task, games_program(game, metrics=True).interpreted())
    monkeypatch.setattr(batches, "searches", lambda *given: True)
    assert play_batch(task) == compiled


def test_searching_bot(tmp_path: Path) -> None:
    wanted = plan_of("Think", [Part("deep-sea", "first-game", (2,), games=1)])
    summary = run_plan(wanted, tmp_path, workers=1, rows=False)
    (table,) = summary.tables
    assert table.bots == ("first-game-1",) * 2
    assert table.games == 1
    frame = summary.to_frame()
    assert list(frame.figure) == list(table.totals)
    assert frame["mean"][0] == table.mean("decisions").value
    assert repr(summary) == "<Summary 'Think': 1 tables, 1 games>"


def test_effects_are_differences_between_pairs_of_tables(tmp_path: Path) -> None:
    summary = run_plan(plan(), tmp_path, workers=1, rows=False)
    tables = summary.tables[:4]
    found = list(effects(tables, ["score"]))
    assert [(e.option, e.value, e.seats, e.pairs) for e in found] == [
        ("drop_order", "chosen", 2, 1),
        ("drop_order", "chosen", 3, 1),
    ]
    first, second = (table.mean("score") for table in tables[:2])
    assert found[0].change.value == pytest.approx(second.value - first.value)
    assert found[0].change.half == pytest.approx((first.half**2 + second.half**2) ** 0.5)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_report_is_self_contained(tmp_path: Path, language: str) -> None:
    summary = run_plan(plan(), tmp_path, workers=1, rows=False)
    text = page(summary, load_catalogue("archipel", language))
    assert "Which &lt;order&gt;?" in text
    title = game_named("deep-sea").title(language)
    colon = "\N{NO-BREAK SPACE}:" if language == "fr" else ":"
    assert f"<h2>{title}, greedy-1</h2>" in text
    assert f"<h2>Beside others{colon} {title}, greedy-1 + random ×2</h2>" in text
    bullets = (
        "<ul><li>It <strong>depends</strong>,\n  mostly</li><li>on <code>order</code></li></ul>"
    )
    assert bullets in text
    assert text.count("<svg ") == 7 + 4
    addresses = text.replace("http://www.w3.org/2000/svg", "")
    for fetched in ("http:", "https:", "src=", "href=", "@import", "url("):
        assert fetched not in addresses
    assert "prefers-color-scheme:dark" in text


def test_summary_reads_back(tmp_path: Path) -> None:
    summary = run_plan(plan(60), tmp_path, workers=1, rows=False)
    assert read_summary(tmp_path / SUMMARY) == summary
    assert summary_bytes(summary) == (tmp_path / SUMMARY).read_bytes()
    (tmp_path / SUMMARY).write_bytes(b"{")
    with pytest.raises(StudyError, match="no_summary"):
        read_summary(tmp_path / SUMMARY)
