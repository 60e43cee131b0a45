"""What a host may set, with defaults that suit friends at home and one small public server."""

from __future__ import annotations

from dataclasses import dataclass

from archipel.bots.outside.programs import BotProgram


@dataclass(frozen=True)
class Rate:
    """So many in a row, and after that so many per second."""

    burst: float
    per_second: float


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All limits of the server in one place. An address is an IPv4 address or an IPv6 network."""

    # Who may talk to us, beside pages that this server itself delivered.
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    # Names of this server, beside localhost, addresses in digits and the names of the origins.
    hosts: tuple[str, ...] = ()

    # One request or message.
    largest_body: int = 16 * 1024
    largest_message: int = 4 * 1024

    # One connection: how long it may take for each step, in seconds.
    head_seconds: float = 10.0  # to say what it wants
    body_seconds: float = 20.0  # to send the rest of it
    answer_seconds: float = 60.0  # to read the answer
    idle_seconds: float = 30.0  # to want something else

    # One socket.
    hello_seconds: float = 10.0
    ping_seconds: float = 10.0
    silence_seconds: float = 25.0
    close_seconds: float = 2.0  # how long a peer may take to read what it was sent before a close
    most_waiting_messages: int = 128
    most_waiting_bytes: int = 2 * 1024 * 1024
    messages: Rate = Rate(burst=40, per_second=10)

    # One address. Friends behind one router, or a whole school, share one.
    connections_per_address: int = 400  # sockets included
    sockets_per_address: int = 200
    requests: Rate = Rate(burst=200, per_second=40)
    tables: Rate = Rate(burst=30, per_second=1 / 20)
    joins: Rate = Rate(burst=60, per_second=1 / 5)
    hellos: Rate = Rate(burst=400, per_second=10)
    all_messages: Rate = Rate(burst=1_000, per_second=200)

    # The whole server.
    most_connections: int = 8_000  # less where the system allows fewer open files
    most_sockets: int = 5_000
    most_addresses: int = 50_000  # remembered at once by each limit

    # Bots: how many cores they may use (None: all but one), and programs that play beside them.
    bot_cores: int | None = None
    bot_programs: tuple[BotProgram, ...] = ()
