"""Inputs and scores of the evaluation net are equal in Python, in compiled code and in Node."""

from __future__ import annotations

import struct
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from archipel.bots.contract import evaluation_of
from archipel.bots.search.config import SearchConfig
from archipel.bots.search.search_state import MOST_FEATURES, SearchState
from archipel.rules.all_games import game_named
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import clone
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.machine_record import record_layout, to_bytes
from tests.bots.positions import decisions
from tests.engine.net_program import PROGRAM
from tests.engine.node import bundle_loader, run_script

if can_compile():
    from archipel.rules.kit.numba.compile_cache import default_cache
    from archipel.rules.kit.numba.compiler import CHECKED, compile_program
    from archipel.rules.kit.wasm.build import web_module

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba makes the modules")

CALLS = Path(__file__).with_name("call_rules.mjs")


def settings_for(seats: int) -> SearchState:
    t = SearchState(seats=seats)
    SearchConfig(1, evaluation="net_1").write(
        [t], lambda bot: 0, evaluation_of("deep-sea", "net_1", seats)
    )
    return t


def positions() -> list[State]:
    return [s for s, _ in islice(decisions(game_named("deep-sea"), 9), 0, 400, 10)]


def by_backend(backend: Any) -> list[tuple[list[float], float]]:
    """The inputs and the score of every seat in every position."""
    found = []
    features = backend.fractions(MOST_FEATURES)
    states = backend.states(1)
    for s in positions():
        t = backend.records(SearchState, 1)
        SearchConfig(1, evaluation="net_1").write(
            t, lambda bot: 0, evaluation_of("deep-sea", "net_1", s.seats)
        )
        backend.write(states, 0, s)
        for seat in range(s.seats):
            known = backend.net_inputs(states[0], seat, features)
            score = backend.net_score(t[0], features, known)
            found.append(([float(each) for each in features[:known]], float(score)))
    return found


def test_compiled_code_gives_the_same_bits() -> None:
    machine = by_backend(compile_program(PROGRAM, CHECKED, default_cache()))
    expected = by_backend(PROGRAM.interpreted())
    assert len({score for _, score in expected}) > 50
    assert machine == expected


def test_node_gives_the_same_bits(tmp_path: Path) -> None:
    module = tmp_path / "net.wasm"
    module.write_bytes(web_module(PROGRAM, "tests.engine.net_program:PROGRAM"))
    size, whole = record_layout(State).size, record_layout(SearchState).size
    things: dict[str, Any] = {"features": {"size": 8, "shape": [MOST_FEATURES], "bytes": ""}}
    calls: list[list[Any]] = []
    for number, s in enumerate(positions()):
        # The numbers of seats share one record of settings each.
        settings = f"settings{s.seats}"
        if settings not in things:
            data = to_bytes(settings_for(s.seats)).hex()
            things[settings] = {"size": whole, "shape": [1], "bytes": data}
        things[f"s{number}"] = {"size": size, "shape": [1], "bytes": to_bytes(clone(s)).hex()}
        for seat in range(s.seats):
            calls.append(["net_inputs", f"*s{number}", seat, "features"])
            calls.append(["net_score", f"*{settings}", "features", 64])
    task = {"things": things, "calls": calls}
    answer = run_script(CALLS, bundle_loader(tmp_path), module, task)
    expected = by_backend(PROGRAM.interpreted())
    assert [int(count) for count in answer["results"][::2]] == [64] * len(expected)
    assert answer["results"][1::2] == [score for _, score in expected]
    last = bytes.fromhex(answer["things"]["features"])[: 8 * 64]
    assert list(struct.unpack("<64d", last)) == expected[-1][0]
