-- A player may have several tokens, each kept as its hash, and revokes those that are lost.
CREATE TABLE token (
    id uuid PRIMARY KEY,
    player_id uuid NOT NULL,
    hash bytea NOT NULL CONSTRAINT token_hash UNIQUE CHECK (octet_length(hash) = 32),
    name text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    used_at timestamptz,
    revoked_at timestamptz
);

CREATE INDEX token_by_player ON token (player_id, created_at);

INSERT INTO token (id, player_id, hash, name, scopes, created_at)
SELECT id, id, token_hash, 'first', ARRAY['read', 'play', 'account'], created_at FROM player;

ALTER TABLE player DROP COLUMN token_hash;
