"""The event log of a table: event types, the state folded from them, fair chance, game records."""
