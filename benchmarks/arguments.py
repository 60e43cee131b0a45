"""The command line of a benchmark: the module's own text is its help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable


def parser_of(name: str, text: str | None) -> argparse.ArgumentParser:
    """A parser for ``python -m benchmarks.NAME``, whose help is what the module says of itself."""
    return argparse.ArgumentParser(
        prog=f"python -m benchmarks.{name}",
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def one_of(games: Iterable[str]) -> Callable[[str], str]:
    """The type of an argument that names one of these games; another is refused in one line."""
    known = tuple(games)

    def named(word: str) -> str:
        if word not in known:
            raise argparse.ArgumentTypeError(f"{word} is none of {', '.join(known)}")
        return word

    return named
