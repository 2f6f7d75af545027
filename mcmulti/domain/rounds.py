"""Games that are played in rounds: how long they wait, and what can be said of orders before a round."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.figures import Code, Count, Sentence


class Pace(Struct, frozen=True):
    """How long a game waits in round `round`, counted from the moment the round began.

    After `late_after` seconds who has sent nothing is late; after `closes_after` seconds the round is closed without.
    """

    round: Count
    late_after: Count
    closes_after: Count


class Remark(Struct, frozen=True):
    """What looks like a mistake in a sheet of orders. `line` is its line, from 1, None for the whole sheet."""

    line: Annotated[int, Meta(ge=1, le=10_000)] | None
    code: Code
    sentence: Sentence
