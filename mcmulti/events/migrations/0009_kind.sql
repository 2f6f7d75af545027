-- What players say they are. Those from before did not say, and are taken for people.
ALTER TABLE player ADD COLUMN kind text NOT NULL DEFAULT 'human';

ALTER TABLE player ADD CONSTRAINT player_kind CHECK (kind IN ('human', 'bot'));
