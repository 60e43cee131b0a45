"""The position as text and as a scene."""

from __future__ import annotations

from archipel.rules.catalogue import load_catalogue
from archipel.rules.scene import Cell, Choice, Piece, Property, Scene
from low_tide.rules import (
    BEACH,
    GONE,
    LOOK,
    OVER,
    SHELLS,
    TAKE,
    UNKNOWN,
    State,
    legal,
    score,
    seat_to_move,
)
from low_tide.words import action_text

PACKAGE = "low_tide"


def picture(s: State, language: str) -> str:
    """The beach from the sea on, and what each seat has."""
    words = load_catalogue(PACKAGE, language)
    lines = [words.say("picture.title"), "", "  ~~  " + "  ".join(map(str, range(1, SHELLS + 1)))]
    lines.append("  ~~  " + "  ".join(_on_beach(s, shell) for shell in range(SHELLS)))
    lines.append("")
    for seat in range(s.seats):
        mark = "→" if seat == seat_to_move(s) else " "
        held = [_worth(s, shell) for shell in range(SHELLS) if s.holder[shell] == seat]
        lines.append(f"  {mark} {seat + 1}  {' '.join(held)}".rstrip())
    return "\n".join(lines)


def _on_beach(s: State, shell: int) -> str:
    return _worth(s, shell) if s.holder[shell] == BEACH else "."


def _worth(s: State, shell: int) -> str:
    return "?" if s.worth[shell] == UNKNOWN else str(s.worth[shell])


def scene(s: State, seat: int) -> Scene:
    """What a seat sees in its view; its legal actions if it is to move."""
    spots = [Cell(f"spot{shell + 1}", "spot") for shell in range(SHELLS)]
    hands = [Cell(f"hand{other + 1}", "hand") for other in range(s.seats)]
    pieces = tuple(_piece(s, shell) for shell in range(SHELLS) if s.holder[shell] != GONE)
    choices = _choices(s) if seat_to_move(s) == seat else ()
    return Scene((*spots, *hands), pieces, _gauges(s), choices)


def _piece(s: State, shell: int) -> Piece:
    holder = s.holder[shell]
    known = None if s.worth[shell] == UNKNOWN else s.worth[shell]
    cell = f"spot{shell + 1}" if holder == BEACH else f"hand{holder + 1}"
    owner = None if holder == BEACH else holder
    # LT-I1: what a view knows before the end is for its seat's eyes.
    secret = known is not None and s.phase != OVER
    return Piece(f"shell{shell + 1}", "shell", cell, owner, {"worth": known, "secret": secret})


def _gauges(s: State) -> dict[str, Property]:
    over = s.phase == OVER
    points = tuple(score(s, seat) for seat in range(s.seats)) if over else ()
    return {"phase": f"phase.{'over' if over else 'play'}", "over": over, "points": points}


def _choices(s: State) -> tuple[Choice, ...]:
    actions = [0] * (2 * SHELLS)
    return tuple(_choice(s, action) for action in actions[: legal(s, actions)])


def _choice(s: State, action: int) -> Choice:
    shell = action - (TAKE if action >= TAKE else LOOK)
    key = "action.take" if action >= TAKE else "action.look"
    details = {"shell": shell + 1}
    return Choice(action, action_text(s, action), key, details, (f"shell{shell + 1}",), final=True)
