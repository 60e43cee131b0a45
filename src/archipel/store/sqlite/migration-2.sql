ALTER TABLE game_table ADD COLUMN line BLOB;
ALTER TABLE game_table ADD COLUMN awake INTEGER NOT NULL DEFAULT 0;
-- A server looks at awake tables and then writes their outlook.
UPDATE game_table SET awake = 1 WHERE archived = 0;
CREATE INDEX game_table_listed ON game_table (active_at, id)
WHERE line IS NOT NULL AND archived = 0;
CREATE INDEX game_table_awake ON game_table (id) WHERE awake = 1;
CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
