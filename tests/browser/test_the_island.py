"""The Island in real browsers: two users, on a phone and on a desktop, with two bots."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Route, expect

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
from tests.browser.staging import RandomGame, StagedTable
from tests.browser.user_page import PHONE, SMALL_PHONE, Message, UserPage

pytestmark = pytest.mark.browser

#: Weights for a short game: few moves, few creatures, but all choices of tiles and defences.
HASTY = {"action.enough_moving": 12, "action.no_creature": 4, "action.ashore": 30}


def start_game_of_two(
    new_user: NewUser, *, bots: list[int], **options: str
) -> tuple[UserPage, UserPage]:
    """Ana at a desktop and Ben on a phone, in a game that Ana begins."""
    ana, ben = (
        new_user("Ana", reduced_motion=True),
        new_user("Ben", size=PHONE, touch=True, reduced_motion=True),
    )
    ana.set_up_table(game="the-island", seats=2 + len(bots), bots=bots, options=options)
    ben.join(ana.shared_link())
    ana.start_game()
    ben.expect_board()
    return ana, ben


def test_two_users_and_two_bots_finish_a_game(new_user: NewUser, server: Server) -> None:
    """In French: one by touch only on a small phone, one by keyboard only."""
    quick = {"Quick set-up": "placed at random"}
    ana = new_user("Ana", reduced_motion=True)
    ben = new_user("Ben", size=SMALL_PHONE, touch=True, reduced_motion=True)
    start_french_game(ana, ben, "the-island", bots=[3, 4], **quick)
    by_keys, with_phone = (
        KeyboardPlayer(ana, WeightedChoice(1, HASTY)),
        BoardPlayer(ben, WeightedChoice(2, HASTY)),
    )

    finish(server, by_keys, with_phone)

    assert by_keys.lost == 0
    assert with_phone.steps < 1.5 * with_phone.decisions


def test_explorers_and_boats_are_placed_by_hand(new_user: NewUser) -> None:
    """Explorers with their values, then boats; pieces have the colours of their players."""
    ana, ben = start_game_of_two(new_user, bots=[], **{"Who begins": "seat 1"})
    players = BoardPlayer(ana, WeightedChoice(3, {})), BoardPlayer(ben, WeightedChoice(4, {}))
    assert "Ana" not in ana.status_line()
    ana.open_tab("text")
    row = ana.by_test_id("text-board").get_by_role("row", name="Ana")
    expect(row).to_contain_text("10, on the board 0, saved 0, lost 0")
    board = ana.by_test_id("board")
    play_boards_until(lambda: "boat" in ana.status_line() or "boat" in ben.status_line(), *players)
    names = board.locator("[data-piece]").filter(has_text=re.compile(r"^[AB]\d+"))
    expect(names).to_have_count(20)
    expect(board.locator('[data-piece="w1"]')).to_contain_text("A1")
    expect(ana.by_test_id("seats").locator("svg text")).to_have_text(["A", "B"])  # as on the board
    assert {"value": 1} in [
        {"value": piece["properties"]["value"]}
        for piece in players[0].position()["scene"]["pieces"]
        if piece["seat"] == 0
    ]
    play_boards_until(lambda: "points" in ana.status_line(), *players)

    # The labels can be typed as moves.
    ana.open_tab("text")
    expect(ana.by_test_id("text-board")).to_contain_text("xplorer A1 of Ana")
    ana.by_test_id("typed-move").fill("explorer A1")
    ana.by_test_id("typed-move").press("Enter")
    expect(ana.by_test_id("line")).to_contain_text("Where does A1 go?")
    type_a_whole_move(players[0])
    switch_explorer(players[0])
    walk_far_and_undo(players[0])


def walk_far_and_undo(player: BoardPlayer) -> None:
    """A tap on a far space takes several steps; one undo takes back all of them and the pick."""
    ana = player.user
    before = player.position()["scene"]["pieces"]
    path = player.position()["scene"]["paths"][-1]
    n = player.board_state().n
    player.perform(path)
    ana.wait_until(lambda: player.board_state().n == n + 1 + len(path["then"]))
    ana.wait_until(lambda: player.position()["scene"]["pieces"] != before)
    ana.by_test_id("undo").click()
    ana.wait_until(lambda: player.position()["scene"]["pieces"] == before)
    expect(ana.by_test_id("line")).to_contain_text("3")
    keys = {choice["key"] for choice in player.position()["scene"]["choices"]}
    assert "action.enough_moving" in keys


def type_a_whole_move(player: BoardPlayer) -> None:
    """Take the explorer back, and type it with its destination: "A1 to f5"."""
    ana = player.user
    places = [each["text"].split() for each in player.position()["scene"]["choices"]]
    space = next(words[1] for words in places if words[0] in ("to", "swim"))
    ana.by_test_id("undo").click()
    ana.wait_until(lambda: "Where does" not in ana.status_line())
    ana.by_test_id("typed-move").fill(f"A1 to {space}")
    ana.by_test_id("typed-move").press("Enter")
    ana.wait_until(lambda: cell_of(player, "w1") == space)
    ana.by_test_id("undo").click()
    ana.wait_until(lambda: cell_of(player, "w1") != space)
    ana.by_test_id("undo").click()


def cell_of(player: BoardPlayer, piece: str) -> str:
    pieces = player.position()["scene"]["pieces"]
    return str(next(each["cell"] for each in pieces if each["id"] == piece))


def shown(choice: Message) -> str:
    """The name of the first player's explorer on the screen."""
    return str(choice["details"]["explorer"]).replace("w", "A")


def switch_explorer(player: BoardPlayer) -> None:
    """Tap another explorer instead of the selected one; it becomes the one to move."""
    ana = player.user

    def explorers() -> list[Message]:
        return [each for each in player.legal_choices() if each["key"] == "action.explorer"]

    ana.wait_until(lambda: bool(explorers()))
    own = explorers()
    player.perform(own[0])
    expect(ana.by_test_id("line")).to_contain_text(f"Where does {shown(own[0])} go?")
    scene = player.position()["scene"]
    near = {target for choice in scene["choices"] for target in choice["targets"]}
    cells = {piece["id"]: piece["cell"] for piece in scene["pieces"]}
    other = next(each for each in own[1:] if cells[each["targets"][0]] not in near)
    ana.page.mouse.click(*center(ana.page.locator(f'[data-piece="{other["targets"][0]}"]')))
    expect(ana.by_test_id("line")).to_contain_text(f"Where does {shown(other)} go?")


@pytest.mark.parametrize(
    ("game", "piece"), [("the-island", "action.explorer"), ("atlantis", "action.person")]
)
def test_a_swimmer_dropped_on_a_boat_boards_it(new_user: NewUser, game: str, piece: str) -> None:
    ana = new_user("Ana", size=SMALL_PHONE, touch=True, reduced_motion=True)
    stage = StagedTable(ana)
    ana.set_up_table(game=game, seats=2, bots=[2], options={"Who begins": "seat 1"})
    ana.start_game()
    before, taken, after = RandomGame(game, 2, {}).find_choice(piece, "action.board")
    boards = next(each for each in after["scene"]["choices"] if each["key"] == "action.board")
    stage.show(before)
    somebody, boat = (
        ana.page.locator(f'[data-piece="{each["targets"][0]}"]') for each in (taken, boards)
    )
    Finger(ana).drag(center(somebody), center(boat))
    assert stage.played() == [taken["action"]]
    stage.show(after)
    ana.wait_until(lambda: stage.played()[1:] == [boards["action"]])


def test_a_tile_in_hand_defends_on_another_players_turn(new_user: NewUser) -> None:
    """IS-D3: the threatened player is asked, and a standing answer is sent automatically."""
    asked = RandomGame("the-island", 2, {}, seed=5).find_position("action.yes.shark")
    ana = new_user("Ana", size=PHONE, touch=True, reduced_motion=True)

    def start_there(route: Route) -> None:
        sent = route.request.post_data
        there = {"options": {}, "position": asked}
        route.continue_(post_data=sent and json.dumps({**json.loads(sent), **there}))

    ana.page.route("**/api/tables", start_there)
    ana.set_up_table(game="the-island", seats=2, bots=[2])
    ana.start_game()
    assert re.search("moves shark .* Do you repel it?", ana.status_line())
    expect(ana.button("Repel the shark")).to_have_class(re.compile(r"\bmain\b"))
    ana.open_tab("settings")
    ana.by_test_id("answer").select_option(label="use it")
    ana.wait_until(
        lambda: any("is repelled and leaves the game" in line for line in ana.log_lines())
    )
