"""Listening sockets, and the addresses under which they can be reached."""

import errno
import os
import re
import socket
import sys
from contextlib import suppress

from archipel.serve.rate_limits import parse_ip

DEFAULT_PORT = 8000
#: How many ports are tried, from the default on, if none was given.
_TRIES = 20
#: Descriptors for the database, bots and files.
_RESERVED_DESCRIPTORS = 100
LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"


class CannotListen(Exception):
    """The address or port is not available; ``key`` names the sentence that explains it."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details


def listen(host: str, port: int | None) -> socket.socket:
    """Listen on a port; None: the first free one from the default on; 0: any free one."""
    ports = range(DEFAULT_PORT, DEFAULT_PORT + _TRIES) if port is None else [port]
    for candidate in ports:
        try:
            return _bind(host, candidate)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            raise _explanation(host, candidate, error) from error
    raise CannotListen("listen.all_taken", first=ports[0], last=ports[-1])


def allow_many_sockets(wanted: int) -> None:
    """Raise this process's limit on open files, whose default is often too low."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def most_connections(wanted: int) -> int:
    """The number of connections that leaves enough descriptors for everything else."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(1, min(wanted, soft - min(_RESERVED_DESCRIPTORS, soft // 2)))


def _bind(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        # On Windows this option allows two servers on one port.
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(place)
        listener.listen(2048)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _explanation(host: str, port: int, error: OSError) -> CannotListen:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return CannotListen("listen.not_ours", host=host)
    if error.errno == errno.EADDRINUSE:
        return CannotListen("listen.taken", port=port)
    if error.errno == errno.EACCES:
        return CannotListen("listen.rights", port=port)
    why = error.strerror or error
    return CannotListen("listen.failed", host=host, port=port, why=why)


LOOPBACKS = (LOOPBACK, "localhost", "::1")
ANY = (EVERYWHERE, "::", "")

#: Documentation addresses (RFC 5737, RFC 3849); connecting a UDP socket sends nothing.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def addresses_elsewhere(host: str, port: int) -> list[str]:
    """Web addresses for other devices, the likeliest first, of a server that listens on ``host``;
    empty if only this machine can reach it."""
    if host in LOOPBACKS:
        return []
    if host not in ANY:
        return [web_address(host, port)]
    # 0.0.0.0 does not include IPv6.
    reached = [found for found in network_addresses() if host != EVERYWHERE or ":" not in found]
    return [web_address(address, port) for address in reached]


def is_loopback(host: str) -> bool:
    """Whether a Host header is a loopback name or address."""
    name = host.rpartition(":")[0] if re.search(r":\d+$", host) else host
    name = name.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = parse_ip(name)
    return address is not None and address.is_loopback


def network_addresses() -> list[str]:
    """This machine's addresses in its networks, the likeliest first."""
    ways = (_local_address(family, elsewhere) for family, elsewhere in _ELSEWHERE)
    found = [address for address in ways if address is not None]
    with suppress(OSError):
        for _, _, _, _, place in socket.getaddrinfo(socket.gethostname(), None):
            found.append(str(place[0]))
    return [address for address in dict.fromkeys(found) if _is_shareable(address)]


def _local_address(family: socket.AddressFamily, elsewhere: str) -> str | None:
    """The local address of a route to another address."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


def _is_shareable(text: str) -> bool:
    address = parse_ip(text)
    return address is not None and not (
        address.is_loopback or address.is_link_local or address.is_unspecified
    )


def web_address(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}/" if port == 80 else f"http://{shown}:{port}/"
