"""What moves deadlines although nothing happens in their games, as recorded by the database itself."""

import psycopg

from tests.slow.chaos.history import Moved, Outage

_NOTE = """
    CREATE SCHEMA chaos;
    CREATE TABLE chaos.outage (
        id bigserial, transaction text DEFAULT pg_current_xact_id()::text, began timestamptz, ended timestamptz
    );
    CREATE TABLE chaos.moved (
        transaction text DEFAULT pg_current_xact_id()::text, game uuid, seconds double precision
    );
    CREATE FUNCTION chaos.note_outage() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$BEGIN
        INSERT INTO chaos.outage (began, ended) VALUES (OLD.at, NEW.at);
        RETURN NULL;
    END$$;
    CREATE FUNCTION chaos.note_moved() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$BEGIN
        INSERT INTO chaos.moved (game, seconds) VALUES (NEW.id, extract(epoch FROM NEW.deadline_at - OLD.deadline_at));
        RETURN NULL;
    END$$;
    CREATE TRIGGER note_outage AFTER UPDATE ON heartbeat FOR EACH ROW EXECUTE FUNCTION chaos.note_outage();
    CREATE TRIGGER note_moved AFTER UPDATE OF deadline_at ON game FOR EACH ROW
        WHEN (OLD.head_seq = NEW.head_seq AND OLD.deadline_at <> NEW.deadline_at) EXECUTE FUNCTION chaos.note_moved();
"""
_OUTAGES = """
    SELECT transaction, extract(epoch FROM began)::double precision, extract(epoch FROM ended)::double precision
    FROM chaos.outage ORDER BY id
"""
_OVERDUE = "SELECT count(*) FROM game WHERE deadline_at < now() - interval '3 seconds'"
_CAME = "SELECT EXISTS (SELECT FROM event WHERE type = 'MovedUnasked' AND recorded_at > now() - interval '20 seconds')"


def note(owner: psycopg.Connection) -> None:
    """From now on, the database records these changes."""
    owner.execute(_NOTE)


def noted(url: str) -> tuple[list[Outage], list[Moved]]:
    """The outages, in order, and the time that was given back for each."""
    with psycopg.connect(url) as owner:
        outages = [Outage(*row) for row in owner.execute(_OUTAGES)]
        moved = [Moved(*row) for row in owner.execute("SELECT transaction, game::text, seconds FROM chaos.moved")]
        return outages, moved


def kept(url: str) -> bool:
    """Whether a deadline recently passed and was acted on, and none is overdue."""
    with psycopg.connect(url) as owner:
        overdue, came = owner.execute(_OVERDUE).fetchone(), owner.execute(_CAME).fetchone()
        return overdue == (0,) and came == (True,)


def led_back(url: str) -> bool:
    """Whether moves were taken back in any game."""
    with psycopg.connect(url) as owner:
        return owner.execute("SELECT EXISTS (SELECT FROM event WHERE type = 'MovesTakenBack')").fetchone() == (True,)
