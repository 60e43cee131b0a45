"""A static site beside the tables of a server, under ``/offline``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from archipel.serve.static_files import SITE_MARK, load_client
from tests.serve.running import RELAXED, make_application

PAGE = '<!doctype html><html lang="en"><body>{}</body></html>'


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    own = write(tmp_path / "client", index_html=PAGE.format("the server"))
    site = write(
        tmp_path / "site",
        index_html=PAGE.format("the site"),
        docs__index_html=PAGE.format("its documents"),
        assets__a_js="1;",
        worker_js="2;",
    )
    (site / SITE_MARK).write_text("{}")
    (tmp_path / "secret.txt").write_text("not for pages")
    settings = replace(RELAXED, site=site)
    return TestClient(make_application(settings, client=load_client(own)))


def test_the_site_is_served_beside_the_tables(client: TestClient) -> None:
    assert client.get("/offline", follow_redirects=False).headers["location"] == "/offline/"
    assert "the site" in client.get("/offline/").text
    assert "its documents" in client.get("/offline/docs/").text
    assert client.get("/offline/worker.js").headers["cache-control"] == "no-cache"
    assert "immutable" in client.get("/offline/assets/a.js").headers["cache-control"]
    assert client.get("/offline/none.js").status_code == 404
    assert client.get("/offline/..%2Fsecret.txt").status_code == 404
    assert client.get("/offline/.hidden").status_code == 404


def test_the_pages_of_the_site_have_their_own_policy(client: TestClient) -> None:
    """Their workers load modules from memory, which the server's pages may not."""
    assert client.get("/offline/").headers["content-security-policy"] == "frame-ancestors 'none'"
    assert "default-src 'none'" in client.get("/").headers["content-security-policy"]


def test_the_page_of_the_server_tells_of_the_site(client: TestClient, tmp_path: Path) -> None:
    assert '<html data-offline="/offline/" lang="en">' in client.get("/").text
    without = TestClient(make_application(client=load_client(tmp_path / "client")))
    assert "data-offline" not in without.get("/").text
    assert without.get("/offline/").status_code == 404
