"""Requests to addresses of strangers never reach the server's own network."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

from archipel.notices import targets
from archipel.notices.targets import BadTarget, is_public, post, resolve
from tests.notices.receivers import http_receiver

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1%eth0",
    "fd00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
]


@pytest.mark.parametrize("ip", PRIVATE)
def test_private_addresses_are_known(ip: str) -> None:
    assert not is_public(ip)


@pytest.mark.parametrize("ip", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_known(ip: str) -> None:
    assert is_public(ip)


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "https://user:password@example.org/",
        "https://example.org:22/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https:///path",
        "https://example.org/\r\nHost: other",
        "https://exämple.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "https://[bad/",
        "https://example.org/" + "a" * 3000,
    ],
)
def test_addresses_that_are_refused_before_anything_is_resolved(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("resolved"))
    with pytest.raises(BadTarget):
        resolve(address)


def found(*ips: str) -> object:
    return lambda *_, **__: [(socket.AF_INET, 1, 6, "", (ip, 443)) for ip in ips]


def test_a_name_of_a_private_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", found("8.8.8.8"))
    assert resolve("https://example.org/hook?key=1").path == "/hook?key=1"
    # One private address among several is enough: which one is used is not ours to say.
    monkeypatch.setattr(socket, "getaddrinfo", found("8.8.8.8", "10.0.0.1"))
    with pytest.raises(BadTarget, match="private network"):
        resolve("https://example.org/")
    # Numbers in other notations are what the system makes of them.
    monkeypatch.setattr(socket, "getaddrinfo", found("127.0.0.1"))
    for host in ("2130706433", "0x7f.1", "127.1", "localhost"):
        with pytest.raises(BadTarget):
            resolve(f"https://{host}/")


def test_the_checked_address_is_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name points to the receiver when it is checked, and elsewhere at any later time."""
    with http_receiver() as receiver:
        port = int(receiver.address.rpartition(":")[2])
        real, asked = socket.getaddrinfo, []

        def rebinding(host: str, *given: object, **named: object) -> object:
            if host != "rebinding.example.org":
                return real(host, *given, **named)  # type: ignore[arg-type]
            asked.append(host)
            ip = "127.0.0.1" if len(asked) == 1 else "192.0.2.1"
            return [(socket.AF_INET, 1, 6, "", (ip, port))]

        monkeypatch.setattr(socket, "getaddrinfo", rebinding)
        address = f"http://rebinding.example.org:{port}/hook"
        assert post(address, b"{}", {}, allow_private=True).status == 201
        assert receiver.received[0].headers["host"] == f"rebinding.example.org:{port}"
        assert len(asked) == 1


def test_redirects_are_not_followed() -> None:
    with http_receiver() as receiver:
        receiver.status_of = lambda received: 302
        assert post(f"{receiver.address}/a", b"{}", {}, allow_private=True).status == 302
        assert receiver.received == []


def test_an_answer_that_is_no_http_is_a_failure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            connection.recv(1000)
            connection.sendall(b"no HTTP at all\r\n\r\n")
            connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(OSError, match="not HTTP"):
            post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"", {}, allow_private=True)
        thread.join()


def test_a_receiver_that_sends_a_byte_now_and_then_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(targets, "_SECONDS", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        over = threading.Event()

        def drip() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                while not over.wait(0.05):
                    connection.sendall(b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        with pytest.raises(OSError, match="too long"):
            post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"", {}, allow_private=True)
        over.set()
        thread.join()


def test_private_networks_need_the_consent_of_the_host() -> None:
    with http_receiver() as receiver, pytest.raises(BadTarget):
        post(receiver.address, b"{}", {})
