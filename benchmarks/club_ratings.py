"""Do the ratings of a club find the order of the bots' levels in 200 games?

    python -m benchmarks.club_ratings

The games are those of the ladder (`docs/ladder`), of two seats, and games of five seats with one of
each level (`docs/studies/club-ratings`): games that the levels really played, drawn at random. To
the ratings all levels are new members. The table says how often the order of two levels that are
neighbours on the ladder, and of all levels, was found. The second file is made by

    archipel ladder deep-sea --seats 5 --games 400 --bots first-game-1,casual-2,... \\
        --file docs/studies/club-ratings/deep-sea.jsonl
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from archipel.clubs.ladder import bot_points
from archipel.clubs.ratings import Rating, Result, ratings
from benchmarks.arguments import parser_of

DOCS = Path(__file__).parents[1] / "docs"
GAMES, CLUBS = 200, 200
LEVELS = {
    "deep-sea": ("first-game-1", "casual-2", "regular-2", "expert-2", "master-2"),
    "atlantis": ("first-game-2", "casual-2", "regular-1", "expert-1", "master-2"),
    "the-island": ("first-game-2", "casual-1", "regular-1", "expert-1", "master-2"),
    "mauna-kea": ("first-game-1", "casual-1", "regular-1", "expert-2", "master-5"),
}


def file_of(game: str, seats: int) -> Path:
    folder = DOCS / "ladder" if seats == 2 else DOCS / "studies" / "club-ratings"
    return folder / f"{game}.jsonl"


def games_of(game: str, seats: int) -> list[Result[str]]:
    """All games that the levels of today played against each other."""
    found = []
    for line in file_of(game, seats).read_text("utf-8").splitlines()[1:]:
        rotation = json.loads(line)
        if set(rotation["bots"]) <= set(LEVELS[game]):
            found += [Result(rotation["bots"], ranks) for ranks in rotation["ranks"]]
    return found


def club(game: str, seed: int, seats: int = 2) -> dict[str, Rating]:
    """The ratings of a club after some of these games in random order."""
    played = games_of(game, seats)
    drawn = random.Random(f"{game} {seed}")
    return ratings(drawn.sample(played, min(GAMES, len(played))))


def in_order(found: dict[str, Rating], levels: tuple[str, ...]) -> bool:
    points = [found[level].points for level in levels]
    return points == sorted(points)


def main(arguments: Sequence[str] | None = None) -> int:
    parser_of("club_ratings", __doc__).parse_args(arguments)
    print("| game | seats | games | neighbours in order | all five in order | widths ± |")
    print("| --- | --: | --: | --: | --: | --: |")
    for seats, game in [*((2, game) for game in LEVELS), (5, "deep-sea")]:
        levels = LEVELS[game]
        clubs = [club(game, seed, seats) for seed in range(CLUBS)]
        pairs = list(pairwise(levels))
        right = sum(in_order(found, pair) for found in clubs for pair in pairs)
        whole = sum(in_order(found, levels) for found in clubs)
        width = sum(1.96 * each.deviation for found in clubs for each in found.values())
        print(
            f"| {game} | {seats} | {len(games_of(game, seats)):,} | "
            f"{right / len(pairs) / CLUBS:.0%} | {whole / CLUBS:.0%} | "
            f"{width / CLUBS / len(levels):.0f} |"
        )
        for level in levels:
            first = clubs[0][level]
            low, high = first.interval
            print(
                f"  {level}: {first.points:.0f} ({low:.0f} to {high:.0f}), ladder "
                f"{bot_points()[game][level]:.0f}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
