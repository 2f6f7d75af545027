"""Running servers: ``serve`` and ``migrate``."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from mcmulti.cli.running import PORT, run

if TYPE_CHECKING:
    from mcmulti.api.admission import Admission

Command = TypeVar("Command", bound=Callable[..., Any])


def _folder() -> Path:
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "mcmulti"


def database_in(context: click.Context, folder: Path | None, database_url: str | None) -> Path | str:
    """Where the options say that games are kept: a folder, or the address of a database."""
    if folder and database_url:
        if context.get_parameter_source("database_url") is not ParameterSource.ENVIRONMENT:
            raise click.UsageError("Give either --folder or --database-url.")
        database_url = None
    return database_url or (folder or _folder()).absolute()


def database_options(purpose: str) -> Callable[[Command], Command]:
    """The options that `database_in` reads; `purpose` is what the command does with the database, as a verb."""
    folder = click.option(
        "--folder",
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder of the server's own PostgreSQL.  [default: ~/.local/share/mcmulti]",
    )
    database_url = click.option(
        "--database-url",
        envvar="DATABASE_URL",
        show_envvar=True,
        metavar="URL",
        help=f"Another PostgreSQL to {purpose} instead, e.g. postgresql://user@host/database.",
    )
    return lambda command: folder(database_url(command))


def workers_option(hint: str) -> Callable[[Command], Command]:
    """The option that says how many workers there are; `hint` stands behind what it is."""
    return click.option(
        "--workers",
        type=click.IntRange(1, 64),
        default=1,
        show_default=True,
        metavar="N",
        help=f"Processes that serve together{hint}.",
    )


@click.command()
@database_options("use")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=PORT, default=8000, show_default=True, metavar="N", help="Port to listen on; 0: any that is free."
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the log lines on standard error look.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="Which lines to write: those of requests and deadlines are info.",
)
@click.option("--access-log", is_flag=True, help="Write a line for every request, not only where events were appended.")
@click.option(
    "--rate-limit",
    default="2000/10 seconds",
    show_default=True,
    metavar="N/TIME",
    help="How many requests each token may send, e.g. 100/second; off: any number. Each worker counts for itself.",
)
@click.option(
    "--trusted-proxy",
    multiple=True,
    metavar="NETWORK",
    help="Address or network of a proxy whose X-Forwarded-For is believed, e.g. 10.0.0.0/8; repeatable.",
)
@click.option(
    "--cors-origin",
    multiple=True,
    metavar="ORIGIN",
    help="Origin of web pages that may use the API, e.g. https://example.org; repeatable; none: no "
    "page.  [default: all]",
)
@workers_option("; a processor each is a good number")
@click.option(
    "--pool-size",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Connections to the database that each worker keeps.  [default: 10, or fewer if the database has fewer]",
)
@click.pass_context
def serve(
    context: click.Context,
    folder: Path | None,
    database_url: str | None,
    host: str,
    port: int,
    log_format: str,
    log_level: str,
    access_log: bool,
    rate_limit: str,
    trusted_proxy: tuple[str, ...],
    cors_origin: tuple[str, ...],
    workers: int,
    pool_size: int | None,
) -> None:
    """Run a server until it is stopped (Ctrl-C or SIGTERM).

    Games are kept in PostgreSQL: in one of its own, in a folder, or in another with --database-url.
    """
    database = database_in(context, folder, database_url)

    from mcmulti.api.logging import configure
    from mcmulti.server.process import Interrupted, ServerError
    from mcmulti.server.process import run as running
    from mcmulti.server.process import serve as serving
    from mcmulti.server.workers import serve as serving_together

    admission = _admission(rate_limit, trusted_proxy, cors_origin)
    json_lines = log_format == "json"
    configure(json=json_lines, level=log_level)

    def announce(address: str) -> None:
        click.echo(f"Serving at {address}", err=True)

    try:
        if workers == 1:
            running(serving(database, host, port, announce, admission, pool_size, access_log=access_log))
        else:
            running(
                serving_together(
                    database,
                    host,
                    port,
                    announce,
                    workers=workers,
                    pool_size=pool_size,
                    admission=admission,
                    json_lines=json_lines,
                    log_level=log_level,
                    access_log=access_log,
                )
            )
    except ServerError as error:
        raise click.ClickException(str(error)) from error
    except Interrupted:
        click.echo("Stopped.", err=True)


def _admission(rate_limit: str, trusted_proxy: tuple[str, ...], cors_origin: tuple[str, ...]) -> "Admission":
    """Whom the options let in."""
    from mcmulti.api.admission import Admission, network_of, origin_of
    from mcmulti.api.rates import limit_of

    try:
        limit = None if rate_limit == "off" else rate_limit
        if limit is not None:
            limit_of(limit)
    except ValueError:
        raise click.BadParameter(
            f"{rate_limit!r} is not like 100/second, nor off.", param_hint="--rate-limit"
        ) from None
    try:
        proxies = tuple(map(network_of, trusted_proxy))
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="--trusted-proxy") from None
    try:
        origins = () if cors_origin == ("none",) else tuple(map(origin_of, cors_origin)) or None
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="--cors-origin") from None
    return Admission(limit, proxies, origins)


@click.command()
@click.option(
    "--database-url", envvar="DATABASE_URL", show_envvar=True, required=True, metavar="URL", help="The database."
)
@click.option("--distribute", is_flag=True, help="Then spread games over the nodes, where the database has Citus.")
def migrate(database_url: str, distribute: bool) -> None:
    """Bring a database to the schema of this build.

    A server does so by itself if its login may. Where it may not, run this with the login of the database's owner.
    """
    from mcmulti.server.process import migrated

    for name in run(migrated(database_url)) or ["Nothing to do: the database is up to date."]:
        click.echo(name)
    if distribute:
        click.echo(_DISTRIBUTED[run(_distributed(database_url))])


_DISTRIBUTED = {
    "done": "Distributed: each game lives on one node now, with all that belongs to it.",
    "already": "Nothing to distribute: the tables are spread over the nodes already.",
    "absent": "Nothing is distributed: this database has no extension citus, and does well on one PostgreSQL.",
}


async def _distributed(database_url: str) -> str:
    from mcmulti.events.citus import distribute
    from mcmulti.events.log import LogError
    from mcmulti.server.process import ServerError

    try:
        return await distribute(database_url)
    except LogError as error:
        raise ServerError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
