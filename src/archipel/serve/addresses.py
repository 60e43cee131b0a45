"""Under which addresses other devices reach this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket

from archipel.serve.listening import EVERYWHERE, LOOPBACK

LOOPBACKS = (LOOPBACK, "localhost", "::1")
ANY = (EVERYWHERE, "::", "")

#: Documentation addresses (RFC 5737, RFC 3849): asking for the way there sends nothing.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def addresses_elsewhere(host: str, port: int) -> list[str]:
    """What to type into the browser of another device, the likeliest first, of a server that
    listens on ``host``; nothing where only this machine reaches it."""
    if host in LOOPBACKS:
        return []
    if host not in ANY:
        return [web_address(host, port)]
    # On 0.0.0.0 nobody is reached by IPv6.
    reached = [found for found in network_addresses() if host != EVERYWHERE or ":" not in found]
    return [web_address(address, port) for address in reached]


def is_loopback(host: str) -> bool:
    """Whether the Host header of a request names this machine as only this machine can."""
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    name = name.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


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
