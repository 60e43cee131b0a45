"""The end and the score; two players; challenges."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from archipel.rules.kit import Stream
from archipel.rules.options import OptionError
from archipel.rules.the_island.definition import THE_ISLAND
from tests.rules.the_island.tables import actions, look, play, seen, state_of, table, where
from tests.rules.the_island.test_moving import refused


def outcome(game: Game) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    found = game.outcome
    assert found is not None
    return found.scores, found.ranks, found.reason


# ---- the end ------------------------------------------------------------------------------------


@pytest.mark.rule("IS-E1")
def test_the_eruption_ends_the_game_at_once() -> None:
    game = table(
        land="f5m:volcano f6m", white="nw:3,f6,boat1,c1,c2", yellow="se:4,se:1,f5",
        boats="k1", sharks="a5", phase="remove",
    )  # fmt: skip
    move = game.play("remove f5")
    assert move.outcomes == ()  # no step 4
    assert game.is_over
    assert look(game, "white") == "nw,lost,lost,lost,lost,lost,lost,lost,lost,lost"
    assert look(game, "yellow").startswith("se,se,lost")
    assert outcome(game) == ((3, 5), (1, 0), "eruption")
    assert state_of(game).aboard[0] == [0, 0, 0, 0]
    refused(game, "pass", "IS-E1")


@pytest.mark.rule("IS-E2")
@pytest.mark.parametrize(
    ("saved", "scores", "ranks"),
    [
        (("nw:6", "ne:5,sw:1", "se:4"), (6, 6, 4), (0, 0, 2)),
        (("nw:6", "ne:1,sw:1,sw:1", "se:4"), (6, 3, 4), (0, 2, 1)),
        (("lost", "lost", "lost"), (0, 0, 0), (0, 0, 0)),
        (("lost", "lost", "nw:1"), (0, 0, 1), (1, 1, 0)),
        (("nw:2", "lost", "nw:3"), (2, 0, 3), (1, 2, 0)),
    ],
)
def test_the_highest_total_wins_and_a_tie_is_shared(
    saved: tuple[str, str, str], scores: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    game = table(
        3, land="f5m:volcano", white=f"{saved[0]},f5", yellow=saved[1], sky=saved[2], phase="remove"
    )
    game.play("remove f5")
    assert outcome(game)[:2] == (scores, ranks)


@pytest.mark.rule("IS-E3")
def test_the_game_ends_when_nobody_is_left_on_the_board() -> None:
    game = table(land="f5f", white="c1:2,nw", yellow="lost")
    play(game, "explorer w1", "ashore nw")
    assert game.is_over
    assert outcome(game)[2] == "nobody_left"
    game = table(land="f5f", white="e4", yellow="nw:1", sharks="e3")
    play(game, "explorer w1", "swim e3")
    assert game.is_over
    assert outcome(game) == ((0, 1), (1, 0), "nobody_left")


@pytest.mark.rule("IS-E3")
def test_the_game_can_end_during_a_hand_tile_a_removal_or_a_creature_move() -> None:
    game = table(land="f5f", white="e4", sharks="e3", hand1="d4b:dolphin", phase="play_tile")
    play(game, "play dolphin", "explorer w1", "swim e3")
    assert game.is_over
    game = table(land="f5f:shark", white="f5", phase="remove")
    game.play("remove f5")
    assert game.is_over
    assert game.moves[-1].outcomes == ()
    game = table(land="f5f", yellow="e4", sharks="e3", die="shark", phase="creature")
    play(game, "shark 1", "to e4")
    assert game.is_over


@pytest.mark.rule("IS-E3")
def test_a_position_with_nobody_left_must_be_over() -> None:
    with pytest.raises(NotationError, match="IS-E3"):
        table(land="f5f", white="nw", yellow="se", phase="remove")


# ---- two players --------------------------------------------------------------------------------


@pytest.mark.rule("IS-P1")
def test_two_colours_are_for_two_players() -> None:
    for seats in (3, 4):
        with pytest.raises(OptionError, match="IS-P1"):
            Game.new("the-island", seats, two_colours=True)
    with pytest.raises(NotationError, match="IS-P1"):
        table(3, two_colours="on")


@pytest.mark.rule("IS-P1")
def test_with_two_colours_each_player_places_twenty_explorers() -> None:
    game = Game.new("the-island", 2, seed=1, two_colours=True, first=1)
    game.play("place f5")
    assert actions(game) == [f"{c} {v}" for c in ("white", "sky") for v in range(1, 7)]
    game.play("sky 6")
    assert look(game, "sky").startswith("f5,-")
    game.play("place f6")
    assert {text.split()[0] for text in actions(game)} == {"yellow", "vermilion"}
    placed = 1
    game.play("yellow 1")
    while look(game, "phase") != "place_boat":
        if look(game, "phase") == "place_explorer":
            placed += 1
        game.play(game.legal[0])
    assert placed == 39
    assert state_of(game).left == [20, 20, 0, 0]
    boats = 0
    while look(game, "phase") == "place_boat":
        boats += 1
        game.play(game.legal[0])
    assert boats == 4


@pytest.mark.rule("IS-P1")
def test_a_player_controls_both_colours() -> None:
    game = table(
        two_colours="on", land="f5f", white="f5,boat1", sky="e4,boat1", yellow="boat1", boats="c4"
    )
    assert actions(game) == [
        *("explorer w1", "explorer w2", "explorer s1", "explorer s2", "boat 1", "stop")
    ]
    refused(game, "explorer y1", "IS-M10")
    assert state_of(game).aboard[0][:2] == [2, 1]
    assert look(game, "points") == "3"
    # A player still has one turn.
    game.play("stop")
    play(game, "remove f5", die="whale")
    assert game.to_move == 1


@pytest.mark.rule("IS-P1", "IS-D3")
def test_a_swimmer_of_the_second_colour_may_be_defended() -> None:
    game = table(
        two_colours="on", land="f5f", white="m7", vermilion="c5", yellow="f5", sharks="c4",
        die="shark", phase="creature", hand2="d4b:repel_shark",
    )  # fmt: skip
    play(game, "shark 1", "to c5")
    assert (game.to_move, actions(game)) == (1, ["no", "yes"])


@pytest.mark.rule("IS-P1", "IS-E2")
def test_the_scores_of_both_colours_are_added() -> None:
    game = table(
        two_colours="on", land="f5m:volcano", white="nw:6,f5", sky="ne:4", yellow="nw:5",
        vermilion="lost", phase="remove",
    )  # fmt: skip
    game.play("remove f5")
    assert outcome(game)[0] == (10, 5)


# ---- challenges ---------------------------------------------------------------------------------


@pytest.mark.rule("IS-V0")
def test_last_one_and_sunken_exclude_each_other() -> None:
    with pytest.raises(OptionError, match="IS-V0"):
        Game.new("the-island", 2, last_one=True, sunken=True)
    with pytest.raises(NotationError, match="IS-V0"):
        table(last_one="on", sunken="on")
    mixed = {"crowded": True, "all_equal": True, "two_colours": True}
    for other in ("last_one", "sunken"):
        game = Game.new("the-island", 2, seed=1, auto_setup=True, **mixed, **{other: True})
        assert look(game, other) == "on"


@pytest.mark.rule("IS-V1")
def test_crowded_inner_tiles_hold_two_explorers() -> None:
    inner = {"e5", "e6", "e7", "f5", "f8", "g4", "g8", "h5", "h8", "i5", "i6", "i7"}
    game = Game.new("the-island", 2, seed=1, crowded=True, all_equal=True, first=1)
    play(game, "place f5", "place f5")
    assert look(game, "white").startswith("f5")
    assert look(game, "yellow").startswith("f5")
    assert "place f5" not in actions(game)
    refused(game, "place f5", "IS-V1")
    play(game, "place d4", "place e5", "place g4", "place e5")
    assert "place d4" not in actions(game)  # other tiles hold one
    assert "place g5" in actions(game)
    game.play("place g5")  # next to the lake, so not an inner tile
    assert "place g5" not in actions(game)
    assert "place g4" in actions(game)
    for name in sorted(inner - {"f5", "e5"}):
        assert f"place {name}" in actions(game)


@pytest.mark.rule("IS-V1", "IS-S5")
def test_without_crowded_a_tile_holds_one_explorer() -> None:
    game = Game.new("the-island", 2, seed=1, all_equal=True, first=1)
    game.play("place f5")
    assert "place f5" not in actions(game)


@pytest.mark.rule("IS-V1")
def test_crowded_allows_two_explorers_of_one_player() -> None:
    game = table(phase="place_explorer", crowded="on", white="f5", yellow="d4")
    assert "place f5" in actions(game)


@pytest.mark.rule("IS-V2", "IS-V4", "IS-K9")
@pytest.mark.parametrize("option", ["last_one", "sunken"])
def test_the_volcano_acts_as_a_whirlpool(option: str) -> None:
    given = {option: "on"}
    game = table(
        land="f5m:volcano f6m",
        white="f5,f6,e4",
        yellow="f4,c3",
        boats="g4",
        phase="remove",
        **given,
    )
    play(game, "remove f5", die="whale")
    assert not game.is_over
    assert [where(game, name) for name in ("w1", "w2", "w3", "y1", "y2")] == [
        *("lost", "f6", "lost", "lost", "c3")
    ]
    assert look(game, "boats").startswith("x")
    assert game.to_move == 1


@pytest.mark.rule("IS-V2")
def test_last_one_skips_step_three_when_no_tile_is_left() -> None:
    game = table(last_one="on", land="f5m", white="a1", yellow="m7", sharks="a5", phase="remove")
    play(game, "remove f5", die="shark")
    game.play("pass")
    assert look(game, "land") == "-"
    assert game.to_move == 1
    play(game, "stop", die="shark")
    assert look(game, "phase") == "creature"
    assert game.to_move == 1


@pytest.mark.rule("IS-V2", "IS-E3")
def test_last_one_continues_until_nobody_is_left() -> None:
    game = table(last_one="on", land="-", white="c1,b1", yellow="nw")
    play(game, "explorer w1", "ashore nw")
    assert not game.is_over
    play(game, "explorer w2", "ashore nw")
    assert game.is_over
    assert outcome(game)[2] == "nobody_left"


@pytest.mark.rule("IS-V2")
@pytest.mark.parametrize("seats", [2, 3])
def test_last_one_ends_after_twelve_idle_turns_each(seats: int) -> None:
    colours = {"white": "a1,nw:2", "yellow": "m1"} | ({"sky": "m7"} if seats == 3 else {})
    game = table(seats, last_one="on", land="f5m", phase="remove", **colours)
    play(game, "remove f5", die="whale")
    turns = 0
    while not game.is_over:
        assert look(game, "phase") in ("move", "play_tile")
        if look(game, "phase") == "play_tile":
            game.play("pass")
        play(game, "stop", die="whale")
        turns += 1
    assert turns == 12 * seats
    assert outcome(game)[2] == "stalemate"
    assert where(game, "w1") == "lost"
    assert outcome(game)[0][0] == 2


@pytest.mark.rule("IS-V2")
def test_a_saved_or_lost_explorer_resets_the_idle_count() -> None:
    game = table(last_one="on", land="-", white="c1,a1", yellow="m1", idle=23)
    assert look(game, "idle") == "23"
    play(game, "explorer w1", "ashore nw")
    assert look(game, "idle") == "0"
    play(game, "stop", die="whale")
    assert look(game, "idle") == "1"
    game = table(last_one="on", land="-", white="a3,a1", yellow="m1", sharks="a4", idle=24)
    play(game, "explorer w1", "swim a4", "stop", die="whale")
    assert not game.is_over
    game = table(last_one="on", land="-", white="a3,a1", yellow="m1", idle=24)
    play(game, "stop", die="whale")
    assert game.is_over


@pytest.mark.rule("IS-V2")
def test_idle_turns_count_only_when_no_tile_is_left() -> None:
    game = table(last_one="on", land="f5m f6m", white="a1", yellow="m1", phase="remove")
    play(game, "remove f5", die="whale")
    assert look(game, "idle") == "0"
    play(game, "stop", "remove f6", die="whale")
    assert look(game, "idle") == "1"  # the turn that has just begun


@pytest.mark.rule("IS-V3")
def test_all_equal_scores_one_point_per_saved_explorer() -> None:
    game = table(
        all_equal="on", land="f5m:volcano", white="nw,ne,f5", yellow="se,f5", phase="remove"
    )
    assert seen(game, None, "white").startswith("nw:1,ne:1")  # equal values are public
    game.play("remove f5")
    assert outcome(game)[:2] == ((2, 1), (0, 1))
    with pytest.raises(NotationError, match="IS-V3"):
        table(all_equal="on", white="f5:2")


@pytest.mark.rule("IS-V3")
def test_all_equal_asks_for_no_value() -> None:
    game = Game.new("the-island", 2, seed=1, all_equal=True)
    for _ in range(20):
        assert look(game, "phase") == "place_explorer"
        game.play(game.legal[0])
    assert look(game, "phase") == "place_boat"
    assert state_of(game).value == [1] * 20 + [0] * 20


@pytest.mark.rule("IS-V4")
def test_sunken_ends_when_the_last_tile_is_removed() -> None:
    game = table(sunken="on", land="f5m f6m", white="nw:2,a1", yellow="m7", phase="remove")
    play(game, "remove f5", die="whale")
    assert not game.is_over
    game.play("stop")
    move = game.play("remove f6")
    assert move.outcomes == ()  # no step 4
    assert game.is_over
    assert outcome(game) == ((2, 0), (0, 1), "last_tile")
    assert where(game, "w2") == "lost"


@pytest.mark.rule("IS-V4", "IS-K8")
def test_sunken_applies_the_effect_of_the_last_tile() -> None:
    given = {"sunken": "on", "yellow": "m7", "phase": "remove"}
    game = table(land="f5f:boat", white="f5,f5,f5,f5", **given)
    game.play("remove f5")
    assert look(game, "phase") == "fill_boat"
    play(game, "explorer w1", "explorer w2", "explorer w3")
    assert game.is_over
    assert outcome(game)[2] == "last_tile"
    game = table(land="f5m:whirlpool", white="f5", **given)
    game.play("remove f5")
    assert game.is_over


@pytest.mark.rule("IS-E1", "IS-V2", "IS-V4")
def test_the_volcano_can_be_removed_only_under_a_variant() -> None:
    land = "land=j7m:whirlpool out=j6m:volcano"
    with pytest.raises(NotationError, match="IS-E1"):
        THE_ISLAND.parse_position(f"seats=2 {land} white=d4 serpents=-")
    assert THE_ISLAND.parse_position(f"seats=2 sunken=on {land} white=d4 serpents=-")


@pytest.mark.rule("IS-T2", "IS-E1")
def test_every_position_of_a_game_reads_back() -> None:
    for seats, seed, options in ((2, 1, {"last_one": True}), (4, 2, {"strict_swimming": True})):
        game = Game.new("the-island", seats, seed=seed, auto_setup=True, **options)
        choice = Stream(seed)
        while not game.is_over:
            game.play(game.legal[choice.draw(len(game.legal))])
            assert THE_ISLAND.parse_position(game.position.text) == game.state
        assert THE_ISLAND.legal_actions(state_of(game)) == []
