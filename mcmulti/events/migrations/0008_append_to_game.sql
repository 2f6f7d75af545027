-- Append to one game in one call, which a cluster hands on to the node where the game lives. False, and nothing done, if
-- the game's head is elsewhere. Variables hold what clusters refuse inside an UPDATE: the clock, and casts to moments.
CREATE FUNCTION append_to_game(game uuid, append json) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    new_seq integer := append->>'head_seq';
    new_hash bytea := append->>'head_hash';
    new_status text := append->>'status';
    old_seq integer := append->>'expected_seq';
    old_hash bytea := append->>'expected_hash';
    keeps boolean := append->>'keeps_deadline';
    deadline timestamptz := append->>'deadline';
    ended timestamptz := CASE WHEN append->>'status' = 'finished' THEN now() END;
    one record;
BEGIN
    UPDATE game SET head_seq = new_seq, head_hash = new_hash, status = new_status, ended_at = ended,
        deadline_at = CASE WHEN keeps THEN deadline_at ELSE deadline END
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
