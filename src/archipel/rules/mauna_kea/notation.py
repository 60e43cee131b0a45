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

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import clone
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.state import Action, Ending, Phase, QuakeAction, State
from archipel.rules.mauna_kea.tiles import kind_in_bag
from archipel.rules.mauna_kea.turn import apply
from archipel.rules.position_fields import names_in, refuse
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
        refuse("{text!r} is not an action now: say {example}", text=text, example=example)
    return words[said]


def cards_played(s: State) -> tuple[str, ...]:
    """The names of the action cards that have been played."""
    return tuple(box.CARD_NAMES[kind] for kind, count in enumerate(s.played) for _ in range(count))


class _NoMoreNames(Exception):
    """All names are read; the rules draw on."""


@dataclass
class _Drawing:
    """Chance that calls a function, which knows the bag."""

    draw: Callable[[int], int]


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """The tiles drawn."""
    world, remaining, names = clone(s), iter(outcomes), []

    def draw(n: int) -> int:
        outcome = next(remaining)
        kind = kind_in_bag(world, outcome)
        nth = outcome - sum(world.bag[:kind])
        names.append(box.TILE_NAMES[kind] + (f"+{nth}" if nth else ""))
        return outcome

    if outcomes:
        apply(world, action, _Drawing(draw))
    return " ".join(names)


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    """Return the outcomes that the names of tiles stand for."""
    world, names = clone(s), text.lower().replace(",", " ").split()
    outcomes: list[int] = []

    def draw(n: int) -> int:
        if len(outcomes) == len(names):
            raise _NoMoreNames
        name, plus, nth = names[len(outcomes)].partition("+")
        kind, said = box.TILE_NUMBERS.get(name, box.KINDS), {"name": name, "plus": plus, "nth": nth}
        if kind >= box.BAG_KINDS or (plus and not (nth.isascii() and nth.isdigit())):
            refuse("{name}{plus}{nth}: not a tile of the bag; one is jjjl3 (MK-C1)", said)
        if int(nth or 0) >= world.bag[kind]:
            count = world.bag[kind]
            refuse("{name}{plus}{nth}: the bag holds {count} of these (MK-V1)", said, count=count)
        outcomes.append(sum(world.bag[:kind]) + int(nth or 0))
        return outcomes[-1]

    with suppress(_NoMoreNames):
        if names:
            apply(world, action, _Drawing(draw))
    if len(outcomes) < len(names):
        refuse("{text!r}: only {count} tiles are drawn (MK-T4)", text=text, count=len(outcomes))
    return tuple(outcomes)
