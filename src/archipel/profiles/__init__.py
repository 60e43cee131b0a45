"""Identity without an account: a profile is a name, a colour, a language, and keys on devices.

`profiles.Profiles` stores them beside the tables, on SQLite and PostgreSQL. For what builds on it:

* `Profiles.verify(token)`: the `Signed` (profile and device) of a session, else `NotSignedIn`;
* `Profiles.profile(id)` and `Profiles.of_ids(ids)`: name, colour, language;
* `Profiles.at_table(table_id)`: the profile of each seat's holder. A holder is the hash of a seat's
  token, as in `archipel.tables.keys.Keys`, so the relation follows the seat to a rematch;
* `Profiles.seats(id)`: the seats of a profile, and `Profiles.claim` to add one.
"""
