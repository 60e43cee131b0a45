"""The study of the table options: measured as it says, and the page that is kept."""

from __future__ import annotations

from archipel.bots.mauna_kea.roster import GREEDY_1, GREEDY_2
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.options import Options
from archipel.study import simulate
from benchmarks.mauna_kea_study import (
    GAMES,
    HEADER,
    PAGE,
    RECOMMENDED,
    SAVED_BY_BOAT,
    SCORE,
    SEED,
    Measured,
    measure,
    program,
    tables,
)


def some_games(options: Options) -> Measured:
    return measure(program().interpreted(), options, [GREEDY_2, GREEDY_1], 6)


def test_scores_are_those_of_simulate() -> None:
    options = MAUNA_KEA.make_options(2, layout="diagonal")
    measured = some_games(options)
    bots = ["greedy-2", "greedy-1"]
    result = simulate("mauna-kea", bots, 6, seed=SEED, options=options, compiled=False)
    for bot in range(2):
        mean = sum(measured.seats[SCORE][bot::2]) / 6
        assert abs(mean - result.to_dict()["results"][bot]["mean_score"]) < 1e-9


def test_intervals_are_those_of_the_games() -> None:
    measured = Measured(MAUNA_KEA.make_options(2), games=2)
    measured.seats[SAVED_BY_BOAT] = [0, 4, 4, 0]  # every game alike, though the seats differ
    assert measured.mean(SAVED_BY_BOAT) == "2.00 ± 0.00"


def test_the_page_has_every_table_and_ends_with_what_to_choose() -> None:
    text = PAGE.read_text("utf-8")
    assert text.count(HEADER) == 2
    for expert, heading in ((False, "## Base game"), (True, "## Expert game")):
        rows = text.split(heading)[1].split("##")[0]
        for options in tables(expert):
            quiet = "on" if options["quiet_first_round"] else "off"
            assert f"| {options.seats} | {options['layout']} | {quiet} |" in rows
    assert f"{GAMES:,} games" in text
    assert f"seed {SEED};" in text
    assert text.rstrip().endswith(RECOMMENDED)
