"""Output: columns of figures, results as JSON or text, a progress bar."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from archipel.rules.catalogue import Catalogue
from archipel.study import OnProgress, Progress
from archipel.study.progress import COMPILING, NO_COMPILER


def decimal(value: float, words: Catalogue) -> str:
    return f"{value:.1f}".replace(".", words.say("simulate.decimal_mark"))


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()


def print_result(as_json: bool, data: Any, lines: Iterable[str]) -> int:
    """Print a result as JSON or as lines of text; returns the exit status 0."""
    print(json.dumps(data, ensure_ascii=False, indent=2) if as_json else "\n".join(lines))
    return 0


NOTES = {COMPILING: "simulate.compiling", NO_COMPILER: "simulate.no_compiler"}


@contextmanager
def progress_bar(words: Catalogue, doing: str = "simulate.games") -> Iterator[OnProgress]:
    """A progress bar on standard error if it is a terminal; important notes in any case."""
    if not sys.stderr.isatty():

        def note_only(progress: Progress) -> None:
            if progress.note:
                line = words.say(NOTES[progress.note])
                print(f"archipel: {line}", file=sys.stderr, flush=True)

        yield note_only
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words.say(doing), total=None)

        def show(progress: Progress) -> None:
            key = NOTES.get(progress.note, doing)
            if progress.note == NO_COMPILER:
                bar.console.print(words.say(key))
            else:
                total = None if progress.note else progress.games
                bar.update(task, completed=progress.done, total=total, description=words.say(key))

        yield show
