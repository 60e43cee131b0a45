"""Under which addresses other devices reach this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

#: Documentation addresses (RFC 5737, RFC 3849): asking for the way there sends nothing.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def network_addresses() -> list[str]:
    """This machine's addresses in its networks, the likeliest first; none without a network."""
    ways = (_towards(family, elsewhere) for family, elsewhere in _ELSEWHERE)
    found = [address for address in ways if address is not None]
    with contextlib.suppress(OSError):
        for _, _, _, _, place in socket.getaddrinfo(socket.gethostname(), None):
            found.append(str(place[0]))
    return [address for address in dict.fromkeys(found) if _is_shareable(address)]


def _towards(family: socket.AddressFamily, elsewhere: str) -> str | None:
    """The own address that the system would use on the way to another."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


def _is_shareable(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def web_address(host: str, port: int) -> str:
    """What to type into a browser."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}/" if port == 80 else f"http://{shown}:{port}/"
