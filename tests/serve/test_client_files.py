"""The client's files: types, caching, compression and security policy."""

import base64
import gzip
import hashlib
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from archipel.serve.security import content_security_policy
from archipel.serve.static_files import load_client
from tests.serve.running import make_application

PUBLIC = Path(__file__).parents[2] / "client" / "public"
SCRIPT = "document.title = 'Archipel';"
PAGE = (
    f"<!doctype html><html><head><script>{SCRIPT}</script><style>p{{color:red}}</style>"
    '<script type="module" src="/assets/main-abc.js"></script></head><body></body></html>'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "assets" / "main-abc.js").write_text("console.log(1);" * 100)
    (tmp_path / "manifest.webmanifest").write_text("{}")
    (tmp_path / "service-worker.js").write_text("// nothing")
    (tmp_path / ".sources").write_text("a hash")
    return tmp_path


@pytest.fixture
def client(folder: Path) -> TestClient:
    return TestClient(make_application(client=load_client(folder)))


@pytest.mark.parametrize(
    "path",
    ["/", "/record", "/t/abcdefgh", "/t/abcdefgh/", "/puzzles", "/puzzles/deep-sea"],
)
def test_page_paths_return_the_page(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert SCRIPT in answer.text


@pytest.mark.parametrize(
    "path", ["/wp-admin/setup", "/t", "/t/short", "/t/abcdefgh/more", "/puzzles/chess", "/rules"]
)
def test_an_unknown_path_returns_the_page_with_status_404(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert SCRIPT in answer.text


def test_only_hashed_files_are_cached_forever(client: TestClient) -> None:
    hashed = client.get("/assets/main-abc.js")
    assert hashed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert hashed.headers["content-type"] == "text/javascript; charset=utf-8"
    assert client.get("/manifest.webmanifest").headers["content-type"] == (
        "application/manifest+json"
    )
    assert client.get("/service-worker.js").headers["cache-control"] == "no-cache"


def test_files_that_browsers_and_crawlers_ask_for_by_themselves() -> None:
    """The build copies them as they are."""
    client = TestClient(make_application(client=load_client(PUBLIC)))
    icon = client.get("/favicon.ico")
    assert icon.headers["content-type"] == "image/x-icon"
    assert icon.content.startswith(b"\0\0\1\0"), "an icon file"
    robots = client.get("/robots.txt")
    assert robots.headers["content-type"] == "text/plain; charset=utf-8"
    assert {"Disallow: /api/", "Disallow: /t/"} <= set(robots.text.splitlines())


def test_a_cached_file_is_not_sent_again(client: TestClient) -> None:
    tag = client.get("/").headers["etag"]
    again = client.get("/", headers={"If-None-Match": f'"other", {tag}'})
    assert again.status_code == 304
    assert again.content == b""


def test_files_are_compressed_if_the_browser_accepts_it(folder: Path) -> None:
    file = load_client(folder).find("assets/main-abc.js")
    assert file is not None
    assert file.packed is not None
    assert gzip.decompress(file.packed) == file.content
    client = TestClient(make_application(client=load_client(folder)))
    for encodings, expected in (
        ("gzip, br", "gzip"),
        ("identity", None),
        ("gzip;q=0", None),
        ("br, gzip;q=0.5", "gzip"),
    ):
        answer = client.get("/assets/main-abc.js", headers={"Accept-Encoding": encodings})
        assert answer.headers.get("content-encoding") == expected
        assert answer.content == file.content


@pytest.mark.parametrize("path", ["/.sources", "/../application.py", "/%2e%2e/application.py"])
def test_no_other_file_can_be_read(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (200, 404)
    assert "a hash" not in answer.text
    assert "import" not in answer.text


def test_the_policy_allows_inline_code_by_hash_only(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert scripts == f"script-src 'self' 'wasm-unsafe-eval' 'sha256-{digest}'"
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "'unsafe-eval'" not in policy
    assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")


def test_without_a_page_the_policy_allows_no_inline_code() -> None:
    assert "sha256" not in content_security_policy()


@pytest.mark.parametrize("path", ["/", "/api/games", "/api/nothing", "/health", "/assets/no.js"])
def test_every_response_has_the_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_a_server_without_a_client_returns_503() -> None:
    answer = TestClient(make_application()).get("/")
    assert answer.status_code == 503
    assert "not been built" in answer.text
