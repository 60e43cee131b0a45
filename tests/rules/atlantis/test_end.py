"""The end of the game and the scores."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.contract import NotationError
from archipel.rules.kit import Stream
from tests.rules.atlantis.tables import actions, look, people, play, refused, state_of, table

NO_LAND = "plains hills mountains"


@pytest.mark.rule("AT-E1")
def test_the_game_ends_when_a_player_saves_the_last_of_a_tribe() -> None:
    game = table(red="boat1,nw,lost", blue="g6", boats="b1")
    play(game, "person R1", "ashore nw")
    assert game.is_over
    assert look(game, "ending") == "tribe_gone"
    assert look(game, "points") == "0"
    assert people(game, "blue", 1) == ["g6"]  # people of other tribes stay in place
    assert refused(game, "stop") == "AT-E1"


@pytest.mark.rule("AT-E1")
def test_the_game_ends_when_the_last_of_a_tribe_is_lost_on_another_turn() -> None:
    game = table(red="g6", blue="a2,ne", sharks="a1", phase="animal", spun="shark-1")
    play(game, "shark 1", "to a2")
    assert game.is_over
    assert look(game, "turn") == "1"
    assert game.outcome is not None
    assert game.outcome.scores == (0, 1)


@pytest.mark.rule("AT-E1")
def test_a_rescue_that_ends_the_game_still_moves_the_dolphin() -> None:
    game = table(red="k4", blue="g6", dolphins="k4")
    play(game, "person R1", "ride se")
    assert game.is_over
    assert look(game, "dolphins").startswith("l10,")


@pytest.mark.rule("AT-E1")
def test_a_whirlpool_that_ends_the_game_still_takes_everything() -> None:
    game = table(
        red="e8,d6",
        blue="boat1,e6",
        boats="d6",
        dolphins="e8",
        sunk="plains e5 e6",
        land="e7:whirlpool",
        phase="sink",
    )
    game.play("sink e7")  # no spin follows
    assert game.is_over
    assert not game.moves[-1].outcomes
    assert people(game, "red", 2) == people(game, "blue", 2) == ["lost", "lost"]
    assert look(game, "dolphins").startswith("x,")
    assert look(game, "boats").startswith("x,")


@pytest.mark.rule("AT-E1")
def test_the_game_continues_while_a_tribe_has_people_on_the_island_or_at_sea() -> None:
    for last in ("g6", "boat2", "a5"):
        game = table(red=f"boat1,{last}", blue="g7", boats="b1,m7")
        play(game, "person R1", "ashore nw")
        assert not game.is_over
    with pytest.raises(NotationError, match="nobody left"):
        table(red="nw,lost", blue="g6")


@pytest.mark.rule("AT-E1")
def test_the_game_cannot_end_during_placement() -> None:
    game = table(phase="place")
    play(game, "place g6", "place g7")
    assert not game.is_over


def last_swimmer(**words: object) -> Game:
    """A shark is about to take the last of the blue tribe; by option that need not end the game."""
    usual = {"red": "g6", "blue": "a2", "sharks": "a1", "phase": "animal", "spun": "shark-1"}
    return table(**(usual | {"wiped_out_ends": "off"} | words))


@pytest.mark.rule("AT-E4")
def test_by_option_a_tribe_lost_to_the_last_does_not_end_the_game() -> None:
    assert Game.new("atlantis", 2, seed=1).options["wiped_out_ends"] is True
    for option in ("on", "off"):
        game = last_swimmer(wiped_out_ends=option)
        play(game, "shark 1", "to a2")
        assert game.is_over is (option == "on")


@pytest.mark.rule("AT-E4")
def test_by_option_a_tribe_with_somebody_saved_still_ends_the_game() -> None:
    game = last_swimmer(blue="a2,ne")
    play(game, "shark 1", "to a2")
    assert game.is_over
    assert look(game, "ending") == "tribe_gone"


@pytest.mark.rule("AT-E4")
def test_the_player_of_a_lost_tribe_moves_empty_boats_sinks_and_spins() -> None:
    game = last_swimmer(boats="a5", land="d4:dolphin")
    play(game, "shark 1", "to a2")
    assert (look(game, "turn"), look(game, "phase")) == ("2", "move")
    assert actions(game) == ["boat 1", "stop"]
    play(game, "boat 1", "to a6", "stop")
    game.play("sink d4", chance="dolphin-1/1")
    game.play("pass")
    assert look(game, "turn") == "1"


@pytest.mark.rule("AT-E4")
def test_by_option_the_game_ends_when_nobody_of_any_tribe_is_left() -> None:
    game = last_swimmer(red="a2", blue="a2")
    play(game, "shark 1", "to a2")
    assert game.is_over
    assert look(game, "ending") == "tribe_gone"
    assert game.outcome is not None
    assert game.outcome.ranks == (0, 0)


@pytest.mark.rule("AT-E4")
def test_positions_without_a_tribe_are_possible_by_option_only() -> None:
    assert table(red="g6", blue="lost", wiped_out_ends="off").to_move == 0
    for words in (
        {"blue": "lost"},
        {"blue": "ne", "wiped_out_ends": "off"},
        {"red": "lost", "blue": "lost", "wiped_out_ends": "off"},
    ):
        with pytest.raises(NotationError, match="nobody left"):
            table(**({"red": "g6"} | words))
    over = {"red": "g6", "blue": "lost", "phase": "over", "ending": "tribe_gone"}
    assert table(**over).is_over
    with pytest.raises(NotationError, match="tribe_gone"):
        table(**over, wiped_out_ends="off")


@pytest.mark.rule("AT-E2")
@pytest.mark.parametrize(
    ("red", "blue", "yellow", "scores", "ranks"),
    [
        ("boat1", "nw,nw,g6", "g7", (1, 2, 0), (1, 0, 2)),
        ("boat1,se", "nw,nw,g6", "g7", (2, 2, 0), (0, 0, 2)),
        ("boat1,se,se", "nw,lost,g6", "sw,g7", (3, 1, 1), (0, 1, 1)),
    ],
)
def test_the_tribe_with_most_people_saved_wins(
    red: str, blue: str, yellow: str, scores: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    game = table(seats=3, red=red, blue=blue, yellow=yellow, boats="b1")
    play(game, "person R1", "ashore nw")
    assert game.outcome is not None
    assert (game.outcome.scores, game.outcome.ranks) == (scores, ranks)


def no_land(**words: object) -> dict[str, object]:
    return {"red": "a1", "blue": "a7", "sunk": NO_LAND} | words


@pytest.mark.rule("AT-E3")
@pytest.mark.parametrize("seats", [2, 3])
def test_twelve_idle_turns_per_player_end_the_game(seats: int) -> None:
    game = table(**no_land(seats=seats))
    for number in range(12 * seats):
        assert not game.is_over
        assert look(game, "idle") == str(number + 1)
        game.play("stop", chance="shark-1")
    assert game.is_over
    assert look(game, "ending") == "stalemate"
    assert people(game, "red", 1) == ["a1"]


@pytest.mark.rule("AT-E3")
def test_saving_or_losing_a_person_resets_the_idle_count() -> None:
    game = table(**no_land(red="boat1,a1", boats="b1", idle=24))
    play(game, "person R1", "ashore nw")
    assert look(game, "idle") == "0"
    game.play("stop", chance="shark-1")
    assert (game.is_over, look(game, "idle")) == (False, "1")
    eaten = table(**no_land(red="a2,g1", idle=24, sharks="a4", phase="animal", spun="shark-3"))
    play(eaten, "shark 1", "to a3", "to a2")
    assert (eaten.is_over, look(eaten, "idle")) == (False, "1")


@pytest.mark.rule("AT-E3")
def test_idle_turns_are_not_counted_while_a_piece_is_left() -> None:
    game = table(red="a1", blue="a7", sunk="plains hills f6 f7 g5 g6 g7", land="h6:dolphin")
    game.play("stop")
    game.play("sink h6", chance="shark-1")
    assert look(game, "idle") == "0"
    game.play("stop")
    game.play("sink h7", chance="shark-1")
    assert look(game, "idle") == "1"  # the first turn that begins with no piece left


@pytest.mark.rule("AT-E1")
def test_the_end_clears_the_state_of_the_turn() -> None:
    """A monster with two steps left takes the last person of a tribe."""
    game = table(red="g6", blue="a2,ne", monsters="a1", phase="animal", spun="monster-3")
    play(game, "monster 1", "to a2")
    assert game.is_over
    words = ("steps", "chosen", "origin", "spun", "points", "sinking", "swam")
    assert [look(game, word) for word in words] == ["0", "-", "-", "-", "0", "-", "-"]
    assert ATLANTIS.legal_actions(state_of(game)) == []


@pytest.mark.rule("AT-E2")
def test_the_last_seat_can_win() -> None:
    game = table(seats=4, red="boat1", blue="nw,g6", yellow="g7", green="sw,sw,sw,g5", boats="b1")
    play(game, "person R1", "ashore nw")
    assert game.outcome is not None
    assert game.outcome.ranks == (1, 1, 3, 0)


@pytest.mark.rule("AT-M5", "AT-M7")
def test_stepping_ashore_clears_the_sea_step_of_a_person() -> None:
    game = table(red="g6,a1,b2", blue="g7", swimmers_land="on")
    play(game, "person R3", "swim b1", "person R3", "ashore nw")
    assert look(game, "swam") == "-"
    play(game, "person R2", "swim a2")
    assert look(game, "swam") in ("R2", "-")  # - if the moving step is over


@pytest.mark.rule("AT-T1", "AT-E3")
def test_every_position_of_a_game_parses_to_an_equal_state() -> None:
    for seats, seed in ((2, 1), (4, 2)):
        game = Game.new("atlantis", seats, seed=seed)
        choice = Stream(seed)
        while not game.is_over:
            game.play(game.legal[choice.draw(len(game.legal))])
            assert ATLANTIS.parse_position(game.position.text) == game.state
