"""Step 4: creatures."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from tests.rules.the_island.tables import actions, look, play, table, where
from tests.rules.the_island.test_moving import refused


def rolled(die: str, white: str = "m7", yellow: str = "m6", **words: object) -> Game:
    given: dict[str, object] = {"land": "f5f f6f", "phase": "creature"} | words
    return table(white=white, yellow=yellow, die=die, **given)


@pytest.mark.rule("IS-X1")
def test_creatures_may_share_a_space() -> None:
    game = rolled("whale", whales="c5,c6", sharks="c6", serpents="c6")
    play(game, "whale 1", "to c6", "stop")
    assert look(game, "whales").startswith("c6,c6")
    assert look(game, "sharks").startswith("c6")
    assert look(game, "serpents").startswith("c6")


@pytest.mark.rule("IS-X2")
def test_a_serpent_moves_one_space() -> None:
    game = rolled("serpent", serpents="c5")
    game.play("serpent 1")
    assert actions(game) == ["to b4", "to b5", "to c4", "to c6", "to d4", "to d5"]
    game.play("to c6")
    assert look(game, "serpents").startswith("c6")
    assert game.to_move == 1


@pytest.mark.rule("IS-X2")
def test_a_serpent_destroys_occupied_boats_and_eats_swimmers() -> None:
    game = rolled(
        "serpent", serpents="c5", boats="c6", white="boat1,c6,m7", yellow="boat1,boat1,c6,f5"
    )
    play(game, "serpent 1", "to c6")
    assert [where(game, f"w{n}") for n in (1, 2, 3)] == ["lost", "lost", "m7"]
    assert [where(game, f"y{n}") for n in (1, 2, 3, 4)] == ["lost", "lost", "lost", "f5"]
    assert look(game, "boats").startswith("x")
    assert look(game, "serpents").startswith("c6")


@pytest.mark.rule("IS-X2")
def test_a_serpent_eats_swimmers_and_spares_an_empty_boat() -> None:
    game = rolled("serpent", serpents="c5", boats="c6", yellow="c6,f5")
    play(game, "serpent 1", "to c6")
    assert look(game, "boats").startswith("c6")
    assert where(game, "y1") == "lost"


@pytest.mark.rule("IS-X3")
def test_a_shark_moves_one_or_two_spaces() -> None:
    game = rolled("shark", sharks="c5")
    play(game, "shark 1", "to c6")
    assert "stop" in actions(game)
    assert "to c5" in actions(game)  # IS-X6: it may return
    game.play("to c7")
    assert look(game, "sharks").startswith("c7")
    assert game.to_move == 1
    game = rolled("shark", sharks="c5")
    play(game, "shark 1", "to c6", "stop")
    assert look(game, "sharks").startswith("c6")
    assert game.to_move == 1


@pytest.mark.rule("IS-X3")
def test_a_shark_stops_at_swimmers_and_eats_them_all() -> None:
    game = rolled("shark", sharks="c5", white="c6,m7", yellow="c6,c6,f5")
    play(game, "shark 1", "to c6")
    assert [where(game, f"w{n}") for n in (1, 2)] == ["lost", "m7"]
    assert [where(game, f"y{n}") for n in (1, 2, 3)] == ["lost", "lost", "f5"]
    assert game.to_move == 1


@pytest.mark.rule("IS-X3")
def test_a_shark_passes_boats_and_their_crews() -> None:
    game = rolled("shark", sharks="c5", boats="c6", yellow="boat1,f5")
    play(game, "shark 1", "to c6", "to c7")
    assert where(game, "y1") == "boat1"
    assert look(game, "sharks").startswith("c7")


@pytest.mark.rule("IS-X4")
def test_a_whale_moves_one_to_three_spaces() -> None:
    game = rolled("whale", whales="c4")
    play(game, "whale 1", "to c5", "to c6")
    assert "stop" in actions(game)
    game.play("to c7")
    assert look(game, "whales").startswith("c7")
    assert game.to_move == 1


@pytest.mark.rule("IS-X4")
def test_a_whale_stops_at_an_occupied_boat_and_capsizes_it() -> None:
    game = rolled("whale", whales="c4", boats="c5", white="m7", yellow="boat1,boat1,f5")
    play(game, "whale 1", "to c5")
    assert look(game, "boats").startswith("x")
    assert [where(game, f"y{n}") for n in (1, 2, 3)] == ["c5", "c5", "f5"]
    assert game.to_move == 1
    # White capsized the boat, so yellow's explorers still have their sea step.
    assert look(game, "swam") == "-"
    play(game, "explorer y1", "swim c6")
    assert where(game, "y1") == "c6"


@pytest.mark.rule("IS-X4")
@pytest.mark.parametrize("company", ["sharks", "serpents"])
def test_a_capsized_crew_is_lost_next_to_a_shark_or_serpent(company: str) -> None:
    given = {company: "c5"}
    game = rolled("whale", whales="c4", boats="c5", yellow="boat1,boat1,f5", **given)
    play(game, "whale 1", "to c5")
    assert [where(game, f"y{n}") for n in (1, 2, 3)] == ["lost", "lost", "f5"]


@pytest.mark.rule("IS-X4")
def test_a_whale_passes_swimmers_and_empty_boats() -> None:
    game = rolled("whale", whales="c4", boats="c5", yellow="c5,c6,f5")
    play(game, "whale 1", "to c5", "to c6", "stop")
    assert [where(game, f"y{n}") for n in (1, 2)] == ["c5", "c6"]
    assert look(game, "boats").startswith("c5")


@pytest.mark.rule("IS-X5")
def test_moving_a_creature_is_optional_and_may_harm_the_players_own_explorers() -> None:
    game = rolled("shark", sharks="c5", white="c6,m7")
    game.play("pass")
    assert game.to_move == 1
    game.undo()
    play(game, "shark 1", "to c6")
    assert where(game, "w1") == "lost"


@pytest.mark.rule("IS-X6")
def test_creatures_stay_in_the_sea() -> None:
    game = rolled("shark", sharks="e4", white="boat1,m7", boats="e3")
    game.play("shark 1")
    assert "to f5" not in actions(game)
    refused(game, "to f5", "IS-X6")
    refused(game, "to a1", "IS-X6")
    with pytest.raises(NotationError, match="IS-X6"):
        rolled("shark", sharks="f5")


@pytest.mark.rule("IS-X6", "IS-C6")
def test_creatures_do_not_enter_safe_islands() -> None:
    game = rolled("shark", sharks="c1")
    game.play("shark 1")
    assert actions(game) == ["to b1", "to c2", "to d1"]


@pytest.mark.rule("IS-X6")
def test_a_creature_acts_only_when_it_enters_a_space() -> None:
    """A whale in the space of a boat that is boarded later does nothing until it enters again."""
    game = rolled("whale", whales="c5", boats="c5", yellow="boat1,f5")
    game.play("pass")
    assert where(game, "y1") == "boat1"
    game = rolled("whale", whales="c5", boats="c5", yellow="boat1,f5")
    play(game, "whale 1", "to c6", "to c5")  # it leaves and enters again
    assert look(game, "boats").startswith("x")
    assert where(game, "y1") == "c5"


@pytest.mark.rule("IS-X4", "IS-X3", "IS-B4")
def test_a_whale_capsizes_a_boat_and_a_shark_eats_its_crew() -> None:
    """The shark comes on the next turn."""
    game = rolled("whale", whales="c4", sharks="c7", boats="c5", yellow="boat1,f5", white="f6,m7")
    play(game, "whale 1", "to c5")
    play(game, "stop")
    play(game, "remove f6", die="shark")
    play(game, "shark 1", "to c6", "to c5")
    assert where(game, "y1") == "lost"
    assert look(game, "phase") == "move"
