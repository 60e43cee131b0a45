"""Small rules whose C++ is compared with Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import array, rule, scalar, state

TABLE: Final = [[3, -1, 4], [1, 5, 200]]
NO_LIMIT: Final = -1_000_000_000


@state
@dataclass(slots=True)
class Shelf:
    """A state with fields of several widths."""

    count: int = scalar("i4")
    small: int = scalar("u1")
    words: list[int] = array("u4", 4)
    grid: list[list[int]] = array("i1", 2, 3)
    secret: list[int] = array("i1", 4)


@rule
def counted(s: Shelf) -> int:
    """A rule with a side effect and a result."""
    s.count += 1
    return s.count


@rule
def in_order(s: Shelf) -> int:
    """The result shows the order of evaluation."""
    return s.count * 1000 + counted(s) * 100 + counted(s) * 10 + s.count


@rule
def two_at_once(first: int, second: int) -> int:
    return first * 10 + second


@rule
def arguments_in_order(s: Shelf) -> int:
    return two_at_once(counted(s), counted(s))


@rule
def floored(a: int, b: int) -> int:
    """Rounds down, not towards 0."""
    return (a // b) * 100 + a % b * 10 + a // 4 + a % 8


@rule
def unsigned_difference(s: Shelf, a: int) -> int:
    """Subtracts from an unsigned field."""
    return int(s.small) - a


@rule
def shifted(a: int) -> int:
    return (1 << a) + (1 << 40)


@rule
def wide_sum(s: Shelf) -> int:
    total = 0
    for place in range(len(s.words)):
        total += s.words[place]
    return total


@rule
def looked_up(row: int, column: int) -> int:
    return TABLE[row][column]


@rule
def far_below(a: int) -> int:
    """Computes with a large constant that stands for no limit."""
    best = NO_LIMIT
    if a > 5:
        best = a
    return best * 4


@rule
def steps(first: int, end: int, by: int) -> int:
    total = 0
    for number in range(first, end, by):
        if number == 7:
            continue
        if number > 90:
            break
        total = total * 3 + number
    return total


@rule
def chosen(a: int, b: int) -> int:
    low = min(a, b, 3)
    high = max(a, b)
    return (low if a in (1, 2) else high) + abs(a - b) + int(a < b <= 9)


@rule
def shown(s: Shelf, seat: int, seen: Shelf) -> None:
    """Everything but the secret."""
    seen.count = s.count
    seen.small = s.small
    for place in range(len(s.words)):
        seen.words[place] = s.words[place]
    show_grid(s, seen)
    for place in range(len(s.secret)):
        seen.secret[place] = s.secret[place] if place == seat else -1


@rule
def show_grid(s: Shelf, seen: Shelf) -> None:
    for row in range(len(s.grid)):
        for column in range(len(s.grid[row])):
            seen.grid[row][column] = s.grid[row][column]


@rule
def all_seen(s: Shelf) -> int:
    total = s.count * 7 + s.small
    for row in range(len(s.grid)):
        for column in range(len(s.grid[row])):
            total = total * 3 + s.grid[row][column]
    for place in range(len(s.secret)):
        total = total * 5 + s.secret[place]
    return total


@rule
def spoiling(s: Shelf) -> int:
    """Changes a public field."""
    s.count = 0
    return 1


@rule
def conditional_order(s: Shelf) -> int:
    """C++ leaves the order of these calls open."""
    return s.count if s.small > 0 and two_at_once(counted(s), counted(s)) > 3 else 0
