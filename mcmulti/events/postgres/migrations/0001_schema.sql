-- Every key of a table that belongs to a game starts with the game, the column a cluster distributes the table by.
-- Comments say why something is here. Which role may do what is not part of the schema: see rights.py.

-- One row per game: the head of its event chain, and what lists show without folding its events. That part is a copy:
-- mcmulti doctor finds rows that differ from the events, and rewrites them.
CREATE TABLE game (
    id uuid PRIMARY KEY,
    ruleset text NOT NULL,
    version integer NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'running', 'finished')),
    head_seq integer NOT NULL CHECK (head_seq > 0),
    head_hash bytea NOT NULL CHECK (octet_length(head_hash) = 32),
    created_at timestamptz NOT NULL,
    ended_at timestamptz,  -- by the database's clock, which all servers share; null until the game ends
    opened_by uuid,  -- limits a player's unfinished games; null for games played elsewhere

    -- By seat; null for an empty seat.
    players uuid[] NOT NULL DEFAULT '{}',
    to_move smallint[] NOT NULL DEFAULT '{}',
    turn integer NOT NULL DEFAULT 0,
    winners smallint[],
    ended_by text,
    deadline_at timestamptz,  -- when the server ends the current round; null without a time limit
    banks integer[] NOT NULL DEFAULT '{}',  -- seconds left, by seat; empty without a clock
    if_left text NOT NULL DEFAULT 'substitute',  -- what happens to the seat of a player who leaves
    leavers uuid[] NOT NULL DEFAULT '{}',  -- players who left, by the seat they started on; empty if nobody did
    practice boolean NOT NULL DEFAULT false,  -- whether the game counts for no rating and no record

    -- Indexes use the minute (since 1970): it seldom changes, and an update that changes no indexed column is cheap.
    moved_at timestamptz NOT NULL,
    moved_minute integer NOT NULL,

    -- The terms of the table: no rule reads them, and no event records them.
    listed boolean NOT NULL DEFAULT true,
    closed boolean NOT NULL DEFAULT false,
    invited uuid[] NOT NULL DEFAULT '{}',
    code_hash bytea,  -- SHA-256 of the invitation code
    asked_hash bytea,  -- SHA-256 of the opening request, to recognize a retry
    rematch_of uuid,
    bots smallint NOT NULL DEFAULT 0,  -- how many seats, counted from the last one before house_bots, ask for bots
    house_bots text[] NOT NULL DEFAULT '{}',  -- levels of bots of the server, for the last seats
    rated boolean NOT NULL DEFAULT false,
    chat text[] NOT NULL DEFAULT '{}'  -- the rooms of its chat
) WITH (fillfactor = 50);  -- every append updates the row; free space in its page keeps that cheap

-- Lists of games, by age and by last move; within a minute, moves are sorted at query time.
CREATE INDEX game_by_age ON game (created_at, id);
CREATE INDEX game_by_status ON game (status, created_at, id);
CREATE INDEX game_by_ruleset ON game (ruleset, created_at, id);
CREATE INDEX game_by_move ON game (moved_minute);
CREATE INDEX game_by_status_and_move ON game (status, moved_minute);

-- What a player may open, join, or continue. Each is partial, so that finished games, however many, cost nothing.
CREATE INDEX game_by_opener ON game (opened_by, created_at)
    WHERE status <> 'finished' AND opened_by IS NOT NULL;
CREATE INDEX game_by_player ON game USING gin (players) WHERE status <> 'finished';
CREATE INDEX game_by_invited ON game USING gin (invited) WHERE status = 'open';
CREATE INDEX game_by_bots ON game (created_at, id) WHERE status = 'open' AND bots > 0;
CREATE INDEX game_by_house_bots ON game (moved_minute) WHERE status <> 'finished' AND house_bots <> '{}';
CREATE INDEX game_left ON game (if_left, created_at, id)
    WHERE status = 'running' AND array_position(players, NULL::uuid) IS NOT NULL;

-- What the server polls: deadlines that passed, games that ended, and those that count for ratings.
CREATE INDEX game_due ON game (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX game_by_end ON game (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX game_rated ON game (ended_at, id) WHERE rated AND ended_at IS NOT NULL;

-- What everybody may download, in the order of their ends.
CREATE INDEX game_published ON game (ruleset, ended_at, id) WHERE ended_at IS NOT NULL AND listed AND NOT practice;

-- The log itself: a hash chain per game. json, not jsonb, because it keeps the bytes that were hashed. No foreign
-- key to game: the transaction that inserts an event has just written its game.
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

-- Which events a request with an Idempotency-Key led to: enough to repeat its response, and smaller than the response.
CREATE TABLE receipt (
    game_id uuid NOT NULL,
    player_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    after_seq integer NOT NULL,
    seq integer NOT NULL,
    digest bytea NOT NULL CHECK (octet_length(digest) = 16),  -- keyed, of the columns before
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, player_id, key),
    CONSTRAINT receipt_events CHECK (after_seq BETWEEN 1 AND seq)
);

-- The seed of a game's dice, apart from everything that lists and views read.
CREATE TABLE secret (
    game_id uuid PRIMARY KEY,
    seed bytea NOT NULL CHECK (octet_length(seed) = 32)
);

-- Who sits at a game, by player: game.players has no index for finished games. taken_at finds the latest seats first.
CREATE TABLE seat (
    game_id uuid NOT NULL,
    player_id uuid NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, player_id)
);

CREATE INDEX seat_by_player ON seat (player_id, game_id);
CREATE INDEX seat_by_moment ON seat (player_id, taken_at);

-- Who played a game and how it went for them, for players' records. A copy: mcmulti doctor finds rows that differ from
-- the events, and rewrites them. `result` is null while the player sits at a running game; `against` is everyone else
-- who had played it by then.
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

-- What a game asks of a seat in another's turn, where standing instructions may answer, but not before `answer_at`.
-- Open until somebody has an answer, or nobody had one by then. Written before the events that ask; an extra row is
-- harmless.
CREATE TABLE question (
    game_id uuid PRIMARY KEY REFERENCES game,
    answer_at timestamptz NOT NULL,
    open boolean NOT NULL DEFAULT true
);

CREATE INDEX question_open ON question (answer_at) WHERE open;

-- A cache of states to start folding from. Any row may be deleted at any time.
CREATE TABLE snapshot (
    game_id uuid NOT NULL,
    shape bytea NOT NULL CHECK (octet_length(shape) = 32),
    seq integer NOT NULL CHECK (seq > 0),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    state bytea NOT NULL,  -- after a keyed digest of 16 bytes
    PRIMARY KEY (game_id, shape, seq)
);

-- Names stay outside the log, so that they can be erased: the row then keeps its id, and games stay intact. The server
-- computes name_key (how names compare) and name_skeleton (what look-alikes share), so that no collation matters.
CREATE TABLE player (
    id uuid PRIMARY KEY,
    name text,
    name_key text CONSTRAINT player_name UNIQUE,
    name_skeleton text CONSTRAINT player_look UNIQUE,
    kind text NOT NULL CONSTRAINT player_kind CHECK (kind IN ('human', 'bot')),
    origin bytea,  -- a keyed digest of the address of the registration, so that ratings can limit what it gains
    created_at timestamptz NOT NULL DEFAULT now(),
    -- What the player announced and can do for good from pending_due on, with this token only.
    pending text CONSTRAINT player_pending CHECK (pending IN ('erase', 'replace_owner_token')),
    pending_token uuid,
    pending_due timestamptz
);

-- Search by the start of any word of a name. A word may be of any length, so the index takes 200 characters of a name.
CREATE INDEX player_by_words ON player
    USING gin (array_to_tsvector(array_remove(string_to_array(left(name_key, 200), ' '), '')));

-- Names of people who never registered here: from game files, and those of companions, who play at another player's
-- device and are forgotten with that player.
CREATE TABLE visitor (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    name_key text NOT NULL,
    companion_of uuid
);

CREATE INDEX visitor_companions ON visitor (companion_of) WHERE companion_of IS NOT NULL;

CREATE INDEX visitor_by_words ON visitor
    USING gin (array_to_tsvector(array_remove(string_to_array(left(name_key, 200), ' '), '')));

-- A player's tokens, as hashes: a stolen backup opens no account. Several, so that a lost one can be revoked alone.
CREATE TABLE token (
    id uuid PRIMARY KEY,
    player_id uuid NOT NULL,
    hash bytea NOT NULL CONSTRAINT token_hash UNIQUE CHECK (octet_length(hash) = 32),
    name text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    used_at timestamptz,
    revoked_at timestamptz,
    parent_id uuid  -- the token that made it, with which it is revoked
);

CREATE INDEX token_by_player ON token (player_id, created_at);

-- The Ed25519 keys that sign heads, shared by all servers: one signs after another. A key that no longer signs loses
-- its seed and keeps its public part. Old and new key sign that the new one follows (`endorsed`, `accepted`), from
-- created_at on; a later key signs a revocation.
CREATE TABLE signing_key (
    number smallint PRIMARY KEY DEFAULT 1,
    seed bytea CHECK (octet_length(seed) = 32),
    public bytea,
    endorsed bytea,
    accepted bytea,
    revoked_since timestamptz,
    revoked_by smallint,
    revocation bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT signing_key_part CHECK (seed IS NOT NULL OR public IS NOT NULL)
);

-- The key of the digests in snapshot, receipt, checked, ladder, assessment, and review.
CREATE TABLE digest_key (
    id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    key bytea NOT NULL CHECK (octet_length(key) = 32)
);

-- Up to which event the log of a game was checked last, and what was wrong: a game with a fault takes no commands. A
-- log that ends before this event, or has another one there, was cut or rewritten.
CREATE TABLE checked (
    game_id uuid PRIMARY KEY,
    seq integer NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    at timestamptz NOT NULL,
    fault text,
    digest bytea NOT NULL CHECK (octet_length(digest) = 16)
);

CREATE INDEX checked_fault ON checked (game_id) WHERE fault IS NOT NULL;

-- The ladder after the rated games up to one of them, so that a server starts there. `shape` identifies how ratings are
-- computed: builds that do it differently have rows of their own. Any row may be deleted at any time.
CREATE TABLE ladder (
    shape bytea PRIMARY KEY CHECK (octet_length(shape) = 32),
    ended_at timestamptz NOT NULL,
    game_id uuid NOT NULL,
    seq integer NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    state bytea NOT NULL  -- after a keyed digest of 16 bytes
);

-- What each of these games changed. A server that misses a row rates all games again.
CREATE TABLE assessment (
    game_id uuid NOT NULL,
    shape bytea NOT NULL CHECK (octet_length(shape) = 32),
    assessment bytea NOT NULL,  -- after a keyed digest of 16 bytes
    PRIMARY KEY (game_id, shape)
);

-- Reviews of finished games, as far as they have come. `shape` identifies the log of the game and how it is reviewed. Any
-- row may be deleted at any time: the review is then computed again when somebody asks for it.
CREATE TABLE review (
    game_id uuid NOT NULL,
    shape bytea NOT NULL CHECK (octet_length(shape) = 32),
    seconds integer NOT NULL,  -- the processor time it was meant to take
    review bytea NOT NULL,  -- empty until it is finished
    work bytea NOT NULL,  -- what it comes from, after a keyed digest of 16 bytes
    PRIMARY KEY (game_id, shape)
);

-- Reviews that were asked for and are not finished: one for each game, and one for each player. A server that works on
-- one moves claimed_until on; if it dies, another server goes on from what is in review.
CREATE TABLE review_job (
    game_id uuid PRIMARY KEY,
    player_id uuid NOT NULL CONSTRAINT review_job_player UNIQUE,
    seconds integer NOT NULL,
    asked_at timestamptz NOT NULL,
    done real NOT NULL,
    attempts integer NOT NULL,
    claimed_until timestamptz
);

-- HTTP addresses that get a player's messages. The secrets sign messages, so they are kept as they are: a stolen backup
-- can forge messages to receivers, and nothing else. After a rotation both sign for a while.
CREATE TABLE webhook (
    id uuid PRIMARY KEY,
    player_id uuid NOT NULL,
    url text NOT NULL,
    format text NOT NULL CONSTRAINT webhook_format CHECK (format IN ('standard', 'discord', 'slack', 'ntfy', 'push', 'email')),
    topics text[] NOT NULL,
    language text NOT NULL,
    secret bytea NOT NULL CHECK (octet_length(secret) = 32),
    created_at timestamptz NOT NULL,
    previous_secret bytea CHECK (octet_length(previous_secret) = 32),
    previous_until timestamptz,
    gone_at timestamptz,  -- when the receiver unsubscribed
    keys bytea CHECK (octet_length(keys) = 81),  -- of a browser: public key and authentication secret
    confirmation bytea CHECK (octet_length(confirmation) = 32),  -- digest of the token that confirms an email address
    confirmed_at timestamptz,
    mail_at timestamptz,  -- no email about games before
    refused_at timestamptz,  -- since when the receiver refuses the address for good
    CONSTRAINT webhook_keys CHECK ((keys IS NOT NULL) = (format = 'push')),
    CONSTRAINT webhook_mail CHECK (format = 'email' OR (confirmation IS NULL AND confirmed_at IS NULL AND mail_at IS NULL AND refused_at IS NULL))
);

CREATE INDEX webhook_by_player ON webhook (player_id);

-- Which messages a player wants, and when. The nil id is that of all games without a row of their own, and only its row has
-- hours and a digest. Times are in minutes after midnight.
CREATE TABLE preference (
    player_id uuid NOT NULL,
    game_id uuid NOT NULL,
    topics text[] NOT NULL,
    remind integer,  -- minutes before a deadline
    time_zone text,
    quiet_begin integer,
    quiet_end integer,
    digest integer,
    digest_at timestamptz,  -- the next one
    PRIMARY KEY (player_id, game_id),
    CONSTRAINT preference_quiet CHECK ((quiet_begin IS NULL) = (quiet_end IS NULL)),
    CONSTRAINT preference_digest CHECK ((digest IS NULL) = (digest_at IS NULL))
);

CREATE INDEX preference_by_digest ON preference (digest_at) WHERE digest_at IS NOT NULL;

-- The outbox: messages that wait to be sent, until done_at, and those that were sent lately, so that none is sent twice.
-- A server that tries one first moves due_at to the next attempt: if it dies, another server tries then. Distributed by
-- game; the nil id is that of messages about no game.
CREATE TABLE notice (
    game_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('game.turn', 'game.deadline', 'game.over', 'game.invitation', 'chat.message', 'digest', 'test', 'confirm')),
    player_id uuid NOT NULL,
    mark integer NOT NULL,  -- what it is about: a turn, a deadline, a day
    message_id uuid NOT NULL,
    due_at timestamptz NOT NULL,
    seq integer NOT NULL,  -- the last event that was known
    attempts integer NOT NULL,
    done_at timestamptz,
    by_mail boolean NOT NULL DEFAULT false,
    PRIMARY KEY (game_id, webhook_id, kind)
);

CREATE INDEX notice_due ON notice (due_at) WHERE done_at IS NULL;
CREATE INDEX notice_done ON notice (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX notice_by_player ON notice (player_id);

-- The last change of a game's chat. Whoever says or removes something holds the row until the end of the transaction, so
-- that changes become visible in their order. The row stays when its messages expire: numbers never come back.
CREATE TABLE chat (
    game_id uuid PRIMARY KEY,
    head bigint NOT NULL
);

-- What was said at a table. No part of the log: any row may be deleted at any time, and expires. A removed message has
-- no text; its row tells those who have read it.
CREATE TABLE chat_message (
    game_id uuid NOT NULL,
    number bigint NOT NULL,
    changed bigint NOT NULL,
    room text NOT NULL CONSTRAINT chat_room CHECK (room IN ('players', 'spectators')),
    author uuid NOT NULL,
    said_at timestamptz NOT NULL,
    text text,
    quick_reply text,
    key text,  -- the idempotency key of the request
    removed_by text CONSTRAINT chat_removed_by CHECK (removed_by IN ('author', 'opener', 'operator')),
    PRIMARY KEY (game_id, number)
);

CREATE INDEX chat_message_by_change ON chat_message (game_id, changed);
CREATE INDEX chat_message_by_author ON chat_message (author, said_at);
CREATE INDEX chat_message_by_age ON chat_message (said_at);

-- Messages that players reported to the operator.
CREATE TABLE chat_flag (
    game_id uuid NOT NULL,
    number bigint NOT NULL,
    flagged_by uuid NOT NULL,
    flagged_at timestamptz NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (game_id, number, flagged_by)
);

CREATE INDEX chat_flag_by_age ON chat_flag (flagged_at);
CREATE INDEX chat_flag_by_player ON chat_flag (flagged_by);

-- How many emails of a day an address or a player caused, by a keyed digest. Kept for a few days.
CREATE TABLE mail_count (
    what bytea NOT NULL,
    day date NOT NULL,
    sent integer NOT NULL,
    PRIMARY KEY (what, day)
);

-- When a server last watched the deadlines. After an outage, the first server extends those ahead by the time lost.
-- One row for all games. On a cluster each shard of games has one, so that an outage concerns the games it stopped:
-- `place` is an id that lives where they do.
CREATE TABLE heartbeat (
    place uuid PRIMARY KEY DEFAULT '00000000-0000-0000-0000-000000000000',
    at timestamptz NOT NULL
);

INSERT INTO heartbeat (at) VALUES (now());

-- A row that servers write to find out whether they can write.
CREATE TABLE probe (
    id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    at timestamptz NOT NULL
);

INSERT INTO probe (at) VALUES (now());

-- What stopped being true about tokens and players (hashes and ids), in the order in which it was committed: servers on
-- the nodes of a cluster poll it, as notifications do not leave a node. Only the latest are kept.
CREATE TABLE announcement (
    number bigint PRIMARY KEY,
    what bytea NOT NULL
);

-- The number of the last announcement. Whoever announces holds this row until the end of the transaction.
CREATE TABLE last_announcement (
    id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    number bigint NOT NULL
);

INSERT INTO last_announcement (number) VALUES (0);

-- Announce at the end of the transaction that something about tokens or players stopped being true.
CREATE FUNCTION announce(what bytea) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    latest bigint;
BEGIN
    PERFORM pg_notify('mcmulti_token_revoked', encode(announce.what, 'hex'));
    UPDATE last_announcement SET number = number + 1 RETURNING number INTO latest;
    INSERT INTO announcement (number, what) VALUES (latest, announce.what);
    DELETE FROM announcement WHERE number <= latest - 1000;
END
$$;

-- Answer a query on the node of a game, where it may name the tables of single shards.
CREATE FUNCTION ask_node(game uuid, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE query INTO answer;
    RETURN answer;
END
$$;

-- Answer a query that is asked again and again, about one moment ($1), on the node of a game: each connection plans it
-- once. It may name the tables of single shards.
CREATE FUNCTION ask_node_again(game uuid, query text, moment timestamptz) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode TO force_generic_plan AS $$
DECLARE
    known text := 'asked_' || md5(query);
    answer text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_prepared_statements WHERE name = known) THEN
        EXECUTE format('PREPARE %I (timestamptz) AS %s', known, query);
    END IF;
    EXECUTE format('EXECUTE %I (%L)', known, moment) INTO answer;
    RETURN answer;
END
$$;

-- Hold shards of games where they are until the end of the transaction, as every write through the cluster does: whoever
-- moves one waits. Fails if one of them is not on this node. Only the owner of the tables may take these locks.
CREATE FUNCTION hold_shards(shards bigint[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path TO pg_catalog, pg_temp AS $$
BEGIN
    PERFORM lock_shard_metadata(5, shards);  -- ShareLock
    -- A statement of its own sees what was committed while it waited for the locks.
    IF (
        SELECT count(*) FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = ANY (shards)
    ) < cardinality(shards) THEN
        RAISE EXCEPTION 'a shard has moved';
    END IF;
END
$$;

-- Append to one game in one call, which a cluster forwards to the node of the game. Returns false, and does nothing, if
-- the head has moved. Variables hold what a cluster refuses inside an UPDATE: the clock, and casts to timestamptz.
CREATE FUNCTION append_to_game(game uuid, append json) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    new_seq integer := append->>'head_seq';
    new_hash bytea := append->>'head_hash';
    old_seq integer := append->>'expected_seq';
    old_hash bytea := append->>'expected_hash';
    ended timestamptz := CASE WHEN append->>'status' = 'finished' THEN now() END;
    stands record;
    one record;
BEGIN
    SELECT * INTO stands FROM json_to_record(append) AS s (
        status text, players uuid[], to_move smallint[], turn integer, winners smallint[], ended_by text,
        moved_at timestamptz, moved_minute integer, keeps_deadline boolean, deadline timestamptz,
        banks integer[], leavers uuid[]
    );
    UPDATE game SET head_seq = new_seq, head_hash = new_hash, status = stands.status, ended_at = ended,
        players = stands.players, to_move = stands.to_move, turn = stands.turn, winners = stands.winners,
        ended_by = stands.ended_by, banks = stands.banks, leavers = stands.leavers,
        moved_at = CASE WHEN stands.moved_at IS NULL THEN moved_at ELSE stands.moved_at END,
        moved_minute = CASE WHEN stands.moved_minute IS NULL THEN moved_minute ELSE stands.moved_minute END,
        deadline_at = CASE WHEN stands.keeps_deadline THEN deadline_at ELSE stands.deadline END
    WHERE id = append_to_game.game AND head_seq = old_seq AND head_hash = old_hash;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    FOR one IN SELECT * FROM json_to_recordset(append->'events') AS e (
        seq integer, type text, data text, rule text, actor smallint, command_id uuid, command text,
        recorded_at timestamptz, prev_hash bytea, hash bytea
    ) LOOP
        INSERT INTO event (game_id, seq, type, data, rule, actor, command_id, command, recorded_at, prev_hash, hash)
        VALUES (append_to_game.game, one.seq, one.type, one.data::json, one.rule, one.actor, one.command_id,
            one.command::json, one.recorded_at, one.prev_hash, one.hash);
    END LOOP;
    IF append->>'receipt' IS NOT NULL THEN
        SELECT * INTO one FROM json_to_record(append->'receipt') AS r (
            player_id uuid, key text, request_hash bytea, after integer, seq integer, digest bytea
        );
        INSERT INTO receipt (game_id, player_id, key, request_hash, after_seq, seq, digest)
        VALUES (append_to_game.game, one.player_id, one.key, one.request_hash, one.after, one.seq, one.digest);
    END IF;
    RETURN true;
END
$$;
