"""Programs: the rules that entries need, and methods of objects as rules."""

from __future__ import annotations

import pytest

from archipel.rules.kit import Program, Stream
from tests.rules.kit import shared_rules as shared


def test_rules_are_listed_callees_first() -> None:
    names = [r.__name__ for r in Program("lagoon", shared.Lagoon, (shared.launch,)).rules()]
    assert names == ["mix_machine_word", "draw_from_stream", "launch"]


def test_each_program_has_the_rules_of_its_own_objects() -> None:
    s = shared.Lagoon([1, 2, 3])
    for price, value in ((shared.cheap, 327), (shared.dear, 653)):
        program = Program("lagoon", shared.Lagoon, (shared.Market(price).value_of,))
        assert program.interpreted().value_of(s) == value


def test_interpreted_rules_are_the_functions_themselves() -> None:
    interpreted = Program("lagoon", shared.Lagoon, (shared.weigh,)).interpreted()
    assert interpreted.weigh is shared.weigh
    with pytest.raises(AttributeError, match="program lagoon has no entry launch"):
        interpreted.launch(shared.Lagoon(), Stream())


def test_an_interpreted_backend_allocates_arguments() -> None:
    interpreted = Program("lagoon", shared.Lagoon, (shared.launch,)).interpreted()
    states = interpreted.states(2)
    interpreted.write(states, 1, shared.Lagoon([4, 5, 6]))
    interpreted.launch(states[1], interpreted.stream(3))
    assert sum(interpreted.read(states, 1).boats) == 16
    assert interpreted.read(states, 0) == shared.Lagoon()
    assert interpreted.numbers(2) == [0, 0]
    assert interpreted.numbers(2, 1) == [[0], [0]]
