"""How a game at a table begins: with its deal, or with a position that was given."""

from __future__ import annotations

from typing import Any

from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import Chance
from archipel.rules.options import Options
from archipel.tables.problems import Refusal


def dealt(definition: Definition[Any], options: Options, position: str, chance: Chance) -> Any:
    """The first position: dealt, or the one given with what is unknown in it dealt."""
    if not position:
        return definition.new(options, chance)
    state = definition.parse_position(position)
    definition.deal_unseen(state, chance)
    return state


def read_given(definition: Definition[Any], position: str, seats: int) -> tuple[str, Options]:
    """A given position as it is kept, and what it is played with; raises `Refusal` where no game
    can begin with it."""
    try:
        state = definition.parse_position(position)
    except NotationError as error:
        raise Refusal("bad_position", english=str(error)) from None
    options: Options = definition.read_options(state)
    if options.seats != seats:
        raise Refusal(
            "bad_position",
            english=f"the position is one of {options.seats} players, not {seats}",
        )
    if definition.to_move(state) < 0:
        raise Refusal(
            "bad_position",
            english="the game is over in this position",
        )
    return definition.position_text(state), options
