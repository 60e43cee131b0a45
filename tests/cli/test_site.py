"""``archipel site build``: the addresses of servers that help friends' devices meet."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from archipel.lessons import lessons_of
from archipel.rules.all_games import games
from archipel.site.meeting import Meeting, NotAnAddress, read_meeting
from archipel.site.pages import site_manifest, site_page
from tests.cli.conftest import Archipel

PAGE = '<html lang="en"><head><meta charset="utf-8" /></head><noscript></noscript></html>'


@pytest.mark.parametrize(
    ("option", "address"),
    [
        ("signalling", "play.example.org"),
        ("signalling", "wss://play.example.org"),
        ("signalling", "https://play.example.org/path"),
        ("signalling", "https://user@play.example.org"),
        ("signalling", "https://play.example.org; script-src *"),
        ("signalling", 'https://"onload=x'),
        ("continue-on", "play.example.org"),
        ("continue-on", "https://play.example.org/path"),
        ("stun", "stun.example.org"),
        ("stun", "stun:"),
        ("stun", "turn:stun.example.org"),
        ("turn", "turn:turn.example.org"),
        ("turn", "turn:user@turn.example.org"),
        ("turn", "turn:user:secret@turn.example.org/x"),
    ],
)
def test_a_wrong_address_is_a_clear_error(
    archipel: Archipel, tmp_path: Path, option: str, address: str
) -> None:
    result = archipel("site", "build", "--to", str(tmp_path / "site"), f"--{option}={address}")
    result.refused(f"--{option}", address)
    assert not (tmp_path / "site").exists()


def test_addresses_are_read() -> None:
    meeting = read_meeting(
        "https://Play.example.org:8443/",
        ["stun:stun.example.org:3478"],
        ["turns:ana:s:3cret@[2001:db8::1]:5349?transport=tcp"],
    )
    assert meeting.origins == ["wss://play.example.org:8443"]
    assert [server.urls for server in meeting.ice] == [
        "stun:stun.example.org:3478",
        "turns:[2001:db8::1]:5349?transport=tcp",
    ]
    assert (meeting.ice[1].username, meeting.ice[1].credential) == ("ana", "s:3cret")
    both = read_meeting("http://localhost:8000", [], [], "https://Play.example.org/")
    assert both.origins == ["ws://localhost:8000", "https://play.example.org"]
    with pytest.raises(NotAnAddress):
        read_meeting(None, ["https://stun.example.org"], [])


def connected_origins(page: str) -> str:
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    policy = html.unescape(found[1]).split("; ")
    return next(part for part in policy if part.startswith("connect-src "))


def settings_in(page: str) -> object:
    found = re.search(r'<html [^>]*data-meeting="([^"]*)"', page)
    assert found is not None
    return json.loads(html.unescape(found[1]))


def test_the_page_names_no_server_by_default() -> None:
    page = site_page(PAGE, "runtime", Meeting(), documents=False)
    assert settings_in(page) == {}
    assert connected_origins(page) == "connect-src 'self'"


def test_the_page_connects_to_the_signalling_server_and_to_no_other() -> None:
    meeting = read_meeting(
        "https://play.example.org", ["stun:stun.example.org"], ["turn:ana:\"<&'@turn.example.org"]
    )
    page = site_page(PAGE, "runtime", meeting, documents=False)
    assert settings_in(page) == {
        "signalling": "https://play.example.org",
        "ice": [
            {"urls": "stun:stun.example.org"},
            {"urls": "turn:turn.example.org", "username": "ana", "credential": "\"<&'"},
        ],
    }
    assert connected_origins(page) == "connect-src 'self' wss://play.example.org"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_can_be_read_before_anything_has_loaded(language: str) -> None:
    """What the games are, their rules, and how the first lessons begin."""
    page = html.unescape(site_page(PAGE, "runtime", Meeting(), documents=True))
    for game in games():
        assert game.booklet(language).introduction in page
        assert f"./docs/rules/{game.name}.{language}.html" in page
        assert lessons_of(game.name)[0].steps[0].said[language] in page


def test_an_installed_site_is_an_app_of_its_own() -> None:
    """With an identity of the host's root, two sites of one host would be the same app."""
    own = Path(__file__).parents[2] / "client" / "public" / "manifest.webmanifest"
    manifest = json.loads(site_manifest(own.read_text("utf-8")))
    assert "id" not in manifest
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")
    assert manifest["share_target"]["action"] == "./share"
    assert all(icon["src"].startswith("./") for icon in manifest["icons"])


def test_a_server_refuses_a_folder_without_a_site(archipel: Archipel, tmp_path: Path) -> None:
    archipel("serve", "--site", tmp_path).refused("--site", "archipel site build")
