"""Dotted names and ``match`` mean the same in Python, in machine code and in C++."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Final, Generic, Protocol, TypeVar

import pytest

from archipel.rules.kit import Program, SubsetError, array, rule, scalar, state
from archipel.rules.kit.core.lowering import lowered
from archipel.rules.kit.cuda.c_types import I32
from archipel.rules.kit.cuda.cplusplus import Translation
from archipel.rules.kit.numba.compile_cache import fingerprints
from archipel.rules.kit.numba.compiler import CHECKED, compile_program
from tests.support.cplusplus import WATCHED, compiled_here, needs_compiler


class Phase:
    PLAN: Final = 0
    MOVE: Final = 3
    OVER: Final = -1
    PRICES: Final = [5, 50]


class Colour(IntEnum):
    RED = 2


@rule
def twice(number: int) -> int:
    return 2 * number


@rule
def priced(phase: int, steps: int) -> int:
    """Uses a constant, a table, an enumeration and a number made of constants."""
    if phase == Phase.MOVE:
        return Phase.PRICES[steps] * (Phase.MOVE + 1)
    return Colour.RED + Phase.OVER


@rule
def matched(phase: int, steps: int) -> int:
    match twice(phase):
        case 6 if steps > 1:
            return 60
        case Phase.PLAN | 6:
            steps += 10
        case _:
            match steps:
                case Phase.OVER:
                    steps = 100
                case Phase.MOVE:
                    steps = 300
    return steps


CASES = [(phase, steps) for phase in (-1, 0, 2, 3) for steps in (0, 1)]
MATCHED = [*CASES, (3, 2), (2, 3), (2, -1)]


@state
@dataclass(slots=True)
class Pond:
    seats: int = scalar("i1", 2)
    fish: list[int] = array("i1", 2)


@needs_compiler
def test_namespaced_constants_and_match_agree_everywhere(tmp_path: Path) -> None:
    assert [priced(*case) for case in CASES] == [1, 1, 1, 1, 1, 1, 20, 200]
    assert [matched(*case) for case in MATCHED] == [0, 1, 10, 11, 0, 1, 10, 11, 60, 300, 100]
    program = Program("pond", Pond, (priced, matched))
    compiled = compile_program(program, CHECKED)
    made = Translation(program)
    calls = [
        f'extern "C" int64_t {entry.__name__}(int32_t a, int32_t b) '
        f"{{ return {made.entry(entry, (I32, I32)).name}(a, b); }}"
        for entry in program.entries.values()
    ]
    library = compiled_here("\n".join([made.head(), made.source(), *calls]), tmp_path, *WATCHED)
    for entry, cases in ((priced, CASES), (matched, MATCHED)):
        translated = library[entry.__name__]
        translated.restype = ctypes.c_int64
        for case in cases:
            assert entry(*case) == getattr(compiled, entry.__name__)(*case) == translated(*case)


def test_a_changed_constant_changes_the_cache_key() -> None:
    class Other:
        MOVE: Final = 4

    def keyed(namespace: type) -> str:
        function = FunctionType(priced.__code__, {**priced.__globals__, "Phase": namespace})
        function.__annotations__ = priced.__annotations__
        program = Program("pond", Pond, (rule(function),))
        return fingerprints(program, CHECKED)[function]

    Other.OVER, Other.PRICES = Phase.OVER, Phase.PRICES  # type: ignore[attr-defined]
    assert keyed(Phase) == keyed(Phase) != keyed(Other)


def test_constants_fold_and_lines_stay() -> None:
    code = lowered(priced).code
    assert "Phase" not in code.co_names
    assert (code.co_filename, code.co_name) == (__file__, "priced")
    lines = {line for _, _, line in code.co_lines()}
    assert lines <= {line for _, _, line in priced.__code__.co_lines()}


# ---- methods ------------------------------------------------------------------------------------


class HasFish(Protocol):
    seats: int
    fish: list[int]


S = TypeVar("S", bound=HasFish)


@dataclass(frozen=True)
class PondGame(ABC, Generic[S]):
    """A shared game: data, and steps that a game overrides."""

    bait: int
    weights: tuple[int, ...]

    @rule
    def weigh(self, s: S) -> int:
        total = self.bait
        for kind in range(len(self.weights)):
            total += s.fish[kind] * self.price(s, kind)
        return total

    @rule
    def price(self, s: S, kind: int) -> int:
        return self.weights[kind]

    @abstractmethod
    def catch(self, s: S, kind: int) -> None: ...


class SmallPond(PondGame[Pond]):
    @rule
    def catch(self, s: Pond, kind: int) -> None:
        s.fish[kind] += 1


class DearPond(SmallPond):
    @rule
    def price(self, s: Pond, kind: int) -> int:
        return 2 * self.weights[kind] + s.seats


@dataclass(frozen=True)
class Angler:
    """A kernel that serves any game."""

    game: PondGame[Pond]

    @rule
    def fish(self, s: Pond, times: int) -> int:
        for number in range(times):
            self.game.catch(s, number % 2)
        return self.game.weigh(s)


@pytest.mark.parametrize(
    ("game", "weight"), [(SmallPond(1, (3, 5)), 20), (DearPond(1, (3, 5)), 49)], ids=str
)
def test_the_methods_of_an_object_are_rules(game: PondGame[Pond], weight: int) -> None:
    program = Program("pond", Pond, (Angler(game).fish, game.weigh))
    for backend in (program.interpreted(), compile_program(program, CHECKED)):
        states = backend.states(1)
        backend.write(states, 0, Pond(2, [1, 1]))
        assert backend.fish(states[0], 3) == weight
        assert backend.read(states, 0).fish == [3, 2]


class Unfinished(SmallPond):
    @rule
    def price(self, s: Pond, kind: int) -> int:
        return self.missing  # type: ignore[attr-defined, no-any-return]


def test_a_missing_attribute_is_named() -> None:
    with pytest.raises(SubsetError, match=r"rule price: there is no self\.missing"):
        Program("pond", Pond, (Unfinished(1, (3, 5)).weigh,)).check()
    with pytest.raises(TypeError, match="abstract"):
        PondGame(1, (3, 5))  # type: ignore[abstract]
