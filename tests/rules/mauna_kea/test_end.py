"""The end of the base game, the scores and the ranking."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from archipel.rules.kit import Tape, clone
from archipel.rules.mauna_kea import end, reach
from archipel.rules.mauna_kea.components import ARTEFACTS, MOST_EXPLORERS
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.end import artefacts_carried
from archipel.rules.mauna_kea.state import ArtefactPlace, State
from tests.rules.mauna_kea.tables import actions, expert, in_bag, look, play, state_of, table

LAST_BOARDS = {"board": "b1:jjjj3", "explorers1": "b1nw", "pool": 1}

# Explorers on e4 can only leave northwards, where no tile lies yet.
ALMOST_CLOSED = {
    "board": "d4:jjmm2.3,f4:jjmm2.1",
    "explorers1": "e4nw",
    "explorers2": "e4ne",
    "front1": "jjmm2",
}


def ending(game: Game) -> str:
    return look(game, "ending")


# ---- end triggers -------------------------------------------------------------------------------


@pytest.mark.rule("MK-E1")
def test_a_player_without_explorers_triggers_the_end() -> None:
    game = play(table(**LAST_BOARDS), "explorer 1", "board")
    assert ending(game) == "no-explorer"
    assert look(game, "closer") == "1"


@pytest.mark.rule("MK-E1")
def test_the_end_waits_while_every_player_has_an_explorer() -> None:
    game = table(**(LAST_BOARDS | {"explorers1": "b1nw,e4nw"}))
    assert ending(play(game, "explorer 1", "board")) == "-"


@pytest.mark.rule("MK-E1", "MK-L3")
def test_lava_that_takes_another_players_last_explorer_triggers_the_end() -> None:
    game = play(table(3, explorers1="f5nw", explorers2="e4nw"), "end play [north-straight]")
    assert (ending(game), look(game, "closer"), look(game, "turn")) == ("no-explorer", "1", "1")


@pytest.mark.rule("MK-E1")
def test_a_tile_that_closes_the_last_way_out_triggers_the_end() -> None:
    game = play(table(**ALMOST_CLOSED), "tile 1", "at e3")
    assert ending(play(game, "turn 0")) == "no-way-out"
    game.undo()
    assert ending(play(game, "turn 1")) == "-"


@pytest.mark.rule("MK-E1")
def test_lakes_empty_spaces_and_occupied_cells_count_as_ways_out() -> None:
    closed = {"board": "d4:jjmm2.3,f4:jjmm2.1", "explorers1": "e4nw"}
    game = table(**closed, explorers2="e4ne", front1="jjll2")
    assert ending(play(game, "tile 1", "at e3", "turn 0")) == "-"
    # The only way out, over e3sw, is occupied.
    board = "d4:jjmm2.3,f4:jjmm2.1,e3:jjjm3"
    game = table(board=board, explorers1="e4nw", explorers2="e3sw,e4ne", front1="llll1")
    assert ending(play(game, "tile 1", "at a1")) == "-"


@pytest.mark.rule("MK-E1")
def test_one_explorer_with_a_way_out_prevents_the_end() -> None:
    game = table(**(ALMOST_CLOSED | {"explorers2": "e6nw"}))
    assert ending(play(game, "tile 1", "at e3", "turn 0")) == "-"


@pytest.mark.rule("MK-E1")
def test_taking_the_last_boat_triggers_the_end() -> None:
    game = table(
        board="b1:jjjj3",
        boats="1,1,1,2,2,2,2,n1",
        explorers1="b1nw,e4nw,saved,saved,saved",
        explorers2="e6nw,saved,saved,saved,saved",
        pool=1,
    )
    assert ending(play(game, "explorer 1", "board")) == "no-way-out"


@pytest.mark.rule("MK-E1")
def test_lava_that_cuts_off_every_explorer_triggers_the_end() -> None:
    # Both stand on a3 beside a cove without a boat; a4 is the only way out.
    words = {
        "board": "a3:jjjj3,b3:jjmm2.1,a2:jjmm2",
        "west": "straight@d5w^0,straight@c5w^1,straight@b5w^2,right@a5w^3",
        "explorers1": "a3nw,saved",
        "explorers2": "a3ne",
    }
    game = table(**words, boats="n1,n2,e1,e2,s1,s2,1,w2")
    assert ending(play(game, "end play [jjjj3 west-left]")) == "no-way-out"
    # With the boat still in that cove, both can board it.
    words["explorers1"] = "a3nw"
    assert ending(play(table(**words), "end play [jjjj3 west-left jjjj3]")) == "-"


@pytest.mark.rule("MK-E1")
def test_the_way_out_is_checked_only_when_it_may_have_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only after a laid tile, a boarding or lava, because the check is expensive."""
    asked = []

    def somebody_can_leave(s: State) -> bool:
        asked.append(s)
        return reach.somebody_can_leave(s)

    words = {"board": "b1:jjjj3", "explorers1": "e4nw,b1nw", "white": "e4nw", "pool": 3}
    game = table(**words, front1="jjjj3,jjll2")
    monkeypatch.setattr(end, "somebody_can_leave", somebody_can_leave)
    play(game, "explorer 1", "take white", "east", "spend 2", "explorer 2")
    assert asked == []
    play(game, "board")
    assert len(asked) == 1
    play(game, "tile 1", "at d4")
    assert len(asked) == 2
    before = clone(state_of(game))
    move = game.play("end play", chance="jjjj3 east-left west-left jjll2")
    asked.clear()
    MAUNA_KEA.apply(before, int(move.action), Tape(move.outcomes))
    assert before == state_of(game)
    assert len(asked) == 2


@pytest.mark.rule("MK-E1")
def test_a_position_with_an_unmarked_end_is_refused() -> None:
    with pytest.raises(NotationError, match="MK-E1"):
        table(explorers1="lost")
    closed = ALMOST_CLOSED | {"board": "d4:jjmm2.3,f4:jjmm2.1,e3:jjmm2"}
    with pytest.raises(NotationError, match="MK-E1"):
        table(**closed)


# ---- the last turns -----------------------------------------------------------------------------


@pytest.mark.rule("MK-E2")
def test_every_player_has_one_last_turn_with_the_tiles_in_front() -> None:
    game = table(3, **LAST_BOARDS, front1="jjjj3,jjll2", front2="jjjl3", front3="jjjm3")
    play(game, "explorer 1", "board")
    assert actions(game) == ["end play", "tile 1", "tile 2", "spend 1", "spend 2"]
    play(game, "tile 1", "at e3", "end play")
    assert (look(game, "turn"), look(game, "front2")) == ("2", "jjjl3")
    play(game, "spend 1", "explorer 1", "east", "end play")
    assert (look(game, "turn"), look(game, "front3")) == ("3", "jjjm3")
    play(game, "end play")
    assert game.is_over
    assert [look(game, f"front{seat}") for seat in (1, 2, 3)] == ["-", "-", "-"]


@pytest.mark.rule("MK-E2", "MK-E4")
def test_no_tiles_are_drawn_in_the_last_turns() -> None:
    game = play(table(3, **LAST_BOARDS), "explorer 1", "board")
    for _ in range(3):
        move = game.play("end play")
        assert move.outcomes == ()
    assert game.is_over


@pytest.mark.rule("MK-E2")
def test_last_turns_go_clockwise_from_the_seat_that_ended_the_game() -> None:
    game = table(3, turn=3, board="b1:jjjj3", explorers3="b1nw", pool=1)
    play(game, "explorer 1", "board")
    order = []
    while not game.is_over:
        order.append(game.to_move)
        play(game, "end play")
    assert order == [2, 0, 1]


@pytest.mark.rule("MK-E2")
def test_players_without_explorers_have_a_last_turn_too() -> None:
    game = table(3, explorers1="f5nw", explorers2="e4nw", front2="jjjj3")
    play(game, "end play [north-straight]", "end play")
    assert look(game, "turn") == "2"
    assert actions(game) == ["end play", "tile 1", "spend 1"]


@pytest.mark.rule("MK-E2")
def test_an_end_trigger_stops_the_refill_and_the_drawn_tiles_are_playable() -> None:
    game = table(3, explorers1="f5nw", explorers2="e4nw")
    move = game.play("end play", chance="jjll2 north-straight")
    assert len(move.outcomes) == 2
    assert (look(game, "phase"), look(game, "turn"), look(game, "front1")) == ("play", "1", "jjll2")
    play(game, "spend 1", "explorer 1", "east", "end play")
    assert look(game, "turn") == "2"
    assert in_bag(game, "jjll2") == 4


@pytest.mark.rule("MK-E4")
def test_by_option_the_others_refill_in_their_last_turn() -> None:
    assert Game.new("mauna-kea", 2, seed=1).options["last_refill"] is False
    game = table(3, **LAST_BOARDS, last_refill="on", front1="jjjj3", front2="jjjj3")
    play(game, "explorer 1", "board")
    assert game.play("end play").outcomes == ()  # the seat that began the end
    play(game, "tile 1", "at e3")
    move = game.play("end play", chance="jjjj3 east-straight jjll2")
    assert len(move.outcomes) == 3
    assert (look(game, "turn"), look(game, "front2")) == ("3", "jjjj3,jjll2")
    assert len(game.play("end play", chance="jjjj3 jjjl3").outcomes) == 2
    assert game.is_over
    assert look(game, "front3") == "jjjj3,jjjl3"


@pytest.mark.rule("MK-E4", "MK-L3")
def test_lava_of_a_last_turn_takes_explorers_and_gives_no_other_turn() -> None:
    game = table(3, **LAST_BOARDS, last_refill="on", explorers2="f5nw", explorers3="e6nw")
    play(game, "explorer 1", "board", "end play", "end play [south-straight jjjj3 jjll2]")
    assert look(game, "explorers3").startswith("lost")
    assert (look(game, "turn"), look(game, "closer")) == ("3", "1")
    play(game, "end play [jjjj3 jjll2]")
    assert game.is_over


@pytest.mark.rule("MK-E4", "MK-E2")
def test_by_option_an_end_trigger_still_stops_the_refill() -> None:
    game = table(3, explorers1="f5nw", explorers2="e4nw", last_refill="on")
    move = game.play("end play", chance="jjll2 north-straight")
    assert len(move.outcomes) == 2
    assert (look(game, "phase"), look(game, "turn"), look(game, "front1")) == ("play", "1", "jjll2")
    assert game.play("end play").outcomes == ()
    assert len(game.play("end play", chance="jjjj3 jjjj3").outcomes) == 2


@pytest.mark.rule("MK-E4", "MK-X3")
def test_the_expert_game_has_no_last_refill() -> None:
    game = expert(board="b1:jjjj3", explorers1="b1nw", pool=1, last_refill="on")
    play(game, "explorer 1", "board")
    assert game.play("end play").outcomes == ()
    assert game.is_over


# ---- the clock of quiet turns -------------------------------------------------------------------


@pytest.mark.rule("MK-E3")
@pytest.mark.parametrize(("seats", "quiet"), [(2, 24), (3, 36), (4, 48)])
def test_twelve_quiet_rounds_end_the_game(seats: int, quiet: int) -> None:
    game = play(table(seats, quiet=quiet - 1), "end play [jjjj3 jjll2]")
    assert game.is_over
    assert game.outcome is not None
    assert game.outcome.reason == "clock"
    game = play(table(seats, quiet=quiet - 2), "end play [jjjj3 jjll2]")
    assert not game.is_over
    assert look(game, "quiet") == str(quiet - 1)


@pytest.mark.rule("MK-E3")
def test_a_laid_tile_lava_or_a_boarding_resets_the_clock() -> None:
    refill = "end play [jjjj3 jjll2]"
    game = play(table(quiet=23, front1="jjjj3"), "tile 1", "at a1", refill)
    assert look(game, "quiet") == "-"
    game = play(table(quiet=23), "end play [east-straight jjjj3 jjll2]")
    assert look(game, "quiet") == "-"
    words = {"quiet": 23, "board": "b1:jjjj3", "explorers1": "b1nw,e4nw", "pool": 1}
    game = play(table(**words), "explorer 1", "board", refill)
    assert look(game, "quiet") == "-"
    assert not game.is_over


@pytest.mark.rule("MK-E3")
def test_walking_does_not_reset_the_clock() -> None:
    game = play(table(quiet=23, pool=2), "explorer 1", "east", "end play [jjjj3 jjll2]")
    assert game.is_over


# ---- scores -------------------------------------------------------------------------------------


def scores(**words: object) -> tuple[int, ...]:
    game = table(**({"phase": "over", "ending": "clock"} | words))
    assert game.outcome is not None
    return game.outcome.scores


SAVED_ONE = {"explorers1": "saved", "boats": "1,n2,e1,e2,s1,s2,w1,w2"}


@pytest.mark.rule("MK-G1")
@pytest.mark.parametrize(
    ("words", "points"),
    [
        ({"white": "boat1,boat1", "grey": "boat1"}, 7),
        ({"white": "boat1,boat1"}, 4),
        ({}, 0),
        ({"black": "boat1"}, 4),
        ({"black": "boat1", "grey": "boat1,boat1"}, 10),
        ({"white": "boat1", "grey": "1.2", "explorers1": "saved,e4nw"}, 2),
    ],
)
def test_score_of_explorer_artefacts_and_empty_places(words: dict[str, str], points: int) -> None:
    assert scores(**(SAVED_ONE | words)) == (points, 0)


@pytest.mark.rule("MK-G1")
def test_scores_add_up_over_several_boats() -> None:
    words = {"explorers1": "saved,saved", "explorers2": "saved", "white": "boat4,boat8"}
    assert scores(**words, boats="n1,n2,e1,1,s1,s2,1,2") == (4 + 1, 4)


@pytest.mark.rule("MK-G1")
def test_no_boat_scores_below_zero() -> None:
    for boat in range(8):
        boats = ["n1", "n2", "e1", "e2", "s1", "s2", "w1", "w2"]
        boats[boat] = "1"
        assert scores(explorers1="saved", boats=",".join(boats))[0] >= 0


def ranks(**words: object) -> tuple[int, ...]:
    game = table(3, **({"phase": "over", "ending": "clock"} | words))
    assert game.outcome is not None
    return game.outcome.ranks


@pytest.mark.rule("MK-G2")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"explorers1": "e4nw", "explorers2": "e6nw", "explorers3": "d5nw"}, (0, 0, 0)),
        ({"explorers1": "lost", "explorers2": "e6nw,e6ne", "explorers3": "d5nw"}, (2, 0, 1)),
        ({"explorers1": "e4nw", "explorers2": "e6nw", "white": "2.1"}, (1, 0, 1)),
        ({"grey": "3.1", "white": "2.1,2.1"}, (2, 0, 1)),
        ({"explorers1": "e4nw,e4ne", "explorers2": "e6nw", "white": "2.1,2.1,2.1"}, (0, 1, 2)),
        (
            {
                "explorers1": "saved",
                "boats": "1,n2,e1,e2,s1,s2,w1,w2",
                "white": "boat1",
                "explorers2": "e6nw",
                "explorers3": "d5nw",
            },
            (0, 1, 1),
        ),
    ],
)
def test_explorers_then_loads_break_ties(words: dict[str, str], expected: tuple[int, ...]) -> None:
    assert ranks(**words) == expected


@pytest.mark.rule("MK-G2")
@pytest.mark.parametrize("number", range(1, 6))
def test_the_load_of_each_explorer_breaks_ties(number: int) -> None:
    cells = ",".join(f"e6{quarter}" for quarter in ("nw", "ne", "sw", "se"))
    words = {"explorers1": "e4nw,e4ne,e4sw,e4se,d5nw", "explorers2": f"{cells},f5nw"}
    over = {"phase": "over", "ending": "clock"}
    outcome = table(**over, **words, white=f"2.{number}").outcome
    assert outcome is not None
    assert outcome.ranks == (1, 0)


@pytest.mark.rule("MK-G2")
def test_each_artefact_counts_for_its_carrier() -> None:
    for artefact in range(ARTEFACTS):
        s = State(seats=2)
        s.artefact[artefact] = ArtefactPlace.CARRIED + MOST_EXPLORERS + artefact % MOST_EXPLORERS
        assert [artefacts_carried(s, seat) for seat in range(2)] == [0, 1]


@pytest.mark.rule("MK-G2")
def test_artefacts_on_the_ground_break_no_tie() -> None:
    assert ranks(white="e4nw,e4nw") == (0, 0, 0)


def test_the_end_clears_the_active_explorer_and_handled_artefacts() -> None:
    game = table(**LAST_BOARDS, explorers2="e6nw", white="e6nw")
    play(game, "explorer 1", "board", "end play", "explorer 1", "take white", "end play")
    assert game.is_over
    assert (look(game, "handled"), look(game, "active")) == ("-", "-")
