"""What people agree on before any game, whatever is played: how long a move may take, what becomes of who leaves."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

DAY = 86_400
"""Seconds."""

IfLeft = Literal["substitute", "bot", "sold", "passes"]
"""What becomes of the seat of a player who leaves a running game."""


Undo = Literal["no", "own", "agreed"]
"""Whether moves can be taken back."""


class Clock(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How long a seat that is asked may take.

    `move_seconds`: seconds for each move. `bank_seconds`: seconds that a seat has besides, once for the whole game.
    `misses`: after so many moves in a row that it let pass a seat is vacated.
    """

    move_seconds: Annotated[int, Meta(ge=5, le=30 * DAY)]
    bank_seconds: Annotated[int, Meta(ge=0, le=30 * DAY)] = 0
    misses: Annotated[int, Meta(ge=1, le=100)] = 3


class TableSetup(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """What the setups of all rule sets have."""

    clock: Annotated[
        Clock | None,
        Meta(description="How long moves may take, null for as long as they take (`table/clock`)."),
    ] = None
    if_left: Annotated[
        IfLeft,
        Meta(
            description="What becomes of the seat of who leaves the running game (`table/resign`): anybody may sit down"
            " there (`substitute`), a house bot plays on until the player returns (`bot`), its assets are `sold`, or it"
            " `passes` to the end."
        ),
    ] = "substitute"
    instructions: Annotated[
        Annotated[int, Meta(ge=2, le=10)] | None,
        Meta(
            description="After how many seconds seats that are asked in others' turns answer, so that standing"
            " instructions can answer for them unnoticed; null for no such instructions (`table/instruct`)."
        ),
    ] = None
    undo: Annotated[
        Undo,
        Meta(
            description="Whether moves can be taken back (`table/undo`): `no`; one's `own`, while nobody else moved and"
            " nothing was drawn; or besides, with all others `agreed`, those before them, up to the last draw."
        ),
    ] = "no"
