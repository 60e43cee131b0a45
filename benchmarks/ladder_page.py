"""Generate the tables and charts of `docs/ladder.md` from the ladder files.

    python -m benchmarks.ladder_page [FOLDER]

FOLDER has ladders that were played elsewhere, one file per game (``deep-sea.jsonl``), and one for
its later rules (``deep-sea-2.jsonl``).  Their games are first added to the files in `docs/ladder`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from archipel.bots import levels_of
from archipel.cli.ladder import anchor_of
from archipel.rules.all_games import game_named
from archipel.study.matches.ladder import Ladder, Line, read_ladder
from archipel.study.matches.ratings import Rating, draw_ratings
from archipel.study.statistics import wilson
from benchmarks.arguments import parser_of

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "ladder.md"
FILES = DOCS / "ladder"


def add(ladder: Ladder, other: Ladder) -> None:
    """Add the rotations of another ladder with the same header."""
    if other.head != ladder.head:
        raise ValueError(f"another ladder: {other.head}, not {ladder.head}")
    for lineup, found in other.played.items():
        ladder.played.setdefault(lineup, {}).update(found)


def whole_file(ladder: Ladder) -> bytes:
    """The content of a ladder's file, sorted by line-up."""
    lines: list[msgspec.Struct] = [ladder.head]
    for lineup, found in sorted(ladder.played.items()):
        for number, rotation in sorted(found.items()):
            lines.append(Line(lineup, number, rotation.ranks, rotation.scores, rotation.decisions))
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def title_of(ladder: Ladder) -> str:
    title, version = game_named(ladder.head.game).title("en"), ladder.head.rules_version
    return title if version == 1 else f"{title}, rules version {version}"


def chapter(ladder: Ladder, ratings: Sequence[Rating], name: str) -> str:
    """The chapter of a file."""
    title, below = title_of(ladder), levels_table(ladder)
    rows = [
        f"| {rating.name} | {rating.rating:.0f} | "
        f"{rating.interval.low:.0f} to {rating.interval.high:.0f} | {rating.games} |"
        for rating in ratings
    ]
    return "\n".join(
        [
            f"## {title}",
            "",
            f"{ladder.games} games. ![Ratings](ladder/{name}.svg)",
            "",
            "| bot | rating | 95 % interval | games |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
            *below,
        ]
    )


def level_pairs(ladder: Ladder) -> list[tuple[str, str]]:
    """Pairs of a level and its opponent: the level below; also greedy for the highest and the
    lowest level."""
    greedy = anchor_of(ladder)
    levels = [level.name for level in levels_of(ladder.head.game)]
    steps = [(above, below) for below, above in pairwise(levels)]
    return [*((name, greedy) for name in (levels[-1], levels[0]) if greedy), *steps]


def levels_table(ladder: Ladder) -> list[str]:
    """The highest and the lowest level against greedy, and each against the level below."""
    rows = []
    for above, below in level_pairs(ladder):
        won = shares_of(ladder, above, below)
        if won:
            interval = wilson(sum(won), len(won))
            share = f"{sum(won) / len(won):.2f} | {interval.low:.2f}–{interval.high:.2f}"
            rows.append(f"| {above} | {below} | {len(won)} | {share} |")
    head = ["| level | against | games | share | 95 % |", "| --- | --- | --- | --- | --- |"]
    return [*head, *rows, ""] if rows else []


def shares_of(ladder: Ladder, one: str, other: str) -> list[float]:
    """Share of first place of a bot in each two-seat game against another."""
    lineup = tuple(sorted((one, other)))
    at = lineup.index(one)
    return [
        1 / ranks.count(0) if ranks[at] == 0 else 0.0
        for rotation in ladder.played.get(lineup, {}).values()
        for ranks in rotation.ranks
    ]


def picture(ladder: Ladder, ratings: Sequence[Rating]) -> str:
    return draw_ratings(f"{title_of(ladder)}, {ladder.head.seats} seats", ratings)


def with_chapter(page: str, text: str) -> str:
    """Replace the chapter with the same heading."""
    heading = text.splitlines()[0]
    before, old = page.split(f"{heading}\n")
    _, following, after = old.partition("\n## ")
    return before + text + following + after


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("ladder_page", __doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    given = parser.parse_args(arguments)
    page = PAGE.read_text("utf-8")
    for file in sorted(FILES.glob("*.jsonl")):
        ladder = read_ladder(file)
        if given.folder is not None and (given.folder / file.name).exists():
            add(ladder, read_ladder(given.folder / file.name))
            file.write_bytes(whole_file(ladder))
        ratings = ladder.ratings(anchor_of(ladder))
        file.with_suffix(".svg").write_text(picture(ladder, ratings), "utf-8")
        page = with_chapter(page, chapter(ladder, ratings, file.stem))
        print(f"{file.name}: {ladder.games} games")
    PAGE.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
