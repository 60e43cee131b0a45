"""How the devices of friends meet at tables of a static site: settings in its page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?"
_SERVER = re.compile(rf"https?://{_HOST}/?")
_STUN = re.compile(rf"stuns?:{_HOST}")
_TURN = re.compile(
    rf"(turns?:)([^\s:@]{{1,128}}):([^\s@]{{1,256}})@({_HOST}(?:\?transport=(?:udp|tcp))?)"
)


class NotAnAddress(Exception):
    """An option's value is not an address of its kind."""

    def __init__(self, option: str, value: str) -> None:
        super().__init__(value)
        self.option = option
        self.value = value


class IceServer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A STUN or TURN server, as browsers take it."""

    urls: str
    username: str = ""
    credential: str = ""


class Meeting(msgspec.Struct, frozen=True, omit_defaults=True):
    """The servers that help devices meet, and the one where tables may continue; none by
    default."""

    signalling: str | None = None
    ice: tuple[IceServer, ...] = ()
    server: str | None = None

    @property
    def origins(self) -> list[str]:
        """The origins that pages connect to: the signalling server's WebSockets, and the server
        that takes over tables."""
        sockets = self.signalling and "ws" + self.signalling.removeprefix("http")
        return [origin for origin in (sockets, self.server) if origin]


def read_meeting(
    signalling: str | None, stun: Sequence[str], turn: Sequence[str], continue_on: str | None = None
) -> Meeting:
    """The settings from command-line options. Raises `NotAnAddress`."""
    servers = []
    for address in stun:
        if not _STUN.fullmatch(address):
            raise NotAnAddress("stun", address)
        servers.append(IceServer(address))
    for address in turn:
        parts = _TURN.fullmatch(address)
        if parts is None:
            raise NotAnAddress("turn", address)
        scheme, user, password, host = parts.groups()
        servers.append(IceServer(scheme + host, user, password))
    return Meeting(
        _server("signalling", signalling), tuple(servers), _server("continue_on", continue_on)
    )


def _server(option: str, address: str | None) -> str | None:
    if address is None:
        return None
    if not _SERVER.fullmatch(address):
        raise NotAnAddress(option, address)
    return address.rstrip("/").lower()
