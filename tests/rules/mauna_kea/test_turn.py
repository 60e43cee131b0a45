"""A player's turn: laying and spending tiles, drawing new ones."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import RuleError
from archipel.rules.kit import Stream
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.grid import CELL_NUMBERS
from archipel.rules.mauna_kea.state import Phase, terrain_at
from tests.rules.mauna_kea.tables import actions, expert, gone, in_bag, look, play, state_of, table

# ---- using the tiles ----------------------------------------------------------------------------


@pytest.mark.rule("MK-T1")
def test_every_tile_can_be_laid_or_spent_in_any_order() -> None:
    game = table(front1="jjjj3,jjll2,llll1")
    choices = ["end play", "tile 1", "tile 2", "tile 3", "spend 1", "spend 2", "spend 3"]
    assert actions(game) == choices
    play(game, "spend 2", "tile 2", "at a1")
    assert look(game, "front1") == "jjjj3"
    assert look(game, "pool") == "2"
    assert look(game, "board") == "a1:llll1"


@pytest.mark.rule("MK-T1")
def test_tiles_steps_and_artefacts_can_alternate_freely() -> None:
    game = table(front1="jjjj3,jjjj3", explorers1="e4nw,e4se", white="e4ne")
    play(game, "spend 1", "explorer 1", "east", "take white", "tile 1", "at e3")
    play(game, "north", "explorer 2", "north", "explorer 1", "put white")
    assert look(game, "explorers1") == "e3se,e4ne,lost,lost,lost"
    assert look(game, "white") == "e3se"
    assert look(game, "pool") == "-"


@pytest.mark.rule("MK-T1")
def test_a_chosen_explorer_must_act_first() -> None:
    game = table(front1="jjjj3", pool=1)
    play(game, "explorer 1")
    assert actions(game) == ["east", "south"]
    play(game, "east")
    assert actions(game) == ["end play", "tile 1", "spend 1"]


@pytest.mark.rule("MK-T1")
def test_only_explorers_that_can_act_are_offered() -> None:
    game = table(explorers1="e4nw,e4ne", white="e4ne")
    assert actions(game) == ["end play", "explorer 2"]
    game = table(explorers1="e4nw,e4ne", pool=1)
    assert actions(game) == ["end play", "explorer 1", "explorer 2"]


@pytest.mark.rule("MK-T1", "MK-S4")
def test_a_new_turn_has_no_active_explorer() -> None:
    game = table(front1="jjjj3", explorers1="e4nw", pool=1)
    play(game, "explorer 1", "east", "end play [jjjj3 jjll2]", "end play [jjjj3 jjll2]")
    assert look(game, "active") == "-"
    assert look(game, "turn") == "1"


# ---- laying -------------------------------------------------------------------------------------


@pytest.mark.rule("MK-T2")
def test_a_tile_can_be_laid_on_any_empty_space() -> None:
    game = table(front1="jjjl3", board="a1:llll1", north="straight@e4n^0", explorers1="f5nw")
    play(game, "tile 1")
    # 81 spaces less the volcano, three printed ones, the lava and a tile.
    assert len(actions(game)) == 81 - 1 - 3 - 1 - 1
    for taken in ("at a1", "at e4", "at e5", "at e6"):
        assert taken not in actions(game)
    for far_away in ("at i9", "at b1", "at a2"):
        assert far_away in actions(game)


@pytest.mark.rule("MK-T2", "MK-C5")
def test_a_laid_tile_keeps_its_orientation() -> None:
    game = play(table(front1="jjjl3"), "tile 1", "at d4", "turn 3")
    assert look(game, "board") == "d4:jjjl3.3"
    s = state_of(game)
    cells = [terrain_at(s, CELL_NUMBERS[f"d4{quarter}"]) for quarter in ("nw", "ne", "sw", "se")]
    assert cells == [0, 1, 0, 0]  # the lake of jjjl turns from se by way of sw and nw to ne


@pytest.mark.rule("MK-T2", "MK-T3")
def test_a_laid_tile_gives_no_points() -> None:
    game = play(table(front1="jjjj3"), "tile 1", "at a1")
    assert look(game, "pool") == "-"
    assert in_bag(game, "jjjj3") == 5


@pytest.mark.rule("MK-T2")
def test_no_tile_can_be_laid_on_a_full_board() -> None:
    game = table(front1="jjjj3", board="a1:llll1")
    s = state_of(game)
    for space in range(81):
        if s.tile[space] == 64:
            s.tile[space] = 0
    assert actions(game) == ["end play", "spend 1"]
    with pytest.raises(RuleError, match="MK-T2"):
        game.play("tile 1")


# ---- spending -----------------------------------------------------------------------------------


@pytest.mark.rule("MK-T3")
def test_explorers_share_the_pooled_points() -> None:
    game = table(front1="jjll2,llll1", explorers1="e4nw,e4sw")
    play(game, "spend 1", "spend 1")
    assert look(game, "pool") == "3"
    play(game, "explorer 1", "east", "explorer 2", "east", "west")
    assert look(game, "pool") == "-"


@pytest.mark.rule("MK-T3")
def test_a_spent_tile_returns_to_the_bag_at_once() -> None:
    game = table(front1="jjll2,llll1")
    assert in_bag(game, "jjll2") == 3
    play(game, "spend 1")
    assert in_bag(game, "jjll2") == 4
    assert look(game, "front1") == "llll1"


@pytest.mark.rule("MK-T3")
def test_unused_points_are_lost_at_the_end_of_play() -> None:
    game = play(table(front1="jjjj3"), "spend 1", "end play [jjjj3 jjll2]")
    assert look(game, "pool") == "-"
    play(game, "end play [jjjj3 jjll2]")
    assert (look(game, "turn"), look(game, "pool")) == ("1", "-")


# ---- drawing ------------------------------------------------------------------------------------


@pytest.mark.rule("MK-T4")
@pytest.mark.parametrize(
    "tiles", ["jjjj3 jjll2", "jjjj3 jjjj3", "jjll2 jjll2 llll1", "jjll2 jjll2 jjjj3", "llll1 " * 4]
)
def test_tiles_are_drawn_until_five_points(tiles: str) -> None:
    tiles += "jjjj3" if tiles.startswith("llll1") else ""
    tiles = tiles.replace("llll1 llll1 llll1 llll1", "llll1 llll1 jlll1 jlll1")
    game = table()
    move = game.play("end play", chance=tiles)
    assert len(move.outcomes) == len(tiles.split())
    assert sorted(look(game, "front1").split(",")) == sorted(tiles.split())
    assert game.to_move == 1


@pytest.mark.rule("MK-T4")
def test_lava_flows_at_once_and_gives_no_points() -> None:
    game = table(explorers1="f5nw")
    play(game, "end play [north-straight jjjj3 north-left jjll2]")
    assert look(game, "north") == "straight@e4n^0,left@e3n^1"
    assert look(game, "front1") == "jjjj3,jjll2"


@pytest.mark.rule("MK-T4", "MK-T3")
def test_spent_tiles_can_be_drawn_again_at_once() -> None:
    game = table(front1="lmml1", bag="jjjj3*2")
    play(game, "spend 1", "end play [lmml1 jjjj3 jjjj3]")
    assert look(game, "front1") == "jjjj3,jjjj3,lmml1"


@pytest.mark.rule("MK-T4")
def test_an_empty_bag_ends_the_refill_and_play_continues() -> None:
    game = table(bag="jjjj3")
    play(game, "end play [jjjj3]")
    assert look(game, "front1") == "jjjj3"
    assert (look(game, "phase"), look(game, "turn"), look(game, "ending")) == ("play", "2", "-")
    play(game, "end play")
    assert (look(game, "front2"), look(game, "turn")) == ("-", "1")


@pytest.mark.rule("MK-T5", "MK-T3")
def test_unused_tiles_return_to_the_bag_at_the_end_of_play() -> None:
    game = table(front1="jjll2,llll1", bag="jjjj3*2")
    play(game, "end play [jjjj3 jjjj3]")
    assert (in_bag(game, "jjll2"), in_bag(game, "llll1")) == (1, 1)
    assert look(game, "front1") == "jjjj3,jjjj3"


@pytest.mark.rule("MK-T5")
def test_play_can_end_at_any_time() -> None:
    assert actions(table(front1="jjjj3", pool=5))[0] == "end play"
    assert actions(table()) == ["end play"]


@pytest.mark.rule("MK-X2")
def test_spent_tiles_leave_the_expert_game() -> None:
    game = expert(front1="jjll2,llll1")
    play(game, "spend 1", "end play")
    assert gone(game) == ["jjll2", "llll1"]
    assert in_bag(game, "jjll2") == 3


def test_actions_can_be_undone_until_a_tile_is_drawn() -> None:
    game = table(front1="jjjj3,jjjl3", explorers1="e4nw", white="e4ne")
    texts = [game.position.text]
    for text in ("tile 2", "at e3", "turn 1", "spend 1", "explorer 1", "east", "take white"):
        play(game, text)
        assert game.can_take_back
        texts.append(game.position.text)
    while game.moves:
        assert game.position.text == texts.pop()
        game.undo()
    play(game, "end play [jjjj3 jjll2]")
    assert not game.can_take_back


def test_legal_actions_do_not_depend_on_the_buffer() -> None:
    phases = set()
    for seed in range(12):
        game = Game.new("mauna-kea", 3, seed=seed, expert=True)
        choice = Stream(seed)
        while not game.is_over:
            legal = game.legal
            buffer = [99] * MAUNA_KEA.most_legal
            assert buffer[: MAUNA_KEA.legal(game.state, buffer)] == legal
            assert buffer[len(legal) :] == [99] * (len(buffer) - len(legal))
            phases.add(game.state.phase)
            game.play(legal[choice.draw(len(legal))])
    assert phases >= set(range(Phase.OVER)) - {Phase.LEAVE}  # too rare in random play
