-- Who sees a table in lists, and who may sit down at it. No rule knows of it, and no event tells it.
ALTER TABLE game ADD COLUMN listed boolean NOT NULL DEFAULT true;
ALTER TABLE game ADD COLUMN closed boolean NOT NULL DEFAULT false;
ALTER TABLE game ADD COLUMN invited uuid[] NOT NULL DEFAULT '{}';

-- SHA-256 of the code by which others may sit down, and of what the opener asked for: whether a request is sent again.
ALTER TABLE game ADD COLUMN code_hash bytea;
ALTER TABLE game ADD COLUMN asked_hash bytea;

ALTER TABLE game ADD COLUMN rematch_of uuid;

-- The tables that somebody is invited to, while one may sit down.
CREATE INDEX game_by_invited ON game USING gin (invited) WHERE status = 'open';
