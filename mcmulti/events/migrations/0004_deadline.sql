-- When the server closes the round of a game that waits for it; null for games that wait as long as it takes.
ALTER TABLE game ADD COLUMN deadline_at timestamptz;

CREATE INDEX game_due ON game (deadline_at) WHERE deadline_at IS NOT NULL;
