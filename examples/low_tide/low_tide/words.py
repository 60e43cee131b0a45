"""Actions, positions and outcomes as text, why actions are refused, and what happened.

A position is ``seats=2 turn=1 shells=3,?,5.1,7.x,... looked1=2,4``: a shell is what it is worth, or
``?``, and after a dot who holds it, or ``x`` where a wave took it.
"""

from __future__ import annotations

import re
from typing import Any, Final

from archipel.rules.contract import Event, NotationError, Refusal
from archipel.rules.kit import Stream, Tape, clone
from archipel.rules.position_words import PositionWords
from low_tide.rules import (
    BEACH,
    FAULTS,
    FEWEST_SEATS,
    GONE,
    HIGH_WAVES,
    LOOK,
    MOST_SEATS,
    OVER,
    PLAY,
    SHELLS,
    TAKE,
    UNKNOWN,
    State,
    apply,
    deal_unseen,
    fault,
    first_on_beach,
    rank,
    score,
)

WORDS: Final = {"look": LOOK, "take": TAKE}
WAVES: Final = {"wave": range(HIGH_WAVES), "calm": range(HIGH_WAVES, 6)}
_SHELL: Final = re.compile(r"(\?|[1-8])(?:\.([1-4x]))?")

# ---- actions and outcomes -----------------------------------------------------------------------


def action_text(s: State, action: int) -> str:
    word, first = ("take", TAKE) if action >= TAKE else ("look", LOOK)
    return f"{word} {action - first + 1}"


def parse_action(s: State, text: str) -> int:
    """The action a text names, legal or not."""
    word, _, number = " ".join(text.lower().split()).partition(" ")
    if word in WORDS and number in {str(shell + 1) for shell in range(SHELLS)}:
        return WORDS[word] + int(number) - 1
    raise NotationError(f"{text!r} is not an action: say look or take and a shell, as in take 3")


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """The wave, with its number where several waves say the same."""
    return " ".join(
        f"{word}/{outcome - numbers.start + 1}"
        for outcome in outcomes
        for word, numbers in WAVES.items()
        if outcome in numbers
    )


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    names = {word: numbers[0] for word, numbers in WAVES.items()}
    for word, numbers in WAVES.items():
        names |= {f"{word}/{nth}": outcome for nth, outcome in enumerate(numbers, 1)}
    found = text.lower().replace(",", " ").split()
    for name in found:
        if name not in names:
            raise NotationError(f"{name!r}: the sea brings a wave or stays calm (LT-T3)")
    return tuple(names[name] for name in found)


# ---- positions ----------------------------------------------------------------------------------


def position_text(s: State) -> str:
    shells = ",".join(_shell_text(s, shell) for shell in range(SHELLS))
    words = [f"seats={s.seats}", f"turn={s.to_move + 1}", f"shells={shells}"]
    for seat in range(s.seats):
        looked = [str(shell + 1) for shell in range(SHELLS) if s.looked[seat] >> shell & 1]
        words.append(f"looked{seat + 1}={','.join(looked) or '-'}")
    return " ".join(words)


def _shell_text(s: State, shell: int) -> str:
    worth, holder = s.worth[shell], s.holder[shell]
    place = "" if holder == BEACH else ".x" if holder == GONE else f".{holder + 1}"
    return ("?" if worth == UNKNOWN else str(worth)) + place


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = PositionWords(text, "turn=1")
    s = State()
    s.seats = words.number("seats", FEWEST_SEATS, MOST_SEATS, FEWEST_SEATS)
    s.to_move = words.number("turn", 1, s.seats, 1) - 1
    shells = words.text("shells", ",".join("?" * SHELLS)).split(",")
    if len(shells) != SHELLS:
        raise NotationError(f"shells: {len(shells)} are given, but there are {SHELLS} (LT-C1)")
    for shell, written in enumerate(shells):
        _read_shell(s, shell, written)
    for seat in range(s.seats):
        s.looked[seat] = _read_looked(words.text(f"looked{seat + 1}", "-"))
    words.finish()
    s.phase = OVER if first_on_beach(s) == SHELLS else PLAY
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(FAULTS[number])
    return s


def _read_shell(s: State, shell: int, text: str) -> None:
    match = _SHELL.fullmatch(text)
    if not match or match[2] in {str(seat + 1) for seat in range(s.seats, MOST_SEATS)}:
        raise NotationError(f"shells: {text!r}: expected something like 3, ?, 3.1 or 3.x")
    worth = UNKNOWN if match[1] == "?" else int(match[1])
    if worth != UNKNOWN and worth in s.worth:
        raise NotationError(f"shells: there is one shell of {worth} (LT-C1)")
    s.worth[shell] = worth
    if match[2]:
        s.holder[shell] = GONE if match[2] == "x" else int(match[2]) - 1


def _read_looked(text: str) -> int:
    looked = 0
    for part in () if text == "-" else text.split(","):
        if part not in {str(shell + 1) for shell in range(SHELLS)}:
            raise NotationError(f"looked: {part!r}: shells are numbered 1 to {SHELLS}")
        looked |= 1 << int(part) - 1
    return looked


# ---- refusals, events and questions -------------------------------------------------------------


def refusal(s: State, action: int) -> Refusal:
    """Why an action is not legal."""
    shell = action - (TAKE if action >= TAKE else LOOK)
    if s.phase == OVER:
        return Refusal("LT-E1", "refuse.over")
    if s.holder[shell] != BEACH:
        return Refusal("LT-T1", "refuse.not_there", {"shell": shell + 1})
    return Refusal("LT-T1", "refuse.looked", {"shell": shell + 1})


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """What happened; only who looked at a shell or took it is told what it is worth."""
    shell, seat = action - (TAKE if action >= TAKE else LOOK), before.to_move
    verb = "take" if action >= TAKE else "look"
    details: dict[str, Any] = {"seat": seat, "shell": shell + 1}
    events = [Event(verb, details)]
    if after.worth[shell] != UNKNOWN:
        own = {"shell": shell + 1, "worth": after.worth[shell]}
        events.append(Event(f"{verb}.worth", own, seen_by=frozenset({seat})))
    if outcomes:
        events.append(_wave(before, action, outcomes, after))
    if after.phase == OVER:
        events += _end(after)
    return events


def _wave(before: State, action: int, outcomes: tuple[int, ...], after: State) -> Event:
    if outcomes[0] >= HIGH_WAVES:
        return Event("calm")
    dry = clone(before)
    apply(dry, action, Tape((max(WAVES["calm"]),)))
    taken = first_on_beach(dry)
    return Event("wave", {"shell": taken + 1, "worth": after.worth[taken]})


def _end(s: State) -> list[Event]:
    """LT-E2."""
    seats = range(s.seats)
    events = [Event("score", {"seat": seat, "points": score(s, seat)}) for seat in seats]
    winners = [seat for seat in seats if rank(s, seat) == 0]
    key = "win.alone" if len(winners) == 1 else "win.shared"
    return events + [Event(key, {"seat": seat}) for seat in winners]


def question(s: State) -> Event:
    """What the seat to move is asked."""
    return Event("ask.over" if s.phase == OVER else "ask.turn")
