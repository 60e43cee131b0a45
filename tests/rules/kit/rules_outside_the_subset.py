"""Rules outside the subset, one per construct. Docstrings are the end of the expected message."""

from __future__ import annotations

# ruff: noqa: E731, F401, F841, UP
from typing import Any

from archipel.rules.kit.core.decorators import rule


def helper(n: int) -> int:
    return n


@rule
def comprehension(n: int) -> int:
    """a list comprehension allocates: use a loop over a field"""
    return sum([k for k in range(n)])


@rule
def generator(n: int) -> int:
    """generators do not compile: use a loop"""
    return sum(k for k in range(n))


@rule
def dictionary(n: int) -> int:
    """dictionaries allocate: use a table indexed by number"""
    return {0: 1}[n]


@rule
def set_display(n: int) -> bool:
    """sets allocate: use a bit set"""
    return n in {1, 2}


@rule
def list_display(n: int) -> int:
    """lists allocate: use a field of the state or a module-level table"""
    return [1, 2][n]


@rule
def walrus(n: int) -> int:
    """the walrus does not compile: assign on a line of its own"""
    return (m := n) + m


@rule
def exception(n: int) -> int:
    """exceptions do not compile: rules are total on legal actions"""
    raise ValueError


@rule
def text(n: int) -> str:
    """text belongs to notation and narration"""
    return f"{n}"


@rule
def inner(n: int) -> int:
    """inner functions do not compile: write a rule of its own"""

    def twice(k: int) -> int:
        return 2 * k

    return twice(n)


@rule
def anonymous(n: int) -> int:
    """inner functions do not compile: write a rule of its own"""
    k = lambda: n
    return n


@rule
def slicing(numbers: list[int]) -> int:
    """slices allocate: use a loop"""
    return len(numbers[1:])


@rule
def method(numbers: list[int]) -> int:
    """only rules and a few builtins may be called, by name"""
    return numbers.index(3)


@rule
def keyword(n: int) -> int:
    """arguments are passed by position"""
    return helper(n=n)


@rule
def defaults(n: int = 3) -> int:
    """argument lists are fixed: no *args, keywords or defaults"""
    return n


@rule
def untyped(n) -> int:  # type: ignore[no-untyped-def]
    """argument n has no type"""
    return 0


@rule
def without_result_type(n: int):  # type: ignore[no-untyped-def]
    """the result has no type"""
    return n


@rule
def importing(n: int) -> int:
    """import at the top of the module"""
    import math

    return n


@rule
def calls_a_plain_function(n: int) -> int:
    """calls helper, which is not a rule"""
    return helper(n)


@rule
def recursive(n: int) -> int:
    """calls itself: recursion is not allowed"""
    return recursive(n - 1)


REFUSED: list[Any] = [
    value
    for value in list(globals().values())
    if getattr(value, "__module__", "") == __name__ and value is not helper
]
