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

from archipel.rules.hex_sea.notation import SeaNotation
from archipel.rules.position_fields import refuse
from archipel.rules.sentence import Sentence
from archipel.rules.the_island.board import TILE_OF, TILE_SPACES
from archipel.rules.the_island.components import FIRST_RED, HIGHEST_VALUE, SYMBOLS
from archipel.rules.the_island.names import COLOUR_LETTERS, COLOUR_NAMES, FACE_NAMES, NAMES
from archipel.rules.the_island.state import UNKNOWN, Action, Phase, State

PIECE_LETTERS: Final = COLOUR_LETTERS
_NOTATION: Final = SeaNotation(NAMES, "explorer", Phase.MOVE_TO)
_REFUSALS: Final = {Phase.PLAY_TILE: "pass", Phase.CREATURE: "pass", Phase.DEFEND: "no"}
_PLACING: Final = {
    Phase.PLACE_EXPLORER: "place",
    Phase.PLACE_BOAT: "place",
    Phase.REMOVE: "remove",
}
_TO_SPACE: Final = ("to", "swim", "place", "remove", "ashore")
_HELP: Final = Sentence(
    "say something like explorer w3, boat 2, shark 1, to f7, swim f7, overboard, board 2, "
    "ashore nw, place f7, white 5, play dolphin, remove f7, pass, stop, yes or no"
)


# ---- writing ------------------------------------------------------------------------------------


def action_text(s: State, action: int) -> str:
    """The text of an action in the phase of a position."""
    if action < Action.ISLAND:
        return _space_text(s, action)
    if action < Action.EXPLORER:
        return f"ashore {NAMES.island(action - Action.ISLAND)}"
    if action < Action.VALUE:
        return _NOTATION.piece_text(s, action)
    if action < Action.STOP:
        slot, value = divmod(action - Action.VALUE, HIGHEST_VALUE)
        colour = min(s.to_move + slot * s.seats, len(COLOUR_NAMES) - 1)
        return f"{COLOUR_NAMES[colour]} {value + 1}"
    return "yes" if action == Action.YES else _REFUSALS.get(s.phase, "stop")


def _space_text(s: State, space: int) -> str:
    if s.phase in _PLACING:
        return f"{_PLACING[s.phase]} {NAMES.space(space)}"
    if s.phase == Phase.PLAY_TILE:
        return _tile_text(s, space)
    return _NOTATION.step_text(s, space)


def _tile_text(s: State, space: int) -> str:
    """A tile of the hand by its symbol, and by its space if the hand has the symbol twice."""
    tile = TILE_OF[space]
    if tile < 0 or s.holder[tile] != s.to_move or s.back[tile] == UNKNOWN:
        return f"play {NAMES.space(space)}"
    symbol = f"play {SYMBOLS[s.back[tile]]}"
    return f"{symbol} {NAMES.space(space)}" if len(_held(s, s.back[tile])) > 1 else symbol


def _held(s: State, symbol: int) -> list[int]:
    """The spaces of the tiles with a symbol in the hand of the seat to move."""
    return [
        space
        for space, holder, back in zip(TILE_SPACES, s.holder, s.back, strict=True)
        if holder == s.to_move and back == symbol
    ]


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
        space = _NOTATION.own_boat_space(s)
        if space is None:
            refuse("{text!r}: no explorer in a boat is chosen; choose one first", text=text)
        return space
    if words[:1] == ["play"]:
        return _parse_tile(s, words[1:], text)
    found = _parse_pair(s, *words) if len(words) == 2 else None
    if found is None:
        refuse("{text!r} is not an action: {help}", text=text, help=_HELP)
    return found


def _parse_pair(s: State, word: str, name: str) -> int | None:
    if word in _TO_SPACE:
        if name in NAMES.spaces:
            return NAMES.spaces[name]
        if name in NAMES.islands:
            return Action.ISLAND + NAMES.islands[name]
        refuse(
            "{word} {name}: there is no such space; rows are a to m, and spaces are numbered "
            "from 1 in each; safe islands are {known}",
            {"word": word, "name": name, "known": ", ".join(NAMES.islands)},
        )
    if word == "explorer":
        if name not in NAMES.people:
            refuse("explorer {name}: there is no such explorer; they are w1 to v10", name=name)
        return Action.EXPLORER + NAMES.people[name]
    if word in ("boat", "board"):
        return _NOTATION.parse_boat(word, name)
    if f"{word} {name}" in NAMES.creatures:
        return Action.CREATURE + NAMES.creatures[f"{word} {name}"]
    return _parse_value(s, word, name) if word in COLOUR_NAMES else None


def _parse_value(s: State, word: str, name: str) -> int:
    slot, seat = divmod(COLOUR_NAMES.index(word), s.seats)
    parts = {"word": word, "name": name, "seat": s.to_move + 1, "most": HIGHEST_VALUE}
    if seat != s.to_move or slot > 1:
        refuse("{word} {name}: {word} is not a colour of seat {seat}", parts)
    if not (name.isascii() and name.isdigit() and 1 <= int(name) <= HIGHEST_VALUE):
        refuse("{word} {name}: values are 1 to {most} (IS-C2)", parts)
    return Action.VALUE + slot * HIGHEST_VALUE + int(name) - 1


def _parse_tile(s: State, words: list[str], text: str) -> int:
    """``play dolphin``, ``play dolphin d4`` or ``play d4``."""
    where = [word for word in words if word in NAMES.spaces]
    symbols = [word for word in words if word in SYMBOLS[FIRST_RED:]]
    if not words or len(where) > 1 or len(symbols) > 1 or len(where) + len(symbols) != len(words):
        known = " or play ".join(SYMBOLS[FIRST_RED:])
        refuse("{text!r}: say which tile, as play {known}", text=text, known=known)
    if where:
        return NAMES.spaces[where[0]]
    held = _held(s, SYMBOLS.index(symbols[0]))
    if not held:
        refuse("{text!r}: there is no such tile in the hand", text=text)
    if len(held) > 1:
        names = " or ".join(f"play {symbols[0]} {NAMES.space(space)}" for space in held)
        refuse("{text!r}: which one? Say {names}", text=text, names=names)
    return held[0]


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    faces = text.lower().replace(",", " ").split()
    for face in faces:
        if face not in FACE_NAMES:
            parts = {"text": text, "known": ", ".join(FACE_NAMES), "face": face}
            refuse("die {text!r}: it shows {known}, not {face} (IS-C4)", parts)
    return tuple(FACE_NAMES.index(face) for face in faces)
