-- A receipt names the events that its request led to, from which the answer can be told again: the answer itself took
-- more room than they do.
ALTER TABLE receipt ADD COLUMN after_seq integer;

ALTER TABLE receipt ADD COLUMN seq integer;

-- Row by row: a cluster updates by what a function makes of a row only where that is the same at all times.
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT game_id, player_id, key, (answer ->> 'seq')::integer AS seq, json_array_length(answer -> 'events') AS events
        FROM (SELECT game_id, player_id, key, convert_from(response, 'UTF8')::json AS answer FROM receipt) AS kept
    LOOP
        UPDATE receipt SET seq = one.seq, after_seq = one.seq - one.events
        WHERE game_id = one.game_id AND player_id = one.player_id AND key = one.key;
    END LOOP;
END
$$;

ALTER TABLE receipt ALTER COLUMN after_seq SET NOT NULL;

ALTER TABLE receipt ALTER COLUMN seq SET NOT NULL;

ALTER TABLE receipt ADD CONSTRAINT receipt_events CHECK (after_seq BETWEEN 1 AND seq);

ALTER TABLE receipt DROP COLUMN status;

ALTER TABLE receipt DROP COLUMN response;
