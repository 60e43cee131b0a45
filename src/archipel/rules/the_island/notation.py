"""Actions and chance as text, and back.

An action is a word or two; what a number means depends on the phase::

    place f7        an explorer or a boat, at set-up      white 5    the explorer just placed
    play dolphin    a tile of the hand (play dolphin d4 where there are two)
    explorer w3, boat 2, shark 1                          the piece
    to f7, swim f7, overboard, board 2, ashore nw         where to
    remove f7       a tile                                pass, stop, yes, no
"""

from __future__ import annotations

from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.places import ABOARD
from archipel.rules.sentence import Sentence
from archipel.rules.the_island.board import SPACES, TILE_OF, TILES
from archipel.rules.the_island.components import FIRST_RED, HIGHEST_VALUE, SYMBOLS
from archipel.rules.the_island.names import (
    BOAT_NUMBERS,
    COLOUR_NAMES,
    CREATURE_NUMBERS,
    FACE_NAMES,
    ISLAND_NUMBERS,
    SPACE_NUMBERS,
    boat_name,
    creature_name,
    explorer_name,
    explorer_number,
    island_name,
    space_name,
)
from archipel.rules.the_island.state import UNKNOWN, Action, Phase, State

_REFUSALS: Final = {Phase.PLAY_TILE: "pass", Phase.CREATURE: "pass", Phase.DEFEND: "no"}
_TO_SPACE: Final = ("to", "swim", "place", "remove")
_HELP: Final = Sentence(
    "say something like explorer w3, boat 2, shark 1, to f7, swim f7, overboard, board 2, "
    "ashore nw, place f7, white 5, play dolphin, remove f7, pass, stop, yes or no"
)


# ---- writing ------------------------------------------------------------------------------------


def action_text(s: State, action: int) -> str:
    """An action as it is said in the phase of a position."""
    if action < Action.ISLAND:
        return _space_text(s, action - Action.SPACE)
    if action < Action.EXPLORER:
        return f"ashore {island_name(action - Action.ISLAND)}"
    if action < Action.BOAT:
        return f"explorer {explorer_name(action - Action.EXPLORER)}"
    if action < Action.CREATURE:
        word = "board" if s.phase == Phase.MOVE_TO else "boat"
        return f"{word} {boat_name(action - Action.BOAT)}"
    if action < Action.VALUE:
        return creature_name(action - Action.CREATURE)
    if action < Action.STOP:
        slot, value = divmod(action - Action.VALUE, HIGHEST_VALUE)
        return f"{COLOUR_NAMES[_colour(s, slot)]} {value + 1}"
    return "yes" if action == Action.YES else _REFUSALS.get(s.phase, "stop")


def _colour(s: State, slot: int) -> int:
    return min(s.to_move + slot * s.seats, len(COLOUR_NAMES) - 1)


def _space_text(s: State, space: int) -> str:
    name = space_name(space)
    if s.phase in (Phase.PLACE_EXPLORER, Phase.PLACE_BOAT):
        return f"place {name}"
    if s.phase == Phase.REMOVE:
        return f"remove {name}"
    if s.phase == Phase.PLAY_TILE:
        return _tile_text(s, space)
    if s.phase in (Phase.MOVE_TO, Phase.TILE_STEP) and Action.EXPLORER <= s.chosen < Action.BOAT:
        if s.place[s.chosen - Action.EXPLORER] >= ABOARD and space == _own_space(s):
            return "overboard"
        return f"swim {name}" if is_sea(s, space) else f"to {name}"
    return f"to {name}"


def _own_space(s: State) -> int:
    """The space of the boat that the chosen explorer is in."""
    return s.boat[s.place[s.chosen - Action.EXPLORER] - ABOARD]


def _tile_text(s: State, space: int) -> str:
    """A tile of the hand by its symbol, and by its space where the symbol does not tell."""
    tile = TILE_OF[space]
    if tile < 0 or s.holder[tile] != s.to_move or s.back[tile] == UNKNOWN:
        return f"play {space_name(space)}"
    alike = [
        other
        for other in range(TILES)
        if s.holder[other] == s.to_move and s.back[other] == s.back[tile]
    ]
    symbol = SYMBOLS[s.back[tile]]
    return f"play {symbol}" + (f" {space_name(space)}" if len(alike) > 1 else "")


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """The faces of the die."""
    return " ".join(FACE_NAMES[outcome] for outcome in outcomes)


# ---- reading ------------------------------------------------------------------------------------


def parse_action(s: State, text: str) -> int:
    """The action a text names, legal or not."""
    words = text.lower().split()
    if words in (["stop"], ["pass"], ["no"]):
        return Action.STOP
    if words == ["yes"]:
        return Action.YES
    if words == ["overboard"]:
        if (
            Action.EXPLORER <= s.chosen < Action.BOAT
            and s.place[s.chosen - Action.EXPLORER] in _boats_aboard()
        ):
            return Action.SPACE + _own_space(s)
        raise NotationError(
            Sentence("{text!r}: no explorer in a boat is chosen; choose one first", text=text)
        )
    if words[:1] == ["play"]:
        return _parse_tile(s, words[1:], text)
    if len(words) == 2:
        found = _parse_pair(s, *words)
        if found is not None:
            return found
    raise NotationError(Sentence("{text!r} is not an action: {help}", text=text, help=_HELP))


def _boats_aboard() -> range:
    return range(ABOARD, ABOARD + len(BOAT_NUMBERS))


def _parse_pair(s: State, word: str, name: str) -> int | None:
    if word in (*_TO_SPACE, "ashore"):
        if name in SPACE_NUMBERS:
            return Action.SPACE + SPACE_NUMBERS[name]
        if name in ISLAND_NUMBERS:
            return Action.ISLAND + ISLAND_NUMBERS[name]
        raise NotationError(
            Sentence(
                "{word} {name}: there is no such space; rows are a to m, and spaces are numbered "
                "from 1 in each; safe islands are {known}",
                word=word,
                name=name,
                known=", ".join(ISLAND_NUMBERS),
            )
        )
    if word == "explorer":
        explorer = explorer_number(name)
        if explorer is None:
            raise NotationError(
                Sentence(
                    "explorer {name}: there is no such explorer; they are w1 to v10", name=name
                )
            )
        return Action.EXPLORER + explorer
    if word in ("boat", "board"):
        if name not in BOAT_NUMBERS:
            raise NotationError(
                Sentence(
                    "{word} {name}: boats are 1 to {count}",
                    word=word,
                    name=name,
                    count=len(BOAT_NUMBERS),
                )
            )
        return Action.BOAT + BOAT_NUMBERS[name]
    if f"{word} {name}" in CREATURE_NUMBERS:
        return Action.CREATURE + CREATURE_NUMBERS[f"{word} {name}"]
    if word in COLOUR_NAMES:
        return _parse_value(s, word, name)
    return None


def _parse_value(s: State, word: str, name: str) -> int:
    slot, seat = divmod(COLOUR_NAMES.index(word), s.seats)
    if seat != s.to_move or slot > 1:
        raise NotationError(
            Sentence(
                "{word} {name}: {word} is not a colour of seat {seat}",
                word=word,
                name=name,
                seat=s.to_move + 1,
            )
        )
    if not (name.isascii() and name.isdigit() and 1 <= int(name) <= HIGHEST_VALUE):
        raise NotationError(
            Sentence(
                "{word} {name}: values are 1 to {most} (IS-C2)",
                word=word,
                name=name,
                most=HIGHEST_VALUE,
            )
        )
    return Action.VALUE + slot * HIGHEST_VALUE + int(name) - 1


def _parse_tile(s: State, words: list[str], text: str) -> int:
    """``play dolphin``, ``play dolphin d4`` or ``play d4``."""
    where = [word for word in words if word in SPACE_NUMBERS]
    symbols = [word for word in words if word in SYMBOLS[FIRST_RED:]]
    if not words or len(where) > 1 or len(symbols) > 1 or len(where) + len(symbols) != len(words):
        raise NotationError(
            Sentence(
                "{text!r}: say which tile, as play {known}",
                text=text,
                known=" or play ".join(SYMBOLS[FIRST_RED:]),
            )
        )
    if where:
        return Action.SPACE + SPACE_NUMBERS[where[0]]
    wanted = SYMBOLS.index(symbols[0])
    held = [
        space
        for space in range(SPACES)
        if TILE_OF[space] >= 0
        and s.holder[TILE_OF[space]] == s.to_move
        and s.back[TILE_OF[space]] == wanted
    ]
    if not held:
        raise NotationError(Sentence("{text!r}: there is no such tile in the hand", text=text))
    if len(held) > 1:
        names = " or ".join(f"play {symbols[0]} {space_name(space)}" for space in held)
        raise NotationError(Sentence("{text!r}: which one? Say {names}", text=text, names=names))
    return Action.SPACE + held[0]


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    faces = text.lower().replace(",", " ").split()
    for face in faces:
        if face not in FACE_NAMES:
            raise NotationError(
                Sentence(
                    "die {text!r}: it shows {known}, not {face} (IS-C4)",
                    text=text,
                    known=", ".join(FACE_NAMES),
                    face=face,
                )
            )
    return tuple(FACE_NAMES.index(face) for face in faces)
