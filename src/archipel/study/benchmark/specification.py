"""The frozen settings of a benchmark, read from its file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from archipel.game import Game
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, stream_key

FILE = "archipel-bench-1.toml"

#: The track of language models, and the class of entrants without a budget.
LANGUAGE = "language"
OPEN = "open"


class Setting(Struct, frozen=True):
    """A line-up of a game: the opponents of the entrant, and the seed of their games."""

    game: str
    options: dict[str, str]
    number: int
    opponents: tuple[str, ...]
    seed: int

    @property
    def seats(self) -> int:
        return 1 + len(self.opponents)

    def players(self, entrant: str, offset: int) -> tuple[str, ...]:
        """Names by seat in the game of a rotation in which the entrant has seat ``offset``."""
        names = (entrant, *self.opponents)
        return tuple(names[(seat - offset) % self.seats] for seat in range(self.seats))

    def begin(self, rotation: int) -> Game:
        """A game at its start. All games of a rotation draw the same random numbers."""
        definition = game_named(self.game)
        options = definition.make_options(self.seats, **self.options)
        chance = Stream(stream_key(self.seed, rotation * self.seats))
        return Game(definition, definition.new(options, chance), options, chance)

    def choices_key(self, rotation: int, offset: int) -> int:
        """Key of the players' own random numbers in a game."""
        return stream_key(stream_key(self.seed, rotation * self.seats + offset), 1)


class GameSettings(Struct, frozen=True):
    """The settings of one game."""

    game: str
    rules_version: int
    board: str
    options: dict[str, str]
    anchor: str
    lineups: tuple[tuple[str, ...], ...]


class Track(Struct, frozen=True):
    """What a track limits, and its budget classes."""

    limits: str
    classes: dict[str, float]


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    rotations: int
    puzzles: int
    tries: int
    tracks: dict[str, Track]
    games: tuple[GameSettings, ...]


@dataclass(frozen=True)
class Specification:
    """A benchmark. ``digest`` is the SHA-256 of its file."""

    name: str
    rotations: int
    puzzles: int
    tries: int
    tracks: dict[str, Track]
    games: dict[str, GameSettings]
    digest: str

    def settings(self, game: str, entrant: str) -> list[Setting]:
        """The line-ups that an entrant plays: those without itself."""
        found = self.games[game]
        return [
            Setting(game, found.options, number, lineup, self._seed(game, lineup))
            for number, lineup in enumerate(found.lineups)
            if entrant not in lineup
        ]

    def _seed(self, game: str, lineup: tuple[str, ...]) -> int:
        text = f"{self.name} {game} {' '.join(lineup)}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def parse_specification(content: bytes) -> Specification:
    file = msgspec.toml.decode(content, type=_File)
    by_game = {settings.game: settings for settings in file.games}
    digest = hashlib.sha256(content).hexdigest()
    fields = file.name, file.rotations, file.puzzles, file.tries, file.tracks
    return Specification(*fields, by_game, digest)


@cache
def archipel_bench_1() -> Specification:
    return parse_specification((files(__package__) / FILE).read_bytes())
