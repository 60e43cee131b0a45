"""Named access to positions, and several actions in one text."""

from __future__ import annotations

import random

import pytest

from archipel import Game, NotationError, RuleError
from archipel.rules.all_games import games
from archipel.rules.contract import SPECTATOR, Definition
from archipel.rules.scene import Piece
from archipel.rules.the_island.accessors import Explorer, Space

BEACHED = "seats=2 phase=move points=3 white=g5,f7 yellow=g7 boats=a1,f1 serpents=m1 sharks=a5"


def island(text: str = BEACHED) -> Game:
    return Game.from_position("the-island", text, seed=1)


# ---- Deep Sea Adventure


def test_divers_the_line_and_the_air() -> None:
    game = Game.from_position("deep-sea", seats=3, air=9, diver1="2>[a1,b2]", diver2="home[c1]")
    position = game.position
    assert (position.air, position.round, position.phase, position.drop_order) == (
        *(9, 1),
        *("throw", "piled"),
    )
    diver = position.divers[0]
    assert (diver.place, diver.is_home, diver.has_turned) == (2, False, False)
    assert [[chip.name for chip in unit] for unit in diver.hand] == [["a1"], ["b2"]]
    assert position["diver2"].is_home
    assert position["diver2"].place == 0
    assert position["diver3"] == position.divers[2]
    assert position["b2"].level == 2
    assert [len(unit) for unit in position.line[:2]] == [0, 1]  # a disc, where a1 was
    assert len(position.chips) == 32


def test_hidden_chip_values_are_none() -> None:
    game = Game.from_position("deep-sea", seats=2, diver1="2>[a1:3]")
    assert game.position["a1"].value == 3
    assert game.view(0)["a1"].value is None


# ---- The Island and Atlantis


def test_explorers_spaces_boats_and_creatures() -> None:
    position = Game.from_position("the-island", BEACHED, seed=1).position
    explorer = position["w1"]
    assert isinstance(explorer, Explorer)
    assert (explorer.seat, explorer.colour, explorer.place) == (0, "white", "g5")
    space = position["g5"]
    assert isinstance(space, Space)
    assert space.neighbours == ("f5", "f6", "g4", "g6", "h5", "h6")
    assert space.people == ("w1",)
    assert position["a1"].boat == "boat1"
    assert position["boat1"].space == "a1"
    assert position["shark 1"] == position["shark1"]
    assert position["shark1"].space == "a5"
    assert position["a5"].creatures == ("shark 1",)
    assert position["nw"].exits == ("b1", "c1")
    assert position["b1"].landing == "nw"
    assert [boat.space for boat in position.boats[:3]] == ["a1", "f1", None]
    assert len(position.explorers) == 20
    assert position["y1"].seat == 1


def test_neighbours_are_mutual_and_half_a_space_or_one_away() -> None:
    position = Game.from_position("the-island", BEACHED, seed=1).position
    for space in position.spaces:
        for name in space.neighbours:
            near = position[name]
            assert space.name in near.neighbours
            apart = abs(near.row - space.row), abs(near.column - space.column)
            assert apart in ((0, 2), (1, 1))


def test_hidden_hands_and_values_are_none() -> None:
    game = Game.new("the-island", 2, seed=2, auto_setup=True)
    chooser = random.Random(2)
    while not any(game.position.hands):
        game.play(chooser.choice(game.legal))
    holder = next(seat for seat in range(2) if game.position.hands[seat])
    [tile] = game.position.hands[holder]
    assert tile.symbol is not None
    assert game.view(holder).hands == game.position.hands
    assert game.view(1 - holder).hands[holder][0].symbol is None
    assert game.position["w1"].value is not None
    assert game.view(1)["w1"].value is None


def test_atlantis_by_name() -> None:
    game = Game.new("atlantis", 3, seed=1)
    position = game.position
    assert {person.seat for person in position.people} == {0, 1, 2}
    assert position["R1"].place == "-"
    assert position["f7"].terrain == "mountain"
    assert game.view(0)["f7"].under is None
    assert position["f7"].under is not None
    assert position.land_left["plain"] > position.land_left["mountain"]
    assert position.spun is None
    kinds = {animal.kind for animal in position.animals}
    assert kinds == {"monster", "shark", "octopus", "dolphin"}
    assert position["nw"] in position.coral_islands


# ---- Mauna Kea


def test_mauna_kea_by_name() -> None:
    position = Game.from_position(
        "mauna-kea",
        "board=b1:jjjj3 explorers1=b1nw,e4nw explorers2=d5nw white=1.1,1.1 pool=1",
        seats=2,
        front1="jjjj3",
    ).position
    explorer = position["1.1"]
    assert (explorer.place, explorer.cell, explorer.artefacts) == ("b1nw", "b1nw", ("white",) * 2)
    assert position["b1nw"].terrain == "jungle"
    assert position["b1nw"].explorers == ("1.1",)
    assert position["b1nw"].neighbours["east"] == "b1ne"
    assert position["b1"].tile == "jjjj3"
    assert position["b1"].neighbours == {"east": "c1", "south": "b2", "west": "a1"}
    assert position["b2nw"].terrain is None
    assert position.fronts[0] == ("jjjj3",)
    assert sum(position.bag.values()) > 50
    assert position["boat1"].cove is not None
    assert position.pool == 1


def test_hidden_cards_are_none() -> None:
    game = Game.new("mauna-kea", 2, seed=1, expert=True)
    assert all(game.view(0).hands[0])
    assert set(game.view(0).hands[1]) == {None}


# ---- every game


@pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))
def test_accessors_hold_in_random_games(definition: Definition[object]) -> None:
    """Every seat can inspect every position, and finds pieces by their names."""
    chooser = random.Random(5)
    game = Game.new(definition.name, seed=5)
    while not game.is_over:
        if len(game.moves) % 40 == 0:
            for position in (game.position, game.view(), game.view(0)):
                check_all_properties(position)
        game.play(chooser.choice(game.legal))
    check_all_properties(game.position)
    assert game.question is None


def check_all_properties(position: object) -> None:
    for name in dir(type(position)):
        if not name.startswith("_") and isinstance(getattr(type(position), name), property):
            found = getattr(position, name)
            for thing in found if isinstance(found, tuple) else ():
                if hasattr(thing, "name"):
                    assert position[thing.name] == thing  # type: ignore[index]


def test_an_unknown_name_raises_with_examples() -> None:
    with pytest.raises(KeyError, match=r"nothing called 'x1': say diver1 to diver6, or a chip"):
        Game.new("deep-sea", 2).position["x1"]
    assert "a1" in Game.new("deep-sea", 2).position
    assert "e1" not in Game.new("deep-sea", 2).position
    assert 3 not in Game.new("deep-sea", 2).position


def test_a_game_without_accessors_uses_its_scene() -> None:
    from archipel.rules.positions import Position

    game = Game.new("deep-sea", 2)
    plain = Position(game.definition, game.state)
    shown = game.definition.scene(game.state, SPECTATOR).pieces[0]
    assert isinstance(plain[shown.id], Piece)
    with pytest.raises(KeyError, match=r"deep-sea has nothing called 'q'"):
        plain["q"]


# ---- questions, events and worlds


def test_questions_have_a_language() -> None:
    game = Game.from_position("deep-sea", seats=2, air=9, diver1="2>[a1]")
    assert game.question == game.ask("en")
    assert game.ask("fr") != game.question


def test_events_for_a_seat() -> None:
    game = Game.new("the-island", 2, seed=1, first=1)
    game.play(game.legal[0])
    game.play(game.legal[0])
    keys = [event.key for event in game.events()]
    assert "place.value" in keys
    assert [event.key for event in game.events(seat=0)] == keys
    assert "place.value" not in [event.key for event in game.events(seat=1)]
    assert len(game.narrate(seat=0)) == len(game.narrate()) + 1
    with pytest.raises(ValueError, match="there is no seat 2"):
        game.events(seat=2)


def test_events_omit_what_the_seat_must_forget() -> None:
    game = Game.new("the-island", 2, seed=1, first=1)
    chooser = random.Random(1)
    while game.position.phase in ("place_explorer", "name_value", "place_boat"):
        game.play(chooser.choice(game.legal))
    placed = next(n for n in range(9) if any(e.key == "place.value" for e in game.events(n)))
    assert "place.value" not in [event.key for event in game.events(placed, seat=0)]


def test_resampled_worlds_have_equal_views() -> None:
    game = Game.new("atlantis", 2, seed=1)
    world = game.resample(1, seed=4)
    assert world.view(1) == game.view(1)
    assert world.position != game.position
    assert world.position == game.resample(1, seed=4).position
    assert world.position != game.resample(1, seed=5).position
    with pytest.raises(ValueError, match="there is no seat 7"):
        game.resample(7)


# ---- actions by their text


def test_legal_actions_are_found_by_text() -> None:
    game = Game.new("deep-sea", 2, seed=7, first=1)
    assert "dive" in game.legal
    assert "DIVE" in game.legal
    assert "take" not in game.legal
    assert "nonsense" not in game.legal
    assert 0 in game.legal
    assert game.legal.named("dive") == 0
    assert game.legal.named("take") is None
    assert "dive" in next(iter(game)).legal


def test_one_text_for_two_stages() -> None:
    game = island()
    move = game.play("w1 to h5")
    assert [str(move.action) for move in game.moves] == ["explorer w1", "to h5"]
    assert move == game.moves[-1]
    assert game.position["w1"].place == "h5"
    parts = island()
    parts.play("explorer w1", "to h5")
    assert parts.position == game.position
    whole = island()
    whole.play("explorer w1, to h5")
    assert whole.position == game.position


def test_refused_stages_change_nothing() -> None:
    game = island()
    before = game.position
    with pytest.raises(RuleError, match="IS-M"):
        game.play("w1 to a1")
    with pytest.raises(RuleError):
        game.play("explorer w1", "to a1")
    with pytest.raises(NotationError):
        game.play("w1 to nowhere at all")
    with pytest.raises(NotationError):
        game.play("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w1 w2 w3 w4")
    with pytest.raises(NotationError, match="say which action"):
        game.play()
    assert game.position == before
    assert game.moves == []


def test_refused_stages_restore_chance() -> None:
    game, twin = (Game.new("deep-sea", 2, seed=7, first=1) for _ in range(2))
    with pytest.raises(RuleError):
        game.play("dive", "turn back")
    for other in (game, twin):
        other.play("dive")
    assert game.position == twin.position


def test_a_text_ends_at_an_action_with_chance() -> None:
    """A text cannot name actions after one that draws dice."""
    game = Game.new("deep-sea", 2, seed=7, first=1)
    with pytest.raises(NotationError):
        game.play("dive take")
    assert game.moves == []
