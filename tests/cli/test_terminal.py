"""On a real terminal: colours unless disabled, a cleared screen, and Ctrl-C."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest

if sys.platform == "win32":
    pytest.skip("needs a Unix terminal", allow_module_level=True)

import pty

from archipel.cli.early_options import load_sentences
from archipel.cli.output import progress_bar
from archipel.cli.screen import CLEAR
from archipel.study import Progress
from archipel.study.progress import COMPILING

GAME = ("play", "deep-sea", "--players", "Ana,Bob", "--set", "first=1", "--seed", "1")
PATIENCE = 30.0


class Terminal:
    """The command line in a pseudo-terminal."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.near, far = pty.openpty()
        variables = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}
        if "NO_COLOR" not in environment:
            variables.pop("NO_COLOR", None)
        command = [sys.executable, "-m", "archipel", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=far,
            stdout=far,
            stderr=far,
            env=variables,
            start_new_session=True,
            preexec_fn=_listen_to_interrupts,
        )
        os.close(far)
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self.near, text.encode())

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown and self._read():
            assert time.monotonic() < deadline, self.shown
        assert text in self.shown

    def interrupt(self) -> None:
        """Press Ctrl-C, repeatedly: an interrupt between the prompt and the wait for input is
        noticed only with the next key."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, self.shown
            self.process.send_signal(signal.SIGINT)
            again = time.monotonic() + 3
            while self.process.poll() is None and time.monotonic() < again:
                self._read()

    def end(self) -> int:
        # Read on: a program that exits waits until its output is read.
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and self._read():
            assert time.monotonic() < deadline, self.shown
        code = self.process.wait(PATIENCE)
        os.close(self.near)
        return code

    def _read(self) -> bool:
        """Read the output; returns False once the other side is closed."""
        if not select.select([self.near], [], [], 0.1)[0]:
            return True
        try:
            self.shown += os.read(self.near, 65536).decode("utf-8", "replace")
        except OSError:
            return False
        return True


def _listen_to_interrupts() -> None:
    """Enable interrupts even if the tests run in the background of a script."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_colours_and_a_cleared_screen() -> None:
    terminal = Terminal(*GAME)
    terminal.wait_for("Ana > ")
    assert "\x1b[1mAna: You are in" in terminal.shown
    terminal.type("dive\r")
    terminal.wait_for("Take it?")
    assert terminal.shown.count("\x1b[H\x1b[2J") == 2
    terminal.type("quit\r")
    terminal.wait_for("Save the game?")
    terminal.type("\r")
    terminal.wait_for("See you soon.")
    assert terminal.end() == 0


def test_no_colour_if_disabled() -> None:
    terminal = Terminal(*GAME, NO_COLOR="1")
    terminal.wait_for("Ana > ")
    assert "\x1b[1m" not in terminal.shown
    assert "\x1b[36m" not in terminal.shown
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_a_dumb_terminal_gets_plain_text() -> None:
    terminal = Terminal(*GAME, TERM="dumb")
    terminal.wait_for("Ana > ")
    assert "\x1b" not in terminal.shown
    terminal.type("quit\r")
    assert terminal.end() == 0


def test_an_interrupt_leaves_quietly() -> None:
    terminal = Terminal(*GAME)
    terminal.wait_for("Ana > ")
    terminal.interrupt()
    assert terminal.end() == 130
    assert "Traceback" not in terminal.shown


def test_sentences_wrap_between_words() -> None:
    terminal = Terminal(*GAME, "--lang", "fr", COLUMNS="50")
    terminal.wait_for("Ana > ")
    question = terminal.shown.split("Vous êtes")[1].split("  1  plonger")[0]
    assert "les mains" in question.replace("\r\n", " ").replace("\x1b[0m", "").replace(
        "\x1b[1m", ""
    )
    assert all(len(line) <= 60 for line in question.split("\r\n"))
    terminal.type("quitter\r")
    assert terminal.end() == 0


# ---- screen height and completion


ISLAND = (
    *("play", "the-island", "--players", "Ana,Bob", "--seed", "1"),
    *("--set", "first=1", "--set", "auto_setup=on"),
)


def last_screen(terminal: Terminal) -> list[str]:
    return terminal.shown.split(CLEAR)[-1].replace("\r", "").split("\n")


def test_the_board_stays_in_view() -> None:
    terminal = Terminal(*ISLAND, COLUMNS="100", LINES="50")
    terminal.wait_for("Ana > ")
    placed = 0
    while "stop" not in "".join(last_screen(terminal)):
        placed += 1
        before = terminal.shown.count(CLEAR)
        terminal.type("1\n")
        while terminal.shown.count(CLEAR) == before or "> " not in terminal.shown.split(CLEAR)[-1]:
            terminal._read()
        assert placed < 20
    screen = last_screen(terminal)
    assert len(screen) <= 50
    assert any("explorer" in line and " w3" in line and " w4" in line for line in screen)
    assert any("The Island" in line for line in screen)
    terminal.type("quit\nno\n")
    terminal.end()


def test_completion() -> None:
    pytest.importorskip("readline")
    terminal = Terminal(*GAME)
    terminal.wait_for("Ana > ")
    terminal.type("div\t\n")
    terminal.wait_for("Ana dives")
    terminal.type("quit\nno\n")
    assert terminal.end() == 0


def test_pieces_have_the_colours_of_their_seats() -> None:
    terminal = Terminal(*ISLAND, COLUMNS="100", LINES="60")
    terminal.wait_for("Ana > ")
    assert "\x1b[1;31m1 Ana" in terminal.shown
    assert "\x1b[1;32m2 Bob" in terminal.shown
    assert re.search(r"\x1b\[1;31mw\d+\x1b\[0m", terminal.shown)
    terminal.type("quit\n")
    terminal.end()


def test_compiling_is_reported_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A file or a pipe gets a line before the silence of compiling."""
    with progress_bar(load_sentences("en")) as on_progress:
        on_progress(Progress(0, 10, COMPILING))
        on_progress(Progress(5, 10))
    assert capsys.readouterr().err == "archipel: compiling, just this once\n"
