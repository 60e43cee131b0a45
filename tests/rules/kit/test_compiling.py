"""Compilation: one signature per rule, cache keys, error messages."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from archipel.rules.kit import Program, Stream
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.numba.compile_cache import CompileCache, default_cache, fingerprints
from archipel.rules.kit.numba.compiler import (
    CACHE_LINES,
    CHECKED,
    RELEASE,
    CompileError,
    compile_program,
    is_cached,
)
from tests.rules.kit import shared_rules as shared

LAGOON = Program("lagoon", shared.Lagoon, (shared.weigh, shared.launch))


@pytest.fixture
def weights() -> Iterator[list[int]]:
    saved = shared.WEIGHTS[:]
    yield shared.WEIGHTS
    shared.WEIGHTS[:] = saved


def test_a_shared_rule_compiles_for_each_games_state() -> None:
    lagoon = compile_program(Program("lagoon", shared.Lagoon, (shared.weigh,)), CHECKED)
    harbour = compile_program(Program("harbour", shared.Harbour, (shared.weigh,)), CHECKED)
    small, large = lagoon.states(1), harbour.states(1)
    lagoon.write(small, 0, shared.Lagoon([1, 2, 3]))
    harbour.write(large, 0, shared.Harbour(boats=[3, 2, 1, 0, 0]))
    assert lagoon.weigh(small[0]) == 326
    assert harbour.weigh(large[0]) == 128
    assert harbour.read(large, 0) == shared.Harbour(boats=[3, 2, 1, 0, 0])


def test_compiled_and_interpreted_streams_agree() -> None:
    compiled = compile_program(LAGOON, CHECKED)
    records, machine = compiled.states(1), compiled.stream(12345)
    plain, stream = shared.Lagoon(), Stream(12345)
    for _ in range(100):
        assert compiled.launch(records[0], machine) == shared.launch(plain, stream)
    assert compiled.read(records, 0) == plain


def test_each_rule_has_one_signature() -> None:
    compiled = compile_program(LAGOON, CHECKED)
    assert len(compiled.weigh.signatures) == 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        compiled.weigh(3.5)


def test_a_missing_field_is_named() -> None:
    desert = Program("desert", shared.Desert, (shared.weigh,))
    with pytest.raises(CompileError, match="rule weigh: Desert lacks boats"):
        compile_program(desert, CHECKED)


def test_a_bad_index_is_caught_in_tests() -> None:
    compiled = compile_program(Program("lagoon", shared.Lagoon, (shared.past_the_end,)), CHECKED)
    with pytest.raises(IndexError):
        compiled.past_the_end(compiled.states(1)[0], 3)


def test_compiled_code_is_cached(tmp_path: Path) -> None:
    assert not is_cached(LAGOON, tmp_path, CHECKED)
    compile_program(LAGOON, CHECKED, tmp_path)
    assert is_cached(LAGOON, tmp_path, CHECKED)
    compiled = compile_program(LAGOON, CHECKED, tmp_path)
    assert compiled.weigh.stats.cache_hits  # type: ignore[attr-defined]
    assert not compiled.weigh.stats.cache_misses  # type: ignore[attr-defined]


def test_two_entries_of_one_rule_are_loaded_once(tmp_path: Path) -> None:
    entries = {"price_of": shared.cheap, "cheap": shared.cheap}
    program = Program("lagoon", shared.Lagoon, entries)
    for _ in ("compiled", "loaded"):
        compiled = compile_program(program, CHECKED, tmp_path)
        assert compiled.price_of is compiled.cheap


def test_the_key_of_a_rule_depends_on_options_layout_and_tables(weights: list[int]) -> None:
    before = fingerprints(LAGOON, CHECKED)
    assert set(before) == set(LAGOON.rules())
    assert fingerprints(LAGOON, CHECKED) == before
    release = fingerprints(LAGOON, RELEASE)
    harbour = fingerprints(Program("lagoon", shared.Harbour, LAGOON.entries), CHECKED)
    assert all(release[rule] != before[rule] != harbour[rule] for rule in before)
    weights[1] = 11
    after = fingerprints(LAGOON, CHECKED)
    assert after[shared.weigh] != before[shared.weigh]


def test_arrays_do_not_share_cache_lines() -> None:
    """Threads that write to different arrays must not slow each other down."""
    backend = compile_program(LAGOON, CHECKED)
    arrays = [backend.states(1), backend.numbers(3), backend.fractions(2, 2)]
    arrays += [backend.records(shared.Log, 1), *(backend.stream(7) for _ in range(4))]
    starts = [(array.__array_interface__["data"][0], array.nbytes) for array in arrays]
    spans = [(start, start + size) for start, size in starts]
    assert all(first % CACHE_LINES == 0 for first, _ in spans)
    lines = [set(range(a // CACHE_LINES, -(-b // CACHE_LINES))) for a, b in spans]
    assert len(set.union(*lines)) == sum(map(len, lines))


def test_the_key_of_a_rule_depends_on_its_callees() -> None:
    def key(price: AnyRule) -> str:
        value_of = shared.Market(price).value_of
        return fingerprints(Program("lagoon", shared.Lagoon, (value_of,)), CHECKED)[value_of]

    assert key(shared.cheap) == key(shared.cheap) != key(shared.dear)


def test_other_records_than_the_state() -> None:
    """Float arrays and other records, interpreted and compiled."""
    program = Program("lagoon", shared.Lagoon, (shared.sound,))
    found = []
    for backend in (program.interpreted(), compile_program(program, CHECKED)):
        states, logs = backend.states(1), backend.records(shared.Log, 2)
        depths = backend.fractions(3)
        backend.write(states, 0, shared.Lagoon([1, 2, 3]))
        assert backend.sound(states[0], logs, 1, depths) == 1.25
        assert backend.sound(states[0], logs, 1, depths) == 2.5
        grid = backend.fractions(2, 3)
        found.append(
            ([float(depth) for depth in depths], [[float(x) for x in row] for row in grid])
        )
    assert found[0] == found[1] == ([0.5, 1.0, 1.5], [[0.0] * 3] * 2)


def test_the_key_of_a_rule_depends_on_its_records(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program("lagoon", shared.Lagoon, (shared.sound,))
    before = fingerprints(program, CHECKED)[shared.sound]
    monkeypatch.setattr(shared, "Log", shared.LongerLog)
    assert fingerprints(program, CHECKED)[shared.sound] != before


def test_programs_share_cached_rules(tmp_path: Path) -> None:
    compile_program(Program("lagoon", shared.Lagoon, (shared.weigh,)), CHECKED, tmp_path)
    assert not is_cached(LAGOON, tmp_path, CHECKED)
    compiled = compile_program(LAGOON, CHECKED, tmp_path)
    assert compiled.weigh.stats.cache_hits  # type: ignore[attr-defined]
    assert compiled.launch.stats.cache_misses  # type: ignore[attr-defined]


def test_two_processes_do_not_compile_the_same_rule(tmp_path: Path) -> None:
    cache = CompileCache(LAGOON, CHECKED, tmp_path)
    command = (
        "from pathlib import Path\n"
        "from archipel.rules.kit.numba.compiler import CHECKED, compile_program\n"
        "from tests.rules.kit.test_compiling import LAGOON\n"
        f"compile_program(LAGOON, CHECKED, Path({str(tmp_path)!r}))\n"
    )
    with cache.compiling(shared.weigh):
        other = subprocess.Popen([sys.executable, "-c", command])
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(timeout=4)
    assert other.wait(timeout=60) == 0
    assert is_cached(LAGOON, tmp_path, CHECKED)


def test_a_changed_table_is_not_served_from_the_cache(tmp_path: Path, weights: list[int]) -> None:
    program = Program("lagoon", shared.Lagoon, (shared.weigh,))
    compile_program(program, CHECKED, tmp_path)
    weights[2] = 1000
    compiled = compile_program(program, CHECKED, tmp_path)
    states = compiled.states(1)
    compiled.write(states, 0, shared.Lagoon([0, 0, 1]))
    assert compiled.weigh(states[0]) == 1005


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
def test_a_cache_that_others_can_write_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / fingerprints(LAGOON, CHECKED)[shared.weigh]
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match="others can write here"):
        compile_program(LAGOON, CHECKED, tmp_path)


def test_long_unused_folders_are_removed(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    long_ago = time.time() - 40 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    recent = tmp_path / "recent"
    recent.mkdir()
    compile_program(Program("lagoon", shared.Lagoon, (shared.weigh,)), CHECKED, tmp_path)
    assert not old.exists()
    assert recent.exists()


def test_the_folder_of_the_cache_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCHIPEL_CACHE", "/somewhere/else")
    assert default_cache() == Path("/somewhere/else")


def test_games_run_without_numba_and_numpy() -> None:
    """Rules, views, pictures and notation."""
    program = (
        "import sys\n"
        "sys.modules['numba'] = sys.modules['numpy'] = None\n"
        "import archipel\n"
        "game = archipel.Game.new('deep-sea', 3, seed=1)\n"
        "for decision in game:\n"
        "    game.play(decision.legal[-1])\n"
        "print(game, game.view(0).text, game.position._repr_svg_())\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
