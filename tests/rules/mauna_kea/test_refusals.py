"""Illegal actions are refused with the rule that they break."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import RuleError
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from tests.rules.mauna_kea.tables import expert, play, table

MOUNTAINS = "d4:jmmm1,e3:jjjj3"


def over() -> Game:
    return table(phase="over", ending="no-explorer", closer=1, explorers1="lost")


def laying() -> Game:
    return play(table(front1="jmmj2"), "tile 1")


def leaving() -> Game:
    words = {"board": "b1:jjjj3", "explorers1": "b1nw,e4nw", "pool": 1}
    load = {"white": "1.1,1.1", "grey": "1.1", "boats": "n2,n1,e1,e2,s1,s2,w1,w2"}
    return play(table(**words, **load), "explorer 1", "board")


def with_card(card: str, **words: object) -> Game:
    given = {"explorers1": "e4nw,e4ne", "cards1": f"{card},1black,2grey,3white"}
    return expert(**(given | words))


def quaking(**words: object) -> Game:
    return play(with_card("earthquake", board="a1:jjjl3,b1:jmmj2", **words), "card earthquake")


CASES = [
    (over(), "end play", "MK-G1", "over"),
    (table(pool=1), 40, "MK-T1", "no_such_action"),
    (play(table(pool=1), "explorer 1"), "end play", "MK-T1", "explorer_first"),
    (table(pool=1), "east", "MK-T1", "name_first"),
    (play(expert(), "end play"), "end play", "MK-T4", "play_over"),
    (play(expert(), "end play"), "spend 1", "MK-T4", "play_over"),
    (expert(), "draw", "MK-X4", "still_playing"),
    (table(), "end turn", "MK-T4", "still_playing"),
    (play(expert(), "end play", "draw [jjjj3]", "draw [jjll2]"), "draw", "MK-T4", "enough"),
    (play(expert(), "end play"), "end turn", "MK-T4", "not_enough"),
    (table(front1="jjjj3"), "tile 2", "MK-T1", "no_such_tile"),
    (table(front1="jjjj3"), "spend 5", "MK-T1", "no_such_tile"),
    (table(front1="llll1,llll1"), "tile 2", "MK-C5", "same_tile"),
    (table(pool=1), "explorer 2", "MK-M1", "not_on_island"),
    (play(table(pool=2), "explorer 1", "east"), "explorer 1", "MK-T1", "already_named"),
    (table(), "explorer 1", "MK-M1", "nothing_to_do"),
    (play(table(pool=1), "explorer 1"), "take white", "MK-A1", "nothing_to_take"),
    (play(table(pool=1), "explorer 1"), "put white", "MK-A1", "nothing_to_put"),
    (play(table(pool=1), "explorer 1"), "board", "MK-B1", "no_boat"),
    (play(table(pool=1, board=MOUNTAINS), "explorer 1"), "west", "MK-M1", "ground.mountain"),
    (play(table(pool=1), "explorer 1"), "north", "MK-M1", "ground.no_tile"),
    (play(table(pool=1, explorers1="e4se"), "explorer 1"), "south", "MK-M1", "ground.volcano"),
    (
        play(
            table(pool=1, board="d4:jjjj3", explorers1="d4ne", north="straight@e4n^0"),
            "explorer 1",
        ),
        "east",
        "MK-M1",
        "ground.lava",
    ),
    (
        play(table(pool=1, board="a1:jjjj3", explorers1="a1nw"), "explorer 1"),
        "west",
        "MK-M1",
        "edge",
    ),
    (play(table(pool=1, explorers1="e4nw,e4ne"), "explorer 1"), "east", "MK-M1", "occupied"),
    (play(table(pool=1, board="e3:llll1"), "explorer 1"), "north", "MK-M2", "points"),
    (table(), "card lake", "MK-X4", "base_game"),
    (with_card("jungle"), "card lake", "MK-X4", "no_such_card"),
    (with_card("lake"), "card lake", "MK-X4", "no_effect"),
    (with_card("helicopter", explorers1="e4nw"), "card helicopter", "MK-X8", "last_explorer"),
    (Game.new("mauna-kea", 2, seed=1), "at a1nw", "MK-S2", "no_start_cell"),
    (laying(), "at e5", "MK-T2", "not_empty"),
    (laying(), 99, "MK-T2", "no_such_space"),
    (play(laying(), "at d4"), "turn 2", "MK-C5", "same_turn"),
    (play(laying(), "at d4"), 7, "MK-C5", "no_such_turn"),
    (leaving(), "leave black", "MK-B1", "nothing_to_leave"),
    (leaving(), 9, "MK-B1", "no_such_action"),
    (play(with_card("jungle"), "card jungle"), "explorer 3", "MK-X5", "not_on_island"),
    (
        play(with_card("jungle", explorers1="e4nw,a9nw", board="a9:jmmm1"), "card jungle"),
        "explorer 2",
        "MK-X5",
        "card_leads_nowhere",
    ),
    (
        play(with_card("jungle"), "card jungle", "explorer 1"),
        "to a1nw",
        "MK-X5",
        "card_does_not_lead",
    ),
    (
        play(with_card("mountain", board="e3:jmmm1"), "card mountain", "explorer 1"),
        "to e4sw",
        "MK-X6",
        "card_does_not_lead",
    ),
    (play(with_card("helicopter"), "card helicopter"), "explorer 5", "MK-X8", "not_on_island"),
    (quaking(), "at c1", "MK-X7", "no_terrain_tile"),
    (quaking(explorers2="a1nw"), "at a1", "MK-X7", "explorer_on_tile"),
    (quaking(), 200, "MK-X7", "no_such_space"),
    (quaking(bag="-", ending="empty-bag", closer=1), "draw", "MK-X7", "empty_bag"),
    (play(quaking(), "at b1"), "turn 2", "MK-C5", "same_turn"),
    (play(quaking(), "at b1"), "turn 0", "MK-X4", "no_effect"),
    (play(quaking(), "at b1"), 9, "MK-C5", "no_such_turn"),
    (play(quaking(), "at b1", "turn 1"), 2, "MK-X7", "draw_or_stop"),
]


@pytest.mark.parametrize(
    ("game", "action", "rule", "key"), CASES, ids=[f"{case[3]}-{case[2]}" for case in CASES]
)
def test_a_refusal_names_its_rule(game: Game, action: str | int, rule: str, key: str) -> None:
    before = game.position
    with pytest.raises(RuleError) as refused:
        game.play(action)
    assert refused.value.rule == rule
    assert game.position == before
    number = MAUNA_KEA.parse_action(game.state, action) if isinstance(action, str) else action
    why = MAUNA_KEA.refusal(game.state, number)
    assert why.key == f"refuse.{key}"
    for language in LANGUAGES:
        assert MAUNA_KEA.catalogue(language).say(why.key, **why.details)


def test_every_refusal_sentence_is_used() -> None:
    keys = {key for key in MAUNA_KEA.catalogue("en").sentences if key.startswith("refuse.")}
    used = {f"refuse.{case[3]}" for case in CASES}
    # The tests of their rules cover these, which need a longer set-up.
    elsewhere = {
        "refuse.board_full",
        "refuse.carries_three",
        "refuse.put_down_here",
        "refuse.taken_here",
        "refuse.board_points",
        "refuse.same_card",
    }
    assert keys == used | elsewhere


@pytest.mark.rule("MK-C5", "MK-X1")
def test_rejecting_a_duplicate_or_missing_card_is_refused() -> None:
    cards = "jungle,jungle,lake,helicopter,no-penalty,no-penalty"
    game = expert(phase="choose", explorers1="-", explorers2="-", cards1=cards)
    with pytest.raises(RuleError, match="MK-C5"):
        game.play(1)
    with pytest.raises(RuleError, match="MK-X1"):
        game.play(6)
