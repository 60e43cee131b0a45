"""Mauna Kea in real browsers: two users, on a phone and on a desktop, base and expert game."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from archipel.game import Game
from tests.browser.boards import (
    BoardPlayer,
    KeyboardPlayer,
    WeightedChoice,
    finish,
    play_boards_until,
    start_french_game,
)
from tests.browser.conftest import NewUser
from tests.browser.fingers import Finger, center
from tests.browser.server import Server
from tests.browser.staging import RandomGame, StagedTable, decision_message
from tests.browser.user_page import PHONE, SMALL_PHONE, UserPage
from tests.rules.mauna_kea.tables import look, table

pytestmark = pytest.mark.browser

#: Weights for short turns: few tiles, a few steps, and the other tiles spent.
SHORT_TURNS = {
    "action.end_play": 5,
    "action.explorer": 0.6,
    "action.put.": 0.02,
    "action.draw": 12,
    "action.end_turn": 12,
    "action.board": 30,
    "action.card.": 3,
}


def start_game_of_two(new_user: NewUser, **options: str) -> tuple[UserPage, UserPage]:
    ana, ben = (
        new_user("Ana", reduced_motion=True),
        new_user("Ben", size=PHONE, touch=True, reduced_motion=True),
    )
    ana.set_up_table(game="mauna-kea", seats=2, options=options)
    ben.join(ana.shared_link())
    ana.start_game()
    ben.expect_board()
    return ana, ben


def finish_game(server: Server, *players: BoardPlayer) -> Game:
    game = finish(server, *players)
    assert all(player.confirmed > 0 for player in players)  # orientations of tiles
    return game


def test_two_users_finish_a_base_game(new_user: NewUser, server: Server) -> None:
    """In French: one by touch only on a small phone, one by keyboard only."""
    ana = new_user("Ana", reduced_motion=True)
    ben = new_user("Ben", size=SMALL_PHONE, touch=True, reduced_motion=True)
    start_french_game(ana, ben, "mauna-kea")
    by_keys = KeyboardPlayer(ana, WeightedChoice(1, SHORT_TURNS))
    finish_game(server, by_keys, BoardPlayer(ben, WeightedChoice(2, SHORT_TURNS)))
    assert by_keys.lost == 0


@pytest.mark.soak
def test_two_users_finish_an_expert_game(new_user: NewUser, server: Server) -> None:
    wanted = {"Expert game": "with cards", "Layout": "at the corners of the volcano"}
    ana, ben = start_game_of_two(new_user, **wanted)
    players = (
        BoardPlayer(ana, WeightedChoice(1, SHORT_TURNS)),
        BoardPlayer(ben, WeightedChoice(2, SHORT_TURNS)),
    )
    game = finish_game(server, *players)
    # The result mentions the tie-break if there was one, and only then.
    tie_break = "wins the tie-break"
    was_tie = tie_break in game.narrate()[-1]
    assert (tie_break in ben.by_test_id("result").inner_text()) == was_tie


def mixed_tiles(player: BoardPlayer) -> list[str]:
    """Tiles that the second player may take and whose orientation matters."""
    if not any(choice["key"] == "action.tile" for choice in player.legal_choices()):
        return []
    return [
        piece["id"]
        for piece in player.position()["scene"]["pieces"]
        if piece["id"].startswith("tile-2-") and len(set(piece["properties"]["terrain"])) > 1
    ]


def corner(user: UserPage) -> tuple[float, float]:
    """The center of space a1, with the whole board in view."""
    assert user.by_test_id("board").get_attribute("data-zoom") == "1.00"
    shore = user.by_test_id("board").locator("path.empty").bounding_box()
    assert shore is not None
    return shore["x"] + shore["width"] / 18, shore["y"] + shore["height"] / 18


def test_a_tile_is_dragged_with_a_finger(new_user: NewUser) -> None:
    """Dragging takes the tile and lays it, taps turn it, and a button confirms."""
    ana, ben = start_game_of_two(new_user, **{"First player": "seat 1"})
    players = BoardPlayer(ana, WeightedChoice(1, {})), BoardPlayer(ben, WeightedChoice(2, {}))
    hers = players[1]
    play_boards_until(lambda: bool(mixed_tiles(hers)), *players)
    board = ben.by_test_id("board")
    tile = ben.page.locator(f'[data-piece="{mixed_tiles(hers)[0]}"]')
    finger = Finger(ben)
    x, y = center(tile)
    to_x, to_y = corner(ben)
    before = hers.board_state().n
    finger.down((x, y))
    for part in range(1, 11):
        finger.move((x + (to_x - x) * part / 10, y + (to_y - y) * part / 10))
    ben.wait_until(lambda: hers.board_state().n > before)
    finger.move((to_x + 1, to_y + 1))
    finger.move((to_x, to_y))
    expect(board.locator('.target.selected[data-target="a1"]')).to_have_count(1)
    finger.up()
    expect(ben.by_test_id("line")).to_contain_text("Which way round do you lay it on a1?")
    turned = next(choice for choice in hers.legal_choices() if choice["details"]["turns"] == 1)
    hers.perform(turned)
    pieces = {cell["id"]: cell for cell in hers.position()["scene"]["cells"]}
    assert pieces["a1"]["properties"]["terrain"] == turned["details"]["terrain"]


def stage_for(ana: UserPage) -> StagedTable:
    stage = StagedTable(ana)
    ana.set_up_table(game="mauna-kea", seats=2, bots=[2], options={"First player": "seat 1"})
    ana.start_game()
    return stage


#: Whether the strip of sentences covers a target.
_COVERS = """() => {
  const box = (element) => element.getBoundingClientRect();
  const strip = box(document.querySelector('[data-testid="told"]'));
  return [...document.querySelectorAll("[data-target]:not([data-out])")].map(box).some((each) =>
    each.bottom > strip.top && each.top < strip.bottom
    && each.right > strip.left && each.left < strip.right);
}"""


def test_sentences_cover_no_target(new_user: NewUser) -> None:
    ana = new_user("Ana", size=SMALL_PHONE, touch=True, reduced_motion=True)
    stage = stage_for(ana)
    before, _, after = RandomGame("mauna-kea", 2, {}).find_choice("action.tile", "action.space")
    event = {"key": "place", "details": {"seat": 1, "cell": "e4ne"}}
    for moment in (before, after):  # targets in hand, then on the whole board
        stage.show(moment, *[event] * 40)  # long enough for the checks below
        expect(ana.by_test_id("told")).to_contain_text("places an explorer on e4ne")
        ana.wait_until(lambda: not ana.page.evaluate(_COVERS))
        colour = ana.by_test_id("told").evaluate("part => getComputedStyle(part).backgroundColor")
        assert colour.startswith("rgb(")  # opaque


def test_a_dragged_tile_is_not_lost(new_user: NewUser) -> None:
    """A tile that is dropped before the server answers is laid afterwards; a tile in hand can be
    dragged, too."""
    ana = new_user("Ana", size=PHONE, touch=True, reduced_motion=True)
    stage = stage_for(ana)
    before, taken, after = RandomGame("mauna-kea", 2, {}).find_choice("action.tile", "action.space")
    spaces = {each["targets"][0]: each["action"] for each in after["scene"]["choices"]}
    finger = Finger(ana)

    stage.show(before)
    stage.delay_answers()
    tile = ana.page.locator(f'[data-piece="{taken["targets"][0]}"]')
    finger.drag(center(tile), corner(ana))
    assert stage.played() == [taken["action"]]
    expect(ana.by_test_id("carried")).to_be_visible()
    stage.show(after)
    ana.wait_until(lambda: stage.played() == [taken["action"], spaces["a1"]])
    expect(ana.by_test_id("carried")).to_have_count(0)

    stage.show(after)
    space = ana.page.locator("[data-target]:not([data-out])").last
    name = space.get_attribute("data-target")
    assert name is not None
    finger.drag(center(ana.page.locator('[data-piece="held"]')), center(space))
    ana.wait_until(lambda: stage.played()[2:] == [spaces[name]])


@pytest.mark.parametrize("size", [(360, 640), SMALL_PHONE], ids=str)
def test_the_rotations_of_a_tile_stand_in_one_row(new_user: NewUser, size: tuple[int, int]) -> None:
    ana = new_user("Ana", size=size, touch=True, reduced_motion=True)
    stage = stage_for(ana)
    _, _, after = RandomGame("mauna-kea", 2, {}).find_choice("action.space", "action.turn")
    stage.show({**after, "may_take_back": True})
    rotations, choices = ana.page.locator(".choice.variant"), ana.by_test_id("choices")
    expect(rotations).to_have_count(len(after["scene"]["choices"]))
    expect(ana.by_test_id("undo")).to_be_visible()
    boxes = [each.bounding_box() for each in rotations.all()]
    tops = {round(box["y"]) for box in boxes if box}
    assert len(boxes) == 4
    assert len(tops) == 1
    room, first = choices.bounding_box(), boxes[0]
    assert room is not None
    assert first is not None
    assert first["y"] + first["height"] <= room["y"] + room["height"]


#: Records the directions of lava animations.
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


def test_lava_creeps_from_edge_to_edge(new_user: NewUser) -> None:
    ana = new_user("Ana", speed="fast")
    ana.set_up_table(game="mauna-kea", seats=2, bots=[2])
    ana.start_game()
    ana.page.evaluate(_WATCH)
    player = BoardPlayer(ana, WeightedChoice(1, SHORT_TURNS))

    def has_crept() -> bool:
        ways: list[str] = ana.page.evaluate("[...window.crept]")
        assert not player.board_state().over, "no lava was animated"
        return bool({"up", "down", "left", "right"} & set(ways))

    play_boards_until(has_crept, player)


@pytest.mark.parametrize("along", [0.1, 0.5, 0.9])
def test_an_explorer_dropped_on_a_boat_walks_there_and_boards(
    new_user: NewUser, along: float
) -> None:
    """Dragging selects the explorer, which takes the cheapest path, wherever on the boat it is
    dropped."""
    ana = new_user("Ana", size=PHONE, touch=True, reduced_motion=True)
    stage = stage_for(ana)
    game = table(board="b1:jjjj3,c1:jjjj3,c2:jjjj3", explorers1="c2sw,e4nw", pool=4)
    stage.show(decision_message(game))
    boat = ana.page.locator('[data-piece="boat-1"]').bounding_box()
    assert boat is not None
    onto = boat["x"] + boat["width"] * along, boat["y"] + boat["height"] / 2
    Finger(ana).drag(center(ana.page.locator('[data-piece="explorer-1-1"]')), onto)
    done: list[int] = []
    for text in ("explorer 1", "north", "north", "north", "board"):
        done.append(int(next(each for each in game.legal if each.text == text)))
        ana.wait_until(lambda: stage.played() == done)
        game.play(text)
        stage.show(decision_message(game))
    assert look(game, "explorers1").startswith("saved")


def test_a_tap_on_a_target_that_disappears_opens_nothing(new_user: NewUser) -> None:
    """The target under a finger may disappear before the finger is lifted. The rules of what lies
    there now must not open, because they would cover the board."""
    ana = new_user("Ana", size=PHONE, touch=True, reduced_motion=True)
    stage = stage_for(ana)
    before, taken, after = RandomGame("mauna-kea", 2, {}).find_choice("action.tile", "action.space")
    tiles = {each["targets"][0] for each in before["scene"]["choices"] if each["targets"]}
    stage.show(before)
    tile = center(ana.page.locator(f'[data-target="{max(tiles - {taken["targets"][0]})}"]'))
    finger = Finger(ana)
    finger.down(tile)
    stage.show(after)
    finger.up()
    ana.page.wait_for_timeout(500)
    expect(ana.by_test_id("sheet")).to_have_count(0)
    ana.page.touchscreen.tap(*tile)
    expect(ana.by_test_id("sheet")).to_be_visible()


def test_a_finger_lifted_beside_the_board_is_forgotten(new_user: NewUser) -> None:
    """The target disappears and the finger is lifted beside the board: later taps are not taken for
    a second finger."""
    ana = new_user("Ana", size=PHONE, touch=True, reduced_motion=True)
    stage = stage_for(ana)
    before, taken, after = RandomGame("mauna-kea", 2, {}).find_choice("action.tile", "action.space")
    finger = Finger(ana)

    stage.show(before)
    tile = center(ana.page.locator(f'[data-target="{taken["targets"][0]}"]'))
    finger.down(tile)
    stage.show(after)
    finger.move(center(ana.by_test_id("line")))
    finger.up()
    stage.show(before)
    ana.page.touchscreen.tap(*tile)
    expect(ana.by_test_id("several")).to_be_visible()  # lay it or spend it
