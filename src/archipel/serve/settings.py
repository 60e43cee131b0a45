"""Settings of a server. The defaults suit friends at home and a small public server."""

from dataclasses import dataclass, field
from pathlib import Path

from archipel.bots.external.bot_program import BotProgram
from archipel.notices.settings import PeopleSettings


@dataclass(frozen=True)
class Rate:
    """Burst size and refill rate of a token bucket."""

    burst: float
    per_second: float


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All limits of the server. An address is an IPv4 address or an IPv6 network."""

    # Allowed origins besides this server's own pages, and proxies whose headers are trusted.
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    # Host names of this server besides localhost, IP addresses and the names of the origins.
    hosts: tuple[str, ...] = ()

    # Where to report security problems: an https:, mailto: or tel: address for security.txt.
    security_contact: str = ""

    # What the host allows of profiles and notices.
    people: PeopleSettings = field(default_factory=PeopleSettings)

    # One request or message.
    largest_body: int = 16 * 1024
    largest_message: int = 4 * 1024

    # Time limits of one connection, in seconds.
    head_seconds: float = 10.0  # to send the head of a request
    body_seconds: float = 20.0  # to send its body
    answer_seconds: float = 60.0  # to read the response
    idle_seconds: float = 30.0  # between two requests

    # One socket.
    hello_seconds: float = 10.0
    ping_seconds: float = 10.0
    silence_seconds: float = 25.0
    close_seconds: float = 2.0  # to read what was sent before a close
    most_waiting_messages: int = 128
    most_waiting_bytes: int = 2 * 1024 * 1024
    messages: Rate = Rate(burst=40, per_second=10)
    frames: Rate = Rate(burst=400, per_second=60)  # of any kind; a KiB counts as one more

    # One address. Friends behind one router, or a whole school, share an address.
    connections_per_address: int = 400  # WebSockets included
    sockets_per_address: int = 200
    requests: Rate = Rate(burst=200, per_second=40)
    pages: Rate = Rate(burst=3_000, per_second=200)  # files too; a wrong address counts as ten
    tables: Rate = Rate(burst=30, per_second=1 / 20)
    joins: Rate = Rate(burst=60, per_second=1 / 5)
    new_sockets: Rate = Rate(burst=400, per_second=10)
    profiles: Rate = Rate(burst=20, per_second=1 / 60)  # new profiles
    proofs: Rate = Rate(burst=100, per_second=1)  # challenges, and what answers them
    all_messages: Rate = Rate(burst=1_000, per_second=200)
    all_frames: Rate = Rate(burst=8_000, per_second=1_000)

    # The whole server.
    most_connections: int = 8_000  # fewer if the system allows fewer open files
    most_sockets: int = 5_000
    most_addresses: int = 50_000  # tracked by each limit

    # The rendezvous for tables on players' own devices.
    rendezvous: bool = False
    most_rooms: int = 1_000
    most_guests: int = 16  # of one room
    signals: Rate = Rate(burst=20, per_second=0.5)  # messages of one socket
    guest_seconds: float = 120.0
    host_seconds: float = 3_600.0

    # Whether people can open clubs.
    clubs: bool = False

    # Whether other sites may show pictures of tables: previews of links, embedded boards.
    previews: bool = False

    # Whether there is a deal of the day, the same for everybody.
    daily: bool = False
    # The folder of a static site to serve as well.
    site: Path | None = None
    # Whether tables that began on players' devices may continue here.
    takes_tables: bool = False

    # Cores for bots (None: all but one), and external bot programs.
    bot_cores: int | None = None
    bot_programs: tuple[BotProgram, ...] = ()
