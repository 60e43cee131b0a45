"""run.py: what it installs, when, with which pip, and what it starts.

Nothing is installed: commands are recorded instead of run, except for one real environment without
pip, which needs no network.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import run
from archipel.serve import client_build
from tools import chromium

RUN = Path(run.__file__)

SUCCESS = run.Outcome(succeeded=True, output="pip 24.0 from somewhere (python 3.11)")
FAILURE = run.Outcome(succeeded=False, output="no such thing")


@pytest.fixture
def project(tmp_path: Path) -> run.Project:
    """A checkout in a folder with a space in its name."""
    root = tmp_path / "board games"
    root.mkdir()
    (root / "pyproject.toml").write_text("[project]\n")
    (root / "constraints.txt").write_text("rich==1.0\n")
    return run.Project(root)


def fake_environment(project: run.Project, extras: Sequence[str] = run.TO_PLAY) -> None:
    """Make a folder look like an installed environment."""
    for program in (project.python, project.program("archipel")):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.touch()
    run.wanted_stamp(project, extras).write(project.stamp)


def up_to_date(project: run.Project, extras: Sequence[str] = run.TO_PLAY) -> bool:
    found = run.Stamp.read(project.stamp)
    return run.is_up_to_date(project, found, run.wanted_stamp(project, extras))


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Records the commands that run.py would run silently; all succeed."""
    recorded: list[list[str]] = []

    def record(command: Sequence[str], folder: Path, **variables: str) -> run.Outcome:
        recorded.append(list(command))
        return SUCCESS

    monkeypatch.setattr(run, "run_quietly", record)
    return recorded


# ---------------------------------------------------------------------------- stamps


def test_a_new_environment_is_up_to_date(project: run.Project) -> None:
    assert not up_to_date(project)
    fake_environment(project)
    assert up_to_date(project)


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_input_makes_the_environment_stale(project: run.Project, name: str) -> None:
    fake_environment(project)
    with (project.root / name).open("a") as file:
        file.write("# changed\n")
    assert not up_to_date(project)


def add_client(project: run.Project) -> Path:
    """Add sources of the client and the module that builds it; returns one source."""
    module = project.root / "src" / "archipel" / "serve" / "client_build.py"
    module.parent.mkdir(parents=True)
    module.write_text(Path(client_build.__file__).read_text())
    source = project.root / "client" / "src" / "main.ts"
    source.parent.mkdir(parents=True)
    source.write_text("let a = 1;")
    (project.root / "client" / "package-lock.json").write_text("{}")
    return source


def test_changed_client_sources_make_the_build_stale(
    project: run.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = add_client(project)
    fake_environment(project)
    assert up_to_date(project)
    source.write_text("let a = 2;")
    assert not up_to_date(project)
    monkeypatch.setenv(client_build.SKIP, "1")
    assert up_to_date(project)


def test_a_stale_client_is_built_by_installing_again(
    project: run.Project, commands: list[list[str]]
) -> None:
    source = add_client(project)
    fake_environment(project, run.TO_MUTATE)
    source.write_text("let a = 2;")
    run.prepare(project, run.TO_PLAY)
    assert commands[-1][-1] == "--editable=.[fast,test]"
    assert up_to_date(project, run.TO_MUTATE)


def test_a_failed_build_keeps_the_old_client(
    project: run.Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = add_client(project)
    fake_environment(project)
    before = run.Stamp.read(project.stamp)
    source.write_text("let a = 2;")
    refusals = {"--version": SUCCESS}
    monkeypatch.setattr(
        run, "run_quietly", lambda command, folder, **_: refusals.get(command[-1], FAILURE)
    )
    run.prepare(project, run.TO_PLAY)
    assert "keeping the old page" in capsys.readouterr().err
    assert run.Stamp.read(project.stamp) == before  # so the next run tries again
    assert not up_to_date(project)


def test_another_python_makes_the_environment_stale(
    project: run.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_environment(project)
    monkeypatch.setattr("platform.python_version", lambda: "3.99.0")
    assert not up_to_date(project)


def test_a_moved_checkout_makes_the_environment_stale(project: run.Project) -> None:
    fake_environment(project)
    moved = run.Project(project.root.rename(project.root.with_name("elsewhere")))
    assert not up_to_date(moved)


def test_a_missing_program_makes_the_environment_stale(project: run.Project) -> None:
    fake_environment(project)
    project.program("archipel").unlink()
    assert not up_to_date(project)


def test_the_test_tools_are_installed_on_demand(project: run.Project) -> None:
    fake_environment(project, run.TO_PLAY)
    assert not up_to_date(project, run.TO_TEST)
    fake_environment(project, run.TO_TEST)
    assert up_to_date(project, run.TO_PLAY)


@pytest.mark.parametrize("content", ["", "{", "{}", "[]", '{"extras": [], "other": 1}'])
def test_an_unreadable_stamp_counts_as_incomplete(project: run.Project, content: str) -> None:
    fake_environment(project)
    project.stamp.write_text(content)
    assert run.Stamp.read(project.stamp) == run.Stamp()
    assert not up_to_date(project)


# ----------------------------------------------------------------- preparing .venv


def test_an_up_to_date_environment_runs_no_command(
    project: run.Project, commands: list[list[str]]
) -> None:
    fake_environment(project)
    run.prepare(project, run.TO_PLAY)
    assert commands == []


def test_updating_keeps_the_environment_and_its_extras(
    project: run.Project, commands: list[list[str]]
) -> None:
    fake_environment(project, run.TO_MUTATE)
    (project.root / "constraints.txt").write_text("rich==2.0\n")
    run.prepare(project, run.TO_PLAY)
    assert not any("venv" in command for command in commands)
    assert commands[-1][-1] == "--editable=.[fast,test]"
    assert up_to_date(project, run.TO_MUTATE)


def test_an_interrupted_installation_is_repeated(
    project: run.Project, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(project: run.Project, extras: Sequence[str]) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, "install", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run.prepare(project, run.TO_PLAY)
    leftover = project.environment / "leftover"
    leftover.touch()
    commands.clear()

    run.prepare(project, run.TO_PLAY)

    assert not leftover.exists()
    assert commands[0][1:] == ["-m", "venv", str(project.environment)]
    assert run.Stamp.read(project.stamp) == run.wanted_stamp(project, run.TO_PLAY)


def test_a_foreign_environment_is_moved_aside(
    project: run.Project, commands: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    project.environment.mkdir()
    (project.environment / "precious").touch()
    run.prepare(project, run.TO_PLAY)
    assert (project.root / ".venv.old-1" / "precious").exists()
    assert ".venv.old-1" in capsys.readouterr().err


def test_installing_uses_the_constraints(project: run.Project, commands: list[list[str]]) -> None:
    run.install(project, run.TO_PLAY)
    command = commands[-1]
    assert command[:3] == [str(project.python), "-m", "pip"]
    assert "--constraint=constraints.txt" in command
    assert command[-1] == "--editable=.[fast]"


def answer(
    monkeypatch: pytest.MonkeyPatch, succeeds: Callable[[list[str]], bool]
) -> list[list[str]]:
    """Record commands; the given function decides which succeed."""
    recorded: list[list[str]] = []

    def decide(command: Sequence[str], folder: Path, **variables: str) -> run.Outcome:
        recorded.append(list(command))
        return SUCCESS if succeeds(recorded[-1]) else FAILURE

    monkeypatch.setattr(run, "run_quietly", decide)
    return recorded


def test_without_numba_the_rest_is_installed(
    project: run.Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = answer(monkeypatch, lambda command: "fast" not in command[-1])
    run.install(project, run.TO_MUTATE)
    assert recorded[-2][-1] == "--editable=.[fast,test]"
    assert recorded[-1][-1] == "--editable=.[test]"
    run.install(project, run.TO_PLAY)
    assert recorded[-1][-1] == "--editable=."
    assert "Numba" in capsys.readouterr().err


def test_without_libraries_for_learning_the_rest_is_installed(
    project: run.Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = answer(monkeypatch, lambda command: "learn" not in command[-1])
    run.install(project, run.TO_TEST)
    assert recorded[-2][-1] == "--editable=.[fast,test,envs,openspiel,learn]"
    assert recorded[-1][-1] == "--editable=.[fast,test]"
    assert "learning" in capsys.readouterr().err


def test_playing_needs_no_library_for_learning() -> None:
    assert not set(run.TO_PLAY) & set(run.LEARNING)


def test_the_output_of_pip_is_shown_only_if_it_fails(
    project: run.Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, lambda command: "install" not in command)
    with pytest.raises(run.Stop, match="messages above"):
        run.install(project, run.TO_PLAY)
    printed = capsys.readouterr().err
    assert FAILURE.output in printed
    assert "Numba" not in printed


# ------------------------------------------------------------------ without ensurepip


def test_without_ensurepip_another_pip_installs(
    project: run.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a real environment without pip."""
    monkeypatch.setattr(run, "has_ensurepip", lambda: False)
    monkeypatch.setattr(run, "outside_pip", lambda: ["borrowed-pip"])
    run.create_environment(project)
    assert project.python.exists()
    assert run.pip_command(project) == ["borrowed-pip", "--python", str(project.python)]


def test_a_failing_ensurepip_counts_as_missing(
    project: run.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = answer(
        monkeypatch, lambda command: "venv" not in command or "--without-pip" in command
    )
    run.create_environment(project)
    assert recorded[0][-2:] == ["venv", str(project.environment)]
    assert recorded[-1][-2:] == ["--without-pip", str(project.environment)]


def test_without_any_pip_one_line_explains(
    project: run.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "has_ensurepip", lambda: False)
    monkeypatch.setattr(run, "outside_pip", lambda: None)
    with pytest.raises(run.Stop, match="python3-venv"):
        run.create_environment(project)
    assert not project.environment.exists()


@pytest.mark.parametrize(("version", "good"), [("22.2.2", False), ("22.3", True), ("9.0", False)])
def test_only_a_recent_pip_is_used(
    monkeypatch: pytest.MonkeyPatch, version: str, good: bool
) -> None:
    outcome = run.Outcome(succeeded=True, output=f"pip {version} from somewhere (python 3.11)")
    monkeypatch.setattr(run, "run_quietly", lambda command, folder: outcome)
    assert (run.outside_pip() is not None) == good


# -------------------------------------------------------------------------- routing


class Replaced(Exception):
    """Raised instead of replacing the process."""


@pytest.fixture
def route(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Call main; returns what it prepared and the command it would run."""

    def start(*arguments: str) -> list[str]:
        seen: list[str] = []

        def prepare(project: run.Project, extras: Sequence[str]) -> None:
            seen.append("+".join(extras))

        def replace_process(command: Sequence[str]) -> None:
            seen.extend([Path(command[0]).stem, *command[1:]])
            raise Replaced

        monkeypatch.setattr(run, "prepare", prepare)
        monkeypatch.setattr(run, "replace_process", replace_process)
        monkeypatch.setattr("os.chdir", lambda folder: None)
        monkeypatch.setattr(run, "run_quietly", lambda *of: run.Outcome(succeeded=True, output=""))
        monkeypatch.setattr(run, "run_in_parallel", lambda checks: None)
        monkeypatch.setitem(os.environ, run.NO_BYTECODE, "1")
        with pytest.raises(Replaced):
            run.main(arguments)
        return seen

    return start


def test_no_argument_means_the_default_command(route: Callable[..., list[str]]) -> None:
    assert route() == ["fast", "archipel", *run.DEFAULT_COMMAND]


@pytest.mark.parametrize(
    ("arguments", "passed_on"),
    [
        (["play", "deep-sea"], ["play", "deep-sea"]),
        (["play", "--help"], ["play", "--help"]),
        (["--version"], ["--version"]),
        (["--", "--help"], ["--help"]),
        (["a name with spaces", ""], ["a name with spaces", ""]),
    ],
)
def test_other_commands_go_to_archipel(
    route: Callable[..., list[str]], arguments: list[str], passed_on: list[str]
) -> None:
    assert route(*arguments) == ["fast", "archipel", *passed_on]


def test_tools_run_as_modules(route: Callable[..., list[str]]) -> None:
    assert route("bench", "--quick") == ["fast", "python", "-m", "benchmarks", "--quick"]
    assert route("mutate", "deep-sea") == ["fast+test", "python", "-m", "tools.mutate", "deep-sea"]


def test_the_language_option_is_not_passed_to_pytest() -> None:
    assert run.without_language(["test", "--lang", "fr", "-x"]) == ["test", "-x"]
    assert run.without_language(["--lang=fr", "test"]) == ["test"]
    assert run.without_language(["test", "-x"]) == ["test", "-x"]


def test_the_test_command_ends_with_pytest_and_passes_arguments_on(
    route: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "processors", lambda: 2)
    monkeypatch.setattr(run, "has_recent_node", lambda: True)
    start = [
        "fast+test+envs+openspiel+learn",
        "python",
        "-m",
        "pytest",
        "-n",
        "4",
        "--dist",
        "worksteal",
    ]
    assert route("test") == start
    assert route("test", "-k", "diving") == [*start, "-k", "diving"]
    assert route("test", "--all", "-x") == [*start, "-m", "", "-x"]


def test_the_quick_subset_needs_no_browser_and_no_learning_libraries(
    route: Callable[..., list[str]],
) -> None:
    extras, *command = route("test", "--quick", "-x")
    assert extras == "fast+test"
    assert command[:3] == ["python", "-m", "pytest"]
    assert command[-len(run.QUICK_TESTS) - 2 :] == [
        "not soak and not browser",
        *run.QUICK_TESTS,
        "-x",
    ]
    assert all((Path(run.__file__).parent / test).exists() for test in run.QUICK_TESTS)


def test_without_a_recent_node_one_is_installed(
    route: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "has_recent_node", lambda: False)
    assert route("test")[0] == "fast+test+envs+openspiel+learn+node"


@pytest.mark.parametrize(
    ("version", "recent"),
    [("v20.19.0", True), ("v24.1.0", True), ("v20.18.3", False), ("v9.99.0", False), ("?", False)],
)
def test_only_a_recent_node_checks_the_client(
    monkeypatch: pytest.MonkeyPatch, version: str, recent: bool
) -> None:
    outcome = run.Outcome(succeeded=True, output=f"{version}\n")
    monkeypatch.setattr(run, "run_quietly", lambda command, folder: outcome)
    monkeypatch.setattr("shutil.which", lambda name: f"/somewhere/{name}")
    assert run.has_recent_node() == recent
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert not run.has_recent_node()


def test_the_client_is_checked_and_built_with_the_same_node() -> None:
    assert client_build._OLDEST_NODE == run.OLDEST_NODE
    assert chromium.MISSING == run.NO_BROWSER


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replaces the checks by small Python programs."""
    monkeypatch.setattr(run, "has_recent_node", lambda: True)
    monkeypatch.setattr(run, "prepare", lambda project, extras: None)
    monkeypatch.setattr("os.chdir", lambda folder: None)
    monkeypatch.setitem(os.environ, run.NO_BROWSER, "")
    monkeypatch.setattr(
        run, "run_quietly", lambda command, folder: run.Outcome(succeeded=True, output="")
    )

    def be(**programs: str) -> None:
        made = [(name, [sys.executable, "-c", code]) for name, code in programs.items()]
        monkeypatch.setattr(
            run, "test_steps", lambda project, arguments: [*made, ("pytest", ["pytest"])]
        )

    return be


def test_without_a_browser_the_tests_continue_and_are_told(
    project: run.Project,
    steps: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def look(command: Sequence[str], folder: Path) -> run.Outcome:
        assert command == [sys.executable, "-m", "tools.chromium"]
        return run.Outcome(succeeded=False, output="no browser\n")

    def replace_process(command: Sequence[str]) -> None:
        raise Replaced

    steps()
    monkeypatch.setattr(run, "run_quietly", look)
    monkeypatch.setattr(run, "replace_process", replace_process)
    monkeypatch.setitem(os.environ, run.NO_BYTECODE, "1")
    with pytest.raises(Replaced):
        run.test(project, [])
    assert os.environ[run.NO_BROWSER] == "1"
    assert run.NO_BYTECODE not in os.environ  # else each process would compile everything again
    assert capsys.readouterr().out == "\n== browser ==\nno browser\n\n== pytest ==\n"


def test_the_browser_is_searched_during_the_installation(
    project: run.Project, steps: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, installing = threading.Event(), threading.Event()

    def look(command: Sequence[str], folder: Path) -> run.Outcome:
        looking.set()
        return run.Outcome(succeeded=installing.wait(60), output="")

    def prepare(project: run.Project, extras: Sequence[str]) -> None:
        installing.set()
        assert looking.wait(60)

    def replace_process(command: Sequence[str]) -> None:
        raise Replaced

    steps()
    monkeypatch.setattr(run, "run_quietly", look)
    monkeypatch.setattr(run, "prepare", prepare)
    monkeypatch.setattr(run, "replace_process", replace_process)
    with pytest.raises(Replaced):
        run.test(project, [])
    assert os.environ[run.NO_BROWSER] == ""


def test_checks_run_in_parallel_and_report_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "processors", lambda: 2)
    meet = (
        "import pathlib, time\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "(folder / {me!r}).touch()\n"
        "for _ in range(6000):\n"
        "    if (folder / {other!r}).exists(): print({me!r}); break\n"
        "    time.sleep(0.01)\n"
    )
    commands = [("one", "two"), ("two", "one")]
    run.run_in_parallel(
        [(me, [sys.executable, "-c", meet.format(me=me, other=other)]) for me, other in commands]
    )
    assert capsys.readouterr().out == "\n== one ==\none\n\n== two ==\ntwo\n"


def test_the_first_failing_check_ends_the_run(
    project: run.Project,
    steps: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(run, "processors", lambda: 2)
    steps(
        style="print('well written')",
        types="print('no type'); raise SystemExit(3)",
        layers="import time; time.sleep(600)",
        client="raise SystemExit(4)",
    )
    with pytest.raises(SystemExit) as end:
        run.test(project, [])
    printed = capsys.readouterr()
    assert end.value.code == 3
    assert printed.out.endswith("\n== style ==\nwell written\n\n== types ==\nno type\n")
    assert "types failed" in printed.err


def test_help_explains_without_installing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(run, "prepare")
    run.main(["--help"])
    printed = capsys.readouterr().out
    for task in run.TASKS:
        assert f"run.py {task}" in printed


# ----------------------------------------------------------------------- the caller


def test_every_message_has_a_french_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sentence of run.py has a translation with the same parameters, and there is no other."""
    source = Path(run.__file__)
    lines = {
        node.args[0].value
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "translate"
        if isinstance(node.args[0], ast.Constant)
    }
    file = source.parent / "src" / "archipel" / "text" / "run.fr.json"
    french = json.loads(file.read_text("utf-8"))
    assert set(french) == lines | {run.HELP}
    for line, translated in french.items():
        assert set(re.findall(r"\{\w+\}", line)) == set(re.findall(r"\{\w+\}", translated))
    monkeypatch.setattr("sys.argv", ["run.py", "test", "--lang", "fr"])
    assert run.translate("stopped: {name} failed", name="mypy") == "arrêt\u00a0: mypy a échoué"
    monkeypatch.setattr("sys.argv", ["run.py", "test", "--lang=en"])
    assert run.translate("stopped: {name} failed", name="mypy") == "stopped: mypy failed"
    monkeypatch.setattr("sys.argv", ["run.py"])
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LC_MESSAGES", "fr_FR.UTF-8")
    assert run.translate("interrupted") == "interrompu"


@pytest.mark.parametrize(
    "arguments", [["--help", "--lang", "fr"], ["--lang", "fr", "--help"], ["--lang=fr", "-h"]]
)
def test_help_in_french(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["run.py", *arguments])
    run.main(arguments)
    assert capsys.readouterr().out.startswith("Archipel en une commande")


def test_an_old_python_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.python_error((3, 11)) is None
    assert run.python_error((4, 0)) is None
    monkeypatch.setattr("sys.version_info", (3, 8, 18))
    with pytest.raises(SystemExit) as end:
        run.main([])
    assert end.value.code == 2
    assert capsys.readouterr().err == (
        "archipel: needs Python 3.11 or later, and this is Python 3.8\n"
    )


def test_an_old_python_can_parse_the_file() -> None:
    ast.parse(RUN.read_text(encoding="utf-8"), feature_version=(3, 8))


def test_settings_that_lead_out_of_the_environment_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("VIRTUAL_ENV", "another")
    monkeypatch.setenv("HARMLESS", "kept")
    variables = run.clean_variables()
    assert "PYTHONPATH" not in variables
    assert "VIRTUAL_ENV" not in variables
    assert variables["HARMLESS"] == "kept"


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_it_starts_from_any_folder_in_a_path_with_spaces(
    project: run.Project, tmp_path: Path
) -> None:
    """The real program in a process, with a fake `archipel`."""
    (project.root / "run.py").write_bytes(RUN.read_bytes())
    fake_environment(project)
    stand_in = project.program("archipel")
    stand_in.write_text('#!/bin/sh\npwd\nprintf "[%s]" "$@"\nexit 7\n')
    stand_in.chmod(0o755)
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    done = subprocess.run(
        [sys.executable, str(project.root / "run.py"), "play", "two words"],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"{elsewhere}\n[play][two words]"
    assert done.stderr == ""
    assert done.returncode == 7


HOLD_THE_LOCK = """
import pathlib, run, sys
with run.exclusive_lock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_run_waits_for_the_first(
    project: run.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_THE_LOCK, str(project.lock)],
        cwd=RUN.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"

        def hear(line: str) -> None:
            said.append(line)
            first.communicate()  # ends the first run, which releases the lock

        monkeypatch.setattr(run, "say", hear)
        with run.exclusive_lock(project.lock):
            assert first.returncode == 0
    assert len(said) == 1
    assert "waiting" in said[0]


def test_the_stamp_is_plain_json(project: run.Project) -> None:
    fake_environment(project)
    content = json.loads(project.stamp.read_text(encoding="utf-8"))
    assert content["extras"] == ["fast"]
    assert content["location"] == str(project.root)
