"""Expert iteration: self-play by the current search, a fit, and a match that decides.

Each generation plays games with the best net so far (some against a past one, so that the nets do
not turn in circles), fits the next net to the search's values and the outcomes of the last
generations, and keeps it as the best if it wins a match against the best net.

A folder holds everything, so that training can be interrupted and resumed at any time: the samples
of each generation, every net by its hash, and one line per generation in ``generations.jsonl``.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy

from archipel.bots import roster_of
from archipel.bots.nets import Net, read_net
from archipel.bots.search.config import SearchConfig
from archipel.rules.kit import stream_key
from archipel.study.resumable_file import appending, whole_lines
from archipel.study.statistics import wilson
from archipel.study.training.game_batches import GameBatches, Samples, weights_for
from archipel.study.training.net_fit import FitSettings, fit_net

#: Salts of a generation's seeds.
SELF_PLAY: Final = 0
FIT: Final = 1
GATE: Final = 2

#: Games of a batch, with one number of seats and one value of each option.
BATCH: Final = 50


class TrainingError(ValueError):
    """A folder holds the training of something else, or a game has no inputs."""


@dataclass(frozen=True)
class Recipe:
    """How a game's net is trained."""

    game: str
    #: Numbers of seats in turn; a number that occurs twice gets twice the games.
    seats: tuple[int, ...]
    #: Options in turn.
    options: tuple[dict[str, Any], ...] = ({},)
    #: The bot whose games the first net is fitted to, and their number.
    teacher: str = "greedy-1"
    teacher_games: int = 20_000
    games: int = 1_000
    simulations: int = 48
    horizon: int = 1
    lookahead: int = 4
    #: Turns at the beginning that mix in random decisions, and how often a search overlooks its
    #: best candidate, if another is hardly worse.
    random_turns: int = 60
    overlook: float = 0.1
    blunder: float = 0.02
    one_in: int = 2
    #: One batch in this many is against a past net.
    league: int = 4
    #: Generations whose samples a fit uses.
    window: int = 4
    gate_games: int = 400
    #: Share of the gate's games that the new net has to win, with two seats.
    gate_share: float = 0.5
    fit: FitSettings = field(default_factory=FitSettings)
    seed: int = 1

    def config(self, *, noise: bool) -> SearchConfig:
        """The search of self-play, with noise, or of the gate, without."""
        return SearchConfig(
            self.simulations,
            policy=self.teacher,
            horizon=self.horizon,
            lookahead=self.lookahead,
            evaluation="net",
            prior_weight=0.0,
            overlook=self.overlook if noise else 0.0,
            blunder=self.blunder if noise else 1.0,
        )


#: What ``archipel train`` trains; see docs/evaluation-nets.md.
RECIPES: Final = {
    "deep-sea": Recipe(
        "deep-sea",
        seats=(2, 2, 3, 2, 4, 2, 5, 2, 6),
        options=({}, {}, {"drop_order": "taken"}),
        teacher_games=4_500,
        games=1_800,
        simulations=16,
        gate_games=600,
        fit=FitSettings(epochs=4),
    ),
}


class Training:
    """A training in a folder."""

    def __init__(self, folder: Path, recipe: Recipe) -> None:
        self._roster = roster_of(recipe.game)
        if not self._roster.net_input_names:
            raise TrainingError(f"{recipe.game} declares no inputs of a net")
        self.folder, self.recipe = folder, recipe
        self._batches: GameBatches | None = None
        for each in ("nets", "samples"):
            (folder / each).mkdir(parents=True, exist_ok=True)
        described = json.dumps(asdict(recipe), indent=1) + "\n"
        file = folder / "recipe.json"
        if file.exists() and file.read_text("utf-8") != described:
            raise TrainingError(f"{file} is another recipe: train in another folder")
        file.write_text(described, "utf-8")

    @property
    def generations(self) -> list[dict[str, Any]]:
        """The finished generations."""
        file = self.folder / "generations.jsonl"
        return [json.loads(line) for line in whole_lines(file)] if file.exists() else []

    def net(self, name: str) -> Net:
        """Return a net of this training by its hash."""
        file = self.folder / "nets" / f"{name}.json"
        return read_net(file.read_text("utf-8"), str(file))

    def best(self) -> Net:
        """Return the best net so far."""
        return self.net(self.generations[-1]["best"])

    def run(self, generations: int, tell: Callable[[dict[str, Any]], None]) -> None:
        """Train until there are this many generations; ``tell`` gets the line of each new one."""
        while len(self.generations) < generations:
            line = self._train_one(len(self.generations))
            with appending(self.folder / "generations.jsonl") as file:
                file.append(line)
            tell(line)

    # ---- one generation --------------------------------------------------------------------------

    def _train_one(self, generation: int) -> dict[str, Any]:
        begun, before = time.monotonic(), self.generations
        best = self.net(before[-1]["best"]) if before else None
        self._sample(generation, best)
        samples = self._window(generation)
        found = fit_net(
            samples,
            self._roster.net_input_names,
            self._roster.definition.seats,
            self.recipe.fit,
            self._seed(generation, FIT) % 2**31,
            best,
        )
        net = found.net
        figures: dict[str, Any] = {
            "generation": generation,
            "positions": found.positions,
            "loss": round(found.loss, 4),
            "blind": round(found.blind, 4),
        }
        line: dict[str, Any] = {
            **figures,
            "net": net.hash,
            "parent": best.hash if best else None,
            "best": net.hash,
        }
        if best is not None:
            share, games = self._gate(generation, net, best)
            interval = wilson(share * games, games)
            line |= {
                "share": round(share, 4),
                "interval": [round(interval.low, 4), round(interval.high, 4)],
                "gate_games": games,
            }
            line["best"] = net.hash if share > self.recipe.gate_share else best.hash
        file = self.folder / "nets" / f"{net.hash}.json"
        file.write_text(net.to_json(game=self.recipe.game, **figures), "utf-8")
        return {**line, "seconds": round(time.monotonic() - begun, 1)}

    def _sample(self, generation: int, best: Net | None) -> None:
        """Play the games of a generation, unless its samples are there."""
        for number, (seats, options, games) in enumerate(self._plan(best is None)):
            file = self.folder / "samples" / f"{generation}.{number}.npz"
            if file.exists():
                continue
            seed = stream_key(self._seed(generation, SELF_PLAY), number)
            if best is None:
                found = self.batches.bot_games(self.recipe.teacher, seats, options, games, seed)
            else:
                found = self._self_play(number, best, seats, options, games, seed)
            whole = file.with_suffix(".part")
            with whole.open("wb") as target:
                numpy.savez_compressed(target, seats=seats, **vars(found))
            os.replace(whole, file)

    def _plan(self, first: bool) -> Iterator[tuple[int, dict[str, Any], int]]:
        """The batches of a generation: number of seats, options, games."""
        recipe = self.recipe
        left, number = recipe.teacher_games if first else recipe.games, 0
        size = BATCH * 10 if first else BATCH
        while left > 0:
            seats = recipe.seats[number % len(recipe.seats)]
            options = recipe.options[number // len(recipe.seats) % len(recipe.options)]
            yield seats, options, min(size, left)
            left -= size
            number += 1

    def _self_play(
        self, number: int, best: Net, seats: int, options: dict[str, Any], games: int, seed: int
    ) -> Samples:
        config, past = self.recipe.config(noise=True), best
        learners = seats
        if number % self.recipe.league == self.recipe.league - 1:
            nets = list(dict.fromkeys(line["best"] for line in self.generations))
            past, learners = self.net(nets[seed % len(nets)]), seats - seats // 2
        players = (config, weights_for(best, seats)), (config, weights_for(past, seats))
        return self.batches.search_games(
            players,
            seats,
            options,
            games,
            seed,
            learners=learners,
            random_turns=self.recipe.random_turns,
            one_in=self.recipe.one_in,
        )[0]

    def _window(self, generation: int) -> dict[int, Samples]:
        """The samples that a fit uses, by number of seats. The teacher's leave the window last."""
        found: dict[int, list[Samples]] = {}
        first = max(0, generation - self.recipe.window + 1)
        for past in range(first, generation + 1):
            for file in sorted((self.folder / "samples").glob(f"{past}.*.npz")):
                with numpy.load(file) as parts:
                    seats = int(parts["seats"])
                    names = ("movers", "values", "shares", "inputs")
                    found.setdefault(seats, []).append(Samples(*(parts[name] for name in names)))
        return {seats: _joined(parts) for seats, parts in sorted(found.items())}

    def _gate(self, generation: int, net: Net, best: Net) -> tuple[float, int]:
        """The share of the new net in a match with two seats."""
        config, games = self.recipe.config(noise=False), self.recipe.gate_games
        fewest = self._roster.definition.seats[0]
        players = (config, weights_for(net, fewest)), (config, weights_for(best, fewest))
        seed = self._seed(generation, GATE)
        _, shares = self.batches.search_games(
            players, fewest, self.recipe.options[0], games, seed, learners=1
        )
        return float(shares[:, 0].mean()), games

    @property
    def batches(self) -> GameBatches:
        if self._batches is None:
            self._batches = GameBatches(self.recipe.game)
        return self._batches

    def _seed(self, generation: int, salt: int) -> int:
        return int(stream_key(stream_key(self.recipe.seed, generation), salt))


def _joined(parts: list[Samples]) -> Samples:
    names = ("movers", "values", "shares", "inputs")
    return Samples(*(numpy.concatenate([getattr(each, name) for each in parts]) for name in names))
