"""The Island in real browsers: two people, on a phone and at a desk, with two bots."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

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
from tests.browser.people import NO_CHANCE_OF_ITS_OWN, PHONE, SMALL_PHONE, Message, Person
from tests.browser.server_process import Difference
from tests.browser.serving import Server, serving
from tests.browser.staging import Play, Stage

pytestmark = pytest.mark.browser

#: A short game: few moves, few creatures, but all of a tile's and a defence's.
HASTY = {"action.enough_moving": 12, "action.no_creature": 4, "action.ashore": 30}
#: Swim, and keep tiles in hand.
TO_THE_SHARKS = {
    "action.enough_moving": 20,
    "action.no_creature": 20,
    "action.swim": 5,
    "action.no_tile": 9,
}


def sit_together(arrive: Arrive, *, bots: list[int], **options: str) -> tuple[Person, Person]:
    """Ana at a desk and Ben with a phone, before a game that Ana begins."""
    ana, ben = arrive("Ana", still=True), arrive("Ben", size=PHONE, touch=True, still=True)
    set_up(ana, "the-island", seats=2 + len(bots), bots=bots, options=options)
    ben.joins(ana.link_for_everyone())
    ana.begins()
    ben.sees_board()
    return ana, ben


def test_two_people_and_two_bots_finish_a_game(arrive: Arrive, server: Server) -> None:
    """In French: one by touch alone on a small phone, one by keys alone."""
    quick = {"Quick set-up": "placed at random"}
    ana = arrive("Ana", still=True)
    ben = arrive("Ben", size=SMALL_PHONE, touch=True, still=True)
    sit_down_in_french(ana, ben, "the-island", bots=[3, 4], **quick)
    by_keys, with_phone = KeyPlayer(ana, Likely(1, HASTY)), Player(ben, Likely(2, HASTY))

    finish(server, by_keys, with_phone)

    assert by_keys.confirmed > 10
    assert by_keys.lost == 0
    assert with_phone.confirmed > 10


def test_everything_is_placed_by_hand(arrive: Arrive) -> None:
    """Explorers with their values, then boats; the pieces have the colours of their players."""
    ana, ben = sit_together(arrive, bots=[], **{"Who begins": "seat 1"})
    players = Player(ana, Likely(3, {})), Player(ben, Likely(4, {}))
    assert "Ana" not in ana.line()
    ana.opens("text")
    row = ana.part("text-board").get_by_role("row", name="Ana")
    expect(row).to_contain_text("10, on the board 0, saved 0, lost 0")
    board = ana.part("board")
    play_on(lambda: "boat" in ana.line() or "boat" in ben.line(), *players)
    names = board.locator("[data-piece]").filter(has_text=re.compile(r"^[YW]\d+"))
    expect(names).to_have_count(20)
    expect(board.locator('[data-piece="w1"]')).to_contain_text("Y1")
    expect(ana.part("seats").locator("svg text")).to_have_text(["Y", "W"])  # as on the board
    assert {"value": 1} in [
        {"value": piece["properties"]["value"]}
        for piece in players[0].position()["scene"]["pieces"]
        if piece["seat"] == 0
    ]
    play_on(lambda: "points" in ana.line(), *players)

    # What is read is what can be typed.
    ana.opens("text")
    expect(ana.part("text-board")).to_contain_text("xplorer Y1 of Ana")
    ana.part("typed-move").fill("explorer Y1")
    ana.part("typed-move").press("Enter")
    expect(ana.part("line")).to_contain_text("Where does Y1 go?")
    ana.part("undo").click()
    switches(players[0])


def shown(choice: Message) -> str:
    """What an explorer of the first player is called on the screen."""
    return str(choice["details"]["explorer"]).replace("w", "Y")


def switches(player: Player) -> None:
    """Another explorer is tapped, instead of the one that was: it is the one to go."""
    ana = player.person
    ana.wait_until(lambda: "points" in ana.line() and bool(player.to_decide()))
    own = [each for each in player.to_decide() if each["key"] == "action.explorer"]
    player.does(own[0])
    expect(ana.part("line")).to_contain_text(f"Where does {shown(own[0])} go?")
    scene = player.position()["scene"]
    near = {target for choice in scene["choices"] for target in choice["targets"]}
    cells = {piece["id"]: piece["cell"] for piece in scene["pieces"]}
    other = next(each for each in own[1:] if cells[each["targets"][0]] not in near)
    ana.page.mouse.click(*middle(ana.page.locator(f'[data-piece="{other["targets"][0]}"]')))
    expect(ana.part("line")).to_contain_text(f"Where does {shown(other)} go?")


@pytest.mark.parametrize(
    ("game", "person"), [("the-island", "action.explorer"), ("atlantis", "action.person")]
)
def test_somebody_dropped_on_a_boat_boards_it(arrive: Arrive, game: str, person: str) -> None:
    ana = arrive("Ana", size=SMALL_PHONE, touch=True, still=True)
    stage = Stage(ana)
    set_up(ana, game, seats=2, bots=[2], options={"Who begins": "seat 1"})
    ana.begins()
    before, taken, after = Play(game, 2, {}).taking(person, "action.board")
    boards = next(each for each in after["scene"]["choices"] if each["key"] == "action.board")
    stage.show(before)
    somebody, boat = (
        ana.page.locator(f'[data-piece="{each["targets"][0]}"]') for each in (taken, boards)
    )
    Finger(ana).drags(middle(somebody), middle(boat))
    assert stage.played() == [taken["action"]]
    stage.show(after)
    ana.wait_until(lambda: stage.played()[1:] == [boards["action"]])


def test_a_tile_in_hand_defends_on_somebody_elses_turn(arrive: Arrive, tmp_path: Path) -> None:
    """IS-D3: whoever is threatened is asked, and a standing answer goes out by itself.

    Chance is repeatable: with this seed a shark comes while Ana holds the tile against it.
    """
    with serving(tmp_path, Difference(seed="four")) as server:
        ana = arrive("Ana", server, size=PHONE, touch=True, still=True)
        ana.page.add_init_script(NO_CHANCE_OF_ITS_OWN)
        options = {"Who begins": "seat 1", "Quick set-up": "placed at random"}
        set_up(ana, "the-island", seats=4, bots=range(2, 5), options=options)
        ana.begins()
        player = Player(ana, Likely(1, TO_THE_SHARKS))

        def can_defend() -> bool:
            assert not player.sight().over, "nobody threatened Ana while she could defend"
            choices = player.position()["scene"]["choices"] if player.to_decide() else []
            return any(choice["key"] == "action.yes.shark" for choice in choices)

        play_on(can_defend, player)
        assert re.search("moves shark .* Do you drive it away?", ana.line())
        expect(ana.button("Drive the shark away")).to_have_class(re.compile(r"\bmain\b"))
        ana.opens("settings")
        ana.part("answer").select_option(label="use it")
        ana.wait_until(lambda: any("is driven out of the game" in line for line in ana.log()))
