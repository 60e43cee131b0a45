"""Image cards for links, and boards to embed in pages of others."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from PIL import Image
from starlette.testclient import TestClient

from archipel.serve.pictures import HEIGHT, WIDTH, CardCache, with_card
from archipel.serve.settings import Rate
from archipel.serve.static_files import load_client
from tests.serve.running import RELAXED, make_application, stricter
from tests.serve.test_http import made

PREVIEWS = replace(RELAXED, previews=True)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_application(PREVIEWS, client=load_client())) as client:
        yield client


def begun(client: TestClient, name: str = "Ana") -> str:
    seats = [{}, {"bot": "random"}]
    given = made(client, seats=seats, my_name=name, begin=True)
    return str(given["table"])


def test_a_card_is_a_picture_of_the_right_size(client: TestClient) -> None:
    table = begun(client)
    for path in (f"/cards/t/{table}.png", f"/cards/t/{table}/3.png"):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        with Image.open(io.BytesIO(answer.content)) as image:
            assert image.size == (WIDTH, HEIGHT)
            assert len(set(image.convert("RGB").resize((60, 30)).tobytes())) > 40, "drawn"


def test_a_puzzle_has_a_card(client: TestClient) -> None:
    answer = client.get("/cards/puzzles/deep-sea/1.png")
    assert answer.headers["content-type"] == "image/png"
    for path in ("/cards/puzzles/deep-sea/0.png", "/cards/puzzles/chess/1.png"):
        assert client.get(path).status_code == 404


def test_there_is_no_card_without_a_table_or_moment(client: TestClient) -> None:
    table = begun(client)
    assert client.get("/cards/t/no-such-table.png").status_code == 404
    assert client.get(f"/cards/t/{table}/9999.png").status_code == 409


def test_a_card_shows_nothing_hidden(client: TestClient) -> None:
    """It is drawn from the view of a spectator, who sees no value of a chip in a hand."""
    application = make_application(PREVIEWS)
    with TestClient(application) as own:
        table = begun(own)
        asked = own.portal.call(application.service.drawing, table)  # type: ignore[union-attr]
        spectator = own.get(f"/api/tables/{table}/position").json()
        live = application.service._live_tables[table].table
        definition = live.definition
        assert asked[1] == definition.drawing(definition.seen(live.state, -1), "en")
        assert asked[1] != definition.drawing(live.state, "en")
        assert spectator["seat"] is None


def test_a_name_cannot_add_markup(client: TestClient) -> None:
    table = begun(client, "<b>&\"'")
    page = client.get(f"/embed/t/{table}").text
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;" in page
    assert client.get(f"/cards/t/{table}.png").status_code == 200


@pytest.mark.parametrize("language", ["en", "fr"])
def test_an_embedded_board_may_be_framed_and_does_nothing(
    client: TestClient, language: str
) -> None:
    table = begun(client)
    answer = client.get(f"/embed/t/{table}", headers={"Accept-Language": language})
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy
    assert "x-frame-options" not in answer.headers
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: tags.append(tag)  # type: ignore[assignment,method-assign]
    parser.feed(answer.text)
    assert "svg" in tags
    assert not {"script", "form", "iframe", "input"} & set(tags)
    assert f'<html lang="{language}">' in answer.text
    assert f"/t/{table}" in answer.text
    assert {"en": "Follow the game", "fr": "Suivre la partie"}[language] in answer.text


def test_no_other_page_may_be_framed(client: TestClient) -> None:
    table = begun(client)
    for path in ("/", f"/t/{table}", "/embed", "/embed/x", f"/cards/t/{table}.png", "/api/games"):
        answer = client.get(path)
        assert answer.headers["x-frame-options"] == "DENY", path
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path


def test_pages_name_their_cards(client: TestClient) -> None:
    table = begun(client)
    page = client.get(f"/t/{table}").text
    image = re.search(r'property="og:image" content="([^"]+)"', page)
    assert image is not None
    assert image[1] == f"http://testserver/cards/t/{table}.png"
    assert client.get(image[1]).status_code == 200
    # A link to a moment has its number in the query, too.
    moment = client.get(f"/t/{table}?n=3").text
    assert f'property="og:image" content="http://testserver/cards/t/{table}/3.png"' in moment
    for wrong in ("x", "-1", "3%22%3E", ""):
        assert f'/cards/t/{table}.png"' in client.get(f"/t/{table}?n={wrong}").text
    assert "og:image" in client.get("/puzzles/deep-sea").text
    assert "og:image" not in client.get("/").text


def test_drawing_is_limited_and_cached() -> None:
    settings = stricter(tables=Rate(burst=3, per_second=0.001), previews=True)
    with TestClient(make_application(settings)) as client:
        table = begun(client)
        statuses = [client.get(f"/cards/t/{table}/{n}.png").status_code for n in range(1, 5)]
        assert 429 in statuses
        first = client.get(f"/cards/t/{table}/1.png")
        assert first.status_code == 200, "a kept card costs nothing"


def test_the_cache_forgets_the_oldest() -> None:
    cache = CardCache()
    for number in range(250):
        cache.put((number,), b"")
    assert cache.get((0,)) is None
    assert cache.get((249,)) == b""


def test_the_address_cannot_break_the_tags() -> None:
    page = with_card(b"<head></head>", 'http://x/"><script>', "A & B", "http://x")
    assert b"<script>" not in page
    assert page.endswith(b"</head>")


def test_other_sites_show_nothing_unless_the_host_allows_it() -> None:
    with TestClient(make_application(client=load_client())) as plain:
        table = begun(plain)
        assert plain.get("/api/offers").json()["previews"] is False
        for path in (f"/embed/t/{table}", f"/cards/t/{table}.png", "/cards/puzzles/deep-sea/1.png"):
            answer = plain.get(path)
            assert answer.status_code == 404, path
            assert answer.headers["x-frame-options"] == "DENY"
        assert "og:image" not in plain.get(f"/t/{table}").text
