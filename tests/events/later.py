"""A migration that a later release may add, to databases that hold games and may be distributed over a cluster."""

import pytest

from mcmulti.events.postgres import migrate
from mcmulti.events.postgres.migrate import Migration, known_migrations, migration_of

SCRIPT = """\
-- The minute of a receipt, counted from 1970 on.
ALTER TABLE receipt ADD COLUMN minute integer;

-- Row by row: a cluster refuses an UPDATE by a function that depends on the session, as extract does; variables pass.
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT game_id, player_id, key, floor(extract(epoch FROM created_at) / 60)::integer AS minute FROM receipt
    LOOP
        UPDATE receipt SET minute = one.minute
        WHERE game_id = one.game_id AND player_id = one.player_id AND key = one.key;
    END LOOP;
END
$$;

ALTER TABLE receipt ALTER COLUMN minute SET NOT NULL;
ALTER TABLE receipt ALTER COLUMN minute SET DEFAULT 0;
ALTER TABLE receipt ADD CONSTRAINT receipt_minute CHECK (minute >= 0);
"""


def later(script: str = SCRIPT) -> Migration:
    """The migration after those of this build."""
    number = len(known_migrations()) + 1
    return migration_of(f"{number:04}_minute", script)


def know(monkeypatch: pytest.MonkeyPatch, *migrations: Migration) -> None:
    """From now on, the build has these migrations."""
    monkeypatch.setattr(migrate, "known_migrations", lambda: list(migrations))
