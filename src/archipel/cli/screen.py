"""The terminal: coloured lines, questions with completion, and lists of choices."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from textwrap import wrap
from typing import Any

from archipel.cli.errors import InputEnded

RESET = "\x1b[0m"
STYLES = {
    "strong": "\x1b[1m",
    "faint": "\x1b[2m",
    "key": "\x1b[36m",
    "warning": "\x1b[33m",
    "sea": "\x1b[34m",
}
#: Colours of the seats, in order.
SEAT_STYLES = ("\x1b[1;31m", "\x1b[1;32m", "\x1b[1;35m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1;34m")
CLEAR = "\x1b[H\x1b[2J"
FORGET_SCROLLED = "\x1b[3J"


class Screen:
    """Standard output and input. Uses colours and clears the screen only on a terminal; no colours
    if NO_COLOR is set (https://no-color.org)."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdout.isatty()
        self.colours = (
            self.is_terminal
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") not in (None, "dumb")
        )

    def styled(self, text: str, style: str) -> str:
        return f"{STYLES[style]}{text}{RESET}" if self.colours and text else text

    def for_seat(self, text: str, seat: int) -> str:
        """A text in the colour of a seat."""
        return f"{SEAT_STYLES[seat % len(SEAT_STYLES)]}{text}{RESET}" if self.colours else text

    @property
    def columns(self) -> int:
        return shutil.get_terminal_size().columns

    @property
    def rows(self) -> int:
        return shutil.get_terminal_size().lines

    def height(self, text: str) -> int:
        """The number of terminal lines that a text takes."""
        return sum(len(self._broken(part)) or 1 for part in text.split("\n"))

    def line(self, text: str = "", style: str = "") -> None:
        """Print a text, wrapped between words on a terminal."""
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
        """Clear the screen; ``forget``: also the scrollback, which may contain secrets."""
        if self.is_terminal and os.environ.get("TERM") != "dumb":
            print(CLEAR + (FORGET_SCROLLED if forget else ""), end="", flush=True)

    def prompt(self, text: str, style: str) -> str:
        """A prompt in a style."""
        if not self.colours:
            return text
        return f"{zero_width(STYLES[style])}{text}{zero_width(RESET)}"

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str:
        """Read a line, with tab completion; raises `InputEnded` at the end of the input."""
        complete_with(completions)
        try:
            answer = input(prompt)
        except EOFError:
            self.line()
            raise InputEnded from None
        except UnicodeDecodeError:
            return "\ufffd"
        if not sys.stdin.isatty():
            self.line(answer)  # input from a pipe is not echoed
        return answer.strip()


Styled = Callable[[str, str], str]


def one_per_line(written: Sequence[str], labels: Sequence[str], styled: Styled) -> list[str]:
    """One choice per line: its number, its notation and its description."""
    width = max(map(len, written))
    return [
        f"{styled(f'{number:>3}  {text:<{width}}', 'key')}  {label}"
        for number, (text, label) in enumerate(zip(written, labels, strict=True), 1)
    ]


def grouped(written: Sequence[str], columns: int, styled: Styled) -> list[str]:
    """Choices side by side, grouped by their first word: ``explorer  1 w1  2 w2  3 w4``."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for number, text in enumerate(written, 1):
        first, _, rest = text.partition(" ")
        groups.setdefault(first if rest else "", []).append((str(number), rest or text))
    indent = max(map(len, groups)) + 4
    lines = []
    for first, entries in groups.items():
        digits = max(len(number) for number, _ in entries)
        width = digits + 1 + max(len(rest) for _, rest in entries) + 2
        across = max(1, (columns - indent) // width)
        for start in range(0, len(entries), across):
            head = f"  {first if start == 0 else '':<{indent - 2}}"
            cells = [
                styled(f"{number:>{digits}}", "key") + f" {rest:<{width - digits - 1}}"
                for number, rest in entries[start : start + across]
            ]
            lines.append((head + "".join(cells)).rstrip())
    return lines


_editor: Any = None
with suppress(ImportError):  # not available on some systems
    import readline as _editor


def complete_with(texts: Sequence[str]) -> None:
    """Let the tab key complete the next lines to one of these texts."""
    if _editor is None:
        return
    _editor.set_completer_delims("\n")
    _editor.set_completer(lambda typed, number: nth_completion(texts, typed, number))
    is_libedit = "libedit" in (_editor.__doc__ or "")
    _editor.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


def nth_completion(texts: Sequence[str], typed: str, number: int) -> str | None:
    """The n-th text that begins with the typed text, ignoring case."""
    begun = " ".join(typed.casefold().split())
    found = [text for text in texts if text.casefold().startswith(begun)]
    return found[number] if number < len(found) else None


def zero_width(code: str) -> str:
    """Mark an escape code in a prompt as zero-width for the line editor."""
    return code if _editor is None else f"\x01{code}\x02"
