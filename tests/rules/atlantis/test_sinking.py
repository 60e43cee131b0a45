"""Step 2: sinking a piece, relocating its people, and showing its symbol."""

from __future__ import annotations

import pytest

from archipel.game import Game
from tests.rules.atlantis.tables import (
    NOTHING_SPUN,
    actions,
    look,
    people,
    pieces,
    play,
    refused,
    sink,
    spaces_of,
    state_of,
    table,
)

LAST_TWO = "plains hills f6 f7 g5 g7 h6"  # sunk: g6 and h7 are left, side by side


# ---- the next piece -----------------------------------------------------------------------------


@pytest.mark.rule("AT-K1")
def test_plains_sink_first_then_hills_then_mountains() -> None:
    game = table(red="g6", phase="sink")
    assert actions(game) == [f"sink {space}" for space in spaces_of("plains")]
    assert refused(game, "sink e5") == "AT-K1"
    assert refused(game, "sink c4") == "AT-K1"
    game = table(red="g6", phase="sink", sunk=" ".join(spaces_of("plains")[1:]))
    assert actions(game) == ["sink d4"]
    game = table(red="g6", phase="sink", sunk="plains")
    assert actions(game) == [f"sink {space}" for space in spaces_of("hills")]
    assert refused(game, "sink g6") == "AT-K1"
    game = table(red="g6", phase="sink", sunk="plains hills")
    assert actions(game) == [f"sink {space}" for space in spaces_of("mountains")]


@pytest.mark.rule("AT-K1")
def test_occupied_and_enclosed_pieces_can_be_sunk() -> None:
    game = table(red="d4,g6", phase="sink")
    assert {"sink d4", "sink d5"} <= set(actions(game))
    game = table(red="f6", phase="sink", sunk="plains hills", land="g6:dolphin")
    sink(game, "g6")  # enclosed by the other mountains
    assert pieces(game, "dolphins") == ["g6"]


# ---- relocation ---------------------------------------------------------------------------------


@pytest.mark.rule("AT-K2")
def test_people_on_a_sinking_piece_go_to_any_piece_with_room() -> None:
    game = table(red="d4,g6,g6", blue="g6,j7", phase="sink")
    game.play("sink d4")
    assert look(game, "phase") == "relocate_to"
    places = {text.removeprefix("to ") for text in actions(game)}
    assert places == set(spaces_of("plain") + spaces_of("hill") + spaces_of("mountain")) - {
        *("d4", "g6")
    }
    assert refused(game, "to g6") == "AT-K2"
    assert refused(game, "to d4") == "AT-K2"
    game.play("to j7", chance=NOTHING_SPUN)
    assert people(game, "red", 1) == ["j7"]


@pytest.mark.rule("AT-K2")
def test_the_sinking_player_relocates_all_tribes_in_any_order() -> None:
    game = table(seats=3, red="g6,d4", blue="g7,d4", yellow="g5,d4", turn=3, phase="sink")
    game.play("sink d4")
    assert game.to_move == 2
    assert actions(game) == ["person R2", "person B2", "person Y2"]
    assert refused(game, "person R1") == "AT-K2"
    play(game, "person B2", "to e5")
    assert game.to_move == 2
    assert actions(game) == ["person R2", "person Y2"]
    play(game, "person Y2", "to e5")
    assert look(game, "phase") == "relocate_to"  # the last person needs no choice
    game.play("to f6", chance=NOTHING_SPUN)
    assert (people(game, "red", 2)[1], people(game, "blue", 2)[1]) == ("f6", "e5")
    assert people(game, "yellow", 2)[1] == "e5"


@pytest.mark.rule("AT-K2")
def test_nobody_dives_while_a_piece_has_room() -> None:
    game = table(red="d4,g6", phase="sink")
    game.play("sink d4")
    assert refused(game, "swim c4") == "AT-K2"
    assert all(text.startswith("to ") for text in actions(game))


@pytest.mark.rule("AT-K2")
def test_relocated_people_can_be_the_third_on_a_plain() -> None:
    game = table(red="d4,j7,j7", blue="g6", phase="sink")
    game.play("sink d4")
    assert "to j7" in actions(game)


@pytest.mark.rule("AT-K2", "AT-K3")
def test_people_fill_the_last_room_on_land_before_they_dive() -> None:
    game = table(
        red="h7,h7,g6", blue="h7,g6", sunk=LAST_TWO, phase="sink", land="h7:dolphin,g6:shark"
    )
    game.play("sink h7")
    assert actions(game) == ["person R1", "person R2", "person B1"]
    game.play("person B1")  # goes to the only piece with room automatically
    assert people(game, "blue", 1) == ["g6"]
    play(game, "person R1", "swim i6")
    game.play("swim g7", chance=NOTHING_SPUN)
    assert people(game, "red", 2) == ["i6", "g7"]


@pytest.mark.rule("AT-T3", "AT-K2")
def test_people_go_to_the_only_piece_with_room_automatically() -> None:
    game = table(red="h7,h7,m7", blue="a7", sunk=LAST_TWO, phase="sink", land="h7:dolphin")
    game.play("sink h7", chance=NOTHING_SPUN)
    assert people(game, "red", 2) == ["g6", "g6"]
    assert look(game, "sunk").count("h7") == 1


# ---- diving -------------------------------------------------------------------------------------


def full_island(**words: object) -> Game:
    """g6 is full and h7 is about to sink."""
    given: dict[str, object] = {
        "red": "h7,h7,g6",
        "blue": "h7,g6,g6,a7",
        "sunk": LAST_TWO,
        "phase": "sink",
        "land": "h7:dolphin",
    }
    return table(**(given | words))


@pytest.mark.rule("AT-K3")
def test_people_without_room_dive_beside_the_sunken_piece() -> None:
    game = full_island()
    game.play("sink h7")
    play(game, "person B1")
    assert actions(game) == ["swim g7", "swim h6", "swim h8", "swim i6", "swim i7"]
    assert refused(game, "swim a1") == "AT-K3"
    assert refused(game, "to g6") == "AT-K2"
    play(game, "swim h8", "person R2", "swim h8")
    game.play("swim i7", chance=NOTHING_SPUN)
    assert (people(game, "red", 2), people(game, "blue", 1)) == (["i7", "h8"], ["h8"])


@pytest.mark.rule("AT-K3")
@pytest.mark.parametrize("animal", ["sharks", "monsters"])
def test_nobody_dives_to_a_shark_or_a_monster(animal: str) -> None:
    game = full_island(**{animal: "g7,h6"})
    play(game, "sink h7", "person R1")
    assert actions(game) == ["swim h8", "swim i6", "swim i7"]
    assert refused(game, "swim g7") == "AT-K3"


@pytest.mark.rule("AT-K3", "AT-T3")
def test_people_dive_into_the_only_safe_space_automatically_without_boarding() -> None:
    game = full_island(sharks="g7,h6,h8", monsters="i6", boats="i7")
    game.play("sink h7", chance="octopus-1")
    assert people(game, "red", 2) == ["i7", "i7"]
    assert people(game, "blue", 1) == ["i7"]


NO_WAY_OUT = {"sharks": "g7,h6,h8", "monsters": "i6,i7"}


@pytest.mark.rule("AT-K3", "AT-K6")
def test_people_without_a_safe_space_swim_where_the_piece_was() -> None:
    game = full_island(**NO_WAY_OUT)
    game.play("sink h7", chance="octopus-1")
    assert people(game, "red", 2) == ["h7", "h7"]
    assert pieces(game, "dolphins") == ["h7"]


@pytest.mark.rule("AT-K3")
def test_people_can_dive_to_octopuses_dolphins_and_swimmers() -> None:
    game = full_island(octopuses="g7", dolphins="h6", blue="h7,g6,g6,h8")
    play(game, "sink h7", "person R1")
    assert actions(game) == ["swim g7", "swim h6", "swim h8", "swim i6", "swim i7"]


# ---- the symbol ---------------------------------------------------------------------------------


@pytest.mark.rule("AT-K4")
@pytest.mark.parametrize(
    ("symbol", "word"),
    [
        ("monster", "monsters"),
        ("shark", "sharks"),
        ("octopus", "octopuses"),
        ("dolphin", "dolphins"),
        ("boat", "boats"),
    ],
)
def test_a_symbol_puts_its_animal_or_boat_on_the_uncovered_space(symbol: str, word: str) -> None:
    game = table(red="g6", phase="sink", land=f"d4:{symbol}", **{word: "a7,x"})
    sink(game, "d4", "octopus-1" if symbol == "monster" else NOTHING_SPUN)
    assert pieces(game, word) == ["a7", "x", "d4"]
    assert f"d4:{symbol}" in look(game, "sunk")
    assert state_of(game).land_left == [17, 12, 7]
    assert state_of(game).crowd[game.definition.parse_action(game.state, "to d4")] == 0


@pytest.mark.rule("AT-K4")
def test_the_uncovered_space_becomes_sea() -> None:
    game = table(red="e5", phase="sink", land="d4:boat")
    sink(game, "d4")
    game.play("stop")
    sink(game, "j7")
    play(game, "person R1")
    assert {"swim d4", "board 1"} <= set(actions(game))


@pytest.mark.rule("AT-K4")
@pytest.mark.parametrize(
    ("symbol", "word"),
    [
        ("monster", "monsters"),
        ("shark", "sharks"),
        ("octopus", "octopuses"),
        ("dolphin", "dolphins"),
        ("boat", "boats"),
    ],
)
def test_a_symbol_places_nothing_when_the_stock_is_empty(symbol: str, word: str) -> None:
    count = 12 if symbol == "boat" else 6
    game = table(red="g6", phase="sink", land=f"d4:{symbol}", **{word: ",".join(["x"] * count)})
    sink(game, "d4")
    assert pieces(game, word) == ["x"] * count
    assert state_of(game).space[game.definition.parse_action(game.state, "to d4")] == 0


@pytest.mark.rule("AT-K4", "AT-S6")
def test_the_symbol_is_shown_after_everyone_is_relocated() -> None:
    game = table(red="d4,d4,g6", phase="sink", land="d4:shark")
    game.play("sink d4")
    assert "d4?" in game.view(0).text
    play(game, "person R1", "to e5")
    assert "d4?" in game.view(0).text
    assert pieces(game, "sharks") == []
    game.play("to e5", chance=NOTHING_SPUN)
    assert "d4:shark" in game.view(1).text
    assert pieces(game, "sharks") == ["d4"]


# e7 lies between the sea spaces d6, d7, e6 and e8 and the land f7 and f8.
WHIRL = {"sunk": "plains e5 e6", "land": "e7:whirlpool", "phase": "sink"}


@pytest.mark.rule("AT-K5")
def test_a_whirlpool_takes_everything_on_the_sea_around_it() -> None:
    game = table(
        **WHIRL,
        red="e8,boat1,boat1,g6",
        blue="boat1,e6,e6,a1",
        boats="d6,e8",
        monsters="d7",
        sharks="d6",
        octopuses="d6",
        dolphins="e6,e8",
    )
    sink(game, "e7", "octopus-1")
    assert people(game, "red", 4) == ["lost", "lost", "lost", "g6"]
    assert people(game, "blue", 4) == ["lost", "lost", "lost", "a1"]
    for word, count in (("boats", 2), ("monsters", 1), ("sharks", 1), ("octopuses", 1)):
        assert pieces(game, word) == ["x"] * count
    assert pieces(game, "dolphins") == ["x", "x"]
    assert state_of(game).space[game.definition.parse_action(game.state, "to e7")] == 0


@pytest.mark.rule("AT-K5")
def test_a_whirlpool_spares_land_and_distant_sea() -> None:
    game = table(
        **WHIRL, red="f7,f8,c5,boat1", blue="f7,f8,d5", boats="c6", sharks="c7", dolphins="d5"
    )
    sink(game, "e7", "octopus-1")
    assert people(game, "red", 4) == ["f7", "f8", "c5", "boat1"]
    assert people(game, "blue", 3) == ["f7", "f8", "d5"]
    assert (pieces(game, "boats"), pieces(game, "sharks")) == (["c6"], ["c7"])
    assert pieces(game, "dolphins") == ["d5"]


@pytest.mark.rule("AT-K5")
def test_a_whirlpool_takes_people_who_have_just_dived() -> None:
    game = full_island(land="h7:whirlpool")
    game.play("sink h7")
    play(game, "person B1", "swim h8", "person R1", "swim i6")
    game.play("swim g7", chance=NOTHING_SPUN)
    assert people(game, "red", 3) == ["lost", "lost", "g6"]
    assert people(game, "blue", 4) == ["lost", "g6", "g6", "a7"]


# ---- people in the uncovered space --------------------------------------------------------------


@pytest.mark.rule("AT-K6")
@pytest.mark.parametrize("symbol", ["shark", "monster", "whirlpool"])
def test_sharks_monsters_and_whirlpools_take_people_in_the_uncovered_space(symbol: str) -> None:
    # The position uses three sharks and two monsters, so the stock still has both.
    game = full_island(**NO_WAY_OUT, land=f"h7:{symbol}")
    game.play("sink h7", chance="octopus-1")
    assert people(game, "red", 3) == ["lost", "lost", "g6"]
    assert people(game, "blue", 1) == ["lost"]


@pytest.mark.rule("AT-K6")
def test_octopuses_and_dolphins_harm_nobody_in_the_uncovered_space() -> None:
    for symbol in ("octopus", "dolphin"):
        game = full_island(**NO_WAY_OUT, land=f"h7:{symbol}")
        game.play("sink h7", chance="octopus-1" if symbol == "dolphin" else "dolphin-1/1")
        assert people(game, "red", 2) == ["h7", "h7"]


@pytest.mark.rule("AT-K6")
def test_a_boat_in_the_uncovered_space_stays_empty_beside_swimmers() -> None:
    # The hill i6 hides a boat; all other pieces are full.
    full = "f6,f6,f6,f7,f7,f7,g5,g5,g5"
    game = table(
        seats=3,
        red=f"{full},i6,i6",
        blue="g6,g6,g6,g7,g7,g7,h6,h6,h6,h7,h7,h7",
        yellow="i6,a7",
        sunk="plains e5 e6 e7 f5 f8 g4 g8 h5 h8 i5 i7",
        sharks="i5,i7,j5,j6",
        land="i6:boat",
        phase="sink",
    )
    game.play("sink i6", chance="octopus-1")
    assert pieces(game, "boats") == ["i6"]
    assert people(game, "red", 11)[9:] == ["i6", "i6"]
    assert people(game, "yellow", 1) == ["i6"]
    assert state_of(game).aboard[0] == [0, 0, 0, 0]
