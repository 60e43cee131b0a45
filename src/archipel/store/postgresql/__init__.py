"""Tables in PostgreSQL: one database for any number of workers and machines.

`store` stores the events, `bus` announces new ones, `cluster` knows the other workers. The library
asyncpg is optional (the extra ``postgresql``): it is imported when a database is opened.
"""

from archipel.store.postgresql.cluster import Cluster, Lease, WorkerPresence
from archipel.store.postgresql.connections import is_postgresql, without_password
from archipel.store.postgresql.store import PostgresqlStore

__all__ = [
    "Cluster",
    "Lease",
    "PostgresqlStore",
    "WorkerPresence",
    "is_postgresql",
    "without_password",
]
