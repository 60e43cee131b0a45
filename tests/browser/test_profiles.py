"""Profiles in the browser: one identity on several devices, and the page with all my tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import Server, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import PHONE, Device, UserPage, open_user_page
from tests.notices.receivers import HttpReceiver, PushSubscription, http_receiver

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("profiles"), ServerOptions(notices=True)) as running:
        yield running


@pytest.fixture(scope="module")
def receiver() -> Iterator[HttpReceiver]:
    with http_receiver() as receiver:
        yield receiver


def open_you(user: UserPage, mark: str = "") -> None:
    user.page.goto(f"{user.home}/you{mark}")
    expect(user.by_test_id("you")).to_be_visible()


def make_profile(user: UserPage, name: str = "Ana") -> None:
    open_you(user)
    form = user.by_test_id("new-profile")
    form.get_by_role("textbox").fill(name)
    form.get_by_role("button", name=re.compile("Make a profile|Créer un profil")).click()
    expect(user.page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def link_for_another_device(user: UserPage) -> str:
    """The fragment of the link that adds a device."""
    user.by_test_id("add-device").click()
    expect(user.by_test_id("qr")).to_be_visible()
    address = user.by_test_id("dialog").get_by_role("textbox").input_value()
    user.page.keyboard.press("Escape")
    found = re.search(r"/you(#move=[\w-]+)$", address)
    assert found is not None, address
    return found[1]


def expect_refusal(user: UserPage, status: int) -> None:
    """The browser reports a request that the server has refused."""
    refused = [error for error in user.errors if f"status of {status}" in error]
    assert refused
    user.errors[:] = [error for error in user.errors if error not in refused]


@pytest.mark.promise("devices")
def test_a_profile_moves_by_a_link_and_a_printed_code_and_a_lost_device_is_out(
    new_user: NewUser,
) -> None:
    laptop, phone, tablet = new_user("Laptop"), new_user("Phone", size=PHONE), new_user("Tablet")
    make_profile(laptop)
    laptop.open_home()
    laptop.set_up_table(seats=2)
    table = laptop.table

    # By a link, once.
    open_you(laptop)
    mark = link_for_another_device(laptop)
    open_you(phone, mark)
    phone.by_test_id("add-this-device").click()
    expect(phone.page.get_by_role("heading", name="Ana", exact=True)).to_be_visible()
    assert "#" not in phone.page.url
    open_you(tablet, mark)
    tablet.by_test_id("add-this-device").click()
    expect(tablet.page.get_by_role("alert")).to_contain_text("not valid")
    expect_refusal(tablet, 422)

    # The phone has the seat of the laptop, without its secret link.
    tables = phone.by_test_id("tables-gathering")
    expect(tables.get_by_role("listitem")).to_have_count(1)
    tables.get_by_role("link").click()
    expect(phone.page).to_have_url(re.compile(f"/t/{table}$"))
    phone.wait_until(lambda: bool(phone.messages("welcome")))
    assert phone.messages("welcome")[-1]["seat"] == 0
    assert phone.messages("welcome")[-1]["host"]

    # By a printed code.
    open_you(laptop)
    laptop.by_test_id("recovery").click()
    code = laptop.by_test_id("recovery-code").inner_text()
    laptop.page.keyboard.press("Escape")
    open_you(tablet)
    tablet.by_test_id("printed-code").fill(code.lower())
    tablet.button("Use this code").click()
    expect(tablet.page.get_by_role("heading", name="Ana", exact=True)).to_be_visible()
    expect(tablet.by_test_id("device")).to_have_count(3)

    # The laptop is lost: it is thrown out of the table that it has open.
    laptop.page.goto(f"{laptop.home}/t/{table}")
    laptop.wait_until(lambda: bool(laptop.messages("welcome")))
    assert laptop.messages("welcome")[-1]["seat"] == 0
    first = tablet.by_test_id("device").filter(has_not_text="this device").first
    first.get_by_role("button").click()
    tablet.by_test_id("confirm-revoke").click()
    expect(tablet.by_test_id("device")).to_have_count(2)
    laptop.wait_until(lambda: laptop.messages("welcome")[-1]["seat"] is None)
    open_you(laptop)
    expect(laptop.by_test_id("new-profile")).to_be_visible()
    expect_refusal(laptop, 401)
    # The others still have the seat.
    phone.page.reload()
    phone.wait_until(lambda: phone.messages("welcome")[-1]["seat"] == 0)


def test_a_passkey_brings_a_profile_to_a_new_device(chromium: Browser, server: Server) -> None:
    """With Chromium's virtual authenticator; passkeys belong to names, so the page is localhost."""
    address = f"http://localhost:{server.port}"
    laptop = open_user_page(chromium, address, "Laptop", Device())
    phone = open_user_page(chromium, address, "Phone", Device())
    devtools = {user.name: user.context.new_cdp_session(user.page) for user in (laptop, phone)}
    authenticators = {}
    for name, session in devtools.items():
        session.send("WebAuthn.enable")
        made = session.send(
            "WebAuthn.addVirtualAuthenticator",
            {
                "options": {
                    "protocol": "ctap2",
                    "transport": "internal",
                    "hasResidentKey": True,
                    "hasUserVerification": True,
                    "isUserVerified": True,
                    "automaticPresenceSimulation": True,
                }
            },
        )
        authenticators[name] = made["authenticatorId"]
    make_profile(laptop)
    laptop.by_test_id("add-passkey").click()
    expect(laptop.by_test_id("device")).to_have_count(2)
    # The system brings the passkey to the other device.
    given = {"authenticatorId": authenticators["Laptop"]}
    (credential,) = devtools["Laptop"].send("WebAuthn.getCredentials", given)["credentials"]
    devtools["Phone"].send(
        "WebAuthn.addCredential",
        {"authenticatorId": authenticators["Phone"], "credential": credential},
    )
    open_you(phone)
    phone.by_test_id("use-passkey").click()
    expect(phone.page.get_by_role("heading", name="Ana", exact=True)).to_be_visible()
    expect(phone.by_test_id("device")).to_have_count(3)
    assert not laptop.errors
    assert not phone.errors
    for user in (laptop, phone):
        user.context.close()


#: A browser that may show notifications and has a push service.
PUSH = """({endpoint, point}) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const subscription = {
    endpoint,
    getKey: (name) => bytes(name === "auth" ? btoa("0123456789abcdef") : point),
  };
  const pushManager = { getSubscription: async () => null, subscribe: async () => subscription };
  const ready = Promise.resolve({ pushManager });
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(ServiceWorkerContainer.prototype, "ready", { get: () => ready });
}"""


def test_the_page_about_oneself(new_user: NewUser, receiver: HttpReceiver) -> None:
    """All my tables, vacation, notices: by keyboard, for screen readers, in both languages."""
    ana = new_user("Ana", size=PHONE, scheme="dark")
    ana.open_home()
    ana.by_test_id("open-you").click()
    expect(ana.by_test_id("new-profile")).to_be_visible()
    expect_accessible(ana, "the page to make a profile")
    ana.by_test_id("new-profile").get_by_role("textbox").fill("Ana")
    ana.page.keyboard.press("Enter")
    expect(ana.by_test_id("your-turn")).to_be_visible()
    made = ana.page.request.post(
        f"{ana.home}/api/tables",
        data={
            "game": "deep-sea",
            "seats": [{}, {"bot": "random"}],
            "my_name": "Ana",
            "clock": {"kind": "days", "seconds": 172_800},
            "options": {"first": 1},
            "begin": True,
        },
    ).json()
    kept = json.dumps({made["table"]: {"token": made["token"], "game": "deep-sea", "seen": 0}})
    ana.page.evaluate("(kept) => localStorage.setItem('archipel.tables', kept)", kept)
    ana.page.goto(f"{ana.home}/t/{made['table']}")
    ana.wait_for_turn()
    open_you(ana)
    mine = ana.by_test_id("tables-yourTurn").get_by_role("listitem")
    expect(mine).to_have_count(1)
    expect(mine).to_contain_text("It is your turn.")
    expect(mine.get_by_test_id("time-left")).to_contain_text("2 days left")
    expect(ana.page).to_have_title(re.compile("^● "))

    notices = ana.by_test_id("notices")
    ana.by_test_id("webhook").get_by_label("Address").fill(f"{receiver.address}/hook")
    ana.page.keyboard.press("Enter")
    expect(notices.get_by_role("listitem")).to_contain_text(receiver.address)
    habits = ana.by_test_id("habits")
    habits.get_by_label("from").fill("22:30")
    habits.get_by_label("until").fill("07:00")
    habits.get_by_role("button").click()
    expect(ana.by_test_id("told")).to_have_text("Saved.")
    point = PushSubscription().point.replace("-", "+").replace("_", "/") + "="
    pushes = json.dumps({"endpoint": f"{receiver.address}/push", "point": point})
    ana.page.add_init_script(f"({PUSH})({pushes})")
    ana.page.reload()
    expect(habits.get_by_label("from")).to_have_value("22:30")

    # No notices of this table on this device, but elsewhere.
    ana.by_test_id("push-on").press("Enter")
    mine.get_by_role("button", name="Not on this device").press("Enter")
    mine.get_by_role("button", name="On this device again").press("Enter")
    expect(mine.get_by_role("button", name="Not on this device")).to_be_visible()
    mine.get_by_role("button", name="No notices").press("Enter")
    expect(mine.get_by_role("button", name="Notices again")).to_be_visible()
    vacation = ana.by_test_id("vacation")
    vacation.get_by_label("Days").fill("3")
    ana.page.keyboard.press("Enter")
    expect(vacation).to_contain_text("You are on vacation until")
    expect(vacation).to_contain_text("27 days are left")
    expect(mine.get_by_test_id("time-left")).to_contain_text("5 days left")
    vacation.get_by_role("button", name="I am back").click()
    expect(vacation.get_by_label("Days")).to_be_visible()
    expect_accessible(ana, "the page about oneself")

    zoe = new_user("Zoé", language="fr", scheme="light")
    make_profile(zoe, "Zoé")
    expect(zoe.by_test_id("your-turn")).to_contain_text("À vous de jouer")
    expect_accessible(zoe, "the page about oneself, in French")


def test_the_page_for_the_host(new_user: NewUser) -> None:
    host = new_user("Host", size=PHONE, language="fr")
    host.page.goto(f"{host.home}/operator")
    host.page.get_by_label("Mot de passe").fill("a wrong password")
    host.page.keyboard.press("Enter")
    expect(host.page.get_by_role("alert")).to_be_visible()
    expect_refusal(host, 401)
    host.page.get_by_label("Mot de passe").fill("a long password")
    host.page.keyboard.press("Enter")
    expect(host.by_test_id("figure-profiles")).to_have_text(re.compile("^[0-9]+$"))
    expect(host.by_test_id("figure-bytes")).to_contain_text("Mo")
    expect(host.by_test_id("figure-clubs")).to_have_text("0")
    expect_accessible(host, "the page for the host")

    # On request the host replaces a name and deletes a profile.
    zoe = new_user("Zoé", language="fr")
    make_profile(zoe, "Zébulon")
    host.page.get_by_label("Nom d’un profil").fill("Zébulon")
    host.page.keyboard.press("Enter")
    found = host.by_test_id("found")
    expect(found).to_contain_text("appareils\N{NO-BREAK SPACE}: 1")
    found.get_by_label("Remplacer le nom par").fill("Zoé")
    host.page.keyboard.press("Enter")
    expect(host.by_test_id("done")).to_contain_text("remplacé")
    zoe.page.reload()
    expect(zoe.page.get_by_role("heading", name="Zoé", exact=True)).to_be_visible()
    host.page.get_by_label("Nom d’un profil").fill("Zoé")
    host.page.keyboard.press("Enter")
    found.get_by_role("button", name="Supprimer définitivement").last.click()
    host.by_test_id("sure").click()
    expect(host.by_test_id("done")).to_contain_text("supprimé")
    zoe.page.reload()
    expect(zoe.by_test_id("new-profile")).to_be_visible()
    expect_refusal(zoe, 401)


def test_the_page_on_privacy(new_user: NewUser) -> None:
    for language, words in (("fr", "supprimer"), ("en", "delete")):
        user = new_user("Ana", size=PHONE, language=language)
        open_you(user)
        user.by_test_id("to-privacy").press("Enter")
        page = user.by_test_id("privacy")
        expect(page).to_contain_text(words)
        expect(page).to_contain_text("400")
        assert page.locator("dt").count() == page.locator("dd").count() >= 12
        expect_accessible(user, f"the page on privacy, in {language}")
