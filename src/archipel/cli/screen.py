"""The terminal: lines with a little colour where there is one, and questions."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from textwrap import wrap

from archipel.cli.completing import complete_with, unprinted
from archipel.cli.errors import InputEnded

RESET = "\x1b[0m"
STYLES = {
    "strong": "\x1b[1m",
    "faint": "\x1b[2m",
    "key": "\x1b[36m",
    "warning": "\x1b[33m",
    "sea": "\x1b[34m",
}
#: For what belongs to each seat, in their order.
SEAT_STYLES = ("\x1b[1;31m", "\x1b[1;32m", "\x1b[1;35m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1;34m")
CLEAR = "\x1b[H\x1b[2J"
FORGET_SCROLLED = "\x1b[3J"


class Screen:
    """Standard output and input. Codes for colour go to terminals only, and not if NO_COLOR is
    set (https://no-color.org); nor does anything but a terminal get cleared."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdout.isatty()
        self.colours = (
            self.is_terminal
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") not in (None, "dumb")
        )

    def styled(self, text: str, style: str) -> str:
        return f"{STYLES[style]}{text}{RESET}" if self.colours and text else text

    def of_seat(self, text: str, seat: int) -> str:
        """In the colour of a seat."""
        return f"{SEAT_STYLES[seat % len(SEAT_STYLES)]}{text}{RESET}" if self.colours else text

    @property
    def columns(self) -> int:
        return shutil.get_terminal_size().columns

    @property
    def rows(self) -> int:
        return shutil.get_terminal_size().lines

    def height(self, text: str) -> int:
        """How many lines of the terminal a text takes."""
        return sum(len(self._broken(part)) or 1 for part in text.split("\n"))

    def line(self, text: str = "", style: str = "") -> None:
        """Print a text; a terminal gets it broken between words."""
        for part in text.split("\n"):
            for piece in self._broken(part):
                print(self.styled(piece, style) if style else piece, flush=True)

    def _broken(self, text: str) -> list[str]:
        if not self.is_terminal or len(text) <= self.columns or RESET in text:
            return [text]
        return wrap(text, self.columns, break_on_hyphens=False)

    def lines(self, texts: Iterable[str], style: str = "") -> None:
        for text in texts:
            self.line(text, style)

    def clear(self, *, forget: bool = False) -> None:
        """Start a fresh screen; ``forget`` what was scrolled away too, where it was secret."""
        if self.is_terminal and os.environ.get("TERM") != "dumb":
            print(CLEAR + (FORGET_SCROLLED if forget else ""), end="", flush=True)

    def prompt(self, text: str, style: str) -> str:
        """A styled text to ask with."""
        if not self.colours:
            return text
        return f"{unprinted(STYLES[style])}{text}{unprinted(RESET)}"

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str:
        """A line from the keyboard or the pipe, which the tab key completes; raises `InputEnded`
        when there is none."""
        complete_with(completions)
        try:
            answer = input(prompt)
        except EOFError:
            self.line()
            raise InputEnded from None
        except UnicodeDecodeError:
            return "\ufffd"
        if not sys.stdin.isatty():
            self.line(answer)  # nobody typed it, so it is not on the screen yet
        return answer.strip()
