"""The expert game: cards, the end, objectives."""

from __future__ import annotations

import itertools

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError, RuleError
from archipel.rules.kit import Stream
from archipel.rules.mauna_kea.box_files import BOX
from archipel.rules.mauna_kea.components import CARD_NAMES
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from tests.rules.mauna_kea.tables import actions, expert, gone, in_bag, look, play, table
from tests.support.recording_tape import RecordingTape

TWO = {"explorers1": "e4nw,e4ne", "explorers2": "e6nw,e6ne"}


def holding(*cards: str, **words: object) -> Game:
    """A game where seat 1 holds these cards, filled up to four with objectives."""
    spare = ["1black", "2grey", "3white", "4white"]
    hand = [*cards, *spare[: 4 - len(cards)]]
    return expert(**({"cards1": ",".join(hand)} | TWO | words))


def playable(game: Game) -> list[str]:
    return [text.removeprefix("card ") for text in actions(game) if text.startswith("card")]


# ---- the deal -----------------------------------------------------------------------------------


@pytest.mark.rule("MK-X1")
def test_each_player_is_dealt_six_cards_uniformly() -> None:
    tape = RecordingTape()
    s = MAUNA_KEA.new(MAUNA_KEA.make_options(3, expert=True, first=1), tape)
    assert tape.sizes[56:] == list(range(30, 12, -1))
    assert all(card >= 0 for hand in s.hand[:3] for card in hand)
    assert s.hand[3] == [-2] * 6


@pytest.mark.rule("MK-X1")
def test_the_base_game_deals_no_cards() -> None:
    s = MAUNA_KEA.new(MAUNA_KEA.make_options(2), RecordingTape())
    assert all(card == -2 for hand in s.hand for card in hand)


@pytest.mark.rule("MK-X1")
def test_each_player_rejects_two_cards_in_placement_order() -> None:
    game = Game.new("mauna-kea", 3, seed=4, expert=True, first=2)
    order = []
    while look(game, "phase") == "choose":
        order.append(game.to_move)
        game.play(game.legal[0])
    assert order == [1, 1, 0, 0, 2, 2]
    assert look(game, "phase") == "place"
    for seat in (1, 2, 3):
        assert len(look(game, f"cards{seat}").split(",")) == 4
        assert len(look(game, f"rejected{seat}").split(",")) == 2


@pytest.mark.rule("MK-X1", "MK-C5")
def test_equal_cards_are_offered_once() -> None:
    cards = "jungle,jungle,lake,helicopter,no-penalty,no-penalty"
    game = expert(phase="choose", explorers1="-", explorers2="-", cards1=cards)
    expected = ["reject jungle", "reject lake", "reject helicopter", "reject no-penalty"]
    assert actions(game) == expected
    play(game, "reject no-penalty", "reject jungle")
    assert look(game, "cards1") == "jungle,lake,helicopter,no-penalty"
    assert look(game, "rejected1") == "jungle,no-penalty"
    assert look(game, "turn") == "2"


# ---- the end ------------------------------------------------------------------------------------


@pytest.mark.rule("MK-X3")
def test_a_player_without_explorers_ends_the_game_without_last_turns() -> None:
    words = {"explorers1": "b1nw", "board": "b1:jjjj3", "pool": 1, "front1": "jjjj3"}
    game = expert(3, **words)
    play(game, "explorer 1", "board")
    assert look(game, "ending") == "no-explorer"
    assert "tile 1" in actions(game)
    play(game, "end play")
    assert game.is_over


@pytest.mark.rule("MK-X3")
def test_no_way_out_does_not_end_the_expert_game() -> None:
    game = expert(
        board="d4:jjmm2.3,f4:jjmm2.1", explorers1="e4nw", explorers2="e4ne", front1="jjmm2"
    )
    play(game, "tile 1", "at e3", "turn 0")
    assert look(game, "ending") == "-"


@pytest.mark.rule("MK-X3")
def test_the_clock_does_not_end_the_expert_game() -> None:
    game = expert(quiet=24)
    play(game, "end play", "draw [jjjj3]", "draw [jjll2]", "end turn")
    assert not game.is_over


@pytest.mark.rule("MK-X3")
def test_an_empty_bag_ends_the_refill_and_the_drawn_tiles_are_playable() -> None:
    game = expert(bag="jjll2,llll1", cards1="helicopter,1black,2grey,3white", **TWO)
    play(game, "end play", "draw [jjll2]")
    assert look(game, "ending") == "-"
    play(game, "draw [llll1]")
    assert (look(game, "ending"), look(game, "phase")) == ("empty-bag", "play")
    assert look(game, "front1") == "jjll2,llll1"
    assert playable(game) == ["helicopter"]
    play(game, "spend 1", "explorer 1", "south", "end play")
    assert game.is_over
    assert game.outcome is not None
    assert game.outcome.reason == "empty_bag"


@pytest.mark.rule("MK-X3", "MK-L7")
@pytest.mark.parametrize("lava", ["north-straight", "west-fork"])
def test_lava_set_aside_counts_as_still_in_the_bag(lava: str) -> None:
    game = expert(**TWO, quiet_first_round="on", bag=f"jjjj3,{lava}")
    play(game, "end play", f"draw [{lava}]", "draw [jjjj3]")
    assert look(game, "ending") == "-"
    play(game, "end turn")
    assert in_bag(game, lava) == 1


@pytest.mark.rule("MK-X3")
def test_lava_drawn_last_is_placed_before_the_end_begins() -> None:
    game = expert(bag="east-left")
    play(game, "end play", "draw [east-left]")
    assert look(game, "east") == "left@f5e^0"
    assert (look(game, "ending"), look(game, "phase")) == ("empty-bag", "play")


@pytest.mark.rule("MK-X3", "MK-X7")
def test_an_earthquake_can_empty_the_bag() -> None:
    game = holding("earthquake", bag="jjll2", front1="jjjj3")
    play(game, "card earthquake", "draw [jjll2]")
    assert look(game, "ending") == "empty-bag"
    play(game, "at a1", "turn 0")
    assert "tile 1" in actions(game)
    play(game, "end play")
    assert game.is_over


@pytest.mark.rule("MK-X3")
def test_an_end_trigger_between_draws_returns_to_the_play_phase() -> None:
    words = {"explorers2": "f5nw", "front1": "jjjj3"}
    game = holding("earthquake", **words)
    play(game, "end play", "draw [jjll2]", "card earthquake", "draw [east-straight]")
    assert (look(game, "ending"), look(game, "phase")) == ("no-explorer", "play")
    assert look(game, "front1") == "jjll2"
    play(game, "end play")
    assert game.is_over


# ---- playing cards ------------------------------------------------------------------------------


@pytest.mark.rule("MK-X4")
def test_cards_are_free_to_play_at_any_time_and_used_once() -> None:
    game = holding("jungle", "helicopter", "helicopter", front1="jjjj3")
    play(game, "spend 1")
    assert playable(game) == ["jungle", "helicopter"]
    play(game, "card helicopter", "explorer 1")
    assert look(game, "pool") == "3"
    assert look(game, "cards1") == "jungle,helicopter,1black"
    assert look(game, "played") == "helicopter"


@pytest.mark.rule("MK-X4")
def test_cards_can_be_played_between_and_after_the_draws() -> None:
    game = holding("jungle", "helicopter")
    play(game, "end play")
    assert playable(game) == ["jungle", "helicopter"]
    assert actions(game)[-1] == "draw"
    play(game, "draw [jjjj3]", "card helicopter", "explorer 2", "draw [jjll2]")
    assert actions(game) == ["card jungle", "end turn"]
    play(game, "card jungle", "explorer 1", "to e4se", "end turn")
    assert look(game, "turn") == "2"


@pytest.mark.rule("MK-X4", "MK-A3")
def test_several_artefacts_can_be_handled_between_draws() -> None:
    game = play(holding(white="e4nw", grey="e4nw"), "end play", "explorer 1", "take white")
    assert look(game, "phase") == "refill"
    play(game, "take grey")
    assert look(game, "phase") == "refill"
    assert "draw" in actions(game)
    assert "end play" not in actions(game)


@pytest.mark.rule("MK-X4")
def test_a_card_between_draws_returns_to_the_refill_phase() -> None:
    game = play(holding("helicopter"), "end play", "card helicopter", "explorer 1")
    assert (look(game, "phase"), look(game, "resume"), look(game, "card")) == ("refill", "-", "-")


@pytest.mark.rule("MK-X4")
def test_only_own_cards_can_be_played_and_only_in_the_expert_game() -> None:
    game = expert(cards1="1black,2grey,3white,4white", cards2="jungle,lake,lake,mountain", **TWO)
    assert playable(game) == []
    with pytest.raises(RuleError, match="MK-X4"):
        game.play("card jungle")
    with pytest.raises(RuleError, match="MK-X4"):
        table().play("card jungle")


@pytest.mark.rule("MK-X4")
@pytest.mark.parametrize(
    ("card", "board", "possible"),
    [
        ("lake", "-", False),
        ("lake", "e3:llll1", True),
        ("mountain", "-", False),
        ("mountain", "e3:jmmm1", True),
        ("mountain", "e3:lmml1", True),
        ("mountain", "e3:lmml1.1", False),
        ("jungle", "-", True),
    ],
)
def test_a_card_that_changes_nothing_cannot_be_played(
    card: str, board: str, possible: bool
) -> None:
    game = holding(card, board=board, explorers1="e4nw")
    assert playable(game) == ([card] if possible else [])


@pytest.mark.rule("MK-X4")
def test_a_movement_card_needs_a_cell_to_reach() -> None:
    game = holding("jungle", explorers1="e4nw,e4ne,e4sw,e4se")
    assert playable(game) == []
    game = holding("mountain", explorers1="e4nw,e4ne,e4sw,e4se", board="e3:llmm1")
    assert playable(game) == ["mountain"]
    # A mountain surrounded only by its own cells and explorers.
    words = {"explorers1": "e4nw,e4ne", "explorers2": "e3nw,e6nw", "board": "e3:jmmm1"}
    game = holding("mountain", **words)
    assert playable(game) == []


@pytest.mark.rule("MK-X4")
def test_playing_a_card_cannot_be_undone() -> None:
    game = holding("jungle")
    game.play("card jungle")
    assert not game.can_take_back
    game.play("explorer 1")
    assert game.can_take_back


# ---- jungle, lake, mountain ---------------------------------------------------------------------


def ends(card: str, **words: object) -> set[str]:
    """The cells where a card can take the first explorer."""
    game = play(holding(card, **words), f"card {card}", "explorer 1")
    return {text.removeprefix("to ") for text in actions(game)}


# A row of jungle along the north of d4 and c4, with mountains to the south of it.
CORRIDOR = {"board": "d4:jjmm2,c4:jjmm2", "explorers1": "e4nw"}
PRINTED = {"e4ne", "e4sw", "e4se"}


@pytest.mark.rule("MK-X5")
def test_the_jungle_card_moves_over_connected_jungle() -> None:
    assert ends("jungle", **CORRIDOR) == PRINTED | {"d4ne", "d4nw", "c4ne", "c4nw"}


@pytest.mark.rule("MK-X5")
def test_the_jungle_card_stops_at_artefacts_except_on_the_start_cell() -> None:
    assert ends("jungle", **CORRIDOR, white="d4nw") == PRINTED | {"d4ne", "d4nw"}
    assert ends("jungle", **CORRIDOR, white="e4nw") == PRINTED | {"d4ne", "d4nw", "c4ne", "c4nw"}
    assert ends("jungle", **CORRIDOR, white="d4ne") == PRINTED | {"d4ne"}


@pytest.mark.rule("MK-X5", "MK-M1")
def test_explorers_block_the_jungle_card() -> None:
    words = CORRIDOR | {"explorers2": "d4nw,e6nw"}
    assert ends("jungle", **words) == PRINTED | {"d4ne"}


@pytest.mark.rule("MK-X5")
def test_the_jungle_card_can_start_on_a_lake_but_not_end_on_one() -> None:
    words = {"board": "e3:jjll2", "explorers1": "e3sw"}
    assert ends("jungle", **words) == {"e3nw", "e3ne", "e4nw", "e4ne", "e4sw", "e4se"}


@pytest.mark.rule("MK-X5")
def test_the_lake_card_moves_over_lakes_and_can_start_on_jungle() -> None:
    words = {"board": "e3:jjll2,d3:jlll1", "explorers1": "e4nw"}
    assert ends("lake", **words) == {"e3sw", "e3se", "d3se", "d3sw", "d3ne"}
    assert ends("lake", **words, white="e3sw") == {"e3sw"}


@pytest.mark.rule("MK-X5")
def test_a_card_move_is_one_free_action() -> None:
    words = CORRIDOR | {"white": "1.1,d4ne", "pool": 2}
    game = play(holding("jungle", **words), "card jungle", "explorer 1", "to d4ne")
    assert look(game, "explorers1").startswith("d4ne")
    assert look(game, "pool") == "2"
    assert look(game, "white") == "1.1,d4ne"
    assert "take white" in actions(game)  # a new stay


@pytest.mark.rule("MK-X5")
def test_a_movement_card_offers_only_explorers_that_can_move() -> None:
    words = {"explorers1": "e4nw,a9nw", "board": "a9:jmmm1"}
    assert actions(play(holding("jungle", **words), "card jungle")) == ["explorer 1"]


@pytest.mark.rule("MK-X5", "MK-B1")
def test_boarding_after_a_card_move_still_costs_a_point() -> None:
    words = {"explorers1": "b1nw,e4nw", "board": "b1:jjjj3"}
    game = play(holding("jungle", **words), "card jungle", "explorer 1", "to b1ne")
    assert "board" not in actions(game)


@pytest.mark.rule("MK-X6")
def test_the_mountain_card_crosses_mountains_to_jungle_or_lake() -> None:
    # e3 has jungle in the north-west only; its mountains join those of d3.
    words = {"board": "e3:jmmm1,d3:jmmm1", "explorers1": "e4nw"}
    assert ends("mountain", **words) == {"e3nw", "e4ne", "d3nw"}


@pytest.mark.rule("MK-X6")
def test_the_mountain_card_crosses_a_mountain_to_a_free_cell() -> None:
    words = {"board": "e3:jmmm1", "explorers1": "e4nw", "explorers2": "e3nw,e6nw"}
    assert ends("mountain", **words) == {"e4ne"}
    # Jungle beside the start is not reached without crossing a mountain.
    assert "e4sw" not in ends("mountain", **words)


@pytest.mark.rule("MK-X6")
def test_the_mountain_card_can_end_on_lakes_and_ignores_artefacts() -> None:
    words = {"board": "e3:lmml1", "explorers1": "e4nw", "white": "e3nw"}
    assert ends("mountain", **words) == {"e3nw", "e3se"}


# ---- earthquake ---------------------------------------------------------------------------------


@pytest.mark.rule("MK-X7")
def test_an_earthquake_turns_a_tile_with_its_artefacts() -> None:
    game = holding("earthquake", board="d4:jjjl3", white="d4nw", grey="d4ne")
    play(game, "card earthquake", "at d4", "turn 1")
    assert look(game, "board") == "d4:jjjl3.1"
    assert (look(game, "white"), look(game, "grey")) == ("d4ne", "d4se")
    assert actions(game) == ["stop", "draw"]
    play(game, "stop")
    assert look(game, "phase") == "play"


@pytest.mark.rule("MK-X7")
def test_an_earthquake_turns_only_unoccupied_tiles_that_change() -> None:
    board = "a1:jjjl3,b1:jjjl3,c1:jjjj3,d1:s13,e1:jjjj3"
    words = {"board": board, "explorers1": "b1nw,d5nw", "white": "e1nw"}
    game = play(holding("earthquake", **words, north="straight@e4n^0"), "card earthquake")
    # Not b1 (explorer), c1 (looks the same turned), e4 (lava) or a printed space.
    assert actions(game) == ["at a1", "at d1", "at e1", "draw"]
    for text in ("at b1", "at e4", "at e6", "at a2"):
        with pytest.raises(RuleError, match="MK-X7"):
            game.play(text)
    with pytest.raises(RuleError, match="MK-X4"):
        game.play("at c1")


@pytest.mark.rule("MK-X7", "MK-C5")
@pytest.mark.parametrize(
    ("board", "white", "turns"),
    [
        ("a1:jjjl3", "-", ["turn 1", "turn 2", "turn 3"]),
        ("a1:jmmj2", "-", ["turn 1"]),
        ("a1:jmmj2", "a1nw", ["turn 1", "turn 2", "turn 3"]),
        ("a1:jmmj2", "a1nw,a1se", ["turn 1"]),
        ("a1:jjjj3", "a1nw", ["turn 1", "turn 2", "turn 3"]),
        ("a1:jjjj3", "a1nw,a1se", ["turn 1"]),
        ("a1:jjjj3", "a1nw,a1nw,a1se", ["turn 1", "turn 2", "turn 3"]),
    ],
)
def test_turns_that_look_equal_are_offered_once(board: str, white: str, turns: list[str]) -> None:
    game = play(holding("earthquake", board=board, white=white), "card earthquake", "at a1")
    assert actions(game) == turns


@pytest.mark.rule("MK-X7")
def test_artefact_colours_distinguish_turns() -> None:
    words = {"board": "a1:jjjj3", "white": "a1nw", "grey": "a1se"}
    game = play(holding("earthquake", **words), "card earthquake", "at a1")
    assert actions(game) == ["turn 1", "turn 2", "turn 3"]


@pytest.mark.rule("MK-X7", "MK-C5")
@pytest.mark.parametrize(
    "words",
    [
        {"grey": "a1nw", "black": "a1se"},
        {"grey": "a1nw,a1nw,a1nw,a1nw", "black": "a1se"},
        {"white": ",".join(["a1nw"] * 16), "grey": "a1se"},
    ],
)
def test_artefact_counts_distinguish_turns(words: dict[str, str]) -> None:
    game = play(holding("earthquake", board="a1:jjjj3", **words), "card earthquake", "at a1")
    assert actions(game) == ["turn 1", "turn 2", "turn 3"]


@pytest.mark.rule("MK-X7")
def test_tiles_at_every_corner_can_be_turned() -> None:
    corners = [f"at {space}" for space in ("a1", "i1", "a9", "i9")]
    board = ",".join(f"{corner[3:]}:jjjl3" for corner in corners)
    game = play(holding("earthquake", board=board), "card earthquake")
    assert [text for text in actions(game) if text in corners] == corners


@pytest.mark.rule("MK-X7")
def test_a_printed_space_cannot_be_turned_even_with_an_artefact() -> None:
    game = play(holding("earthquake", white="d5nw"), "card earthquake")
    assert "at d5" not in actions(game)


@pytest.mark.rule("MK-X7")
def test_an_earthquake_can_skip_turning_or_drawing_but_not_both() -> None:
    game = play(holding("earthquake", board="a1:jjjl3"), "card earthquake")
    assert "draw" in actions(game)
    assert "stop" not in actions(game)
    play(game, "draw [jjll2]")
    assert look(game, "held") == "jjll2"


@pytest.mark.rule("MK-X7")
def test_terrain_drawn_by_an_earthquake_is_laid_anywhere_without_points() -> None:
    game = play(holding("earthquake"), "card earthquake", "draw [jjjj3]")
    assert len(actions(game)) == 76
    play(game, "at i9")
    assert (look(game, "board"), look(game, "pool")) == ("i9:jjjj3", "-")
    assert look(game, "phase") == "play"


@pytest.mark.rule("MK-X7", "MK-L1")
def test_lava_drawn_by_an_earthquake_flows() -> None:
    game = play(holding("earthquake", explorers1="d5nw"), "card earthquake", "draw [north-left]")
    assert look(game, "north") == "left@e4n^0"
    assert look(game, "phase") == "play"


@pytest.mark.rule("MK-X7")
def test_a_tile_drawn_on_a_full_board_leaves_the_game() -> None:
    game = holding("earthquake", board="a1:jjjl3")
    s = game.state
    for space in range(81):
        if s.tile[space] == 64:
            s.tile[space] = 18
    play(game, "card earthquake", "draw [jjjj3]")
    assert gone(game) == ["jjjj3"]
    assert look(game, "phase") == "play"


@pytest.mark.rule("MK-X7")
def test_an_earthquake_only_turns_when_the_bag_is_empty() -> None:
    words = {"board": "a1:jjjl3", "bag": "-", "ending": "empty-bag", "closer": 1}
    game = play(holding("earthquake", **words), "card earthquake")
    assert actions(game) == ["at a1"]
    play(game, "at a1", "turn 2")
    assert look(game, "phase") == "play"
    words["board"] = "a1:jjjj3"
    assert playable(holding("earthquake", **words)) == []


# ---- helicopter ---------------------------------------------------------------------------------


@pytest.mark.rule("MK-X8")
def test_the_helicopter_lifts_an_explorer_and_its_load() -> None:
    game = holding("helicopter", white="1.2,1.1", grey="1.2")
    play(game, "card helicopter")
    assert actions(game) == ["explorer 1", "explorer 2"]
    play(game, "explorer 2")
    assert look(game, "explorers1") == "e4nw,lifted,lost,lost,lost"
    assert (look(game, "white"), look(game, "grey")) == ("helicopter1,1.1", "helicopter1")


@pytest.mark.rule("MK-X8")
def test_the_helicopter_cannot_lift_the_last_explorer_on_the_island() -> None:
    game = holding("helicopter", explorers1="e4nw,saved", boats="1,n2,e1,e2,s1,s2,w1,w2")
    assert playable(game) == []
    with pytest.raises(RuleError, match="MK-X8"):
        game.play("card helicopter")


@pytest.mark.rule("MK-X8")
def test_lifted_artefacts_score_and_the_lifted_explorer_does_not() -> None:
    words = {"explorers1": "e4nw,lifted", "white": "helicopter1", "grey": "helicopter1"}
    assert final(**words, cards1="2explorers,1black,3white") == 3


@pytest.mark.rule("MK-X8")
def test_lifted_explorers_must_match_the_helicopters_played() -> None:
    with pytest.raises(NotationError, match="MK-X1"):
        expert(explorers1="e4nw,lifted")
    with pytest.raises(NotationError, match="MK-X1"):
        expert(explorers1="e4nw", played="helicopter")
    assert look(expert(explorers1="e4nw,lifted", played="helicopter"), "played") == "helicopter"


@pytest.mark.rule("MK-X1")
def test_a_final_position_with_a_missing_card_is_refused() -> None:
    over = {"phase": "over", "ending": "empty-bag", "closer": "1", "bag": "-"}
    with pytest.raises(NotationError, match="cards: 7 are held and 0 played, of 8"):
        expert(**over, cards1="jungle,jungle,lake,lake", cards2="lake,mountain,mountain")


@pytest.mark.rule("MK-X8", "MK-X9")
def test_lifted_artefacts_meet_objectives_and_the_lifted_explorer_does_not() -> None:
    words = {"explorers1": "lifted,saved", "boats": "1,n2,e1,e2,s1,s2,w1,w2"}
    load = {"white": "helicopter1,boat1,boat1,boat1"}
    assert final(**words, **load, cards1="3white,2explorers") == 3 + 4 + 2


# ---- objectives ---------------------------------------------------------------------------------


def final(cards1: str, cards2: str = "lake", **words: str) -> int:
    """The final score of seat 1. Hands are filled with cards that do not count, one less for each
    helicopter of seat 1."""
    lifted = words.get("explorers1", "").count("lifted")
    mine = [*cards1.split(","), "jungle", "jungle", "jungle"][: 4 - lifted]
    theirs = [*cards2.split(","), "lake", "mountain", "mountain"]
    over = {"phase": "over", "ending": "empty-bag", "closer": "1", "bag": "-"}
    hands = {"cards1": ",".join(mine), "cards2": ",".join(theirs)}
    played = {"played": ",".join(["helicopter"] * lifted) or "-"}
    game = expert(**over, **hands, **played, **words)
    assert game.outcome is not None
    return game.outcome.scores[0]


THREE_WHITE = {"explorers1": "saved", "boats": "1,n2,e1,e2,s1,s2,w1,w2", "white": "boat1," * 2}
THREE_WHITE["white"] += "boat1"


@pytest.mark.rule("MK-X9")
@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("3white", 2),
        ("2white", 1),
        ("4white", 0),
        ("2white,3white", 2),  # three artefacts do not meet both
        ("brown-boat", 1),
        ("brown-boat,3white", 3),  # the boat meets one card and its load another
        ("green-boat", 0),
        ("2explorers", 0),
        ("1black,2grey,4white", 0),
    ],
)
def test_objectives_met_by_one_boat(cards: str, points: int) -> None:
    assert final(**THREE_WHITE, cards1=cards) == 6 + points


@pytest.mark.rule("MK-X9")
def test_each_explorer_counts_for_one_objective() -> None:
    boats = "1,1,1,e2,s1,s2,w1,w2"
    words = {"boats": boats, "explorers1": "saved,saved,saved"}
    load = {"white": ",".join(["boat1"] * 3 + ["boat2"] * 2 + ["boat3"] * 3)}
    base = 9 + 8
    assert final(**words, **load, cards1="2explorers") == base + 1
    assert final(**words, **load, cards1="2explorers,2explorers") == base + 1
    words = {"boats": "1,1,1,1,s1,s2,w1,w2", "explorers1": "saved,saved,saved,saved"}
    load["white"] += ",boat4"
    assert final(**words, **load, cards1="2explorers,2explorers") == 12 + 9 + 2


@pytest.mark.rule("MK-X9")
def test_objectives_are_assigned_optimally() -> None:
    boats = {"boats": "1,1,1,e2,s1,s2,w1,w2", "explorers1": "saved,saved,saved"}
    load = {
        "white": ",".join(["boat1"] * 3 + ["boat2"] * 2 + ["boat3"] * 2),
        "grey": "boat3",
    }
    base = 9 + 7 + 2
    cards = "2white,4white,2white-1grey,1white-1grey"
    # Seven white and a grey: 4white (3) and 2white-1grey (2) use six and one; nothing is left for
    # another two.
    assert final(**boats, **load, cards1=cards) == base + 5


@pytest.mark.rule("MK-X9")
def test_the_assignment_matches_the_best_greedy_order() -> None:
    """Assigning items to cards greedily, in the best order, gives the same result."""
    needs = {
        card.name: (dict(card.needs), card.boat, card.points) for card in BOX.cards if card.points
    }
    names = list(needs)
    chance = Stream(5)
    colours = [boat.colour for boat in BOX.boats]
    for _ in range(60):
        owned = sorted({chance.draw(8) for _ in range(3)})
        loads = dict.fromkeys(("white", "grey", "black"), "")
        have = {"white": 0, "grey": 0, "black": 0, "explorers": len(owned)}
        places = 0
        for boat in owned:
            for _ in range(BOX.boats[boat].places):
                places += 1
                colour = ("white", "white", "white", "grey", "black")[chance.draw(5)]
                if have[colour] < {"white": 17, "grey": 7, "black": 1}[colour]:
                    have[colour] += 1
                    loads[colour] += f",boat{boat + 1}"
        hand = [names.pop(chance.draw(len(names))) for _ in range(4)]
        names += hand
        boats = ["n1", "n2", "e1", "e2", "s1", "s2", "w1", "w2"]
        for boat in owned:
            boats[boat] = "1"
        best = 0
        for order in itertools.permutations(hand):
            left, harbour, points = dict(have), [colours[boat] for boat in owned], 0
            for card in order:
                wanted, boat_colour, value = needs[card]
                met = all(left[need] >= count for need, count in wanted.items())
                if met and (not boat_colour or boat_colour in harbour):
                    points += value
                    for need, count in wanted.items():
                        left[need] -= count
                    if boat_colour:
                        harbour.remove(boat_colour)
            best = max(best, points)
        artefacts = have["white"] + 2 * have["grey"] + 3 * have["black"]
        carried = have["white"] + have["grey"] + have["black"]
        expected = 3 * len(owned) + artefacts - (places - carried) + best
        words = {colour: text.strip(",") or "-" for colour, text in loads.items()}
        saved = ",".join(["saved"] * len(owned))
        assert (
            final(
                boats=",".join(boats),
                explorers1=saved,
                explorers2="e6nw",
                cards1=",".join(hand),
                **words,
            )
            == expected
        )


@pytest.mark.rule("MK-X9")
def test_pieces_still_on_the_island_meet_no_objectives() -> None:
    words = {"explorers1": "e4nw", "white": "1.1,1.1,1.1", "cards1": "3white,2white"}
    assert final(**words) == 0


@pytest.mark.rule("MK-X10")
@pytest.mark.parametrize(
    ("cards", "points"),
    [("1black", 0), ("no-penalty", 3), ("no-penalty,no-penalty", 3), ("no-penalty,brown-boat", 4)],
)
def test_a_no_penalty_card_cancels_penalties(cards: str, points: int) -> None:
    words = {"explorers1": "saved", "boats": "1,n2,e1,e2,s1,s2,w1,w2"}
    assert final(**words, cards1=cards) == points


@pytest.mark.rule("MK-X10")
def test_a_no_penalty_card_cancels_only_its_owners_penalties() -> None:
    words = {"explorers1": "saved", "boats": "1,n2,e1,e2,s1,s2,w1,w2"}
    assert final(**words, cards1="1black", cards2="no-penalty") == 0


@pytest.mark.rule("MK-X2")
def test_spent_tiles_leave_the_game() -> None:
    game = holding(front1="jjll2")
    before = in_bag(game, "jjll2")
    play(game, "spend 1")
    assert gone(game) == ["jjll2"]
    assert in_bag(game, "jjll2") == before


def test_card_names_are_unique() -> None:
    assert len(set(CARD_NAMES)) == 18
