"""The turn and its steps."""

from __future__ import annotations

import pytest

from tests.rules.the_island.tables import actions, look, play, table, where
from tests.rules.the_island.test_moving import refused


@pytest.mark.rule("IS-T1", "IS-T2", "IS-T3", "IS-T4")
def test_a_turn_has_four_steps_in_order() -> None:
    game = table(
        land="f5f f6f", white="f5", yellow="a1", hand1="d4b:wind", sharks="a5", phase="play_tile"
    )
    phases = [look(game, "phase")]
    for text in ("pass", "stop"):
        game.play(text)
        phases.append(look(game, "phase"))
    play(game, "remove f6", die="shark")
    phases.append(look(game, "phase"))
    game.play("pass")
    phases.append(look(game, "phase"))
    assert phases == ["play_tile", "move", "remove", "creature", "move"]
    assert game.to_move == 1


@pytest.mark.rule("IS-T1")
def test_one_tile_per_turn_is_played_and_leaves_the_game() -> None:
    game = table(
        land="f5f", white="a1", yellow="a2", hand1="d4b:dolphin e4b:dolphin", phase="play_tile"
    )
    assert actions(game) == ["play dolphin d4", "play dolphin e4", "pass"]
    play(game, "play dolphin d4", "explorer w1", "swim b3", "stop")
    assert look(game, "phase") == "move"  # no second tile
    assert "d4b:dolphin" in look(game, "out", 1)
    assert look(game, "hand1") == "e4b:dolphin"


@pytest.mark.rule("IS-T1", "IS-D4")
def test_a_player_cannot_play_a_defence_tile_on_their_own_turn() -> None:
    hand = "d4b:repel_shark e4f:repel_whale"
    game = table(land="f5f", white="a1", yellow="a2", hand1=hand, sharks="a5", phase="play_tile")
    assert actions(game) == ["pass"]
    refused(game, "play repel_shark", "IS-D4")
    refused(game, "play d5", "IS-T1")


@pytest.mark.rule("IS-T1", "IS-K5")
def test_a_tile_drawn_this_turn_can_be_played_on_the_next_turn() -> None:
    game = table(land="f5f:dolphin f6f", white="e4", yellow="a2", phase="remove")
    play(game, "remove f5", die="whale")
    assert look(game, "hand1") == "f5f:dolphin"
    play(game, "stop", "remove f6", die="whale")
    assert look(game, "phase") == "play_tile"
    assert game.to_move == 0
    assert "play dolphin" in actions(game)


@pytest.mark.rule("IS-T1")
def test_a_hand_has_no_limit() -> None:
    hand = " ".join(f"{name}b" for name in ("d4", "d5", "d6", "d7", "e4", "e5", "e6", "e7", "e8"))
    game = table(land="f5f:dolphin", white="a1", yellow="a2", hand1=hand, phase="remove")
    play(game, "remove f5", die="whale")
    assert len(look(game, "hand1").split(",")) == 10


@pytest.mark.rule("IS-T2")
def test_three_points_can_be_spent_on_explorers_and_boats() -> None:
    game = table(land="f5f f6f e5f", white="f5,f6", yellow="a1", boats="e4")
    play(game, "explorer w1", "board 1", "explorer w2", "to e5", "boat 1", "to e3")
    assert look(game, "phase") == "remove"
    assert look(game, "points") == "0"


@pytest.mark.rule("IS-T2")
def test_a_player_may_stop_moving_early() -> None:
    game = table(land="f5f", white="f5", yellow="a1")
    game.play("stop")
    assert look(game, "phase") == "remove"
    assert (look(game, "points"), look(game, "chosen")) == ("0", "-")


@pytest.mark.rule("IS-T3")
def test_a_tile_must_be_removed() -> None:
    game = table(land="f5f f6f", white="a1", yellow="a2", phase="remove")
    assert actions(game) == ["remove f5", "remove f6"]
    refused(game, "pass", "IS-T3")
    refused(game, "remove f7", "IS-T3")
    refused(game, "remove a1", "IS-T3")


@pytest.mark.rule("IS-T4")
def test_the_die_decides_the_kind_of_creature() -> None:
    for face in ("serpent", "shark", "whale"):
        game = table(
            land="f5f", white="a1", yellow="a2", phase="remove",
            serpents="b5,b6", sharks="c5,c6", whales="m1",
        )  # fmt: skip
        play(game, "remove f5", die=face)
        numbers = (1,) if face == "whale" else (1, 2)
        assert actions(game) == [f"{face} {number}" for number in numbers] + ["pass"]
        assert look(game, "die") == face
        for other in {"serpent", "shark", "whale"} - {face}:
            refused(game, f"{other} 1", "IS-T4")
        game.play("pass")
        assert game.to_move == 1
        assert look(game, "die") == "-"


@pytest.mark.rule("IS-T4", "IS-T7")
def test_step_four_is_skipped_if_no_creature_of_the_kind_is_on_the_board() -> None:
    game = table(land="f5f f6f", white="a1", yellow="a2", phase="remove", sharks="c5")
    play(game, "remove f5", die="whale")
    assert (game.to_move, look(game, "phase")) == (1, "move")


@pytest.mark.rule("IS-T4", "IS-T7")
def test_step_four_is_skipped_if_no_creature_of_the_kind_can_move() -> None:
    game = table(
        land="d4b " + " ".join(f"{name}f" for name in ("f6", "f7", "g5", "g7", "h6", "h7")),
        white="a1", yellow="a2", phase="remove", serpents="g6",
    )  # fmt: skip
    play(game, "remove d4", die="serpent")
    assert (game.to_move, look(game, "phase")) == (1, "move")


@pytest.mark.rule("IS-T4")
def test_a_creature_that_cannot_move_cannot_be_chosen() -> None:
    game = table(
        land="d4b " + " ".join(f"{name}f" for name in ("f6", "f7", "g5", "g7", "h6", "h7")),
        white="a1", yellow="a2", phase="remove", serpents="g6,b5",
    )  # fmt: skip
    play(game, "remove d4", die="serpent")
    assert actions(game) == ["serpent 2", "pass"]
    refused(game, "serpent 1", "IS-T4")
    refused(game, "serpent 3", "IS-T4")


@pytest.mark.rule("IS-T5")
def test_without_an_explorer_only_step_two_is_skipped() -> None:
    game = table(
        land="f5f f6f", white="nw,lost", yellow="a2", boats="c4", sharks="c5",
        phase="play_tile", hand1="d4b:move_shark",
    )  # fmt: skip
    assert actions(game) == ["play move_shark", "pass"]
    game.play("pass")
    assert look(game, "phase") == "remove"
    play(game, "remove f5", die="shark")
    assert actions(game) == ["shark 1", "pass"]


@pytest.mark.rule("IS-T5")
def test_step_two_is_skipped_if_step_one_loses_the_last_explorer() -> None:
    game = table(
        land="f5f f6f", white="a1", yellow="a2", boats="c4", sharks="b3",
        phase="play_tile", hand1="d4b:dolphin",
    )  # fmt: skip
    play(game, "play dolphin", "explorer w1", "swim b3")
    assert where(game, "w1") == "lost"
    assert look(game, "phase") == "remove"


@pytest.mark.rule("IS-T5")
def test_remaining_points_may_move_empty_boats_after_the_last_explorer_lands() -> None:
    game = table(land="f5f f6f", white="c1", yellow="a2", boats="c4")
    play(game, "explorer w1", "ashore nw")
    assert actions(game) == ["boat 1", "stop"]
    play(game, "boat 1", "to c3", "boat 1", "to c2")
    assert look(game, "phase") == "remove"


@pytest.mark.rule("IS-T6")
@pytest.mark.parametrize("hand", ["d4b:repel_shark", "d4b:wind", "d4b:move_whale"])
def test_a_player_with_any_tile_is_asked(hand: str) -> None:
    game = table(land="f5f f6f", white="f6", yellow="a2", hand2=hand, phase="remove")
    play(game, "remove f5", die="whale")
    assert (game.to_move, look(game, "phase")) == (1, "play_tile")
    assert actions(game) == ["pass"]


@pytest.mark.rule("IS-T6")
def test_a_player_with_an_empty_hand_is_not_asked() -> None:
    game = table(land="f5f f6f", white="f6", yellow="a2", hand1="d4b:wind", phase="remove")
    play(game, "remove f5", die="whale")
    assert (game.to_move, look(game, "phase")) == (1, "move")


@pytest.mark.rule("IS-T7")
def test_step_two_is_skipped_if_nothing_can_move() -> None:
    around = " ".join(f"{name}f" for name in ("f6", "f7", "g5", "g7", "h6", "h7"))
    game = table(land=f"d4b {around}", white="f6", yellow="g6", phase="remove")
    play(game, "remove d4", die="whale")
    # Yellow's only explorer swims in the enclosed lake.
    assert (game.to_move, look(game, "phase")) == (1, "remove")


@pytest.mark.rule("IS-T7")
def test_the_player_removes_even_the_only_tile() -> None:
    game = table(land="f5f", white="e4", yellow="a2")
    game.play("stop")
    assert actions(game) == ["remove f5"]


@pytest.mark.rule("IS-T8")
def test_a_move_chooses_a_piece_then_a_destination() -> None:
    game = table(land="f5f", white="f5", yellow="a2", boats="e4", sharks="c5")
    refused(game, "to f4", "IS-T2")
    game.play("explorer w1")
    assert look(game, "chosen") == "w1"
    refused(game, "explorer w1", "IS-T8")
    refused(game, "stop", "IS-T8")
    game.undo()
    game.play("boat 1")
    assert look(game, "chosen") == "boat1"
    game.play("to e3")
    assert look(game, "chosen") == "-"
    game.play("stop")
    play(game, "remove f5", die="shark")
    game.play("shark 1")
    refused(game, "stop", "IS-T8")
    refused(game, "shark 1", "IS-T8")


@pytest.mark.rule("IS-S4", "IS-T4")
def test_turns_follow_the_order_of_seats() -> None:
    game = table(
        3, land="f5f f6f f7f f8f", white="f8", yellow="a1", sky="a2", phase="remove", turn=2
    )
    movers = []
    for tile in ("f5", "f6", "f7"):
        movers.append(game.to_move)
        play(game, f"remove {tile}", die="whale")
        if look(game, "phase") == "play_tile":
            game.play("pass")
        if look(game, "phase") == "move":
            game.play("stop")
    assert movers == [1, 2, 0]
