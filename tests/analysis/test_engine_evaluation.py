"""The browser's engine evaluates positions and decisions like Python, to the last bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from archipel.analysis.arithmetic import Correction
from archipel.analysis.decision_analysis import DecisionEvaluation, PairedRollouts, analysis_program
from archipel.analysis.evaluation_settings import evaluations_of
from archipel.analysis.game_analysis import timeline_of
from archipel.bots import roster_of
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.machine_record import to_bytes
from tests.analysis.endgames import first_of, last_way_home
from tests.engine.node import bundle_loader, run_script

if can_compile():
    from archipel.bots.engine.modules import build_engine

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba makes the module")

SCRIPT = Path(__file__).with_name("evaluate.mjs")
SEED, SELECTION, WORLDS = 77, 3, 12


def test_engine_and_python_give_equal_sums(tmp_path: Path) -> None:
    game = last_way_home(3, blunder=True)
    moment = timeline_of(game).moments[first_of(game, 0)]
    roster = roster_of("deep-sea")
    evaluations = evaluations_of(roster)
    backend = analysis_program("deep-sea").interpreted()
    by_view, to_the_end = (
        PairedRollouts(roster, evaluation, 2, backend)
        for evaluation in (evaluations.decision, evaluations.position)
    )
    view = game.definition.recalled(moment.before, 0)
    actions, advice = to_the_end.begin(view, SEED)
    position = to_the_end.evaluate(moment.before, SEED, [advice], 0, WORLDS)[0]
    decision = DecisionEvaluation(0, 0, view, int(moment.move.action), SEED, False)
    decision.choose(by_view, SELECTION)
    decision.measure(by_view, WORLDS)
    found = decision.result(Correction())
    if found.gap > max(0.03, 2 * found.gap_error):
        decision.measure(by_view, 4 * WORLDS)
        found = decision.result(Correction())

    module = tmp_path / "deep-sea.wasm"
    module.write_bytes(build_engine("deep-sea"))
    answer = run_script(
        SCRIPT,
        bundle_loader(tmp_path, "analysis"),
        module,
        {
            "seats": 2,
            "seat": 0,
            "horizon": evaluations.decision.horizon,
            "seed": SEED,
            "selection": SELECTION,
            "worlds": WORLDS,
            "state": to_bytes(moment.before).hex(),
            "view": to_bytes(view).hex(),
            "played": int(moment.move.action),
        },
    )
    assert (answer["actions"], answer["advice"]) == (actions, advice)
    assert answer["position"]["shares"] == list(position.shares)
    assert answer["position"]["squares"] == list(position.squares)
    measure = answer["found"]
    assert measure["gap"] == pytest.approx(found.gap, abs=1e-12)
    assert measure["gap_error"] == pytest.approx(found.gap_error, abs=1e-12)
    assert measure["play"] == pytest.approx(found.play, abs=1e-12)
    assert measure["best"] == decision.actions[decision.best]
    assert answer["after"] is None, "the move draws dice"
