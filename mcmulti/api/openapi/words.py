"""Descriptions of properties and parameters, taken from docstrings and from the words of the game."""

import re
from collections.abc import Iterable, Mapping

from mcmulti.api.http.problems import CODES

_WORDS = {
    "type": "Name of the schema.",
    "kind": "Kind.",
    "before": "Value before.",
    "after": "Value after.",
    "name": "Its name.",
    "version": "Its version.",
    "title": "Its title, for display.",
    "game": "Id of the game.",
    "ruleset": "Name of the rule set.",
    "status": "Whether it is open, running, or finished.",
    "setup": "Setup of the game.",
    "events": "Events, in order.",
    "command": "The command.",
    "commands": "Commands, in order.",
    "offers": "Everything that is legal now.",
    "data": "What happened.",
    "view": "The game as the reader sees it.",
    "command_id": "Id of the command that caused the event, or null.",
    "recorded_at": "When the event was recorded.",
    "created_at": "When the game was opened.",
    "player": "Id of the player.",
    "games": "The games.",
    "rulesets": "The rule sets.",
    "components": "Cards, markets and figures, with their provenance.",
    "rules": "The text of each rule, by rule id.",
    "codes": "The sentence of each refusal code.",
    "openapi": "URL of the OpenAPI document.",
    "die": "What the die showed.",
    "draw": "The draw that chose it.",
    "rolls": "Who rolled what.",
    "standings": "The players, best first.",
    "seats": "The seats.",
    "turn": "Current turn; null before the first.",
    "number": "Its number, from 1.",
    "sides": "Number of sides of the die.",
    "value": "What it showed, from 1.",
    "options": "Possible values.",
    "min": "Minimum.",
    "max": "Maximum.",
    "step": "Step between values.",
    "fields": "Possible values of each field of the command.",
    "entropy": "What the seats gave, joined by commas.",
    "next": "Start of the next page; null if this is the last.",
    "detail": "What went wrong this time, in words.",
    "limit": "Maximum number of items.",
    "token": "The bearer token.",
}
"""Words that mean the same everywhere."""

ENTRY = re.compile(r"(?:^|(?<=[.;:)])\s+|\n\n)(`\w+`(?:(?:, (?:and )?| and )`\w+`)*): ")
"""Where a docstring begins to describe properties: one, or several that mean the same."""


def sentences(doc: str) -> str:
    """A docstring as CommonMark, in JSON terms."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", doc.strip())]
    return re.sub(r"\bNone\b", "null", "\n\n".join(paragraphs)).replace("``", "`")


def refusals(named: Iterable[str]) -> str:
    """When a value that fits its schema is refused with status 422, by problem codes."""
    told = (f"`{code}` ({CODES[code][1][0].lower()}{CODES[code][1][1:]})" for code in named)
    return f"Can be refused with 422: {', '.join(told)}."


def description_of(name: str, doc: str, own: str | None = None, words: Mapping[str, str] = {}) -> str | None:
    """The description of a property: its list entry in the docstring, or its own words and the sentences that name it.

    `words`: the rule set's descriptions of properties by name, wherever they are.
    """
    text = sentences(doc)
    told = [own or words.get(name) or _WORDS.get(name)]
    _, *entries = ENTRY.split(text)
    for names, entry in zip(entries[::2], entries[1::2], strict=True):
        if f"`{name}`" in names:
            said = re.sub(";$", ".", entry.split("\n\n")[0])
            said = f"{said[0].upper()}{said[1:]}"
            return said if names == f"`{name}`" else " ".join(filter(None, (told[0], said)))
    told += [sentence for sentence in re.split(r"(?<=\.)\s+", text) if f"`{name}`" in sentence]
    return " ".join(sentence for sentence in told if sentence) or None
