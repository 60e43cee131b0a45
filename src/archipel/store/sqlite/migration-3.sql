-- People. A profile has no secret of its own: its keys prove who somebody is.
CREATE TABLE profile (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    colour TEXT NOT NULL,
    language TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- The day of the last session.
    seen_at INTEGER NOT NULL,
    -- No clock by days runs until then.
    vacation_until INTEGER NOT NULL DEFAULT 0,
    settings BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_by_seen ON profile (seen_at);

-- Devices and passkeys, by the hash of the public key.
CREATE TABLE profile_key (
    id TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    public BLOB NOT NULL,
    label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    -- How often a passkey says it has signed.
    signed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_key_by_profile ON profile_key (profile_id);

-- Hashes of codes that add a key to a profile, each once: for another device, or printed.
CREATE TABLE profile_code (
    hash TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_code_by_profile ON profile_code (profile_id);

-- Hashes of challenges that nobody has answered yet, and of sessions.
CREATE TABLE challenge (hash TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX challenge_by_until ON challenge (until);
CREATE TABLE profile_session (
    hash TEXT PRIMARY KEY,
    key_id TEXT NOT NULL REFERENCES profile_key (id) ON DELETE CASCADE,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_session_by_key ON profile_session (key_id);
CREATE INDEX profile_session_by_until ON profile_session (until);

-- Whose seats these are: `holder` is the hash of the seat's token.
CREATE TABLE profile_seat (
    table_id TEXT NOT NULL REFERENCES game_table (id) ON DELETE CASCADE,
    holder TEXT NOT NULL,
    profile_id TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
    PRIMARY KEY (table_id, holder)
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_seat_by_profile ON profile_seat (profile_id);

-- Where notices go. `key_id`: the device of a push subscription.
CREATE TABLE channel (
    id TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
    key_id TEXT REFERENCES profile_key (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    details BLOB NOT NULL,
    -- 0: not confirmed yet.
    confirmed_at INTEGER NOT NULL,
    -- Failures in a row.
    failures INTEGER NOT NULL DEFAULT 0,
    UNIQUE (profile_id, kind, address)
) STRICT, WITHOUT ROWID;

-- Whose turn it is at the tables by days: since event `n`, by which the turn is known.
CREATE TABLE turn (
    table_id TEXT PRIMARY KEY REFERENCES game_table (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL,
    -- The vacation of the holder that the clock has allowed for.
    vacation INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX turn_by_holder ON turn (holder);

-- The outbox: what is to be said about a turn, written with the move that began it. A worker makes
-- one delivery of it per channel, and sends those that are due.
CREATE TABLE notice (
    table_id TEXT NOT NULL REFERENCES game_table (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    kind TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    addressed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, n, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX notice_by_due ON notice (due_at) WHERE addressed = 0;
CREATE TABLE delivery (
    table_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    kind TEXT NOT NULL,
    channel_id TEXT NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- 0: waiting, 1: sent, 2: given up.
    state INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, n, kind, channel_id),
    FOREIGN KEY (table_id, n, kind) REFERENCES notice (table_id, n, kind) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_by_due ON delivery (due_at) WHERE state = 0;
CREATE INDEX delivery_by_channel ON delivery (channel_id);

-- Values of the whole server, such as its key for push messages.
CREATE TABLE server_value (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID
