"""Studies described by a plan: many tables, batches of games, summary and Parquet rows."""
