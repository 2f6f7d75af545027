"""Tables in the guides that follow from the code. Run as ``python -m tests.docs.tables`` to write them."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec
from click import Context, Option
from msgspec.structs import FieldInfo

import mcmulti.metrics
from benchmarks import calibration, capacity
from mcmulti.api.admission import unsent
from mcmulti.api.caching import tags
from mcmulti.api.chat.operations import BOUNDS
from mcmulti.api.chat.texts import LONGEST as LONGEST_MESSAGE
from mcmulti.api.http import received
from mcmulti.api.http.answers import PIECE
from mcmulti.api.http.problems import CODES
from mcmulti.api.messages.webhooks import MOST as MOST_WEBHOOKS
from mcmulti.api.openapi.words import sentences
from mcmulti.api.operations.accounts import MOST_TOKENS
from mcmulti.api.readings.replay import MOST_DESCRIBED
from mcmulti.api.reviews.wire import MOST_SECONDS
from mcmulti.api.streams.game import MOST_BYTES
from mcmulti.api.telling.wire import MOST_INVITED
from mcmulti.cli import cli
from mcmulti.domain.core.capabilities.length import longest_of
from mcmulti.domain.core.capabilities.undo import IN_A_ROW
from mcmulti.domain.core.offers import MOST_EVENTS, Limit
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import MOST_SITTINGS, SITTINGS
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.postal import RULESET as POSTAL
from mcmulti.domain.rulesets import SHIPPED
from mcmulti.metrics import REGISTRY
from mcmulti.server import connections, http_protocol
from mcmulti.server.process import KEEP_ALIVE
from tests.docs import contract_tables, ruleset_pages, training_tables

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = Path(__file__).parents[2] / "examples"
DEPLOY = Path(__file__).parents[2] / "deploy"
CLIENTS = Path(__file__).parents[1] / "slow" / "clients"


def codes() -> str:
    """The problem codes of the API."""
    rows = [f"| `{code}` | {status} | {title} |" for code, (status, title) in CODES.items()]
    return "\n".join(["| code | status | meaning |", "|---|---|---|", *rows])


def limits(ruleset: Ruleset[Any]) -> str:
    """The problem codes of a rule set."""
    rows = [
        f"| `{limit.code}` | {f'`{limit.rule}`' if limit.rule else 'that of the offer'} | {_told(ruleset, limit)} |"
        for limit in ruleset.texts.limits.values()
    ]
    return "\n".join(["| code | rule | meaning |", "|---|---|---|", *rows])


def _told(ruleset: Ruleset[Any], limit: Limit) -> str:
    return ruleset.texts.tell_refusal(limit.rejection(), "en")


def language(name: str) -> str:
    """The types of a union of the order language: the meaning and the fields of each."""
    _, members = POSTAL.commands.unions[name]
    rows = []
    for member in members:
        doc = member.__doc__ or ""
        fields = " ".join(_field(field) for field in msgspec.structs.fields(member))
        rows.append(f"| `{member.__name__}` | {_first_sentence(doc)}. | {fields} |")
    return "\n".join(["| type | what | fields |", "|---|---|---|", *rows])


def _first_sentence(doc: str) -> str:
    return re.split(r"\.\s|\.$", sentences(doc))[0]


def _field(field: FieldInfo) -> str:
    """A field, in parentheses if it is optional."""
    name = f"`{field.encode_name}`"
    return name if field.required else f"[{name}]"


def post_limits() -> str:
    """Why lines of sheets are skipped or curtailed, and sheets refused."""
    rows = [
        f"| `{limit.code}` | `{limit.rule}` | {_told(POSTAL, limit)} |"
        for limit in POSTAL.texts.limits.values()
        if limit.rule
    ]
    return "\n".join(["| code | rule | meaning |", "|---|---|---|", *rows])


def bounds() -> str:
    """The limits of a server, and the responses when they are exceeded."""
    seconds = http_protocol._SECONDS
    rows = [
        ("a target (path and query)", f"{http_protocol.MOST_TARGET:,} characters", "414 `target_too_long`"),
        ("a head", f"{http_protocol.MOST_HEAD:,} bytes", "431 `head_too_large`"),
        ("`Accept`", f"{received.LONGEST_LIST:,} characters", "400 `invalid_header`"),
        ("lists of entity tags", f"{tags.LONGEST:,} characters", "400 `invalid_header`"),
        ("a body", f"{received.BODY_LIMIT:,} bytes", "413 `body_too_large`"),
        (
            "around the chunks of a body: sizes, extensions, trailers",
            f"{http_protocol.MOST_FRAMING:,} bytes plus the size of the body",
            "400 `bad_request`, closed",
        ),
        ("until a new connection asks for something", f"{seconds['request']:g} s", "closed"),
        ("until a head is complete", f"{seconds['head']:g} s", "408 `request_timeout`, closed"),
        ("until a body is complete", f"{seconds['body']:g} s", "408 `request_timeout`, closed"),
        (f"until a client takes the next {PIECE // 2**10} KiB of a response", f"{http_protocol.STALLED:g} s", "closed"),
        ("between two requests", f"{KEEP_ALIVE} s", "closed"),
        (
            "large responses to an address that are made or sent, at each worker",
            f"{unsent.EACH // 2**20} MiB",
            f"waits {unsent.PATIENCE:g} s, then 429 `too_many_requests`",
        ),
        (
            "large responses to all, at each worker",
            f"{unsent.MOST // 2**20} MiB",
            f"waits {unsent.PATIENCE:g} s, then 503 `busy`",
        ),
        ("connections of an address, or of a /64 network of IPv6, at each worker", "`--connections`", "closed"),
        ("connections in all", f"the number of file descriptors minus {connections.RESERVE}", "closed; logged"),
        ("requests of a player, or of an address", "`--rate-limit`", "429 `too_many_requests`"),
        (
            "milliseconds of processor time of a player, or of an address, at each worker",
            "`--processor-time`",
            "429 `too_many_requests`",
        ),
        ("registrations of an address", "`--registrations`", "429 `too_many_requests`"),
        ("new games of a player, and of an address", "`--new-games`", "429 `too_many_requests`"),
        ("new games of a bot, and of all bots at an address", "`--bot-games`", "429 `too_many_requests`"),
        ("requests of all bots together, at each worker", "`--bot-requests`", "429 `too_many_requests`"),
        ("events that the commands of a player lead to, at each worker", "`--events`", "429 `too_many_requests`"),
        (
            "bytes that the people at an address, or its bots, add to the database, at each worker",
            "`--stored-bytes`",
            "429 `too_many_requests`",
        ),
        ("bytes of the events of a page, before the last one", f"{MOST_BYTES:,}", "continue at `next`"),
        (
            "events of a page of a replay, before its last frame",
            f"{MOST_DESCRIBED:,}",
            "continue at `next`",
        ),
        *(
            (f"events of a game of `{ruleset.name}`", f"{longest_of(ruleset.flow):,}", "the game ends (`table/length`)")
            for ruleset in SHIPPED.values()
        ),
        (
            "events that the commands of a request lead to",
            f"{MOST_EVENTS}, and those of one more command",
            "409 `too_many_events`",
        ),
        ("moves taken back in a row by a player", f"{IN_A_ROW} times", "409 `undone_too_often`"),
        (
            "seats taken at a table before the start",
            f"{SITTINGS} times by players who come back, {MOST_SITTINGS:,} times in all",
            "409 `seated_too_often`",
        ),
        ("tokens of a player", f"{MOST_TOKENS}", "409 `too_many_tokens`"),
        ("webhooks of a player", f"{MOST_WEBHOOKS}", "409 `too_many_webhooks`"),
        ("players invited to a table", f"{MOST_INVITED}", "409 `too_many_invited`"),
        ("a message in the chat of a table", f"{LONGEST_MESSAGE} characters", "400 `invalid_body`"),
        (
            "messages of a player in the chat of a table",
            f"{BOUNDS.of_author} in {BOUNDS.window.seconds} s",
            "429 `too_many_requests`",
        ),
        ("messages in a room of the chat of a table", f"{BOUNDS.of_room:,}", "409 `chat_full`"),
        (
            "seconds of processor time of reviews of a player, and of an address, at each worker",
            "`--review-time`",
            "429 `too_many_requests`",
        ),
        ("reviews in progress of a player", "1", "409 `review_going`"),
        ("seconds of processor time of a review", f"{MOST_SECONDS}", "400 `invalid_body`"),
        (
            "games that are not over, of a player, and of those opened at an address",
            "`--open-games`",
            "409 `too_many_open_games`",
        ),
    ]
    lines = [" | ".join(row) for row in rows]
    return "\n".join(["| what | at most | beyond that |", "|---|---|---|", *(f"| {line} |" for line in lines)])


def metrics() -> str:
    """The metrics of a server for Prometheus."""
    rows = []
    for metric in REGISTRY.collect():
        name = f"{metric.name}_total" if metric.type == "counter" else metric.name
        labels = ", ".join(f"`{label}`" for label in _declared_labels(metric.name)) or "none"
        rows.append(f"| `{name}` | {metric.type} | {labels} | {metric.documentation} |")
    return "\n".join(["| metric | type | labels | meaning |", "|---|---|---|---|", *rows])


def settings() -> str:
    """The options of `mcmulti serve`."""
    serve = cli.get_command(Context(cli), "serve")
    assert serve is not None
    rows = []
    for option in serve.params:
        assert isinstance(option, Option)
        said, _, default = (option.help or "").partition("  [default: ")
        if not default and not option.is_flag and isinstance(option.default, str | int):
            default = str(option.default)
        variable = option.envvar or f"MCMULTI_SERVE_{(option.name or '').upper()}"
        rows.append(f"| `{option.opts[0]}` | `{variable}` | {default.removesuffix(']')} | {said} |")
    return "\n".join(["| option | variable | default | what |", "|---|---|---|---|", *rows])


def _declared_labels(name: str) -> tuple[str, ...]:
    (declared,) = {one for one in vars(mcmulti.metrics).values() if getattr(one, "_name", None) == name}
    return tuple(declared._labelnames)


FIELD = (
    'field() { python3 -c "import json, sys; told = json.load(sys.stdin); '
    "sys.exit(told) if 'code' in told else print(told$1)\"; }"
)
"""A shell function that shows a value of a response, or the problem that it is."""
BEGUN = f"""```console
$ url=http://127.0.0.1:8000 json='Content-Type: application/json'
$ {FIELD}
$ n=$(shuf -i 100000-999999 -n 1)  # names are unique
$ ada=$(curl -s $url/v1/players -H "$json" -d "{{\\"name\\": \\"Ada $n\\"}}" | field "['token']")
$ ben=$(curl -s $url/v1/players -H "$json" -d "{{\\"name\\": \\"Ben $n\\"}}" | field "['token']")
"""
"""The beginning of guides: two players, and with `GAME` a game in which both are seated."""
GAME = """$ game=$(curl -s $url/v1/games -H "$json" -H "Authorization: Bearer $ada" \\
    -d '{"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}}' | field "['game']")
$ for token in $ada $ben; do curl -s $url/v1/games/$game/seats -H "$json" -H "Authorization: Bearer $token" \\
    -d '{}' > /dev/null; done
"""

PARTS = (
    ("python/openapi_generator.py", "python\n#", r"^def follow.*?\n(?=\n\n)"),
    ("java/Games.java", "java\n//", r"^  Stream<EventItem> follow.*?^  }\n"),
    ("java/Games.java", "java\n// play and send of", r"^  /\*\* (?:Every seat moves|Send what was).*?^  }\n"),
    ("hey_api/player.ts", "ts\n//", r"^export class.*?^}\n"),
    ("typescript/play.ts", "ts\n//", r"^/\*\* All of them play.*?^}\n\n.*?^}\n"),
)
"""Programs on generated clients, the first line of a block that shows a part of one, and a pattern that finds the part.
"""

TABLES: dict[str, Callable[[], str]] = {
    "codes": codes,
    "limits": partial(limits, RULESET),
    "rules of all games": ruleset_pages.common_rules,
    **{f"{part} of {name}": partial(of, name) for name in SHIPPED for part, of in ruleset_pages.PARTS.items()},
    "orders of phase 1": partial(language, "AssetOrder"),
    "orders of phase 2": partial(language, "TradeOrder"),
    "orders of phase 3": partial(language, "PumpOrder"),
    "conditions": partial(language, "Condition"),
    "quantities": partial(language, "Quantity"),
    "limits by post": post_limits,
    "operations": contract_tables.operations,
    **{f"view of {name}": partial(contract_tables.view, name) for name in SHIPPED},
    **{f"events of {name}": partial(contract_tables.events, name) for name in SHIPPED},
    "events of several games": contract_tables.events_of_several,
    **{f"training of {name}": partial(training_tables.of, name) for name in SHIPPED},
    "bounds": bounds,
    "two players": lambda: f"{BEGUN}```",
    "a game for two": lambda: f"{BEGUN}{GAME}```",
    "metrics": metrics,
    "settings": settings,
    "capacity": capacity.table,
    "calibration": calibration.tables,
}


def with_tables(markdown: str) -> str:
    """A guide with its generated tables."""
    for name in re.findall(r"^<!-- (.+): generated -->$", markdown, re.MULTILINE):
        pattern = rf"(<!-- {name}: generated -->\n).*?(<!-- end of {name} -->)"
        markdown = _put(markdown, pattern, f"\n{TABLES[name]()}\n\n")
    for bot in (*EXAMPLES.glob("first_*.py"), EXAMPLES / "client_bot.py", *EXAMPLES.glob("five_steps/*.py")):
        pattern = rf"(```python\n# examples/{bot.relative_to(EXAMPLES)}\n).*?(```)"
        markdown = _put(markdown, pattern, bot.read_text("utf-8"))
    for file in filter(Path.is_file, DEPLOY.rglob("*")):
        pattern = rf"(<!-- deploy/{re.escape(str(file.relative_to(DEPLOY)))} -->\n```\w+\n).*?(```)"
        markdown = _put(markdown, pattern, file.read_text("utf-8"))
    for program, opening, part in PARTS:
        found = re.findall(part, (CLIENTS / program).read_text("utf-8"), re.DOTALL | re.MULTILINE)
        assert found
        markdown = _put(markdown, rf"(```{opening} tests/slow/clients/{program}\n).*?(```)", dedent("\n".join(found)))
    return markdown


def _put(markdown: str, pattern: str, text: str) -> str:
    return re.sub(pattern, lambda match: f"{match[1]}{text}{match[2]}", markdown, flags=re.DOTALL)


if __name__ == "__main__":
    for guide in DOCS.rglob("*.md"):
        guide.write_text(with_tables(guide.read_text("utf-8")), "utf-8")
