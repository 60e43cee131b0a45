#!/usr/bin/env python3
"""Archipel with one command, from a bare checkout.

usage: python3 run.py [COMMAND ...]

  python3 run.py                      play, after installing what is needed
  python3 run.py COMMAND ...          run `archipel COMMAND ...`
  python3 run.py -- --help            show what `archipel` itself can do

  python3 run.py test                 check style, types, layers, and run the tests,
                                      in a browser too (see below)
  python3 run.py test --all           the same, with the long tests
  python3 run.py test -k diving -x    what follows `test` goes to pytest
  python3 run.py mutate GAME ...      break the rules of a game on purpose and see
                                      whether its tests notice
  python3 run.py bench ...            measure how fast the games and bots run
  python3 run.py --help               show this text

The first run makes the folder .venv beside this file and installs the versions
named in constraints.txt into it, and nowhere else. Later runs start at once;
.venv is renewed by itself when pyproject.toml, constraints.txt or the version
of Python change, and so is the page when client/ does. To start afresh, delete
.venv.

For the tests in a browser, `test` looks for Chromium or Google Chrome. Where
there is none it asks apt-get for Chromium, if it may; else it says that those
tests are not run. ARCHIPEL_CHROMIUM names a browser that it does not find.
"""

# Only the standard library is at hand here. The file also has to be readable for
# Python 3.8, or an old Python would greet a newcomer with a syntax error instead
# of the sentence in `complaint_about_python`.
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

# What `python3 run.py` does when it is told nothing.
DEFAULT_COMMAND = ("serve",)

# The optional dependencies of pyproject.toml that a task needs.
FAST = "fast"
TO_PLAY = (FAST,)
LEARNING = ("envs", "openspiel", "learn")
TO_MUTATE = (FAST, "test")
TO_TEST = (*TO_MUTATE, *LEARNING)
NODE = "node"

# The browser client is checked with the system's Node, if it is not older than this.
OLDEST_NODE = (20, 19)

# Tells the tests that there is no browser: those that need one are left out, and say so.
NO_BROWSER = "ARCHIPEL_NO_BROWSER"

# A setting of the caller's shell under which Python keeps no compiled sources.
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"

# Without a ready-made build, these would be compiled here: for many minutes, and
# in vain on most machines. Better to do without them.
NEVER_COMPILED_HERE = "numba,llvmlite,numpy,scipy,open_spiel,torch"

# The first pip that can install into an environment which has no pip of its own.
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
    """Ends the program with one line that tells the reader what to do."""


def language() -> str:
    """The language asked for: ``--lang``, else that of the environment, as `archipel` has it."""
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


def told(line: str, **parts: object) -> str:
    """A sentence in the language asked for, its parts filled in."""
    if language() == "fr":
        file = Path(__file__).resolve().parent / "src" / "archipel" / "text" / "run.fr.json"
        line = json.loads(file.read_text(encoding="utf-8")).get(line, line)
    return line.format(**parts)


def say(line: str) -> None:
    """Tell of progress, on standard error: standard output belongs to `archipel`."""
    print(f"archipel: {line}", file=sys.stderr, flush=True)


# ------------------------------------------------------------------ the environment


@dataclass(frozen=True)
class Project:
    """Where everything lies in one checkout."""

    root: Path

    @property
    def environment(self) -> Path:
        return self.root / ".venv"

    @property
    def stamp(self) -> Path:
        """Says what is installed. Without it, the environment is not ours."""
        return self.environment / "archipel-stamp.json"

    @property
    def lock(self) -> Path:
        return self.root / ".venv.lock"

    @property
    def python(self) -> Path:
        return self.program("python")

    def program(self, name: str) -> Path:
        """The path of a program installed in the environment."""
        if sys.platform == "win32":
            return self.environment / "Scripts" / f"{name}.exe"
        return self.environment / "bin" / name


@dataclass(frozen=True)
class Stamp:
    """What an environment was made from. One that is half made has an empty stamp."""

    python: str = ""
    location: str = ""
    inputs: str = ""
    client: str = ""
    extras: tuple[str, ...] = ()

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(vars(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Stamp | None:
        """The stamp at this path; None where there is none."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return cls(**{**content, "extras": tuple(content["extras"])})
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError):
            return cls()  # cut short, or of another version of this file


def wanted_stamp(project: Project, extras: Sequence[str]) -> Stamp:
    """The stamp of an environment that is up to date."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((project.root / name).read_bytes())
        digest.update(b"\0")
    return Stamp(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        # The programs in an environment hold its path, so it cannot be moved.
        location=str(project.root),
        inputs=digest.hexdigest(),
        client=hash_of_client(project),
        extras=tuple(extras),
    )


def hash_of_client(project: Project) -> str:
    """What the page is built from; nothing where that is not at hand, or is to be left alone.

    Asked of the module that builds it, by its path: the package may not be installed yet.
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
    """Whether pip can bring the environment up to date, without making it anew."""
    return (
        found is not None
        and found.python == wanted.python
        and found.location == wanted.location
        and project.python.exists()
    )


def is_up_to_date(project: Project, found: Stamp | None, wanted: Stamp) -> bool:
    """Whether the environment can be used as it is."""
    return (
        found is not None
        and can_be_kept(project, found, wanted)
        and found.inputs == wanted.inputs
        and wanted.client in ("", found.client)
        and set(found.extras) >= set(wanted.extras)
        and project.program("archipel").exists()
    )


def prepare(project: Project, extras: Sequence[str]) -> None:
    """Make sure that the environment is there, complete and up to date."""
    wanted = wanted_stamp(project, extras)
    if is_up_to_date(project, Stamp.read(project.stamp), wanted):
        return
    with only_one_at_a_time(project.lock):
        # Another process may have done the work while this one waited.
        found = Stamp.read(project.stamp)
        if is_up_to_date(project, found, wanted):
            return
        if found is not None and can_be_kept(project, found, wanted):
            # What was there stays there: playing does not throw out the test tools.
            extras = sorted({*found.extras, *extras})
            if is_up_to_date(project, replace(found, client=wanted.client), wanted):
                renew_page(project, found, wanted_stamp(project, extras))
                return
            say(told("updating .venv"))
            Stamp().write(project.stamp)
        else:
            say(told("making .venv with Python {version}", version=platform.python_version()))
            clear_the_place(project)
            create_environment(project)
        install(project, extras)
        # Last of all: an interrupted run leaves an empty stamp, and is done over.
        wanted_stamp(project, extras).write(project.stamp)


def renew_page(project: Project, found: Stamp, wanted: Stamp) -> None:
    """Install the package again, which builds the page. The old one will do if that fails."""
    say(told("building the page anew"))
    Stamp().write(project.stamp)
    try:
        install(project, wanted.extras)
    except Stop as stop:
        found.write(project.stamp)
        say(told("{stop}: going on with the page as it was", stop=stop))
    else:
        wanted.write(project.stamp)


@contextlib.contextmanager
def only_one_at_a_time(path: Path) -> Iterator[None]:
    """Hold a lock. The system lets go of it even when this process is killed."""
    with path.open("a", encoding="utf-8") as file:
        if not try_to_lock(file.fileno(), wait=False):
            say(told("waiting for another run.py that is preparing .venv"))
            while not try_to_lock(file.fileno(), wait=True):
                pass
        yield


def try_to_lock(file: int, wait: bool) -> bool:
    """Lock an open file until it is closed; False where another process holds it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            # Waits for ten seconds only, which is why the caller asks again.
            msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Any other error comes from a drive that knows no locks. Two runs at once
        # are rare: go on without.
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def clear_the_place(project: Project) -> None:
    """Remove an environment of ours; set aside one that somebody else made."""
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
    say(told(".venv was not made by run.py: moved to {name}", name=aside.name))


def create_environment(project: Project) -> None:
    """Make an environment with nothing in it but, where possible, pip."""
    command = [base_python(), "-m", "venv"]
    if importlib.util.find_spec("venv") is None:
        raise Stop(
            told("this Python has no `venv` (on Debian and Ubuntu: apt install python3-venv)")
        )
    if has_ensurepip():
        start_environment(project)
        if run_quietly([*command, str(project.environment)], project.root).succeeded:
            return
        clear_the_place(project)
    # Debian ships Python without the part that puts pip into an environment. A pip
    # from anywhere else will do; see `pip_command`.
    if lent_pip() is None:
        raise Stop(
            told(
                "this Python has neither `ensurepip` nor a recent pip "
                "(on Debian and Ubuntu: apt install python3-venv)"
            )
        )
    start_environment(project)
    outcome = run_quietly([*command, "--without-pip", str(project.environment)], project.root)
    if not outcome.succeeded:
        outcome.show()
        raise Stop(told("could not make .venv, for the reason above"))


def start_environment(project: Project) -> None:
    """Put the empty stamp first: it marks even a barely begun environment as ours."""
    project.environment.mkdir()
    Stamp().write(project.stamp)


def base_python() -> str:
    """The Python beneath any environment: one in .venv could not replace .venv."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def has_ensurepip() -> bool:
    return importlib.util.find_spec("ensurepip") is not None


def lent_pip() -> list[str] | None:
    """The command of a pip outside .venv that can install into .venv, if there is one."""
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
    """The pip that installs into .venv: its own, or else a lent one."""
    own = [str(project.python), "-m", "pip"]
    if run_quietly([*own, "--version"], project.root).succeeded:
        return own
    lent = lent_pip()
    if lent is None:
        raise Stop(told("no pip can be found any more: delete .venv and try again"))
    return [*lent, "--python", str(project.python)]


def install(project: Project, extras: Sequence[str]) -> None:
    """Install the package, editable, with the libraries that the extras ask for."""
    pip = pip_command(project)
    say(told("installing the libraries named in constraints.txt"))
    outcome = install_once(project, pip, extras)
    if not outcome.succeeded and set(LEARNING) & set(extras):
        extras = [extra for extra in extras if extra not in LEARNING]
        outcome = install_once(project, pip, extras)
        if outcome.succeeded:
            say(told("no libraries for learning on this machine: their tests are left out"))
    if not outcome.succeeded and FAST in extras:
        outcome = install_once(project, pip, [extra for extra in extras if extra != FAST])
        if outcome.succeeded:
            say(told("no Numba for this machine: going on without it, with slower bots"))
    if not outcome.succeeded:
        outcome.show()
        raise Stop(told("pip could not install what is needed, for the reason above"))


def install_once(project: Project, pip: Sequence[str], extras: Sequence[str]) -> Outcome:
    # Relative paths, because pip cuts PIP_CONSTRAINT in pieces at every space.
    # That variable and its successor pin what builds the package, too.
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
    """How a command ended, and what it printed."""

    succeeded: bool
    output: str

    def show(self) -> None:
        print(self.output.rstrip(), file=sys.stderr, flush=True)


def clean_variables() -> dict[str, str]:
    """The caller's variables without those that would lead out of .venv."""
    return {name: value for name, value in os.environ.items() if name not in MISLEADING_VARIABLES}


def run_quietly(command: Sequence[str], folder: Path, **variables: str) -> Outcome:
    """Run a command and keep what it prints, to be shown only if it matters."""
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


def run_behind(command: Sequence[str], folder: Path) -> None:
    """Start a command that goes on alone; whether it succeeds is no matter here."""

    def start() -> None:
        with contextlib.suppress(OSError):
            subprocess.Popen(
                command,
                cwd=folder,
                env=clean_variables(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    if sys.platform == "win32":
        start()
        return
    # A child of a child that is gone: whatever this process becomes need not wait for it.
    child = os.fork()
    if child == 0:
        try:
            os.nice(10)
            start()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def become(command: Sequence[str]) -> NoReturn:
    """Go on as another program, which then gets the keyboard and the signals."""
    if sys.platform == "win32":
        # There, exec returns to the shell at once, with the new program behind it.
        sys.exit(subprocess.run(command, env=clean_variables(), check=False).returncode)
    sys.stdout.flush()
    os.execve(command[0], list(command), clean_variables())


# ---------------------------------------------------------------------------- tasks


def play(project: Project, arguments: Sequence[str]) -> NoReturn:
    """Run `archipel`, in the caller's folder, so that file names mean what they say."""
    prepare(project, TO_PLAY)
    if without_language(arguments)[:1] == ["serve"]:
        renew_documents(project)
    become([str(project.program("archipel")), *arguments])


def renew_documents(project: Project) -> None:
    """Build the documents that the server shows, if they are stale: behind its back, in seconds."""
    if (project.root / "tools" / "documents").is_dir():
        run_behind([str(project.python), "-m", "tools.documents", "--when-stale"], project.root)


def bench(project: Project, arguments: Sequence[str]) -> NoReturn:
    prepare(project, TO_PLAY)
    os.chdir(project.root)
    become([str(project.python), "-m", "benchmarks", *arguments])


def mutate(project: Project, arguments: Sequence[str]) -> NoReturn:
    prepare(project, TO_MUTATE)
    os.chdir(project.root)
    become([str(project.python), "-m", "tools.mutate", *arguments])


def test(project: Project, arguments: Sequence[str]) -> NoReturn:
    """Run every check, the quick ones first, and end with the tests."""
    # Hundreds of processes are started, and each would read all sources anew without it.
    os.environ.pop(NO_BYTECODE, None)
    with ThreadPoolExecutor(1) as beside:
        # Fetching a browser and fetching libraries both wait for the network: they wait together.
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
    run_side_by_side(checks)
    # Nothing is printed after pytest, whose closing line sums up the run.
    headline("pytest")
    become(pytest)


def run_side_by_side(checks: Sequence[tuple[str, list[str]]]) -> None:
    """Run as many at a time as there are processors; what they print comes in the order given.

    The first that fails ends the program, and the others with it.
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
                say(told("stopped: {name} failed", name=name))
                sys.exit(code)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in started:
            process.terminate()
        pool.shutdown()


def has_recent_node() -> bool:
    """Whether the system has a Node that can check the browser client."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    version = re.match(r"v(\d+)\.(\d+)", run_quietly([node, "--version"], Path.cwd()).output)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST_NODE


def test_steps(project: Project, arguments: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The name and the command of each check, in order."""
    python = str(project.python)
    # What the caller says comes last, so that for instance `-n 0` wins.
    # Two more than there are processors: tests in the browser wait a good deal.
    # Whoever is done takes over tests from the others: those in the browser are long.
    pytest = [python, "-m", "pytest", "-n", str(processors() + 2), "--dist", "worksteal"]
    for argument in arguments:
        # An empty -m lifts the choice of markers made in pyproject.toml.
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
    """How many processors this process may use, which can be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def headline(name: str) -> None:
    print(f"\n== {name} ==", flush=True)


TASKS = {"test": test, "mutate": mutate, "bench": bench}


def main(arguments: Sequence[str]) -> None:
    complaint = complaint_about_python(sys.version_info[:2])
    if complaint:
        say(complaint)
        sys.exit(2)
    words = without_language(arguments)
    if words and words[0] in ("-h", "--help"):
        print(told(HELP))
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
        say(told("cannot go on: {error}", error=error))
        sys.exit(1)
    except KeyboardInterrupt:
        say(told("interrupted"))
        sys.exit(130)


def complaint_about_python(version: tuple[int, int]) -> str | None:
    """What to tell the user of a Python that is too old; None to one that will do."""
    if version >= OLDEST_PYTHON:
        return None
    oldest, found = (".".join(map(str, pair)) for pair in (OLDEST_PYTHON, version))
    return told(
        "needs Python {oldest} or later, and this is Python {found}", oldest=oldest, found=found
    )


def without_language(arguments: Sequence[str]) -> list[str]:
    """The arguments without ``--lang``, which our own tasks do not pass on."""
    words = list(arguments)
    for index, word in enumerate(words):
        if word == "--lang" or word.startswith("--lang="):
            return words[:index] + words[index + (1 if "=" in word else 2) :]
    return words


def for_archipel(arguments: Sequence[str]) -> list[str]:
    """The arguments that go to `archipel`: those given, or else the default."""
    if not arguments:
        return list(DEFAULT_COMMAND)
    if arguments[0] == "--":
        return list(arguments[1:])
    return list(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
