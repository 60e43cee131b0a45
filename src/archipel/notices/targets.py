"""Requests to addresses that strangers chose, without letting them reach the server's network.

The name is resolved once, every address of it is checked, and the connection goes to one of the
checked addresses: a name that points elsewhere a moment later changes nothing. Redirects are not
followed.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

LONGEST_ADDRESS = 2_000
#: Time limit of a request as a whole, so that a slow receiver cannot keep a thread.
_SECONDS = 10.0
_MOST_BYTES = 4_096


class BadTarget(ValueError):
    """An address that no request may go to; the message says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """A checked address: its parts, and the IP address to connect to."""

    scheme: str
    host: str
    port: int
    path: str
    ip: str


def resolve(address: str, *, allow_private: bool = False) -> Target:
    """Check an address and resolve its name; raises `BadTarget`, or `OSError` if there is no such
    name now. Blocks."""
    target = check_form(address, allow_private=allow_private)
    found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    ips = list(dict.fromkeys(str(place[0]) for *_, place in found))
    for ip in ips:
        if not allow_private and not is_public(ip):
            raise BadTarget("the address is in a private network")
    return Target(target.scheme, target.host, target.port, target.path, ips[0])


def check_form(address: str, *, allow_private: bool = False) -> Target:
    """Check everything but where the name points; the result has no IP address."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise BadTarget("this is no address") from error
    if len(address) > LONGEST_ADDRESS or not parts.hostname or not address.isascii():
        raise BadTarget("this is no address")
    if any(not " " < character < "\x7f" for character in address):
        raise BadTarget("this is no address")
    if parts.scheme != "https" and not (allow_private and parts.scheme == "http"):
        raise BadTarget("the address must begin with https://")
    if parts.username is not None or parts.password is not None:
        raise BadTarget("the address must not contain a name or a password")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    usual = 443 if parts.scheme == "https" else 80
    if port not in (None, usual) and not allow_private:
        raise BadTarget("the address must not name a port")
    try:
        if not allow_private and not is_public(parts.hostname):
            raise BadTarget("the address is in a private network")
    except ValueError as error:
        if isinstance(error, BadTarget):
            raise
    return Target(parts.scheme, parts.hostname, port or usual, path, "")


def is_public(ip: str) -> bool:
    """Whether an IP address is one of the open internet; raises `ValueError` if it is none."""
    address = ipaddress.ip_address(ip.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            address = inner
        elif address in ipaddress.ip_network("64:ff9b::/96"):
            address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.is_global and not address.is_multicast


class _HTTP(http.client.HTTPConnection):
    """Connects to the checked IP address, whatever the name points to now."""

    def __init__(self, target: Target, context: ssl.SSLContext | None) -> None:
        super().__init__(target.host, target.port, timeout=_SECONDS)
        self._target = target
        self._context = context
        self.is_late = False

    def connect(self) -> None:
        plain = socket.create_connection((self._target.ip, self._target.port), _SECONDS)
        if self._context is None:
            self.sock = plain
            return
        try:
            self.sock = self._context.wrap_socket(plain, server_hostname=self._target.host)
        except BaseException:
            plain.close()
            raise

    def break_off(self) -> None:
        """End the request from another thread, which wakes the one that waits for bytes."""
        self.is_late = True
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int


def post(
    address: str, body: bytes, headers: Mapping[str, str], *, allow_private: bool = False
) -> Answer:
    """Send a POST request; raises `BadTarget` or `OSError`. Blocks."""
    target = resolve(address, allow_private=allow_private)
    context = ssl.create_default_context() if target.scheme == "https" else None
    connection = _HTTP(target, context)
    limit = threading.Timer(_SECONDS, connection.break_off)
    limit.start()
    try:
        connection.request("POST", target.path, body, dict(headers))
        response = connection.getresponse()
        response.read(_MOST_BYTES)
        if connection.is_late:
            raise TimeoutError("the answer took too long")
        return Answer(response.status)
    except http.client.HTTPException as error:
        raise OSError(f"not HTTP: {type(error).__name__}") from error
    finally:
        limit.cancel()
        connection.close()
