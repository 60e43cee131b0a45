"""``levels.toml``: inheritance, and one-line error messages."""

from __future__ import annotations

import pytest

from archipel.bots import roster_of
from archipel.bots.levels import LEVELS, LevelsFileError, with_levels

GOOD = "".join(
    f'[[level]]\nname = "{family}-1"\nsince = 2026-01-01\nsimulations = 5\n' for family in LEVELS
)


def test_a_level_inherits_the_settings_of_its_base() -> None:
    newer = '[[level]]\nname = "master-2"\nsince = 2026-01-02\nbased_on = "master-1"\ndepth = 2\n'
    old = GOOD.replace('"master-1"\n', '"master-1"\nreplaced_by = "master-2"\n')
    found = with_levels(roster_of("deep-sea"), old + newer)
    assert [level.name for level in found.levels][-1] == "master-2"
    assert [level.name for level in found.former_levels] == ["master-1"]
    assert (found.levels[-1].config.simulations, found.levels[-1].config.depth) == (5, 2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x", "Expected '=' after a key"),
        (GOOD.replace("master-1", "champion-1"), "level 'champion-1' is not named like master-1"),
        (GOOD.replace("since = 2026-01-01\n", "", 1), "level 'first-game-1' has no date 'since'"),
        (GOOD + GOOD, "level 'first-game-1' is defined twice"),
        (GOOD.replace("simulations = 5", "depth = 5", 1), "has no number of simulations"),
        (GOOD + "trust = 1.0", "level 'master-1' has a setting 'trust'; there are: simulations,"),
        (GOOD + 'depth = "2"', "level 'master-1' has depth = '2', which is no int"),
        (GOOD + "depth = true", "has depth = True, which is no int"),
        (GOOD + "rollout_prior = 1", "has rollout_prior = 1, which is no bool"),
        (GOOD + "overlook = 2.0", "level 'master-1' overlook is a probability, not 2.0"),
        (GOOD + 'policy = "gredy"', "has policy = 'gredy', which is no bot of the game"),
        (GOOD + 'based_on = "master-9"', "is based on 'master-9', which is not defined above it"),
        (GOOD + 'replaced_by = "casual-1"', "'casual-1', which is no level of its family"),
        (GOOD.replace("casual", "regular", 1), "level 'regular-1' is defined twice"),
        (GOOD[: GOOD.rindex("[[")], "the current levels are first-game-1, casual-1, regular-1"),
    ],
)
def test_an_invalid_file_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(LevelsFileError) as caught:
        with_levels(roster_of("deep-sea"), text)
    assert str(caught.value).startswith("deep-sea: levels.toml: ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
