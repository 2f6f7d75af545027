"""Look up rules: ``rules``."""

import textwrap
from typing import TYPE_CHECKING, Any

import click

from mcmulti.cli.options import language_option
from mcmulti.cli.running import printing, run, say
from mcmulti.cli.seating import RULESET
from mcmulti.cli.servers import server_option

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH = 80
"""Width of a text, in columns."""


@click.command()
@click.argument("words", nargs=-1, metavar="[RULE]...")
@click.option("--ruleset", type=RULESET, help="Rule set.  [default: all]")
@language_option("Language of the texts.")
@server_option
def rules(words: tuple[str, ...], ruleset: str | None, language: Any, server: str | None) -> None:
    """Print the text of a rule.

    RULE is its id in events, offers, and refusals (market/sell), the part before the slash, or words from its text.
    Without RULE, all rules are listed. The texts come with this program. With --server or MCMULTI_SERVER, they come
    from that server.
    """
    from mcmulti.domain.rulesets import CURRENT

    found: dict[tuple[str, str], list[str]] = {}
    for name in [ruleset] if ruleset else CURRENT:
        texts = run(_at(server, name, language)) if server else CURRENT[name].texts.rules[language]
        for rule, text in _matching(texts, words).items():
            found.setdefault((rule, text), []).append(name)
    if not found:
        raise click.ClickException(f"No rule has the id {' '.join(words)!r} or contains these words.")
    exact = {key: names for key, names in found.items() if words and key[0] == words[0].lower()}
    with printing():
        for (rule, text), names in (exact or found).items():
            say(f"{rule}  ({', '.join(names)})")
            say(textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    "))


async def _at(server: str, name: str, language: Any) -> "Mapping[str, str]":
    from mcmulti.client.client import Client
    from mcmulti.client.sources import RulesListed, parsed

    async with Client(server, patience=2.0) as client:
        found = await client.content(f"/v1/rulesets/{name}", language=language)
        return parsed(server, found, RulesListed, "has rules").rules


def _matching(texts: "Mapping[str, str]", words: tuple[str, ...]) -> dict[str, str]:
    """The rules with this id or in this group, or else those that contain all the words."""
    wanted = [word.casefold() for word in words]
    if len(wanted) == 1:
        named = {rule: text for rule, text in texts.items() if wanted[0] in (rule, rule.partition("/")[0])}
        if named:
            return named
    return {rule: text for rule, text in texts.items() if all(word in f"{rule} {text}".casefold() for word in wanted)}
