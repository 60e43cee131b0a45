"""Linear policies: every feature has a weight, and an invalid file is refused."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from archipel.bots import Bot, bots_of, offered_bots, roster_of
from archipel.bots.linear_policy import (
    BITS,
    MOST_TRAITS,
    PolicyFileError,
    policy_weights,
    read_weights,
    together,
)
from archipel.rules.kit import Stream, clone
from archipel.tables.bots.players import bots_for
from tests.bots.positions import decisions

MAUNA_KEA = roster_of("mauna-kea")


def features_in(description: int) -> list[int]:
    found = []
    while description:
        found.append(description & MOST_TRAITS - 1)
        description >>= BITS
    return found


def test_packed_features() -> None:
    assert features_in(together(5, together(4095, together(1, 7)))) == [5, 4095, 1, 7]


def test_every_feature_has_a_weight_and_views_do_not_change() -> None:
    roster, definition = MAUNA_KEA, MAUNA_KEA.definition
    found_features: set[int] = set()
    for number, (s, legal) in enumerate(decisions(definition, 5)):
        if number > 1200:
            break
        view = definition.seen(s, definition.to_move(s))
        before = clone(view)
        seen = roster.glance(view)
        for action in legal:
            found = features_in(roster.describe(view, seen, action))
            assert all(trait < roster.traits for trait in found)
            found_features.update(found)
        assert view == before
    assert len(found_features) > roster.traits // 20, "features differ between positions"


def test_chooses_the_action_with_the_highest_score() -> None:
    roster, definition = MAUNA_KEA, MAUNA_KEA.definition
    weights = policy_weights(definition.name, "quick_1", roster.traits)
    bot = Bot.named(definition.name, "quick-1")
    differing = 0
    for number, (s, legal) in enumerate(decisions(definition, 6)):
        if number > 300:
            break
        view = definition.seen(s, definition.to_move(s))
        seen = roster.glance(view)
        sums = {
            action: sum(weights[k] for k in features_in(roster.describe(view, seen, action)))
            for action in legal
        }
        chosen = bot.choose(view, legal, seed=number)
        assert sums[chosen] > max(sums.values()) - 8
        differing += len(set(sums.values())) > 1
    assert differing > 50


def test_fits_its_teacher() -> None:
    """The quality on held-out decisions, as recorded by the fit."""
    folder = files("archipel.bots.mauna_kea")
    found = json.loads((folder / "quick_1.json").read_text("utf-8"))
    assert found["teacher"] == MAUNA_KEA.named("greedy").name
    assert found["fit"]["loss"] < 0.7 * found["fit"]["blind"]
    assert found["fit"]["agreement"] > 0.5


def test_is_not_offered_as_an_opponent() -> None:
    names = [bot.name for bot in bots_of("mauna-kea")]
    assert "quick-1" in names
    others = [name for name in names if not name.startswith(("quick-", "steady-"))]
    assert [bot.name for bot in offered_bots("mauna-kea")] == others
    assert not {name for name in bots_for("mauna-kea") if name.startswith(("quick-", "steady-"))}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "x.json holds no weights"),
        ("[]", "x.json holds no weights"),
        ("{}", "x.json holds no weights"),
        ('{"weights": 7}', "x.json has 0 weights for 3 traits"),
        ('{"weights": [0, 1]}', "x.json has 2 weights for 3 traits"),
        ('{"weights": [0, 1, 2.5]}', "x.json: the weight of trait 2 is 2.5, no number"),
        ('{"weights": [0, "1", 2]}', "x.json: the weight of trait 1 is '1', no number"),
        ('{"weights": [0, true, 2]}', "x.json: the weight of trait 1 is True, no number"),
        ('{"weights": [0, 1, 9999999]}', "x.json: the weight of trait 2 is 9999999, no number"),
        ('{"weights": [4, 1, 2]}', "x.json: trait 0 is none and weighs 4"),
    ],
)
def test_an_invalid_file_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(PolicyFileError) as caught:
        read_weights(text, "x.json", 3)
    assert str(caught.value) == why


def test_weights() -> None:
    assert read_weights('{"weights": [0, -5, 12]}', "x.json", 3) == (0, -5, 12)
    assert read_weights('{"weights": null}', "x.json", 3) == (0, 0, 0), "before the first fit"


def test_a_missing_version_is_refused() -> None:
    with pytest.raises(PolicyFileError, match=r"^deep-sea: there is no quick_9\.json$"):
        policy_weights("deep-sea", "quick_9", 3)


def test_the_seed_decides_between_equal_scores() -> None:
    definition = MAUNA_KEA.definition
    bot = Bot.named("mauna-kea", "quick")
    s = definition.new(definition.make_options(2), Stream(1))
    legal = definition.legal_actions(s)
    view = definition.seen(s, definition.to_move(s))
    chosen = [bot.choose(view, legal, seed=seed) for seed in range(40)]
    assert chosen == [bot.choose(view, legal, seed=seed) for seed in range(40)]
    assert len(set(chosen)) > 1
