"""Output of the tables: views per seat, scenes, log lines, differences, subscriptions."""
