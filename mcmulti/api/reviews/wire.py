"""Reviews in requests, responses, and streams."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Sentence
from mcmulti.events.log.item import AtMoment
from mcmulti.projections.reviews import Review

LEAST_SECONDS, USUAL_SECONDS, MOST_SECONDS = 10, 60, 180
"""The processor time that a review may take."""

ReviewSeconds = Annotated[
    int, Meta(ge=LEAST_SECONDS, le=MOST_SECONDS, description="Seconds of processor time that a review may take.")
]
ReviewState = Annotated[
    Literal["none", "waiting", "running", "done", "failed"],
    Meta(description="Whether somebody asked for a review, and how far it is."),
]
Progress = Annotated[float, Meta(ge=0, le=1, description="How much is done: 1 is everything.")]


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """How thorough a review should be: `seconds` of processor time."""

    seconds: ReviewSeconds = USUAL_SECONDS


class ReviewView(AtMoment, frozen=True):
    """The review of a finished game, whose log ends with event `seq`.

    `state`: `none` if nobody has asked for one. `done`: how much of it. `seconds`: the processor time it is meant to
    take, or took; null without a review. `reason`: why it failed; else null. `review`: the result. While a more
    thorough one is made, this is the one before.
    """

    state: ReviewState
    done: Progress
    seconds: ReviewSeconds | None
    reason: Sentence | None
    review: Review | None


class ReviewProgress(Struct, frozen=True, tag=True):
    """In the stream of a review: its state, and how much is `done`. After `done` or `failed` the stream ends: then read
    the result as JSON.
    """

    state: ReviewState
    done: Progress
