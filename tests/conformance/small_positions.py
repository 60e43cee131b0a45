"""A position of each game with few possible worlds, all of which are listed.

Game packages have theirs as ``SMALL_POSITION`` in their module ``conformance``.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from fractions import Fraction

from archipel.rules.small_position import SmallPosition


def _deep_sea_worlds(view: str) -> dict[str, Fraction]:
    """Fill the question marks of each level with its missing values, in every order."""
    missing: dict[str, list[int]] = {}
    for level, letter in enumerate("abcd"):
        values = Counter([level * 4 + value // 2 for value in range(8)])
        for number in range(1, 9):
            if f"{letter}{number}:" in view:
                values[int(view.split(f"{letter}{number}:")[1][:2].rstrip(",] +"))] -= 1
        missing[letter] = sorted(values.elements())
    unknown = {
        letter: [f"{letter}{n}" for n in range(1, 9) if f"{letter}{n}?" in view]
        for letter in "abcd"
    }
    orders = [list(itertools.permutations(missing[letter])) for letter in "abcd"]
    worlds: Counter[str] = Counter()
    for chosen in itertools.product(*orders):
        text = view
        for letter, values_in_order in zip("abcd", chosen, strict=True):
            for chip, value in zip(unknown[letter], values_in_order, strict=True):
                text = text.replace(f"{chip}?", f"{chip}:{value}")
        worlds[text] += 1
    return {text: Fraction(count, worlds.total()) for text, count in worlds.items()}


def _atlantis_worlds(view: str) -> dict[str, Fraction]:
    """Fill the question marks of each terrain with its missing symbols, in every order."""
    box = {
        "mountain": "monster shark octopus dolphin whirlpool whirlpool whirlpool",
        "hill": "monster monster shark octopus octopus dolphin boat boat boat boat "
        "whirlpool whirlpool",
    }
    mountains = ("f6", "f7", "g5", "g6", "g7", "h6", "h7")
    hills = ("e5", "e6", "e7", "f5", "f8", "g4", "g8", "h5", "h8", "i5", "i6", "i7")
    orders = []
    for terrain, spaces in (("mountain", mountains), ("hill", hills)):
        missing = Counter(box[terrain].split())
        for space in spaces:
            if f"{space}:" in view:
                missing[view.split(f"{space}:")[1].split(",")[0].split()[0]] -= 1
        unknown = [space for space in spaces if f"{space}?" in view]
        orders.append(
            [
                list(zip(unknown, order, strict=True))
                for order in itertools.permutations(missing.elements())
            ]
        )
    worlds: Counter[str] = Counter()
    for first, second in itertools.product(*orders):
        text = view
        for space, symbol in [*first, *second]:
            text = text.replace(f"{space}?", f"{space}:{symbol}")
        worlds[text] += 1
    return {text: Fraction(count, worlds.total()) for text, count in worlds.items()}


def _atlantis_position() -> str:
    """A position in which two hills and four mountains are left."""
    sunk = (
        "d4:monster,d5:monster,d6:monster,d7:shark,e4:shark,e8:shark,f4:shark,f9:octopus,"
        "g3:octopus,g9:octopus,h4:dolphin,h9:dolphin,i4:dolphin,i8:dolphin,j4:boat,j5:boat,"
        "j6:boat,j7:boat,e5:monster,e6:monster,e7:octopus,f5:octopus,f8:dolphin,g4:boat,g8:boat,"
        "h5:boat,h8:whirlpool,i5:whirlpool,f6:whirlpool,g5:monster,h7:whirlpool"
    )
    land = "i6:shark,i7:boat,f7:shark,g6:whirlpool,g7:octopus,h6:dolphin"
    return (
        f"seats=2 phase=sink turn=1 land={land} sunk={sunk} red=g6,g6,boat1 blue=i7,i7,a3 boats=c3"
    )


_ISLAND_BACKS = {
    "b": "shark*3 whale*3 boat*1 dolphin*3 wind*2 move_serpent*1 move_shark*1 move_whale*1 "
    "repel_shark*1",
    "f": "shark*2 whale*2 boat*3 whirlpool*2 dolphin*1 move_serpent*1 move_shark*1 move_whale*1 "
    "repel_shark*1 repel_whale*2",
    "m": "shark*1 whirlpool*4 volcano*1 repel_shark*1 repel_whale*1",
}
_ISLAND_GREEN = {"shark", "whale", "boat", "whirlpool", "volcano"}


def _island_worlds(view: str) -> dict[str, Fraction]:
    """Give the unknown tiles of each terrain their missing backs, in every order without a green
    back in a hand."""
    orders = []
    for terrain, backs in _ISLAND_BACKS.items():
        missing = Counter[str]()
        for back in backs.split():
            symbol, _, count = back.partition("*")
            missing[symbol] = int(count) - len(re.findall(rf"\d{terrain}:{symbol}\b", view))
        unknown = re.findall(rf"[a-m]\d+{terrain}\?", view)
        hidden = [tile for word in re.findall(r"hand\d=(\S+)", view) for tile in word.split(",")]
        orders.append(
            [
                dict(zip(unknown, order, strict=True))
                for order in itertools.permutations(sorted(missing.elements()))
                if not any(
                    tile in hidden and symbol in _ISLAND_GREEN
                    for tile, symbol in zip(unknown, order, strict=True)
                )
            ]
        )
    worlds: Counter[str] = Counter()
    for chosen in itertools.product(*orders):
        text = view
        for found in chosen:
            for tile, symbol in found.items():
                text = text.replace(tile, f"{tile[:-1]}:{symbol}")
        worlds[text] += 1
    return {text: Fraction(count, worlds.total()) for text, count in worlds.items()}


# The thirty cards of Mauna Kea, in the order in which hands are written.
_MAUNA_KEA_ACTIONS = ("jungle", "lake", "mountain", "earthquake", "helicopter")
_MAUNA_KEA_CARDS = (
    *(card for card in _MAUNA_KEA_ACTIONS for _ in range(3)),
    *("3white", "2white", "4white", "2grey", "1white-1grey", "2white-1grey", "1black"),
    *("2explorers", "2explorers", "no-penalty", "no-penalty"),
    *("green-boat", "brown-boat", "orange-boat", "turquoise-boat"),
)


def _mauna_kea_worlds(view: str) -> dict[str, Fraction]:
    """Choose three of the unseen cards: one is held, two were rejected."""
    words = dict(word.split("=", 1) for word in view.split())
    unseen = list(_MAUNA_KEA_CARDS)
    for word in ("cards1", "rejected1", "played"):
        for card in words[word].split(","):
            unseen.remove(card)
    worlds: Counter[str] = Counter()
    for held, *rejected in itertools.permutations(unseen, 3):
        rejected.sort(key=_MAUNA_KEA_CARDS.index)
        text = view.replace("cards2=?", f"cards2={held}")
        worlds[text.replace("rejected2=?,?", f"rejected2={','.join(rejected)}")] += 1
    return {text: Fraction(count, worlds.total()) for text, count in worlds.items()}


SMALL_POSITIONS: dict[str, SmallPosition] = {
    # Seat 1 is home with a2 and knows it; six chips of two levels are unknown to it.
    "deep-sea": SmallPosition(
        "seats=2 round=2 air=9 turn=2 phase=throw starter=1 idle=0 "
        "line=o,a1:0,a3:1,c1:8,o,c4:10 diver1=home[a2:0] diver2=3>[c2:8,c3:9] "
        "treasure1=a4:1,a5:2,a6:2,a7:3,a8:3,b1:4,b2:4,b3:5,b4:5,b5:6,b6:6,b7:7,b8:7 "
        "treasure2=c5:9,c6:10,c7:11,c8:11,d1:12,d2:12,d3:13,d4:13,d5:14,d6:14,d7:15,d8:15",
        0,
        _deep_sea_worlds,
    ),
    # Hills and mountains are unknown: two of the first and four of the second are left.
    "atlantis": SmallPosition(_atlantis_position(), 0, _atlantis_worlds),
    # Seat 1 does not know a tile of each terrain in the other hand, nor the rest of the island.
    "the-island": SmallPosition(
        "seats=2 all_equal=on phase=remove white=d5,a1 yellow=a2 serpents=- "
        "hand1=i4f:repel_whale hand2=d4m:repel_whale,e4b:dolphin,e5f:dolphin "
        "land=d5m:repel_shark,d6m:volcano,d7m:whirlpool "
        "out=e6b:shark,e7b:shark,e8b:shark,f3b:whale,f4b:whale,f5b:whale,f6b:boat,f7b:dolphin,"
        "f8b:dolphin,f9b:wind,f10b:wind,g3b:move_serpent,g4b:move_shark,g5b:move_whale,"
        "g7b:repel_shark,g8f:shark,g9f:shark,h3f:whale,h4f:whale,h5f:boat,h6f:boat,h7f:boat,"
        "h8f:whirlpool,h9f:whirlpool,h10f:move_serpent,i5f:move_shark,i6f:move_whale,"
        "i7f:repel_shark,i8f:repel_whale,j4m:shark,j5m:whirlpool,j6m:whirlpool,j7m:whirlpool",
        0,
        _island_worlds,
    ),
    # Seat 2 has played three of its cards; seat 1 sees neither its last one nor its rejected cards.
    "mauna-kea": SmallPosition(
        "seats=2 expert=on turn=2 explorers1=e4nw,e4ne explorers2=e6nw "
        "cards1=jungle,lake,3white,no-penalty rejected1=lake,2white "
        "cards2=green-boat rejected2=mountain,mountain played=jungle,earthquake,earthquake",
        0,
        _mauna_kea_worlds,
    ),
}
