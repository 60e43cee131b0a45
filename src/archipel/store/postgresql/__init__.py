"""Tables in PostgreSQL: one database for as many workers and machines as wanted.

`store` keeps the events, `bus` tells of new ones, `company` knows the other workers. The library
that speaks to PostgreSQL is optional (the extra ``postgresql``), so only this package imports it,
and nothing imports this package before a database of that kind is named.
"""

from archipel.store.postgresql.address import is_postgresql, without_password
from archipel.store.postgresql.company import Company, Kept, Neighbour
from archipel.store.postgresql.store import PostgresqlStore

__all__ = [
    "Company",
    "Kept",
    "Neighbour",
    "PostgresqlStore",
    "is_postgresql",
    "without_password",
]
