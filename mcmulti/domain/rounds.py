"""Games that are played in rounds: how long they wait, and what can be said of orders before a round."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.figures import MOST, Code, Count, Sentence

Round = Annotated[int, Meta(ge=0, le=MOST, description="Number of a round, from 1; 0 before the first.")]


class Pace(Struct, frozen=True):
    """How long a game waits in round `round`, counted from the moment the round began.

    After `late_after` seconds who has sent nothing is late; after `closes_after` seconds the round is closed without.
    """

    round: Round
    late_after: Count
    closes_after: Count


class Remark(Struct, frozen=True):
    """What looks like a mistake in a sheet of orders. `line` is its line, from 1, None for the whole sheet."""

    line: Annotated[int, Meta(ge=1, le=10_000)] | None
    code: Code
    sentence: Sentence
