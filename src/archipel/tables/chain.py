"""A list that never changes and yet can grow: the log of a table, and the actions that stand.

Adding to one makes another, which shares all entries with it; so what an event costs does not
depend on how many there were before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")

#: How many entries stand together. Each time so many have come together, the list of their groups
#: is copied; and those beside an entry, where it does not go on where the longest list ends.
GROUP = 64


class Chain(Sequence[T], Generic[T]):
    """Entries in order. Taking some of the last away costs as little as adding one."""

    __slots__ = ("_count", "_groups", "_rest")

    def __init__(self, entries: Iterable[T] = ()) -> None:
        self._set((), tuple(entries))

    @classmethod
    def _of(cls, groups: tuple[tuple[T, ...], ...], rest: tuple[T, ...]) -> Chain[T]:
        made: Chain[T] = cls.__new__(cls)
        made._set(groups, rest)
        return made

    def _set(self, groups: tuple[tuple[T, ...], ...], rest: tuple[T, ...]) -> None:
        full = len(rest) - len(rest) % GROUP
        cut = tuple(rest[at : at + GROUP] for at in range(0, full, GROUP))
        self._groups = (*groups, *cut) if cut else groups
        #: So many entries of this list are ours; what comes after them is that of longer ones.
        self._rest = list(rest[full:])
        self._count = len(self._rest)

    def plus(self, entry: T) -> Chain[T]:
        rest, count = self._rest, self._count
        if len(rest) > count:  # somebody else's go on from here already
            rest = rest[:count]
        if count == GROUP - 1:
            return self._of(self._groups, (*rest, entry))
        rest.append(entry)
        made: Chain[T] = Chain.__new__(Chain)
        made._groups = self._groups
        made._rest = rest
        made._count = count + 1
        return made

    def without_last(self, count: int) -> Chain[T]:
        """Without its last ``count`` entries, of which there must be as many."""
        length = len(self) - count
        if not 0 <= length <= len(self):
            raise IndexError(f"{count} of {len(self)} entries cannot be taken away")
        groups, rest = divmod(length, GROUP)
        if groups == len(self._groups):
            return self._of(self._groups, tuple(self._rest[:rest]))
        return self._of(self._groups[:groups], self._groups[groups][:rest])

    def after(self, count: int) -> Iterator[T]:
        """All entries but the first ``count``."""
        of_the_rest = max(0, count) - len(self._groups) * GROUP
        if of_the_rest >= 0:
            return iter(self._rest[of_the_rest : self._count])
        return (self[index] for index in range(max(0, count), len(self)))

    @property
    def last(self) -> T | None:
        """The last entry, if there is any."""
        if self._count:
            return self._rest[self._count - 1]
        return self._groups[-1][-1] if self._groups else None

    def backwards(self) -> Iterator[T]:
        """All entries, the last first."""
        for at in range(self._count - 1, -1, -1):
            yield self._rest[at]
        for group in reversed(self._groups):
            yield from reversed(group)

    def __len__(self) -> int:
        return len(self._groups) * GROUP + self._count

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Chain[T]: ...
    def __getitem__(self, index: int | slice) -> T | Chain[T]:
        if isinstance(index, slice):
            return Chain(self[at] for at in range(*index.indices(len(self))))
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"there is no entry {index} of {len(self)}")
        group, place = divmod(at, GROUP)
        return self._rest[place] if group == len(self._groups) else self._groups[group][place]

    def __iter__(self) -> Iterator[T]:
        for group in self._groups:
            yield from group
        yield from self._rest[: self._count]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Chain):
            return NotImplemented
        ours, theirs = self._rest[: self._count], other._rest[: other._count]
        return self._groups == other._groups and ours == theirs

    def __hash__(self) -> int:
        return hash((self._groups, tuple(self._rest[: self._count])))

    def __repr__(self) -> str:
        return f"Chain({list(self)!r})"
