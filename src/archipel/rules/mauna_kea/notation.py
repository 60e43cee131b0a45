"""Notation of actions and outcomes.

The meaning of an action depends on the phase::

    reject jungle               reject a card
    at e4nw                     place an explorer; later, at d5: lay a tile
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
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.state import Action, Ending, Phase, QuakeAction, State
from archipel.rules.mauna_kea.tiles import kind_in_bag
from archipel.rules.mauna_kea.turn import apply
from archipel.rules.position_fields import names_in
from archipel.rules.sentence import Sentence

PHASES: Final = {n.replace("_", "-"): v for n, v in names_in(Phase, Phase.OVER).items()}
_REASONS: Final = names_in(Ending, Ending.EMPTY_BAG, none=Ending.NOT_YET)
ENDINGS: Final = {name.replace("_", "-"): number for name, number in _REASONS.items()}
# The words of PLAY, EXPLORER and REFILL.
PLAY_WORDS: Final = {
    "end play": Action.END_PLAY,
    **{f"tile {place + 1}": Action.TILE + place for place in range(box.MOST_TILES)},
    **{f"spend {place + 1}": Action.SPEND + place for place in range(box.MOST_TILES)},
    **{f"explorer {number + 1}": Action.NAME + number for number in range(box.MOST_EXPLORERS)},
    **{name: Action.STEP + direction for direction, name in enumerate(grid.DIRECTION_NAMES)},
    **{f"take {name}": Action.TAKE + colour for colour, name in enumerate(box.COLOUR_NAMES)},
    **{f"put {name}": Action.PUT + colour for colour, name in enumerate(box.COLOUR_NAMES)},
    "board": Action.BOARD,
    **{
        f"card {name}": Action.CARD + card
        for card, name in enumerate(box.CARD_NAMES[: box.ACTION_KINDS])
    },
    "draw": Action.DRAW,
    "end turn": Action.END_TURN,
}
_AT_SPACE: Final = {f"at {name}": space for name, space in grid.SPACE_NUMBERS.items()}
_TURNS: Final = {f"turn {turns}": turns for turns in range(4)}
# The words of the other phases.
WORDS: Final[dict[int, dict[str, int]]] = {
    Phase.PLACE: {f"at {name}": cell for name, cell in grid.CELL_NUMBERS.items()},
    Phase.CARD_CELL: {f"to {name}": cell for name, cell in grid.CELL_NUMBERS.items()},
    Phase.SPACE: _AT_SPACE,
    Phase.TURN: _TURNS,
    Phase.LEAVE: {f"leave {name}": colour for colour, name in enumerate(box.COLOUR_NAMES)},
    Phase.CARD_EXPLORER: {f"explorer {number + 1}": number for number in range(box.MOST_EXPLORERS)},
    Phase.QUAKE_SPACE: {**_AT_SPACE, "draw": QuakeAction.SKIP_TO_DRAW},
    Phase.QUAKE_TURN: _TURNS,
    Phase.QUAKE_DRAW: {"stop": QuakeAction.STOP, "draw": QuakeAction.DRAW},
}
# Suggested instead of a text that is not an action now.
EXAMPLES: Final = {
    Phase.CHOOSE: Sentence("reject and a card of yours"),
    Phase.PLACE: Sentence("at and a start cell, as in at e4nw"),
    Phase.CARD_CELL: Sentence("to and a cell, as in to d5se"),
    Phase.SPACE: Sentence("at and a space, as in at d5"),
    Phase.TURN: Sentence("turn 0 to turn 3"),
    Phase.LEAVE: Sentence("leave white, leave grey or leave black"),
    Phase.CARD_EXPLORER: Sentence("explorer and its number"),
    Phase.QUAKE_SPACE: Sentence("at and a space, as in at d5, or draw"),
    Phase.QUAKE_TURN: Sentence("turn 1 to turn 3"),
    Phase.QUAKE_DRAW: Sentence("draw or stop"),
}
_PLAY_EXAMPLE: Final = Sentence(
    "tile 1, spend 1, explorer 1, north, take white, put white, board, card jungle or end play"
)
_TEXTS: Final = {
    phase: {action: text for text, action in words.items()} for phase, words in WORDS.items()
}
_PLAY_TEXTS: Final = {action: text for text, action in PLAY_WORDS.items()}


def action_text(s: State, action: int) -> str:
    if s.phase == Phase.CHOOSE:
        return f"reject {box.CARD_NAMES[s.hand[s.to_move][action]]}"
    return _TEXTS.get(s.phase, _PLAY_TEXTS)[action]


def parse_action(s: State, text: str) -> int:
    """Return the action that a text names, legal or not."""
    said = " ".join(text.lower().split())
    if s.phase == Phase.CHOOSE:
        words = {
            f"reject {box.CARD_NAMES[card]}": place
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


def cards_played(s: State) -> tuple[str, ...]:
    """The names of the action cards that have been played."""
    return tuple(box.CARD_NAMES[kind] for kind, count in enumerate(s.played) for _ in range(count))


# ---- outcomes -----------------------------------------------------------------------------------


class _Enough(Exception):
    """There are no more names to read."""


class _Bag:
    """Chance that knows the position, so that it can name the tiles drawn."""

    def __init__(self, s: State) -> None:
        self.s = s
        self.number = 0

    def first_of(self, kind: int) -> int:
        return sum(self.s.bag[:kind])


class _Naming(_Bag):
    """Replays outcomes and records the names of the tiles."""

    def __init__(self, s: State, outcomes: tuple[int, ...]) -> None:
        super().__init__(s)
        self.outcomes = outcomes
        self.names: list[str] = []

    def draw(self, n: int, /) -> int:
        outcome = self.outcomes[self.number]
        self.number += 1
        kind = kind_in_bag(self.s, outcome)
        nth = outcome - self.first_of(kind)
        self.names.append(box.TILE_NAMES[kind] + (f"+{nth}" if nth else ""))
        return outcome


class _Reading(_Bag):
    """Finds the outcomes that tile names stand for."""

    def __init__(self, s: State, names: list[str]) -> None:
        super().__init__(s)
        self.names = names
        self.outcomes: list[int] = []

    def draw(self, n: int, /) -> int:
        if self.number == len(self.names):
            raise _Enough
        name, plus, nth = self.names[self.number].partition("+")
        self.number += 1
        kind = box.TILE_NUMBERS.get(name, len(self.s.bag))
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
