-- When a server last kept time. Who comes back after nobody did moves the deadlines that were to come by as long.
CREATE TABLE heartbeat (
    id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    at timestamptz NOT NULL
);

INSERT INTO heartbeat (at) VALUES (now());
