"""Ratings in responses about players and tables."""

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
    """A player's rating in a rule set, from `games` rated games and `wins`. It begins with 1500 points.

    `uncertainty`: its standard deviation, in points. `score`: what the ladder sorts by, the rating minus twice its
    uncertainty. `provisional`: whether it is too uncertain to say much.
    """

    ruleset: RulesetName
    rating: Points
    uncertainty: Points
    score: Points
    games: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    wins: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    provisional: bool


class SeatedRating(Struct, frozen=True):
    """The rating of a player who sits at a listed table. `rating`: in its rule set."""

    player: UUID
    rating: RatingView


def points(figure: float) -> float:
    """A rounded number."""
    return round(figure, 1)


def rating(ruleset: str, strength: Strength) -> RatingView:
    """A rating in the response format."""
    figures = points(strength.rating), points(strength.uncertainty), points(strength.score)
    return RatingView(ruleset, *figures, strength.games, strength.wins, strength.provisional)


def ratings_of(ladder: LadderBoard, player: UUID) -> tuple[RatingView, ...]:
    """A player's ratings, by rule set; rule sets without a rated game are missing."""
    found = ((ruleset, ladder.strength(ruleset, player)) for ruleset in CURRENT)
    return tuple(rating(ruleset, strength) for ruleset, strength in found if strength is not None)


def seated(ladder: LadderBoard, tables: Iterable[TableView]) -> tuple[SeatedRating, ...]:
    """The ratings of players who sit at tables, each once per rule set. Players without a name are left out."""
    sitting = {
        (table.ruleset, seat.player): None for table in tables for seat in table.seats if seat.player and seat.name
    }
    found = ((ruleset, player, ladder.strength(ruleset, player)) for ruleset, player in sitting)
    return tuple(SeatedRating(player, rating(ruleset, strength)) for ruleset, player, strength in found if strength)
