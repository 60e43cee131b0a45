"""The view of each seat, and the resampling of hidden symbols."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from archipel.game import Game
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.contract import SPECTATOR
from archipel.rules.kit import Stream, clone, differences
from archipel.testing.every_outcome import every_outcome
from tests.rules.atlantis.tables import look, play, seen, sink, state_of, table
from tests.support.scrambled import scrambled

SEATS = (None, 0, 1)


def crowded_position(**words: object) -> Game:
    """A position with a value in every field."""
    given: dict[str, object] = {
        "red": "g6,boat1,a2,nw,lost",
        "blue": "g6,boat1,boat1,k4",
        "boats": "a3,x,m7",
        "sharks": "k5,x",
        "dolphins": "k4",
        "monsters": "m7,l2",
        "octopuses": "a3",
        "sunk": "d4:boat d5:shark d6:dolphin",
        "points": 2,
        "swam": "R3",
    }
    return table(**(given | words) | {"monsters": "l2"})


@pytest.mark.rule("AT-S6")
@pytest.mark.parametrize("seat", SEATS)
def test_everything_except_undersides_is_public(seat: int | None) -> None:
    game = crowded_position()
    words = dict(part.split("=", 1) for part in game.position.text.split())
    for word, text in words.items():
        if word != "land":
            assert seen(game, seat, word) == text
    assert seen(game, seat, "land").count("?") == 34


@pytest.mark.rule("AT-S6", "AT-K4")
@pytest.mark.parametrize("seat", SEATS)
def test_a_symbol_stays_hidden_from_all_until_its_people_are_placed(
    seat: int | None,
) -> None:
    game = table(red="d4,d4,g6", phase="sink", land="d4:octopus")
    game.play("sink d4")
    assert "d4?" in seen(game, seat, "land")
    play(game, "person R1")
    assert "d4?" in seen(game, seat, "land")
    assert not ATLANTIS.reveals(game.start.state, game.state)
    play(game, "to e5")
    before = clone(game.state)
    game.play("to e6", chance="shark-1")
    assert seen(game, seat, "sunk") == "d4:octopus"
    assert ATLANTIS.reveals(before, game.state)


@pytest.mark.rule("AT-S6")
def test_moves_can_be_undone_until_a_symbol_is_shown() -> None:
    game = table(red="g6,d4", phase="move")
    play(game, "person R1")
    assert game.can_take_back
    play(game, "to f6")
    assert game.can_take_back
    play(game, "stop")
    assert game.can_take_back
    play(game, "sink d4")
    assert game.can_take_back
    game.play("to e5", chance="shark-1")
    assert not game.can_take_back


@pytest.mark.rule("AT-S6")
def test_all_undersides_are_shown_at_the_end() -> None:
    game = table(red="boat1", blue="g6", boats="b1")
    play(game, "person R1", "ashore nw")
    for seat in SEATS:
        assert seen(game, seat, "land") == look(game, "land")


@pytest.mark.rule("AT-S6", "AT-C4")
def test_every_order_of_unseen_symbols_is_equally_likely() -> None:
    # The three mountains left hide a whirlpool, a shark and a dolphin.
    text = "f6:monster f7:octopus g5:whirlpool g6:whirlpool"
    game = table(red="h7", sunk=f"plains hills {text}", land="g7:whirlpool,h6:shark,h7:dolphin")
    frequencies: Counter[tuple[str, ...]] = Counter()
    for _, probability, world in every_outcome(
        lambda chance: ATLANTIS.resample(game.state, 1, chance)
    ):
        land = dict(part.split("=", 1) for part in ATLANTIS.position_text(world).split())["land"]
        frequencies[tuple(part.split(":")[1] for part in land.split(","))] += probability  # type: ignore[assignment]
    assert len(frequencies) == 6
    assert set(frequencies.values()) == {Fraction(1, 6)}


@pytest.mark.rule("AT-S6", "AT-S1")
def test_resampled_worlds_depend_only_on_the_view() -> None:
    game = crowded_position()
    world = ATLANTIS.resample(game.state, 0, Stream(1))
    again = ATLANTIS.resample(world, 0, Stream(7))
    assert ATLANTIS.resample(again, 0, Stream(1)) == world
    assert state_of(game).symbol != world.symbol


@pytest.mark.rule("AT-S6")
def test_resampling_keeps_the_symbols_of_sunken_pieces() -> None:
    game = table(red="g6", phase="sink", land="d4:boat")
    sink(game, "d4")
    for number in range(5):
        world = ATLANTIS.resample(game.state, 0, Stream(number))
        assert "d4:boat" in ATLANTIS.position_text(world)


@pytest.mark.rule("AT-S6")
@pytest.mark.parametrize("seat", [SPECTATOR, 0, 1])
def test_view_overwrites_every_field_of_its_target(seat: int) -> None:
    s = state_of(crowded_position())
    seen_by = scrambled(s)
    ATLANTIS.view(s, seat, seen_by)
    assert differences(seen_by, ATLANTIS.seen(s, seat)) == []
