-- People. A profile has no secret of its own: its keys prove who somebody is.
CREATE TABLE archipel.profile (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    colour text COLLATE "C" NOT NULL,
    language text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    -- The day of the last session.
    seen_at bigint NOT NULL,
    -- No clock by days runs until then.
    vacation_until bigint NOT NULL DEFAULT 0,
    settings bytea NOT NULL
);
CREATE INDEX profile_by_seen ON archipel.profile (seen_at);

-- Devices and passkeys, by the hash of the public key.
CREATE TABLE archipel.profile_key (
    id text COLLATE "C" PRIMARY KEY,
    profile_id text COLLATE "C" NOT NULL REFERENCES archipel.profile (id) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    public bytea NOT NULL,
    label text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    -- How often a passkey says it has signed.
    signed bigint NOT NULL DEFAULT 0
);
CREATE INDEX profile_key_by_profile ON archipel.profile_key (profile_id);

-- Hashes of codes that add a key to a profile, each once: for another device, or printed.
CREATE TABLE archipel.profile_code (
    hash text COLLATE "C" PRIMARY KEY,
    profile_id text COLLATE "C" NOT NULL REFERENCES archipel.profile (id) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    until bigint NOT NULL
);
CREATE INDEX profile_code_by_profile ON archipel.profile_code (profile_id);

-- Hashes of challenges that nobody has answered yet, and of sessions.
CREATE TABLE archipel.challenge (hash text COLLATE "C" PRIMARY KEY, until bigint NOT NULL);
CREATE INDEX challenge_by_until ON archipel.challenge (until);
CREATE TABLE archipel.profile_session (
    hash text COLLATE "C" PRIMARY KEY,
    key_id text COLLATE "C" NOT NULL REFERENCES archipel.profile_key (id) ON DELETE CASCADE,
    until bigint NOT NULL
);
CREATE INDEX profile_session_by_key ON archipel.profile_session (key_id);
CREATE INDEX profile_session_by_until ON archipel.profile_session (until);

-- Whose seats these are: `holder` is the hash of the seat's token.
CREATE TABLE archipel.profile_seat (
    table_id text COLLATE "C" NOT NULL REFERENCES archipel.game_table (id) ON DELETE CASCADE,
    holder text COLLATE "C" NOT NULL,
    profile_id text COLLATE "C" NOT NULL REFERENCES archipel.profile (id) ON DELETE CASCADE,
    PRIMARY KEY (table_id, holder)
);
CREATE INDEX profile_seat_by_profile ON archipel.profile_seat (profile_id);

-- Where notices go. `key_id`: the device of a push subscription.
CREATE TABLE archipel.channel (
    id text COLLATE "C" PRIMARY KEY,
    profile_id text COLLATE "C" NOT NULL REFERENCES archipel.profile (id) ON DELETE CASCADE,
    key_id text COLLATE "C" REFERENCES archipel.profile_key (id) ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL,
    details bytea NOT NULL,
    -- 0: not confirmed yet.
    confirmed_at bigint NOT NULL,
    -- Failures in a row.
    failures bigint NOT NULL DEFAULT 0,
    UNIQUE (profile_id, kind, address)
);

-- Whose turn it is at the tables by days: since event `n`, by which the turn is known.
CREATE TABLE archipel.turn (
    table_id text COLLATE "C" PRIMARY KEY REFERENCES archipel.game_table (id) ON DELETE CASCADE,
    n bigint NOT NULL,
    holder text COLLATE "C" NOT NULL,
    until bigint NOT NULL,
    -- The vacation of the holder that the clock has allowed for.
    vacation bigint NOT NULL DEFAULT 0
);
CREATE INDEX turn_by_holder ON archipel.turn (holder);

-- The outbox: what is to be said about a turn, written with the move that began it. A worker makes
-- one delivery of it per channel, and sends those that are due.
CREATE TABLE archipel.notice (
    table_id text COLLATE "C" NOT NULL REFERENCES archipel.game_table (id) ON DELETE CASCADE,
    n bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    due_at bigint NOT NULL,
    addressed bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, n, kind)
);
CREATE INDEX notice_by_due ON archipel.notice (due_at) WHERE addressed = 0;
CREATE TABLE archipel.delivery (
    table_id text COLLATE "C" NOT NULL,
    n bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    channel_id text COLLATE "C" NOT NULL REFERENCES archipel.channel (id) ON DELETE CASCADE,
    due_at bigint NOT NULL,
    attempts bigint NOT NULL DEFAULT 0,
    -- 0: waiting, 1: sent, 2: given up.
    state bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, n, kind, channel_id),
    FOREIGN KEY (table_id, n, kind)
        REFERENCES archipel.notice (table_id, n, kind) ON DELETE CASCADE
);
CREATE INDEX delivery_by_due ON archipel.delivery (due_at) WHERE state = 0;
CREATE INDEX delivery_by_channel ON archipel.delivery (channel_id);

-- Values of the whole server, such as its key for push messages.
CREATE TABLE archipel.server_value (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);
