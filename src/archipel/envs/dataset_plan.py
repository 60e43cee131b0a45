"""Plan and columns of a dataset: format ``archipel-dataset-1``.

A dataset is a folder with a manifest, ``dataset.json``, and shards of whole games,
``shard-NNNNN.npz``.  See docs/data-files.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from archipel.bots import player_named
from archipel.envs.observation_spec import VERSION, spec_of
from archipel.rules.all_games import game_named
from archipel.rules.deprecation import former_names
from archipel.rules.kit.core.machine_record import record_layout
from archipel.rules.options import Options, choice_text

FORMAT = "archipel-dataset-1"
MANIFEST = "dataset.json"

#: Arrays of a shard: type, shape and meaning, for D decisions, G games, C candidates, S seats,
#: V bytes of a view and A actions.
COLUMNS: Mapping[str, tuple[str, str, str]] = {
    "game": ("<u4", "D", "number of the game"),
    "decision": ("<u4", "D", "number of the decision in its game, from 0"),
    "seat": ("u1", "D", "who decides"),
    "bot": ("u1", "D", "which of the bots that is"),
    "view": ("u1", "D × V", "what the seat sees: its machine record (see `record`)"),
    "legal": ("u1", "D × ⌈A ÷ 8⌉", "the legal actions as bits, low ones first"),
    "action": ("<u2", "D", "what was decided"),
    "candidate_end": ("<u8", "D", "where the candidates of the decision end"),
    "candidate_action": ("<u2", "C", "an action that a search looked at, the best first"),
    "candidate_visits": ("<u4", "C", "how often it was simulated"),
    "candidate_chance": ("<f4", "C", "its chance of winning as the search sees it"),
    "game_number": ("<u4", "G", "number of the game"),
    "game_end": ("<u8", "G", "where its decisions end"),
    "rank": ("u1", "G × S", "place of each seat at the end, 0 the first, equals share"),
    "score": ("<i4", "G × S", "points of each seat"),
}


@dataclass(frozen=True)
class DatasetPlan:
    """The games of a dataset and their players; equal plans give equal bytes."""

    game: str
    options: Options
    bots: tuple[str, ...]
    """Full names, one per seat; in game g bot b has seat b + g."""
    seed: int
    games: int
    per_shard: int = 100

    def __post_init__(self) -> None:
        if self.games < 1 or self.per_shard < 1:
            raise ValueError("games and per_shard must be at least 1")
        if len(self.bots) != self.options.seats:
            raise ValueError(f"{len(self.bots)} bots for {self.options.seats} seats")
        for name in self.bots:
            player_named(self.game, name)

    @property
    def shards(self) -> int:
        return -(-self.games // self.per_shard)

    def games_of(self, shard: int) -> range:
        first = shard * self.per_shard
        return range(first, min(first + self.per_shard, self.games))

    def to_json(self) -> dict[str, Any]:
        """The first part of the manifest: the plan and the meaning of the columns."""
        definition = game_named(self.game)
        layout = record_layout(definition.state)
        return {
            "format": FORMAT,
            "game": self.game,
            "rules_version": definition.rules_version,
            "board": definition.board,
            "seats": self.options.seats,
            "options": {name: choice_text(value) for name, value in self.options},
            "bots": list(self.bots),
            "seed": self.seed,
            "games": self.games,
            "games_per_shard": self.per_shard,
            "actions": definition.actions,
            "observation": {"version": VERSION, "size": spec_of(self.game).size},
            "record": {
                "size": layout.size,
                "fields": [
                    {"name": f.name, "type": f.kind, "shape": list(f.shape), "offset": f.offset}
                    for f in layout.fields
                ],
            },
            "columns": {
                name: {"type": kind, "shape": shape, "meaning": meaning}
                for name, (kind, shape, meaning) in COLUMNS.items()
            },
        }

    @classmethod
    def from_json(cls, manifest: Mapping[str, Any]) -> DatasetPlan:
        """Raises ValueError or KeyError if this is no manifest of this format."""
        if manifest.get("format") != FORMAT:
            raise ValueError(f"not a dataset of the format {FORMAT}")
        definition = game_named(manifest["game"])
        rules = definition.rules_version, definition.board
        if (manifest["rules_version"], manifest["board"]) != rules:
            raise ValueError("made by other rules, or on another board")
        options = definition.make_options(manifest["seats"], **manifest["options"])
        numbers = (manifest[name] for name in ("seed", "games", "games_per_shard"))
        return cls(manifest["game"], options, tuple(manifest["bots"]), *numbers)


def shard_name(shard: int) -> str:
    return f"shard-{shard:05d}.npz"


__getattr__ = former_names(__name__, __name__, {"Plan": "DatasetPlan"})
