-- The seed of the Ed25519 key that signs heads: one, shared by all servers on this database.
CREATE TABLE signing_key (
    number smallint PRIMARY KEY DEFAULT 1 CHECK (number = 1),
    seed bytea NOT NULL CHECK (octet_length(seed) = 32),
    created_at timestamptz NOT NULL DEFAULT now()
);
