"""How the devices of friends meet at tables of a static site: settings in its page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?"
_SIGNALLING = re.compile(rf"https?://{_HOST}/?")
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
    """The servers that help devices meet; none by default."""

    signalling: str | None = None
    ice: tuple[IceServer, ...] = ()

    @property
    def socket_origin(self) -> str | None:
        """The origin of the signalling server's WebSockets."""
        return None if self.signalling is None else "ws" + self.signalling.removeprefix("http")


def read_meeting(signalling: str | None, stun: Sequence[str], turn: Sequence[str]) -> Meeting:
    """The settings from command-line options. Raises `NotAnAddress`."""
    if signalling is not None and not _SIGNALLING.fullmatch(signalling):
        raise NotAnAddress("signalling", signalling)
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
    return Meeting(signalling and signalling.rstrip("/").lower(), tuple(servers))
