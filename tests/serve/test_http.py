"""The HTTP API: creating, finding and joining tables; refusals; limits by address."""

import socket
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from archipel.serve.api import messages
from archipel.serve.security import own_names
from archipel.serve.settings import Rate
from archipel.tables import Problem
from archipel.tables.publishing import payloads
from tests.serve.running import QUICK_BOTS, make_application, stricter

TABLE = {"game": "deep-sea", "seats": [{}, {}, {"bot": "random"}], "my_name": "Ana"}


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(make_application()) as client:
        yield client


def made(client: TestClient, **changes: object) -> dict[str, Any]:
    answer = client.post("/api/tables", json={**TABLE, **changes})
    assert answer.status_code == 201, answer.text
    given: dict[str, Any] = answer.json()
    return given


def test_the_games_are_described(client: TestClient) -> None:
    games = msgspec.json.decode(
        client.get("/api/games").content, type=list[messages.GameDescription]
    )
    game = next(game for game in games if game.name == "deep-sea")
    assert set(game.titles) == {"en", "fr"}
    assert game.fewest_seats >= 2
    assert "random" in game.bots
    assert all(option.default == option.choices[0] for option in game.options)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_rules_can_be_read(client: TestClient, language: str) -> None:
    answer = client.get(f"/api/rules/deep-sea/{language}")
    rules = msgspec.json.decode(answer.content, type=messages.Rules)
    assert rules.language == language
    assert rules.chapters[0].rules[0].id.startswith("DS-")


@pytest.mark.parametrize("path", ["/api/rules/chess/en", "/api/rules/deep-sea/de"])
def test_unknown_rules(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["message"]


def test_a_table_is_created_and_joined(client: TestClient) -> None:
    seated = made(client)
    assert seated["seat"] == 0
    table = msgspec.json.decode(
        client.get(f"/api/tables/{seated['table']}").content, type=payloads.Table
    )
    assert [seat.kind for seat in table.seats] == ["person", "open", "bot"]
    joined = client.post(f"/api/tables/{seated['table']}/join", json={"name": "Ben"})
    assert joined.status_code == 201
    assert joined.json()["seat"] == 1
    assert joined.json()["token"] != seated["token"]
    assert "invitations" not in joined.json()


def test_a_repeated_request_returns_the_first_result(client: TestClient) -> None:
    repeated = {"request": "once-and-only-once"}
    seated = made(client, **repeated)
    assert made(client, **repeated) == seated
    assert made(client)["table"] != seated["table"]
    join = {"name": "Ben", **repeated}
    path = f"/api/tables/{seated['table']}/join"
    first, again = (client.post(path, json=join) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    seats = client.get(f"/api/tables/{seated['table']}").json()["seats"]
    assert [seat["kind"] for seat in seats] == ["person", "person", "bot"]
    guessable = client.post("/api/tables", json={**TABLE, "request": "1"})
    assert guessable.status_code == 400


def test_addresses_for_other_devices_are_listed_on_localhost_only() -> None:
    application = make_application(
        stricter(origins=("https://play.example.org",)), elsewhere=["http://192.0.2.7:8000/"]
    )
    with TestClient(application) as client:

        def answer_to(host: str) -> list[str]:
            answer = client.get("/api/addresses", headers={"Host": host})
            found: list[str] = answer.json()
            return found

        shared = ["https://play.example.org", "http://192.0.2.7:8000"]
        for host in ("localhost:8000", "localhost", "127.0.0.1:8000", "[::1]:8000", "a.localhost"):
            assert answer_to(host) == shared
        for host in ("192.0.2.7:8000", "play.example.org"):
            assert answer_to(host) == []


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("a.localhost", 200),
        ("192.0.2.7:8000", 200),
        ("[2001:db8::1]:8000", 200),
        ("play.example.org", 200),
        ("PLAY.example.org.:443", 200),
        ("nas", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("nas.evil.example", 421),
        ("", 421),
        ("[::1", 421),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/tables", "/health"])
def test_requests_for_unknown_host_names_are_refused(host: str, status: int, path: str) -> None:
    application = make_application(stricter(origins=("https://play.example.org",), hosts=("nas",)))
    answer = TestClient(application).get(path, headers={"Host": host})
    assert (answer.status_code == 421) == (status == 421)
    if status == 421:
        assert answer.json()["code"] == "unknown_host"
        assert "--origin" in answer.json()["message"]


def test_names_of_this_machine_in_its_network() -> None:
    names = own_names()
    first = socket.gethostname().lower().partition(".")[0]
    assert {first, f"{first}.local"} <= set(names)
    assert not {f"{first}.com", "", ".local"} & set(names)


def test_only_public_tables_are_listed(client: TestClient) -> None:
    hidden, public = made(client), made(client, public=True)
    listed = [line["id"] for line in client.get("/api/tables").json()]
    assert public["table"] in listed
    assert hidden["table"] not in listed


def test_nobody_can_join_a_full_table(client: TestClient) -> None:
    table = made(client)["table"]
    assert client.post(f"/api/tables/{table}/join", json={"name": "Ben"}).status_code == 201
    refused = client.post(f"/api/tables/{table}/join", json={"name": "Eve"})
    assert refused.status_code == 409
    assert refused.json()["code"]


def test_the_position_is_shown_to_the_holder_of_the_token(client: TestClient) -> None:
    seated = made(client, begin=True)
    address = f"/api/tables/{seated['table']}/position"
    mine = client.get(address, headers={"Authorization": f"Bearer {seated['token']}"})
    assert msgspec.json.decode(mine.content, type=payloads.Position).seat == 0
    assert client.get(address).json()["seat"] is None
    for header in ("Bearer " + "x" * 43, "Basic abc", "Bearer", "Bearer ?"):
        wrong = client.get(address, headers={"Authorization": header})
        assert wrong.status_code == 401
        assert wrong.headers["www-authenticate"] == "Bearer"


def test_a_record_is_available_after_the_game_only(client: TestClient) -> None:
    table = made(client)["table"]
    assert client.get(f"/api/tables/{table}/record").status_code == 409


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({**TABLE, "my_name": ""}, 400, "$.my_name"),
        ({**TABLE, "my_name": 7}, 400, "$.my_name"),
        ({**TABLE, "unknown": 1}, 400, "unknown"),
        ({**TABLE, "my_colour": "pink"}, 400, "$.my_colour"),
        ({"game": "deep-sea"}, 400, "seats"),
        ({**TABLE, "game": "chess"}, 422, "chess"),
        ({**TABLE, "seats": [{"bot": "nobody"}, {}]}, 422, "nobody"),
        ({**TABLE, "options": {"unknown": 1}}, 422, "unknown"),
        ([], 400, "object"),
    ],
)
def test_an_invalid_table_is_refused_with_a_reason(
    client: TestClient, body: object, status: int, words: str
) -> None:
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == status
    problem = msgspec.json.decode(answer.content, type=Problem)
    assert words in problem.message


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 5000, b'"\\ud800"', b"null"])
def test_what_is_not_json_is_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["code"] == "malformed"


def test_a_large_body_and_another_type_are_refused(client: TestClient) -> None:
    large = client.post(
        "/api/tables", content=b" " * 20_000, headers={"Content-Type": "application/json"}
    )
    assert large.status_code == 413
    other = client.post("/api/tables", content=b"{}", headers={"Content-Type": "text/plain"})
    assert other.status_code == 415


def test_errors_are_in_the_preferred_language(client: TestClient) -> None:
    def answer_to(wrong: object, language: str) -> str:
        answer = client.post("/api/tables", json=wrong, headers={"Accept-Language": language})
        return str(answer.json()["message"])

    nobody = {**TABLE, "seats": [{"bot": "nobody"}, {}]}
    assert answer_to(nobody, "fr-FR,fr").startswith("Aucun robot ne s’appelle nobody")
    too_many = {**TABLE, "seats": [{}] * 9}
    assert answer_to(too_many, "en") == "deep-sea is for 2 to 6 players, not 9"
    assert answer_to(too_many, "fr").startswith("Ce jeu ne se joue pas")
    assert answer_to({**TABLE, "game": "go"}, "fr") == "Il n’y a pas de jeu de ce nom."


@pytest.mark.parametrize("table", ["abcdefgh", "short", "x" * 33, "%00" * 9, "é" * 10])
def test_unknown_tables(client: TestClient, table: str) -> None:
    for path in ("", "/record", "/position"):
        answer = client.get(f"/api/tables/{table}{path}")
        assert answer.status_code == 404, path
    assert client.post(f"/api/tables/{table}/join", json={"name": "Ben"}).status_code == 404


def test_a_wrong_method_gets_the_allowed_ones(client: TestClient) -> None:
    answer = client.delete("/api/tables")
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert answer.json()["code"] == "method"


def test_the_socket_asks_for_an_upgrade(client: TestClient) -> None:
    answer = client.get("/api/tables/abcdefgh/socket")
    assert answer.status_code == 426
    assert answer.headers["upgrade"] == "websocket"


def test_unknown_api_paths(client: TestClient) -> None:
    answer = client.get("/api/unheard/of")
    assert answer.status_code == 404
    assert answer.json()["code"] == "no_address"


def test_health_and_metrics(client: TestClient) -> None:
    made(client)
    assert client.get("/health").json()["status"] == "ok"
    text = client.get("/metrics").text
    assert 'archipel_http_requests_total{route="/api/tables",status="201"} 1' in text
    assert "archipel_sockets 0" in text
    assert "# TYPE archipel_answer_seconds histogram" in text


def test_pages_of_other_sites_may_not_create_tables(client: TestClient) -> None:
    for origin, status in (
        ("http://testserver", 201),
        ("https://testserver", 201),  # behind a proxy that terminates HTTPS
        ("https://testserver:8443", 403),
        ("http://evil.example", 403),
        ("null", 403),
        ("http://testserver.evil.example", 403),
        ("http://[", 403),
    ):
        answer = client.post("/api/tables", json=TABLE, headers={"Origin": origin})
        assert answer.status_code == status, origin


def test_an_allowed_origin_may_create_tables() -> None:
    application = make_application(stricter(origins=("https://play.example",)))
    with TestClient(application) as client:
        origin = {"Origin": "https://play.example"}
        assert client.post("/api/tables", json=TABLE, headers=origin).status_code == 201


def test_new_tables_are_limited_per_address() -> None:
    application = make_application(stricter(tables=Rate(burst=2, per_second=0.01)))
    with TestClient(application) as client:
        statuses = [client.post("/api/tables", json=TABLE).status_code for _ in range(3)]
        assert statuses == [201, 201, 429]
        refused = client.post("/api/tables", json=TABLE)
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.json()["code"] == "too_many"


@pytest.mark.promise("overload")
def test_an_overloaded_server_refuses_reads_and_says_when_to_try_again() -> None:
    always = replace(QUICK_BOTS, late=-1)
    with TestClient(make_application(tables=always)) as client:
        table = made(client)["table"]
        answer = client.get(f"/api/tables/{table}/position")
        assert (answer.status_code, answer.json()["code"]) == (503, "overloaded")
        assert int(answer.headers["retry-after"]) > 0
        assert client.post(f"/api/tables/{table}/join", json={"name": "Ben"}).status_code == 201
        assert client.get("/health").status_code == 200


def test_joins_are_limited_per_address() -> None:
    application = make_application(stricter(joins=Rate(burst=2, per_second=0.01)))
    with TestClient(application) as client:
        table = made(client)["table"]
        path = f"/api/tables/{table}/join"
        statuses = [client.post(path, json={"name": f"P{n}"}).status_code for n in range(3)]
        assert statuses == [201, 409, 429]


def test_requests_are_limited_per_address() -> None:
    application = make_application(stricter(requests=Rate(burst=5, per_second=0.01)))
    with TestClient(application) as client:
        statuses = [client.get("/api/games").status_code for _ in range(6)]
        assert statuses == [200] * 5 + [429]
        assert client.get("/").status_code == 503  # pages are not limited, and not built here


@pytest.mark.parametrize(
    ("trusted", "limited"),
    [((), True), (("203.0.113.9",), True), (("192.0.2.0/24",), False)],
)
def test_only_trusted_proxies_may_forward_addresses(
    trusted: tuple[str, ...], limited: bool
) -> None:
    settings = stricter(trusted_proxies=trusted, tables=Rate(burst=1, per_second=0.01))
    with TestClient(make_application(settings), client=("192.0.2.50", 1234)) as client:
        statuses = [
            client.post(
                "/api/tables", json=TABLE, headers={"X-Forwarded-For": f"198.51.100.{n}"}
            ).status_code
            for n in (1, 2)
        ]
    assert statuses == [201, 429 if limited else 201]
