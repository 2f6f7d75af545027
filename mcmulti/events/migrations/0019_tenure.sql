-- Who played a game, from the start or as a substitute, and what came of it: the records of players are made of these. They
-- follow from the events: mcmulti doctor says where they do not, and makes them anew, also those of games from before.
-- `result` is null as long as a player sits at a game that runs. `against` is who else has played it by then.
CREATE TABLE tenure (
    game_id uuid NOT NULL,
    player_id uuid NOT NULL,
    ruleset text NOT NULL,
    began_at timestamptz NOT NULL,
    substitute boolean NOT NULL,
    result text CHECK (result IN ('won', 'shared', 'lost', 'left', 'off')),
    against uuid[] NOT NULL,
    missed integer NOT NULL,
    resigned integer NOT NULL,
    vacated integer NOT NULL,
    PRIMARY KEY (game_id, player_id)
);

CREATE INDEX tenure_by_player ON tenure (player_id, began_at DESC);
