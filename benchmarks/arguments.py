"""Command lines of benchmarks; the docstring of the module is the help text."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable


def parser_of(name: str, text: str | None) -> argparse.ArgumentParser:
    """A parser for ``python -m benchmarks.NAME`` with this description."""
    return argparse.ArgumentParser(
        prog=f"python -m benchmarks.{name}",
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def one_of(games: Iterable[str]) -> Callable[[str], str]:
    """An argparse type that accepts the names of these games."""
    known = tuple(games)

    def named(word: str) -> str:
        if word not in known:
            raise argparse.ArgumentTypeError(f"{word} is none of {', '.join(known)}")
        return word

    return named
