"""The browser's engine evaluates positions and decisions like Python, to the last bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from archipel.analysis.arithmetic import Correction, Span
from archipel.analysis.decision_analysis import PairedRollouts, PositionRollouts, analysis_program
from archipel.analysis.evaluation_settings import Budget, evaluations_of
from archipel.analysis.game_analysis import timeline_of
from archipel.analysis.turn_analysis import TurnEvaluation
from archipel.bots import roster_of
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.machine_record import to_bytes
from tests.analysis.endgames import first_of, last_way_home
from tests.engine.node import bundle_loader, run_script

if can_compile():
    from archipel.bots.engine.modules import build_engine

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba makes the module")

SCRIPT = Path(__file__).with_name("evaluate.mjs")
SEED, SELECTION, WORLDS = 77, 3, 32


def test_engine_and_python_give_equal_sums(tmp_path: Path) -> None:
    game = last_way_home(3, blunder=True)
    timeline = timeline_of(game)
    moment = timeline.moments[first_of(game, 0)]
    action = int(moment.move.action)
    roster = roster_of("deep-sea")
    evaluations = evaluations_of(roster)
    backend = analysis_program("deep-sea").interpreted()
    by_view = PairedRollouts(roster, evaluations.decision, 2, backend)
    to_the_end = PositionRollouts(roster, evaluations.position, 2, backend)
    view = game.definition.recalled(moment.before, 0)
    span = Span(0, 1, 0)
    turn = TurnEvaluation(span, [view], [action], [moment.options], SEED)
    found = turn.evaluate(
        game.definition, by_view, Budget(SELECTION, WORLDS, WORLDS), Correction(1.1, 0.001)
    )
    assert found.loss > 0
    assert turn.better is not None

    module = tmp_path / "deep-sea.wasm"
    module.write_bytes(build_engine("deep-sea"))
    answer = run_script(
        SCRIPT,
        bundle_loader(tmp_path, "analysis/index"),
        module,
        {
            "seats": 2,
            "span": {"first": 0, "until": 1, "seat": 0},
            "horizon": evaluations.decision.horizon,
            "seed": SEED,
            "selection": SELECTION,
            "worlds": WORLDS,
            "correction": {"power": 1.1, "floor": 0.001},
            "known": to_bytes(moment.known).hex(),
            "view": to_bytes(view).hex(),
            "played": action,
            "options": moment.options,
        },
    )
    for name, opening in (("free", -1), ("chosen", action)):
        sums = to_the_end.evaluate(moment.known, SEED, WORLDS, opening)
        assert answer[name] == {"worlds": sums.worlds, "shares": sums.shares}
    assert answer["free"] != answer["chosen"]
    assert answer["found"]["loss"] == pytest.approx(found.loss, abs=1e-12)
    assert answer["found"]["error"] == pytest.approx(found.error, abs=1e-12)
    assert answer["found"]["better"] == list(turn.better.actions)
    assert answer["following"] is None, "the move draws dice"
