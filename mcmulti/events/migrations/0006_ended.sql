-- When a game ended, by the clock of the database, which all servers share; null for games that go on.
ALTER TABLE game ADD COLUMN ended_at timestamptz;

UPDATE game SET ended_at = recorded_at
FROM event WHERE game.status = 'finished' AND event.game_id = game.id AND event.seq = game.head_seq;

CREATE INDEX game_by_end ON game (ended_at, id) WHERE ended_at IS NOT NULL;
