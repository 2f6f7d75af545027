-- What becomes of seats that are left, as the game is set up with, so that those are found which somebody may take.
ALTER TABLE game ADD COLUMN if_left text NOT NULL DEFAULT 'substitute';

DO $$
DECLARE
    one record;
BEGIN
    FOR one IN SELECT game_id, data->'setup'->>'if_left' AS if_left FROM event WHERE seq = 1 LOOP
        IF one.if_left <> 'substitute' THEN
            UPDATE game SET if_left = one.if_left WHERE id = one.game_id;
        END IF;
    END LOOP;
END
$$;

CREATE INDEX game_left ON game (if_left, created_at, id)
    WHERE status = 'running' AND array_position(players, NULL::uuid) IS NOT NULL;
