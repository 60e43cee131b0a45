"""Addresses of databases: which are PostgreSQL's, and how they are shown."""

_SCHEMES = ("postgresql://", "postgres://")


def is_postgresql(database: object) -> bool:
    """Whether the name of a database is an address of PostgreSQL, not a file."""
    return isinstance(database, str) and database.startswith(_SCHEMES)


def without_password(address: str) -> str:
    """The address for screens and logs; also of one that cannot be read."""
    scheme, _, rest = address.partition("://")
    place, question, query = rest.partition("?")
    host, slash, name = place.partition("/")
    user, at, host = host.rpartition("@")
    kept = [part for part in query.split("&") if not part.startswith("password=")]
    question = question if any(kept) else ""
    return f"{scheme}://{user.partition(':')[0]}{at}{host}{slash}{name}{question}{'&'.join(kept)}"
