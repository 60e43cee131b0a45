"""The end."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.contract import NotationError
from archipel.rules.kit import Stream
from tests.rules.atlantis.tables import look, people, play, refused, state_of, table

NO_LAND = "plains hills mountains"


@pytest.mark.rule("AT-E1")
def test_the_game_ends_when_a_player_has_brought_everyone_ashore() -> None:
    game = table(red="boat1,nw,lost", blue="g6", boats="b1")
    play(game, "person R1", "ashore nw")
    assert game.is_over
    assert look(game, "ending") == "tribe_gone"
    assert look(game, "points") == "0"
    assert people(game, "blue", 1) == ["g6"]  # the others stay where they are
    assert refused(game, "stop") == "AT-E1"


@pytest.mark.rule("AT-E1")
def test_also_when_the_last_one_is_lost_at_anothers_turn() -> None:
    game = table(red="g6", blue="a2,ne", sharks="a1", phase="animal", spun="shark-1")
    play(game, "shark 1", "to a2")
    assert game.is_over
    assert look(game, "turn") == "1"
    assert game.outcome is not None
    assert game.outcome.scores == (0, 1)


@pytest.mark.rule("AT-E1")
def test_a_rescue_is_finished_before_the_end() -> None:
    game = table(red="k4", blue="g6", dolphins="k4")
    play(game, "person R1", "ride se")
    assert game.is_over
    assert look(game, "dolphins").startswith("l10,")


@pytest.mark.rule("AT-E1")
def test_the_effect_under_way_is_finished_for_everyone() -> None:
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
def test_not_while_anybody_is_on_the_island_in_a_boat_or_in_the_water() -> None:
    for last in ("g6", "boat2", "a5"):
        game = table(red=f"boat1,{last}", blue="g7", boats="b1,m7")
        play(game, "person R1", "ashore nw")
        assert not game.is_over
    with pytest.raises(NotationError, match="nobody left"):
        table(red="nw,lost", blue="g6")


@pytest.mark.rule("AT-E1")
def test_nobody_is_done_before_the_first_turn() -> None:
    game = table(phase="place")
    play(game, "place g6", "place g7")
    assert not game.is_over


@pytest.mark.rule("AT-E2")
@pytest.mark.parametrize(
    ("red", "blue", "yellow", "scores", "ranks"),
    [
        ("boat1", "nw,nw,g6", "g7", (1, 2, 0), (1, 0, 2)),
        ("boat1,se", "nw,nw,g6", "g7", (2, 2, 0), (0, 0, 2)),
        ("boat1,se,se", "nw,lost,g6", "sw,g7", (3, 1, 1), (0, 1, 1)),
    ],
)
def test_most_people_on_the_coral_islands_wins_whoever_ended_it(
    red: str, blue: str, yellow: str, scores: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    game = table(seats=3, red=red, blue=blue, yellow=yellow, boats="b1")
    play(game, "person R1", "ashore nw")
    assert game.outcome is not None
    assert (game.outcome.scores, game.outcome.ranks) == (scores, ranks)


def idle(**words: object) -> dict[str, object]:
    return {"red": "a1", "blue": "a7", "sunk": NO_LAND} | words


@pytest.mark.rule("AT-E3")
@pytest.mark.parametrize("seats", [2, 3])
def test_twelve_turns_each_in_which_nothing_happens(seats: int) -> None:
    game = table(**idle(seats=seats))
    for number in range(12 * seats):
        assert not game.is_over
        assert look(game, "idle") == str(number + 1)
        game.play("stop", chance="shark-1")
    assert game.is_over
    assert look(game, "ending") == "stalemate"
    assert people(game, "red", 1) == ["a1"]


@pytest.mark.rule("AT-E3")
def test_the_clock_starts_anew_when_anyone_is_saved_or_lost() -> None:
    game = table(**idle(red="b1,a1", idle=24))
    play(game, "person R1", "ashore nw")
    assert look(game, "idle") == "0"
    game.play("stop", chance="shark-1")
    assert (game.is_over, look(game, "idle")) == (False, "1")
    eaten = table(**idle(red="a2,g1", idle=24, sharks="a4", phase="animal", spun="shark-3"))
    play(eaten, "shark 1", "to a3", "to a2")
    assert (eaten.is_over, look(eaten, "idle")) == (False, "1")


@pytest.mark.rule("AT-E3")
def test_there_is_no_clock_while_a_piece_is_left() -> None:
    game = table(red="a1", blue="a7", sunk="plains hills f6 f7 g5 g6 g7", land="h6:dolphin")
    game.play("stop")
    game.play("sink h6", chance="shark-1")
    assert look(game, "idle") == "0"
    game.play("stop")
    game.play("sink h7", chance="shark-1")
    assert look(game, "idle") == "1"  # the turn that begins now is the first without a piece


@pytest.mark.rule("AT-E1")
def test_at_the_end_nothing_is_under_way() -> None:
    """A monster with two steps left has taken the last of a tribe."""
    game = table(red="g6", blue="a2,ne", monsters="a1", phase="animal", spun="monster-3")
    play(game, "monster 1", "to a2")
    assert game.is_over
    words = ("steps", "chosen", "origin", "spun", "points", "sinking", "swam")
    assert [look(game, word) for word in words] == ["0", "-", "-", "-", "0", "-", "-"]
    assert ATLANTIS.legal_actions(state_of(game)) == []


@pytest.mark.rule("AT-E2")
def test_the_last_seat_may_be_ahead() -> None:
    game = table(seats=4, red="boat1", blue="nw,g6", yellow="g7", green="sw,sw,sw,g5", boats="b1")
    play(game, "person R1", "ashore nw")
    assert game.outcome is not None
    assert game.outcome.ranks == (1, 1, 3, 0)


@pytest.mark.rule("AT-M5", "AT-M7")
def test_nothing_is_remembered_of_those_ashore() -> None:
    game = table(red="g6,a1,b2", blue="g7")
    play(game, "person R3", "swim b1", "person R3", "ashore nw")
    assert look(game, "swam") == "-"
    play(game, "person R2", "swim a2")
    assert look(game, "swam") in ("R2", "-")  # or the step is over


@pytest.mark.rule("AT-T1", "AT-E3")
def test_every_position_of_a_game_reads_back() -> None:
    for seats, seed in ((2, 1), (4, 2)):
        game = Game.new("atlantis", seats, seed=seed)
        choice = Stream(seed)
        while not game.is_over:
            game.play(game.legal[choice.draw(len(game.legal))])
            assert ATLANTIS.parse_position(game.position.text) == game.state
