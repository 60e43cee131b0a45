"""Notices of games by days: an outbox in the event store, and what sends it.

The store writes what is to be said about a turn together with the move (`store.protocol.Turn`).
`outbox` makes one delivery of it for each channel of the person, `courier` sends those that are
due, `push`, `webhook` and `mail` are the ways to send, `targets` guards where to.
"""
