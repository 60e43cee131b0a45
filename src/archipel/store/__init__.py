"""The event store: numbered events per table; see `protocol.EventStore`."""
