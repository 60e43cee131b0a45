"""Mauna Kea in real browsers: two people, on a phone and at a desk, base and expert game."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from archipel.game import Game
from tests.browser.boards import (
    KeyPlayer,
    Likely,
    Player,
    finish,
    play_on,
    set_up,
    sit_down_in_french,
)
from tests.browser.conftest import Arrive
from tests.browser.fingers import Finger, middle
from tests.browser.people import PHONE, SMALL_PHONE, Person
from tests.browser.serving import Server
from tests.browser.staging import Play, Stage, moment_of
from tests.rules.mauna_kea.tables import look, table

pytestmark = pytest.mark.browser

#: Short turns: a tile now and then, a few steps, the rest of the tiles spent for nothing.
HASTY = {
    "action.end_play": 5,
    "action.explorer": 0.6,
    "action.put.": 0.02,
    "action.draw": 12,
    "action.end_turn": 12,
    "action.board": 30,
    "action.card.": 3,
}


def sit_together(arrive: Arrive, **options: str) -> tuple[Person, Person]:
    ana, ben = arrive("Ana", still=True), arrive("Ben", size=PHONE, touch=True, still=True)
    set_up(ana, "mauna-kea", seats=2, options=options)
    ben.joins(ana.link_for_everyone())
    ana.begins()
    ben.sees_board()
    return ana, ben


def finish_hastily(server: Server, *players: Player) -> Game:
    game = finish(server, *players)
    assert all(player.confirmed > 0 for player in players)
    return game


def test_two_people_finish_a_base_game(arrive: Arrive, server: Server) -> None:
    """In French: one by touch alone on a small phone, one by keys alone."""
    ana = arrive("Ana", still=True)
    ben = arrive("Ben", size=SMALL_PHONE, touch=True, still=True)
    sit_down_in_french(ana, ben, "mauna-kea")
    by_keys = KeyPlayer(ana, Likely(1, HASTY))
    finish_hastily(server, by_keys, Player(ben, Likely(2, HASTY)))
    assert by_keys.lost == 0


def test_two_people_finish_an_expert_game(arrive: Arrive, server: Server) -> None:
    wanted = {"Expert game": "with cards", "Layout": "at the corners of the volcano"}
    ana, ben = sit_together(arrive, **wanted)
    players = Player(ana, Likely(1, HASTY)), Player(ben, Likely(2, HASTY))
    game = finish_hastily(server, *players)
    # What decided between equal scores is told with the result, and only then.
    tie_break = "wins on the tie-break"
    was_one = tie_break in game.narrate()[-1]
    assert (tie_break in ben.part("result").inner_text()) == was_one


def mixed_tiles(player: Player) -> list[str]:
    """The tiles that the second player may take and that lie differently when they are turned."""
    if not any(choice["key"] == "action.tile" for choice in player.to_decide()):
        return []
    return [
        piece["id"]
        for piece in player.position()["scene"]["pieces"]
        if piece["id"].startswith("tile-2-") and len(set(piece["properties"]["terrain"])) > 1
    ]


def corner(person: Person) -> tuple[float, float]:
    """The middle of space a1, whether or not it may be chosen now: on the board as a whole."""
    assert person.part("board").get_attribute("data-zoom") == "1.00"
    shore = person.part("board").locator("path.empty").bounding_box()
    assert shore is not None
    return shore["x"] + shore["width"] / 18, shore["y"] + shore["height"] / 18


def test_a_tile_is_dragged_with_a_finger(arrive: Arrive) -> None:
    """Taken by moving it, laid where it is let go, turned by taps, and confirmed."""
    ana, ben = sit_together(arrive, **{"First player": "seat 1"})
    players = Player(ana, Likely(1, {})), Player(ben, Likely(2, {}))
    hers = players[1]
    play_on(lambda: bool(mixed_tiles(hers)), *players)
    board = ben.part("board")
    tile = ben.page.locator(f'[data-piece="{mixed_tiles(hers)[0]}"]')
    finger = Finger(ben)
    x, y = middle(tile)
    to_x, to_y = corner(ben)
    before = hers.sight().n
    finger.down((x, y))
    for part in range(1, 11):
        finger.moves((x + (to_x - x) * part / 10, y + (to_y - y) * part / 10))
    ben.wait_until(lambda: hers.sight().n > before)
    finger.moves((to_x + 1, to_y + 1))
    finger.moves((to_x, to_y))
    expect(board.locator('.target.selected[data-target="a1"]')).to_have_count(1)
    finger.up()
    expect(ben.part("line")).to_contain_text("Which way round does it lie on a1?")
    turned = next(choice for choice in hers.to_decide() if choice["details"]["turns"] == 1)
    hers.does(turned)
    pieces = {cell["id"]: cell for cell in hers.position()["scene"]["cells"]}
    assert pieces["a1"]["properties"]["terrain"] == turned["details"]["terrain"]


def stage_for(ana: Person) -> Stage:
    stage = Stage(ana)
    set_up(ana, "mauna-kea", seats=2, bots=[2], options={"First player": "seat 1"})
    ana.begins()
    return stage


#: Whether the strip of what was told lies over something that may be touched.
_COVERS = """() => {
  const box = (element) => element.getBoundingClientRect();
  const strip = box(document.querySelector('[data-testid="told"]'));
  return [...document.querySelectorAll("[data-target]:not([data-out])")].map(box).some((each) =>
    each.bottom > strip.top && each.top < strip.bottom
    && each.right > strip.left && each.left < strip.right);
}"""


def test_what_is_told_covers_nothing_that_may_be_touched(arrive: Arrive) -> None:
    ana = arrive("Ana", size=SMALL_PHONE, touch=True, still=True)
    stage = stage_for(ana)
    before, _, after = Play("mauna-kea", 2, {}).taking("action.tile", "action.space")
    told = {"key": "place", "details": {"seat": 1, "cell": "e4ne"}}
    for moment in (before, after):  # what is in hand may be touched, then all of the board
        stage.show(moment, *[told] * 40)  # it takes a while to read them
        expect(ana.part("told")).to_contain_text("places an explorer on e4ne")
        ana.wait_until(lambda: not ana.page.evaluate(_COVERS))
        colour = ana.part("told").evaluate("part => getComputedStyle(part).backgroundColor")
        assert colour.startswith("rgb(")  # nothing shines through


def test_a_dragged_tile_is_not_lost(arrive: Arrive) -> None:
    """Let go before the server has answered, it is laid there then; a chosen one is dragged too."""
    ana = arrive("Ana", size=PHONE, touch=True, still=True)
    stage = stage_for(ana)
    before, taken, after = Play("mauna-kea", 2, {}).taking("action.tile", "action.space")
    spaces = {each["targets"][0]: each["action"] for each in after["scene"]["choices"]}
    finger = Finger(ana)

    stage.show(before)
    stage.answers_late()
    tile = ana.page.locator(f'[data-piece="{taken["targets"][0]}"]')
    finger.drags(middle(tile), corner(ana))
    assert stage.played() == [taken["action"]]
    expect(ana.part("carried")).to_be_visible()
    stage.show(after)
    ana.wait_until(lambda: stage.played() == [taken["action"], spaces["a1"]])
    expect(ana.part("carried")).to_have_count(0)

    stage.show(after)
    space = ana.page.locator("[data-target]:not([data-out])").last
    name = space.get_attribute("data-target")
    assert name is not None
    finger.drags(middle(ana.page.locator('[data-piece="held"]')), middle(space))
    ana.wait_until(lambda: stage.played()[2:] == [spaces[name]])


#: Notes every direction in which lava is seen to creep.
_WATCH = """() => {
  window.crept = new Set();
  const look = () => {
    for (const { animationName, effect } of document.getAnimations())
      if (effect?.target?.closest?.('[data-testid="board"]') && animationName)
        window.crept.add(animationName.split("-").at(-1));
    requestAnimationFrame(look);
  };
  look();
}"""


def test_lava_creeps_from_edge_to_edge(arrive: Arrive) -> None:
    ana = arrive("Ana", speed="fast")
    set_up(ana, "mauna-kea", seats=2, bots=[2])
    ana.begins()
    ana.page.evaluate(_WATCH)
    player = Player(ana, Likely(1, HASTY))

    def has_crept() -> bool:
        ways: list[str] = ana.page.evaluate("[...window.crept]")
        assert not player.sight().over, "no lava was seen"
        return bool({"up", "down", "left", "right"} & set(ways))

    play_on(has_crept, player)


@pytest.mark.parametrize("along", [0.1, 0.5, 0.9])
def test_an_explorer_dropped_on_a_boat_walks_there_and_boards(arrive: Arrive, along: float) -> None:
    """Named by moving it; then it takes the cheapest way, wherever on the boat it was let go."""
    ana = arrive("Ana", size=PHONE, touch=True, still=True)
    stage = stage_for(ana)
    game = table(board="b1:jjjj3,c1:jjjj3,c2:jjjj3", explorers1="c2sw,e4nw", pool=4)
    stage.show(moment_of(game))
    boat = ana.page.locator('[data-piece="boat-1"]').bounding_box()
    assert boat is not None
    onto = boat["x"] + boat["width"] * along, boat["y"] + boat["height"] / 2
    Finger(ana).drags(middle(ana.page.locator('[data-piece="explorer-1-1"]')), onto)
    done: list[int] = []
    for text in ("explorer 1", "north", "north", "north", "board"):
        done.append(int(next(each for each in game.legal if each.text == text)))
        ana.wait_until(lambda: stage.played() == done)
        game.play(text)
        stage.show(moment_of(game))
    assert look(game, "explorers1").startswith("saved")


def test_a_tap_too_late_for_what_was_there_opens_nothing(arrive: Arrive) -> None:
    """What a finger is on may go before it is lifted: it did not ask for the rules of what lies
    there now, which would cover the board and all that is tapped next."""
    ana = arrive("Ana", size=PHONE, touch=True, still=True)
    stage = stage_for(ana)
    before, taken, after = Play("mauna-kea", 2, {}).taking("action.tile", "action.space")
    tiles = {each["targets"][0] for each in before["scene"]["choices"] if each["targets"]}
    stage.show(before)
    tile = middle(ana.page.locator(f'[data-target="{max(tiles - {taken["targets"][0]})}"]'))
    finger = Finger(ana)
    finger.down(tile)
    stage.show(after)
    finger.up()
    ana.page.wait_for_timeout(500)
    expect(ana.part("sheet")).to_have_count(0)
    ana.page.touchscreen.tap(*tile)
    expect(ana.part("sheet")).to_be_visible()


def test_a_finger_that_was_lifted_elsewhere_is_forgotten(arrive: Arrive) -> None:
    """What a finger is on goes away, and it is lifted beside the board: the taps after that are
    taps, not the second of two fingers."""
    ana = arrive("Ana", size=PHONE, touch=True, still=True)
    stage = stage_for(ana)
    before, taken, after = Play("mauna-kea", 2, {}).taking("action.tile", "action.space")
    finger = Finger(ana)

    stage.show(before)
    tile = middle(ana.page.locator(f'[data-target="{taken["targets"][0]}"]'))
    finger.down(tile)
    stage.show(after)
    finger.moves(middle(ana.part("line")))
    finger.up()
    stage.show(before)
    ana.page.touchscreen.tap(*tile)
    expect(ana.part("several")).to_be_visible()  # to lay it, or to spend it
