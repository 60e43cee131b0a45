"""A game for tests of the tables: every kind of action there can be, and secrets one can spot.

Each seat holds a card with a number of nine digits, which nobody sees until its holder peeks, and
then only the holder; at the end all see all.  The game ends after `LAST_TURN` turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from archipel.rules import contract
from archipel.rules.contract import NOBODY, Definition, Event, Refusal
from archipel.rules.kit import Chance, array, scalar, state
from archipel.rules.options import Option, Options
from archipel.rules.scene import Cell, Choice, Piece, Scene

THINK: Final = 0  # nothing hidden, no chance; the same seat goes on
PASS: Final = 1  # nothing hidden, no chance; the next seat is to move
THROW: Final = 2  # chance; the next seat is to move
PEEK: Final = 3  # the seat sees its card; the same seat goes on
ACTIONS: Final = 5  # action 4 is never legal

MOST_SEATS: Final = 4
LAST_TURN: Final = 12
UNKNOWN: Final = 0


@state
@dataclass(slots=True)
class State:
    seats: int = scalar("i1")
    to_move: int = scalar("i1")
    turn: int = scalar("i2")
    thoughts: int = scalar("i2")
    card: list[int] = array("i4", MOST_SEATS)  # noqa: RUF009
    peeked: list[int] = array("i1", MOST_SEATS)  # noqa: RUF009
    points: list[int] = array("i2", MOST_SEATS)  # noqa: RUF009


def set_up(s: State, chance: Chance) -> None:
    deal_unseen(s, chance)


def deal_unseen(s: State, chance: Chance) -> None:
    for seat in range(s.seats):
        if s.card[seat] == UNKNOWN:
            s.card[seat] = 100_000_000 + chance.draw(900_000_000)


def to_move(s: State) -> int:
    return NOBODY if s.turn >= LAST_TURN else s.to_move


def legal(s: State, actions: list[int]) -> int:
    if to_move(s) == NOBODY:
        return 0
    found = [THINK, PASS, THROW]
    if not s.peeked[s.to_move]:
        found.append(PEEK)
    actions[: len(found)] = found
    return len(found)


def apply(s: State, action: int, chance: Chance) -> None:
    if action == THINK:
        s.thoughts += 1
    elif action == PEEK:
        s.peeked[s.to_move] = 1
    else:
        if action == THROW:
            s.points[s.to_move] += 1 + chance.draw(6)
        s.turn += 1
        s.to_move = (s.to_move + 1) % s.seats


def view(s: State, seat: int, seen: State) -> None:
    for holder in range(s.seats):
        known = to_move(s) == NOBODY or (holder == seat and s.peeked[holder])
        seen.card[holder] = s.card[holder] if known else UNKNOWN


def rank(s: State, seat: int) -> int:
    return sum(s.points[other] > s.points[seat] for other in range(s.seats))


def reveals(before: State, after: State) -> bool:
    return before.peeked != after.peeked or to_move(after) == NOBODY


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    seat = before.to_move
    if action == PEEK:
        own = Event("peeked", {"card": after.card[seat]}, frozenset({seat}))
        return [Event("peeks", {"seat": seat}), own]
    return [Event(("thinks", "passes", "throws")[action], {"seat": seat, "dice": list(outcomes)})]


def scene(s: State, seat: int) -> Scene:
    cards = tuple(
        Piece(f"card{n}", "card", "table", n, {"number": s.card[n] or None}) for n in range(s.seats)
    )
    buffer = [0] * 4
    choices = [
        Choice(action, TEXTS[action], f"action.{TEXTS[action]}")
        for action in buffer[: legal(s, buffer)]
    ]
    mine = tuple(choices) if to_move(s) == seat else ()
    return Scene((Cell("table", "table"),), cards, {"turn": s.turn}, mine)


TEXTS = ("think", "pass", "throw", "peek", "never")


def _position_text(s: State) -> str:
    return " ".join(
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
        for name in s.__slots__
        for value in (getattr(s, name),)
    )


def _parse_position(text: str) -> State:
    words = dict(word.split("=") for word in text.split())
    values: dict[str, Any] = {
        name: [int(part) for part in value.split(",")] if "," in value else int(value)
        for name, value in words.items()
    }
    return State(**values)


SECRET_CARDS: Definition[State] = Definition(
    name="secret-cards",
    package="archipel.rules.deep_sea",  # for the sentence of its only refusal
    rules_version=1,
    seats=range(2, MOST_SEATS + 1),
    options=(Option("colour", ("red", "green"), "SC-1"),),
    state=State,
    actions=ACTIONS,
    most_legal=4,
    set_up=set_up,
    to_move=to_move,
    legal=legal,
    apply=apply,
    view=view,
    deal_unseen=deal_unseen,
    score=lambda s, seat: s.points[seat],
    rank=rank,
    fault=lambda s: -1,
    faults=(),
    check_options=lambda options: None,
    blank=lambda options: State(seats=options.seats),
    read_options=lambda s: Options(s.seats, {"colour": "red"}),
    action_text=lambda s, action: TEXTS[action],
    parse_action=lambda s, text: TEXTS.index(text),
    refusal=lambda s, action: Refusal("SC-2", "refuse.over"),
    position_text=_position_text,
    parse_position=_parse_position,
    outcomes_text=lambda s, action, outcomes: " ".join(str(o + 1) for o in outcomes),
    parse_outcomes=lambda s, action, text: tuple(int(word) - 1 for word in text.split()),
    ending=lambda s: "end.rounds",
    narrate=narrate,
    question=lambda s: Event("ask", {"seat": s.to_move}),
    picture=lambda s, language: "",
    drawing=lambda s, language: "",
    scene=scene,
    reveals=reveals,
)


@contextmanager
def secret_cards_registered() -> Iterator[None]:
    """Register the game temporarily: tests of all games must not find it."""
    contract._GAMES["secret-cards"] = SECRET_CARDS
    try:
        yield
    finally:
        contract._GAMES.pop("secret-cards", None)
