#!/usr/bin/env python3
"""Archipel with one command, from a bare checkout.

usage: python3 run.py [COMMAND ...]

  python3 run.py                      play, after installing what is needed
  python3 run.py COMMAND ...          run `archipel COMMAND ...`
  python3 run.py -- --help            show the commands of `archipel`

  python3 run.py test                 check style, types, layers and the browser
                                      client, and run the tests (see below)
  python3 run.py test --quick         check style and run the fast tests: about
                                      30 seconds on two cores
  python3 run.py test --all           run the long tests, too
  python3 run.py test -k diving -x    pass other arguments on to pytest
  python3 run.py mutate GAME ...      break the rules of a game on purpose: its
                                      tests must fail each time
  python3 run.py bench ...            measure the speed of games and bots
  python3 run.py --help               show this text

The first run makes the folder .venv beside this file and installs the versions
pinned in constraints.txt there, and nowhere else. Later runs start at once.
run.py updates .venv when pyproject.toml, constraints.txt or the version of
Python changes, and rebuilds the page when client/ changes. To start afresh,
delete .venv.

`test` looks for Chromium or Google Chrome to run the browser tests. If there is
none, it installs Chromium with apt-get if it has the right to. Otherwise it
skips the browser tests and says so. Set ARCHIPEL_CHROMIUM to the path of a
browser that it does not find.
"""

# Uses only the standard library, and only syntax that Python 3.8 can read: an old
# Python must reach the message in `python_error`, not a syntax error.
from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib.util
import json
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Iterator, NoReturn, Sequence

HELP = __doc__.strip()

OLDEST_PYTHON = (3, 11)

# The command that `python3 run.py` runs without arguments.
DEFAULT_COMMAND = ("serve",)

# The tests of `test --quick`: rules, lessons, and the parts of tables and studies
# that start no process and compile little.
QUICK_TESTS = (
    "tests/lessons",
    "tests/rules",
    "tests/study/test_statistics.py",
    "tests/tables/test_persistent_list.py",
    "tests/tables/test_differences.py",
    "tests/tables/test_events.py",
    "tests/tables/test_playing.py",
    "tests/tables/test_seating.py",
    "tests/test_french.py",
    "tests/test_game.py",
    "tests/test_record.py",
)

# The optional dependencies of pyproject.toml that each task needs.
FAST = "fast"
TO_PLAY = (FAST,)
LEARNING = ("envs", "openspiel", "learn")
TO_MUTATE = (FAST, "test")
TO_TEST = (*TO_MUTATE, *LEARNING)
NODE = "node"

# The oldest Node of the system that can check the browser client.
OLDEST_NODE = (20, 19)

# Tells pytest that there is no browser: it skips the browser tests and says so.
NO_BROWSER = "ARCHIPEL_NO_BROWSER"

# Set by some shells: Python then writes no bytecode cache.
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"

# pip must not compile these from source: it takes many minutes and fails on most
# machines. run.py does without them instead.
NEVER_COMPILED_HERE = "numba,llvmlite,numpy,scipy,open_spiel,torch"

# The first version of pip that can install into another environment (`--python`).
OLDEST_LENT_PIP = (22, 3)

# Settings of the caller's shell that would lead Python or pip out of .venv.
MISLEADING_VARIABLES = (
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_TARGET",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSAFEPATH",
    "VIRTUAL_ENV",
    "__PYVENV_LAUNCHER__",
)


class Stop(Exception):
    """Ends the program with a one-line message that says what to do."""


def language() -> str:
    """Return the language of ``--lang``, else that of the locale, as `archipel` does."""
    arguments = sys.argv[1:]
    for index, argument in enumerate(arguments):
        if argument == "--lang" and index + 1 < len(arguments):
            return arguments[index + 1]
        if argument.startswith("--lang="):
            return argument[len("--lang=") :]
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(variable):
            return os.environ[variable][:2]
    return "en"


def translate(line: str, **parts: object) -> str:
    """Return a message in the user's language, with its parameters filled in."""
    if language() == "fr":
        file = Path(__file__).resolve().parent / "src" / "archipel" / "text" / "run.fr.json"
        line = json.loads(file.read_text(encoding="utf-8")).get(line, line)
    return line.format(**parts)


def say(line: str) -> None:
    """Print a progress message to standard error: standard output belongs to `archipel`."""
    print(f"archipel: {line}", file=sys.stderr, flush=True)


# ------------------------------------------------------------------ the environment


@dataclass(frozen=True)
class Project:
    """The paths of one checkout."""

    root: Path

    @property
    def environment(self) -> Path:
        return self.root / ".venv"

    @property
    def stamp(self) -> Path:
        """The file that records what is installed. It marks the environment as ours."""
        return self.environment / "archipel-stamp.json"

    @property
    def lock(self) -> Path:
        return self.root / ".venv.lock"

    @property
    def python(self) -> Path:
        return self.program("python")

    def program(self, name: str) -> Path:
        """Return the path of a program in the environment."""
        if sys.platform == "win32":
            return self.environment / "Scripts" / f"{name}.exe"
        return self.environment / "bin" / name


@dataclass(frozen=True)
class Stamp:
    """What an environment was made from. An incomplete environment has an empty stamp."""

    python: str = ""
    location: str = ""
    inputs: str = ""
    client: str = ""
    extras: tuple[str, ...] = ()

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(vars(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Stamp | None:
        """Read a stamp. Return None if there is no file."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return cls(**{**content, "extras": tuple(content["extras"])})
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError):
            return cls()  # truncated, or of another version of run.py


def wanted_stamp(project: Project, extras: Sequence[str]) -> Stamp:
    """Return the stamp of an up-to-date environment."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((project.root / name).read_bytes())
        digest.update(b"\0")
    return Stamp(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        # Programs in an environment contain its path, so it cannot be moved.
        location=str(project.root),
        inputs=digest.hexdigest(),
        client=hash_of_client(project),
        extras=tuple(extras),
    )


def hash_of_client(project: Project) -> str:
    """Return the hash of the page's sources, or "" if there are none or the build is skipped.

    Runs `client_build.py` by its path: the package may not be installed yet.
    """
    module = project.root / "src" / "archipel" / "serve" / "client_build.py"
    if not module.is_file():
        return ""
    known = runpy.run_path(str(module))
    build = known["ClientBuild"](project.root)
    if os.environ.get(known["SKIP"]) == "1" or not build.has_sources():
        return ""
    return str(build.hash())


def can_be_kept(project: Project, found: Stamp | None, wanted: Stamp) -> bool:
    """Whether pip can update the environment in place."""
    return (
        found is not None
        and found.python == wanted.python
        and found.location == wanted.location
        and project.python.exists()
    )


def is_up_to_date(project: Project, found: Stamp | None, wanted: Stamp) -> bool:
    """Whether the environment needs no update."""
    return (
        found is not None
        and can_be_kept(project, found, wanted)
        and found.inputs == wanted.inputs
        and wanted.client in ("", found.client)
        and set(found.extras) >= set(wanted.extras)
        and project.program("archipel").exists()
    )


def prepare(project: Project, extras: Sequence[str]) -> None:
    """Make or update the environment if necessary."""
    wanted = wanted_stamp(project, extras)
    if is_up_to_date(project, Stamp.read(project.stamp), wanted):
        return
    with exclusive_lock(project.lock):
        # Another process may have prepared it while this one waited.
        found = Stamp.read(project.stamp)
        if is_up_to_date(project, found, wanted):
            return
        if found is not None and can_be_kept(project, found, wanted):
            # Keep the installed extras: playing does not remove the test tools.
            extras = sorted({*found.extras, *extras})
            if is_up_to_date(project, replace(found, client=wanted.client), wanted):
                rebuild_page(project, found, wanted_stamp(project, extras))
                return
            say(translate("updating .venv"))
            Stamp().write(project.stamp)
        else:
            say(translate("making .venv with Python {version}", version=platform.python_version()))
            remove_environment(project)
            create_environment(project)
        install(project, extras)
        # Written last: after an interruption the stamp is empty, and the next run starts over.
        wanted_stamp(project, extras).write(project.stamp)


def rebuild_page(project: Project, found: Stamp, wanted: Stamp) -> None:
    """Reinstall the package, which builds the page. If that fails, keep the old page."""
    say(translate("rebuilding the page"))
    Stamp().write(project.stamp)
    try:
        install(project, wanted.extras)
    except Stop as stop:
        found.write(project.stamp)
        say(translate("{stop}: keeping the old page", stop=stop))
    else:
        wanted.write(project.stamp)


@contextlib.contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Hold a file lock. The system releases it even if this process is killed."""
    with path.open("a", encoding="utf-8") as file:
        if not try_to_lock(file.fileno(), wait=False):
            say(translate("waiting: another run.py is preparing .venv"))
            while not try_to_lock(file.fileno(), wait=True):
                pass
        yield


def try_to_lock(file: int, wait: bool) -> bool:
    """Lock an open file until it is closed. Return False if another process holds the lock."""
    try:
        if sys.platform == "win32":
            import msvcrt

            # Waits for ten seconds at most, so the caller tries again.
            msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Other errors come from file systems without locks. Two simultaneous runs
        # are rare, so go on without a lock.
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def remove_environment(project: Project) -> None:
    """Delete an environment that run.py made; rename one that it did not make."""
    if not os.path.lexists(project.environment):
        return
    if project.stamp.exists() and not project.environment.is_symlink():
        shutil.rmtree(project.environment)
        return
    number = 1
    while os.path.lexists(f"{project.environment}.old-{number}"):
        number += 1
    aside = Path(f"{project.environment}.old-{number}")
    project.environment.rename(aside)
    say(translate(".venv was not made by run.py: renamed to {name}", name=aside.name))


def create_environment(project: Project) -> None:
    """Make an empty environment, with pip if possible."""
    command = [base_python(), "-m", "venv"]
    if importlib.util.find_spec("venv") is None:
        raise Stop(
            translate("this Python has no `venv` (on Debian and Ubuntu: apt install python3-venv)")
        )
    if has_ensurepip():
        start_environment(project)
        if run_quietly([*command, str(project.environment)], project.root).succeeded:
            return
        remove_environment(project)
    # Debian's Python has no `ensurepip`. A pip outside the environment works, too:
    # see `pip_command`.
    if outside_pip() is None:
        raise Stop(
            translate(
                "this Python has neither `ensurepip` nor a recent pip "
                "(on Debian and Ubuntu: apt install python3-venv)"
            )
        )
    start_environment(project)
    outcome = run_quietly([*command, "--without-pip", str(project.environment)], project.root)
    if not outcome.succeeded:
        outcome.show()
        raise Stop(translate("could not make .venv: see the messages above"))


def start_environment(project: Project) -> None:
    """Write the empty stamp first: it marks an incomplete environment as ours."""
    project.environment.mkdir()
    Stamp().write(project.stamp)


def base_python() -> str:
    """Return the Python outside any environment: one inside .venv could not replace .venv."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def has_ensurepip() -> bool:
    return importlib.util.find_spec("ensurepip") is not None


def outside_pip() -> list[str] | None:
    """Return the command of a pip outside .venv that can install into .venv, or None."""
    candidates = [[python, "-m", "pip"] for python in (base_python(), sys.executable)]
    for name in ("pip3", "pip"):
        path = shutil.which(name)
        if path is not None:
            candidates.append([path])
    for command in candidates:
        outcome = run_quietly([*command, "--version"], Path.cwd())
        version = re.match(r"pip (\d+)\.(\d+)", outcome.output)
        if (
            outcome.succeeded
            and version is not None
            and (int(version[1]), int(version[2])) >= OLDEST_LENT_PIP
        ):
            return command
    return None


def pip_command(project: Project) -> list[str]:
    """Return the command that installs into .venv: its own pip, else one outside it."""
    own = [str(project.python), "-m", "pip"]
    if run_quietly([*own, "--version"], project.root).succeeded:
        return own
    lent = outside_pip()
    if lent is None:
        raise Stop(translate("pip was not found: delete .venv and try again"))
    return [*lent, "--python", str(project.python)]


def install(project: Project, extras: Sequence[str]) -> None:
    """Install the package in editable mode with the given extras.

    If an optional library cannot be installed, installs without it.
    """
    pip = pip_command(project)
    say(translate("installing the libraries pinned in constraints.txt"))
    outcome = install_once(project, pip, extras)
    if not outcome.succeeded and set(LEARNING) & set(extras):
        extras = [extra for extra in extras if extra not in LEARNING]
        outcome = install_once(project, pip, extras)
        if outcome.succeeded:
            say(translate("no learning libraries for this machine: skipping their tests"))
    if not outcome.succeeded and FAST in extras:
        outcome = install_once(project, pip, [extra for extra in extras if extra != FAST])
        if outcome.succeeded:
            say(translate("no Numba for this machine: bots will be slower"))
    if not outcome.succeeded:
        outcome.show()
        raise Stop(translate("pip could not install the libraries: see the messages above"))


def install_once(project: Project, pip: Sequence[str], extras: Sequence[str]) -> Outcome:
    # A relative path, because pip splits PIP_CONSTRAINT at spaces. PIP_CONSTRAINT
    # and PIP_BUILD_CONSTRAINT also pin the build dependencies.
    pins = "constraints.txt"
    return run_quietly(
        [
            *pip,
            "install",
            "--disable-pip-version-check",
            "--no-input",
            f"--only-binary={NEVER_COMPILED_HERE}",
            f"--constraint={pins}",
            f"--editable=.[{','.join(extras)}]" if extras else "--editable=.",
        ],
        project.root,
        PIP_CONSTRAINT=pins,
        PIP_BUILD_CONSTRAINT=pins,
        PIP_USER="0",
    )


# --------------------------------------------------------------------- subprocesses


@dataclass(frozen=True)
class Outcome:
    """Whether a command succeeded, and its output."""

    succeeded: bool
    output: str

    def show(self) -> None:
        print(self.output.rstrip(), file=sys.stderr, flush=True)


def clean_variables() -> dict[str, str]:
    """Return the environment variables without those that would lead out of .venv."""
    return {name: value for name, value in os.environ.items() if name not in MISLEADING_VARIABLES}


def run_quietly(command: Sequence[str], folder: Path, **variables: str) -> Outcome:
    """Run a command and capture its output."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**clean_variables(), **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        return Outcome(succeeded=False, output=str(error))
    return Outcome(succeeded=done.returncode == 0, output=done.stdout)


def replace_process(command: Sequence[str]) -> NoReturn:
    """Replace this process by another program, which gets the terminal and the signals."""
    if sys.platform == "win32":
        # On Windows, exec returns to the shell at once and leaves the program running.
        sys.exit(subprocess.run(command, env=clean_variables(), check=False).returncode)
    sys.stdout.flush()
    os.execve(command[0], list(command), clean_variables())


# ---------------------------------------------------------------------------- tasks


def play(project: Project, arguments: Sequence[str]) -> NoReturn:
    """Run `archipel` in the current folder, so that relative file names work."""
    prepare(project, TO_PLAY)
    replace_process([str(project.program("archipel")), *arguments])


def bench(project: Project, arguments: Sequence[str]) -> NoReturn:
    prepare(project, TO_PLAY)
    os.chdir(project.root)
    replace_process([str(project.python), "-m", "benchmarks", *arguments])


def mutate(project: Project, arguments: Sequence[str]) -> NoReturn:
    prepare(project, TO_MUTATE)
    os.chdir(project.root)
    replace_process([str(project.python), "-m", "tools.mutate", *arguments])


def test(project: Project, arguments: Sequence[str]) -> NoReturn:
    """Run the checks, then pytest."""
    # The tests start hundreds of processes, which would each compile all sources without it.
    os.environ.pop(NO_BYTECODE, None)
    if "--quick" in arguments:
        test_quick(project, [argument for argument in arguments if argument != "--quick"])
    with ThreadPoolExecutor(1) as beside:
        # Download the browser and the libraries at the same time.
        finding = [sys.executable, "-m", "tools.chromium"]
        browser = beside.submit(run_quietly, finding, project.root)
        prepare(project, TO_TEST if has_recent_node() else (*TO_TEST, NODE))
        os.chdir(project.root)
        headline("browser")
        found = browser.result()
    print(found.output, end="", flush=True)
    if not found.succeeded:
        os.environ[NO_BROWSER] = "1"
    *checks, (_, pytest) = test_steps(project, arguments)
    run_in_parallel(checks)
    # pytest runs last, because its last line sums up the run.
    headline("pytest")
    replace_process(pytest)


def test_quick(project: Project, arguments: Sequence[str]) -> NoReturn:
    """Check the style and run the fast tests: feedback in about 30 seconds."""
    prepare(project, TO_MUTATE)
    os.chdir(project.root)
    run_in_parallel([step for step in test_steps(project, ()) if step[0].startswith("ruff")])
    headline("pytest")
    pytest = [str(project.python), "-m", "pytest", "-q", "-n", str(processors())]
    replace_process([*pytest, "-m", "not soak and not browser", *QUICK_TESTS, *arguments])


def run_in_parallel(checks: Sequence[tuple[str, list[str]]]) -> None:
    """Run the checks in parallel, one per processor, and print their output in the given order.

    The first failure stops the other checks and ends the program.
    """
    started: list[subprocess.Popen[str]] = []

    def run(command: Sequence[str]) -> tuple[int, str]:
        process = subprocess.Popen(
            command,
            env=clean_variables(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        started.append(process)
        output, _ = process.communicate()
        return process.returncode, output

    pool = ThreadPoolExecutor(processors())
    try:
        for name, result in [(name, pool.submit(run, command)) for name, command in checks]:
            headline(name)
            code, output = result.result()
            print(output, end="", flush=True)
            if code != 0:
                say(translate("stopped: {name} failed", name=name))
                sys.exit(code)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in started:
            process.terminate()
        pool.shutdown()


def has_recent_node() -> bool:
    """Whether the system has a recent Node, with npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    version = re.match(r"v(\d+)\.(\d+)", run_quietly([node, "--version"], Path.cwd()).output)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST_NODE


def test_steps(project: Project, arguments: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the name and command of each check, in order."""
    python = str(project.python)
    # The caller's arguments come last, so that `-n 0`, for instance, takes precedence.
    # Two workers more than processors, because browser tests wait a lot; work stealing,
    # because they are long.
    pytest = [python, "-m", "pytest", "-n", str(processors() + 2), "--dist", "worksteal"]
    for argument in arguments:
        # An empty -m overrides the marker expression in pyproject.toml.
        pytest += ["-m", ""] if argument == "--all" else [argument]
    return [
        ("ruff check", [python, "-m", "ruff", "check", "."]),
        ("ruff format", [python, "-m", "ruff", "format", "--check", "."]),
        ("mypy", [python, "-m", "mypy"]),
        ("lint-imports", [str(project.program("lint-imports")), "--no-logo"]),
        ("browser client", [python, "-m", "tools.check_client"]),
        ("pytest", pytest),
    ]


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def headline(name: str) -> None:
    print(f"\n== {name} ==", flush=True)


TASKS = {"test": test, "mutate": mutate, "bench": bench}


def main(arguments: Sequence[str]) -> None:
    complaint = python_error(sys.version_info[:2])
    if complaint:
        say(complaint)
        sys.exit(2)
    words = without_language(arguments)
    if words and words[0] in ("-h", "--help"):
        print(translate(HELP))
        return
    project = Project(Path(__file__).resolve().parent)
    try:
        if words and words[0] in TASKS:
            TASKS[words[0]](project, words[1:])
        else:
            play(project, for_archipel(arguments))
    except Stop as stop:
        say(str(stop))
        sys.exit(1)
    except OSError as error:
        say(translate("stopped: {error}", error=error))
        sys.exit(1)
    except KeyboardInterrupt:
        say(translate("interrupted"))
        sys.exit(130)


def python_error(version: tuple[int, int]) -> str | None:
    """Return an error message if this Python is too old, else None."""
    if version >= OLDEST_PYTHON:
        return None
    oldest, found = (".".join(map(str, pair)) for pair in (OLDEST_PYTHON, version))
    return translate(
        "needs Python {oldest} or later, and this is Python {found}", oldest=oldest, found=found
    )


def without_language(arguments: Sequence[str]) -> list[str]:
    """Return the arguments without ``--lang``, which pytest and the tools do not know."""
    words = list(arguments)
    for index, word in enumerate(words):
        if word == "--lang" or word.startswith("--lang="):
            return words[:index] + words[index + (1 if "=" in word else 2) :]
    return words


def for_archipel(arguments: Sequence[str]) -> list[str]:
    """Return the arguments for `archipel`: the given ones, or the default command."""
    if not arguments:
        return list(DEFAULT_COMMAND)
    if arguments[0] == "--":
        return list(arguments[1:])
    return list(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
