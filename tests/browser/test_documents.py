"""The documents in a browser: links from the games, search, all screen sizes, and no external
requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import Server, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import DESKTOP, PHONE, UserPage
from tests.support.documents import built_documents

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def docs_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the documents of this checkout."""
    options = ServerOptions(documents=str(built_documents()))
    with run_server(tmp_path_factory.mktemp("docs"), options) as running:
        yield running


def external_requests(user: UserPage) -> list[str]:
    """Records requests to other hosts from now on."""
    found: list[str] = []

    def note(address: str) -> None:
        if not address.startswith(user.home):
            found.append(address)

    user.page.on("request", lambda request: note(request.url))
    return found


def test_the_games_lead_to_the_documents_and_back(new_user: NewUser, docs_server: Server) -> None:
    ana = new_user("Ana", docs_server, language="fr-FR")
    elsewhere = external_requests(ana)
    ana.open_home()
    ana.game_card.get_by_test_id("what-is-it").click()
    ana.by_test_id("to-rules").click()
    with ana.context.expect_page() as opening:
        ana.page.get_by_role("link", name="Les règles illustrées, sur une page à part").click()
    rules = opening.value
    expect(rules.get_by_role("heading", level=1)).to_have_text("Deep Sea Adventure")
    expect(rules.locator("html")).to_have_attribute("lang", "fr")
    picture = rules.locator("#DS-T3 img").first
    picture.scroll_into_view_if_needed()
    rules.wait_for_function("(image) => image.naturalWidth > 0", arg=picture.element_handle())
    rules.close()
    ana.page.keyboard.press("Escape")
    ana.page.get_by_role("link", name="Règles illustrées, guides et autres documents").click()
    expect(ana.page).to_have_url(f"{docs_server.address}/docs/index.fr.html")
    expect(ana.page.get_by_role("heading", level=1)).to_have_text("Jouer")
    ana.page.locator("article").get_by_role("link", name="règles").first.click()
    expect(ana.page).to_have_url(f"{docs_server.address}/docs/rules/deep-sea.fr.html")
    ana.page.get_by_role("link", name="Jouer", exact=True).first.click()
    expect(ana.game_card).to_be_visible()
    assert not elsewhere


def test_the_search_is_used_from_the_keyboard(new_user: NewUser, docs_server: Server) -> None:
    ana = new_user("Ana", docs_server)
    ana.open(f"{docs_server.address}/docs/rules/the-island.fr.html")
    field = ana.page.get_by_role("searchbox")
    expect(field).to_be_visible()
    ana.page.keyboard.press("/")
    expect(field).to_be_focused()
    # Accents and case do not matter, and the language of the page comes first.
    ana.page.keyboard.type("TOURBILLON emporte")
    found = ana.page.locator(".found a")
    expect(found.first).to_be_visible()
    ana.page.keyboard.press("ArrowDown")
    expect(found.first).to_be_focused()
    ana.page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    ana.page.keyboard.press("Escape")
    expect(found.first).to_be_hidden()
    field.fill("IS-K9")
    expect(found.first).to_contain_text("The Island · IS-K9")
    ana.page.keyboard.press("Enter")
    expect(ana.page).to_have_url(f"{docs_server.address}/docs/rules/the-island.fr.html#IS-K9")
    expect(ana.page.locator("#IS-K9")).to_be_in_viewport()
    field.fill("regle xyzzy")
    expect(ana.page.locator(".found [role=status]")).to_have_text("Aucun résultat.")


@pytest.mark.parametrize(
    ("scheme", "size"),
    [
        pytest.param("light", DESKTOP, id="desktop-light"),
        pytest.param("dark", PHONE, id="phone-dark"),
    ],
)
def test_documents_are_accessible(
    new_user: NewUser, docs_server: Server, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    ana = new_user("Ana", docs_server, scheme=scheme, size=size, touch=size == PHONE)
    for page in ("index.fr.html", "rules/mauna-kea.fr.html", "writing-bots.html"):
        ana.open(f"{docs_server.address}/docs/{page}")
        expect_accessible(ana, page)
    menu = ana.page.get_by_role("navigation", name="All pages")
    if size == PHONE:
        expect(menu).to_be_hidden()
        ana.page.get_by_text("All pages").click()
    menu.get_by_role("link", name="Hosting Archipel").click()
    expect(ana.page.get_by_role("heading", level=1)).to_have_text("Hosting Archipel")


def test_the_offline_page_is_the_client(chromium: Browser, docs_server: Server) -> None:
    """Reading the documents does not replace the cached client."""
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(docs_server.address)
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.reload()
        page.goto(f"{docs_server.address}/docs/")
        kept = page.evaluate("caches.match('/').then((answer) => answer.text())")
    assert 'id="app"' in kept


def test_no_page_is_wider_than_a_small_phone(new_user: NewUser, docs_server: Server) -> None:
    ana = new_user("Ana", docs_server, size=(320, 568), touch=True)
    elsewhere = external_requests(ana)
    wide = []
    for path in sorted(built_documents().rglob("*.html")):
        page = path.relative_to(built_documents()).as_posix()
        ana.page.goto(f"{docs_server.address}/docs/{page}", wait_until="domcontentloaded")
        width = ana.page.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide.append(f"{page}: {width}")
    assert not wide
    assert not elsewhere
