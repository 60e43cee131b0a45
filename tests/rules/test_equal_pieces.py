"""Interchangeable pieces: renumbering keeps a position valid and hides their numbers."""

from __future__ import annotations

import pytest

from archipel.puzzles.turn_search import TurnSearch
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, clone, stream_key
from archipel.testing.random_games import some_options

GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")


@pytest.mark.parametrize("game", GAMES)
def test_renumbering_keeps_positions_valid_and_is_done_once(game: str) -> None:
    definition = game_named(game)
    for seed, options in enumerate(some_options(definition, 4)):
        state = definition.new(options, Stream(stream_key(seed, 0)))
        chance, choice = Stream(stream_key(seed, 1)), Stream(stream_key(seed, 2))
        for move in range(150):
            if definition.to_move(state) < 0:
                break
            legal = definition.legal_actions(state)
            definition.apply(state, legal[choice.draw(len(legal))], chance)
            if move % 5:
                continue
            sorted_once = clone(state)
            definition.renumber(sorted_once)
            assert definition.fault(sorted_once) == 0
            assert len(definition.legal_actions(sorted_once)) == len(
                definition.legal_actions(state)
            )
            again = clone(sorted_once)
            definition.renumber(again)
            assert again == sorted_once
            seats = range(options.seats)
            assert [definition.score(sorted_once, seat) for seat in seats] == [
                definition.score(state, seat) for seat in seats
            ]


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        (
            "atlantis",
            "seats=2 phase=move turn=1 points=3 red=d4,d5,boat1 blue=f7,f8 boats=c3,b3",
            "seats=2 phase=move turn=1 points=3 red=boat2,d4,d5 blue=f8,f7 boats=b3,c3",
        ),
        (
            "deep-sea",
            "seats=2 diver1=3>[a1?] diver2=5>[a2?] turn=1 phase=throw",
            "seats=2 diver1=3>[a2?] diver2=5>[a1?] turn=1 phase=throw",
        ),
    ],
)
def test_positions_that_differ_in_equal_pieces_are_equal(game: str, one: str, other: str) -> None:
    definition, found = game_named(game), []
    for text in (one, other):
        state = definition.parse_position(text)
        definition.renumber(state)
        found.append(state)
    assert found[0] == found[1]


def test_an_order_of_moves_transposes_and_another_destination_does_not() -> None:
    """Two people of Atlantis move, in either order; a turn that ends elsewhere is not the same."""
    definition, search = game_named("atlantis"), TurnSearch("atlantis")
    text = "seats=2 phase=move turn=1 points=2 red=d4,e5 blue=f7,f8"
    state = definition.parse_position(text)
    definition.deal_unseen(state, Stream(1))

    def result(*actions: str) -> bytes | None:
        numbers, world = [], clone(state)
        for action in actions:
            numbers.append(definition.parse_action(world, action))
            definition.apply(world, numbers[-1], Stream(1))
        return search.result(state, numbers, 0)

    first = result("person R1", "to d5", "person R2", "to e6", "sink d6")
    assert first is not None
    assert first == result("person R2", "to e6", "person R1", "to d5", "sink d6")
    assert first != result("person R2", "to e6", "person R1", "to d5", "sink d7")
    assert first != result("person R2", "to e4", "person R1", "to d5", "sink d6")
    elsewhere = search.step(state, definition.parse_action(state, "person R2"), 0).state
    way = search.way_to([elsewhere, state], 0, {first}, ())
    assert way is not None
    start, actions = way
    assert search.result((elsewhere, state)[start], actions, 0) == first
    assert result("person R1", "to d5") is None, "the turn goes on"
