"""A child process that answers each line with a line, within a time limit.

A child that is late, exits or sends invalid data is killed with all its descendants, and the caller
gets an exception with the reason.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

#: Longest line that a child may send.
LONGEST_LINE = 64 * 1024

#: Lines of a child's standard error to keep, each cut to this length.
ERROR_LINES = 5
LONGEST_ERROR_LINE = 300

#: Niceness of children, which must not slow the server down.
NICENESS = 5


#: The environment variables that programs of others get, besides those of the language (LC_*).
_HARMLESS = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP",
    "TERM", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
    "CUDA_VISIBLE_DEVICES", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR", "ARCHIPEL_CACHE",
    # Without these, few programs start on Windows.
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA",
    "USERPROFILE", "PROGRAMDATA", "PROGRAMFILES", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
})  # fmt: skip


class ProcessFailed(Exception):
    """A child gave no valid answer; the message has the reason in one line."""


class ProcessEnded(ProcessFailed):
    """A child exited instead of answering."""


class LineProcess:
    """A running child. It gets one request at a time, and none after a failure."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cores: Sequence[int] = (),
        environment: dict[str, str] | None = None,
    ) -> None:
        """Start the child; raises `ProcessFailed` if that is not possible.

        ``cores`` are the cores it may run on, where the system supports that; empty: any.
        """
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=ERROR_LINES)
        self._killed = False
        try:
            self._child = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                # Puts its descendants in one group to kill, and keeps Ctrl-C from it.
                start_new_session=True,
            )
        except OSError as error:
            why = error.strerror or str(error)
            raise ProcessFailed(f"{command[0]} cannot be started: {why}") from None
        limit_process(self._child.pid, cores)
        talker, self._listener = (
            threading.Thread(target=work, name=f"child-{self._child.pid}", daemon=True)
            for work in (self._exchange_lines, self._read_errors)
        )
        talker.start()
        self._listener.start()

    @property
    def process_id(self) -> int:
        return self._child.pid

    @property
    def is_running(self) -> bool:
        return not self._killed and self._child.poll() is None

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the answer; raises `ProcessFailed` after killing the child."""
        if self._killed:
            raise ProcessFailed("it has been stopped")
        self._lines.put(line)
        try:
            answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            self.kill()
            raise ProcessFailed(f"no answer within {seconds:g} s{self._said()}") from None
        if not answer.endswith(b"\n"):
            raise self._no_line(answer)
        return answer

    def kill(self) -> None:
        """Kill the child and all its descendants. Any thread may call this."""
        self._killed = True
        self._lines.put(None)
        self._answers.put(b"")  # wakes a waiting caller before the pipe closes
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._child.pid, signal.SIGKILL)
            else:
                self._child.kill()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(1)

    def close(self, seconds: float = 1.0) -> None:
        """Close the child's input, and kill it if it does not exit in time."""
        self._lines.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(seconds)
        self.kill()

    def _exchange_lines(self) -> None:
        """Write a line, read a line; in a thread, so that a full pipe blocks no caller."""
        child = self._child
        assert child.stdin is not None
        assert child.stdout is not None
        with suppress(OSError, ValueError):
            while (line := self._lines.get()) is not None:
                child.stdin.write(line)
                child.stdin.flush()
                answer = child.stdout.readline(LONGEST_LINE)
                self._answers.put(answer)
                if not answer.endswith(b"\n"):
                    break
        self._answers.put(b"")
        with suppress(OSError):
            child.stdin.close()

    def _read_errors(self) -> None:
        assert self._child.stderr is not None
        with suppress(OSError, ValueError):
            while line := self._child.stderr.readline(LONGEST_ERROR_LINE):
                if text := line.decode("utf-8", "replace").strip():
                    self._errors.append(text)

    def _no_line(self, answer: bytes) -> ProcessFailed:
        if len(answer) >= LONGEST_LINE:
            self.kill()
            return ProcessFailed(f"a line of more than {LONGEST_LINE} bytes")
        was_killed = self._killed
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(1)
        self.kill()
        if was_killed:
            return ProcessFailed("it has been stopped")
        self._listener.join(1)  # its last error line may still be in the pipe
        return ProcessEnded(f"it ended with status {self._child.returncode}{self._said()}")

    def _said(self) -> str:
        """The last line of the child's standard error."""
        return f": {self._errors[-1]}" if self._errors else ""


def limit_process(process: int, cores: Sequence[int], niceness: int = NICENESS) -> None:
    """Restrict a child process to these cores and lower its priority."""
    with suppress(OSError):
        if cores and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(process, cores)
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, process, niceness)


def python_command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of this package in another process."""
    return [sys.executable, "-m", module, *arguments]


def python_environment(**more: str) -> dict[str, str]:
    """The environment in which another process imports the same sources."""
    path = os.pathsep.join(filter(None, sys.path))
    return {**os.environ, "PYTHONPATH": path, **more}


def program_environment() -> dict[str, str]:
    """The environment of a program that is not ours: nothing that may be a secret."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _HARMLESS or name.upper().startswith("LC_")
    }


def usable_cores() -> list[int]:
    """The cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
