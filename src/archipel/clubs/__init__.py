"""Clubs: a group's members, proposals, tables, results with ratings, seasons and tournaments.

A club is an append-only log in the event store, as a table is; everything else is derived from it.
"""
