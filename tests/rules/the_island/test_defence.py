"""Defence tiles, played on an opponent's turn."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from tests.rules.the_island.tables import actions, look, play, seen, table, where
from tests.rules.the_island.test_moving import refused

REPEL_SHARKS = ("d4b:repel_shark", "d5f:repel_shark", "d6m:repel_shark")


def attack(die: str, seats: int = 2, **words: object) -> Game:
    """White has rolled the die; the creature is on c4, one step from c5."""
    given: dict[str, object] = {
        "land": "f5f f6f",
        "white": "m7",
        "yellow": "f5",
        f"{die}s": "c4",
        "phase": "creature",
        "die": die,
    }
    return table(seats, **(given | words))


def strike(game: Game, die: str) -> None:
    play(game, f"{die} 1", "to c5")


# ---- sharks -------------------------------------------------------------------------------------


@pytest.mark.rule("IS-D1")
def test_a_shark_can_be_repelled_before_it_bites() -> None:
    game = attack("shark", yellow="c5,f5", white="c5,m7", hand2="d4b:repel_shark")
    strike(game, "shark")
    assert (game.to_move, look(game, "phase")) == (1, "defend")
    assert where(game, "y1") == "c5"
    assert actions(game) == ["no", "yes"]
    game.play("yes")
    assert look(game, "sharks").startswith("x")
    assert (where(game, "y1"), where(game, "w1")) == ("c5", "c5")  # all swimmers survive
    assert look(game, "hand2") == "-"
    assert "d4b:repel_shark" in look(game, "out", 0)
    assert (game.to_move, look(game, "phase")) == (1, "move")  # the creature's move is over


@pytest.mark.rule("IS-D1", "IS-D3")
def test_a_player_may_decline_to_repel_a_shark() -> None:
    game = attack("shark", yellow="c5,f5", white="c5,m7", hand2="d4b:repel_shark")
    strike(game, "shark")
    game.play("no")
    assert (where(game, "y1"), where(game, "w1")) == ("lost", "lost")
    assert look(game, "sharks").startswith("c5")
    assert look(game, "hand2") == "d4b:repel_shark"
    assert look(game, "phase") == "play_tile"  # yellow's turn, with the tile still in hand


@pytest.mark.rule("IS-D1")
def test_a_repelled_shark_goes_no_further() -> None:
    game = attack("shark", yellow="c5,c6,f5", hand2="d4b:repel_shark")
    strike(game, "shark")
    game.play("yes")
    assert where(game, "y2") == "c6"
    assert game.to_move == 1


# ---- whales -------------------------------------------------------------------------------------


@pytest.mark.rule("IS-D2")
def test_a_whale_can_be_repelled_before_it_overturns_the_boat() -> None:
    game = attack("whale", yellow="boat1,f5", white="boat1,m7", boats="c5", hand2="d4f:repel_whale")
    strike(game, "whale")
    assert (game.to_move, look(game, "phase")) == (1, "defend")
    game.play("yes")
    assert look(game, "whales").startswith("x")
    assert look(game, "boats").startswith("c5")
    assert (where(game, "y1"), where(game, "w1")) == ("boat1", "boat1")
    assert look(game, "hand2") == "-"
    assert game.to_move == 1


@pytest.mark.rule("IS-D2")
@pytest.mark.parametrize(
    ("white", "yellow", "asked"),
    [
        ("m7", "boat1,f5", True),
        ("boat1,m7", "boat1,f5", True),  # a tie: both are in command
        ("boat1,boat1,m7", "boat1,f5", False),
        ("boat1,m7", "c5,f5", False),  # a swimmer next to the boat does not count
    ],
)
def test_only_commanders_of_the_boat_are_asked(white: str, yellow: str, asked: bool) -> None:
    game = attack("whale", white=white, yellow=yellow, boats="c5", hand2="d4f:repel_whale")
    strike(game, "whale")
    assert (look(game, "phase") == "defend") == asked
    if not asked:
        assert look(game, "boats").startswith("x")


@pytest.mark.rule("IS-D2")
def test_the_moving_player_is_never_asked() -> None:
    game = attack("whale", white="boat1,m7", yellow="f5", boats="c5", hand1="d4f:repel_whale")
    strike(game, "whale")
    assert look(game, "boats").startswith("x")
    game = attack("shark", white="c5,m7", yellow="f5", hand1="d4f:repel_shark")
    strike(game, "shark")
    assert where(game, "w1") == "lost"


# ---- players asked ------------------------------------------------------------------------------


@pytest.mark.rule("IS-D3")
@pytest.mark.parametrize("hand", ["d4b:wind", "d4f:repel_whale", "d4b:dolphin"])
def test_a_threatened_player_with_any_tile_is_asked(hand: str) -> None:
    game = attack("shark", yellow="c5,f5", hand2=hand)
    strike(game, "shark")
    assert (game.to_move, look(game, "phase")) == (1, "defend")
    assert actions(game) == ["no"]
    refused(game, "yes", "IS-D3")
    refused(game, "remove f5", "IS-D3")


@pytest.mark.rule("IS-D3")
def test_a_refusal_does_not_reveal_the_hand() -> None:
    views, stories = [], []
    for hand in ("d4b:repel_shark", "d4b:wind"):
        game = attack("shark", yellow="c5,f5", hand2=hand)
        strike(game, "shark")
        game.play("no")
        views.append(game.view(0).text)
        stories.append([(event.key, dict(event.details)) for event in game.events()])
        assert all(event.seen_by is None for event in game.events())
    # The views may differ in the removed tiles only.
    strip = [view.split("out=")[0] for view in views]
    assert strip[0] == strip[1]
    assert stories[0] == stories[1]


@pytest.mark.rule("IS-D3")
def test_a_player_without_a_tile_or_a_swimmer_is_not_asked() -> None:
    game = attack("shark", yellow="c5,f5")
    strike(game, "shark")
    assert look(game, "phase") != "defend"
    assert where(game, "y1") == "lost"
    game = attack("shark", white="c5,m7", yellow="f5", hand2="d4b:repel_shark")
    strike(game, "shark")
    assert where(game, "w1") == "lost"  # yellow has no swimmer on c5 and is not asked
    assert look(game, "phase") == "play_tile"


@pytest.mark.rule("IS-D3")
def test_players_are_asked_in_turn_order_after_the_moving_player() -> None:
    game = attack(
        "shark",
        4,
        turn=2,
        white="c5",
        yellow="c5,f5",
        sky="f5",
        vermilion="c5",
        hand1=REPEL_SHARKS[0],
        hand3="d7b:wind",
        hand4=REPEL_SHARKS[1],
    )
    strike(game, "shark")
    order = []
    while look(game, "phase") == "defend":
        order.append(game.to_move)
        game.play("no")
    assert order == [3, 0]  # sky has no swimmer on c5; yellow moved the shark
    assert [where(game, name) for name in ("w1", "y1", "v1")] == ["lost"] * 3


@pytest.mark.rule("IS-D3", "IS-D1")
def test_the_first_yes_repels_the_shark() -> None:
    game = attack(
        "shark",
        3,
        yellow="c5",
        sky="c5",
        hand2=REPEL_SHARKS[0],
        hand3=REPEL_SHARKS[1],
    )
    strike(game, "shark")
    assert game.to_move == 1
    game.play("yes")
    assert look(game, "hand3") == REPEL_SHARKS[1]
    assert (where(game, "y1"), where(game, "s1")) == ("c5", "c5")
    assert look(game, "phase") == "move"
    game = attack("shark", 3, yellow="c5", sky="c5", hand2=REPEL_SHARKS[0], hand3=REPEL_SHARKS[1])
    strike(game, "shark")
    game.play("no")
    assert game.to_move == 2
    game.play("yes")
    assert look(game, "hand2") == REPEL_SHARKS[0]
    assert (where(game, "y1"), where(game, "s1")) == ("c5", "c5")


@pytest.mark.rule("IS-D3", "IS-D2")
def test_players_who_share_command_are_asked_in_turn_order() -> None:
    game = attack(
        "whale", 4, turn=3, white="boat1", yellow="boat1", sky="m7", vermilion="boat1",
        boats="c5", hand1="d4f:repel_whale", hand2="d5f:repel_whale", hand4="d6m:repel_whale",
    )  # fmt: skip
    strike(game, "whale")
    asked = []
    for _ in range(3):
        asked.append(game.to_move)
        game.play("no")
    assert asked == [3, 0, 1]
    assert look(game, "boats").startswith("x")


@pytest.mark.rule("IS-D3")
def test_a_position_can_start_during_a_defence() -> None:
    words = {"yellow": "c5", "sky": "c5", "hand2": "d4b:wind", "hand3": REPEL_SHARKS[1]}
    middle = {"phase": "defend", "sharks": "c5", "chosen": "shark1", "steps": 1}
    game = attack("shark", 3, asked=3, **words, **middle)
    assert game.to_move == 2
    game.play("no")
    assert where(game, "y1") == "lost"
    for asked in (1,):
        with pytest.raises(NotationError, match="IS-D3"):
            attack("shark", 3, asked=asked, **words, **middle)
    with pytest.raises(NotationError, match="IS-D3"):
        attack("shark", 3, asked=2, yellow="f5", sky="c5", hand2="d4b:wind", **middle)


# ---- limits of defence --------------------------------------------------------------------------


@pytest.mark.rule("IS-D4")
def test_a_serpent_cannot_be_repelled() -> None:
    game = attack("serpent", yellow="c5,f5", hand2="d4b:repel_shark d5f:repel_whale")
    strike(game, "serpent")
    assert where(game, "y1") == "lost"
    game = attack("serpent", yellow="boat1,f5", boats="c5", hand2="d5f:repel_whale")
    strike(game, "serpent")
    assert where(game, "y1") == "lost"


@pytest.mark.rule("IS-D4", "IS-X4")
def test_a_waiting_shark_cannot_be_repelled_when_a_whale_capsizes_a_boat() -> None:
    game = attack("whale", yellow="boat1,f5", boats="c5", sharks="c5", hand2="d4b:repel_shark")
    strike(game, "whale")
    assert look(game, "phase") == "defend"  # asked about the whale, with a tile in hand
    assert actions(game) == ["no"]
    game.play("no")
    assert where(game, "y1") == "lost"


@pytest.mark.rule("IS-D5")
def test_the_first_of_several_tiles_is_used() -> None:
    game = attack("shark", yellow="c5,f5", hand2=" ".join(REPEL_SHARKS))
    strike(game, "shark")
    game.play("yes")
    assert look(game, "hand2") == ",".join(REPEL_SHARKS[1:])
    assert seen(game, 0, "hand2") == "d5f?,d6m?"


@pytest.mark.rule("IS-D1", "IS-X3")
def test_a_shark_can_be_repelled_on_its_second_step() -> None:
    game = attack("shark", yellow="c6,f5", hand2="d4b:repel_shark")
    strike(game, "shark")
    assert look(game, "phase") == "creature_step"
    game.play("to c6")
    assert look(game, "phase") == "defend"
    game.play("yes")
    assert look(game, "sharks").startswith("x")
    assert (look(game, "chosen"), look(game, "steps"), look(game, "die")) == ("-", "0", "-")
