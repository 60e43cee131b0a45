"""The view of each seat and the sampling of unknown cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

import pytest

from archipel.game import Game
from archipel.rules.kit import Stream
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.state import State
from tests.rules.mauna_kea.tables import expert, look, play, seen, table

CARDS = {
    "cards1": "jungle,lake,3white,no-penalty",
    "rejected1": "lake,2white",
    "cards2": "mountain,helicopter,green-boat,brown-boat",
    "rejected2": "mountain,2grey",
}


@pytest.mark.rule("MK-V1", "MK-X1")
def test_a_seat_sees_its_own_cards_and_only_the_number_of_the_others() -> None:
    game = expert(**CARDS)
    assert seen(game, 0, "cards1") == CARDS["cards1"]
    assert seen(game, 0, "rejected1") == CARDS["rejected1"]
    assert seen(game, 0, "cards2") == "?,?,?,?"
    assert seen(game, 0, "rejected2") == "?,?"
    assert seen(game, 1, "cards2") == CARDS["cards2"]
    for seat in (1, 2):
        assert seen(game, None, f"cards{seat}") == "?,?,?,?"


@pytest.mark.rule("MK-V1")
def test_played_cards_are_public() -> None:
    game = expert(**CARDS, explorers1="e4nw,e4ne")
    play(game, "card jungle", "explorer 1", "to e4se")
    for seat in (None, 0, 1):
        assert seen(game, seat, "played") == "jungle"
    assert seen(game, 1, "cards1") == "?,?,?"


@pytest.mark.rule("MK-V1", "MK-X1")
def test_kept_cards_are_revealed_at_the_end_and_rejected_cards_never() -> None:
    words = {"explorers1": "b1nw", "board": "b1:jjjj3", "pool": 1}
    game = play(expert(**CARDS, **words), "explorer 1", "board", "end play")
    assert game.is_over
    for seat in (None, 0, 1):
        assert seen(game, seat, "cards2") == CARDS["cards2"]
        assert seen(game, seat, "rejected2") == "-"
    assert look(game, "rejected1") == "-"


@pytest.mark.rule("MK-V1")
@pytest.mark.parametrize("seats", [2, 4])
def test_every_field_but_the_cards_is_public_in_every_phase(seats: int) -> None:
    """Also in a reused view object."""
    game = Game.new("mauna-kea", seats, seed=seats, expert=True, layout="diagonal")
    choice = Stream(seats)
    phases = set()
    while not game.is_over:
        legal = game.legal
        game.play(legal[choice.draw(len(legal))])
        phases.add(game.state.phase)
        if game.is_over:
            break
        for seat in range(seats):
            view = dirty_state()
            MAUNA_KEA.view(game.state, seat, view)
            for field in fields(State):
                if field.name not in ("hand", "rejected"):
                    assert getattr(view, field.name) == getattr(game.state, field.name), field.name
            assert view.hand[seat] == game.state.hand[seat]
            assert view.rejected[seat] == game.state.rejected[seat]
            for other in set(range(seats)) - {seat}:
                assert all(card < 0 for card in view.hand[other] + view.rejected[other])
    assert len(phases) > 8


def dirty_state() -> State:
    """A state with a value in every field."""
    s = State()
    for field in fields(State):
        value = getattr(s, field.name)
        if isinstance(value, int):
            setattr(s, field.name, 7)
        elif isinstance(value[0], int):
            setattr(s, field.name, [7] * len(value))
        else:
            setattr(s, field.name, [[7] * len(row) for row in value])
    return s


@pytest.mark.rule("MK-V1")
def test_the_position_text_hides_only_cards() -> None:
    game = expert(**CARDS, front1="jjjj3", front2="jjll2", white="e4nw,2.1", out="jjjl3")
    hidden = {"cards1", "rejected1", "cards2", "rejected2"}
    whole = dict(word.split("=", 1) for word in game.position.text.split())
    view = dict(word.split("=", 1) for word in game.view(None).text.split())
    assert {name: whole[name] for name in whole if name not in hidden} == {
        name: view[name] for name in view if name not in hidden
    }


@pytest.mark.rule("MK-V1")
def test_nothing_is_hidden_in_the_base_game() -> None:
    game: Game = Game.new("mauna-kea", 3, seed=2)
    for seat in range(3):
        assert game.view(seat) == game.position
    game = table(front1="jjjj3")
    assert game.view(None) == game.position


@pytest.mark.rule("MK-V1")
def test_unseen_cards_are_sampled_uniformly() -> None:
    game = expert(**CARDS, played="-")
    found: Counter[int] = Counter()
    for number in range(800):
        world: State = MAUNA_KEA.resample(game.state, 0, Stream(number * 7919))
        assert world.hand[0] == game.state.hand[0]
        assert world.hand[1][:4] == sorted(world.hand[1][:4])
        found.update(world.hand[1][:4])
        found.update(world.rejected[1])
    # 6 of the 24 unseen cards are dealt, so each is dealt in a quarter of the worlds.
    expected = {0: 2, 1: 1, 2: 3, 3: 3, 4: 3, 5: 0, 6: 0, 13: 1, 14: 1, 12: 2}
    for kind, count in expected.items():
        assert abs(found[kind] - 800 * count / 4) <= 75 * max(1, count) ** 0.5, kind


@pytest.mark.rule("MK-V1")
def test_other_players_cards_are_hidden_while_they_choose() -> None:
    game = Game.new("mauna-kea", 3, seed=4, expert=True, first=1)
    assert seen(game, 1, "cards1") == "?,?,?,?,?,?"
    game.play(game.legal[0])
    assert seen(game, 1, "cards1") == "?,?,?,?,?"
    assert seen(game, 1, "rejected1") == "?"
    assert len(seen(game, 0, "rejected1").split(",")) == 1
