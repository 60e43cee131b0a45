"""Random mutations of valid board files."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

_ODD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 3, 4, 5, 7, 27, 10**30, 1.5, "", "NW", "nw", "a1", "g2"),
    *("lost", "o", "~", "~~~p~", "M", "J", "JJLM", "é", " ", "white", "north", "F"),
    *([], {}, [[]], ["b1"], ["b1", "b1"], {"a": 1}, [{"name": "a"}]),
)


class BoardMutator:
    """Mutates a board file."""

    def __init__(self, data: Any, seed: int) -> None:
        self.data = data
        self.chooser = random.Random(seed)
        self.parts = [found for _, _, found in _places(data)]

    def mutants(self, count: int) -> Iterator[Any]:
        for _ in range(count):
            data = copy.deepcopy(self.data)
            for _ in range(self.chooser.choice((1, 1, 1, 2, 3))):
                self._mutate(data)
            yield data

    def _mutate(self, data: Any) -> None:
        places = list(_places(data))
        if not places:
            return
        holder, key, value = self.chooser.choice(places)
        match self.chooser.randrange(8):
            case 0:
                del holder[key]
            case 1 | 2:
                holder[key] = copy.deepcopy(self.chooser.choice(_ODD))
            case 3:
                holder[key] = copy.deepcopy(self.chooser.choice(self.parts))
            case 4 if isinstance(value, int):
                holder[key] = value + self.chooser.choice((-1, 1))
            case 5 if isinstance(value, str) and value:
                at = self.chooser.randrange(len(value))
                holder[key] = value[:at] + self.chooser.choice("~phmMJLSEV.oa1nN") + value[at + 1 :]
            case 6 if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(value))
            case _:
                self._swap(places, holder, key)

    def _swap(self, places: list[tuple[Any, Any, Any]], holder: Any, key: Any) -> None:
        """Swap with a value of the same list or object, which often keeps the file valid."""
        others = [there for there in places if there[0] is holder]
        _, other, _ = self.chooser.choice(others)
        holder[key], holder[other] = holder[other], holder[key]


def _places(data: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield every value in some data, with its container and key."""
    entries = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in list(entries):
        yield data, key, value
        yield from _places(value)
