"""What pages know of games without asking: it stands in their heads."""

from collections.abc import Iterable
from html import escape
from typing import Any

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import LANGUAGES


def games_head(rulesets: Iterable[Ruleset[Any]]) -> str:
    """For each game what people call it in every language, and how they write an amount of its money, as HTML."""
    return "\n".join(map(_meta, rulesets))


def _meta(ruleset: Ruleset[Any]) -> str:
    called = (f'data-called-{each}="{escape(ruleset.called(each))}"' for each in LANGUAGES)
    amount = (f'data-amount-{each}="{escape(ruleset.amount(each))}"' for each in LANGUAGES)
    return f'<meta name="game" content="{escape(ruleset.name)}" {" ".join((*called, *amount))}>'
