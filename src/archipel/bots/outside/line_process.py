"""A child process that answers a line with a line, in time or not at all.

Whoever asks waits no longer than it says: a child that is late, silent or talks nonsense is killed
with everything it started, and the caller is told why in words.
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

#: The longest line a child may send; a longer one is nonsense.
LONGEST_LINE = 64 * 1024

#: Of what a child complains, the last lines are remembered, each cut to this length.
COMPLAINTS = 5
LONGEST_COMPLAINT = 300

#: Children come after the people at the tables.
NICENESS = 5


class ProcessFailed(Exception):
    """A child did not answer as it should; the message says how, in one line."""


class ProcessEnded(ProcessFailed):
    """A child ended by itself instead of answering."""


class LineProcess:
    """A running child. It is asked one thing at a time, and never again after it failed."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cores: Sequence[int] = (),
        environment: dict[str, str] | None = None,
    ) -> None:
        """``cores`` are those it may run on, where the system lets us say so; none: any.

        Raises `ProcessFailed` if it cannot be started.
        """
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=COMPLAINTS)
        self._killed = False
        try:
            self._child = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                # So that what it started can be ended with it, and Ctrl-C is ours alone.
                start_new_session=True,
            )
        except OSError as error:
            why = error.strerror or str(error)
            raise ProcessFailed(f"{command[0]} cannot be started: {why}") from None
        settle(self._child.pid, cores)
        talker, self._listener = (
            threading.Thread(target=work, name=f"child-{self._child.pid}", daemon=True)
            for work in (self._talk, self._listen_to_complaints)
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
        """Its answer to a line. Raises `ProcessFailed`, and then the child has been killed."""
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
        """End it and all that it started, at once. It may be called from any thread."""
        self._killed = True
        self._lines.put(None)
        self._answers.put(b"")  # whoever waits need not wait for the pipe to close
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._child.pid, signal.SIGKILL)
            else:
                self._child.kill()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(1)

    def close(self, seconds: float = 1.0) -> None:
        """Let it end by itself: its input ends. One that does not take the hint is killed."""
        self._lines.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(seconds)
        self.kill()

    def _talk(self) -> None:
        """Write a line, read a line.  In a thread, so that nobody waits for a full pipe either."""
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

    def _listen_to_complaints(self) -> None:
        assert self._child.stderr is not None
        with suppress(OSError, ValueError):
            while line := self._child.stderr.readline(LONGEST_COMPLAINT):
                if text := line.decode("utf-8", "replace").strip():
                    self._complaints.append(text)

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
        self._listener.join(1)  # what it said last may still be on its way
        return ProcessEnded(f"it ended with status {self._child.returncode}{self._said()}")

    def _said(self) -> str:
        """The last that it complained of."""
        return f": {self._complaints[-1]}" if self._complaints else ""


def settle(process: int, cores: Sequence[int]) -> None:
    """Let a child have these cores only, after everything else that wants to run there."""
    with suppress(OSError):
        if cores and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(process, cores)
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, process, NICENESS)


def python_command(module: str, *arguments: str) -> list[str]:
    """Run a module of ours in another process."""
    return [sys.executable, "-m", module, *arguments]


def python_environment(**more: str) -> dict[str, str]:
    """So that the other process finds the very same sources."""
    path = os.pathsep.join(filter(None, sys.path))
    return {**os.environ, "PYTHONPATH": path, **more}


def usable_cores() -> list[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
