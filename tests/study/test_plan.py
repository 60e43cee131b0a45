"""Plans: every combination is a table; errors name their line."""

from __future__ import annotations

import pytest

from archipel.rules.options import OptionError
from archipel.study.experiments.plan import Part, Target, plan_of
from archipel.study.experiments.plan_file import PlanError, lines_of_keys, read_plan

PLAN = '''
title = "Tea"
question = """
Which tea?
games = 3
"""
games = 500

[[tables]]
game = "deep-sea"
seats = [2, 4]
bots = "greedy"

[tables.options]
drop_order = ["taken", "chosen"]

[[tables]]
game = "the-island"
bots = ["greedy", "random"]
rotate = false
target = {figure = "saved", half_width = 0.25}
combine = false
options.crowded = [false, true]
options.sunken = [false, true]
options.last_one = [false, true]
heading = "Where it is cold"
'''


def test_every_combination_is_a_table() -> None:
    plan = read_plan(PLAN)
    first, second = ([t for t in plan.tables if t.group == group] for group in (0, 1))
    assert [(t.seats, t.options["drop_order"]) for t in first] == [
        (2, "taken"),
        (2, "chosen"),
        (4, "taken"),
        (4, "chosen"),
    ]
    assert {t.games for t in first} == {500}
    assert {t.bots for t in first} == {("greedy-1",) * 2, ("greedy-1",) * 4}
    assert [(t.options["crowded"], t.options["sunken"], t.options["last_one"]) for t in second] == [
        (False, False, False),
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ], "one at a time, because sunken and last_one exclude each other"
    assert second[0].target == Target("saved", 0.25)
    assert not second[0].rotate
    assert plan.headings == ("", "Where it is cold")
    assert len({table.key for table in plan.tables}) == len(plan.tables)


def test_plan_from_python_equals_plan_from_toml() -> None:
    orders = {"drop_order": ("taken", "chosen")}
    parts = [Part("deep-sea", "greedy", (2, 4), orders, games=500)]
    assert plan_of("Tea", parts).tables == read_plan(PLAN).tables[:4]
    with pytest.raises(OptionError):
        plan_of("Tea", [Part("deep-sea", "greedy", (9,))])


def test_batches_do_not_depend_on_the_rest_of_the_plan() -> None:
    few, many = (
        plan_of("Tea", [Part("deep-sea", "greedy", (seats, 3), games=games)])
        for seats, games in ((2, 4100), (4, 90_000))
    )
    tasks = list(few.tables[1].tasks())
    assert [(task.first, task.games) for task in tasks] == [(0, 2000), (2000, 2000), (4000, 100)]
    assert tasks[:2] == list(many.tables[1].tasks())[:2]
    assert few.tables[0].own_seed != few.tables[1].own_seed


def test_lines_of_keys() -> None:
    lines = lines_of_keys(PLAN)
    assert lines["games",] == 7, "not the line in the multi-line text"
    assert lines["tables", 0, "options", "drop_order"] == 15
    assert lines["tables", 1, "bots"] == 19
    assert lines["tables", 1, "target", "half_width"] == 21
    assert lines["tables", 1, "options", "sunken"] == 24


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("games = 500", "games = ", "line 7: this is no TOML: Invalid value"),
        ('title = "Tea"', "", "line 1: a study has a title"),
        ("games = 500", "gmaes = 500", "line 7: gmaes: no such key; did you mean games?"),
        ("games = 500", "games = 0", "line 7: games: expected a number from 1 to 1000000000"),
        ('game = "deep-sea"', 'game = "deap-sea"', "line 10: tables[1].game: no game is called"),
        ("seats = [2, 4]", "seats = [2, 9]", "line 11: tables[1].seats: deep-sea is for 2 to 6"),
        ('"greedy"\n\n', '"greddy"\n\n', "line 12: tables[1].bots: no such bot; did you mean gree"),
        ("drop_order", "drop_oder", "options.drop_oder: no such option; did you mean drop_order?"),
        (
            '"chosen"]',
            '"eaten"]',
            "line 15: tables[1].options.drop_order: drop_order: eaten is not",
        ),
        ("half_width = 0.25", "half_width = 0", "line 21: tables[2].target.half_width: expected a"),
        (
            '"saved"',
            '"safed"',
            "line 21: tables[2].target.figure: no such figure; did you mean sav",
        ),
        ("rotate = false", "rotate = 1", "line 20: tables[2].rotate: expected true or false"),
        ("combine = false", "", "tables[2].options: last_one and sunken exclude each other"),
        ('["greedy", "random"]', "7", "line 19: tables[2].bots: expected a bot for all seats"),
        ("[[tables]]", "[[tabels]]", "line 9: tabels: no such key; did you mean tables?"),
    ],
)
def test_errors_are_one_line(before: str, after: str, expected: str) -> None:
    assert before in PLAN
    with pytest.raises(PlanError) as error:
        read_plan(PLAN.replace(before, after))
    assert expected in str(error.value)
    assert "\n" not in str(error.value)
    assert "ligne" in error.value.tell("fr")
