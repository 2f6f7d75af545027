"""The golden games by post: one for each way such a game ends, and one that waits in vain."""

from functools import partial

from mcmulti.domain.oil.rules.ending import AssetsLiquidated, GameStoodStill
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.refereeing.dice import DiceRolled
from mcmulti.domain.postal.refereeing.ending import GameFinished
from mcmulti.domain.postal.refereeing.refereeing import RoundClosed, TurnBegan
from mcmulti.library.steps import Step
from tests.golden import sources
from tests.pure.postal.games import cleverly, idly, postal_games, unreliably

SHORT = 640
"""Events. Longer games are skipped to keep the files small."""


def _happened(steps: list[Step]) -> list[object]:
    return [fact.event for step in steps for fact in step.facts]


def won(steps: list[Step]) -> bool:
    """One player won early."""
    happened = _happened(steps)
    return len(happened) <= SHORT and any(isinstance(event, GameFinished) for event in happened)


def won_at_the_pumps(steps: list[Step]) -> bool:
    """In phase 3: the last turn has dice, and from then on only pumps bring cash."""
    return won(steps) and bool(_last_rolls(steps))


def won_by_sales(steps: list[Step]) -> bool:
    """In phase 1 or 2: the last turn has no dice."""
    return won(steps) and not _last_rolls(steps)


def _last_rolls(steps: list[Step]) -> list[object]:
    """The rolls of the winner's own last turn."""
    happened = _happened(steps)
    began = max(index for index, event in enumerate(happened) if isinstance(event, TurnBegan))
    return [event for event in happened[began:] if isinstance(event, DiceRolled)]


def closed_by_the_deadline(steps: list[Step]) -> bool:
    """One round was refereed with missing sheets, and another with all of them."""
    closed = {bool(event.missing) for event in _happened(steps) if isinstance(event, RoundClosed)}
    return won(steps) and closed == {True, False}


def stood_still(steps: list[Step]) -> bool:
    """Nothing changed for ten rounds, and there was something to sell at the end."""
    happened = {type(event) for event in _happened(steps)}
    return won(steps) and {GameStoodStill, AssetsLiquidated} <= happened


_LEFT = partial(sources.left_games, RULESET.name)
GAMES: sources.Games = {
    "by-post-pumps": (partial(postal_games, cleverly), won_at_the_pumps),
    "by-post-sales": (partial(postal_games, cleverly), won_by_sales),
    "by-post-standstill": (partial(postal_games, idly), stood_still),
    "by-post-deadline": (partial(postal_games, unreliably), closed_by_the_deadline),
    "by-post-substitute": (_LEFT, sources.substituted),
    "by-post-house": (_LEFT, sources.kept),
}
