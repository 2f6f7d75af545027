"""The ranges of the numbers in commands, events, and views."""

from typing import Annotated, TypeVar

from msgspec import Meta

MOST = 2**31 - 1
MOST_SEATS = 16
"""More than any game has. The rule set defines its own maximum."""

OF_SEAT, BY_SEAT = "a seat", "by seat"
"""What a type is, under ``is`` in its `Meta.extra`: the number of a seat; a list with one item for each seat."""

Seat = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1, description="Seat number, from 0.", extra={"is": OF_SEAT})]
T = TypeVar("T")
BySeat = Annotated[tuple[T, ...], Meta(max_length=MOST_SEATS, extra={"is": BY_SEAT})]
Money = Annotated[int, Meta(ge=0, le=MOST, description="Money, in the rule set's unit.")]
Count = Annotated[int, Meta(ge=0, le=MOST)]
Seconds = Annotated[int, Meta(ge=0, le=MOST, description="Seconds.")]

Seats = Annotated[tuple[Seat, ...], Meta(max_length=MOST_SEATS, description="Seat numbers, from 0.")]

Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes in hexadecimal.")]
PlayerId = Annotated[str, Meta(extra_json_schema={"format": "uuid"}, description="Id of a player.")]
GameId = Annotated[str, Meta(extra_json_schema={"format": "uuid"}, description="Id of a game.")]
PlayerName = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\S", description="Name of a player.")]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", description="16 bytes in hexadecimal.")]
SeatName = Annotated[
    str,
    Meta(
        min_length=1,
        pattern=r"\S",
        description="Name of the player in a seat. If players replaced each other, their names in order, joined by ` "
        "/ `.",
    ),
]
Entropy = Annotated[
    str,
    Meta(max_length=64, pattern="^[0-9A-Za-z_-]*$", description="Any text. It goes into every draw."),
]
Sentence = Annotated[str, Meta(min_length=1, pattern=r"\S", description="A sentence for display.")]
GivenEntropy = Annotated[str, Meta(max_length=324, pattern="^[0-9A-Za-z_,-]*$")]
"""The entropy of all seats, by seat, separated by commas."""
Code = Annotated[str, Meta(pattern="^[a-z_]+$", description="A stable code for programs.")]
RuleId = Annotated[
    str, Meta(max_length=60, pattern="^[a-z_-]+/[a-z0-9_-]+$", description="Id of a rule in its rule set.")
]
TypeName = Annotated[str, Meta(max_length=60, pattern="^[A-Z][A-Za-z]+$", description="Name of a schema.")]
RulesetName = Annotated[str, Meta(max_length=40, pattern="^[a-z_]+$", description="Name of a rule set.")]
