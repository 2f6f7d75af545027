-- Whether the opener asked for the game to be rated, which is known to whoever sits down. No event tells it.
ALTER TABLE game ADD COLUMN rated boolean NOT NULL DEFAULT false;

-- Who left, by the seat that the game began with; null for who stayed, empty where nobody left. It follows from the events:
-- mcmulti doctor says where it does not, and makes it anew.
ALTER TABLE game ADD COLUMN leavers uuid[] NOT NULL DEFAULT '{}';

-- Games that ratings are made of, in the order in which they ended.
CREATE INDEX game_rated ON game (ended_at, id) WHERE rated AND ended_at IS NOT NULL;

CREATE OR REPLACE FUNCTION append_to_game(game uuid, append json) RETURNS boolean LANGUAGE plpgsql AS $$
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
        players = stands.players, to_move = stands.to_move, turn = stands.turn, winners = stands.winners, ended_by = stands.ended_by,
        banks = stands.banks, leavers = stands.leavers,
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
            player_id uuid, key text, request_hash bytea, after integer, seq integer
        );
        INSERT INTO receipt (game_id, player_id, key, request_hash, after_seq, seq)
        VALUES (append_to_game.game, one.player_id, one.key, one.request_hash, one.after, one.seq);
    END IF;
    RETURN true;
END
$$;
