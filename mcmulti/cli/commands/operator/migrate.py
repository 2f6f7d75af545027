"""Bringing a database up to date: ``migrate``."""

import click

from mcmulti.cli.running import run


@click.command()
@click.option(
    "--database-url", envvar="DATABASE_URL", show_envvar=True, required=True, metavar="URL", help="The database."
)
@click.option("--distribute", is_flag=True, help="Then spread games over the nodes, where the database has Citus.")
def migrate(database_url: str, distribute: bool) -> None:
    """Bring a database to the schema of this build.

    A server does so by itself if its login may. Where it may not, run this with the login of the database's owner.
    """
    from mcmulti.server.process import distributed, migrated

    for name in run(migrated(database_url)) or ["Nothing to do: the database is up to date."]:
        click.echo(name)
    if distribute:
        click.echo(_DISTRIBUTED[run(distributed(database_url))])


_DISTRIBUTED = {
    "done": "Distributed: each game lives on one node now, with all that belongs to it.",
    "already": "Nothing to distribute: the tables are spread over the nodes already.",
    "absent": "Nothing is distributed: this database has no extension citus, and does well on one PostgreSQL.",
}
