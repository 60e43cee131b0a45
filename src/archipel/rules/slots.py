"""Open rules: what rules that serve any game call, and a program binds to its game's own."""

from __future__ import annotations

from typing import Final, Protocol

from archipel.rules.kit import Chance, rule
from archipel.rules.kit.marking import F32


class GameState(Protocol):
    """The state of whichever game is played."""


@rule
def set_up(s: GameState, chance: Chance) -> None:
    """Set the game up in a state that holds its options and is otherwise blank."""
    raise NotImplementedError


@rule
def to_move(s: GameState) -> int:
    """The seat that decides next, or -1 when the game is over."""
    raise NotImplementedError


@rule
def legal(s: GameState, actions: list[int]) -> int:
    """Fill in the legal actions in ascending order; how many there are."""
    raise NotImplementedError


@rule
def apply(s: GameState, action: int, chance: Chance) -> None:
    """Play a legal action and go on to the next decision."""
    raise NotImplementedError


@rule
def view(s: GameState, seat: int, seen: GameState) -> None:
    """Fill in the state as a seat sees it (-1: a spectator), what it cannot know being unknown."""
    raise NotImplementedError


@rule
def recall(s: GameState, seat: int, seen: GameState) -> None:
    """The same for a seat that forgets nothing, as a bot's: what it saw before it still knows."""
    raise NotImplementedError


@rule
def deal_unseen(s: GameState, chance: Chance) -> None:
    """Make a view whole: draw everything unknown in it as its seat must believe it to be."""
    raise NotImplementedError


@rule
def score(s: GameState, seat: int) -> int:
    """A seat's points."""
    raise NotImplementedError


@rule
def rank(s: GameState, seat: int) -> int:
    """A seat's place when the game is over: 0 is first, equal seats share a place."""
    raise NotImplementedError


@rule
def fault(s: GameState) -> int:
    """0, or the number of the invariant that a state breaks."""
    raise NotImplementedError


# Answers of `hoped`.
HOPE_OPEN: Final = -1
HOPE_LOST: Final = 0
HOPE_FULFILLED: Final = 1


@rule
def hoped(s: GameState, start: GameState, seat: int, hope: int) -> int:
    """Whether a hope that a seat had at the start is fulfilled, lost or still open.

    Asked at the start itself and after every action, until it is no longer open.  A game that names
    no hopes is never asked, and need not bind this.
    """
    return HOPE_LOST


@rule
def choose(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """The action that a bot chooses in a view."""
    raise NotImplementedError


@rule
def appraise(s: GameState, seat: int, features: list[float]) -> int:
    """Fill in what speaks for a seat (or against it) in a position; how many features there are.

    0 where a position is not one to be judged, for all seats alike: then play goes on until one
    is.  What each feature weighs is data (see `archipel.bots.appraisal`).  A game that knows
    nothing of the kind need not bind this.
    """
    return 0


@rule
def glance(s: GameState) -> int:
    """What `describe` wants to know about a position once for all actions, in one number."""
    return 0


@rule
def describe(s: GameState, seen: int, action: int) -> int:
    """The traits of an action in a position, several numbers in one (see `archipel.bots.quick`),
    by what `glance` saw there.  A game that has no quick bot need not bind these.
    """
    return 0


@rule
def observe(s: GameState, seat: int, out: list[F32]) -> None:
    """Write a seat's view as numbers (see `archipel.rules.kit.observing`)."""
    raise NotImplementedError


@rule
def follow(s: GameState, course: list[int], lost: list[int]) -> None:
    """Note how a game goes on, once it is set up and after every action: into ``course`` (see
    `archipel.rules.course`), and into ``lost`` one more for each place where somebody was lost.

    A game that does not tell its course need not bind this.
    """


@rule
def figure(s: GameState, course: list[int], seat: int, which: int) -> int:
    """When the game is over, a figure of a seat by its number; or of the whole game
    (`WHOLE_GAME`), and then number 0 is why it ended."""
    return 0
