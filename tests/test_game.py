"""`Game`: play, inspect, undo, and error messages."""

from __future__ import annotations

import copy
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest

import archipel
from archipel import ChanceError, Game, NotationError, OptionError, RuleError, UnknownGameError
from archipel.rules import contract


def some_game(seed: int = 1, moves: int = 30, seats: int = 3) -> Game:
    game = Game.new("deep-sea", seats, seed=seed)
    chooser = random.Random(seed)
    while not game.is_over and len(game.moves) < moves:
        game.play(chooser.choice(game.legal))
    return game


# Creation


def test_a_new_game() -> None:
    game = Game.new("deep-sea", seats=3, seed=1)
    assert game.name == "deep-sea"
    assert game.seats == 3
    assert repr(game.legal) == "[<0: dive>]"
    assert [str(action) for action in game.legal] == ["dive"]
    assert f"{game.legal[0]:>6}" == "  dive"
    assert not game.is_over
    assert game.outcome is None
    assert game.moves == []
    assert game.to_move in range(3)


def test_equal_seeds_give_equal_games() -> None:
    assert some_game(7).position == some_game(7).position
    assert some_game(7).position != some_game(8).position


def test_without_a_seed_games_differ() -> None:
    assert len({Game.new("deep-sea", 6).position.text for _ in range(5)}) == 5


def test_options() -> None:
    game = Game.new("deep-sea", 4, first=3, drop_order="chosen")
    assert game.to_move == 2
    assert str(game.options) == "seats=4 first=3 drop_order=chosen"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 7}, "deep-sea is for 2 to 6 players, not 7"),
        ({"seats": 2, "first": 3}, r"there is no seat 3 with 2 players \(DS-S2\)"),
        ({"seats": 2, "drop_ordr": "taken"}, "no option drop_ordr: did you mean drop_order?"),
        ({"seats": 2, "drop_order": "x"}, "drop_order: x is not one of piled, taken"),
    ],
)
def test_options_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Game.new("deep-sea", **arguments)  # type: ignore[call-overload]


def test_an_unknown_game_suggests_others() -> None:
    with pytest.raises(UnknownGameError, match=r"did you mean deep-sea\?"):
        Game.new("deep-see")
    with pytest.raises(KeyError, match=r"there are: .*deep-sea"):
        Game.new("xyzzy")


def test_a_game_from_a_position() -> None:
    game = Game.from_position("deep-sea", "seats=2 air=9", diver1="7>[a1:3,b2]", seed=1)
    assert game.state.air == 9
    assert game.state.load[0] == 2
    assert game.state.value[0] == 3
    assert -1 not in game.state.value  # unknown values are dealt
    with pytest.raises(NotationError, match="air=99"):
        Game.from_position("deep-sea", seats=2, air=99)


# Play


def test_playing_in_notation_and_by_number() -> None:
    game = Game.new("deep-sea", 2, seed=1, first=1)
    move = game.play("dive", dice=(2, 3))
    assert str(move) == "1 dive [2 3]"
    assert (move.seat, move.action, move.outcomes, move.chance) == (0, 0, (1, 2), "2 3")
    assert game.state.place[0] == 4
    take = game.parse("take")
    assert str(game.play(take)) == "1 take"
    assert str(game.play(0, dice="1 1")) == "2 dive [1 1]"
    assert str(game.play("NOTHING")) == "2 nothing"
    game.play("turn back", dice=["1", "1"])
    assert game.state.turned[0] == 1


@pytest.mark.parametrize(
    ("action", "keywords", "error", "message"),
    [
        ("fly", {}, NotationError, "'fly' is not an action"),
        ("put", {}, NotationError, "say which chip"),
        (99, {}, NotationError, "actions are 0 to 16"),
        (-1, {}, NotationError, "no action -1"),
        ("take", {}, RuleError, r"\(DS-T10\)"),
        ("turn back", {}, RuleError, r"you can turn back only .* \(DS-T2\)"),
        ("dive", {"dice": (4, 1)}, NotationError, "1, 2 or 3, not 4"),
        ("dive", {"dice": (1, 1, 1)}, NotationError, "there are 2 dice"),
    ],
)
def test_refusals_change_nothing(
    action: str | int, keywords: dict[str, object], error: type[Exception], message: str
) -> None:
    game = Game.new("deep-sea", 2, seed=1)
    before = game.position
    with pytest.raises(error, match=message):
        game.play(action, **keywords)  # type: ignore[arg-type]
    assert game.position == before
    assert game.moves == []


def test_refusals_name_their_rule() -> None:
    game = Game.new("deep-sea", 2, seed=1)
    with pytest.raises(RuleError) as caught:
        game.play("turn back")
    assert caught.value.rule == "DS-T2"
    assert caught.value.reason == "you can turn back only while you hold a chip"


def test_chance_may_script_some_dice_but_dice_must_be_complete() -> None:
    game = Game.new("deep-sea", 2, seed=1)
    with pytest.raises(ChanceError, match="asked for outcome 2, but the script ends after 1"):
        game.play("dive", dice=(2,))
    assert game.moves == []
    assert game.play("dive", chance=(3,)).outcomes[0] == 2


def test_invalid_dice_arguments() -> None:
    game = Game.new("deep-sea", 2, seed=1)
    number: Any = 33
    with pytest.raises(NotationError, match="dice=33: give the outcomes one by one"):
        game.play("dive", dice=number)
    with pytest.raises(NotationError, match="dice= or chance=, not both"):
        game.play("dive", dice=(3, 3), chance=(3, 3))
    assert game.moves == []


def test_replay_needs_exactly_the_outcomes() -> None:
    game = Game.new("deep-sea", 2, seed=1)
    for outcomes in ((1,), (1, 1, 1), (1, 3)):
        with pytest.raises(ChanceError):
            game.replay(0, outcomes)
    assert game.moves == []
    game.replay(0, (1, 1))
    assert game.moves[0].chance == "2 2"


def test_iteration_over_decisions() -> None:
    game = Game.new("deep-sea", 3, seed=4)
    chooser = random.Random(4)
    for decision in game:
        assert decision.seat == game.to_move
        assert decision.view == game.view(decision.seat)
        game.play(chooser.choice(decision.legal))
    assert game.is_over
    assert game.to_move is None
    assert game.legal == []
    outcome = game.outcome
    assert outcome is not None
    assert outcome.scores == tuple(game.state.points[:3])
    assert outcome.winners
    assert all(outcome.scores[seat] == max(outcome.scores) for seat in outcome.winners)
    with pytest.raises(RuleError, match="the game is over"):
        game.play("dive")


def test_a_loop_without_a_move_raises() -> None:
    with pytest.raises(RuntimeError, match="play an action in every step"):
        for _ in Game.new("deep-sea", 2):
            pass


# Inspection


def test_views_hide_unknown_values() -> None:
    game = Game.from_position("deep-sea", seats=2, diver1="1<[a1:3,b1:7]", diver2="9>", seed=1)
    assert "?" not in game.position.text
    game.play("swim on", dice=(3, 3))
    assert "a1:3" in game.view(0).text
    assert "a1?" in game.view(1).text
    assert "a1?" in game.view().text
    with pytest.raises(ValueError, match="no seat 2: seats are 0 to 1"):
        game.view(2)


def test_positions_print_as_pictures() -> None:
    game = some_game()
    assert str(game.position) == str(game)
    assert "Air" in str(game.view(0))
    assert repr(game.view(0)) == f"<deep-sea position, 3 seats, seat {game.to_move} to move>"
    assert game._repr_svg_().startswith("<svg ")
    assert repr(game).startswith("<Game deep-sea, 3 seats, 30 moves")


def test_positions_compare_by_content() -> None:
    one, other = some_game(1), some_game(1)
    assert one.position == other.position
    assert hash(one.position) == hash(other.position)
    assert one.position != one.view(0)
    assert one.position != "something else"


def test_positions_and_views_are_snapshots() -> None:
    game = some_game(moves=10)
    position, text = game.position, game.position.text
    view = game.view(1)
    game.play(game.legal[0])
    assert position.text == text
    assert view == Game.view(twin_without_last(game), 1)


def twin_without_last(game: Game) -> Game:
    twin = game.copy()
    twin.undo()
    return twin


# Undo and copies


def test_undo_restores_exactly() -> None:
    game = some_game(moves=60)
    again = Game(game.definition, game.start.state, game.options, chance=NoChance())
    positions = [again.position]
    for move in list(game.moves):
        again.replay(move.action, move.outcomes)
        positions.append(again.position)
    assert again.position == game.position
    while game.moves:
        assert game.position == positions.pop()
        game.undo()
    assert game.position == game.start == positions.pop()
    with pytest.raises(IndexError, match="nothing has been played"):
        game.undo()


class NoChance:
    def draw(self, n: int, /) -> int:
        raise AssertionError("the rules drew chance")


def test_only_moves_without_chance_or_secrets_can_be_taken_back() -> None:
    game = Game.new("deep-sea", 2, seed=1)
    assert not game.can_take_back
    game.play("dive")
    assert not game.can_take_back
    game.play("take")
    assert game.can_take_back
    # The end of a round turns chips up.
    game = Game.from_position(
        "deep-sea", seats=2, phase="search", air=0, diver1="5>", diver2="home[a1:3]", seed=1
    )
    game.play("nothing")
    assert not game.can_take_back


def test_copies_are_independent() -> None:
    game = some_game(moves=12)
    twin = game.copy()
    before = game.position
    twin.play(twin.legal[0])
    assert game.position == before
    assert len(game.moves) == 12
    assert twin.start == game.start
    twin.undo()
    assert twin.position == before


# Narration


def test_narration_of_earlier_moves_and_in_french() -> None:
    game = Game.new("deep-sea", 2, seed=1, first=1)
    game.play("dive", dice=(1, 2))
    game.play("take")
    assert game.narrate() == ["1 takes the level 1 chip from space 3."]
    assert game.narrate(0, names=["Ana", "Bob"])[0] == "Ana rolls 1 + 2: 3 steps."
    assert game.narrate(language="fr", names=["Ana", "Bob"]) == [
        "Ana prend le jeton de niveau 1 de la case 3."
    ]
    with pytest.raises(IndexError):
        game.events(2)


def test_secrets_are_not_narrated() -> None:
    game = Game.from_position("deep-sea", seats=2, diver1="1<[a1:3,b1:7]", diver2="9>", seed=1)
    game.play("swim on", dice=(3, 3))
    assert any(event.seen_by == frozenset({0}) for event in game.events())
    assert not any("worth" in sentence for sentence in game.narrate())


def test_public_names_exist() -> None:
    for name in archipel.__all__:
        assert getattr(archipel, name)


def test_a_state_has_plain_integers() -> None:
    game = Game.new("the-island", 2, seed=3, auto_setup=True)
    while game.position.phase != "move_to":
        game.play(game.legal[0])
    assert type(game.state.chosen) is int


# Pickling, copies and names


def playing_on(game: Game) -> list[str]:
    chooser = random.Random(3)
    while not game.is_over:
        game.play(chooser.choice(game.legal))
    return [str(move) for move in game.moves]


@pytest.mark.parametrize("name", archipel.games())
def test_pickled_and_deep_copied_games_go_on_alike(name: str) -> None:
    """They also copy the chance that is to come."""
    game = Game.new(name, seed=5)
    game.play(game.legal[0])
    copies: list[Game] = [pickle.loads(pickle.dumps(game)), copy.deepcopy(game)]
    for twin in copies:
        assert twin.position == game.position
        assert twin.definition is game.definition
        assert twin.legal == game.legal
    assert playing_on(copies[0]) == playing_on(copies[1]) == playing_on(game)


def test_pickled_decisions() -> None:
    decision = next(iter(some_game()))
    again = pickle.loads(pickle.dumps(decision))
    assert again == decision
    assert [action.text for action in again.legal] == [action.text for action in decision.legal]
    assert again.legal.named(decision.legal[0].text) == decision.legal[0]


def test_a_pickle_of_other_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = some_game()
    data = pickle.dumps(game)
    other = replace(game.definition, rules_version=game.definition.rules_version + 1)
    monkeypatch.setitem(contract._GAMES, "deep-sea", other)
    with pytest.raises(ValueError, match="deep-sea: pickled with other rules"):
        pickle.loads(data)


def test_copies_with_equal_seeds_go_on_alike() -> None:
    game = some_game(moves=4)
    assert playing_on(game.copy(seed=9)) == playing_on(game.copy(seed=9))
    assert playing_on(game.copy(seed=9)) != playing_on(game.copy(seed=10))


def test_action_0_is_true() -> None:
    game = Game.new("deep-sea", seed=1)
    action = game.legal.named("dive")
    assert action == 0
    assert bool(action)


def test_the_package_lists_games_and_names() -> None:
    assert {"deep-sea", "the-island", "atlantis", "mauna-kea"} <= set(archipel.games())
    assert dir(archipel) == sorted(["__version__", *archipel.__all__])
    assert all(hasattr(archipel, name) for name in dir(archipel))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        ("Game.new('deep-sea', seats='3')", OptionError, "expected a whole number, not '3'"),
        ("Game.new('deep-sea', seats=True)", OptionError, "expected a whole number, not True"),
        ("Game.new('deep-sea', seed='a')", TypeError, "seed='a': expected a whole number"),
        ("game.copy(seed=1.5)", TypeError, "seed=1.5: expected a whole number"),
        ("game.view('0')", ValueError, "there is no seat '0': seats are 0 to 2"),
        ("game.view(True)", ValueError, "there is no seat True"),
        ("game.play(None)", NotationError, "None is not an action: give its number or"),
        ("game.play(0.0)", NotationError, "0.0 is not an action"),
        ("game.play(False)", NotationError, "False is not an action"),
    ],
)
def test_arguments_of_the_wrong_type(call: str, error: type[Exception], message: str) -> None:
    names = {"Game": Game, "game": some_game(moves=0)}
    with pytest.raises(error, match=message):
        eval(call, names)


def test_integers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    game = Game.new("deep-sea", seats=numpy.int64(3), seed=numpy.int32(1))
    game.play(numpy.int64(0))
    assert game.view(numpy.int8(2)).seats == 3
    assert game.options.seats.__class__ is int


def test_short_representations() -> None:
    game = Game.new("mauna-kea", seats=4, seed=1)
    for shown in (game, game.position, next(iter(game)), game.view(0)):
        assert len(repr(shown)) < 100
