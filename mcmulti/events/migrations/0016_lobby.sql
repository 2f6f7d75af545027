-- Who sits at games that are not over, so that those are found which wait for a player, however many a player has ended.
CREATE INDEX game_by_player ON game USING gin (players) WHERE status <> 'finished';

CREATE INDEX game_by_ruleset ON game (ruleset, created_at, id);
