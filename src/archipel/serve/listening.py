"""The sockets the server listens on."""

from __future__ import annotations

import errno
import os
import socket
import sys
from contextlib import suppress

DEFAULT_PORT = 8000
#: How many ports after the default are tried when nobody asked for a certain one.
_TRIES = 20
#: For the database, its readers, bots and files that are being sent.
_RESERVED_DESCRIPTORS = 100
LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"


class CannotListen(Exception):
    """The address or port cannot be had: the key of a sentence that says why and what to do."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details


def listen(host: str, port: int | None) -> socket.socket:
    """Listen on a port; on the first free one from the default on when None. 0: any free one."""
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
    """Raise this process's own limit on open files, often made for programs of another time."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def most_connections(wanted: int) -> int:
    """How many connections may be open, such that the tables can still open what they need."""
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
        # On Windows this option would allow two servers on one port.
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
