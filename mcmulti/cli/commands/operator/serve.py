"""Run a server: ``serve``."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mcmulti.cli.options import PORT, Decorated, database_options, number_option, workers_option

if TYPE_CHECKING:
    from mcmulti.notify.settings import Notify, Smtp
    from mcmulti.server.process import Address

MOST_OPEN = 1000
"""The largest limit of unfinished games, since problems can report no larger number."""


def _limit(context: click.Context, option: click.Parameter, text: str) -> str | None:
    """A limit of something in a window of time; None for no limit."""
    from mcmulti.api.admission.quotas import limit_of

    if text == "off":
        return None
    try:
        limit_of(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} must look like {option.default}, or be off.") from None
    return text


def _most_open(context: click.Context, option: click.Parameter, text: str) -> int | None:
    """The most unfinished games; None for no limit."""
    if text == "off":
        return None
    if not (text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MOST_OPEN):
        raise click.BadParameter(f"{text!r} must be a number up to {MOST_OPEN}, or off.")
    return int(text)


def _proxies(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The networks of trusted proxies."""
    from mcmulti.api.admission.gate import network_of

    try:
        return tuple(map(network_of, texts))
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def _origins(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...] | None:
    """The origins whose pages may use the API; None for all."""
    from mcmulti.api.admission.gate import origin_of

    try:
        return () if texts == ("none",) else tuple(map(origin_of, texts)) or None
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def _quota_option(name: str, default: str, help: str, counted: str = "N") -> Callable[[Decorated], Decorated]:
    """The option for a limit of something in a window of time, such as 100/second. `counted`: its unit."""
    metavar = f"{counted}/TIME"
    return click.option(name, default=default, metavar=metavar, callback=_limit, help=help)


@click.command()
@database_options("use")
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=PORT, default=8000, metavar="N", help="Port to listen on; 0: any free port.")
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Format of the log lines on standard error.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    help="Lowest level to log. Requests and deadlines are info.",
)
@click.option("--access-log", is_flag=True, help="Log every request, not only those that append events.")
@_quota_option(
    "--rate-limit",
    "2000/10 seconds",
    "Requests per token, e.g. 100/second; off: no limit. Each worker counts separately.",
)
@_quota_option(
    "--processor-time",
    "5000/10 seconds",
    "Milliseconds of processor time for the requests of each token, or of each address without one; off: no "
    "limit. Each worker counts separately.",
    counted="MS",
)
@_quota_option(
    "--registrations",
    "300/hour",
    "New players per address; off: no limit. Each worker counts separately.",
)
@_quota_option(
    "--new-games",
    "600/hour",
    "New games per player and per address; off: no limit. Each worker counts separately.",
)
@_quota_option(
    "--bot-games",
    "600/hour",
    "The same for games opened by bots, counted separately from those of people; off: no limit.",
)
@_quota_option(
    "--bot-requests",
    "20000/10 seconds",
    "Requests of all bots together per worker, so that people keep the rest; off: no limit.",
)
@_quota_option(
    "--events",
    "20000/hour",
    "Events caused by a player's commands; off: no limit. Each worker counts separately.",
)
@_quota_option(
    "--stored-bytes",
    "100000000/hour",
    "Bytes that the requests of all people at an address, or of all its bots, add to the database; off: no limit. Each "
    "worker counts separately.",
    counted="BYTES",
)
@click.option(
    "--open-games",
    callback=_most_open,
    default="200",
    metavar="N",
    help="Unfinished games that a player may have opened or sit at, and that an address may have opened at a "
    "worker; off: no limit.",
)
@number_option(
    "--receipts",
    (1, 3650),
    30,
    "How long after the end of a game a repeated Idempotency-Key still returns the first response.",
    metavar="DAYS",
)
@click.option(
    "--no-chat",
    is_flag=True,
    envvar="MCMULTI_NO_CHAT",
    help="No chat at any table: nobody can read or say anything.",
)
@number_option(
    "--chat-days",
    (1, 3650),
    30,
    "How long messages in the chat of tables are kept.",
    metavar="DAYS",
)
@number_option(
    "--second-step",
    (0, 720),
    72,
    "How long players must wait after announcing an irreversible action, such as erasing themselves.",
    metavar="HOURS",
)
@number_option(
    "--house-bots",
    (0, 50),
    20,
    "Games that server bots play at a time, against people and in place of players who left; 0: none.",
    envvar="MCMULTI_HOUSE_BOTS",
)
@number_option(
    "--reviews",
    (0, 8),
    1,
    "Games that the server reviews at a time, each in a process with the lowest priority; 0: none.",
    envvar="MCMULTI_REVIEWS",
)
@_quota_option(
    "--review-time",
    "1800/hour",
    "Seconds of processor time for the reviews of each player and of each address; off: no limit. Each worker counts "
    "separately.",
    counted="S",
)
@click.option(
    "--site",
    envvar="MCMULTI_SITE",
    metavar="URL",
    help="Public address of the pages, e.g. https://play.example.org, for links in messages. If set, players can add "
    "webhooks.  [default: none]",
)
@click.option(
    "--private-webhooks",
    is_flag=True,
    envvar="MCMULTI_PRIVATE_WEBHOOKS",
    help="Also send messages to private networks and without TLS. Use this only if you trust all players.",
)
@click.option(
    "--smtp",
    envvar="MCMULTI_SMTP",
    metavar="URL",
    help="Mail server for messages by email: smtp://USER@HOST (STARTTLS, port 587), smtps://USER@HOST (TLS, port 465), "
    "or smtp+plain://HOST (no TLS, port 25). Needs --site and --mail-from.  [default: no email]",
)
@click.option(
    "--smtp-password-file",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="MCMULTI_SMTP_PASSWORD_FILE",
    metavar="FILE",
    help="File with the password for the mail server. It is read for every email.",
)
@click.option(
    "--mail-from",
    envvar="MCMULTI_MAIL_FROM",
    metavar="ADDRESS",
    help="Address that emails come from, e.g. games@example.org.",
)
@number_option(
    "--connections",
    (1, None),
    500,
    "Open connections per address and worker. Trusted proxies are not limited.",
)
@click.option(
    "--trusted-proxy",
    callback=_proxies,
    multiple=True,
    metavar="NETWORK",
    help="Address or network of a proxy whose X-Forwarded-For to trust, e.g. 10.0.0.0/8; repeatable.",
)
@click.option(
    "--cors-origin",
    callback=_origins,
    multiple=True,
    metavar="ORIGIN",
    help="Origin of web pages that may use the API, e.g. https://example.org; repeatable; none: no "
    "page.  [default: all]",
)
@workers_option("; one per CPU is a good start")
@click.option(
    "--pool-size",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Database connections per worker.  [default: 10, or fewer if the database has fewer]",
)
@click.option(
    "--metrics-address",
    metavar="HOST:PORT",
    help="Address of the Prometheus endpoint /metrics, e.g. 127.0.0.1:9100. It has no access control.  [default: none]",
)
@click.option(
    "--otlp-endpoint",
    envvar="OTEL_EXPORTER_OTLP_ENDPOINT",
    metavar="URL",
    help="OpenTelemetry collector (OTLP over HTTP) to send spans to, e.g. http://127.0.0.1:4318.  [default: none]",
)
def serve(
    database: Path | str,
    host: str,
    port: int,
    log_format: str,
    log_level: str,
    access_log: bool,
    no_chat: bool,
    house_bots: int,
    reviews: int,
    review_time: str | None,
    site: str | None,
    private_webhooks: bool,
    smtp: str | None,
    smtp_password_file: Path | None,
    mail_from: str | None,
    trusted_proxy: tuple[str, ...],
    cors_origin: tuple[str, ...] | None,
    workers: int,
    pool_size: int | None,
    metrics_address: str | None,
    otlp_endpoint: str | None,
    **limits: Any,
) -> None:
    """Run a server until you stop it (Ctrl-C or SIGTERM).

    Games are kept in PostgreSQL: in the server's own in a folder, or in another with --database-url.
    """
    from mcmulti.api.admission.gate import Admission
    from mcmulti.api.logging import configure, unfiltered
    from mcmulti.server.process import Serving
    from mcmulti.server.process import serve as serve_alone
    from mcmulti.server.running import Interrupted, ServerError
    from mcmulti.server.running import run as running
    from mcmulti.server.workers import serve as serve_together

    limits |= {"trusted_proxies": trusted_proxy, "origins": cors_origin, "review_seconds": review_time}
    admission = Admission(chat=not no_chat, **limits)
    json_lines = log_format == "json"
    how = Serving(
        host=host,
        port=port,
        admission=admission,
        workers=workers,
        pool_size=pool_size,
        json_lines=json_lines,
        log_level=log_level,
        access_log=access_log,
        metrics=None if metrics_address is None else _address(metrics_address),
        traces=_traces(otlp_endpoint),
        house=house_bots,
        reviews=reviews,
        notify=_notify(site, private_webhooks, _smtp(smtp, smtp_password_file, mail_from)),
    )
    configure(json=json_lines, level=log_level)

    def announce(address: str) -> None:
        if json_lines:
            unfiltered().info("serving", address=address)
        else:
            click.echo(f"Serving at {address}", err=True)

    try:
        running((serve_alone if workers == 1 else serve_together)(database, how, announce))
    except ServerError as error:
        if not json_lines:
            raise click.ClickException(str(error)) from error
        unfiltered().error("the server ended", reason=str(error))
        raise click.exceptions.Exit(1) from error
    except Interrupted:
        if json_lines:
            unfiltered().info("stopped")
        else:
            click.echo("Stopped.", err=True)


def _notify(site: str | None, private: bool, smtp: "Smtp | None") -> "Notify | None":
    """How to send notifications, if at all."""
    from mcmulti.api.admission.gate import origin_of
    from mcmulti.notify.settings import Notify

    if site is None:
        if private:
            raise click.UsageError("--private-webhooks needs --site.")
        if smtp is not None:
            raise click.UsageError("--smtp needs --site.")
        return None
    try:
        return Notify(origin_of(site.rstrip("/")), private, smtp)
    except ValueError:
        raise click.BadParameter(f"{site!r} must look like https://play.example.org.", param_hint="--site") from None


def _smtp(url: str | None, password_file: Path | None, sender: str | None) -> "Smtp | None":
    """The mail server, if any."""
    from mcmulti.notify.mail.addresses import SCHEME, checked_address
    from mcmulti.notify.mail.smtp import BadMailServer, mail_server
    from mcmulti.notify.outbound import RefusedUrl

    if url is None:
        for option, given in (("--smtp-password-file", password_file), ("--mail-from", sender)):
            if given is not None:
                raise click.UsageError(f"{option} needs --smtp.")
        return None
    if sender is None:
        raise click.UsageError("--smtp needs --mail-from.")
    try:
        sender = checked_address(f"{SCHEME}{sender}")
    except RefusedUrl:
        raise click.BadParameter(
            "This must be an address such as games@example.org.", param_hint="--mail-from"
        ) from None
    try:
        return mail_server(url, sender, password_file)
    except BadMailServer as error:
        raise click.BadParameter(str(error), param_hint="--smtp") from None


def _address(text: str) -> "Address":
    """The address to serve metrics on."""
    from mcmulti.server.process import Address

    host, _, port = text.rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    if not bare or not port.isascii() or not port.isdigit() or len(port) > 5 or int(port) > 65535:
        raise click.BadParameter(f"{text!r} must look like 127.0.0.1:9100.", param_hint="--metrics-address")
    return Address(bare, int(port))


def _traces(endpoint: str | None) -> str | None:
    """The URL to send spans to, if any: from the option, or from the standard OpenTelemetry variables."""
    asked = click.get_current_context().get_parameter_source("otlp_endpoint") is ParameterSource.COMMANDLINE
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none"
    if off and not asked:
        return None
    url = None if asked else os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    url = url or (f"{endpoint.rstrip('/')}/v1/traces" if endpoint else None)
    if url is None:
        return None
    from mcmulti.server.spans import NoTelemetry, check_telemetry

    if not re.fullmatch(r"https?://(\[[\da-fA-F:.]+\]|[^/?#\s\[\]])+(/\S*)?", url):
        raise click.BadParameter("This must be a URL such as http://127.0.0.1:4318.", param_hint="--otlp-endpoint")
    try:
        check_telemetry()
    except NoTelemetry as error:
        raise click.ClickException(str(error)) from error
    return url
