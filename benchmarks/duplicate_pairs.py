"""How much luck duplicate play takes out: pairs of tables with one chance, and with two.

::

    python -m benchmarks.duplicate_pairs GAME --pairs 1000 --file docs/studies/duplicates/GAME.jsonl
    python -m benchmarks.duplicate_pairs --report docs/studies/duplicates

At both tables of a pair the same bots have all seats but the first, `casual` and its copies.  The
first seat has `regular` at one table and `casual` at the other, as two people have it who play the
deal of the day.  A pair estimates how many points more `regular` makes.  With independent chance
the tables of a pair are from different deals: table A of a deal and table B of the next one.

A third table has only `casual` again, which think with other random numbers.  The correlation of
the first seat's scores at the two tables of `casual` is the share that chance has in a score.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from archipel.bots import Bot
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, Tape, stream_key
from archipel.rules.play_out import MAX_DECISIONS
from archipel.tables.bots.players import bot_seed
from archipel.tables.log.fair_chance import DuplicateChance

TESTED, OTHERS, AGAIN = "regular", "casual", "again"
GAMES = ("deep-sea", "atlantis", "the-island", "mauna-kea")
SAMPLES = 2_000


def play(bots: Sequence[Bot], game: str, key: bytes, thinking: bytes) -> list[int]:
    """The scores of a table of the deal with this key, by seat; the seeds of its bots are from
    ``thinking``, numbered as at tables."""
    definition, chance = game_named(game), DuplicateChance(key)
    state = definition.new(definition.make_options(len(bots)), chance)
    decided = [0] * len(bots)
    for _ in range(MAX_DECISIONS):
        seat = definition.to_move(state)
        if seat < 0:
            return [definition.score(state, seat) for seat in range(len(bots))]
        legal = definition.legal_actions(state)
        seed = bot_seed(thinking, seat << 32 | decided[seat])
        view = definition.recalled(state, seat)
        action = bots[seat].choose(view, legal, chance=Stream(stream_key(seed, 0)))
        decided[seat] += 1
        definition.apply(state, action, Tape((), chance))
    raise RuntimeError("the game does not end")


def play_pairs(game: str, seats: int, numbers: range, file: Path) -> None:
    """Append the scores of pairs; those that the file has are kept."""
    file.parent.mkdir(parents=True, exist_ok=True)
    known = {pair["pair"] for pair in read(file)}
    others = [Bot.named(game, OTHERS) for _ in range(seats - 1)]
    first = {name: Bot.named(game, name) for name in (TESTED, OTHERS)}
    with file.open("a") as out:
        for number in numbers:
            if number in known:
                continue
            key = hashlib.sha256(f"duplicate pair {number}".encode()).digest()
            again = hashlib.sha256(f"again {number}".encode()).digest()
            scores = {name: play([bot, *others], game, key, key) for name, bot in first.items()}
            scores[AGAIN] = play([first[OTHERS], *others], game, key, again)
            out.write(json.dumps({"pair": number, "seats": seats, **scores}) + "\n")
            out.flush()


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def estimate(file: Path) -> dict[str, float]:
    """The difference with its standard errors, and how much smaller the first is than the second,
    with a 95 % interval from the bootstrap over pairs."""
    pairs = sorted(read(file), key=lambda pair: pair["pair"])
    tested = [pair[TESTED][0] for pair in pairs]
    others = [pair[OTHERS][0] for pair in pairs]
    twice = [pair for pair in pairs if AGAIN in pair]
    rng, gains = random.Random(1), []
    for _ in range(SAMPLES):
        drawn = [rng.randrange(len(pairs)) for _ in pairs]
        gains.append(gain([tested[n] for n in drawn], [others[n] for n in drawn]))
    gains.sort()
    differences = [a - b for a, b in zip(tested, others, strict=True)]
    root = math.sqrt(len(pairs))
    variance = statistics.variance(tested) + statistics.variance(others)
    return {
        "pairs": len(pairs),
        "difference": statistics.mean(differences),
        "duplicate": statistics.stdev(differences) / root,
        "independent": math.sqrt(variance) / root,
        "correlation": statistics.correlation(tested, others),
        "chance": statistics.correlation(
            [pair[OTHERS][0] for pair in twice], [pair[AGAIN][0] for pair in twice]
        ),
        "smaller": gain(tested, others),
        "low": gains[round(0.025 * SAMPLES)],
        "high": gains[round(0.975 * SAMPLES)],
    }


def gain(tested: Sequence[int], others: Sequence[int]) -> float:
    """By which share the standard error with one chance is smaller than with independent chance."""
    differences = [a - b for a, b in zip(tested, others, strict=True)]
    variance = statistics.variance(tested) + statistics.variance(others)
    return 1 - math.sqrt(statistics.variance(differences) / variance)


def report(folder: Path) -> str:
    """The table of the study."""
    heads = ("pairs", "difference", "SE duplicate", "SE independent", "correlation", "smaller by")
    lines = [f"| game | {' | '.join(heads)} | chance |", "| --- |" + " --: |" * (len(heads) + 1)]
    for game in GAMES:
        if not (folder / f"{game}.jsonl").exists():
            continue
        e = estimate(folder / f"{game}.jsonl")
        title = game_named(game).title("en")
        lines.append(
            f"| {title} | {e['pairs']:,} | {e['difference']:.2f} | {e['duplicate']:.3f} | "
            f"{e['independent']:.3f} | {e['correlation']:.2f} | "
            f"{e['smaller']:.0%} ({e['low']:.0%} to {e['high']:.0%}) | "
            f"{e['chance']:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", choices=GAMES)
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    if given.report is not None:
        print(report(given.report))
    else:
        play_pairs(given.game, given.seats, range(given.first, given.pairs), given.file)


if __name__ == "__main__":
    main()
