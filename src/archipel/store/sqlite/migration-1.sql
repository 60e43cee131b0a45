-- The header has a table of its own: an append rewrites the row of game_table.
CREATE TABLE game_table (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    active_at INTEGER NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX game_table_by_activity ON game_table (archived, active_at, id);

CREATE TABLE header (
    table_id TEXT PRIMARY KEY REFERENCES game_table (id) ON DELETE CASCADE,
    body BLOB NOT NULL
) STRICT;

CREATE TABLE event (
    table_id TEXT NOT NULL REFERENCES game_table (id) ON DELETE CASCADE,
    n INTEGER NOT NULL CHECK (n >= 1),
    at INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (table_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE request (
    table_id TEXT NOT NULL REFERENCES game_table (id) ON DELETE CASCADE,
    request_id TEXT NOT NULL,
    first_n INTEGER NOT NULL,
    last_n INTEGER NOT NULL,
    PRIMARY KEY (table_id, request_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE private (
    table_id TEXT NOT NULL REFERENCES game_table (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (table_id, key)
) STRICT, WITHOUT ROWID;
