"""Rules, rollouts and search give equal results in WebAssembly, here in Node, and in plain Python.

`tests/conformance` and `tests/bots` compare plain Python with code compiled for this processor;
`tests/browser/test_engine.py` runs the same tasks in Chromium.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.machine_record import from_bytes
from tests.engine.node import bundle_loader, run_script
from tests.engine.reference import check, in_python, search
from tests.support.slow_games import slow_games

if can_compile():
    from archipel.bots.engine.engine_program import engine_program
    from archipel.bots.engine.modules import build_engine, engine_games
    from archipel.rules.kit.numba.compile_cache import default_cache
    from archipel.rules.kit.numba.compiler import RELEASE, compile_program

    GAMES = engine_games()
else:
    GAMES = ()

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba makes the modules")

SCRIPT = Path(__file__).with_name("run_lockstep.mjs")
every_game = pytest.mark.parametrize("game", GAMES)
some_games = pytest.mark.parametrize("game", slow_games(GAMES))


@pytest.fixture(scope="module")
def loader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bundle_loader(tmp_path_factory.mktemp("loader"))


def run(game: str, loader: Path, folder: Path, task: dict[str, Any]) -> Any:
    module = folder / "engine.wasm"
    module.write_bytes(build_engine(game))
    return run_script(SCRIPT, loader, module, task)


@every_game
def test_every_engine_can_be_built(game: str) -> None:
    """The whole engine is in the subset of Python that can be translated."""
    engine_program(game).check()


@some_games
def test_node_and_python_give_equal_results(game: str, loader: Path, tmp_path: Path) -> None:
    task, expected = in_python(game)
    check(run(game, loader, tmp_path, task), expected)


@pytest.mark.soak
@every_game
def test_node_and_compiled_code_give_equal_results_with_large_budgets(
    game: str, loader: Path, tmp_path: Path
) -> None:
    program = engine_program(game)
    native = compile_program(program, RELEASE, default_cache())
    task, _ = in_python(game)
    searches = [{**each, "simulations": 600, "piece": 97} for each in task["searches"]]
    answer = run(game, loader, tmp_path, {"games": [], "searches": searches, "playouts": []})
    assert answer["searches"] == [
        search(game, native, each, from_bytes(program.state, bytes.fromhex(each["view"])))
        for each in searches
    ]


@some_games
def test_a_module_is_small(game: str) -> None:
    assert len(gzip.compress(build_engine(game), 9)) <= 60_000


def test_a_view_of_the_wrong_size_is_refused(loader: Path, tmp_path: Path) -> None:
    wrong = {"view": "00", "seats": 2, "simulations": 1, "seed": "1", "piece": 1}
    with pytest.raises(AssertionError, match=r"a position has .* bytes, not 1"):
        run("deep-sea", loader, tmp_path, {"games": [], "searches": [wrong], "playouts": []})
