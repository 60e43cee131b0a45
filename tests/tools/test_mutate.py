"""The mutation tool, and its files of mutants and survivors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from tools.mutate.__main__ import folder_of_tests, main
from tools.mutate.children import TIMED_OUT, in_children, limit_time
from tools.mutate.explained import ExplanationError, load_explanations
from tools.mutate.generated import Mutant, generate
from tools.mutate.named import NamedMutantError, load_named
from tools.mutate.simulation import load_mutants
from tools.rule_index import ROOT, package_folder

GAMES = list(games())

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are tried in forks")

#: A named mutant that changes a docstring; a rule replaced by itself; and a real mutant.
HARMLESS = """
from dataclasses import replace

from archipel.rules.all_games import game_named
from archipel.rules.deep_sea.round_end import score
from tools.mutate.generated import generate
from tools.mutate.generated_run import try_mutants
from tools.mutate.named import NamedMutant, try_named
from tools.rule_index import ROOT, package_folder

game = game_named("deep-sea")
folder = package_folder(game)
tests = ROOT / "tests" / "rules" / "deep_sea"
words = NamedMutant("DS-T1", "turn.py", "the air drops", "the air falls", "only words change")
names = [f"{tests / 'test_turn.py'}::test_the_air_drops_by_the_load"]
for verdict in try_named(game.package, folder, [words], {"DS-T1": names}, 1, lambda _: None):
    print(verdict.killed, verdict.problem)
mutant = next(mutant for mutant in generate(folder) if mutant.function == "score")
same = replace(mutant, code=score.__code__, number=99)
tests = tests / "test_game_end.py"
for found in try_mutants(game.package, tests, [same, mutant], 1, lambda _: None):
    print(found.killed)
"""


def run_tool(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.mutate", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=_environment(),
        check=False,
    )


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}


# ---- the files of mutants -----------------------------------------------------------------------


@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_every_rule_has_a_named_mutant_that_fits(definition: Definition[Any]) -> None:
    mutants = load_named(folder_of_tests(definition) / "mutants.toml", package_folder(definition))
    named = {mutant.rule for mutant in mutants}
    ids = {rule.id for rule in definition.booklet("en")}
    assert ids - named == set(), "rules without a named mutant"
    assert named - ids == set(), "named mutants of unknown rules"


@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_every_explanation_belongs_to_an_existing_mutant(definition: Definition[Any]) -> None:
    keys = {mutant.key for mutant in generate(package_folder(definition))}
    explanations = load_explanations(folder_of_tests(definition) / "survivors.toml")
    assert [str(explanation) for explanation in explanations if explanation.key not in keys] == []
    assert len({explanation.key for explanation in explanations}) == len(explanations)


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ('find = "one"\nreplace = "two"', "expected id, file"),
        (
            'id = "X"\nfile = "no.py"\nfind = "one"\nreplace = "two"\nnote = "n"',
            "the game has no file no.py",
        ),
        (
            'id = "X"\nfile = "some.py"\nfind = "three"\nreplace = "two"\nnote = "n"',
            "'three' is 0 times in some.py, not once",
        ),
        (
            'id = "X"\nfile = "some.py"\nfind = "one"\nreplace = "two"\nnote = "n"',
            "'one' is 2 times in some.py, not once",
        ),
        (
            'id = "X"\nfile = "some.py"\nfind = "four"\nreplace = "four"\nnote = "n"',
            "find and replace are the same",
        ),
    ],
)
def test_a_named_mutant_without_its_source_line_is_refused(
    tmp_path: Path, entry: str, complaint: str
) -> None:
    (tmp_path / "some.py").write_text("one = one = four\n")
    (tmp_path / "mutants.toml").write_text(f"[[mutant]]\n{entry}\n")
    with pytest.raises(NamedMutantError, match="mutant 1") as caught:
        load_named(tmp_path / "mutants.toml", tmp_path)
    assert complaint in str(caught.value)


def test_an_explanation_needs_a_reason(tmp_path: Path) -> None:
    entry = 'file = "a"\nfunction = "b"\nbefore = "c"\nafter = "d"\nwhy = " "'
    (tmp_path / "survivors.toml").write_text(f"[[survivor]]\n{entry}\n")
    with pytest.raises(ExplanationError, match="survivor 1"):
        load_explanations(tmp_path / "survivors.toml")


# ---- generated mutants --------------------------------------------------------------------------

SOURCE = '''\
@rule
def some(s: State, n: int) -> int:
    """Not changed."""
    for i in range(n):
        if not s.a[i] and i < 3:
            s.b += 1
            continue
    return max(0, -s.b)


def other(n: int) -> int:
    return n + 1
'''


def mutants_of(tmp_path: Path, source: str) -> list[Mutant]:
    (tmp_path / "some.py").write_text(source)
    return generate(tmp_path)


def test_mutants_of_every_kind_in_source_order(tmp_path: Path) -> None:
    found = mutants_of(tmp_path, SOURCE)
    changes = [(mutant.id, mutant.after) for mutant in found]
    condition = "if not s.a[i] and i < 3:"
    assert changes == [
        ("some.py:4:range", "for i in range(1, n):"),
        ("some.py:4:range#2", "for i in range(0, n + 1):"),
        ("some.py:4:range#3", "for i in range(0, n - 1):"),
        ("some.py:5:condition", "if True:"),
        ("some.py:5:condition#2", "if False:"),
        ("some.py:5:logic", "if not s.a[i] or i < 3:"),
        ("some.py:5:negation", "if s.a[i] and i < 3:"),
        ("some.py:5:compare", condition.replace("<", "<=")),
        ("some.py:5:compare#2", condition.replace("<", ">=")),
        ("some.py:5:number", condition.replace("3", "4")),
        ("some.py:5:number#2", condition.replace("3", "2")),
        ("some.py:6:statement", "pass"),
        ("some.py:6:arithmetic", "s.b -= 1"),
        ("some.py:6:number", "s.b += 2"),
        ("some.py:6:number#2", "s.b += 0"),
        ("some.py:7:flow", "pass"),
        ("some.py:8:flow", "pass"),
        ("some.py:8:extreme", "return min(0, -s.b)"),
        ("some.py:8:number", "return max(1, -s.b)"),
        ("some.py:8:number#2", "return max(-1, -s.b)"),
        ("some.py:8:sign", "return max(0, s.b)"),
    ]
    assert {mutant.function for mutant in found} == {"some"}


def test_equal_changes_in_one_function_are_distinguished(tmp_path: Path) -> None:
    source = "@rule\ndef some(s: State) -> None:\n    s.a = s.b\n    s.c = s.d\n    s.a = s.b\n"
    found = mutants_of(tmp_path, source)
    assert [mutant.occurrence for mutant in found] == [1, 1, 2]
    assert len({mutant.key for mutant in found}) == 3


def test_a_mutant_changes_the_behaviour_as_described(tmp_path: Path) -> None:
    source = "@rule\ndef some(n: int) -> int:\n    n += 5\n    return n\n"
    results = []
    for mutant in mutants_of(tmp_path, source):

        def some(n: int) -> int:
            return n

        some.__code__ = mutant.code
        results.append((mutant.after, some(10)))
    assert results == [("pass", 10), ("n -= 5", 5), ("n += 6", 16), ("n += 4", 14), ("pass", None)]


# ---- children -----------------------------------------------------------------------------------


@needs_fork
def test_children_answer_fail_or_time_out() -> None:
    def work(task: str) -> dict[str, Any]:
        if task == "loop":
            limit_time(0.05)
            while True:
                pass
        if task == "fail":
            raise ValueError("no")
        return {"task": task * 100_000}

    answers = dict(in_children(["loop", "fail", "x"], work, 2))
    assert answers["loop"] == TIMED_OUT
    assert answers["fail"] == {"error": "ValueError: no"}
    assert answers["x"] == {"task": "x" * 100_000}


# ---- the command --------------------------------------------------------------------------------


@needs_fork
def test_a_few_named_mutants_are_killed() -> None:
    done = run_tool("deep-sea", "--named", "--only", "DS-E1", "--json", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [verdict["rule"] for verdict in result["named"]] == ["DS-E1", "DS-E1"]
    assert all("test_" in verdict["killed_by"] for verdict in result["named"])


@needs_fork
def test_an_equivalent_change_survives() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HARMLESS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=_environment(),
        check=False,
    )
    assert done.stdout.split() == ["False", "False", "True"], done.stderr


def test_unusable_arguments_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deap-sea"]) == 2
    assert "did you mean deep-sea?" in capsys.readouterr().err
    assert main(["deep-sea", "--only", "no such thing"]) == 2
    assert "no mutant matches" in capsys.readouterr().err


def test_mutants_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deep-sea", "--list", "--only", "DS-T1"]) == 0
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines()} == {"DS-T1"}


@needs_fork
@pytest.mark.soak
@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_all_mutants_are_killed_or_explained(definition: Definition[Any]) -> None:
    done = run_tool(definition.name)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_faults_for_the_simulation_fit_the_code() -> None:
    faults = load_mutants()
    assert len({fault.rule for fault in faults}) == 30


@needs_fork
@pytest.mark.soak
def test_the_simulation_catches_28_of_30_deliberate_faults() -> None:
    command = [sys.executable, "-m", "tools.mutate.simulation"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
