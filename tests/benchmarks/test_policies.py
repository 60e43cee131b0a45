"""Benchmark of bots that do not search: equal positions and choices in every run."""

from __future__ import annotations

from archipel.bots import roster_of
from benchmarks.policies import GATHERED, NOBODY, Positions, program_of


def test_bots_choose_in_positions_with_several_actions() -> None:
    definition, count = roster_of("deep-sea").definition, 40
    first, again = (
        Positions("deep-sea", 2, program_of("deep-sea").interpreted(), count) for _ in range(2)
    )
    for s in first.states[GATHERED:]:
        assert len(definition.legal_actions(s)) > 1
    greedy, random = (roster_of("deep-sea").named(name).index for name in ("greedy", "random"))
    assert first.ask(greedy) == first.ask(greedy) == again.ask(greedy)
    assert len({first.ask(NOBODY), first.ask(greedy), first.ask(random)}) == 3
    before = [str(s) for s in first.states[GATHERED:]]
    first.step()
    assert [str(s) for s in first.states[GATHERED:]] == before, "steps are made in a copy"
