"""Texts and pictures: complete in both languages, and without hidden information."""

from __future__ import annotations

import json
import re
from functools import cache
from xml.etree import ElementTree

import pytest

from archipel.game import Game
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.atlantis.drawing import TRIBE_LOOKS, drawing
from archipel.rules.atlantis.narration import narrate
from archipel.rules.atlantis.picture import picture
from archipel.rules.atlantis.question import question
from archipel.rules.atlantis.state import State
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import Catalogue
from archipel.rules.kit import Stream
from archipel.rules.options import choice_text
from archipel.rules.text_layout import SCREEN_WIDTH
from tests.rules.atlantis import golden
from tests.rules.atlantis.tables import play, table

NAMES = {0: "Ana", 1: "Bob", 2: "Cléo", 3: "Dan"}
NO_BREAK = "\u00a0\u202f"
SVG = "{http://www.w3.org/2000/svg}"
LAST_TWO = "plains hills f6 f7 g5 g7 h6"


@cache
def golden_games() -> tuple[Game, ...]:
    return tuple(golden.play_seeded_game(*settings) for settings in golden.GAMES.values())


def narration(game: Game, language: str = "en") -> list[str]:
    return game.narrate(language=language, names=list(NAMES.values())[: game.seats])


def sample_positions() -> list[State]:
    found = []
    for game in golden_games():
        again = game.copy()
        while again.moves:
            found.append(again.position.state)
            for _ in range(min(len(again.moves), 90)):
                again.undo()
    return found


# ---- the catalogues -----------------------------------------------------------------------------


@pytest.fixture(params=LANGUAGES)
def catalogue(request: pytest.FixtureRequest) -> Catalogue:
    return ATLANTIS.catalogue(request.param)


def test_texts_follow_the_typography_of_their_language(catalogue: Catalogue) -> None:
    for key, sentence in catalogue.sentences.items():
        assert not re.search("[\"']", sentence), key
        if catalogue.language == "fr":
            assert not re.search(rf"(?<![{NO_BREAK}])[;:!?»]", sentence), key
    text = ATLANTIS.booklet("fr").introduction + " ".join(
        rule.text for rule in ATLANTIS.booklet("fr")
    )
    assert not re.search(rf"(?<![{NO_BREAK}])[;:!?»]", text)
    assert "'" not in text


def test_singular_and_plural_come_in_pairs(catalogue: Catalogue) -> None:
    for key in catalogue.sentences:
        assert re.sub(r"\bone\b", "many", key) in catalogue.sentences, key


def test_options_and_phases_have_sentences(catalogue: Catalogue) -> None:
    for option in ATLANTIS.options:
        assert f"option.{option.name}.help" in catalogue.sentences
        for choice in option.choices:
            assert f"choice.{option.name}.{choice_text(choice)}" in catalogue.sentences
    for phase in ("place", "move", "move_to", "sink", "relocate", "relocate_to", "animal"):
        assert {f"phase.{phase}", f"phase.{phase}.help"} <= catalogue.sentences.keys()


def test_booklets_of_both_languages_have_equal_rules_and_sources() -> None:
    english, french = (list(ATLANTIS.booklet(language)) for language in LANGUAGES)
    assert [(rule.id, rule.sources) for rule in english] == [
        (rule.id, rule.sources) for rule in french
    ]


@pytest.mark.rule("AT-C7")
def test_the_booklet_marks_reconstructed_rules() -> None:
    assert "Reconstructed" in ATLANTIS.booklet("en").rule("AT-C10").text
    assert "Reconstitué" in ATLANTIS.booklet("fr").rule("AT-C10").text


# ---- narration ----------------------------------------------------------------------------------


def test_event_details_are_json_and_sentences_have_no_placeholders() -> None:
    for game in golden_games():
        for index in range(len(game.moves)):
            events = game.events(index)
            assert events
            for event in events:
                assert json.loads(json.dumps(dict(event.details))) == dict(event.details)
                for language in LANGUAGES:
                    sentence = ATLANTIS.tell(event, language, NAMES)
                    assert not re.search(r"[{}\[\]]", sentence)


def test_narration_from_views_equals_narration_from_states() -> None:
    game = golden_games()[0].copy()
    moves = 0
    while game.moves and moves < 300:
        after = game.position.state
        events = game.events()
        move = game.undo()
        before = game.position.state
        for seat in (-1, 0, 1):
            seen = ATLANTIS.seen(before, seat), ATLANTIS.seen(after, seat)
            assert narrate(seen[0], move.action, move.outcomes, seen[1]) == events
        moves += 1


def test_golden_games_reach_most_sentences() -> None:
    """Sentences that no golden game reaches must be rare ones with a test of their own."""
    reached = {
        event.key
        for game in golden_games()
        for index in range(len(game.moves))
        for event in game.events(index)
    }
    for game in golden_games():
        again = game.copy()
        while again.moves:
            reached.add(question(again.state).key)
            again.undo()
    rare = re.compile(
        r"\.none_left$|^relocate\.(all|nowhere)|^devour|^capsize|^whirlpool|^eaten|^win\.|^score\."
        r"|^over\.|^done$|^wiped_out$|\.nothing$|^ask\.relocate_to\.sea$|^relocate\.sea$|\.t$|^animal\.enough"
        r"|^move\.(ashore|stuck)|^spin"
    )
    others = (
        *("action.", "option.", "choice.", "phase.", "refuse."),
        *("end.", "picture.", "typed.", "name."),
    )
    for key in ATLANTIS.catalogue("en").sentences:
        if not key.startswith(others) and not rare.search(key):
            assert key in reached, key


def test_narration_of_boarding_sailing_leaping_and_riding() -> None:
    game = table(red="d4,a2,g6", boats="c4", dolphins="a2")
    play(game, "person R1", "board 1")
    assert narration(game) == ["R1 boards boat 1 on c4 from d4."]
    play(game, "boat 1", "to b4")
    assert narration(game) == ["Boat 1, with R1 aboard, sails from c4 to b4."]
    assert game.events()[0].details["people"] == ["R1"]
    play(game, "person R1", "overboard")
    assert narration(game) == ["R1 jumps overboard from boat 1 at b4."]
    rescue = table(red="d4,a2,g6", dolphins="a2")
    play(rescue, "person R2", "ride ne")
    (sentence,) = narration(rescue, "fr")
    assert sentence.startswith(
        "Un dauphin prend R2 sur son dos et l’emmène de a2 à l’île de Corail"
    )
    assert sentence.endswith("sauvé\u202f! Le dauphin reste au débarcadère, en b10.")
    assert rescue.events()[0].details["animal"] == "dolphin 1"


def test_narration_of_a_sinking_piece() -> None:
    game = table(red="h7,h7,g6", blue="h7,g6,g6,a7", sunk=LAST_TWO, phase="sink", land="h7:shark",
                 sharks="g7,h6,h8", monsters="i6,i7")  # fmt: skip
    game.play("sink h7", chance="octopus-1")
    assert narration(game) == [
        "Ana sinks the mountain on h7.",
        "There is no way out: R1, R2, B1 end up in the water at h7.",
        "Underneath is a shark, which comes up on h7.",
        "A shark eats all swimmers on h7: R1, R2, B1.",
        "Ana spins: octopus 1, but none can move.",
        "It is Bob’s turn.",
    ]


def test_narration_of_a_whirlpool() -> None:
    game = table(red="e8,boat1,g6", boats="d6", dolphins="e6", sunk="plains e5 e6",
                 land="e7:whirlpool", phase="sink")  # fmt: skip
    game.play("sink e7", chance="octopus-1")
    assert narration(game)[1:5] == [
        "Underneath is a whirlpool: it opens on e7 and pulls at the sea around it!",
        "The whirlpool takes R1, R2.",
        "It swallows 1 boat.",
        "It swallows 1 animal.",
    ]
    nothing = table(red="g6", sunk="plains e5 e6", land="e7:whirlpool", phase="sink")
    nothing.play("sink e7", chance="octopus-1")
    assert narration(nothing)[2] == "The whirlpool finds nothing to take."


def test_narration_of_animals_that_do_harm() -> None:
    common = {"red": "boat1,a2,g6", "boats": "a2", "phase": "animal"}
    game = table(**common, spun="monster-1", monsters="a1")
    play(game, "monster 1", "to a2")
    assert narration(game)[:3] == [
        "Ana moves sea monster 1 from a1 to a2.",
        "The sea monster swallows boat 1 on a2, with R1 aboard.",
        "The sea monster eats R2 on a2.",
    ]
    game = table(red="boat1,g6", boats="a2", phase="animal", spun="octopus-1", octopuses="a1",
                 sharks="a2")  # fmt: skip
    play(game, "octopus 1", "to a2")
    assert narration(game)[1:3] == [
        "The octopus drags boat 1 down on a2: R1 is in the water.",
        "A shark eats R1 on a2.",
    ]
    game = table(red="g6", boats="a2", phase="animal", spun="monster-1", monsters="a1")
    play(game, "monster 1", "to a2")
    assert narration(game)[1] == "The sea monster swallows empty boat 1 on a2."
    game = table(red="g6", phase="animal", spun="shark-T", sharks="a1")
    play(game, "shark 1", "to m7")
    assert narration(game)[0] == "Shark 1 dives at a1 and comes up at m7."


@pytest.mark.rule("AT-E1", "AT-E2")
def test_narration_of_the_end() -> None:
    game = table(red="boat1", blue="g6,nw", boats="b1")
    play(game, "person R1", "ashore nw")
    assert narration(game) == [
        "R1 lands on the north-west Coral Island and is saved.",
        "Ana has nobody left on the island or at sea.",
        "That ends the game.",
        "Ana has saved 1 Atlantean: R1.",
        "Bob has saved 1 Atlantean: B2.",
        "Ana shares first place: 1 saved on the Coral Islands.",
        "Bob shares first place: 1 saved on the Coral Islands.",
    ]


@pytest.mark.rule("AT-E4")
def test_narration_of_a_tribe_lost_to_the_last() -> None:
    words = {"sharks": "a1", "phase": "animal", "spun": "shark-1", "wiped_out_ends": "off"}
    game = table(red="g6", blue="a2", **words)
    play(game, "shark 1", "to a2")
    lost = "Bob has lost the whole tribe and saved nobody. The game continues."
    assert narration(game)[1:3] == ["A shark eats B1 on a2.", lost]
    # The end is told of the player who brought it about, not of the one who lost everybody.
    game = table(seats=3, red="boat1", blue="lost", yellow="g6", boats="b1", wiped_out_ends="off")
    play(game, "person R1", "ashore nw")
    assert [line for line in narration(game) if "nobody left" in line] == [
        "Ana has nobody left on the island or at sea."
    ]
    game = table(red="a2", blue="a2", **words)
    play(game, "shark 1", "to a2")
    assert sum("nobody left" in line for line in narration(game)) == 2


def test_narration_of_an_empty_stock() -> None:
    game = table(red="g6", phase="sink", land="d4:shark", sharks="x,x,x,x,x,x")
    game.play("sink d4", chance="octopus-1")
    assert narration(game)[1] == "Underneath is a shark, but the stock has none left."


# ---- pictures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_fit_the_screen_and_drawings_are_valid_svg(language: str) -> None:
    for s in sample_positions():
        assert max(map(len, picture(s, language).splitlines())) <= SCREEN_WIDTH
        text = drawing(s, language)
        root = ElementTree.fromstring(text)
        assert root.get("role") == "img"
        title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert title.text
        assert description is not None
        assert description.text
        assert not re.search(r"\bid=|<script|href|url\(", text)
        _, _, width, height = (float(part) for part in root.get("viewBox", "").split())
        for circle in root.iter(f"{SVG}circle"):
            assert 0 < float(circle.get("cx", "")) < width
            assert 0 < float(circle.get("cy", "")) < height


@pytest.mark.rule("AT-S6")
def test_pictures_do_not_depend_on_hidden_symbols() -> None:
    for number, s in enumerate(sample_positions()[1:]):
        if ATLANTIS.to_move(s) < 0:
            continue
        other = ATLANTIS.resample(s, 0, Stream(number))
        for draw in (picture, drawing):
            seen, also = ATLANTIS.seen(s, 0), ATLANTIS.seen(other, 0)
            assert draw(seen, "en") == draw(also, "en") == draw(s, "en")


def test_tribes_differ_in_colour_and_shape() -> None:
    assert len({fill for fill, _, _ in TRIBE_LOOKS}) == len({look[2] for look in TRIBE_LOOKS}) == 4


def test_a_picture_shows_board_sea_and_players() -> None:
    game = table(red="d4,boat1,a2,nw,lost", blue="g6", boats="a3", sharks="k5")
    lines = picture(game.state, "en").splitlines()
    assert lines[0] == "Seat 1’s turn  points 3  plains 18, hills 12, mountains 7"
    assert lines[2] == "a                ~     R     b1    ~     ~     ~     ~"
    assert "^B" in lines[8]
    assert any("a2=R3~  a3=b1[R2]  k5=shark1" in line for line in lines)
    assert any(line.startswith("→ 1  red  saved 1  lost 8") for line in lines)
