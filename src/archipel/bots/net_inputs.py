"""Inputs of an evaluation net, declared as named rules: the declaration generates one rule.

A game declares *slots* (which seats matter to a seat, such as itself and its strongest rival),
*quantities* that several inputs use, inputs of a slot and inputs of the position. The generated
rule computes every quantity once per slot. A parameter of a rule is found by its name: ``s``,
``seat``, ``who`` (the seat of the slot), or a quantity. An input of the position gets a slot's
quantity by ``<slot>_<quantity>``. Inputs of an empty slot are 0.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from archipel.bots.search.search_state import MOST_FEATURES
from archipel.rules.kit.core.decorators import AnyRule, rule_from_source
from archipel.rules.kit.core.lowering import function_of


@dataclass(frozen=True)
class NetInputs:
    """The declared inputs of a game's net."""

    state: type[Any]
    #: Rules ``(s, seat)`` that return the seat of each slot, or -1, by the slot's name.
    slots: dict[str, AnyRule]
    quantities: Sequence[AnyRule]
    of_slot: Sequence[AnyRule]
    of_position: Sequence[AnyRule]
    names: tuple[str, ...] = field(init=False)
    """The inputs in the order of the net's first layer."""

    def __post_init__(self) -> None:
        names = [f"{slot}: {_name(each)}" for slot in self.slots for each in self.of_slot]
        names += [_name(each) for each in self.of_position]
        if len(names) > MOST_FEATURES:
            raise ValueError(f"{len(names)} inputs: there is room for {MOST_FEATURES}")
        object.__setattr__(self, "names", tuple(names))

    def make_rule(self) -> AnyRule:
        """Generate the rule that fills in the inputs of a seat and returns their number."""
        source = "\n".join(self._lines())
        rules = [*self.slots.values(), *self.quantities, *self.of_slot, *self.of_position]
        scope: dict[str, Any] = {
            "State": self.state,
            **{f"rule_{_name(each)}": each for each in rules},
        }
        file = inspect.getfile(function_of(self.of_position[0]))
        return rule_from_source("net_inputs", source, scope, file, f"{self.state.__module__}.net")

    def table(self) -> str:
        """Return the inputs as a Markdown table, from their docstrings."""
        lines = ["| input | of | meaning |", "| --- | --- | --- |"]
        slots = ", ".join(self.slots)
        for rules, of in ((self.of_slot, slots), (self.of_position, "position")):
            for each in rules:
                lines.append(f"| `{_name(each)}` | {of} | {inspect.getdoc(each)} |")
        return "\n".join(lines)

    def _lines(self) -> Iterator[str]:
        yield "def net_inputs(s: State, seat: int, features: list[float]) -> int:"
        place = 0
        for slot, which in self.slots.items():
            yield f"    {slot} = rule_{_name(which)}(s, seat)"
            for quantity in self.quantities:
                yield f"    {slot}_{_name(quantity)} = 0"
            yield f"    if {slot} >= 0:"
            for quantity in self.quantities:
                yield f"        {slot}_{_name(quantity)} = {self._call(quantity, slot)}"
            for number, each in enumerate(self.of_slot):
                yield f"        features[{place + number}] = {self._call(each, slot)}"
            yield "    else:"
            yield f"        for place in range({place}, {place + len(self.of_slot)}):"
            yield "            features[place] = 0.0"
            place += len(self.of_slot)
        for number, each in enumerate(self.of_position):
            yield f"    features[{place + number}] = {self._call(each, '')}"
        yield f"    return {place + len(self.of_position)}"

    def _call(self, called: AnyRule, slot: str) -> str:
        known = {_name(quantity) for quantity in self.quantities}
        arguments = []
        for name in inspect.signature(called).parameters:
            if name == "who" and slot:
                name = slot
            elif name in known and slot:
                name = f"{slot}_{name}"
            arguments.append(name)
        return f"rule_{_name(called)}({', '.join(arguments)})"


def _name(called: AnyRule) -> str:
    return str(called.__name__)
