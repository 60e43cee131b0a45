"""What both games ask of a position written by hand: who is where, if that cannot be."""

from __future__ import annotations

from collections.abc import Iterable

from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.places import WAITING
from archipel.rules.hex_sea.position import SeaWords
from archipel.rules.hex_sea.turn import TURNS_WITHOUT_EVENT
from archipel.rules.sentence import Sentence


def require(holds: bool, complaint: str, /, **parts: object) -> None:
    """`NotationError` with a sentence, unless something holds."""
    if not holds:
        raise NotationError(Sentence(complaint, **parts))


def check_placing(s: HasSea, words: SeaWords, people: int, placing: bool, rule: str) -> None:
    """While people are placed they stand on land or wait; afterwards nobody waits."""
    for person in range(people):
        place = s.place[person]
        name = words.names.person(person)
        if place == WAITING:
            require(
                placing,
                "{person} is not placed yet, but play has begun ({rule})",
                person=name,
                rule=rule,
            )
        elif placing and place >= len(s.space):
            require(
                False,
                "{person} is at {place}: while people are placed they stand on land ({rule})",
                person=name,
                place=words.place_text(place),
                rule=rule,
            )
        elif placing:
            require(
                not is_sea(s, place),
                "{person} stands on {space}, which is under water ({rule})",
                person=name,
                space=words.names.space(place),
                rule=rule,
            )


def require_land(s: HasSea, spaces: Iterable[int], words: SeaWords, rule: str) -> None:
    """Before play begins nothing has sunk."""
    for space in spaces:
        require(
            not is_sea(s, space),
            "{space} has sunk, but play has not begun ({rule})",
            space=words.names.space(space),
            rule=rule,
        )


def check_swimmers(
    s: HasSea, words: SeaWords, people: int, eaters: Iterable[int], rule: str
) -> None:
    """Nobody swims beside a creature that eats swimmers; ``eaters`` are those that do, less one
    whose harm can still be turned away."""
    spaces = {s.creature[creature]: creature for creature in eaters}
    for person in range(people):
        place = s.place[person]
        if place < len(s.space) and place in spaces:
            require(
                False,
                "{person} swims in {space}, where {creature} is ({rule})",
                person=words.names.person(person),
                space=words.names.space(place),
                creature=words.creature_name(spaces[place]),
                rule=rule,
            )


def check_idle(s: HasSea, land_left: bool, playing: bool, rule: str) -> None:
    """Turns are counted while there is no land; the last of them ends the game."""
    require(not land_left or s.idle_turns == 0, "idle: only with no land left ({rule})", rule=rule)
    most = TURNS_WITHOUT_EVENT * s.seats
    require(
        s.idle_turns <= most and (playing or s.idle_turns == 0),
        "idle={idle}: with {seats} players the game ends after {most} such turns ({rule})",
        idle=s.idle_turns,
        seats=s.seats,
        most=most,
        rule=rule,
    )
