CREATE TABLE archipel.game_table (
    id text COLLATE "C" PRIMARY KEY,
    created_at bigint NOT NULL,
    active_at bigint NOT NULL,
    archived boolean NOT NULL DEFAULT false,
    last_n bigint NOT NULL DEFAULT 0,
    line bytea,
    awake boolean NOT NULL DEFAULT false
) WITH (fillfactor = 70);
CREATE INDEX game_table_by_activity ON archipel.game_table (archived, active_at, id);
CREATE INDEX game_table_listed ON archipel.game_table (active_at, id)
    WHERE line IS NOT NULL AND NOT archived;
CREATE INDEX game_table_awake ON archipel.game_table (id) WHERE awake;
CREATE TABLE archipel.header (
    table_id text COLLATE "C" PRIMARY KEY
        REFERENCES archipel.game_table (id) ON DELETE CASCADE,
    body bytea NOT NULL
);
CREATE TABLE archipel.event (
    table_id text COLLATE "C" NOT NULL REFERENCES archipel.game_table (id) ON DELETE CASCADE,
    n bigint NOT NULL CHECK (n >= 1),
    at bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (table_id, n)
);
CREATE TABLE archipel.request (
    table_id text COLLATE "C" NOT NULL REFERENCES archipel.game_table (id) ON DELETE CASCADE,
    request_id text COLLATE "C" NOT NULL,
    first_n bigint NOT NULL,
    last_n bigint NOT NULL,
    PRIMARY KEY (table_id, request_id)
);
CREATE TABLE archipel.private (
    table_id text COLLATE "C" NOT NULL REFERENCES archipel.game_table (id) ON DELETE CASCADE,
    key text COLLATE "C" NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (table_id, key)
);
CREATE TABLE archipel.probe (id integer PRIMARY KEY CHECK (id = 1), at bigint NOT NULL);

-- The cluster. A worker is alive until its lease (`until`) expires, by the database's clock. The
-- keeper of a table holds the table's lease while it is alive.
CREATE TABLE archipel.worker (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    until timestamptz NOT NULL,
    figures text NOT NULL DEFAULT ''
);
CREATE TABLE archipel.keeper (
    table_id text COLLATE "C" PRIMARY KEY
        REFERENCES archipel.game_table (id) ON DELETE CASCADE,
    worker text COLLATE "C" NOT NULL
);
CREATE INDEX keeper_by_worker ON archipel.keeper (worker);
CREATE UNLOGGED TABLE archipel.presence (
    table_id text COLLATE "C" NOT NULL,
    worker text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (table_id, worker)
);
CREATE UNLOGGED TABLE archipel.spending (
    kind text NOT NULL,
    address text NOT NULL,
    worker text COLLATE "C" NOT NULL,
    amount double precision NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (address, kind, worker)
);
CREATE INDEX spending_by_time ON archipel.spending (at);

-- One round trip per append. It locks the table's row first, so that a concurrent append sees the
-- result of this one.
CREATE FUNCTION archipel.append(
    the_table text, expected bigint, bodies bytea[], the_request text,
    keys text[], secrets bytea[], is_told boolean, new_line bytea, new_awake boolean,
    given_at bigint, the_keeper text
) RETURNS TABLE (status text, from_n bigint, to_n bigint, written_at bigint)
LANGUAGE plpgsql AS $body$
DECLARE
    known record;
    moment bigint := coalesce(given_at, (extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    reached bigint := expected + cardinality(bodies);
BEGIN
    SELECT g.last_n, g.archived INTO known
        FROM archipel.game_table g WHERE g.id = the_table FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'missing', 0::bigint, 0::bigint, 0::bigint;
        RETURN;
    END IF;
    IF the_request IS NOT NULL THEN
        RETURN QUERY SELECT 'repeated', r.first_n, r.last_n, e.at
            FROM archipel.request r
            JOIN archipel.event e ON e.table_id = r.table_id AND e.n = r.last_n
            WHERE r.table_id = the_table AND r.request_id = the_request;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    IF known.archived THEN
        RETURN QUERY SELECT 'archived', 0::bigint, known.last_n, 0::bigint;
        RETURN;
    END IF;
    IF known.last_n <> expected THEN
        RETURN QUERY SELECT 'conflict', 0::bigint, known.last_n, 0::bigint;
        RETURN;
    END IF;
    IF the_keeper IS NOT NULL AND NOT EXISTS (
        SELECT FROM archipel.keeper k JOIN archipel.worker w ON w.id = k.worker
        WHERE k.table_id = the_table AND k.worker = the_keeper AND w.until > clock_timestamp()
    ) THEN
        RETURN QUERY SELECT 'not_kept', 0::bigint, known.last_n, 0::bigint;
        RETURN;
    END IF;
    INSERT INTO archipel.event (table_id, n, at, body)
        SELECT the_table, expected + u.place, moment, u.body
        FROM unnest(bodies) WITH ORDINALITY AS u (body, place);
    IF the_request IS NOT NULL THEN
        INSERT INTO archipel.request (table_id, request_id, first_n, last_n)
            VALUES (the_table, the_request, expected + 1, reached);
    END IF;
    IF cardinality(keys) > 0 THEN
        INSERT INTO archipel.private (table_id, key, value)
            SELECT the_table, u.key, u.value FROM unnest(keys, secrets) AS u (key, value)
            ON CONFLICT (table_id, key) DO UPDATE SET value = excluded.value;
    END IF;
    UPDATE archipel.game_table g SET
        last_n = reached,
        active_at = moment,
        line = CASE WHEN is_told THEN new_line ELSE g.line END,
        awake = CASE WHEN is_told THEN new_awake ELSE g.awake END
        WHERE g.id = the_table;
    PERFORM pg_notify('archipel_news', the_table || ' ' || reached);
    RETURN QUERY SELECT 'written', expected + 1, reached, moment;
END
$body$;
