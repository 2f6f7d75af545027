"""What only the owner of a database can do to a log: rewind it to an earlier event, and damage it."""

from uuid import UUID

import psycopg

DAMAGES = {
    "an event was changed": """UPDATE event SET data = replace(data::text, '}', ' }')::json
        WHERE game_id = %(game)s AND seq = 4""",
    "a rule was changed": "UPDATE event SET rule = 'table/start' WHERE game_id = %(game)s AND seq = 2",
    "a hash was changed": "UPDATE event SET hash = sha256(hash) WHERE game_id = %(game)s AND seq = 3",
    "a hash before was changed": "UPDATE event SET prev_hash = sha256(prev_hash) WHERE game_id = %(game)s AND seq = 3",
    "an event was lost": "DELETE FROM event WHERE game_id = %(game)s AND seq = 3",
    "the first event was lost": "DELETE FROM event WHERE game_id = %(game)s AND seq = 1",
    "the last event was lost": """DELETE FROM event WHERE game_id = %(game)s
        AND seq = (SELECT head_seq FROM game WHERE id = %(game)s)""",
    "all events were lost": "DELETE FROM event WHERE game_id = %(game)s",
    "the head names another hash": "UPDATE game SET head_hash = sha256(head_hash) WHERE id = %(game)s",
    "the head is behind": """UPDATE game SET head_seq = head_seq - 1, head_hash = (SELECT prev_hash FROM event
        WHERE game_id = %(game)s AND seq = head_seq) WHERE id = %(game)s""",
    "a row stands behind the head": """INSERT INTO event
        SELECT game_id, seq + 1, type, data, rule, actor, command_id, command, recorded_at, hash, sha256(hash)
        FROM event WHERE game_id = %(game)s ORDER BY seq DESC LIMIT 1""",
}
"""Possible damage to the rows of a game, by description: SQL with its id as `game`."""


class Owner:
    """The owner of a database, with all rights."""

    def __init__(self, database: str) -> None:
        self._database = database

    def do(self, *statements: str, **values: object) -> None:
        """Carry out statements, all or none."""
        with psycopg.connect(self._database) as connection:
            for statement in statements:
                connection.execute(statement, values)

    def take_back(self, game: str, seq: int, status: str = "running") -> None:
        """Restore a backup that was made when event `seq` was the last one of a game."""
        self.do(
            "DELETE FROM event WHERE game_id = %(game)s AND seq > %(seq)s",
            "DELETE FROM snapshot WHERE game_id = %(game)s AND seq > %(seq)s",
            "DELETE FROM receipt WHERE game_id = %(game)s AND seq > %(seq)s",
            """UPDATE game SET head_seq = %(seq)s, status = %(status)s, ended_at = NULL,
                head_hash = (SELECT hash FROM event WHERE game_id = %(game)s AND seq = %(seq)s),
                moved_at = (SELECT recorded_at FROM event WHERE game_id = %(game)s AND seq = %(seq)s)
            WHERE id = %(game)s""",
            game=UUID(game),
            seq=seq,
            status=status,
        )

    def drop(self, game: str) -> None:
        """Restore a backup that was made before the game was opened."""
        tables = ("event", "snapshot", "receipt", "seat", "secret")
        deletions = [f"DELETE FROM {table} WHERE game_id = %(game)s" for table in tables]
        self.do(*deletions, "DELETE FROM game WHERE id = %(game)s", game=UUID(game))
