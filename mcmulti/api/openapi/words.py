"""What the document says about properties and parameters: taken from docstrings, and from the words of the game."""

import re
from collections.abc import Mapping

_WORDS = {
    "type": "Names the schema.",
    "kind": "What kind it is.",
    "before": "What it was.",
    "after": "What it became.",
    "name": "Its name.",
    "version": "Its version.",
    "title": "Its title, for people.",
    "game": "Id of the game.",
    "ruleset": "Name of the rule set.",
    "status": "How far it is.",
    "phase": "The phase that is played.",
    "setup": "How the game is set up.",
    "events": "Events, in order.",
    "command": "The command.",
    "commands": "What to do, in order.",
    "offers": "Everything that is legal now.",
    "data": "What happened.",
    "view": "What the reader sees.",
    "command_id": "Id of the command that led to the event, null for none.",
    "recorded_at": "When the event was recorded.",
    "created_at": "When the game was opened.",
    "player": "Id of the player.",
    "games": "The games.",
    "rulesets": "The rule sets.",
    "components": "Cards, markets and figures, with their provenance.",
    "rules": "The text of each rule, by its id.",
    "codes": "The sentence of each code of refusal.",
    "openapi": "Where the OpenAPI document is.",
    "die": "What the die showed.",
    "dice": "What the dice showed.",
    "draw": "The draw that chose it.",
    "rolls": "Who rolled what.",
    "standings": "The players, the best first.",
    "seats": "The seats.",
    "turn": "The turn that is played, null before the first.",
    "number": "Its number, from 1.",
    "sides": "How many sides the die has.",
    "value": "What it showed, from 1.",
    "options": "The values it may have.",
    "min": "The least.",
    "max": "The most.",
    "step": "How far apart its values are.",
    "fields": "What each field of the command may be.",
    "entropy": "What the seats gave, joined by commas.",
    "next": "Where the next page begins, null for none.",
    "detail": "What went wrong this time, for people.",
    "limit": "At most so many.",
    "present": "Seats whose players follow the game.",
    "winners": "Seats.",
    "mine": "Whether to list only the games at which the caller sits.",
    "token": "The bearer token.",
    "blocked_by": "What blocks the offer: never anything in an answer, which shows the legal ones only.",
}
"""Words that mean the same wherever they stand."""


def sentences(doc: str) -> str:
    """A docstring as CommonMark, in the words of JSON."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", doc.strip())]
    return re.sub(r"\bNone\b", "null", "\n\n".join(paragraphs)).replace("``", "`")


def about(name: str, doc: str, own: str | None = None, words: Mapping[str, str] = {}) -> str | None:
    """What is said of a property: its list entry in the docstring, or its own words and the sentences that name it.

    `words` are what its rule set says of properties of that name, wherever they stand.
    """
    text = sentences(doc)
    entry = re.search(rf"`{name}`: (.+?)(?=\s`\w+`: |\n\n|$)", text, re.DOTALL)
    if entry:
        return f"{entry[1][0].upper()}{entry[1][1:]}"
    told = [own or words.get(name) or _WORDS.get(name)]
    told += [sentence for sentence in re.split(r"(?<=\.)\s+", text) if f"`{name}`" in sentence]
    return " ".join(sentence for sentence in told if sentence) or None
