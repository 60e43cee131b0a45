"""Play the games of a shard and encode them; the bytes depend on the task alone."""

from __future__ import annotations

import io
from collections import defaultdict
from typing import Any

import numpy

from archipel.bots import Bot, Level
from archipel.envs.dataset_plan import COLUMNS, DatasetPlan, read_task
from archipel.rules.all_games import game_named
from archipel.rules.kit import Chance, Stream
from archipel.rules.kit.core.machine_record import record_layout, to_bytes
from archipel.study.simulation.game_kernel import RANKS
from archipel.study.simulation.game_programs import BotCaller, interpreted_games, run_games

#: Name by which a worker finds its function (`archipel.study.executors`).
WORK = "archipel.envs.dataset_shards:make_shard"


def make_shard(task: bytes) -> bytes:
    """Return the file of a shard."""
    plan, shard = read_task(task)
    recorder = _Recorder(plan)
    backend = interpreted_games(plan.game, recorder)
    seats, rows = plan.options.seats, recorder.rows
    for number in plan.games_of(shard):
        recorder.game, recorder.decision = number, 0
        played = run_games(
            backend,
            plan.game,
            plan.options,
            range(seats),
            plan.seed % 2**64,
            range(number, number + 1),
        ).rows
        by_seat = [(seat - number) % seats for seat in range(seats)]
        rows["game_number"].append(number)
        rows["game_end"].append(len(rows["game"]))
        rows["rank"].append([played[RANKS + entrant][0] for entrant in by_seat])
        rows["score"].append([played[RANKS + seats + entrant][0] for entrant in by_seat])
    return _file(plan, rows)


class _Recorder(BotCaller):
    """Asks the bots and records each decision with the candidates of a search."""

    def __init__(self, plan: DatasetPlan) -> None:
        self._bots = [Bot.named(plan.game, name) for name in plan.bots]
        super().__init__(self._bots)
        self._to_move = game_named(plan.game).to_move
        self.rows: dict[str, list[Any]] = defaultdict(list)
        self.game = self.decision = 0

    def choose(self, seen: Any, bot: int, actions: list[int], count: int, choices: Chance) -> int:
        assert isinstance(choices, Stream)
        legal, player, rows = actions[:count], self._bots[bot], self.rows
        rows["game"].append(self.game)
        rows["decision"].append(self.decision)
        rows["seat"].append(self._to_move(seen))
        rows["bot"].append(bot)
        rows["view"].append(to_bytes(seen))
        rows["legal"].append(sum(1 << action for action in legal))
        if isinstance(player.info, Level):
            thought = player.search(seen, seed=choices.key % 2**63)
            action = thought.action
            for candidate in thought.candidates:
                if candidate.visits:
                    rows["candidate_action"].append(candidate.action)
                    rows["candidate_visits"].append(candidate.visits)
                    rows["candidate_chance"].append(candidate.chance)
        else:
            action = player.choose(seen, legal, chance=choices)
        rows["action"].append(action)
        rows["candidate_end"].append(len(rows["candidate_action"]))
        self.decision += 1
        return action


def _file(plan: DatasetPlan, rows: dict[str, list[Any]]) -> bytes:
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
