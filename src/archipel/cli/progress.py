"""How far a study is, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from archipel.rules.catalogue import Catalogue
from archipel.study import OnProgress, Progress
from archipel.study.backends import COMPILING, NO_COMPILER

NOTES = {COMPILING: "simulate.compiling", NO_COMPILER: "simulate.no_compiler"}


@contextmanager
def progress_bar(words: Catalogue, doing: str = "simulate.games") -> Iterator[OnProgress]:
    """A bar on standard error while it is a terminal; notes that matter anywhere."""
    if not sys.stderr.isatty():

        def note_only(progress: Progress) -> None:
            if progress.note == NO_COMPILER:
                print(f"archipel: {words.say(NOTES[NO_COMPILER])}", file=sys.stderr)

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
