"""Several workers on one database: leases on tables, presence across workers, heartbeats."""
