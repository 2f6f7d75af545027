-- States of games, to begin folding from. Disposable: everything here may be deleted at any time.
CREATE TABLE snapshot (
    game_id uuid NOT NULL,
    shape bytea NOT NULL CHECK (octet_length(shape) = 32),
    seq integer NOT NULL CHECK (seq > 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    state bytea NOT NULL,
    PRIMARY KEY (game_id, shape, seq)
);
