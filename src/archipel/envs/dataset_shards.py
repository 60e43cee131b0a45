"""The games of a shard, played and written down. What comes of it depends on the task alone."""

from __future__ import annotations

import io
from collections import defaultdict
from typing import Any

import numpy

from archipel.bots import Bot, Candidate, Level
from archipel.envs.dataset_plan import COLUMNS, Plan, read_task
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, stream_key
from archipel.rules.kit.machine_record import record_layout, to_bytes

WORK = "archipel.envs.dataset_shards:make_shard"

#: No game is meant to come near this.
MOST_DECISIONS = 100_000


class UnfinishedGameError(RuntimeError):
    """A game that would not end."""


def make_shard(task: bytes) -> bytes:
    """The file of a shard, for whoever does work by name."""
    plan, shard = read_task(task)
    rows: dict[str, list[Any]] = defaultdict(list)
    bots = [Bot.named(plan.game, name) for name in plan.bots]
    for number in plan.games_of(shard):
        _play(plan, number, bots, rows)
    return _file(plan, rows)


def _play(plan: Plan, number: int, bots: list[Bot], rows: dict[str, list[Any]]) -> None:
    definition, seats = game_named(plan.game), plan.options.seats
    key = stream_key(plan.seed % 2**64, number)
    chance = Stream(key)
    thoughts = stream_key(key, 1)
    s = definition.new(plan.options, chance)
    decision = 0
    while (seat := definition.to_move(s)) >= 0:
        if decision == MOST_DECISIONS:
            raise UnfinishedGameError(f"game {number} of seed {plan.seed} does not end")
        bot = (seat - number) % seats
        view = definition.recalled(s, seat)
        legal = definition.legal_actions(s)
        action, candidates = _decide(bots[bot], view, legal, stream_key(thoughts, decision))
        rows["game"].append(number)
        rows["decision"].append(decision)
        rows["seat"].append(seat)
        rows["bot"].append(bot)
        rows["view"].append(to_bytes(view))
        rows["legal"].append(sum(1 << one for one in legal))
        rows["action"].append(action)
        for candidate in candidates:
            rows["candidate_action"].append(candidate.action)
            rows["candidate_visits"].append(candidate.visits)
            rows["candidate_chance"].append(candidate.chance)
        rows["candidate_end"].append(len(rows["candidate_action"]))
        definition.apply(s, action, chance)
        decision += 1
    rows["game_number"].append(number)
    rows["game_end"].append(len(rows["game"]))
    rows["rank"].append([definition.rank(s, seat) for seat in range(seats)])
    rows["score"].append([definition.score(s, seat) for seat in range(seats)])


def _decide(bot: Bot, view: Any, legal: list[int], key: int) -> tuple[int, list[Candidate]]:
    if not isinstance(bot.info, Level):
        return bot.choose(view, legal, chance=Stream(key)), []
    thought = bot.think(view, seed=key % 2**63)
    return thought.action, [one for one in thought.candidates if one.visits]


def _file(plan: Plan, rows: dict[str, list[Any]]) -> bytes:
    definition = game_named(plan.game)
    width = record_layout(definition.state).size
    bits = -(-definition.actions // 8)
    views = numpy.frombuffer(b"".join(rows["view"]), numpy.uint8).reshape(-1, width)
    masks = b"".join(legal.to_bytes(bits, "little") for legal in rows["legal"])
    made = {
        "view": views,
        "legal": numpy.frombuffer(masks, numpy.uint8).reshape(-1, bits),
    }
    arrays: dict[str, Any] = {
        name: made[name] if name in made else numpy.array(rows[name], kind)
        for name, (kind, _, _) in COLUMNS.items()
    }
    file = io.BytesIO()
    numpy.savez_compressed(file, **arrays)
    return file.getvalue()
