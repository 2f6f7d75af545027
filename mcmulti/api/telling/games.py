"""What pages know about games without a request: it is in their HTML head."""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from mcmulti.domain.core.capabilities.rounds import orders_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.introduction import introduction_of
from mcmulti.domain.core.wording.telling import LANGUAGES

if TYPE_CHECKING:
    from mcmulti.api.telling.wire import PagePart


def parts_of(ruleset: Ruleset[Any]) -> "tuple[PagePart, ...]":
    """The parts of pages that depend on the features of a game."""
    there: dict[PagePart, bool] = {"orders": orders_of(ruleset) is not None, "reports": ruleset.report is not None}
    return tuple(part for part, has in there.items() if has)


def games_head(rulesets: Iterable[Ruleset[Any]]) -> str:
    """For each game its name in every language, its introduction, its format for amounts of money, and the parts of its
    pages, as HTML.
    """
    return "\n".join(map(_meta, rulesets))


def _meta(ruleset: Ruleset[Any]) -> str:
    called = (f'data-called-{each}="{escape(ruleset.called(each))}"' for each in LANGUAGES)
    amount = (f'data-amount-{each}="{escape(ruleset.amount(each))}"' for each in LANGUAGES)
    about = (f'data-about-{each}="{escape(introduction_of(ruleset, each).about)}"' for each in LANGUAGES)
    parts = f'data-parts="{" ".join(parts_of(ruleset))}"'
    return f'<meta name="game" content="{escape(ruleset.name)}" {" ".join((*called, *amount, *about, parts))}>'
