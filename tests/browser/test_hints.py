"""Hints: the engine searches in the browser, on the view of its seat, if the table allows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import Server, engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import SMALL_PHONE, UserPage, play_until

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engine"),
]

HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def play_until_a_choice(*users: UserPage) -> UserPage:
    """Play until a user has several actions; returns that user."""
    play_until(lambda: any(len(each.table_state().actions) > 1 for each in users), *users)
    return next(each for each in users if len(each.table_state().actions) > 1)


def test_a_hint_is_computed_in_the_browser(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until_a_choice(ana)
    ana.by_test_id("hint").click()
    found = ana.by_test_id("hint-found")
    expect(found).to_contain_text(re.compile(r"It wins about \d+% of games"))
    first = int(found.get_attribute("data-simulations") or 0)
    expect(found).to_have_attribute("data-finished", "")
    assert int(found.get_attribute("data-simulations") or 0) > first, "the search went on"
    status = ana.by_test_id("choices").get_by_role("status")
    expect(status).to_contain_text(re.compile(r"wins about \d+% of games"))
    shown = ana.page.locator("[data-mark], .choice b")
    assert all("%" in text for text in shown.all_text_contents())
    assert shown.count() >= 1
    expect_accessible(ana, "a hint")
    asked = [json.loads(text) for text in ana.sent if "ask_view" in text]
    assert [message["purpose"] for message in asked] == ["hint"], "the server sent the view once"

    ana.by_test_id("hint").click()
    expect(found).to_have_count(0)
    expect(shown).to_have_count(0)
    ana.by_test_id("hint").click()
    expect(shown.first).to_be_visible()
    ana.decide()
    expect(found).to_have_count(0)

    # After a bot's turn: why it did so, as far as Ana can see.
    play_until(lambda: ana.by_test_id("ask-why").count() > 0, ana)
    ana.by_test_id("ask-why").click()
    reason = ana.by_test_id("why").get_by_role("status")
    expect(reason).to_have_text(
        re.compile(
            "There was only one possible choice|from what you can see|goes by rules of thumb"
        )
    )
    assert [message["type"] for message in map(json.loads, ana.sent)].count("ask_why") <= 6
    expect_accessible(ana, "the reason of a bot")


def start_from(user: UserPage, game: str, position: str) -> None:
    """Start a game against a bot from a position."""

    def start_there(route: Route) -> None:
        sent = route.request.post_data
        given = {"options": {}, "position": position}
        route.continue_(post_data=sent and json.dumps({**json.loads(sent), **given}))

    user.page.route("**/api/tables", start_there)
    user.set_up_table(game=game, seats=2, bots=[2])
    user.start_game()


#: A reason: the player's score, the opponent's, or their difference.
REASON = re.compile(
    r"because (you then score|your strongest opponent then scores|your score minus your strongest "
    r"opponent’s is then) [-\d.]+ .*on average, against [-\d.]+ after (the next best|a weaker turn)"
)


def test_a_hint_gives_a_reason_and_is_in_view_on_a_phone(new_user: NewUser) -> None:
    """To turn back with one cheap chip, with nearly all the air left, costs points."""
    ana = new_user("Ana", size=SMALL_PHONE, touch=True)
    there = "seats=2 air=25 diver1=4>[a4?] diver2=3> turn=1 phase=throw"
    start_from(ana, "deep-sea", there)
    ana.by_test_id("hint").click()
    found = ana.by_test_id("hint-found")
    expect(found).to_contain_text(REASON)
    expect(found.locator("li")).to_contain_text(re.compile(r"Next best, \d+%"))
    box, choices = found.bounding_box(), ana.by_test_id("choices").bounding_box()
    assert box is not None
    assert choices is not None
    assert choices["y"] - 1 <= box["y"] < choices["y"] + choices["height"] / 2


#: Positions of random games in which one turn is plainly better than another.
CLEAR = {
    "atlantis": (
        "seats=2 board=4c5c4ceb swimmers_land=off phase=move_to turn=1 points=1 chosen=boat6 "
        "sinking=- spun=- steps=0 origin=- swam=R7,R9 idle=12 ending=- land=- "
        "sunk=d4:octopus,d5:monster,d6:boat,d7:boat,e4:octopus,e5:boat,e6:monster,e7:dolphin,"
        "e8:shark,f4:dolphin,f5:octopus,f6:monster,f7:whirlpool,f8:monster,f9:monster,"
        "g3:shark,g4:octopus,g5:whirlpool,g6:octopus,g7:shark,g8:shark,g9:boat,h4:monster,"
        "h5:boat,h6:dolphin,h7:whirlpool,h8:boat,h9:dolphin,i4:shark,i5:whirlpool,"
        "i6:whirlpool,i7:boat,i8:shark,j4:boat,j5:octopus,j6:dolphin,j7:dolphin red=lost,"
        "lost,g9,lost,lost,lost,j5,lost,i3,j7,lost,lost blue=k5,lost,lost,h7,h7,h9,lost,h6,"
        "h7,i10,lost,i5 boats=h2,h8,d4,e7,i1,j9,x,x,x,x,-,- monsters=g10,c6,h4,d5,x,x "
        "sharks=b2,e8,i8,g3,f11,x octopuses=l7,b5,x,x,x,g6 dolphins=k9,x,d4,l7,x,x"
    ),
    "the-island": (
        "seats=2 two_colours=off crowded=off last_one=off all_equal=off sunken=off "
        "strict_swimming=off memory=- phase=creature turn=1 asked=- points=0 chosen=- steps=0"
        " playing=- die=shark swam=- wet=- idle=0 ending=- land=d7m:shark,f3m:whirlpool,"
        "f8m:whirlpool,g4f:shark,h8m:repel_whale,h9m:volcano,i5m:repel_shark,j4m:whirlpool,"
        "j7m:whirlpool hand1=g9b:repel_shark,h7f:repel_shark,j6f:repel_whale hand2=e7b:wind,"
        "g3f:repel_whale out=d4f:dolphin,d5b:whale,d6f:shark,e4f:move_whale,e5b:boat,"
        "e6f:move_serpent,e8b:shark,f4b:wind,f5f:whirlpool,f6b:whale,f7b:shark,f9b:whale,"
        "f10f:boat,g5b:move_shark,g7f:whale,g8b:dolphin,h3b:move_whale,h4b:shark,"
        "h5f:whirlpool,h6b:dolphin,h10b:dolphin,i4f:boat,i6f:boat,i7b:move_serpent,i8f:whale,"
        "j5f:move_shark white=e8:5,f3:6,f4:1,g8:2,i7:4,e8:3,g3:3,d1:1,lost:2,h5:1 "
        "yellow=h8:2,l4:6,lost:3,l5:5,i1:2,lost:4,b5:1,g7:1,lost:3,e8:1 boats=l6,k4,j2,f11,"
        "c6,x,i7,h4,-,-,-,- serpents=a1,c11,x,l7,a6 sharks=a1,x,x,d6,-,- whales=d5,e8,e6,k10,"
        "i8"
    ),
    "mauna-kea": (
        "seats=2 box=bd147f30 phase=explorer turn=1 first=1 active=2 number=1 pool=3 "
        "board=e1:s14.3,d2:s13.2,f2:s10.3,c3:s23.3,e3:s08.2,g3:s04.2,b4:s12.1,d4:s17.3,"
        "f4:s16,h4:s15.2,a5:s06.2,c5:s18,g5:s22,i5:s02.3,b6:s03.2,d6:s11,f6:s07,h6:s19,"
        "c7:s24,e7:s09,g7:s05.1,d8:s01,f8:s20.1,e9:s21 east=straight@f5e^0 "
        "west=straight@d5w^0 front1=jllj2 front2=jjll2,jjml2,jmmm1,jmlm1 explorers1=lost,"
        "e6se,e4ne,e4sw,e6ne explorers2=f4sw,e6sw,lost,e6nw,lost white=e7nw,f2sw,d6ne,b4sw,"
        "d2se,e1nw,h4ne,f4nw,d4se,c5nw,h6nw,f8ne,e9nw,g5ne,c3sw,c7nw,c7se grey=i5sw,b6se,"
        "g3se,g7ne,a5sw,f6sw,e3se black=d8nw boats=e1,n2,s1,s2,n1,w2,e2,w1"
    ),
}


@pytest.fixture(scope="module")
def engines_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("engines")
    with run_server(folder, ServerOptions(engines=engines(folder, *CLEAR))) as running:
        yield running


@pytest.mark.parametrize("game", list(CLEAR))
def test_hints_give_reasons_in_every_game(
    new_user: NewUser, engines_server: Server, game: str
) -> None:
    ana = new_user("Ana", engines_server)
    start_from(ana, game, CLEAR[game])
    ana.by_test_id("hint").click()
    expect(ana.by_test_id("hint-found")).to_contain_text(REASON)


def test_the_page_says_that_the_engine_is_being_built(new_user: NewUser) -> None:
    """It asks again by itself; no reload and no further move is needed."""
    ana = new_user("Ana", language="fr-FR")
    ready = False

    def answer(route: Route) -> None:
        response = route.fetch()
        games = response.json()
        for game in games:
            if not ready and game["name"] in ("deep-sea", "atlantis"):
                game.update(engine=None, engine_coming=True)
        route.fulfill(response=response, json=games)

    ana.page.route("**/api/games", answer)
    ana.play_now()
    play_until_a_choice(ana)
    building = ana.by_test_id("engine-building")
    expect(building).to_have_text("Le serveur prépare les conseils\xa0: 0 jeu est prêt sur 2.")
    expect(ana.by_test_id("hint")).to_have_count(0)
    ready = True
    expect(ana.by_test_id("hint")).to_be_visible()
    expect(building).to_have_count(0)


def test_the_search_pauses_while_the_page_is_hidden(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until_a_choice(ana)
    ana.page.evaluate(HIDE, True)
    ana.by_test_id("hint").click()
    found = ana.by_test_id("hint-found")
    expect(found).to_have_attribute("data-simulations", "0")
    for _ in range(30):  # round trips, long enough for a result
        ana.page.evaluate("() => fetch('/api/games').then((answer) => answer.text())")
    assert found.get_attribute("data-simulations") == "0"
    ana.page.evaluate(HIDE, False)
    expect(found).to_contain_text("%")


def test_hints_among_people_need_consent(new_user: NewUser) -> None:
    ana, ben = new_user("Ana"), new_user("Ben")
    ana.set_up_table(seats=2, first=1)
    ben.join(ana.shared_link())
    ana.start_game()
    play_until_a_choice(ana, ben)
    expect(ana.by_test_id("hint")).to_have_count(0)
    expect(ben.by_test_id("hint")).to_have_count(0)
    ana.open_tab("settings")
    ana.by_test_id("allow-hints").click()
    expect(ben.by_test_id("choices")).to_contain_text("Ana would like to allow hints for everyone.")
    ben.by_test_id("choices").get_by_role("button", name="Agree", exact=True).click()
    expect(ana.by_test_id("allow-hints")).to_have_count(0)
    expect(play_until_a_choice(ana, ben).by_test_id("hint")).to_be_visible()


def test_without_an_engine_nothing_is_offered(new_user: NewUser, own_server: Server) -> None:
    ana = new_user("Ana", own_server)
    ana.play_now()
    play_until_a_choice(ana)
    ana.open_tab("help")
    expect(ana.by_test_id("can-do")).to_be_visible()
    expect(ana.by_test_id("ask-odds")).to_have_count(0)
    expect(ana.by_test_id("hint")).to_have_count(0)


def test_the_best_targets_are_marked_on_the_board(
    new_user: NewUser, engines_server: Server
) -> None:
    luc = new_user("Luc", engines_server, language="fr-FR")
    luc.open_home()
    luc.by_test_id("game-the-island").get_by_test_id("play-now").click()
    luc.expect_board()
    luc.by_test_id("hint").click()
    marks = luc.page.locator("[data-mark]")
    expect(marks.first).to_be_visible()
    found = luc.by_test_id("hint-found")
    expect(found).to_contain_text(re.compile(r"gagne environ \d+\s% des parties"))
    assert 1 <= marks.count() <= 3
    expect(luc.by_test_id("hint-arrow")).to_have_count(1)
    # Placing an explorer is one turn: the tile, and which explorer.
    expect(found.locator("p")).to_contain_text(re.compile(r"un explorateur en \w\d+\s: .*\d"))
    expect(found).to_have_attribute("data-finished", "")
    turns = [found.locator("p").inner_text(), *found.locator("li").all_inner_texts()]
    assert len(set(turns)) == len(turns)
    assert "de pourcentage" in turns[0]
