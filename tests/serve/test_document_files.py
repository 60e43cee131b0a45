"""The documents under /docs: headers, caching, and a server without documents."""

import logging
import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from archipel.serve import document_build
from archipel.serve.static_files import DocumentFiles
from tests.serve.running import make_application


def put(folder: Path, text: str) -> None:
    (folder / "look").mkdir(parents=True, exist_ok=True)
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "index.html").write_text(f"<!doctype html><p>{text}</p>" + "<p>words</p>" * 50)
    (folder / "rules" / "deep-sea.fr.html").write_text("<!doctype html><p>plonger</p>")
    (folder / "look" / "style-abc.css").write_text("p { color: red }")
    (folder / ".sources").unlink(missing_ok=True)
    (folder / ".sources").write_text(f"a hash of {text}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path / "site", "first")
    return tmp_path / "site"


@pytest.fixture
def client(folder: Path) -> TestClient:
    return TestClient(make_application(documents=DocumentFiles(folder)))


def test_pages_have_a_type_a_tag_and_a_policy(client: TestClient) -> None:
    for path in ("/docs/", "/docs/index.html", "/docs/rules/deep-sea.fr.html"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"
        assert "script-src 'self' 'wasm-unsafe-eval';" in answer.headers["content-security-policy"]
        again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert client.head("/docs/").status_code == 200


def test_the_path_without_a_slash_redirects(client: TestClient) -> None:
    answer = client.get("/docs", follow_redirects=False)
    assert answer.status_code == 307
    assert answer.headers["location"] == "/docs/"
    assert client.post("/docs/").status_code == 405


def test_hashed_files_are_cached_and_pages_are_compressed(client: TestClient) -> None:
    style = client.get("/docs/look/style-abc.css")
    assert style.headers["cache-control"] == "public, max-age=31536000, immutable"
    page = client.get("/docs/", headers={"Accept-Encoding": "gzip"})
    assert page.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    "path", ["nothing.html", "rules", ".sources", "../secret", "%2e%2e/secret", "/etc/hosts"]
)
def test_no_other_file_is_read(client: TestClient, folder: Path, path: str) -> None:
    (folder.parent / "secret").write_text("a secret")
    answer = client.get(f"/docs/{path}")
    assert answer.status_code in (404, 503)
    assert "a secret" not in answer.text
    assert "a hash" not in answer.text
    assert "localhost" not in answer.text


def test_an_installation_without_a_site_says_so(tmp_path: Path) -> None:
    client = TestClient(make_application(documents=DocumentFiles(tmp_path / "nowhere")))
    for path in ("/docs", "/docs/", "/docs/search.html"):
        answer = client.get(path, follow_redirects=False)
        assert answer.status_code == 404
        assert answer.headers["cache-control"] == "no-store"
        assert "This server has no documents" in answer.text
        assert "refresh" not in answer.text


def test_in_a_checkout_the_first_request_builds_the_site(tmp_path: Path) -> None:
    """The page says so, and loads itself again until the site is there."""
    built: list[str] = []
    documents = DocumentFiles(tmp_path / "site", build=lambda: built.append("once"))
    client = TestClient(make_application(documents=documents))
    assert client.get("/health").status_code == 200
    assert not built
    for path in ("/docs", "/docs/", "/docs/rules/deep-sea.fr.html"):
        answer = client.get(path, follow_redirects=False)
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "2"
        assert '<meta http-equiv="refresh" content="2">' in answer.text
        assert "are being built" in answer.text
        assert "sont en cours de construction" in answer.text
    assert built == ["once"]
    put(tmp_path / "site", "built")
    assert "built" in client.get("/docs/").text
    assert built == ["once"]


def test_the_build_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It runs the checkout's own tools, and a failure is logged."""
    assert document_build.can_build_documents()
    monkeypatch.setattr(document_build, "CHECKOUT", tmp_path)
    assert not document_build.can_build_documents()
    tools = tmp_path / "tools" / "documents"
    tools.mkdir(parents=True)
    for package in (tools.parent, tools):
        (package / "__init__.py").touch()
    (tools / "__main__.py").write_text(
        "import sys; from pathlib import Path; Path('ran').write_text(' '.join(sys.argv[1:]))\n"
        "sys.exit('documents: no tea')"
    )
    assert document_build.can_build_documents()
    with caplog.at_level(logging.WARNING, "archipel.serve"):
        document_build.start_document_build()
        for thread in threading.enumerate():
            if thread.name == "documents":
                thread.join()
    assert (tmp_path / "ran").read_text() == "--when-stale"
    assert caplog.messages == ["the documents could not be built: documents: no tea"]


def test_a_new_site_is_served_without_a_restart(client: TestClient, folder: Path) -> None:
    assert "first" in client.get("/docs/").text
    put(folder, "second")
    assert "second" in client.get("/docs/").text
    (folder / ".sources").unlink()
    assert client.get("/docs/").status_code == 404
