"""Hand-written positions: short forms, lists, and messages for impossible ones."""

from __future__ import annotations

from typing import Any

import pytest

from archipel import Game, NotationError
from archipel.testing.random_games import random_game, some_options
from tests.positions.position_mutations import words_of


def word(game: Game, name: str) -> str:
    return dict(words_of(game.position.text))[name]


# ---- Deep Sea -----------------------------------------------------------------------------------


@pytest.mark.rule("DS-E7")
def test_a_single_searching_diver_does_not_end_the_round() -> None:
    game = Game.from_position("deep-sea", phase="search", diver1="9>[a1]", diver2="home", seed=1)
    game.play("nothing")
    assert (word(game, "round"), word(game, "idle")) == ("1", "0")
    assert word(game, "diver1").startswith("9>[a1")


@pytest.mark.rule("DS-E7")
def test_stirred_contradicts_a_diver_who_moved() -> None:
    with pytest.raises(NotationError, match="stirred=0: diver 1 used air or moved"):
        Game.from_position("deep-sea", phase="search", stirred=0, diver1="9>")
    game = Game.from_position("deep-sea", phase="search", stirred=0, diver1="32>", diver2="3>")
    assert word(game, "stirred") == "0"


@pytest.mark.rule("DS-E6")
def test_the_farthest_diver_starts_after_laying_units() -> None:
    game = Game.from_position(
        "deep-sea", seats=2, drop_order="chosen", phase="lay", diver1="9>[a1,a2]", seed=1
    )
    assert (word(game, "starter"), word(game, "air")) == ("1", "0")
    game.play("lay 1")
    assert (game.to_move, word(game, "round"), word(game, "turn")) == (0, "2", "1")
    assert game.narrate()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"diver2": "home[b1]"}, "diver 2 is home: .* treasure2"),
        ({"air": 3}, "phase=lay air=3: the round is not over"),
        ({"starter": 2, "diver2": "home"}, "starter: in phase=lay"),
        ({"pile_room": 1}, "the last space, 32, is not such a pile"),
        ({"line": "o," * 13 + "a3-d8"}, "no room for what may be lost"),
    ],
)
def test_impossible_laying_positions(words: dict[str, object], reason: str) -> None:
    given: dict[str, Any] = {"drop_order": "chosen", "phase": "lay", "diver1": "9>[a1,a2]"}
    with pytest.raises(NotationError, match=reason):
        Game.from_position("deep-sea", **(given | words))


@pytest.mark.rule("DS-T6")
def test_discs_lie_where_chips_were_taken() -> None:
    game = Game.from_position("deep-sea", diver1="7>[a1,b2+b3]", diver2="home[a2]", seed=1)
    line = word(game, "line").split(",")
    assert [space for space, unit in enumerate(line, 1) if unit == "o"] == [1, 2, 10]
    assert len(line) == 31


def test_too_many_discs_are_refused() -> None:
    line = "o," * 11 + "a1-d8"
    with pytest.raises(NotationError, match="43 spaces, 11 of them white discs"):
        Game.from_position("deep-sea", line=line)


@pytest.mark.rule("DS-E7")
@pytest.mark.parametrize("phase", ["throw", "search"])
def test_idle_turns_that_would_have_ended_the_round(phase: str) -> None:
    with pytest.raises(NotationError, match="idle=3: with 3 divers not home"):
        Game.from_position("deep-sea", seats=3, idle=3, diver1="9>", phase=phase)


# ---- Atlantis and The Island --------------------------------------------------------------------


@pytest.mark.rule("AT-E3", "IS-V2")
@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("atlantis", {"sunk": ["plains", "hills", "mountains"], "red": "a1", "blue": "a7"}),
        ("atlantis", {"sunk": "plains, hills, mountains", "red": ("a1",), "blue": ["a7"]}),
    ],
)
def test_a_turn_with_no_land_left_counts(game: str, words: dict[str, Any]) -> None:
    begun = Game.from_position(game, **words, seed=1)
    assert word(begun, "idle") == "1"
    assert word(begun, "land") == "-"
    assert "?" not in word(begun, "sunk")


@pytest.mark.rule("AT-S1")
def test_undersides_are_dealt_from_the_seed() -> None:
    dealt = {
        word(Game.from_position("atlantis", red="e6", blue="e7", sunk="plains", seed=seed), "sunk")
        for seed in range(5)
    }
    assert len(dealt) == 5
    game = Game.from_position("atlantis", red="e6", blue="e7", sunk={"d4": "shark", "d5": "boat"})
    assert word(game, "sunk") == "d4:shark,d5:boat"


@pytest.mark.parametrize(
    ("game", "words", "reason"),
    [
        ("atlantis", {"phase": "place", "red": "a1", "blue": "d4"},
         "R1 is on a1, which is under water"),
        ("the-island", {"phase": "place_explorer", "white": "a1", "yellow": "d4"},
         "w1 is on a1, which is under water"),
        ("atlantis", {"red": "d4,-", "blue": "e4"}, "R2 is not placed yet"),
        ("atlantis", {"red": "boat2", "blue": "e4", "boats": "a1"},
         "R1 is in boat 2, which is not on the board"),
        ("atlantis", {"red": "boat1,boat1,boat1", "blue": "boat1", "boats": "a1"},
         "B1 is in boat 1, which has three aboard already"),
        ("atlantis", {"red": "d4,d4,d4,d4", "blue": "e4"}, "are on d4: R1, R2, R3, R4"),
        ("atlantis", {"red": "a1", "blue": "d4", "sharks": "a1"}, "R1 swims in a1, where shark 1"),
        ("the-island", {"white": "a1", "yellow": "d4", "sharks": "a1"}, "w1 swims in a1, where"),
        ("atlantis", {"red": "nw", "blue": "d4"}, "red has nobody left"),
        ("atlantis", {"phase": "place", "sunk": "d5"}, "d5 has sunk, but play has not begun"),
        ("the-island", {"phase": "place_explorer", "out": "d5b:boat"}, "d5 has sunk, but play has"),
        ("the-island", {"phase": "place_explorer", "boats": "c5"}, "boats: they are placed one"),
        ("the-island", {"phase": "tile_step", "white": "d4,lost", "playing": "dolphin",
                        "chosen": "w2", "steps": 3}, "chosen=w2: it is not where this tile"),
        ("atlantis", {"red": "d4", "blue": "e4", "sharks": "-,d5"}, "shark 2 is on d5, which is l"),
        ("the-island", {"white": "d4", "hand1": "e5b:shark"}, "only red tiles are kept in a hand"),
        ("the-island", {"white": "d4", "out": "j6m:volcano"}, "j6m:volcano: the volcano was found"),
    ],
)  # fmt: skip
def test_messages_name_piece_and_place(game: str, words: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Game.from_position(game, **words)


def island_tiles(game: Game, name: str) -> dict[str, str]:
    """Space and terrain of each tile that a word names, with its back."""
    parts = word(game, name).split(",")
    return dict(part.split(":") for part in parts if part != "-")


def test_tiles_that_are_out_can_be_named_by_terrain() -> None:
    """Their backs are dealt from the seed, and are those of the box (IS-C3)."""
    text = "white=boat1 yellow=boat1 boats=c3"
    whole = Game.from_position("the-island", text, seed=1)
    beaches = {tile for tile in island_tiles(whole, "land") if tile.endswith("b")}
    dealt = {}
    for seed in range(20):
        game = Game.from_position("the-island", f"{text} out=beaches", seed=seed)
        dealt[seed] = island_tiles(game, "out")
        assert set(dealt[seed]) == beaches
        assert game.definition.fault(game.state) == 0
        again = Game.from_position("the-island", f"{text} out=beaches", seed=seed)
        assert island_tiles(again, "out") == dealt[seed]
    assert len({tuple(backs.values()) for backs in dealt.values()}) == 20
    assert len({tuple(sorted(backs.values())) for backs in dealt.values()}) == 1


def test_tiles_that_are_named_elsewhere_are_not_out_with_their_terrain() -> None:
    game = Game.from_position(
        "the-island", white="d4", yellow="boat1", boats="c3", seed=1,
        land="d4b", hand1=["d5b"], out=["beaches", "g5f"],
    )  # fmt: skip
    assert set(island_tiles(game, "hand1")) == {"d5b"}
    out = island_tiles(game, "out")
    assert (len(out), "g5f" in out) == (15, True)
    assert not {"d4b", "d5b"} & set(out)
    assert island_tiles(game, "hand1")["d5b"] not in ("shark", "whale", "boat", "whirlpool")


def test_the_volcano_is_not_dealt_to_tiles_that_are_out() -> None:
    text = "white=boat1 yellow=boat1 boats=c3 land=i5m out=j4m,j5m,j6m,j7m,i6m,i7m,i8m"
    for seed in range(12):
        game = Game.from_position("the-island", text, seed=seed)
        assert island_tiles(game, "land")["i5m"] == "volcano"
    found = {
        island_tiles(Game.from_position("the-island", f"{text} {option}=on", seed=seed), "land")[
            "i5m"
        ]
        for option in ("last_one", "sunken")
        for seed in range(12)
    }
    assert len(found) > 2
    everything = f"{text.split('land')[0]}out=beaches,forests,mountains sunken=on"
    game = Game.from_position("the-island", everything, seed=1)
    assert "volcano" in island_tiles(game, "out").values()


def test_a_hand_gets_red_backs_before_tiles_that_are_out() -> None:
    """Two red mountains: the hand takes one before those that are out are dealt."""
    text = "white=boat1 yellow=boat1 boats=c3 out=j4m,j5m,j6m,j7m,i6m hand2=i7m,i8m"
    for seed in range(20):
        game = Game.from_position("the-island", text, seed=seed)
        assert set(island_tiles(game, "hand2").values()) == {"repel_shark", "repel_whale"}


# ---- Mauna Kea ----------------------------------------------------------------------------------

ONE_EACH: dict[str, Any] = {"explorers1": "e4nw", "explorers2": "e6nw"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"phase": "refill", "pool": 2, "expert": True}, "pool=2: points that are left are lost"),
        ({"phase": "refill", "expert": True, "explorers1": "lost", "ending": "no-explorer",
          "closer": 1}, "nobody refills once the game is ending"),
        ({"ending": "no-explorer", "closer": 1}, "cannot be ending like this here"),
        ({"ending": "empty-bag", "closer": 1}, "cannot be ending like this here"),
        ({"ending": "clock"}, "cannot be ending like this here"),
        ({"ending": "no-way-out", "closer": 1, "expert": "yes"}, "cannot be ending like this"),
        ({"quiet": 24}, "quiet=24: with 2 players the game ends after 24"),
        ({"explorers1": "e4nw,e6nw"}, "explorers 1.2 and 2.1 are both on e6nw"),
        ({"explorers1": "d4nw"}, "explorer 1.1 is on d4nw, where nobody can stand"),
        ({"boats": "n1,n1"}, "boats 1 and 2 are both in cove n1"),
        ({"boats": "1"}, "seat 1 has 0 explorers saved and 1 boats in front"),
        ({"white": ["1.2"]}, "white: explorer 1.2, who would carry an artefact, is not on"),
        ({"phase": "place", "explorers1": "e4nw,lost"}, "explorer 1.2 is placed on a start cell"),
        ({"phase": "leave", "active": 1}, "explorer 1.1 on e4nw need not choose what to leave"),
        ({"expert": "on", "phase": "quake-draw", "card": "earthquake", "played": "earthquake",
          "bag": "-", "ending": "empty-bag", "closer": 1}, "the bag is empty"),
    ],
)  # fmt: skip
def test_impossible_mauna_kea_positions(words: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Game.from_position("mauna-kea", **(ONE_EACH | words))


def test_unnamed_boats_and_cards_are_filled_in() -> None:
    game = Game.from_position("mauna-kea", expert=True, boats=["n2"], **ONE_EACH, seed=1)
    assert word(game, "boats") == "n2,n1,e1,e2,s1,s2,w1,w2"
    assert len(word(game, "cards1").split(",")) == 4
    assert len(word(game, "rejected2").split(",")) == 2


# ---- any game -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "words", "seats"),
    [
        ("deep-sea", {}, 2),
        ("deep-sea", {"diver4": "3>"}, 4),
        ("atlantis", {"red": "d4", "blue": "d5", "yellow": "d6"}, 3),
        ("the-island", {"white": "d4", "hand4": "-"}, 4),
        ("the-island", {"white": "d4", "sky": "d5", "two_colours": True}, 2),
        ("mauna-kea", {"explorers1": "e4nw", "explorers2": "e6nw", "explorers3": "d5nw"}, 3),
    ],
)
def test_seats_follow_from_the_words(game: str, words: dict[str, Any], seats: int) -> None:
    assert Game.from_position(game, **words).seats == seats


def test_spaces_and_lists_are_accepted() -> None:
    written = Game.from_position("deep-sea", "air = 9 diver1=7>[a1, b2]", diver2="home", seed=1)
    listed = Game.from_position("deep-sea", air=9, diver1="7>[a1,b2]", diver2="home", seed=1)
    assert written.position == listed.position
    assert word(Game.from_position("deep-sea", treasure1=["a1:0", "a2:1"]), "treasure1") == (
        "a1:0,a2:1"
    )


@pytest.mark.parametrize("value", [3.5, object(), {1, 2}, ["a1", 2.5]])
def test_invalid_values_are_refused(value: object) -> None:
    with pytest.raises(NotationError, match="is not a text, a number, or a list of them"):
        Game.from_position("deep-sea", line=value)


def test_a_misspelt_word_gets_a_suggestion() -> None:
    with pytest.raises(NotationError, match="drop_ordr: a position has no such word; did you mean"):
        Game.from_position("deep-sea", drop_ordr="chosen")


@pytest.mark.parametrize("name", ["deep-sea", "atlantis", "the-island", "mauna-kea"])
def test_empty_words_of_seats_can_be_left_out(name: str) -> None:
    from archipel.rules.all_games import game_named

    definition = game_named(name)
    game = next(random_game(definition, some_options(definition, 1)[0], 3))
    words = [(word, value) for word, value in words_of(game.position.text) if value != "-"]
    text = " ".join(f"{word}={value}" for word, value in words)
    assert definition.parse_position(text) == game.state
