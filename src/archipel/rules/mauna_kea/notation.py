"""Actions and outcomes of chance as text, and back. Positions are in `position_writing`
and `position_reading`.

What an action means depends on what is asked::

    reject jungle               a card is not kept
    at e4nw                     an explorer is placed; in the game, at d5: a tile is laid there
    tile 2, at d5, turn 1       lay the second tile in front, on a space, after a quarter turn
    spend 3                     add a tile's points to the pool
    explorer 1, north, take white, put grey, board, leave white
    card earthquake, at d5, turn 2, draw, stop
    card jungle, explorer 2, to d5se
    end play, draw, end turn

Outcomes are the tiles drawn, by name: ``jjjl3`` is the first of its kind in the bag, ``jjjl3+2``
the third.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.kit import clone
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    CARD_NAMES,
    COLOUR_NAMES,
    MOST_EXPLORERS,
    MOST_TILES,
    TILE_NAMES,
    TILE_NUMBERS,
)
from archipel.rules.mauna_kea.geometry import (
    CELL_NUMBERS,
    DIRECTION_NAMES,
    SPACE_NUMBERS,
    cell_name,
    space_name,
)
from archipel.rules.mauna_kea.state import (
    BOARD,
    CARD,
    CARD_CELL,
    CARD_EXPLORER,
    CHOOSE,
    DRAW,
    DRAW_NOW,
    END_PLAY,
    END_TURN,
    LEAVE,
    NAME,
    PLACE,
    PUT,
    QUAKE_DRAW,
    QUAKE_SKIP_TO_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    SPACE,
    SPEND,
    STEP,
    STOP,
    TAKE,
    TILE,
    TURN,
    State,
)
from archipel.rules.mauna_kea.tiles import kind_in_bag
from archipel.rules.mauna_kea.turn import apply
from archipel.rules.sentence import Sentence

# The words of PLAY, EXPLORER and REFILL.
PLAY_WORDS: Final = {
    "end play": END_PLAY,
    **{f"tile {place + 1}": TILE + place for place in range(MOST_TILES)},
    **{f"spend {place + 1}": SPEND + place for place in range(MOST_TILES)},
    **{f"explorer {number + 1}": NAME + number for number in range(MOST_EXPLORERS)},
    **{name: STEP + direction for direction, name in enumerate(DIRECTION_NAMES)},
    **{f"take {name}": TAKE + colour for colour, name in enumerate(COLOUR_NAMES)},
    **{f"put {name}": PUT + colour for colour, name in enumerate(COLOUR_NAMES)},
    "board": BOARD,
    **{f"card {name}": CARD + card for card, name in enumerate(CARD_NAMES[:ACTION_KINDS])},
    "draw": DRAW,
    "end turn": END_TURN,
}
_AT_SPACE: Final = {f"at {name}": space for name, space in SPACE_NUMBERS.items()}
_TURNS: Final = {f"turn {turns}": turns for turns in range(4)}
# The words of the other phases.
WORDS: Final[dict[int, dict[str, int]]] = {
    PLACE: {f"at {name}": cell for name, cell in CELL_NUMBERS.items()},
    CARD_CELL: {f"to {name}": cell for name, cell in CELL_NUMBERS.items()},
    SPACE: _AT_SPACE,
    TURN: _TURNS,
    LEAVE: {f"leave {name}": colour for colour, name in enumerate(COLOUR_NAMES)},
    CARD_EXPLORER: {f"explorer {number + 1}": number for number in range(MOST_EXPLORERS)},
    QUAKE_SPACE: {**_AT_SPACE, "draw": QUAKE_SKIP_TO_DRAW},
    QUAKE_TURN: _TURNS,
    QUAKE_DRAW: {"stop": STOP, "draw": DRAW_NOW},
}
# What to say instead of something that is not an action now.
EXAMPLES: Final = {
    CHOOSE: Sentence("reject and a card of yours"),
    PLACE: Sentence("at and a start cell, as in at e4nw"),
    CARD_CELL: Sentence("to and a cell, as in to d5se"),
    SPACE: Sentence("at and a space, as in at d5"),
    TURN: Sentence("turn 0 to turn 3"),
    LEAVE: Sentence("leave white, leave grey or leave black"),
    CARD_EXPLORER: Sentence("explorer and its number"),
    QUAKE_SPACE: Sentence("at and a space, as in at d5, or draw"),
    QUAKE_TURN: Sentence("turn 1 to turn 3"),
    QUAKE_DRAW: Sentence("draw or stop"),
}
_PLAY_EXAMPLE: Final = Sentence(
    "tile 1, spend 1, explorer 1, north, take white, put white, board, card jungle or end play"
)
_TEXTS: Final = {
    phase: {action: text for text, action in words.items()} for phase, words in WORDS.items()
}
_PLAY_TEXTS: Final = {action: text for text, action in PLAY_WORDS.items()}


def action_text(s: State, action: int) -> str:
    if s.phase == CHOOSE:
        return f"reject {CARD_NAMES[s.hand[s.to_move][action]]}"
    return _TEXTS.get(s.phase, _PLAY_TEXTS)[action]


def parse_action(s: State, text: str) -> int:
    """The action a text names, legal or not."""
    said = " ".join(text.lower().split())
    if s.phase == CHOOSE:
        words = {
            f"reject {CARD_NAMES[card]}": place
            for place, card in reversed(list(enumerate(s.hand[s.to_move])))
            if card >= 0
        }
    else:
        words = WORDS.get(s.phase, PLAY_WORDS)
    if said not in words:
        example = EXAMPLES.get(s.phase, _PLAY_EXAMPLE)
        raise NotationError(
            Sentence("{text!r} is not an action now: say {example}", text=text, example=example)
        )
    return words[said]


# ---- outcomes -----------------------------------------------------------------------------------


class _Enough(Exception):
    """All the words have been used up."""


class _Bag:
    """Chance that knows the position being played in, so that it can name what is drawn."""

    def __init__(self, s: State) -> None:
        self.s = s
        self.number = 0

    def first_of(self, kind: int) -> int:
        return sum(self.s.bag[:kind])


class _Naming(_Bag):
    """Plays given outcomes and notes the names of the tiles."""

    def __init__(self, s: State, outcomes: tuple[int, ...]) -> None:
        super().__init__(s)
        self.outcomes = outcomes
        self.names: list[str] = []

    def draw(self, n: int, /) -> int:
        outcome = self.outcomes[self.number]
        self.number += 1
        kind = kind_in_bag(self.s, outcome)
        nth = outcome - self.first_of(kind)
        self.names.append(TILE_NAMES[kind] + (f"+{nth}" if nth else ""))
        return outcome


class _Reading(_Bag):
    """Finds the outcomes that names of tiles stand for."""

    def __init__(self, s: State, names: list[str]) -> None:
        super().__init__(s)
        self.names = names
        self.outcomes: list[int] = []

    def draw(self, n: int, /) -> int:
        if self.number == len(self.names):
            raise _Enough
        name, plus, nth = self.names[self.number].partition("+")
        self.number += 1
        kind = TILE_NUMBERS.get(name, len(self.s.bag))
        if kind >= len(self.s.bag) or (plus and not (nth.isascii() and nth.isdigit())):
            raise NotationError(
                Sentence(
                    "{name}{plus}{nth}: not a tile of the bag; one is jjjl3 (MK-C1)",
                    name=name,
                    plus=plus,
                    nth=nth,
                )
            )
        if int(nth or 0) >= self.s.bag[kind]:
            raise NotationError(
                Sentence(
                    "{name}{plus}{nth}: the bag holds {count} of these (MK-V1)",
                    name=name,
                    plus=plus,
                    nth=nth,
                    count=self.s.bag[kind],
                )
            )
        self.outcomes.append(self.first_of(kind) + int(nth or 0))
        return self.outcomes[-1]


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """The tiles drawn."""
    naming = _Naming(clone(s), outcomes)
    if outcomes:
        apply(naming.s, action, naming)
    return " ".join(naming.names)


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    names = text.lower().replace(",", " ").split()
    reading = _Reading(clone(s), names)
    with suppress(_Enough):
        if names:
            apply(reading.s, action, reading)
    if reading.number < len(names):
        raise NotationError(
            Sentence(
                "{text!r}: only {count} tiles are drawn (MK-T4)", text=text, count=reading.number
            )
        )
    return tuple(reading.outcomes)


__all__ = [
    "action_text",
    "cell_name",
    "outcomes_text",
    "parse_action",
    "parse_outcomes",
    "space_name",
]
