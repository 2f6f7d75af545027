"""What the document says about properties and parameters: taken from docstrings, and from the words of the game."""

import re
from collections.abc import Mapping

_WORDS = {
    "type": "Names the schema.",
    "kind": "What kind it is.",
    "market": "The domestic or the foreign market.",
    "good": "Crude or gasoline.",
    "economy": "Name of an economy card.",
    "climate": "The economic climate.",
    "sheet": "Orders for a round.",
    "before": "What it was.",
    "after": "What it became.",
    "card": "Name of a card.",
    "place": "Where the card lies.",
    "source": "The market they came from.",
    "target": "The market they went to.",
    "name": "Its name.",
    "version": "Its version.",
    "title": "Its title, for people.",
    "site": "Where it stands.",
    "sites": "Where they stand.",
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
    "news": "News cards.",
    "free": "Free fields of each good.",
    "die": "What the die showed.",
    "dice": "What the dice showed.",
    "red": "The red die.",
    "black": "The black die.",
    "green": "The green die.",
    "draw": "The draw that chose it.",
    "rolls": "Who rolled what.",
    "dues": "Who owes what, in millions of dollars, in the order of paying.",
    "standings": "The players, the best first.",
    "decided_by": "What decided.",
    "neighbour": "Whether it is a neighbour's operation, after the roll of another.",
    "quadrants": "The four quadrants.",
    "seats": "The seats.",
    "assets": "What stands there.",
    "idle": "Whether it is idle.",
    "markets": "Each good on each market.",
    "consumer": "The consumer market.",
    "turn": "The turn that is played, null before the first.",
    "buy": "What one costs, in millions of dollars.",
    "sell": "What one brings, in millions of dollars.",
    "demand": "By how many red fields the consumer price moves.",
    "difference": "Where the difference track stands.",
    "active": "Cards in force.",
    "pile": "How many cards the pile has.",
    "likelier": "The likelier news.",
    "less_likely": "The less likely news.",
    "operating": "The quadrant that produces now.",
    "number": "Its number, from 1.",
    "sides": "How many sides the die has.",
    "value": "What it showed, from 1.",
    "row": "Row, from 1.",
    "column": "Column, from 1.",
    "options": "The values it may have.",
    "min": "The least.",
    "max": "The most.",
    "step": "How far apart its values are.",
    "fields": "What each field of the command may be.",
    "rank": "Place, from 1; players with equal cash and barrels share one.",
    "entropy": "What the seats gave, joined by commas.",
    "quantity": "How many barrels.",
    "next": "Where the next page begins, null for none.",
    "detail": "What went wrong this time, for people.",
    "limit": "At most so many.",
    "present": "Seats whose players follow the game.",
    "winners": "Seats.",
    "mine": "Whether to list only the games at which the caller sits.",
    "token": "The bearer token.",
    "declared_by": "The seat that declared victory, null before.",
    "last_turns": "The quadrants that still have a turn after the declaration, null before it.",
    "blocked_by": "What blocks the offer: never anything in an answer, which shows the legal ones only.",
    "next_sale": "What the next barrel brings, in millions of dollars, null if none can be sold.",
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
