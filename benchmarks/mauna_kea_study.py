"""The study of the table options of Mauna Kea, with one bot in every seat.

``python -m benchmarks.mauna_kea_study`` plays the games and writes docs/studies/mauna-kea.md anew.
Equal commands give equal pages, on any machine.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from archipel.bots.mauna_kea.roster import BOTS, GREEDY_1, GREEDY_2, MAUNA_KEA_BOTS, RANDOM
from archipel.rules.kit import U64, Program, Stream, rule, stream_key
from archipel.rules.kit.copying import copy_state
from archipel.rules.kit.loading import load_backend
from archipel.rules.kit.program import Backend
from archipel.rules.mauna_kea.components import ARTEFACTS, EXPLORERS_EACH, MOST_EXPLORERS
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.end import is_saved_by, rank, score
from archipel.rules.mauna_kea.knowledge import view
from archipel.rules.mauna_kea.position_names import ENDINGS
from archipel.rules.mauna_kea.setup import set_up
from archipel.rules.mauna_kea.state import LIFTED, LOST, SAVED, State, seat_to_move
from archipel.rules.mauna_kea.turn import apply, legal
from archipel.rules.options import Options, Value
from archipel.rules.slots import choose
from archipel.study.kernel import BLANK, PLAYED, SEEN, STATES
from archipel.study.statistics import wilson

PAGE = Path(__file__).parents[1] / "docs" / "studies" / "mauna-kea.md"
GAMES = 5000
SEED = 1
BOT = GREEDY_2

# Columns of the results: of the game, then of each seat.
TURNS = 0
WHY = 1
DECISIONS = 2
GAME_COLUMNS = 3
SCORE = 0
PLACE = 1
SAVED_BY_BOAT = 2
LIFTED_OFF = 3
LOST_TO_LAVA = 4
ARTEFACTS_SAVED = 5
SEAT_COLUMNS = 6


@rule
def count_at(s: State, seat: int, place: int) -> int:
    count = 0
    for explorer in range(MOST_EXPLORERS):
        if s.explorer[seat][explorer] == place:
            count += 1
    return count


@rule
def artefacts_of(s: State, seat: int) -> int:
    count = 0
    for artefact in range(ARTEFACTS):
        if is_saved_by(s, artefact, seat):
            count += 1
    return count


@rule
def measure_games(
    states: list[State],
    actions: list[int],
    bots: list[int],
    chance: Stream,
    choices: Stream,
    seats: int,
    seed: U64,
    games: int,
    results: list[list[int]],
) -> None:
    """Play games of a seed; the bots move round the table from one game to the next."""
    for game in range(games):
        copy_state(states, BLANK, PLAYED)  # type: ignore[arg-type]
        s = states[PLAYED]
        chance.key = stream_key(seed, game)
        chance.counter = 0
        choices.key = stream_key(chance.key, 1)
        choices.counter = 0
        set_up(s, chance)
        decisions = 0
        seat = seat_to_move(s)
        while seat >= 0:
            count = legal(s, actions)
            view(s, seat, states[SEEN])
            bot = bots[(seat + game) % seats]
            apply(s, choose(states[SEEN], bot, actions, count, choices), chance)
            decisions += 1
            seat = seat_to_move(s)
        results[game][TURNS] = s.turn_number
        results[game][WHY] = s.ending
        results[game][DECISIONS] = decisions
        for sits in range(seats):
            first = GAME_COLUMNS + (sits + game) % seats * SEAT_COLUMNS
            results[game][first + SCORE] = score(s, sits)
            results[game][first + PLACE] = rank(s, sits)
            results[game][first + SAVED_BY_BOAT] = count_at(s, sits, SAVED)
            results[game][first + LIFTED_OFF] = count_at(s, sits, LIFTED)
            results[game][first + LOST_TO_LAVA] = count_at(s, sits, LOST)
            results[game][first + ARTEFACTS_SAVED] = artefacts_of(s, sits)


def program() -> Program:
    return MAUNA_KEA.program(measure_games, extra=MAUNA_KEA_BOTS.bindings)


@dataclass
class Measured:
    """What came out of the games of one table; numbers of the seats are per seat."""

    options: Options
    games: int
    rounds: list[float] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    seats: list[list[int]] = field(default_factory=lambda: [[] for _ in range(SEAT_COLUMNS)])
    won: list[int] = field(default_factory=lambda: [0] * 4)
    best: list[int] = field(default_factory=list)

    def mean(self, column: int) -> str:
        """Seats of one game are no independent samples: the interval is that of the games."""
        values, size = self.seats[column], self.options.seats
        games = range(0, len(values), size)
        return mean_text([math.fsum(values[game : game + size]) / size for game in games])


def mean_text(values: list[int] | list[float]) -> str:
    """The mean and half the width of its 95 % interval."""
    mean = math.fsum(values) / len(values)
    square = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return f"{mean:.2f} ± {1.96 * math.sqrt(square / len(values)):.2f}"


def measure(backend: Backend, options: Options, bots: list[int], games: int) -> Measured:
    """Some games at one table."""
    seats = options.seats
    states = backend.states(STATES)
    backend.write(states, BLANK, MAUNA_KEA.blank(options))
    results = backend.numbers(games, GAME_COLUMNS + seats * SEAT_COLUMNS)
    entrants = backend.numbers(seats)
    for seat, bot in enumerate(bots):
        entrants[seat] = bot
    backend.measure_games(
        states,
        backend.numbers(MAUNA_KEA.most_legal),
        entrants,
        backend.stream(0),
        backend.stream(0),
        seats,
        SEED,
        games,
        results,
    )
    names = {number: name for name, number in ENDINGS.items()}
    measured = Measured(options, games)
    for row in results:
        _add(measured, [int(number) for number in row], names)
    return measured


def _add(measured: Measured, row: list[int], names: dict[int, str]) -> None:
    seats = measured.options.seats
    measured.rounds.append(row[TURNS] / seats)
    measured.decisions.append(row[DECISIONS])
    measured.endings[names[row[WHY]]] += 1
    scores = []
    for entrant in range(seats):
        first = GAME_COLUMNS + entrant * SEAT_COLUMNS
        for column in range(SEAT_COLUMNS):
            measured.seats[column].append(row[first + column])
        scores.append(row[first + SCORE])
        measured.won[entrant] += row[first + PLACE] == 0
    measured.best.append(max(scores))


def tables(expert: bool) -> Iterator[Options]:
    for seats in MAUNA_KEA.seats:
        for layout in ("orthogonal", "diagonal"):
            for quiet in (False, True):
                yield MAUNA_KEA.make_options(
                    seats, expert=expert, layout=layout, quiet_first_round=quiet
                )


def row(m: Measured) -> str:
    options = m.options
    endings = ", ".join(
        f"{name} {100 * count / m.games:.0f} %" for name, count in m.endings.most_common()
    )
    quiet = "on" if options["quiet_first_round"] else "off"
    return (
        f"| {options.seats} | {options['layout']} | {quiet} | {mean_text(m.rounds)} "
        f"| {m.mean(SAVED_BY_BOAT)} of {EXPLORERS_EACH[options.seats]} | {m.mean(LOST_TO_LAVA)} "
        f"| {m.mean(ARTEFACTS_SAVED)} | {m.mean(SCORE)} | {mean_text(m.best)} | {endings} |"
    )


def compared(found: list[Measured], option: str, first: Value, second: Value) -> str:
    """How much one choice of an option changes what a seat saves and scores, by players."""
    parts = []
    for seats in MAUNA_KEA.seats:
        means = []
        for value in (first, second):
            chosen = [m for m in found if m.options.seats == seats and m.options[option] == value]
            means.append(
                [
                    _mean([number for m in chosen for number in m.rounds]),
                    _mean([number for m in chosen for number in m.seats[SAVED_BY_BOAT]]),
                    _mean([number for m in chosen for number in m.seats[SCORE]]),
                ]
            )
        before, after = means
        changes = [f"{a:.1f} → {b:.1f}" for a, b in zip(before, after, strict=True)]
        parts.append(f"| {seats} | {' | '.join(changes)} |")
    return "\n".join(parts)


def _mean(values: list[Any]) -> float:
    return math.fsum(values) / len(values)


def duel(backend: Backend, games: int, bot: int, other: int, table: Options) -> str:
    """How often a bot wins alone or shares the victory against another, with two players."""
    measured = measure(backend, table, [bot, other], games)
    interval = wilson(measured.won[0], games)
    share = 100 * measured.won[0] / games
    return f"{share:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def duels(backend: Backend, games: int) -> str:
    rows = ["| game | layout | against random | against greedy-1 |", "|---|---|--:|--:|"]
    for expert in (False, True):
        for layout in ("orthogonal", "diagonal"):
            table = MAUNA_KEA.make_options(2, expert=expert, layout=layout)
            shares = [duel(backend, games, BOT, other, table) for other in (RANDOM, GREEDY_1)]
            rows.append(f"| {'expert' if expert else 'base'} | {layout} | {' | '.join(shares)} |")
    return "\n".join(rows)


ABOUT = (
    "Every number comes from {games:,} games of `{bot}` against itself at each table, chance and "
    "choices from seed {seed}; means come with their 95 % intervals. Numbers of a seat are means "
    "over all seats. A round is one turn of everybody. The bot is simple: it fetches the nearest "
    "artefact and runs for the nearest boat, those first whom the next lava would bury; it does "
    "not look at the others. So people will save more, and what the options change shows all the "
    "same."
)
MADE_BY = (
    "Made by `python -m benchmarks.mauna_kea_study`; equal commands give equal pages. For the "
    "scores and lengths of a single table `archipel simulate` will do:"
)
EXAMPLE = (
    "```sh\narchipel simulate mauna-kea --games {games} --seats 3 --bots {bot} --seed {seed} \\\n"
    "    --set layout=diagonal --set quiet_first_round=on\n```"
)
RECOMMENDED = """\
The usual table, `orthogonal` with lava from the start, is what the rulebook and the one report of
the board give us, so it stays the usual one. How harsh it is depends on how many play:

* **Two players**: leave it as it is. About twelve rounds, two of five explorers saved by each.
* **Three players**: it works, but lava decides a lot: half of all explorers are lost to it and less
  than one in four is saved. `quiet_first_round` makes it ten rounds instead of six and a half.
* **Four players**: do not play it like that the first time. The end comes after three or four
  rounds, and in the mean a seat saves a third of an explorer. Take `quiet_first_round` (six rounds,
  twice as many saved) or `diagonal` (nearly seven, almost three times as many).
* **Expert game**: it is shorter still, since spent tiles do not come back. With four players at the
  usual table it is over after two rounds; with three or four take `diagonal`, with two either
  layout.
* **Both together** bring little: at the corners nobody stands where the first lava goes, so with
  `diagonal` a quiet first round adds half a round and hardly a saved explorer.

Both options go away from what we know: `quiet_first_round` is a house rule, and the `diagonal`
board is a reconstruction that keeps the counts but not the reported place of the start spaces. And
these are games of a bot that looks no further than the next lava tile; people who do will fare
better at every table. We would trust the direction and the order of the differences, not the
numbers themselves."""
CHANGES = "| players | rounds | explorers saved by a seat | score of a seat |\n|--:|--:|--:|--:|"
HEADER = (
    "| players | layout | quiet first round | rounds | explorers saved | lost to lava "
    "| artefacts saved | score of a seat | best score | why it ended |\n"
    "|--:|---|---|--:|--:|--:|--:|--:|--:|---|"
)


def page(backend: Backend, games: int) -> str:
    found = {
        expert: [
            measure(backend, options, [BOT] * options.seats, games) for options in tables(expert)
        ]
        for expert in (False, True)
    }
    named = {"games": games, "bot": BOTS[BOT], "seed": SEED}
    parts = [
        "# Mauna Kea: the table options, measured",
        ABOUT.format(**named),
        MADE_BY,
        EXAMPLE.format(**named),
        "## What the options change",
        "Means of the base game: `orthogonal` → `diagonal`, over both settings of the first round.",
        f"{CHANGES}\n{compared(found[False], 'layout', 'orthogonal', 'diagonal')}",
        "The first round as it is → `quiet_first_round`, over both layouts.",
        f"{CHANGES}\n{compared(found[False], 'quiet_first_round', False, True)}",
        "## Base game",
        "\n".join([HEADER, *(row(measured) for measured in found[False])]),
        "## Expert game",
        "\n".join([HEADER, *(row(measured) for measured in found[True])]),
        f"## {BOTS[BOT]}, two players",
        "Share of games won or shared, with its 95 % interval.",
        duels(backend, games),
        "## What to choose",
        RECOMMENDED,
    ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="games at each table")
    parser.add_argument("--print", action="store_true", help="print the page instead")
    given = parser.parse_args()
    text = page(load_backend(program()), given.games)
    if given.print:
        print(text, end="")
    else:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
