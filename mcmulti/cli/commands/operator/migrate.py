"""Migrate a database: ``migrate``."""

import click

from mcmulti.cli.running import run


@click.command()
@click.option("--database-url", envvar="DATABASE_URL", required=True, metavar="URL", help="The database.")
@click.option("--distribute", is_flag=True, help="Also distribute games over the nodes, if the database has Citus.")
def migrate(database_url: str, distribute: bool) -> None:
    """Migrate a database to the schema of this version.

    A server does this by itself if its login has the rights. If it does not, run this as the owner of the database.
    """
    from mcmulti.server.database import distributed, migrated

    for name in run(migrated(database_url)) or ["Nothing to do: the database is up to date."]:
        click.echo(name)
    if distribute:
        click.echo(_DISTRIBUTED[run(distributed(database_url))])


_DISTRIBUTED = {
    "done": "Distributed: each game is now on one node, with all its data.",
    "already": "Already distributed: nothing to do.",
    "absent": "Not distributed: this database does not have the citus extension. A single PostgreSQL is fine.",
}
