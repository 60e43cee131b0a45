"""A slow reference implementation of the rules for differential tests.

Units are lists of chip names, the line is a list of units in which an empty list is a white disc,
and places count from 1; 0 is the submarine.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.rules.deep_sea.tables import CHIPS

Unit = list[str]


@dataclass
class Diver:
    place: int = 0
    heading_home: bool = False
    is_home: bool = False
    hand: list[Unit] = field(default_factory=list)
    treasure: list[str] = field(default_factory=list)
    last_turn_idle: bool = False


@dataclass
class Reference:
    """A game for a number of divers, from set-up."""

    seats: int
    first: int
    drop_order: str
    values: dict[str, int]

    def __post_init__(self) -> None:
        self.line: list[Unit] = [[chip] for chip in CHIPS]
        self.divers = [Diver() for _ in range(self.seats)]
        self.round = 1
        self.air = 25
        self.turn = self.first
        self.phase = "throw"
        self.last_home: int | None = None
        self.starter: int | None = None
        self.pile: Unit | None = None
        self.units_on_pile = 0

    # ---- legal actions --------------------------------------------------------------------------

    def legal(self) -> list[str]:
        diver = self.divers[self.turn]
        if self.phase == "throw":
            if diver.heading_home:
                return ["swim on"]
            return ["dive", "turn back"] if diver.hand else ["dive"]
        if self.phase == "lay":
            return [f"lay {number}" for number in range(1, len(diver.hand) + 1)]
        if self.phase == "search":
            return self.searches(diver)
        return []

    def searches(self, diver: Diver) -> list[str]:
        if diver.place == 0:
            return ["nothing"]
        if self.line[diver.place - 1]:
            return ["nothing", "take"]
        if diver.heading_home and len(diver.hand) == 1:
            return ["nothing"]
        return ["nothing"] + [f"put {number}" for number in range(1, len(diver.hand) + 1)]

    # ---- applying an action ---------------------------------------------------------------------

    def play(self, action: str, dice: tuple[int, ...]) -> None:
        diver = self.divers[self.turn]
        word, _, number = action.partition(" ")
        if self.phase == "throw":
            self.throw(diver, action, dice)
        elif word == "lay":
            self.lay(diver.hand.pop(int(number) - 1))
            self.lose_units()
        else:
            if word == "take":
                diver.hand.append(self.line[diver.place - 1])
                self.line[diver.place - 1] = []
                diver.last_turn_idle = False
            if word == "put":
                self.line[diver.place - 1] = diver.hand.pop(int(number) - 1)
            self.end_turn()

    def throw(self, diver: Diver, action: str, dice: tuple[int, ...]) -> None:
        self.air = max(self.air - len(diver.hand), 0)
        before = diver.place
        diver.heading_home = diver.heading_home or action == "turn back"
        steps = max(sum(dice) - len(diver.hand), 0)
        taken = {other.place for other in self.divers if other is not diver}
        if diver.heading_home:
            free = [space for space in range(before - 1, 0, -1) if space not in taken]
            path = [*free, 0]
        else:
            path = [s for s in range(before + 1, len(self.line) + 1) if s not in taken]
        if steps and path:
            diver.place = path[min(steps, len(path)) - 1]
        if diver.place == 0 and diver.heading_home:
            diver.is_home = True
            self.last_home = self.turn
        diver.last_turn_idle = not diver.hand and diver.place == before
        if self.searches(diver) == ["nothing"]:
            self.end_turn()
        else:
            self.phase = "search"

    def end_turn(self) -> None:
        outside = [diver for diver in self.divers if not diver.is_home]
        if self.air == 0 or all(diver.last_turn_idle for diver in outside):
            self.end_round()
            return
        self.phase = "throw"
        order = [(self.turn + step) % self.seats for step in range(1, self.seats + 1)]
        self.turn = next(seat for seat in order if not self.divers[seat].is_home)

    # ---- the end of a round ---------------------------------------------------------------------

    def in_the_water(self) -> list[Diver]:
        """The divers on the line, the farthest first."""
        return sorted((d for d in self.divers if d.place > 0), key=lambda d: -d.place)

    def end_round(self) -> None:
        for diver in self.divers:
            if diver.is_home:
                diver.treasure += [chip for unit in diver.hand for chip in unit]
                diver.hand = []
        outside = self.in_the_water()
        self.starter = self.divers.index(outside[0]) if outside else self.last_home
        self.pile = None
        self.lose_units()

    def lose_units(self) -> None:
        for diver in self.in_the_water():
            if self.round < 3 and self.is_asked(diver):
                self.phase = "lay"
                self.turn = self.divers.index(diver)
                return
            for unit in diver.hand:
                self.lay(unit)
            diver.hand = []
            diver.place = 0
        self.next_round()

    def is_asked(self, diver: Diver) -> bool:
        if self.drop_order == "taken":
            return False
        if self.drop_order == "chosen":
            return len(diver.hand) > 1
        room = 3 if self.pile is None else (3 - self.units_on_pile) or 3
        kinds = {tuple(sorted(chip[0] for chip in unit)) for unit in diver.hand}
        return len(diver.hand) > room and len(kinds) > 1

    def lay(self, unit: Unit) -> None:
        if self.pile is None or self.units_on_pile == 3:
            self.pile = []
            self.units_on_pile = 0
            self.line.append(self.pile)
        self.pile += unit
        self.units_on_pile += 1

    def next_round(self) -> None:
        if self.round == 3:
            self.phase = "over"
            return
        self.line = [unit for unit in self.line if unit]
        if not self.line:
            self.phase = "over"
            return
        self.round += 1
        self.air = 25
        self.divers = [Diver(treasure=diver.treasure) for diver in self.divers]
        assert self.starter is not None
        self.turn = self.starter
        self.phase = "throw"
        self.last_home = None

    # ---- comparison with the engine -------------------------------------------------------------

    def words(self) -> dict[str, str]:
        """The fields of the position text that locate every piece."""
        words = {
            "round": str(self.round),
            "air": str(self.air),
            "phase": self.phase,
            "line": ",".join(map(self.unit, self.line)) or "-",
        }
        if self.phase != "over":
            words["turn"] = str(self.turn + 1)
        for seat, diver in enumerate(self.divers, 1):
            words[f"diver{seat}"] = self.diver(diver)
            words[f"treasure{seat}"] = ",".join(map(self.chip, sorted(diver.treasure))) or "-"
        return words

    def diver(self, diver: Diver) -> str:
        hand = f"[{','.join(map(self.unit, diver.hand))}]" if diver.hand else ""
        if diver.is_home:
            return f"home{hand}"
        return f"{diver.place or 'sub'}{'<' if diver.heading_home else '>'}{hand}"

    def unit(self, unit: Unit) -> str:
        return "+".join(map(self.chip, sorted(unit))) or "o"

    def chip(self, chip: str) -> str:
        return f"{chip}:{self.values[chip]}"

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(self.values[chip] for chip in d.treasure) for d in self.divers)

    def ranks(self) -> tuple[int, ...]:
        def strength(diver: Diver) -> tuple[int, ...]:
            points = sum(self.values[chip] for chip in diver.treasure)
            return (points, *(sum(chip[0] == level for chip in diver.treasure) for level in "dcba"))

        strengths = [strength(diver) for diver in self.divers]
        return tuple(sum(other > mine for other in strengths) for mine in strengths)
