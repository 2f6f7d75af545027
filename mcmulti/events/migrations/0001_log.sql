-- Every key of what belongs to a game begins with game_id, the column that would distribute it.
-- No row refers to game by a foreign key: the transaction that writes it has just written its game.

CREATE TABLE game (
    id uuid PRIMARY KEY,
    ruleset text NOT NULL,
    version integer NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'running', 'finished')),
    head_seq integer NOT NULL CHECK (head_seq > 0),
    head_hash bytea NOT NULL CHECK (octet_length(head_hash) = 32),
    created_at timestamptz NOT NULL
) WITH (fillfactor = 50);  -- the head moves with every append; room in the page keeps that cheap

CREATE INDEX game_by_age ON game (created_at, id);
CREATE INDEX game_by_status ON game (status, created_at, id);

-- json, not jsonb: it keeps the bytes that were hashed.
CREATE TABLE event (
    game_id uuid NOT NULL,
    seq integer NOT NULL CHECK (seq > 0),
    type text NOT NULL,
    data json NOT NULL,
    rule text NOT NULL,
    actor smallint,
    command_id uuid,
    command json,
    recorded_at timestamptz NOT NULL,
    prev_hash bytea NOT NULL CHECK (octet_length(prev_hash) = 32),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (game_id, seq)
);

CREATE TABLE receipt (
    game_id uuid NOT NULL,
    player_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    status smallint NOT NULL CHECK (status BETWEEN 100 AND 599),
    response bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, player_id, key)
);

CREATE TABLE secret (
    game_id uuid PRIMARY KEY,
    seed bytea NOT NULL CHECK (octet_length(seed) = 32)
);

-- name_key is the name as it is compared, made by the server, so that no collation has a say in it.
CREATE TABLE player (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    name_key text NOT NULL CONSTRAINT player_name UNIQUE,
    token_hash bytea NOT NULL CONSTRAINT player_token UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE seat (
    game_id uuid NOT NULL,
    player_id uuid NOT NULL,
    PRIMARY KEY (game_id, player_id)
);

CREATE INDEX seat_by_player ON seat (player_id, game_id);
