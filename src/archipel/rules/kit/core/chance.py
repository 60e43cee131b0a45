"""Chance is an argument: rules call ``draw(chance, n)`` and never own a generator.

`Stream` is the counter-based generator of search and simulation: equal keys give equal numbers on
any machine, interpreted or compiled.  `Tape` records, replays or scripts the outcomes of a game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from archipel.rules.kit.core.decorators import U64, rule, rule_compiled_as
from archipel.rules.kit.core.fields import scalar, state
from archipel.rules.sentence import ToldError

MASK64 = 0xFFFF_FFFF_FFFF_FFFF
GOLDEN = 0x9E37_79B9_7F4A_7C15
MIX_FIRST = 0xBF58_476D_1CE4_E5B9
MIX_SECOND = 0x94D0_49BB_1331_11EB


class ChanceError(ToldError):
    """A scripted or replayed outcome does not fit the draws of the rules."""


class Chance(Protocol):
    """A source of outcomes."""

    def draw(self, n: int, /) -> int:
        """Return one of 0 to n-1."""
        ...


class PurposefulChance(Chance, Protocol):
    """A source that numbers its draws by what they are for, as at the tables of a duplicate."""

    def draw_for(self, purpose: int, n: int, /) -> int:
        """Return one of 0 to n-1, the next outcome for this purpose."""
        ...


@rule
def mix_machine_word(word: U64) -> U64:
    """`mix` in compiled code: the masks make the shifts of signed machine words logical."""
    word = ((word ^ (word >> 30 & 0x3_FFFF_FFFF)) * MIX_FIRST) & MASK64
    word = ((word ^ (word >> 27 & 0x1F_FFFF_FFFF)) * MIX_SECOND) & MASK64
    return word ^ (word >> 31 & 0x1_FFFF_FFFF)


@rule_compiled_as(mix_machine_word)
def mix(word: U64) -> U64:
    """The finalizer of splitmix64, a bijection of 64-bit words."""
    word = (word ^ word >> 30) * MIX_FIRST & MASK64
    word = (word ^ word >> 27) * MIX_SECOND & MASK64
    return word ^ word >> 31


@rule
def stream_key(seed: U64, index: U64) -> U64:
    """Return the key of stream ``index`` of a seed; adjacent streams are independent."""
    return mix(mix((seed + GOLDEN) & MASK64) ^ mix((index ^ MIX_FIRST) & MASK64))


@state
@dataclass(slots=True)
class Stream:
    """A counter-based generator: draw k depends on the key and k alone; its bias is n / 2**32."""

    key: int = scalar("u8")
    counter: int = scalar("u8")

    def draw(self, n: int, /) -> int:
        self.counter += 1
        return (mix((self.key + self.counter * GOLDEN) & MASK64) >> 32) * n >> 32


@rule
def draw_from_stream(stream: Stream, n: int) -> int:
    """`Stream.draw` in compiled code."""
    stream.counter += 1
    word = mix((stream.key + stream.counter * GOLDEN) & MASK64)
    return ((word >> 32 & 0xFFFF_FFFF) * n) >> 32


@rule_compiled_as(draw_from_stream)
def draw(chance: Chance, n: int) -> int:
    """Return one of 0 to n-1, each equally likely."""
    return chance.draw(n)


@rule
def draw_from_stream_for(stream: Stream, purpose: int, n: int) -> int:
    """`draw_for` in compiled code: search and simulation number all draws alike."""
    return draw_from_stream(stream, n)


@rule_compiled_as(draw_from_stream_for)
def draw_for(chance: Chance, purpose: int, n: int) -> int:
    """Return one of 0 to n-1, each equally likely.

    ``purpose`` says what the outcome is for, such as the die of a seat: 1 to 63, or 0 for all
    that `draw` draws.  Tables of a duplicate event number their draws by purpose, so that the
    next outcome for it is the same at all of them, whatever was drawn in between for others.
    """
    by_purpose = getattr(chance, "draw_for", None)
    return chance.draw(n) if by_purpose is None else int(by_purpose(purpose, n))


class Tape:
    """Draws the outcomes of a script, then those of a source, and records all.

    Without a source, the script must have exactly the outcomes that the rules draw: see `finish`.
    """

    def __init__(self, script: Iterable[int] = (), source: Chance | None = None) -> None:
        self._script = list(script)
        self._source = source
        self.outcomes: list[int] = []
        #: What each outcome was drawn for (see `draw_for`).
        self.purposes: list[int] = []

    def __repr__(self) -> str:
        return f"Tape(outcomes={self.outcomes}, scripted={self._script})"

    def draw(self, n: int, /) -> int:
        return self.draw_for(0, n)

    def draw_for(self, purpose: int, n: int, /) -> int:
        if len(self.outcomes) < len(self._script):
            outcome = self._script[len(self.outcomes)]
            if not 0 <= outcome < n:
                raise ChanceError(
                    "outcome {outcome} is not one of 0 to {last}", outcome=outcome, last=n - 1
                )
        elif self._source is not None:
            outcome = draw_for(self._source, purpose, n)
        else:
            raise ChanceError(
                "chance is asked for outcome {number}, but the script ends after {given}",
                number=len(self.outcomes) + 1,
                given=len(self._script),
            )
        self.outcomes.append(outcome)
        self.purposes.append(purpose)
        return outcome

    def finish(self) -> None:
        """Raise `ChanceError` if outcomes of the script are left."""
        if len(self.outcomes) < len(self._script):
            raise ChanceError(
                "{given} outcomes are given, but chance was asked only {asked} times",
                given=len(self._script),
                asked=len(self.outcomes),
            )
