-- What names that look alike have in common, made by the server; null for players from before, who have their key alone.
ALTER TABLE player ADD COLUMN name_skeleton text;

ALTER TABLE player ADD CONSTRAINT player_look UNIQUE (name_skeleton);
