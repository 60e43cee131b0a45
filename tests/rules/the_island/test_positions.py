"""Positions and actions as text."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from archipel.rules.the_island.definition import THE_ISLAND
from tests.rules.the_island.tables import actions, table


def test_a_minimal_position_gets_default_words() -> None:
    game = Game.from_position("the-island", "seats=2 white=d4", seed=1)
    assert THE_ISLAND.fault(game.state) == 0
    text = game.position.text
    assert "phase=move turn=1 asked=- points=3 chosen=- steps=0" in text
    assert "serpents=b1,c11,g6,k1,l10" in text
    assert len(text.split("land=")[1].split()[0].split(",")) == 40
    assert THE_ISLAND.position_text(THE_ISLAND.parse_position(text)) == text


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("seats=5", "seats=5: expected a number from 2 to 4"),
        ("seats=2 seats=2", "seats is given twice"),
        ("seats=2 nonsense", "made of words like seats=2"),
        ("seats=2 white=d4 fish=3", "fish: a position has no such word"),
        ("seats=2 phase=sleep", "phase=sleep: expected one of"),
        ("seats=2 crowded=maybe", "crowded=maybe: expected on or off"),
        ("seats=2 memory=3", "memory=3: expected numbers of seats"),
        ("seats=2 memory=11", "memory=11"),
        ("seats=2 white=z9", "'z9' is not an explorer"),
        ("seats=2 white=d4:9", "IS-C2"),
        ("seats=2 white=d4 sky=d5", "sky: this colour does not play"),
        ("seats=2 white=" + ",".join(["d4"] * 11), "a colour has 10 explorers"),
        ("seats=2 white=boat1", "IS-M2"),
        ("seats=2 boats=a1 white=boat1,boat1,boat1,boat1", "IS-M2"),
        ("seats=2 boats=a99", "'a99' is not a space"),
        ("seats=2 boats=" + ",".join(["-"] * 13), "IS-C1"),
        ("seats=2 white=d4 land=a1b?", "'a1b\\?' is not a tile"),
        ("seats=2 white=d4 land=d4x", "is not a tile"),
        ("seats=2 white=d4 land=d4b:cake", "backs are shark"),
        ("seats=2 white=d4 land=d4b,d4f", "already somewhere else"),
        ("seats=2 white=j4 out=beach", "out takes terrains, too: beaches, forests, mountains"),
        ("seats=2 white=j4 land=beaches", "'beaches' is not a tile"),
        ("seats=2 white=d4 out=mountains", "the volcano would be among the mountain tiles"),
        ("seats=2 white=d4 out=j4m:volcano", "the volcano was found, but the game goes on"),
        ("seats=2 white=d4 land=d4b:volcano", "IS-C3"),
        ("seats=2 white=d4 hand1=d5b:shark", "IS-K5"),
        ("seats=2 white=d4 hand1=" + ",".join(f"{r}4m" for r in "defhij"), "IS-K5|red"),
        ("seats=2 white=d4 land=" + ",".join(f"{r}5m" for r in "defghij") + ",d4m,e4m", "IS-C1"),
        ("seats=2 white=d4 chosen=x7", "chosen=x7: expected something like"),
        ("seats=2 white=d4 swam=q9", "'q9' is not an explorer"),
        ("seats=2 white=d4 asked=2", "IS-D3"),
        ("seats=2 white=d4 phase=remove points=2", "IS-T2"),
        ("seats=2 white=d4 points=0", "IS-T2"),
        ("seats=2 white=d4 phase=remove swam=w1", "IS-M12"),
        ("seats=2 white=d4 phase=remove wet=w1", "IS-M7"),
        ("seats=2 white=d4 die=shark", "IS-T4"),
        ("seats=2 white=d4 phase=creature", "IS-T4"),
        ("seats=2 white=d4 playing=wind", "IS-T1"),
        ("seats=2 white=d4 phase=tile_piece playing=repel_shark", "IS-T1"),
        ("seats=2 white=d4 steps=2", "steps"),
        ("seats=2 white=d4 chosen=w1", "chosen"),
        ("seats=2 white=d4 phase=move_to", "chosen"),
        ("seats=2 white=d4 phase=move_to chosen=shark1", "IS-T2"),
        ("seats=2 white=d4 phase=move_to chosen=y1", "cannot move"),
        ("seats=2 white=d4 phase=play_tile", "IS-T6"),
        ("seats=2 white=d4 phase=tile_step playing=wind chosen=w1 steps=2", "IS-H1"),
        ("seats=2 white=d4 phase=tile_step playing=wind chosen=boat1 steps=0", "steps"),
        ("seats=2 white=d4 phase=fill_boat chosen=w1", "IS-K8"),
        ("seats=2 white=d4 phase=creature_step die=shark chosen=w1 steps=1", "IS-T4"),
        ("seats=2 white=d4 phase=creature_step die=shark chosen=shark1 steps=1", "IS-T4"),
        ("seats=2 white=d4 phase=creature_step die=serpent chosen=serpent1 steps=3", "IS-X2"),
        ("seats=2 phase=place_explorer white=d4,d5", "IS-S5"),
        ("seats=2 phase=place_explorer white=d4 turn=1", "IS-S5"),
        ("seats=2 phase=place_explorer white=a1 yellow=d4", "w1 is on a1, which is under"),
        ("seats=2 phase=name_value white=d4 yellow=d5 chosen=d4", "IS-S5"),
        ("seats=2 phase=place_boat white=d4", "w2 is at lost"),
        ("seats=2 ending=eruption white=d4", "ending: with phase=over"),
        ("seats=2 phase=over white=nw", "ending: with phase=over"),
    ],
)  # fmt: skip
def test_an_invalid_position_is_reported(words: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        THE_ISLAND.parse_position(words)


@pytest.mark.parametrize(
    "text",
    [
        *("", "dance", "to", "to z9", "explorer b3", "explorer w11", "boat 13", "board x"),
        *("shark 9", "play", "play cake", "play dolphin wind", "white 7", "red 3", "overboard"),
        *("play wind", "to f7 now"),
    ],
)
def test_an_invalid_action_is_refused(text: str) -> None:
    game = table(land="f5f", white="f5", yellow="a1")
    with pytest.raises(NotationError):
        game.play(text)


def test_actions_have_alternative_spellings() -> None:
    game = table(land="f5f", white="f5", yellow="a1", boats="e4")
    game.play("  EXPLORER   W1 ")
    assert "swim e4" in actions(game)
    game.play("to e4")
    game.play("explorer w1")
    game.play("boat 1")  # for board 1
    game.play("pass")
    game.play("to f5")  # for remove f5
    assert game.to_move == 1


def test_equal_tiles_are_distinguished_by_their_space() -> None:
    game = table(
        land="f5f", white="a1", yellow="m7", hand1="d4b:dolphin e4b:dolphin", phase="play_tile"
    )
    with pytest.raises(NotationError, match="which one"):
        game.play("play dolphin")
    game.play("play dolphin e4")
    assert "e4b:dolphin" in game.position.text.split("out=")[1]
