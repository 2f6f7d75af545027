"""Ratings as they are told beside players and tables."""

from collections.abc import Iterable
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.telling.ladder import LadderBoard
from mcmulti.api.telling.tables import TableView
from mcmulti.domain.core.figures import RulesetName
from mcmulti.domain.rulesets import CURRENT
from mcmulti.projections.statistics.ratings import Strength

Points = Annotated[float, Meta(ge=-1_000_000, le=1_000_000, description="Points, rounded to tenths.")]


class RatingView(Struct, frozen=True):
    """How strong a player is in a rule set, by so many rated `games` and `wins`. It begins with 1500 points.

    `uncertainty`: its standard deviation, in points. `score`: what the ladder sorts by, the rating minus twice its
    uncertainty. `provisional`: it is too uncertain to say much.
    """

    ruleset: RulesetName
    rating: Points
    uncertainty: Points
    score: Points
    games: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    wins: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    provisional: bool


class SeatedRating(Struct, frozen=True):
    """How strong somebody is who sits at a table that is told of. `rating`: in its rule set."""

    player: UUID
    rating: RatingView


def points(figure: float) -> float:
    """A figure as it is told."""
    return round(figure, 1)


def rating(ruleset: str, strength: Strength) -> RatingView:
    """A strength as it is told."""
    figures = points(strength.rating), points(strength.uncertainty), points(strength.score)
    return RatingView(ruleset, *figures, strength.games, strength.wins, strength.provisional)


def ratings_of(ladder: LadderBoard, player: UUID) -> tuple[RatingView, ...]:
    """How strong a player is, by rule set; those without a rated game are missing."""
    found = ((ruleset, ladder.strength(ruleset, player)) for ruleset in CURRENT)
    return tuple(rating(ruleset, strength) for ruleset, strength in found if strength is not None)


def seated(ladder: LadderBoard, tables: Iterable[TableView]) -> tuple[SeatedRating, ...]:
    """How strong those are who sit at tables, each once a rule set. Who has no name is not told of."""
    sitting = {
        (table.ruleset, seat.player): None for table in tables for seat in table.seats if seat.player and seat.name
    }
    found = ((ruleset, player, ladder.strength(ruleset, player)) for ruleset, player in sitting)
    return tuple(SeatedRating(player, rating(ruleset, strength)) for ruleset, player, strength in found if strength)
