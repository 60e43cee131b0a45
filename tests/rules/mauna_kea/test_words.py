"""Narration, questions, pictures and choices."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from archipel.game import Game
from archipel.rules.booklet import LANGUAGES
from archipel.rules.kit import Stream, stream_key
from archipel.rules.mauna_kea.box_files import BOX
from archipel.rules.mauna_kea.box_format import COLOURS
from archipel.rules.mauna_kea.components import CARD_NAMES
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from tests.rules.mauna_kea.tables import expert, play, table

SAFE = {"board": "a9:jjjj3,i9:jjjj3", "explorers1": "a9nw", "explorers2": "i9nw"}
BOARDING = {"board": "b1:jjjj3", "explorers1": "b1nw,e4nw", "pool": 1}
BURIED = {"explorers1": "e4nw,d5nw", "explorers2": "e4se,d5se", "white": "e4ne,1.1", "grey": "e4ne"}
TWO = {"explorers1": "e4nw,e4ne", "explorers2": "e6nw,e6ne"}


def holding(card: str, **words: object) -> Game:
    return expert(**({"cards1": f"{card},1black,2grey,3white"} | TWO | words))


def keys(game: Game) -> list[str]:
    return [event.key for event in game.events()]


def narrated(game: Game, text: str) -> list[str]:
    """Play an action and return the keys of its events."""
    play(game, text)
    return keys(game)


@pytest.mark.parametrize(
    ("game", "action", "expected"),
    [
        (table(front1="jjjl3"), "tile 1", ["pick"]),
        (play(table(front1="jjjl3"), "tile 1"), "at d4", ["aim"]),
        (play(table(front1="jjjl3"), "tile 1", "at d4"), "turn 1", ["lay"]),
        (play(table(front1="jjjj3"), "tile 1"), "at d4", ["lay"]),
        (table(front1="jjjj3"), "spend 1", ["spend.many"]),
        (table(front1="llll1"), "spend 1", ["spend.one"]),
        (table(pool=1), "explorer 1", ["name"]),
        (play(table(pool=1), "explorer 1"), "east", ["step.jungle"]),
        (play(table(pool=2, board="e3:llll1"), "explorer 1"), "north", ["step.lake"]),
        (play(table(white="e4nw"), "explorer 1"), "take white", ["take.white"]),
        (play(table(black="1.1"), "explorer 1"), "put black", ["put.black"]),
        (play(table(**BOARDING), "explorer 1"), "board", ["board.none"]),
        (play(table(**BOARDING, white="1.1"), "explorer 1"), "board", ["board.one"]),
        (play(table(**BOARDING, white="1.1,1.1"), "explorer 1"), "board", ["board.many"]),
        (table(**SAFE), "end play [jjjj3 jjll2]", ["end_play", "draw.many", "draw.many"]),
        (
            table(**SAFE, front1="jjll2,llll1"),
            "end play [east-left llll1 jjjj3 jjjj3]",
            ["end_play", "unused.many", "lava.east", "draw.one", "draw.many", "draw.many"],
        ),
        (
            table(**SAFE, north="right@e4n^0", east="left@f5e^0,straight@f4n^1"),
            "end play [north-straight jjjj3 jjjj3]",
            ["end_play", "lava.under.north", "draw.many", "draw.many"],
        ),
        (
            table(
                **SAFE,
                north="straight@e4n^0,straight@e3n^1,straight@e2n^2,left@e1n^3,right@d1w^4",
            ),
            "end play [north-fork jjjj3 jjjj3]",
            ["end_play", "lava.gone.north", "draw.many", "draw.many"],
        ),
        (
            table(**BURIED),
            "end play [north-left jjjj3 jjjj3]",
            ["end_play", "lava.north", "lost.one", "lost.none", "buried.many", *["draw.many"] * 2],
        ),
        (
            table(**SAFE, quiet_first_round="on"),
            "end play [north-left jjjj3 jjjj3]",
            ["end_play", "lava.aside", "draw.many", "draw.many"],
        ),
        (
            table(explorers1="d5nw", explorers2="e4nw"),
            "end play [north-left]",
            ["end_play", "lava.north", "lost.none", "end_begins.no_explorer"],
        ),
        (holding("jungle"), "card jungle", ["card.jungle"]),
        (play(holding("jungle"), "card jungle"), "explorer 1", ["name"]),
        (play(holding("jungle"), "card jungle", "explorer 1"), "to e4se", ["card_move"]),
        (play(holding("helicopter"), "card helicopter"), "explorer 1", ["lift.none"]),
        (
            play(holding("helicopter", white="1.1,1.1"), "card helicopter"),
            "explorer 1",
            ["lift.many"],
        ),
        (play(holding("earthquake"), "card earthquake"), "draw [jjll2]", ["quake.draw"]),
        (
            play(holding("earthquake", explorers1="d5nw"), "card earthquake"),
            "draw [north-left]",
            ["lava.north"],
        ),
        (
            play(holding("earthquake", board="a1:jjjl3"), "card earthquake"),
            "at a1",
            ["quake.aim"],
        ),
        (
            play(holding("earthquake", board="a1:jjjl3"), "card earthquake", "at a1"),
            "turn 2",
            ["quake.turn.2"],
        ),
        (
            play(holding("earthquake", board="a1:jjjl3"), "card earthquake", "at a1", "turn 2"),
            "stop",
            ["quake.stop"],
        ),
        (play(expert(), "end play", "draw [jjjj3]"), "draw [jjll2]", ["draw.many"]),
    ],
)
def test_actions_are_narrated(game: Game, action: str, expected: list[str]) -> None:
    assert narrated(game, action) == expected


def test_artefacts_left_behind_are_narrated() -> None:
    load = {"white": "1.1,1.1", "grey": "1.1", "boats": "n2,n1,e1,e2,s1,s2,w1,w2"}
    game = play(table(**BOARDING, **load), "explorer 1", "board")
    assert keys(game) == ["too_much"]
    assert narrated(game, "leave white") == ["leave.white", "board.many"]
    load = {"white": "1.1,1.1,1.1", "boats": "n2,e1,e2,n1,s1,s2,w1,w2"}
    game = play(table(**BOARDING, **load), "explorer 1")
    assert narrated(game, "board") == ["left.many", "board.one"]


@pytest.mark.parametrize(
    ("words", "winner"),
    [
        (
            {"explorers1": "saved,e4nw", "white": "boat1", "boats": "1,n2,e1,e2,s1,s2,w1,w2"},
            "alone",
        ),
        ({"explorers2": "e6nw,e6ne"}, "by_explorers"),
        ({"white": "2.1"}, "by_artefacts"),
        ({}, "shared"),
    ],
)
def test_the_end_is_narrated_with_scores_and_winner(words: dict[str, str], winner: str) -> None:
    game = table(**({"quiet": 23} | words))
    found = narrated(game, "end play [jjjj3 jjll2]")
    assert "game_over.clock" in found
    assert found.count("score.base") == 2
    assert f"win.{winner}" in found


def random_game(seats: int, seed: int, **options: object) -> Game:
    game = Game.new("mauna-kea", seats, seed=seed, **options)
    choices = Stream(stream_key(seed, 9))
    while not game.is_over:
        game.play(game.legal[choices.draw(len(game.legal))])
    return game


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_are_at_most_80_columns_wide(language: str) -> None:
    for seats, is_expert in ((2, False), (4, True)):
        game = random_game(seats, 5, expert=is_expert)
        while game.moves:
            text = MAUNA_KEA.picture(game.view(0).state, language)
            assert max(len(line) for line in text.splitlines()) <= 80
            for _ in range(min(9, len(game.moves))):
                game.undo()


def test_the_picture_of_an_example_position() -> None:
    game = table(
        board="d4:jlmj2,e3:jjll2",
        north="straight@e4n^0",
        explorers1="d4nw,d5se",
        white="d4se,1.1",
        grey="e3nw,e3nw",
        front1="jjjj3",
    )
    lines = str(game.position).splitlines()
    assert lines[2].split() == list("abcdefghi")
    north = next(line for line in lines if line.startswith(" 4"))
    assert '"1~ ' in north
    assert "#↑##" in north
    assert any("@@@@" in line for line in lines)
    assert any("n1 brown[___]" in line for line in lines)
    assert any("1·d4nw[w]" in line for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_drawings_are_valid_svg(language: str) -> None:
    for seats, is_expert, layout in ((2, False, "diagonal"), (3, True, "orthogonal")):
        game = random_game(seats, 6, expert=is_expert, layout=layout)
        while game.moves:
            svg = MAUNA_KEA.drawing(game.view(0).state, language)
            root = ElementTree.fromstring(svg)
            assert root.tag.endswith("svg")
            assert "NaN" not in svg
            for _ in range(min(15, len(game.moves))):
                game.undo()


def test_every_phase_has_a_name_and_help() -> None:
    words = MAUNA_KEA.catalogue("en").sentences
    for phase in ("choose", "place", "play", "explorer", "leave", "space", "turn", "refill"):
        assert f"phase.{phase}" in words
        assert f"phase.{phase}.help" in words


def test_every_card_has_a_name() -> None:
    for language in LANGUAGES:
        words = MAUNA_KEA.catalogue(language).sentences
        assert {f"card_name.{name}" for name in CARD_NAMES} <= set(words)


def test_french_text_uses_french_typography() -> None:
    texts = list(MAUNA_KEA.catalogue("fr").sentences.values())
    texts += [rule.text for rule in MAUNA_KEA.booklet("fr")]
    for text in texts:
        assert "'" not in text, text
        assert not re.search(r"[^ \u00a0\u202f][;!?]|[^ \u00a0\u202f]: ", text), text
        assert not re.search(r" [;:!?]", text), text


def test_both_booklets_have_the_same_rules() -> None:
    english, french = MAUNA_KEA.booklet("en"), MAUNA_KEA.booklet("fr")
    assert [(r.id, r.sources) for r in english] == [(r.id, r.sources) for r in french]
    assert len(list(english)) == 49


# ---- scenes -------------------------------------------------------------------------------------


def test_a_step_choice_gives_its_cell_and_cost() -> None:
    game = play(table(pool=2, board="e3:llll1"), "explorer 1")
    scene = MAUNA_KEA.scene(game.view(0).state, 0)
    found = {choice.text: choice for choice in scene.choices}
    assert found["north"].targets == ("e3sw",)
    assert found["north"].details["cost"] == 2
    assert found["east"].details["cost"] == 1


def test_a_scene_hides_the_cards_of_other_players() -> None:
    game = holding("jungle")
    cards = [p for p in MAUNA_KEA.scene(game.view(1).state, 1).pieces if p.cell == "cards1"]
    assert len(cards) == 4
    assert all(piece.properties["card"] is None for piece in cards)
    own = [p for p in MAUNA_KEA.scene(game.view(0).state, 0).pieces if p.cell == "cards1"]
    assert sum(piece.kind == "card" for piece in own) == 4
    assert "jungle" in {piece.properties["card"] for piece in own}


def test_pieces_keep_their_ids_while_they_move() -> None:
    game = play(table(pool=1, white="e4nw"), "explorer 1")
    before = {p.id: p.cell for p in MAUNA_KEA.scene(game.view(0).state, 0).pieces}
    play(game, "take white", "east")
    after = {p.id: p.cell for p in MAUNA_KEA.scene(game.view(0).state, 0).pieces}
    assert set(before) == set(after)
    assert (before["explorer-1-1"], after["explorer-1-1"]) == ("e4nw", "e4ne")
    assert (before["artefact-1"], after["artefact-1"]) == ("e4nw", "e4ne")


def test_actions_that_cannot_be_undone_are_final() -> None:
    scene = MAUNA_KEA.scene(table(front1="jjjj3").view(0).state, 0)
    assert {choice.text: choice.final for choice in scene.choices} == {
        "end play": True,
        "tile 1": False,
        "spend 1": False,
    }


# ---- the booklet --------------------------------------------------------------------------------


@pytest.mark.rule("MK-C6", "MK-C7", "MK-C8", "MK-C9")
def test_the_booklet_separates_certain_likely_and_reconstructed_facts() -> None:
    """The last chapter follows the notes of the data files, in every language."""
    for language, words in (
        ("en", ("Certain: ", "Likely, ", "Reconstructed: ")),
        ("fr", ("Certain\u00a0: ", "Probable, ", "Reconstitué\u00a0: ")),
    ):
        chapter = MAUNA_KEA.booklet(language).chapters[-1]
        assert [rule.id for rule in chapter] == ["MK-C6", "MK-C7", "MK-C8", "MK-C9"]
        assert [rule.sources for rule in chapter] == [("D",), ("R",), ("F",), ("D",)]
        for rule, word in zip(chapter.rules[1:], words, strict=True):
            assert rule.text.startswith(word)


@pytest.mark.rule("MK-C7")
def test_certain_facts_match_the_data_files() -> None:
    cards = {card.name: card for card in BOX.cards}
    assert [cards[name].points for name in ("3white", "2explorers", "green-boat")] == [2, 1, 1]
    assert ("brown", 3) in {(boat.colour, boat.places) for boat in BOX.boats}
    assert "green" in {boat.colour for boat in BOX.boats}
    objectives = BOX.cards[5:]
    assert sum(card.count for card in objectives if set(dict(card.needs)) & set(COLOURS)) == 7
    assert sum(card.count for card in objectives if "explorers" in dict(card.needs)) == 2
    assert sum(card.count for card in objectives if card.boat) == 4


@pytest.mark.rule("MK-C8")
def test_likely_facts_match_the_data_files() -> None:
    assert {tile.flow: 0 for tile in BOX.lava}.keys() == {"north", "east", "south", "west"}
    for flow in ("north", "east", "south", "west"):
        tiles = [tile for tile in BOX.lava if tile.flow == flow]
        assert sum(tile.count for tile in tiles) == 6
        assert sum(tile.count for tile in tiles if len(tile.exits) == 2) == 1
    jungle = {
        points: {tile.pattern.count("J") for tile in BOX.terrain if tile.points == points}
        for points in (1, 2, 3)
    }
    assert max(jungle[1]) < min(jungle[2])
    assert max(jungle[2]) < min(jungle[3])


@pytest.mark.rule("MK-C9")
def test_reconstructed_facts_match_the_data_files() -> None:
    colours = [boat.colour for boat in BOX.boats]
    assert sorted(set(colours)) == ["brown", "green", "orange", "turquoise"]
    assert all(colours.count(colour) == 2 for colour in colours)
    for flow in ("north", "east", "south", "west"):
        exits = Counter(
            {tile.exits: tile.count for tile in BOX.lava if tile.flow == flow and tile.exits}
        )
        assert (exits["F"], exits["L"], exits["R"], exits["LR"] + exits["RL"]) == (3, 1, 1, 1)
