"""Short notation to set up positions and to read them.

With ``land``, only the named tiles are left on the island, and all others are out of the game; a
tile without a named back gets a harmless one.  The volcano is under the mountain on j7 unless
another tile has it.  There are no serpents unless they are named.
"""

from __future__ import annotations

from collections import Counter

from archipel.game import Game
from archipel.rules.the_island.board import TILE_SPACES
from archipel.rules.the_island.components import BOX, FIRST_RED, SYMBOLS, TERRAINS, VOLCANO
from archipel.rules.the_island.names import NAMES
from archipel.rules.the_island.state import State

TILES = [NAMES.space(space) for space in TILE_SPACES]
LETTERS = "bfm"

#: Backs for tests that do not depend on them; those without an immediate effect come first.
HARMLESS = [*range(FIRST_RED, len(SYMBOLS)), *range(FIRST_RED)]


def table(seats: int = 2, /, **words: object) -> Game:
    """Return a game from a position; a die roll that no test scripts comes from the ``seed``."""
    given = {name: str(value) for name, value in words.items()}
    seed = int(given.pop("seed", "1"))
    given.setdefault("serpents", "-")
    if "land" in given:
        _complete_tiles(given, seats)
    return Game.from_position("the-island", seed=seed, seats=seats, **given)


def _complete_tiles(given: dict[str, str], seats: int) -> None:
    held = {f"hand{seat}": _parts(given, f"hand{seat}") for seat in range(1, seats + 1)}
    land = _parts(given, "land")
    named = [part for parts in held.values() for part in parts] + land
    spaces = {part.split(":")[0][:-1] for part in named}
    if not any(part.endswith(":volcano") for part in named) and not _volcano_may_be_out(given):
        spare = "j7" if "j7" not in spaces else next(t for t in TILES if t not in spaces)
        land.append(f"{spare}m:volcano")
        named.append(land[-1])
        spaces.add(spare)
    backs = [Counter(dict(enumerate(counts))) for counts in BOX.backs]
    for part in named:
        if ":" in part:
            tile, symbol = part.split(":")
            backs[LETTERS.index(tile[-1])][SYMBOLS.index(symbol)] -= 1
    given["land"] = ",".join(_with_back(part, backs) for part in land) or "-"
    for name, parts in held.items():
        given[name] = ",".join(_with_back(part, backs) for part in parts) or "-"
    rest = [
        f"{LETTERS[terrain]}:{SYMBOLS[symbol]}"
        for terrain in range(len(TERRAINS))
        for symbol in HARMLESS
        for _ in range(backs[terrain][symbol])
    ]
    free = (tile for tile in TILES if tile not in spaces)
    given["out"] = ",".join(f"{tile}{back}" for tile, back in zip(free, rest, strict=True)) or "-"


def _parts(given: dict[str, str], name: str) -> list[str]:
    return [part for part in given.get(name, "-").replace(",", " ").split() if part != "-"]


def _volcano_may_be_out(given: dict[str, str]) -> bool:
    return "on" in (given.get("last_one"), given.get("sunken"))


def _with_back(part: str, backs: list[Counter[int]]) -> str:
    """Return a tile with an unused back of its terrain."""
    if ":" in part or part.endswith("?"):
        return part
    left = backs[LETTERS.index(part[-1])]
    symbol = next(s for s in HARMLESS if left[s] > 0 and s != VOLCANO)
    left[symbol] -= 1
    return f"{part}:{SYMBOLS[symbol]}"


def look(game: Game, word: str, seat: int | None = -1) -> str:
    """Return a word of the position, or of a seat's view, without the values of explorers."""
    position = game.position if seat == -1 else game.view(seat)
    found = dict(part.split("=", 1) for part in position.text.split())[word]
    if word in ("white", "yellow", "sky", "vermilion"):
        return ",".join(part.partition(":")[0].partition("?")[0] for part in found.split(","))
    return found


def seen(game: Game, seat: int | None, word: str) -> str:
    """Return a word of a seat's view, with values and question marks."""
    return dict(part.split("=", 1) for part in game.view(seat).text.split())[word]


def where(game: Game, explorer: str) -> str:
    """Return the place of an explorer: ``where(game, "w1")``."""
    colour = {"w": "white", "y": "yellow", "s": "sky", "v": "vermilion"}[explorer[0]]
    return look(game, colour).split(",")[int(explorer[1:]) - 1]


def actions(game: Game) -> list[str]:
    return [action.text for action in game.legal]


def play(game: Game, *texts: str, die: str | None = None) -> None:
    """Play several actions; the die belongs to the last one."""
    for text in texts[:-1]:
        game.play(text)
    game.play(texts[-1], dice=die)


def state_of(game: Game) -> State:
    state: State = game.state
    return state
