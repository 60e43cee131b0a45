"""Positions for tests, in a short form, and helpers to compare them.

Tribes that are not given have one swimmer in the far corner, m1. ``sunk`` takes spaces, with or
without their symbols, and the words plains, hills and mountains; missing symbols are filled in from
those that the box has left.
"""

from __future__ import annotations

from collections import Counter

from archipel.game import Game
from archipel.rules.atlantis.board import PIECE_SPACES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box_files import BOX, SYMBOLS, TERRAINS
from archipel.rules.atlantis.names import NAMES, TRIBE_NAMES
from archipel.rules.atlantis.state import State

NOTHING_SPUN = "monster-1"  # while no monster is on the board


def spaces_of(terrain: str) -> list[str]:
    return [
        NAMES.space(space)
        for space in PIECE_SPACES
        if TERRAINS[TERRAIN_OF_SPACE[space]] == terrain.removesuffix("s")
    ]


def table(**words: object) -> Game:
    """A game from the fields of a position, by default for two players."""
    texts = {word: str(value) for word, value in ({"seats": 2} | words).items()}
    for tribe in TRIBE_NAMES[: int(texts["seats"])]:
        if texts.get("phase") != "place":
            texts.setdefault(tribe, "m1")
    land = [part for part in texts.pop("land", "").split(",") if part]
    sunk: list[str] = []
    for part in texts.pop("sunk", "").replace(",", " ").split():
        known = {other.split(":")[0] for other in (*sunk, *land)}
        whole = spaces_of(part) if part.removesuffix("s") in TERRAINS else [part]
        sunk += [space for space in whole if space.split(":")[0] not in known]
    if land:
        texts["land"] = ",".join(land)
    if sunk:
        texts["sunk"] = ",".join(_with_symbols(sunk, land))
    return Game.from_position("atlantis", seed=1, **texts)


def _with_symbols(sunk: list[str], land: list[str]) -> list[str]:
    left = [Counter(dict(zip(SYMBOLS, counts, strict=True))) for counts in BOX.symbols]
    for part in (*sunk, *land):
        space, colon, symbol = part.partition(":")
        if colon:
            left[TERRAIN_OF_SPACE[NAMES.spaces[space]]][symbol] -= 1
    found = []
    for part in sunk:
        if ":" not in part:
            counts = left[TERRAIN_OF_SPACE[NAMES.spaces[part]]]
            symbol = next(name for name in SYMBOLS if counts[name] > 0)
            counts[symbol] -= 1
            part = f"{part}:{symbol}"
        found.append(part)
    return found


def look(game: Game, word: str) -> str:
    """A field of the position text: ``look(game, "red")``."""
    return dict(part.split("=", 1) for part in game.position.text.split())[word]


def people(game: Game, tribe: str, count: int) -> list[str]:
    """The places of the first ``count`` people of a tribe."""
    return look(game, tribe).split(",")[:count]


def pieces(game: Game, word: str) -> list[str]:
    """The places of boats or of a kind of animal, except those in the stock."""
    return [place for place in look(game, word).split(",") if place != "-"]


def seen(game: Game, seat: int | None, word: str) -> str:
    return dict(part.split("=", 1) for part in game.view(seat).text.split())[word]


def actions(game: Game) -> list[str]:
    return [action.text for action in game.legal]


def play(game: Game, *texts: str) -> None:
    for text in texts:
        game.play(text)


def sink(game: Game, space: str, spun: str = NOTHING_SPUN) -> None:
    """Sink a piece without people who need a decision, and spin."""
    if look(game, "phase") == "move":
        game.play("stop")
    game.play(f"sink {space}", chance=spun)
    while spun == NOTHING_SPUN and look(game, "phase") == "animal":
        game.play("pass")  # the piece hid a monster


def refused(game: Game, text: str) -> str:
    """The id of the rule that an illegal action breaks."""
    definition = game.definition
    action = definition.parse_action(game.state, text)
    assert action not in definition.legal_actions(game.state), text
    return definition.refusal(game.state, action).rule


def state_of(game: Game) -> State:
    state: State = game.state
    return state
