-- For how many of its seats, the last ones, a table asks for bots. No rule knows of it, and no event tells it.
ALTER TABLE game ADD COLUMN bots smallint NOT NULL DEFAULT 0;

-- The tables that ask for bots, until they begin.
CREATE INDEX game_by_bots ON game (created_at, id) WHERE status = 'open' AND bots > 0;
