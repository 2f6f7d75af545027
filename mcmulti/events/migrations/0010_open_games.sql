-- Who opened a game, so that the unfinished games of a player can be counted; null for games from before, and for those
-- that were played elsewhere.
ALTER TABLE game ADD COLUMN opened_by uuid;

CREATE INDEX game_by_opener ON game (opened_by, created_at) WHERE status <> 'finished' AND opened_by IS NOT NULL;

-- Since when seats are taken as they are: the latest are looked at first. Null for seats from before.
ALTER TABLE seat ADD COLUMN taken_at timestamptz;

ALTER TABLE seat ALTER COLUMN taken_at SET DEFAULT now();

CREATE INDEX seat_by_moment ON seat (player_id, taken_at) WHERE taken_at IS NOT NULL;
