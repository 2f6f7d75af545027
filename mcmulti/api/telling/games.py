"""What pages know of games without asking: it stands in their heads."""

from collections.abc import Iterable
from html import escape
from typing import Any

from mcmulti.api.telling.wire import PagePart
from mcmulti.domain.core.capabilities.rounds import orders_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.introduction import introduction_of
from mcmulti.domain.core.wording.telling import LANGUAGES


def parts_of(ruleset: Ruleset[Any]) -> tuple[PagePart, ...]:
    """What pages show of a game besides what they show of all: it follows from what the game has."""
    there: dict[PagePart, bool] = {"orders": orders_of(ruleset) is not None, "reports": ruleset.report is not None}
    return tuple(part for part, has in there.items() if has)


def games_head(rulesets: Iterable[Ruleset[Any]]) -> str:
    """For each game what people call it in every language, what it is about, how they write an amount of its money, and
    what pages show of it, as HTML.
    """
    return "\n".join(map(_meta, rulesets))


def _meta(ruleset: Ruleset[Any]) -> str:
    called = (f'data-called-{each}="{escape(ruleset.called(each))}"' for each in LANGUAGES)
    amount = (f'data-amount-{each}="{escape(ruleset.amount(each))}"' for each in LANGUAGES)
    about = (f'data-about-{each}="{escape(introduction_of(ruleset, each).about)}"' for each in LANGUAGES)
    parts = f'data-parts="{" ".join(parts_of(ruleset))}"'
    return f'<meta name="game" content="{escape(ruleset.name)}" {" ".join((*called, *amount, *about, parts))}>'
