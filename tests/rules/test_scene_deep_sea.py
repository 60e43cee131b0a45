"""The scene of Deep Sea Adventure: pieces, cells and choices."""

from __future__ import annotations

from typing import Any

from archipel.game import Game
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.scene import Piece, Scene


def scene_of(game: Game, seat: int) -> Scene:
    return DEEP_SEA.scene(game.view(None if seat < 0 else seat).state, seat)


def piece(scene: Scene, name: str) -> Piece:
    return next(found for found in scene.pieces if found.id == name)


def position(**words: object) -> Game:
    text = " ".join(f"{name}={value}" for name, value in words.items())
    return Game.from_position("deep-sea", text, seed=1)


def test_every_piece_lies_in_a_cell_of_the_scene() -> None:
    game = Game.new("deep-sea", seats=6, seed=3)
    for decision in game:
        for seat in range(-1, 6):
            scene = scene_of(game, seat)
            cells = {cell.id for cell in scene.cells}
            assert {found.cell for found in scene.pieces} <= cells
            assert len({found.id for found in scene.pieces}) == len(scene.pieces)
        game.play(decision.legal[-1])


def test_choices_are_the_legal_actions_of_the_seat_to_move_and_of_no_other() -> None:
    game = Game.new("deep-sea", seats=3, seed=5)
    for decision in game:
        for seat in range(3):
            expected = list(decision.legal) if seat == decision.seat else []
            assert [choice.action for choice in scene_of(game, seat).choices] == expected
        game.play(decision.legal[0])


def test_targets_are_cells_or_pieces_of_the_scene() -> None:
    game = Game.new("deep-sea", seats=4, seed=7, drop_order="chosen")
    for decision in game:
        scene = scene_of(game, decision.seat)
        there = {found.id for found in scene.pieces} | {cell.id for cell in scene.cells}
        assert all(there.issuperset(choice.targets) for choice in scene.choices)
        game.play(decision.legal[-1])


def test_every_key_is_a_sentence_in_every_language() -> None:
    game = Game.new("deep-sea", seats=5, seed=11, drop_order="chosen")
    catalogues = [DEEP_SEA.catalogue(language) for language in ("en", "fr")]
    for number, decision in enumerate(game):
        scene = scene_of(game, decision.seat)
        keys = {choice.key for choice in scene.choices} | {str(scene.gauges["phase"])}
        keys |= set(words(scene.gauges["not_now"])) | set(words(scene.gauges["not_now_why"]))
        for catalogue in catalogues:
            assert keys <= catalogue.sentences.keys()
            assert {f"{scene.gauges['phase']}.help"} <= catalogue.sentences.keys()
        game.play(decision.legal[number % len(decision.legal)])


def words(gauge: Any) -> tuple[str, ...]:
    assert isinstance(gauge, tuple)
    return gauge


def test_unavailable_actions_have_a_reason_and_a_rule() -> None:
    gauges = scene_of(Game.new("deep-sea", seats=2, seed=1, first=1), 0).gauges
    refused = dict(
        zip(
            words(gauges["not_now"]),
            zip(words(gauges["not_now_why"]), words(gauges["not_now_rules"]), strict=True),
            strict=True,
        )
    )
    assert refused["action.turn_back"] == ("refuse.turn_back_empty", "DS-T2")
    assert refused["action.take"] == ("refuse.throw_first", "DS-T10")
    assert "action.dive" not in refused


def test_only_the_seat_to_move_gets_unavailable_actions() -> None:
    game = Game.new("deep-sea", seats=2, seed=1, first=1)
    assert "not_now" not in scene_of(game, 1).gauges


def test_the_air_forecast_includes_this_turn() -> None:
    game = position(seats=2, air=9, diver1="7>[a1?,b2?]", turn=1)
    gauges = scene_of(game, 0).gauges
    assert (gauges["air"], gauges["air_after"]) == (9, 7)


def test_chips_brought_home_are_shown_to_their_diver_alone_and_marked_secret() -> None:
    game = position(seats=2, air=9, diver1="home[a1?]", diver2="5>", turn=2)
    own, other = (piece(scene_of(game, seat), "unit-a1") for seat in (0, 1))
    assert own.properties["secret"] is True
    assert own.properties["values"] == (game.state.value[0],)
    assert "secret" not in other.properties
    assert other.properties["values"] == (None,)


def test_units_to_put_down_are_tapped_in_the_hand() -> None:
    game = position(
        seats=2, phase="search", turn=1, diver1="1>[a1?,b2?]", line=f"o,{rest('a1', 'b2')}"
    )
    choices = {choice.key: choice for choice in scene_of(game, 0).choices}
    assert choices["action.put_2"].targets == ("unit-b2",)
    assert piece(scene_of(game, 0), "unit-b2").cell == "hand1"


def rest(*missing: str) -> str:
    names = [f"{level}{number}" for level in "abcd" for number in range(1, 9)]
    return ",".join(f"{name}?" for name in names if name not in missing)
