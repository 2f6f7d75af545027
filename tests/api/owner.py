"""What only the owner of a database can do to a log: bring it back to an earlier event, and damage it."""

from uuid import UUID

import psycopg


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
        """What a backup would hold that was made when event `seq` was the last one of a game."""
        self.do(
            "DELETE FROM event WHERE game_id = %(game)s AND seq > %(seq)s",
            "DELETE FROM snapshot WHERE game_id = %(game)s AND seq > %(seq)s",
            "DELETE FROM receipt WHERE game_id = %(game)s AND seq > %(seq)s",
            """UPDATE game SET head_seq = %(seq)s, status = %(status)s, ended_at = NULL,
                head_hash = (SELECT hash FROM event WHERE game_id = %(game)s AND seq = %(seq)s)
            WHERE id = %(game)s""",
            game=UUID(game),
            seq=seq,
            status=status,
        )

    def drop(self, game: str) -> None:
        """What a backup would hold that was made before the game was opened."""
        tables = ("event", "snapshot", "receipt", "seat", "secret")
        deletions = [f"DELETE FROM {table} WHERE game_id = %(game)s" for table in tables]
        self.do(*deletions, "DELETE FROM game WHERE id = %(game)s", game=UUID(game))
