"""Tables in PostgreSQL: one database for any number of workers and machines.

`store` stores the events, `bus` announces new ones, `cluster` knows the other workers. The library
asyncpg is optional (the extra ``postgresql``): it is imported when a database is opened.
"""
