"""OpenSpiel games."""

from __future__ import annotations

import pytest

from archipel.envs.observation_spec import spec_of
from tests.envs.needed import needs_open_spiel

pytestmark = needs_open_spiel


@pytest.mark.parametrize("game", ["deep_sea(players=3)", "mauna_kea(expert=on)"])
def test_random_sim_test(game: str) -> None:
    import pyspiel

    import archipel.envs.spiel  # noqa: F401 - registers the games

    pyspiel.random_sim_test(
        pyspiel.load_game(f"archipel_{game}"), num_sims=1, serialize=True, verbose=False
    )


@pytest.mark.parametrize("game", ["the-island", "atlantis"])
def test_hexagon_games_play_thirty_decisions(game: str) -> None:
    """A shorter test: OpenSpiel's own serialises hundreds of positions."""
    import pyspiel

    from archipel.envs.spiel import spiel_name

    state = pyspiel.load_game(spiel_name(game)).new_initial_state()
    decisions = 0
    while decisions < 30:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            state.apply_action(outcomes[len(state.history()) % len(outcomes)][0])
        else:
            assert len(state.observation_tensor()) == spec_of(game).size
            copied = state.clone()
            legal = state.legal_actions()
            state.apply_action(legal[decisions % len(legal)])
            assert str(copied) != str(state), "the copy is unchanged"
            decisions += 1


def test_options_are_checked() -> None:
    import pyspiel

    import archipel.envs.spiel  # noqa: F401 - registers the games

    with pytest.raises(Exception, match="alphabetical"):
        pyspiel.load_game("archipel_deep_sea(drop_order=alphabetical)")
