"""Generate the page about position notation from the field tables of the games.

python -m tools.position_page          write it
python -m tools.position_page --check  report whether it is out of date
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from archipel.rules.all_games import HOUSE_GAMES

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "positions.md"

HEADING = """\
# The words of a position

Made by `python -m tools.position_page` from the field tables of the games; do not edit.

A position is a row of `name=value` words in any order ([Data files](data-files.md#positions) tells
how they are read; `Game.from_position` takes them as text or as keywords, and
`Game.complete_position` completes them). Each table lists every word of a game: its meaning, the
value that holds if the word is left out, and an example. The defaults are those of the shortest
position above each table, and the examples are added to it. Seats are counted from 1; lists are
separated by commas; `-` is none.
"""


def page() -> str:
    return HEADING + "".join(f"{line}\n" for line in _lines())


def _lines() -> Iterator[str]:
    for definition in HOUSE_GAMES:
        table = definition.position_table
        if table is not None:
            yield from ("", f"## {definition.booklet('en').title}", "")
            yield f"The shortest position is `{table.shortest}`: {table.shortest_meaning}."
            yield from ("", "| word | meaning | default | example |", "| --- | --- | --- | --- |")
            for row in table.rows():
                yield f"| {' | '.join(row)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The page about the words of positions.")
    parser.add_argument("--check", action="store_true", help="only say whether it is out of date")
    check = parser.parse_args(arguments).check
    stale = PAGE.read_text("utf-8") != page()
    if stale:
        print(f"{PAGE.relative_to(ROOT)}: {'out of date' if check else 'written'}")
    if stale and not check:
        PAGE.write_text(page(), "utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
