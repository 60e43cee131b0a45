"""Tasks for `lockstep.mjs`, and their results in plain Python: games, searches and rollouts."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any

from archipel.bots.all_bots import roster_of
from archipel.bots.engine.engine_program import COLUMNS, engine_config, engine_program
from archipel.bots.rollouts import GOALS, NONE, WIN, WINS
from archipel.bots.search.search import Buffers
from archipel.bots.search.search_state import MOST_CANDIDATES, SearchState
from archipel.bots.search.seq_halving import NO_LIMIT, ROOT
from archipel.rules.all_games import game_named
from archipel.rules.contract import NOBODY, Definition
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.rules.kit.core.program import Backend
from archipel.rules.options import Options
from archipel.testing.random_games import some_options
from tests.bots.rollout_counts import rollout_counts

AnyGame = Definition[Any]
Task = dict[str, Any]

#: Games by the rules alone, with different options and seats, and games with a search.
RULES_GAMES = 16
SEARCHES = 8

#: Decisions between two checks of a view and a world sampled from it.
EVERY = 5


def play_game(definition: AnyGame, options: Options, seed: int) -> tuple[Task, Task, list[Any]]:
    """A random game as a task, its outcome, and some views of its decisions."""
    chance, choice = Stream(stream_key(seed, 1)), Stream(stream_key(seed, 2))
    s = definition.new(options, chance)
    task: Task = {
        "start": to_bytes(s).hex(),
        "key": str(stream_key(seed, 3)),
        "seats": options.seats,
        "every": EVERY,
        "dealing": str(seed << 32),
        "actions": [],
    }
    chance = Stream(stream_key(seed, 3))
    views: list[Any] = []
    sums: list[int] = []
    sum_ = 0
    while True:
        number = len(task["actions"])
        sum_ = zlib.crc32(to_bytes(s), sum_)
        mover = definition.to_move(s)
        if number % EVERY == 0:
            for state in _view_and_world(definition, s, number % options.seats, seed, number):
                sum_ = zlib.crc32(to_bytes(state), sum_)
        if mover == NOBODY:
            break
        legal = definition.legal_actions(s)
        if len(legal) > 1:
            views.append(definition.seen(s, mover))
        sum_ = zlib.crc32(struct.pack(f"<{len(legal)}q", *legal), sum_)
        sums.append(sum_)
        action = legal[choice.draw(len(legal))]
        task["actions"].append(action)
        definition.apply(s, action, chance)
    sums.append(sum_)
    seats = range(options.seats)
    outcome = {
        "sums": sums,
        "scores": [definition.score(s, seat) for seat in seats],
        "ranks": [definition.rank(s, seat) for seat in seats],
    }
    return task, outcome, views


def _view_and_world(
    definition: AnyGame, s: Any, seat: int, seed: int, number: int
) -> Iterator[Any]:
    seen = definition.seen(s, seat)
    yield seen
    world = clone(seen)
    definition.deal_unseen(world, Stream((seed << 32) + number))
    yield world


def search(game: str, backend: Backend, task: Task, view: Any) -> list[dict[str, float]]:
    """Search with the entry points that the browser calls; ``backend`` runs an `engine_program`."""
    buffers = Buffers(backend, roster_of(game).definition.most_legal)
    threads = backend.records(SearchState, 1)
    found = backend.fractions(MOST_CANDIDATES, COLUMNS)
    backend.write(buffers.states, ROOT, view)
    backend.begin_search(
        buffers.states,
        buffers.actions,
        threads,
        task["seats"],
        task["simulations"],
        int(task["seed"]),
        buffers.choices,
    )
    going_on = True
    while going_on:
        backend.explore(*buffers.memory, threads, 0, 1, *buffers.streams, NO_LIMIT)
        going_on = backend.halve(threads, 1)
    names = ("action", "visits", "won", "worth", "squares")
    count = backend.read_statistics(threads, found)
    return [dict(zip(names, map(float, found[k]), strict=True)) for k in range(count)]


def rollouts(game: str, task: Task, view: Any) -> Task:
    """Rollouts with the bot of the engine."""
    roster = roster_of(game)
    bot = roster.named(engine_config(roster).policy)
    opening = NONE if task["action"] is None else task["action"]
    counts = rollout_counts(bot, view, task["playouts"], seed=int(task["seed"]), opening=opening)
    wins = [round(won / WIN, 6) for won in counts[WINS]]
    return {"playouts": task["playouts"], "wins": wins, "goals": counts[GOALS:]}


@cache
def in_python(game: str) -> tuple[Task, Task]:
    """A task for a module, and the expected result."""
    definition, backend = game_named(game), engine_program(game).interpreted()
    task: Task = {"games": [], "searches": [], "playouts": []}
    expected: Task = {"games": [], "searches": [], "playouts": []}
    for seed, options in enumerate(some_options(definition, RULES_GAMES)):
        played, outcome, views = play_game(definition, options, seed)
        task["games"].append(played)
        expected["games"].append(outcome)
        if seed >= SEARCHES:
            continue
        view = views[(seed * 7 + 3) * len(views) // 64 % len(views)]
        common = {"view": to_bytes(view).hex(), "seats": options.seats, "seed": str(2**63 + seed)}
        searched = {**common, "simulations": 16 + seed, "piece": 1 + 5 * seed}
        task["searches"].append(searched)
        expected["searches"].append(search(game, backend, searched, view))
        if seed % 2 == 0:
            further = {**common, "goals": len(definition.goals), "first": 0, "playouts": 2}
            further["action"] = definition.legal_actions(view)[-1] if seed % 4 else None
            task["playouts"].append(further)
            expected["playouts"].append(rollouts(game, further, view))
    return task, expected


def rounded(answer: Task) -> Task:
    """Round the wins, which plain Python divides and multiplies again."""
    for each in answer["playouts"]:
        each["wins"] = [round(won, 6) for won in each["wins"]]
    return answer


def check(answer: Task, expected: Task) -> None:
    for played, reference in zip(answer["games"], expected["games"], strict=True):
        assert len(played["sums"]) == len(reference["sums"])
        pairs = enumerate(zip(played["sums"], reference["sums"], strict=True))
        assert next((k for k, (one, other) in pairs if one != other), None) is None, "decision"
        assert played == reference
    assert answer["searches"] == expected["searches"]
    assert rounded(answer)["playouts"] == expected["playouts"]
